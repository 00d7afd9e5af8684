"use strict";
const test = require("node:test");
const assert = require("node:assert");
const { Range, count } = require("../src/range");

test.describe("a range", () => {
	let range;
	test.beforeEach(() => {
		range = new Range(2, 5);
	});
	test.it("knows its size", () => assert.strictEqual(range.size, 4));
	test.it("contains its ends", () => {
		assert.ok(range.contains(2));
		assert.ok(range.contains(5));
	});
	test.it("contains nothing else", () => assert.ok(!range.contains(6) && !range.contains(1)));
	test.it("lists", () => assert.deepStrictEqual(range.items(), [2, 3, 4, 5]));
	test.it("is near", () => assert.deepStrictEqual([0, 3, 9].map((n) => range.nearest(n)), [2, 3, 5]));
	test.it("is counted", () => assert.strictEqual(count(), 6));
});
