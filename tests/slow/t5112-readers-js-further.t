#!/bin/sh
# What is read of further runners of JavaScript, each installed into a directory of this test: uvu,
# ava 3 and 6, tap 16 and 21, tape, and mocha where nyc starts it; and some of their tests alone.
. "$(dirname "$0")/../cli/lib.sh"
. "$SOURCE/tests/slow/node_modules.sh"

install uvu uvu@0.5 esm@3
install ava3 ava@3
install ava6 ava@6
install tap16 tap@16
install tap21 tap@21
install tape tape@5
install nyc14 nyc@14 mocha@10
install nyc17 nyc@17 mocha@11
install mocha6 mocha@6 esm@3

# project RUNNER: a directory p with its node_modules, and no tests.
project() {
	rm -rf p && mkdir -p p/test && ln -s "../$1/node_modules" p/node_modules &&
	echo '{"name": "x"}' >p/package.json
}

# read_of COMMAND [MS [ID...]]: the conclusion, and status, id, place and message of each result.
read_of() {
	read_report p "$@" >read.txt && cat read.txt
}
has() {
	grep -qF -e "$1" read.txt || { echo "no $1"; cat read.txt; return 1; }
}
n_results() {
	test "$(grep -c "^passed\|^failed\|^error" read.txt)" = "$1"
}

uvu_tests='const { suite } = require("uvu"), assert = require("uvu/assert");
const sum = suite("sum");
sum("adds", () => {
	assert.is(1, 2);
});
sum("same", () => {});
sum("same", () => {});
sum.run();
const hooks = suite("hooks");
hooks.before.each((context) => { if (context.__test__ === "two") throw new Error("no database"); });
hooks("one", () => {});
hooks("two", () => {});
hooks.run();'

check uvu 'uvu: tests that pass, that fail, and whose hook fails' '
	project uvu && echo "$uvu_tests" >p/test/sum.js &&
	read_of "npx uvu test" && has "format	uvu" && has complete && n_results 5 &&
	has "failed	test/sum.js > sum > adds	test/sum.js:4	" && has "Assertion: Expected values to be" &&
	has "passed	test/sum.js > sum > same (2)" && has "failed	test/sum.js > hooks > two" &&
	has "no database" && has "passed	test/sum.js > hooks > one"
'
check uvu 'uvu: some tests alone, in one of several files' '
	project uvu && echo "$uvu_tests" >p/test/sum.js &&
	sed s:sum:total: <p/test/sum.js >p/test/total.js &&
	read_of "npx uvu test" 60000 "test/sum.js > sum > adds" "test/sum.js > sum > same (2)" &&
	has complete && n_results 3 && has "failed	test/sum.js > sum > adds"
'
check uvu 'uvu: ES modules, by node and by esm, and a file without its runner' '
	project uvu && printf "%s\n" "import { test } from \"uvu\";" "import * as assert from \"uvu/assert\";" \
		"test(\"a\", () => assert.ok(false));" "test(\"b\", () => {});" "test.run();" >p/test/a.mjs &&
	read_of "npx uvu test" && has "failed	test/a.mjs > a	test/a.mjs:3" && has "passed	test/a.mjs > b" &&
	mv p/test/a.mjs p/test/a.js && read_of "npx uvu -r esm test" && n_results 2 &&
	has "failed	test/a.js > a	test/a.js:3" && has "passed	test/a.js > b" &&
	printf "%s\n" "{\"scripts\": {\"test\": \"node -r esm test/a.js\"}}" >p/package.json &&
	read_of "npm test" && n_results 2 && has "failed	test/a.js > a	test/a.js:3"
'
check uvu 'uvu: the end of the process in the middle' '
	project uvu && echo "$uvu_tests" | sed "s/assert.is(1, 2)/process.exit(0)/" >p/test/sum.js &&
	read_of "npx uvu test" && has "error	npx uvu test" && has "Exiting early"
'

