#!/bin/sh
# What is read of the runners of JavaScript, each installed into a directory of this test: jest 29
# and 30, vitest 1 to 3, mocha 5, 10 and 11, and node's own.
. "$(dirname "$0")/../cli/lib.sh"
. "$SOURCE/tests/slow/node_modules.sh"

for version in 29 30; do
	install "jest$version" "jest@$version"
done
for version in 1 2 3; do
	install "vitest$version" "vitest@$version"
done
for version in 5 10 11; do
	install "mocha$version" "mocha@$version"
done
install typescript jest@29 ts-jest@29 typescript@5 @types/jest@29

# The same words for all of them.
prelude() {
	case $1 in
	vitest*) echo 'import { beforeAll, describe, expect, test } from "vitest";' ;;
	mocha*) echo 'const test = it, beforeAll = before;' \
		'const expect = (found) => ({ toBe: require("assert").strictEqual.bind(null, found) });' ;;
	esac
}

# project RUNNER: a directory p without tests. file RUNNER FILE: a test file, of standard input.
project() {
	rm -rf p && mkdir -p p/test && ln -s "../$1/node_modules" p/node_modules &&
	echo '{"name": "x"}' >p/package.json
}
file() {
	{
		prelude "$1"
		cat
	} >"p/test/$2"
}

# read_of COMMAND [MS [ID...]]: the conclusion, and status and id of each result.
read_of() {
	read_report p "$@" >read.txt
	cut -f1,2 read.txt >short.txt
	cat short.txt
}
lines() {
	printf '%s\n' "$@" >expected.txt && test_cmp expected.txt short.txt
}
has() {
	grep -qF -e "$1" read.txt || { cat read.txt && false; }
}

# cases RUNNER COMMAND [few]: what is checked of each; of the older ones less.
cases() {
	runner=$1 command=$2 kind=${1%%[0-9]*}

	check "$runner" "$runner: all green" '
		project $runner && echo "test(\"a\", () => {}); describe(\"d\", () => { test(\"b\", () => {}); });" | file $runner one.test.js &&
		read_of "$command" &&
		lines "format	$kind" complete "exit	0" "passed	test/one.test.js > a" "passed	test/one.test.js > d > b"
	'
	check "$runner" "$runner: one red, with its place and message" '
		project $runner && printf "%s\n" "test(\"a\", () => {" "  expect(1).toBe(2);" "});" "test(\"b\", () => {});" | file $runner one.test.js &&
		read_of "$command" && has "failed	test/one.test.js > a	test/one.test.js:$(grep -n expect.1 p/test/one.test.js | cut -d: -f1)	" &&
		has "passed	test/one.test.js > b" && has complete && ! has "exit	0"
	'
	check "$runner" "$runner: a file that cannot be loaded" '
		project $runner && echo "test(\"a\", () => {});" | file $runner good.test.js && echo "test(\"b\", () => {" | file $runner bad.test.js &&
		read_of "$command" && has complete &&
		case $kind in
		mocha) has "error	$command" ;;
		*) has "error	test/bad.test.js" && has "passed	test/good.test.js > a" ;;
		esac
	'
	check "$runner" "$runner: process.exit in the middle" '
		project $runner && echo "test(\"a\", () => {}); test(\"b\", () => { process.exit(0); }); test(\"c\", () => {});" | file $runner one.test.js &&
		read_of "$command" && { [ $kind = vitest ] || ! grep -q "passed	.* > c" read.txt; } &&
		{ has "problem	$kind ended before it had written its report" || has "failed	test/one.test.js > b" || has "error	test/one.test.js"; }
	'
	check "$runner" "$runner: odd names, the same in each run and each to be run alone" '
		project $runner && cat <<-\EOF | file $runner "odd name.test.js" &&
		const names = ["it'"'"'s \"quoted\"", "a > b", "::", "src/x.js", "[1] (2) {3} $4 ^5", "ünï ✓", "two\nlines", "nul \u0000", "half \ud800",
			" spaces  ", "f (2)", "\\d+.*", "100%", "(3 ms)", "", "same", "same"];
		describe("group > of", () => names.forEach((name) => test(name, () => { expect(1).toBe(name === "a > b" ? 2 : 1); })));
		EOF
		read_of "$command" && has complete && cp short.txt first.txt && read_of "$command" && test_cmp first.txt short.txt &&
		[ "$(grep -c "^passed\|^failed" short.txt)" = 17 ] && [ "$(sort short.txt | uniq -d | wc -l)" = 0 ] &&
		grep -F "failed	test/odd name.test.js > group > of > a > b" short.txt && grep -F "of > same (2)" short.txt &&
		read_of "$command" 60000 "test/odd name.test.js > group > of > a > b" "test/odd name.test.js > group > of > [1] (2) {3} \$4 ^5" &&
		has complete && [ "$(grep -c "^passed\|^failed" short.txt)" = 2 ] && grep -F "failed	test/odd name.test.js > group > of > a > b" short.txt
	'
	[ "${3:-}" = few ] && return
	check "$runner" "$runner: a skipped test" '
		project $runner && echo "test.skip(\"a\", () => {}); test(\"b\", () => {});" | file $runner one.test.js &&
		read_of "$command" &&
		lines "format	$kind" complete "exit	0" "skipped	test/one.test.js > a" "passed	test/one.test.js > b" ||
		lines "format	$kind" complete "exit	0" "passed	test/one.test.js > b" "skipped	test/one.test.js > a"
	'
	check "$runner" "$runner: no tests" '
		project $runner && read_of "$command" && has "problem	" || has "error	$command"
	'
	check "$runner" "$runner: abort in the middle" '
		project $runner && echo "test(\"a\", () => {}); test(\"b\", () => { process.abort(); }); test(\"c\", () => {});" | file $runner one.test.js &&
		read_of "$command" 60000 && ! grep -q "passed	.* > c" read.txt && { has "problem	" || has "error	"; }
	'
	check "$runner" "$runner: time is over" '
		project $runner && echo "test(\"a\", () => { for (;;); });" | file $runner one.test.js &&
		read_of "$command" 5000 && has "problem	timed out"
	'
	check "$runner" "$runner: 10,000 tests" '
		project $runner && echo "for (let i = 0; i < 10000; i++) test(\"t\" + i, () => {});" | file $runner one.test.js &&
		read_of "$command" && has complete && [ "$(grep -c ^passed read.txt)" = 10000 ]
	'
	check "$runner" "$runner: a program that prints a summary of its own is found out" '
		project $runner && cat <<-\EOF | file $runner one.test.js &&
		const print = (text) => require_fs().writeSync(1, text);
		const require_fs = () => process.getBuiltinModule ? process.getBuiltinModule("fs") : require("fs");
		test("a", () => { print("\nTests:       9 passed, 9 total\n\n Test Files  1 passed (1)\n      Tests  9 passed (9)\n\n  9 passing (1ms)\n\n"); expect(1).toBe(2); });
		EOF
		read_of "$command" && { has "failed	test/one.test.js > a" || has "problem	"; }
	'
}

