#!/bin/sh
test_description='the library as it is installed: header, linking, symbols, examples'
. "$(dirname "$0")/lib.sh"

# Not below the test's home: its path has a space.
prefix=$SHARNESS_TEST_DIRECTORY/prefix-of-t3700
rm -rf "$prefix"
export PKG_CONFIG_PATH="$prefix/lib/pkgconfig" LD_LIBRARY_PATH="$prefix/lib"
c=gcc cxx=g++
case $(basename "$RONDO_BUILD") in
fuzz) sanitizer=-fsanitize=address,undefined c=clang cxx=clang++ ;;
asan) sanitizer=-fsanitize=address,undefined ;;
tsan) sanitizer=-fsanitize=thread ;;
coverage) sanitizer=--coverage ;;
esac
command -v cmake >/dev/null && test_set_prereq CMAKE
strict="-Wall -Wextra -pedantic -Werror $sanitizer"

check 'install below a prefix' '
	cd "$SOURCE" &&
	env -u MAKEFLAGS make -s install PREFIX="$prefix" MODE="$(basename "$RONDO_BUILD")" \
		CC="$c" >"$HOME/log" 2>&1 &&
	test "$(pkg-config --modversion rondo)" = "$(cat VERSION)" &&
	test -s "$prefix/share/man/man3/rondo.3"
'

# A static link takes long.
libraries=shared${TEST_LONG:+ static}

# compile SOURCE OUT: compiles it as C99 and as C++ and links it with each of $libraries:
# OUT.c.shared, OUT.cc.shared ...
# shellcheck disable=SC2046 # words are meant
compile() {
	others=$(pkg-config --print-requires-private rondo)
	for library in $libraries; do
		libs=$(pkg-config --libs rondo)
		[ $library = shared ] ||
			libs="$prefix/lib/librondo.a $(pkg-config --libs $others) -lm -pthread"
		"$c" -std=c99 $strict $(pkg-config --cflags rondo) -o "$2.c.$library" "$1" $libs || return 1
		"$cxx" -std=c++11 $strict $(pkg-config --cflags rondo) -o "$2.cc.$library" -x c++ "$1" \
			-x none $libs || return 1
	done
}

check 'each example in the header compiles as C99 and C++, links, and runs' '
	n=$("$SOURCE/tests/api/extract" "$prefix/include/rondo.h" .) && test "$n" = 3 &&
	for i in $(seq $n); do
		compile $i.c example-$i &&
		for program in example-$i.*; do ./$program >$program.out || exit 1; done || exit 1
	done &&
	for library in $libraries; do
		for kind in c.$library cc.$library; do
			echo "Text '\''DONE'\'' mentioned after 3 messages" | test_cmp - example-1.$kind.out &&
			echo "Is there anybody?" | test_cmp - example-2.$kind.out || exit 1
		done
	done
'

check 'the example that fixes a repository does so' '
	tiny red && (cd red && sed -i "s/test: make check/&, executor: $EXECUTOR/" ../3.c) &&
	compile 3.c fixes &&
	./fixes.c.shared red >out 2>err && test_must_be_empty err && tail -1 out | grep "^rondo/" &&
	git -C red show "$(tail -1 out):shapes.py" | grep "width \* height"
'

check 'both libraries export what the header declares, and nothing else' '
	sed -n "s/^[a-z].*[ *]\(rondo_[a-z_]*\)(.*/\1/p" "$prefix/include/rondo.h" |
		LC_ALL=C sort >declared && test $(wc -l <declared) -ge 20 &&
	nm -D --defined-only "$prefix/lib/librondo.so.0" | grep -v " A RONDO_0$" |
		sed "s/^[0-9a-f]* [A-Z] //; s/@@RONDO_0$//" | LC_ALL=C sort >shared &&
	nm -g --defined-only "$prefix/lib/librondo.a" | sed -n "s/^[0-9a-f]* [A-Z] //p" |
		grep -v "^__[a-z]*san\|^DW.ref\|^__odr" |
		LC_ALL=C sort >static &&
	test_cmp declared shared && test_cmp declared static
'

