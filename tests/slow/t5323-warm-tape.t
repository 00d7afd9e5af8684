#!/bin/sh
# The warm runner of node where tape runs the tests (warm/node-tape.mjs), driven over its pipes.
. "$(dirname "$0")/t5320/lib.sh"
install tape5 tape@5.9.0

# sums: a package whose add() subtracts, with the test of standard input.
sums() {
	rm -rf p && mkdir -p p/test && cd p && ln -s ../tape5/node_modules node_modules &&
	echo '{}' >package.json &&
		printf '%s\n' 'function add(a, b) {' '	return a - b;' '}' 'function twice(n) {' \
			'	return n * 2;' '}' 'module.exports = { add, twice };' >sums.js &&
		cat >test/sums.js
}
cat >sums-test <<\EOF
const test = require("tape");
const { add, twice } = require("../sums");
test("adds", (t) => {
	t.equal(add(2, 3), 5, "small numbers");
	t.equal(add(2, 0), 2);
	t.end();
});
test("twice", (t) => {
	t.plan(2);
	t.equal(twice(0), 0, "nothing");
	setTimeout(() => t.equal(twice(2), 4, "later"), 1);
});
test("groups", (t) => {
	t.test("within", (st) => {
		st.equal(add(0, 0), 0);
		st.end();
	});
	t.equal(1, 2, "to be done", { todo: true });
});
test("not yet", { skip: true }, (t) => t.end());
EOF
goals='goal small numbers
other should be strictly equal
other should be strictly equal (2)
other nothing
other later'

check tape5 'every end of a candidate' '
	sums <sums-test && { echo "$goals" && cat <<-\EOF; } | warm tape "test/*.js" &&
	limits 2000 20000
	try sums.js: a - b ==> a * b
	try sums.js: a - b ==> a + b
	try sums.js: return n * 2 ==> return n * 3
	try sums.js: a - b ==> a - / b
	try sums.js: return a - b ==> missing(); return a + b
	try sums.js: return a - b ==> return b ? a + b : 7
	try sums.js: return a - b ==> return a + b || 7
	try sums.js: return a - b ==> process.exit(0)
	try sums.js: return a - b ==> process.kill(process.pid, 9)
	limits 300 20000
	try sums.js: return a - b ==> for (;;) ;
	limits 2000 300
	try sums.js: return a - b ==> Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 20000)
	limits 2000 20000
	try sums.js: a - b ==> a + b
	EOF
	same <<-\EOF
	ready 1 4
	failed 0 test/sums.js:4
	passed 1
	failed 0 test/sums.js:4
	syntax 0
	failed 0
	broken 1 should be strictly equal
	broken 1 should be strictly equal (2)
	died 0
	died 0
	timeout 0
	timeout 0
	passed 1
	EOF
'

check tape5 'nothing leaks' '
	sums <sums-test && { echo "$goals" && cat <<-\EOF; } | warm tape "test/*.js" &&
	limits 2000 20000
	try sums.js: return a - b ==> globalThis.left = process.env.LEFT = require("tape").left = 1; return a * b
	try sums.js: return a - b ==> return globalThis.left || process.env.LEFT || require("tape").left ? a + b : 0
	try sums.js: return a - b ==> Array.prototype.left = 1; setTimeout(() => {}, 1e6).unref(); return a * b
	try sums.js: return a - b ==> return [].left ? a + b : 0
	try sums.js: a - b ==> a + b
	EOF
	{ echo "ready 1 4" && for i in 1 2 3 4; do echo "failed 0 test/sums.js:4"; done && echo \
		"passed 1"; } >expected && test_cmp expected answers
'

check tape5 'an ES module, and the order of files' '
	sums <sums-test && printf "%s\n" "goal small numbers" "goal small numbers (2)" \
		"other nothing" "limits 2000 20000" "try sums.js: a - b ==> a * b" \
		"try sums.js: a - b ==> a + b" >lines && cat >test/sums_a.mjs <<-\EOF &&
	import test from "tape";
	import { add } from "../sums.js";
	test("adds", (t) => {
		t.equal(add(2, 4), 6, "small numbers");
		t.end();
	});
	EOF
	warm tape "test/*" <lines &&
	printf "%s\n" "ready 2 1" "failed 0 test/sums_a.mjs:4" "passed 2" | same
'

check tape5 'a test that waits for what never comes' '
	printf "%s\n" "goal small numbers" "other .end() already called: waits" \
		"limits 2000 20000" "try sums.js: a - b ==> a * b" "try sums.js: a - b ==> a + b" >lines &&
	sums <<-\EOF && warm tape "test/*.js" <../lines &&
	const test = require("tape");
	const { add } = require("../sums");
	test("adds", (t) => {
		t.equal(add(2, 3), 5, "small numbers");
		t.end();
	});
	test("waits", (t) => setTimeout(() => {}, 1));
	EOF
	printf "%s\n" "ready 1 0" "failed 0 test/sums.js:4" "passed 1" | same
'

check tape5 'which lines ran' '
	sums <sums-test && { echo "$goals" && echo cover; } | warm tape "test/*.js" &&
	grep "^{.lines.:{.sums.js.:\[\[1,1,[0-9],0\],\[2,1,[0-9],0\],.*.n_goal.:1,.n_others.:4,.n_also.:0}" \
		answers
'

check tape5 'what is no tape of ours is left to cold runs' '
	sums <sums-test && echo "$goals" | warm tape --only "test/*.js" &&
	grep "^not ready: .--only. is an option of tape" answers
'

test_done
