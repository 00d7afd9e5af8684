#!/bin/sh
# The warm runner of node: candidates tried in a process that has the tests loaded (warm/node.mjs),
# driven over its pipes.
. "$(dirname "$0")/t5320/lib.sh"

# sums: a package whose add() subtracts.
sums() {
	rm -rf p && mkdir -p p/test && cd p && echo '{"name": "sums"}' >package.json &&
		printf '%s\n' 'function add(a, b) {' '	return a - b;' '}' 'function twice(n) {' \
			'	return n * 2;' '}' 'module.exports = { add, twice };' >sums.js &&
		cat >test/sums.test.js
}
cat >sums-test <<\EOF
const test = require("node:test");
const assert = require("node:assert");
const { add, twice } = require("../sums");
test("adds", () => {
	assert.strictEqual(add(2, 3), 5);
});
test.describe("twice", () => {
	test.it("doubles", async () => assert.strictEqual(twice(2), 4));
	test.it("keeps nothing", () => assert.strictEqual(twice(0), 0));
});
EOF
goals='goal adds
other twice > doubles
other twice > keeps nothing
other twice'

check NODE 'every end of a candidate' '
	sums <sums-test && { echo "$goals" && cat <<-\EOF; } | warm node &&
	try sums.js: a - b ==> a * b
	try sums.js: a - b ==> a + b
	try sums.js: return n * 2 ==> return n * 3
	try sums.js: a - b ==> a - / b
	try package.json: sums ==> total
	try sums.js: return a - b ==> missing(); return a + b
	limits 300 5000
	try sums.js: return a - b ==> for (;;) ;
	limits 4000 300
	try sums.js: return a - b ==> Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0)
	limits 30000 60000
	try sums.js: return a - b ==> process.exit(0)
	try sums.js: return a - b ==> process.kill(-process.pid, 9)
	try sums.js: return a - b ==> const all = []; for (;;) all.push(Buffer.alloc(1e7, 1))
	try sums.js: a - b ==> a + b
	EOF
	same <<-\EOF
	ready 1 3
	failed 0 test/sums.test.js:5
	passed 1
	failed 0 test/sums.test.js:5
	syntax 0
	failed 0 test/sums.test.js:5
	failed 0 test/sums.test.js:5
	timeout 0
	timeout 0
	died 0
	died 0
	died 0
	passed 1
	EOF
'

# What one leaves behind must not be seen by the next, which is right.
check NODE 'nothing leaks' '
	sums <sums-test && {
		echo "$goals"
		while IFS= read -r statement; do
			printf "try sums.js: return a - b; ==> %s\ntry sums.js: a - b ==> a + b\n" \
				"$statement; return 0;"
		done <<-\EOF
		globalThis.add = 5
		Array.prototype.map = null
		Object.prototype.surprise = 1
		Number.prototype.valueOf = () => 0
		JSON.parse = () => null
		console.log = null
		globalThis.setTimeout = null
		require("assert").strictEqual = () => {}
		require("fs").readFileSync = () => "x"
		require("module")._load = () => ({})
		process.env.PATH = ""
		process.chdir("/")
		process.exitCode = 3
		process.on("exit", () => process.kill(process.pid, 9))
		process.removeAllListeners()
		setTimeout(() => { throw new Error("late") }, 5)
		setInterval(() => process.exit(0), 1).unref()
		process.nextTick(() => { throw new Error("soon") })
		Promise.reject(new Error("unheard"))
		require("net").createServer().listen(0)
		require("fs").closeSync(0)
		require("fs").closeSync(100)
		require("fs").writeSync(100, "{}" + String.fromCharCode(10))
		require.cache[__filename].exports.twice = null
		require("fs").unlinkSync(__filename)
		EOF
	} | warm node && grep -c passed answers >count && echo 25 | test_cmp - count && head -1 \
		answers >first && echo "ready 1 3" | test_cmp - first
'