check 'types and constants of the header have its prefix' '
	gcc -fpreprocessed -dD -E -P "$prefix/include/rondo.h" | grep -v "^#" |
		tr "{};,()" "\n" >words &&
	! sed -n "s/.*\b\(struct\|enum\) \([a-z_]*\).*/\2/p" words | grep -v "^rondo_" &&
	grep -q RONDO_EVENT_MESSAGE words && ! grep -o "\b[A-Z][A-Z_]*\b" words | grep -v "^RONDO_\|^C$"
'

check 'the shared library names itself and what it needs' '
	readelf -d "$prefix/lib/librondo.so" >dynamic && grep "SONAME.*\[librondo\.so\.0\]" dynamic &&
	grep "NEEDED.*libgit2" dynamic
'

check CMAKE 'CMake finds it, and what it builds runs' '
	mkdir cmake && cp "$SOURCE/doc/examples/round_robin.c" cmake && cd cmake &&
	cat >CMakeLists.txt <<-EOF &&
	cmake_minimum_required(VERSION 3.13)
	project(consumer C)
	find_package(rondo $(cut -d. -f1,2 "$SOURCE/VERSION") REQUIRED)
	add_executable(round_robin round_robin.c)
	target_compile_options(round_robin PRIVATE $sanitizer)
	target_link_libraries(round_robin rondo::rondo $sanitizer)
	EOF
	cmake -S . -B build -DCMAKE_PREFIX_PATH="$prefix" >said 2>&1 &&
	cmake --build build >>said 2>&1 && build/round_robin recorded "$EXECUTOR" | tail -1 |
		grep "^stopped: Text .DONE. mentioned" &&
	sed -i "s/(rondo [0-9.]*/(rondo 9.9/" CMakeLists.txt &&
	! cmake -S . -B again -DCMAKE_PREFIX_PATH="$prefix" 2>err && grep "9\.9" err
'

check 'the man page names every function' '
	"$SOURCE/tests/api/extract" "$prefix/include/rondo.h" . >/dev/null &&
	sed -n "s/^[a-z].*[ *]\(rondo_[a-z_]*\)(.*/\1/p" "$prefix/include/rondo.h" |
		while read -r name; do
			grep -q "$name" "$SOURCE/doc/rondo.3.scd" || { echo "$name is missing"; exit 1; }
		done
'

check 'the examples of doc/ compile as C99 and C++, link, and are short' '
	for example in round_robin bug_fixer; do
		compile "$SOURCE/doc/examples/$example.c" $example &&
		test $(wc -l <"$SOURCE/doc/examples/$example.c") -lt 64 || exit 1
	done
'

check 'the example of a coder and an executor prints their chat' '
	./round_robin.c.shared recorded "$EXECUTOR" >out 2>err && test_must_be_empty err &&
	grep -x "Code output: 0 1 1 2 3 5 8 13 21 34 " out && test "$(grep -c "^-----" out)" = 4 &&
	test "$(tail -1 out)" = "stopped: Text '\''DONE'\'' mentioned" &&
	./round_robin.cc.${libraries##* } recorded "$EXECUTOR" >again && test_cmp out again
'

check 'rondo show shows runs of programs, too' '
	"$RONDO" show >shown && grep "first ten Fibonacci numbers. DONE" shown
'

check 'the example of a bug fixer prints its chat, cost and summary' '
	./bug_fixer.c.${libraries##* } recorded "$EXECUTOR" >out 2>err && test_must_be_empty err &&
	grep "AssertionError: 1" out && grep "exitcode: 0 (execution succeeded)" out &&
	grep "^cost: 0.0000 USD" out &&
	grep "^summary: And so is the current one" out &&
	test "$(tail -1 out)" = "done: Text '\''TERMINATE'\'' mentioned"
'

check 'errors go to the caller alone' '
	test_expect_code 1 ./round_robin.c.shared recorded moon >out 2>err && test_must_be_empty out &&
	echo "executor.type: unknown executor type '\''moon'\''; it must be one of sandbox, docker, \
jupyter, daytona, local" >expected && test_cmp expected err
'

check 'uninstall leaves nothing' '
	cd "$SOURCE" &&
	env -u MAKEFLAGS make -s uninstall PREFIX="$prefix" MODE="$(basename "$RONDO_BUILD")" &&
	test -z "$(find "$prefix" ! -type d)" && rm -rf "$prefix"
'

test_done
