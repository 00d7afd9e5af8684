const test = require("node:test");
const assert = require("node:assert");
const { area, perimeter, corners } = require("../shapes.js");

test("area", () => assert.strictEqual(area(3, 5), 15));
test("perimeter", () => assert.strictEqual(perimeter(3, 5), 16));
test("corners", () => assert.deepStrictEqual(corners(3, 5), [[0, 0], [3, 5]]));