for ava in ava3 ava6; do
	check "$ava" "$ava: tests, and some of them alone" '
		project '"$ava"' && for name in one two; do
			printf "%s\n" "import test from \"ava\";" "test(\"'"a's"' $name › x\", (t) => {" \
				"	t.is(1, 2);" "});" "test(\"b\", (t) => t.pass());" >p/test/$name.mjs || exit 1
		done && read_of "npx ava" && has "format	tap" && has complete && n_results 4 &&
		id=$(sed -n "s/^failed	\(one.* › x\)	.*- 1 + 2.*/\1/p" read.txt) && test -n "$id" &&
		grep "^passed	two.* › b" read.txt && read_of "npx ava" 60000 "$id" &&
		has complete && n_results 1 && has "failed	$id	" && printf "%s\n" "{\"scripts\": {\"test\": \"true && ava\"}}" >p/package.json &&
		read_of "npm test" && n_results 4
	'
done
for tap in tap16 tap21; do
	check "$tap" "$tap: tests, and those of one file alone" '
		project '"$tap"' && for name in one two; do
			printf "%s\n" "const t = require(\"tap\");" "t.test(\"adds\", (t) => {" \
				"	t.equal(1, 2);" "	t.end();" "});" "t.test(\"b\", (t) => t.end());" \
				>p/test/$name.js || exit 1
		done && read_of "npx tap test/*.js" && has "format	tap" && has complete &&
		has "failed	test/one.js > adds" && has "passed	test/two.js > b" &&
		read_of "npx tap test/*.js" 60000 "test/one.js > adds" && has complete &&
		has "failed	test/one.js > adds" && ! grep "two.js" read.txt
	'
done

check tape 'tape: what was expected and what was found' '
	project tape && printf "%s\n" "require(\"tape\")(\"t\", (t) => {" \
		"	t.deepEqual({ a: 1 }, { a: 2 }, \"adds\");" "	t.equal(\"x\", \"y\");" "	t.end();" "});" >p/test/a.js &&
	read_of "npx tape test/a.js" && has "failed	adds	test/a.js:2	" &&
	has "expected { a: 2 }, found { a: 1 }" && has "expected y, found x" &&
	has "test/a.js:3"
'
for nyc in nyc14 nyc17; do
	check "$nyc" "$nyc: a mocha that prints dots" '
		project '"$nyc"' && printf "%s\n" "it(\"a\", () => {});" "it(\"b\", () => require(\"assert\")(false));" >p/test/a.js &&
		printf "%s\n" "{\"scripts\": {\"test\": \"nyc mocha --reporter dot\"}}" >p/package.json &&
		read_of "npm test" && has "format	mocha" && has complete && n_results 2 &&
		has "passed	test/a.js > a" && has "failed	test/a.js > b	test/a.js:2"
	'
done

check mocha6 'mocha 6, where esm loads modules' '
	project mocha6 && printf "%s\n" "import assert from \"assert\";" "it(\"a\", () => {});" \
		"it(\"b\", () => assert(false));" >p/test/a.js &&
	read_of "npx mocha -r esm" && has "format	mocha" && has complete && n_results 2 &&
	has "passed	test/a.js > a" && has "failed	test/a.js > b	test/a.js:3"
'

command -v bun >/dev/null && test_set_prereq BUN
check BUN 'bun: what passes, fails and cannot be loaded, and some tests alone' '
	rm -rf p && mkdir p && echo "{\"scripts\": {\"test\": \"bun test\"}}" >p/package.json &&
	printf "%s\n" "import { describe, expect, test } from \"bun:test\";" \
		"describe(\"a > b\", () => { test(\"c (d)\", () => { expect(1).toBe(2); });" \
		"test(\"e\", () => {}); });" "test(\"c (d)\", () => {});" >p/a.test.ts &&
	echo "import \"./none\";" >p/b.test.ts && read_of "npm test" && has "format	bun" &&
	has complete && n_results 4 && has "failed	a.test.ts > a > b > c (d)	a.test.ts:2	" &&
	has "error	b.test.ts	" && has "Cannot find module" &&
	read_of "bun test" 60000 "a.test.ts > a > b > c (d)" && has complete && n_results 1
'

test_done
