#!/bin/sh
# Candidates of compiled languages, built together and chosen at run time: real compilers and build
# tools, by rondo fix. A file that the command names is protected, so commands name them all by a
# pattern.
. "$(dirname "$0")/../cli/lib.sh"

for program in cmake ctest g++ clang; do
	command -v $program >/dev/null && test_set_prereq "$(echo $program | tr -d + | tr a-z A-Z)"
done

# median: a red program in C. Its right edit is some way down the list, so that groups are built
# before it comes.
median() {
	rm -rf "$1" state && mkdir -p "$1" && cd "$1" && git init -q &&
		cat >median.c <<-\EOF && cat >median.h <<-\EOF2 && cat >test_median.c <<-\EOF3
		#include "median.h"

		/* Sorts a copy of the numbers, so that those of the caller stay. */
		int median(const int *numbers, int n)
		{
			int sorted[64], i, k;
			if (n > 64)
				return -1;
			for (i = 0; i < n; i++) {
				for (k = i; k > 0 && sorted[k - 1] > numbers[i]; k--)
					sorted[k] = sorted[k - 1];
				sorted[k] = numbers[i];
			}
			if (n % 2)
				return sorted[n / 2];
			return (sorted[n / 2 - 1] + sorted[n / 2 - 1]) / 2;
		}

		int spread(const int *numbers, int n)
		{
			int least = numbers[0], most = numbers[0], i;
			for (i = 1; i < n; i++) {
				if (numbers[i] < least)
					least = numbers[i];
				if (numbers[i] > most)
					most = numbers[i];
			}
			return most - least;
		}
		EOF
		int median(const int *numbers, int n);
		int spread(const int *numbers, int n);
		EOF2
		#include <stdio.h>
		#include "median.h"

		static int number, failed;

		static void is(int found, int wanted)
		{
			printf("%s %d\n", found == wanted ? "ok" : "not ok", ++number);
			failed |= found != wanted;
		}

		int main(void)
		{
			int odd[] = {7, 1, 4}, even[] = {9, 2, 4, 1}, pair[] = {6, 2};
			is(median(odd, 3), 4);
			is(median(even, 4), 3);
			is(median(pair, 2), 4);
			is(spread(even, 4), 8);
			printf("1..4\n");
			return failed;
		}
		EOF3
}

# built_together: rondo's log says that groups were built, and that nothing went wrong with them.
built_together() {
	grep -q "candidates in one build: it does as the base" "$1" &&
	! grep "came to nothing\|are built one by one" "$1"
}

# fixes DIR NAME [OPTION...]: rondo fixes what is in DIR, by groups.
fixes() {
	rm -f log && fix --log-file "$PWD/log" --limit repair=120s "$@" >out && built_together log &&
	cat out &&
		git show "$(the_branch)" -- median.c >shown && grep "^+.*sorted\[n / 2\]" shown
}

check SANDBOX 'make, where a second run builds nothing' '
	median make &&
	printf "%b\n" \
		"check: test" "\t@./test" "test: median.c test_median.c median.h" \
		"\t\$(CC) -std=c90 -pedantic -Wall -Werror -o \$@ median.c test_median.c" >Makefile &&
	echo test >.gitignore && commit_all && fixes
'

check SANDBOX 'a command that compiles each time' '
	median line && echo "/test" >.gitignore && commit_all &&
	fixes --test "cc -O2 -o test *.c && ./test"
'

check SANDBOX 'each object by itself, by another name of the compiler' '
	median objects && printf "*.o\n/test\n" >.gitignore && commit_all &&
		fixes --test "for file in *.c; do gcc -g -c \$file || exit; done; gcc *.o -o test && ./test"
'

check SANDBOX,CLANG 'clang' '
	median clang && echo "/test" >.gitignore && commit_all &&
	fixes --test "clang -Weverything -Werror=format -o test *.c && ./test"
'

check SANDBOX,CMAKE,CTEST 'cmake and ctest, which configure and build outside the tree' '
	median ctest && cat >CMakeLists.txt <<-\EOF && commit_all && fixes
	cmake_minimum_required(VERSION 3.18)
	project(median C)
	enable_testing()
	add_executable(test_median test_median.c median.c)
	add_test(NAME median COMMAND test_median)
	EOF
'

check SANDBOX,CMAKE,CTEST \
	'a build within the tree goes on to work without the names that stood in for compilers' '
	median inside && echo build >.gitignore && cat >CMakeLists.txt <<-\EOF && commit_all &&
	cmake_minimum_required(VERSION 3.18)
	project(median C)
	enable_testing()
	add_executable(test_median test_median.c median.c)
	add_test(NAME median COMMAND test_median)
	EOF
	fixes --test "cmake -S . -B build >/dev/null && cmake --build build && ctest --test-dir build"
'

check SANDBOX,CMAKE,CTEST 'what the user has built with tests is not built again' '
	rm -rf state && median warm && cp ../ctest/CMakeLists.txt . && echo build >.gitignore &&
	commit_all && cmake -B build && cmake --build build && fixes &&
	! grep "Building C" ../state/rondo/runs/*/attempts/1/logs/baseline-1.log
'

check SANDBOX,G 'classes in a header of C++' '
	median cpp && mv test_median.c test_median.cpp && echo "/test" >.gitignore &&
	{ printf "#pragma once\nclass numbers {\npublic:\n"; sed "/^#include/d; s/^int/static int/" \
		median.c; echo "};"; } >median.h && rm median.c &&
	sed -i "s/median(/numbers::median(/; s/spread(/numbers::spread(/" test_median.cpp &&
	commit_all && rm -f log &&
	fix --log-file "$PWD/log" --limit repair=120s --test "g++ -O1 -o test *.cpp && ./test" >out &&
	built_together log &&
	git show "$(the_branch)" -- median.h | grep "^+.*sorted\[n / 2\]"
'

# What candidates do here by their own: they never end, they end the program, they crash, they write
# where they should not.
wild() {
	median "$1" &&
	sed -i "s|^\tint sorted\[64\], i, k;|&\n\tif (n == 17 \|\| n == 18)\n\t\t_exit(0);\n\tif (n == 19)\n\t\twrite_away();|" median.c &&
		sed -i "1i #include <fcntl.h>\n#include <stdlib.h>\n#include <unistd.h>" median.c &&
		sed -i "s|^/\* Sorts|static void write_away(void)\n{\n\tclose(open(\"median.h\", O_WRONLY \| O_TRUNC));\n\tunlink(\"test\");\n\tabort();\n}\n\n&|" median.c
}

check SANDBOX 'candidates that end the program, crash, write and never end' '
	wild wild && echo /test >.gitignore && commit_all && rm -f log &&
	fix --log-file "$PWD/log" --limit repair=120s --test "cc -o test *.c && ./test" >out &&
	grep "in one build: it does as the base" log && grep "timed out" log &&
	git show "$(the_branch)" -- median.c | grep "^+.*sorted\[n / 2\]"
'

test_done
