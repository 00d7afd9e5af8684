#!/bin/sh
test_description='projects in C and JavaScript; every scenario to copy from, in one go'
. "$(dirname "$0")/../cli/lib.sh"

check 'a C project whose make check fails' '
	mkdir c && cd c && git init -q &&
	cat >range.c <<-\EOF &&
	#include "range.h"

	int range_sum(const int *values, int n)
	{
		int sum = 0;
		for (int i = 1; i < n; i++)
			sum += values[i];
		return sum;
	}
	EOF
	echo "int range_sum(const int *values, int n);" >range.h &&
	cat >test_range.c <<-\EOF &&
	#include <stdio.h>
	#include "range.h"

	int main(void)
	{
		int values[] = {4, 5, 6};
		printf("1..2\n");
		int sum = range_sum(values, 3), none = range_sum(values, 0);
		printf("%s 1 - sum\n", sum == 15 ? "ok" : "not ok");
		printf("%s 2 - empty\n", none == 0 ? "ok" : "not ok");
		return sum != 15 || none != 0;
	}
	EOF
	printf "check: test_range\n\t./test_range\ntest_range: test_range.c range.c range.h\n" \
		>Makefile &&
	printf "\t\$(CC) -o \$@ test_range.c range.c\n" >>Makefile &&
	commit_all && fix --limit repair=5m >../out && passes_in_clone "make -s check" &&
	git diff --name-only main "$(the_branch)" >../names && echo range.c >../expected &&
	test_cmp ../expected ../names
'

check NODE 'a Node project whose node --test fails' '
	mkdir -p node/test && cd node && git init -q &&
	printf "function larger(a, b) {\n  return a < b ? a : b;\n}\n\nmodule.exports = { larger };\n" \
		>larger.js &&
	cat >test/larger.test.js <<-\EOF &&
	const test = require("node:test");
	const assert = require("node:assert");
	const { larger } = require("../larger.js");

	test("larger of two", () => assert.strictEqual(larger(3, 8), 8));
	test("larger of equals", () => assert.strictEqual(larger(2, 2), 2));
	EOF
	commit_all && fix >../out && grep "tests       node --test" ../out &&
	passes_in_clone "node --test >/dev/null"
'

check NODE 'dependencies in an ignored node_modules' '
	mkdir -p dep/node_modules/plus/ && cd dep && git init -q &&
	echo "module.exports = (a, b) => a + b;" >node_modules/plus/index.js &&
	echo node_modules >.gitignore &&
	printf "const plus = require(\"plus\");\nmodule.exports = (list) => list.reduce(plus, 1);\n" \
		>sum.js &&
	printf "const test = require(\"node:test\");\nconst sum = require(\"./sum.js\");\n" \
		>sum.test.js &&
	printf "test(\"sum\", () => require(\"node:assert\").strictEqual(sum([1, 2, 3]), 6));\n" \
		>>sum.test.js &&
	commit_all && fingerprint >../before && fix >../out && fingerprint >../after &&
	test_cmp ../before ../after &&
	git diff --name-only main "$(the_branch)" >../names && echo sum.js >../expected &&
	test_cmp ../expected ../names
'

check ESBUILD 'rondo test of scenarios/: every file ends as it asserts' '
	"$RONDO" test "$SOURCE/scenarios" >out; cat out &&
	grep "^$(ls "$SOURCE"/scenarios/*.yaml | wc -l) passed, 0 failed$" out
'

test_done
