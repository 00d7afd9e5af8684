#!/bin/sh
# The warm runner of node where uvu runs the tests (warm/node-uvu.mjs), driven over its pipes.
. "$(dirname "$0")/t5320/lib.sh"
install uvu uvu@0.5 esm@3

# sums: a package whose add() subtracts, with the test of standard input.
sums() {
	rm -rf p && mkdir -p p/test && cd p && ln -s ../uvu/node_modules node_modules &&
		echo '{}' >package.json &&
		printf '%s\n' 'function add(a, b) {' '	return a - b;' '}' 'function twice(n) {' \
			'	return n * 2;' '}' 'module.exports = { add, twice };' >sums.js &&
		cat >test/sums.js
}
cat >sums-test <<\EOF2
const { suite } = require("uvu"), assert = require("uvu/assert");
const { add, twice } = require("../sums");
const sums = suite("sums");
sums("adds", () => {
	assert.is(add(2, 3), 5);
});
sums("doubles", async () => assert.is(twice(2), 4));
sums("doubles", () => assert.is(add(0, 0), 0));
sums.run();
EOF2
goals='goal test/sums.js > sums > adds
other test/sums.js > sums > doubles
other test/sums.js > sums > doubles (2)'

check uvu 'every end of a candidate' '
	sums <sums-test && { echo "$goals" && cat <<-\EOF2; } | warm uvu test &&
	limits 2000 20000
	try sums.js: a - b ==> a * b
	try sums.js: a - b ==> a + b
	try sums.js: a - b ==> a + b || 1
	try sums.js: a - b ==> a - / b
	try sums.js: return a - b ==> process.exit(0)
	limits 300 5000
	try sums.js: return a - b ==> for (;;) ;
	limits 2000 20000
	try sums.js: return a - b ==> globalThis.left = 1; return a * b
	try sums.js: return a - b ==> return globalThis.left ? a + b : 0
	try sums.js: a - b ==> a + b
	EOF2
	same <<-\EOF2
	ready 1 2
	failed 0 test/sums.js:5
	passed 1
	broken 1 test/sums.js > sums > doubles (2)
	syntax 0
	died 0
	timeout 0
	failed 0 test/sums.js:5
	failed 0 test/sums.js:5
	passed 1
	EOF2
'

check uvu 'which lines ran' '
	sums <sums-test && { echo "$goals" && echo cover; } | warm uvu test &&
	grep "^{.lines.:{.sums.js.:.*\[2,1,1,0\],.*\[5,0,1,0\].*.n_goal.:1,.n_others.:2,.n_also.:0}" answers
'

check uvu,ESBUILD 'ES modules, by node and by esm' '
	sums <<-\EOF2 && printf "%s\n" "export const add = (a, b) => a - b;" >sums.mjs &&
	import { test } from "uvu";
	import * as assert from "uvu/assert";
	import { add } from "../sums.mjs";
	test("adds", () => assert.is(add(2, 3), 5));
	test("nothing", () => {});
	test.run();
	EOF2
	mv test/sums.js test/sums.mjs &&
	printf "%s\n" "goal test/sums.mjs > adds" "other test/sums.mjs > nothing" \
		"limits 2000 20000" "try sums.mjs: a - b ==> a * b" "try sums.mjs: a - b ==> a + b" >lines &&
	warm uvu <lines && printf "%s\n" "ready 1 1" "failed 0 test/sums.mjs:4" "passed 1" | same &&
	mv sums.mjs sums.js && sed "s/sums.mjs/sums/" <test/sums.mjs >test/sums.js &&
	rm test/sums.mjs && sed "s/sums.mjs/sums.js/" <lines >../lines &&
	warm uvu -r esm test <../lines &&
	printf "%s\n" "ready 1 1" "failed 0 test/sums.js:4" "passed 1" | same
'

check uvu 'what is not known of uvu is left to cold runs' '
	sums <sums-test && echo "$goals" | warm uvu --cwd src test &&
	grep "^not ready: .--cwd. is an option of uvu" answers
'

test_done