check NODE 'a promise that is never kept, and errors that nobody waits for' '
	sums <<-\EOF &&
	const test = require("node:test");
	const assert = require("node:assert");
	const { add, twice } = require("../sums");
	test("adds", async () => {
		assert.strictEqual(await add(2, 3), 5);
	});
	test("doubles", (t, done) => {
		assert.strictEqual(twice(2), 4);
		setTimeout(done, 1);
	});
	EOF
	cat <<-\EOF | warm node &&
	goal adds
	other doubles
	try sums.js: return a - b ==> return new Promise(() => {})
	try sums.js: return a - b ==> setTimeout(() => { throw new Error("late"); }, 5); return a + b
	try sums.js: return a - b ==> return Promise.resolve(a + b)
	try sums.js: return a - b ==> return new Promise((resolve) => setTimeout(resolve, 5, a + b))
	EOF
	same <<-\EOF
	ready 1 1
	failed 0
	broken 1 test/sums.test.js
	passed 1
	passed 1
	EOF
'

check NODE 'tests within tests, hooks, names that come again, what is skipped' '
	sums <<-\EOF &&
	const { test, it, describe, before, after, beforeEach, afterEach } = require("node:test");
	const assert = require("node:assert");
	const { add, twice } = require("../sums");
	let ready = 0;
	before(() => { ready += 1; });
	describe("sum", () => {
		beforeEach(() => { ready += 10; });
		afterEach(() => { ready -= 10; });
		it("adds", () => assert.strictEqual(add(0, 0), 0));
		it("adds", () => assert.strictEqual(add(ready, 0) + add(0, 2), 13));
		it.skip("is not ready", () => assert.fail());
		it.todo("is to be done", () => assert.fail());
	});
	describe("twice", { concurrency: true }, () => {
		it("doubles", async (t) => {
			await t.test("two", () => assert.strictEqual(twice(2), 4));
			await t.test("three", () => assert.strictEqual(twice(3) + add(0, 1), 7));
		});
		it("with a callback", (t, done) => setImmediate(done));
	});
	after(() => assert.strictEqual(ready, 1));
	EOF
	cat <<-\EOF | warm node &&
	goal sum > adds (2)
	goal sum
	goal twice > doubles > three
	goal twice > doubles
	goal twice
	other sum > adds
	other twice > doubles > two
	other twice > with a callback
	try sums.js: a - b ==> a + b
	try sums.js: a - b ==> b
	try sums.js: a - b ==> a ? a : b
	try sums.js: a - b ==> a + b || 1
	EOF
	same <<-\EOF
	ready 5 3
	passed 5
	failed 3 test/sums.test.js:10
	passed 5
	broken 5 sum > adds
	EOF
'

check NODE \
	'ES modules: default and named exports, classes, circles, dynamic import, CommonJS within' '
	rm -rf p && mkdir -p p/test && cd p && echo "{\"type\": \"module\"}" >package.json &&
	echo "exports.one = 1; exports.zero = () => 0;" >old.cjs &&
	cat >even.js <<-\EOF &&
	import isOdd from "./odd.js";
	export default (n) => n === 0 ? true : isOdd(n - 1);
	EOF
	cat >odd.js <<-\EOF &&
	import isEven from "./even.js";
	import { one } from "./old.cjs";
	export class Counter { constructor() { this.n = 0; } add() { this.n += one; return this; } }
	export const later = async (n) => (await import("./even.js")).default(n);
	export default (n) => n === 0 ? true : isEven(n - 1);
	EOF
	cat >test/odd.test.js <<-\EOF &&
	import assert from "node:assert/strict";
	import { test } from "node:test";
	import isOdd, { Counter, later } from "../odd.js";
	const { zero } = await import("../old.cjs");
	test("odd", () => assert.equal(isOdd(3), true));
	test("zero is even", () => assert.equal(isOdd(zero()), false));
	await test("counts", () => assert.equal(new Counter().add().add().n, 2));
	test("later", async () => assert.equal(await later(2), true));
	EOF
	cat <<-\EOF | warm node &&
	goal zero is even
	other odd
	other counts
	other later
	try odd.js: n === 0 ? true ==> n === 0 ? false
	try odd.js: n === 0 ? true ==> n !== 0 ? false
	try odd.js: export default ==> export const other =
	try odd.js: n === 0 ? true ==> n === 0 ? fa lse
	try old.cjs: () => 0 ==> () => 2
	try old.cjs: exports.one = 1; exports.zero = () => 0 ==> exports.zero = () => 2
	EOF
	same <<-\EOF
	ready 1 3
	passed 1
	broken 1 odd
	failed 0
	syntax 0
	failed 0 test/odd.test.js:6
	failed 0
	EOF
'

