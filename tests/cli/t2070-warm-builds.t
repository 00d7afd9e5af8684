#!/bin/sh
test_description='runs begin with what the base has built, and never with what a candidate built'
. "$(dirname "$0")/lib.sh"

# compiled DIR: a suite in C that builds beside its sources; one of two tests is red. It fails where
# a run of the fixed code has left something behind.
compiled() {
	mkdir "$1" && (
		cd "$1" && git init -q && printf '*.o\n/program\n/seen\n' >.gitignore &&
		printf 'int area(int width, int height)\n{\n\treturn width + height;\n}\n' >area.c &&
		printf 'int twice(int n)\n{\n\treturn n * 2;\n}\n' >twice.c &&
		cat >test.c <<-\EOF &&
		#include <stdio.h>
		int area(int width, int height);
		int twice(int n);
		int main(void)
		{
			puts("1..2");
			puts(area(3, 5) == 15 ? "ok 1 - area" : "not ok 1 - area");
			puts(twice(4) == 8 ? "ok 2 - twice" : "not ok 2 - twice");
			return area(3, 5) != 15 || twice(4) != 8;
		}
		EOF
		cat >Makefile <<-\EOF &&
		.RECIPEPREFIX = >
		check: program
		> @if [ -e seen ] || [ -e "$$XDG_CACHE_HOME/seen" ]; then echo "Bail out!"; exit 1; fi
		> @./program || exit 1; touch seen "$$XDG_CACHE_HOME/seen"
		program: area.o twice.o test.o
		> gcc -o $@ area.o twice.o test.o
		%.o: %.c
		> gcc -O0 -c -o $@ $<
		EOF
		commit_all
	)
}

# compiled_in LOG...: which files a run compiled, by the last run's logs.
compiled_in() {
	for log; do
		sed -n 's/^gcc -O0 -c -o \(.*\)\.o .*/\1/p' \
			../state/rondo/runs/*/attempts/1/logs/"$log".log | sort | tr '\n' ' '
		echo "in $log"
	done
}

check LONG,SANDBOX 'each run compiles what changed; the last one all, at another path' '
	compiled shop && cd shop && fingerprint >../before && fix >../out && fingerprint >../after &&
	test_cmp ../before ../after && git show "$(the_branch):area.c" | grep "width \* height" &&
	compiled_in baseline-1 baseline-2 gate gate-2 >../found &&
	cat >../expected <<-\EOF && test_cmp ../expected ../found
	area test twice in baseline-1
	area test twice in baseline-2
	area in gate
	area test twice in gate-2
	EOF
'

check SANDBOX 'what the user has built is found, and stays as it is' '
	rm -rf state && mkdir crate && cd crate && git init -q && mkdir -p bin target/debug &&
	printf "/target\n" >.gitignore && printf "[package]\nname = \"crate\"\n" >Cargo.toml &&
	cat >bin/cargo <<-\EOF && chmod +x bin/cargo && commit_all && echo built >target/debug/mark &&
	#!/bin/sh
	cat target/debug/mark
	echo more >>target/debug/mark
	printf "running 1 test\ntest a ... FAILED\n\ntest result: FAILED. 0 passed; 1 failed;\n"
	exit 101
	EOF
	if [ "$(id -u)" = 0 ]; then
		chown -R nobody . && git config --global --add safe.directory "*"
	fi &&
	test_expect_code 1 fix --test "bin/cargo test" --limit candidates=1 >../out &&
	echo built | test_cmp - target/debug/mark &&
	grep "^built$" ../state/rondo/runs/*/attempts/1/logs/baseline-1.log
'

check SANDBOX 'a build cache can be written to, and stays as it is' '
	rm -rf state && mkdir module && cd module && git init -q && mkdir -p bin &&
	printf "module module\n" >go.mod &&
	cat >bin/go <<-\EOF && chmod +x bin/go && commit_all && mkdir -p ../gocache/00 &&
	#!/bin/sh
	cache=${GOCACHE:-$XDG_CACHE_HOME/go-build}
	mkdir -p "$cache/00" && echo more >"$cache/00/more" || exit 2
	echo "{\"Action\":\"fail\",\"Package\":\"module\",\"Test\":\"TestA\"}"
	echo "{\"Action\":\"fail\",\"Package\":\"module\"}"
	exit 1
	EOF
	export GOCACHE="${PWD%/*}/gocache" && chmod 755 "$GOCACHE" &&
	test_expect_code 1 fix --test "bin/go test ./..." --limit candidates=1 >../out &&
	test -z "$(ls "$GOCACHE/00")" && grep "TestA" ../out
'

check SANDBOX 'bytecode of the user, and of the first run, is found' '
	rm -rf state && mkdir python && cd python && git init -q && echo __pycache__ >.gitignore &&
	printf "def area(width, height):\n    return width + height\n" >area.py &&
	cp area.py other.py && cat >test_area.py <<-\EOF && commit_all &&
	import glob
	import sys
	import unittest
	print("found", *sorted(path.split(".")[0] for path in glob.glob("__pycache__/*.pyc")),
	      file=sys.stderr)
	import area
	import other
	class AreaTest(unittest.TestCase):
	    def test_area(self):
	        self.assertEqual(area.area(3, 5), 15)
	EOF
	env -u PYTHONDONTWRITEBYTECODE python3 -c "import area" && fingerprint >../before &&
	fix >../out && fingerprint >../after && test_cmp ../before ../after &&
	test 1 = "$(ls __pycache__ | wc -l)" &&
	for log in baseline-1 baseline-2 gate gate-2; do
		grep -h "^found" ../state/rondo/runs/*/attempts/1/logs/$log.log || return 1
	done >../found &&
	cat >../expected <<-\EOF && test_cmp ../expected ../found
	found __pycache__/area __pycache__/test_area
	found __pycache__/test_area
	found __pycache__/area __pycache__/other __pycache__/test_area
	found
	EOF
'

test_done
