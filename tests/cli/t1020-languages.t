#!/bin/sh
test_description='projects in C, JavaScript and shell; dependencies that git ignores; package stores'
. "$(dirname "$0")/lib.sh"

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
	printf "check: test_range\n\t./test_range\ntest_range: test_range.c range.c range.h\n" >Makefile &&
	printf "\t\$(CC) -o \$@ test_range.c range.c\n" >>Makefile &&
	commit_all && fix >../out && passes_in_clone "make -s check" &&
	git diff --name-only main "$(the_branch)" >../names && echo range.c >../expected && test_cmp ../expected ../names
'

check NODE 'a Node project whose node --test fails' '
	mkdir -p node/test && cd node && git init -q &&
	printf "function larger(a, b) {\n  return a < b ? a : b;\n}\n\nmodule.exports = { larger };\n" >larger.js &&
	cat >test/larger.test.js <<-\EOF &&
	const test = require("node:test");
	const assert = require("node:assert");
	const { larger } = require("../larger.js");

	test("larger of two", () => assert.strictEqual(larger(3, 8), 8));
	test("larger of equals", () => assert.strictEqual(larger(2, 2), 2));
	EOF
	commit_all && fix >../out && grep "tests       node --test" ../out && passes_in_clone "node --test >/dev/null"
'

check 'a shell project whose make test fails' '
	mkdir sh && cd sh && git init -q &&
	printf "is_even() {\n\t[ \$((\$1 %% 2)) -eq 1 ]\n}\n" >even.sh &&
	cat >test.sh <<-\EOF &&
	. ./even.sh
	echo 1..2
	if is_even 4; then echo ok 1 - four; else echo not ok 1 - four; fail=1; fi
	if is_even 7; then echo not ok 2 - seven; fail=1; else echo ok 2 - seven; fi
	exit ${fail:-0}
	EOF
	printf "test:\n\tsh test.sh\n" >Makefile &&
	commit_all && fix >../out && passes_in_clone "make -s test"
'

check NODE 'dependencies in an ignored node_modules' '
	mkdir -p dep/node_modules/plus/ && cd dep && git init -q &&
	echo "module.exports = (a, b) => a + b;" >node_modules/plus/index.js && echo node_modules >.gitignore &&
	printf "const plus = require(\"plus\");\nmodule.exports = (list) => list.reduce(plus, 1);\n" >sum.js &&
	printf "const test = require(\"node:test\");\nconst sum = require(\"./sum.js\");\n" >sum.test.js &&
	printf "test(\"sum\", () => require(\"node:assert\").strictEqual(sum([1, 2, 3]), 6));\n" >>sum.test.js &&
	commit_all && fingerprint >../before && fix >../out && fingerprint >../after && test_cmp ../before ../after &&
	git diff --name-only main "$(the_branch)" >../names && echo sum.js >../expected && test_cmp ../expected ../names
'

check 'dependencies in an ignored .venv' '
	mkdir venv && cd venv && git init -q && python3 -m venv --without-pip .venv &&
	echo .venv >.gitignore && echo "def shout(text): return text.upper()" >"$(echo .venv/lib/python3*/site-packages)/loud.py" &&
	printf "from loud import shout\n\n\ndef greet(name):\n    return shout(\"hello \") - name\n" >greet.py &&
	printf "from greet import greet\nassert greet(\"you\") == \"HELLO you\"\nprint(\"ok 1 - greet\\\\n1..1\")\n" >check.py &&
	printf "check:\n\t.venv/bin/python check.py\n" >Makefile &&
	commit_all && fix >../out && git diff main "$(the_branch)" | grep "^+    return shout(\"hello \") + name"
'

# A module in the cache as `go mod download` leaves it there.
fill_modcache() {
	cache=$1/cache/download/example.org/plus/@v module=$1/example.org/plus@v1.0.0
	mkdir -p "$cache" "$module" &&
		printf 'module example.org/plus\n\ngo 1.18\n' >"$module/go.mod" &&
		printf 'package plus\n\nfunc Plus(a, b int) int { return a + b }\n' >"$module/plus.go" &&
		echo v1.0.0 >"$cache/list" && echo '{"Version":"v1.0.0"}' >"$cache/v1.0.0.info" &&
		cp "$module/go.mod" "$cache/v1.0.0.mod" &&
		(cd "$1" && python3 -m zipfile -c "$cache/v1.0.0.zip" example.org/plus@v1.0.0)
}

check GO,SANDBOX 'a Go project whose module lies in the module cache' '
	export GOMODCACHE="$HOME/modcache" GOFLAGS=-mod=mod GOPROXY=off GONOSUMDB="*" GOSUMDB=off GOPATH="$HOME/gopath" &&
	fill_modcache "$GOMODCACHE" && mkdir sum && cd sum && git init -q &&
	printf "module example.org/sum\n\ngo 1.18\n\nrequire example.org/plus v1.0.0\n" >go.mod &&
	cat >sum.go <<-\EOF &&
	package sum

	import "example.org/plus"

	func Sum(list []int) int {
		total := 1
		for _, n := range list {
			total = plus.Plus(total, n)
		}
		return total
	}
	EOF
	cat >sum_test.go <<-\EOF &&
	package sum

	import "testing"

	func TestSum(t *testing.T) {
		if got := Sum([]int{1, 2, 3}); got != 6 {
			t.Errorf("Sum is %d", got)
		}
	}
	EOF
	(go test ./... >../go.out 2>&1; grep "Sum is 7" ../go.out) && commit_all &&
	fix --limit suite=120s --limit repair=120s >../out && git diff main "$(the_branch)" | grep "^+.*total := 0"
'

check CARGO,SANDBOX 'a Cargo project whose dependency lies in the cache of the home' '
	export CARGO_HOME="$HOME/.cargo" RUSTUP_HOME="${RUSTUP_HOME:-$REAL_HOME/.rustup}" &&
	mkdir -p plus/src && printf "[package]\nname = \"plus\"\nversion = \"1.0.0\"\nedition = \"2021\"\n" >plus/Cargo.toml &&
	printf "pub fn plus(a: i32, b: i32) -> i32 { a + b }\n" >plus/src/lib.rs && git init -q plus &&
	(cd plus && commit_all) && mkdir -p total/src && cd total && git init -q && echo /target >.gitignore &&
	printf "[package]\nname = \"total\"\nversion = \"1.0.0\"\nedition = \"2021\"\n\n" >Cargo.toml &&
	printf "[dependencies]\nplus = { git = \"file://%s\" }\n" "$(echo "$HOME/plus" | sed "s/ /%%20/g")" >>Cargo.toml &&
	cat >src/lib.rs <<-\EOF &&
	pub fn total(list: &[i32]) -> i32 {
	    list.iter().fold(1, |sum, n| plus::plus(sum, *n))
	}

	#[test]
	fn totals() {
	    assert_eq!(total(&[1, 2, 3]), 6);
	}
	EOF
	cargo fetch -q && commit_all && fix --limit suite=120s --limit repair=120s >../out &&
	git diff main "$(the_branch)" | grep "^+.*fold(0"
'

test_done
