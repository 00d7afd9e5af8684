import assert from "node:assert";
import test from "node:test";
import shorten, { later } from "../src/words.mjs";

test("shortens", async (t) => {
	await t.test("what is long", () => assert.strictEqual(shorten("abcdef", 4), "abc~"));
	await t.test("not what is short", () => assert.strictEqual(shorten("abcd", 4), "abcd"));
});
test("comes later", async () => assert.strictEqual(await later("ab", 3), "ababab"));