check NODE 'tests that start programs, and options that are not known, are left to cold runs' '
	sums <<-\EOF &&
	const test = require("node:test");
	const { execFileSync } = require("node:child_process");
	test("adds", () => {
		execFileSync(process.execPath, ["-e", "if (require(\"./sums\").add(1, 1) !== 2) process.exit(1)"]);
	});
	EOF
	echo "goal adds" | warm node &&
	grep "^not ready: the tests in test/sums.test.js start programs" answers &&
	echo "goal adds" | warm node --import ./hooks.mjs &&
	grep "^not ready: .--import. is an option" answers &&
	echo "goal subtracts" | warm node &&
	grep "^not ready: the test .subtracts. was not found" answers &&
	echo "goal adds" | warm karma && grep "^not ready: there is no warm runner of .karma." answers
'

check NODE 'tests that need each other are run together' '
	sums <<-\EOF &&
	const test = require("node:test");
	const assert = require("node:assert");
	const { add } = require("../sums");
	let first;
	test("first", () => { first = 1; });
	test("adds", () => {
		if (first === undefined)
			throw new Error("too early");
		assert.strictEqual(add(first, 1), 2);
	});
	EOF
	printf "%s\n" "goal adds" "other first" "try sums.js: a - b ==> a + b" \
		"try sums.js: a - b ==> a * b" | warm node test/*.test.js &&
	same <<-\EOF
	ready 1 1
	passed 1
	failed 0 test/sums.test.js:9
	EOF
'

check NODE 'one program' '
	mkdir -p p && cd p && cat >sum.js <<-\EOF &&
	function add(a, b) {
		return a - b;
	}
	console.assert(add(0, 0) === 0, "nothing");
	console.assert(add(2, 3) === 5, "two and three");
	require("assert").ok(true);
	assert.strictEqual(add(1,
		0), 1);
	EOF
	sed -i "1i const assert = require(\"assert\");" sum.js &&
	cat >lines <<-\EOF &&
	goal console.assert(add(2, 3) === 5, "two and three");
	other console.assert(add(0, 0) === 0, "nothing");
	other assert.strictEqual(add(1, 0), 1);
	try sum.js: return a - b; ==> return a + b;
	try sum.js: return a - b; ==> return a * b;
	try sum.js: return a - b; ==> return a + b || 1;
	try sum.js: return a - b; ==> throw new Error("no");
	try sum.js: return a - b; ==> process.exit(0);
	try sum.js: return a - b; ==> setTimeout(() => { throw 1; }, 1); return a + b;
	try sum.js: return a - b; ==> return a + ;
	try sum.js: return a - b; ==> return\na + b;
	try sum.js: return a - b; ==> \nreturn a + b;
	limits 200 2000
	try sum.js: return a - b; ==> for (;;) ;
	EOF
	warm program sum.js <lines && cat >expected <<-\EOF && test_cmp expected answers &&
	ready 1 2
	passed 1
	failed 0 sum.js:6
	broken 1 console.assert(add(0, 0) === 0, "nothing");
	failed 0 sum.js:6
	died 0
	failed 0 sum.js:6
	syntax 0
	failed 0 sum.js:7
	passed 1
	timeout 0
	EOF
	sed "s/^const.*/import assert from \"assert\";/; /require/d" sum.js >sum.mjs &&
	sed "s/sum.js/sum.mjs/" lines | warm program sum.mjs &&
	sed -i "s/sum.js/sum.mjs/" expected && test_cmp expected answers
'

check NODE 'lines that ran, by how many tests' '
	sums <sums-test && { echo "$goals" && echo cover; } | warm node &&
	same <<-\EOF
	ready 1 3
	{"lines":{"sums.js":[[1,1,0,0],[2,1,0,0],[4,0,2,0],[5,0,2,0],[7,1,2,0]]},"n_goal":1,"n_others":2,"n_also":0}
	EOF
'

check NODE 'what it says of random edits is what a cold run says' '
	cp -r "$SOURCE/tests/slow/t5320/ranges" . && cd ranges &&
	node "$SOURCE/tests/lib/warm_agree.mjs" "$runner" "${EDITS:-24}" 7 src/range.js \
		"value < this.high" "value <= this.high" >said && cat said &&
	sed -n 1p said >first && echo "{\"ready\":true,\"goal\":2,\"others\":9}" | test_cmp - first &&
	tail -n +3 said >wrong && ! grep -q . wrong
'

test_done