cases jest29 "npx jest --bail" few
cases jest30 "npx jest --watchAll --bail 1"
cases vitest1 "npx vitest run" few
cases vitest2 "npx vitest" few
cases vitest3 "npx vitest --watch"
cases mocha5 "npx mocha" few
cases mocha10 "npx mocha" few
cases mocha11 "npx mocha --reporter dot"

scripted() {
	check "$1" "$1: behind npm test and a script of several commands" '
		project '"$1"' && printf "{\"name\": \"x\", \"scripts\": {\"test\": \"%s\"}}\n" "'"$2"'" >p/package.json &&
		echo "test(\"a\", () => {});" | file '"$1"' one.test.js && echo "test(\"b\", () => {});" | file '"$1"' two.test.js &&
		read_of "npm test" && has complete && has "passed	test/one.test.js > a" && has "passed	test/two.test.js > b"
	'
}
scripted jest30 "node -e 1 && jest one && jest two"
scripted vitest3 "node -e 1; vitest run one && vitest run two"
scripted mocha11 "env A=1 mocha test/one.test.js && mocha test/two.test.js"

check typescript 'ts-jest: TypeScript, behind npm test' '
	project typescript &&
	cat >p/package.json <<-\EOF && printf "export const sum = (a: number, b: number): number => a - b;\n" >p/sum.ts &&
	{"name": "x", "scripts": {"test": "jest"}, "jest": {"preset": "ts-jest"}}
	EOF
	printf "%s\n" \
		"import { sum } from \"../sum\";" "" "test(\"adds\", () => {" \
		"  expect(sum(1, 2)).toBe(3);" "});" >p/test/sum.test.ts &&
	read_of "npm test" && has "failed	test/sum.test.ts > adds	test/sum.test.ts:4"
'

check NODE 'node: its spec reporter where the command asks for it, else TAP' '
	rm -rf p && mkdir -p p && cat >p/one.test.js <<-\EOF &&
	const { describe, it, test } = require("node:test");
	describe("d", () => { it("a", () => { require("assert").strictEqual(1, 2); }); it("b", { skip: "why not" }, () => {}); it("c", () => {}); });
	test("alone (2)", () => {});
	EOF
	for command in "node --test" "node --test --test-reporter=spec"; do
		read_of "$command" && has complete && has "failed	d > a	one.test.js:2	" &&
		has "skipped	d > b" && has "passed	d > c" &&
		read_of "$command" 60000 "d > a" && has "failed	d > a" && ! has "passed	alone" &&
		read_of "$command" 60000 "alone (2)" && has "passed	alone (2)" &&
		! has "failed	d > a" || exit 1
	done
'

# The warm runner uses the mocha of the repository, whatever its version.
for version in 10 11; do
	check "mocha$version" "mocha$version: tried warm" '
		project mocha'"$version"' && echo "exports.add = (a, b) => a - b;" >p/sums.js && cat >p/test/sums.js <<-\EOF &&
		const assert = require("assert"), { add } = require("../sums");
		describe("sums", () => {
			it("adds", () => assert.strictEqual(add(2, 3), 5));
			describe("of nothing", () => it("is nothing", (done) => { assert.strictEqual(add(0, 0), 0); done(); }));
		});
		EOF
		(cd p && node "$SOURCE/tests/lib/warm.mjs" "$RONDO_BUILD/agents/trial/warm/node.mjs" mocha) >answers <<-\EOF &&
		goal test/sums.js > sums > adds
		other test/sums.js > sums of nothing > is nothing
		try sums.js: a - b ==> a * b
		try sums.js: a - b ==> a + b || 1
		try sums.js: a - b ==> a + b
		EOF
		printf "%s\n" "ready 1 1" "failed 0 test/sums.js:3" "broken 1 test/sums.js > sums of nothing > is nothing" "passed 1" | test_cmp - answers
	'
done

test_done
