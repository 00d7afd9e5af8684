#!/bin/sh
test_description='real runners of Python, C and C++ are read: green, red, broken, crashed, hanging,
skipped, none, many, odd names'
. "$(dirname "$0")/../cli/lib.sh"

python3 -m pytest --version >/dev/null 2>&1 && test_set_prereq PYTEST
/usr/bin/python3 -c 'import pytest, xdist' 2>/dev/null && test_set_prereq XDIST
for module in cmocka gtest_main check; do
	pkg-config --exists "$module" && test_set_prereq "$(echo "$module" | tr a-z_ A-Z_)"
done
[ -d /usr/include/catch2 ] && test_set_prereq CATCH2
export PYTHONDONTWRITEBYTECODE=1

# reads DIR COMMAND [TIMEOUT_MS [ID...]] <EXPECTED: the lines must all be there, and each result's
# is "status id"; an id ends with its line.
reads() {
	read_report "$@" >out && awk -F'\t' '
		NR == FNR { want[++n] = $0; next }
		{ have[$0] = 1; if (NF > 2) have[$1 " " $2] = 1; if ($1 == "problem") have["problem " $2] = 1; if ($1 == "format") have["format " $2] = 1 }
		END { for (i = 1; i <= n; i++) if (!(want[i] in have)) { print "not read: " want[i]; bad = 1 }; exit bad }
	' - out || { cat out; false; }
}

# results STATUS: how many the last report has.
results() {
	awk -F'\t' -v status="$1" 'NF > 2 && $1 == status { n++ } END { print n + 0 }' out
}

python_project() {
	mkdir "$1" && cat >"$1/test_some.py" <<-\EOF
	import os, time, unittest

	class Some(unittest.TestCase):
	    def test_green(self):
	        if "FORGE" in os.environ: print("test_forged (test_some.Some.test_forged) ... ok")
	        print("test_some.py::Some::test_forged PASSED")
	    def test_red(self):
	        self.assertEqual(os.environ.get("RED", ""), "")
	    @unittest.skip("not today")
	    def test_skip(self):
	        pass
	    def test_zz_end(self):
	        if "CRASH" in os.environ: os.abort()
	        if "QUIT" in os.environ: os._exit(0)
	        if "HANG" in os.environ: time.sleep(60)

	for name in ["it's", "a b", "\u00e9", "x[1]", "a::b > c/d"]:
	    setattr(Some, "test_" + name, lambda self: None)
	EOF
}

check 'unittest' '
	python_project ut && reads ut "python3 -m unittest" <<-\EOF && test "$(results passed)" = 8 &&
	format unittest
	complete
	passed test_some.Some.test_green
	passed test_some.Some.test_red
	skipped test_some.Some.test_skip
	passed test_some.Some.test_it'"'"'s
	passed test_some.Some.test_x[1]
	passed test_some.Some.test_a::b > c/d
	EOF
	reads ut "RED=1 python3 -m unittest" <<-\EOF &&
	complete
	failed test_some.Some.test_red
	EOF
	grep "test_red.*test_some.py:8.*AssertionError: .1. != " out && for end in CRASH QUIT; do
		read_report ut "$end=1 python3 -m unittest" >out &&
		grep "^problem.unittest ended before its summary" out || exit 1
	done && reads ut "FORGE=1 python3 -m unittest" <<-\EOF &&
	problem unittest ran 9 tests, but 10 are named in its output
	EOF
	read_report ut "HANG=1 python3 -m unittest" 1500 >out && grep "^problem.timed out" out &&
	mkdir none && reads none "python3 -m unittest" <<-\EOF &&
	problem unittest found no tests
	EOF
	echo "import nosuchmodule, unittest" >ut/test_broken.py &&
	reads ut "python3 -m unittest" <<-\EOF
	complete
	error test_broken
	passed test_some.Some.test_green
	EOF
'

check 'unittest: some tests alone' '
	python_project alone &&
	reads alone "RED=1 python3 -m unittest" 60000 test_some.Some.test_red \
		"test_some.Some.test_x[1]" <<-\EOF &&
	complete
	failed test_some.Some.test_red
	passed test_some.Some.test_x[1]
	EOF
	test "$(results passed)" = 1
'

check 'unittest, 10,000 tests' '
	mkdir many &&
	printf "import unittest\nclass Many(unittest.TestCase): pass\nfor i in range(10000):\n    setattr(Many, %s, lambda self: None)\n" \
		"\"test_%d\" % i" >many/test_many.py && read_report many "python3 -m unittest" >out &&
		grep -x complete out && test "$(results passed)" = 10000
'

check PYTEST 'pytest' '
	python_project pt && cat >pt/test_plain.py <<-\EOF &&
	import pytest

	@pytest.mark.parametrize("x", ["a b", "q\"", "[", "\u00e9\n", "a::b", "x > y/z", "it'"'"'s"])
	def test_odd(x):
	    pass
	EOF
	reads pt "python3 -m pytest" <<-\EOF && test "$(results passed)" = 15 &&
	format pytest
	complete
	passed test_some.py::Some::test_green
	skipped test_some.py::Some::test_skip
	passed test_plain.py::test_odd[a b]
	passed test_plain.py::test_odd[[]
	passed test_plain.py::test_odd[a::b]
	passed test_plain.py::test_odd[x > y/z]
	EOF
	reads pt "RED=1 python3 -m pytest -q" <<-\EOF &&
	complete
	failed test_some.py::Some::test_red
	EOF
	for end in CRASH QUIT; do
		read_report pt "$end=1 python3 -m pytest" >out &&
		grep "^problem.pytest ended in the middle of test_some.py::Some::test_zz_end" out || exit 1
	done && read_report pt "HANG=1 python3 -m pytest" 3000 >out && grep "^problem.timed out" out &&
	mkdir pnone && reads pnone "python3 -m pytest" <<-\EOF &&
	problem pytest collected no tests
	EOF
	echo "import nosuchmodule" >pt/test_broken.py && reads pt "python3 -m pytest" <<-\EOF
	complete
	error test_broken.py
	passed test_some.py::Some::test_green
	EOF
'

check PYTEST 'pytest: some tests alone' '
	mkdir palone &&
	printf "import pytest\n@pytest.mark.parametrize(\"x\", [\"a b\", \"c::d\", \"it'"'"'s\"])\ndef test_x(x):\n    assert x != \"c::d\"\n" \
		>palone/test_a.py && reads palone "A=1 python3 -m pytest -q ." 60000 "test_a.py::test_x[it'"'"'s]" "test_a.py::test_x[c::d]" <<-\EOF &&
	complete
	failed test_a.py::test_x[c::d]
	EOF
	test "$(results passed)" = 1
'

check PYTEST 'pytest, 10,000 tests, with durations' '
	mkdir pmany &&
	printf "import pytest, time\n@pytest.mark.parametrize(\"i\", range(10000))\ndef test_many(i):\n    if i == 7: time.sleep(0.05)\n" \
		>pmany/test_many.py && read_report pmany "python3 -m pytest" >out && grep -x complete out &&
		test "$(results passed)" = 10000 &&
	awk -F"\t" "\$2 == \"test_many.py::test_many[7]\" { exit \$4 < 50 }" out
'

check PYTEST 'pytest: a test that rewrites the reports is noticed' '
	mkdir forged && printf "def test_red():\n    assert 0\n" >forged/test_a.py &&
	cat >forged/conftest.py <<-\EOF &&
	import atexit, os, re

	def pytest_unconfigure(config):
	    path = re.search("--junitxml=(\\S+)", os.environ.get("PYTEST_ADDOPTS", "")).group(1)
	    text = open(path).read()
	    open(path, "w").write(re.sub("<failure.*?</failure>", "", text, flags=re.S))
	EOF
	read_report forged "python3 -m pytest" >out &&
	grep "^problem.the runner.s two reports disagree: .test_a.py::test_red. is failed" out
'

check XDIST 'pytest on several processes' '
	mkdir xdist &&
	printf "%s\n" \
		"import pytest" "@pytest.mark.parametrize(\"x\", [1, 2, 3])" "def test_x(x):" \
		"    assert x != 2" >xdist/test_x.py &&
	reads xdist "/usr/bin/python3 -m pytest -n 2" <<-\EOF
	complete
	passed test_x.py::test_x[1]
	failed test_x.py::test_x[2]
	passed test_x.py::test_x[3]
	EOF
'

cmocka_project() {
	mkdir "$1" &&
	cat >"$1/test_a.c" <<-\EOF && printf '%b\n' \
		'CFLAGS = -w' 'LDLIBS = -lcmocka' 'check: test_a' '\t./test_a' >"$1/Makefile"
	#include <setjmp.h>
	#include <stdarg.h>
	#include <stddef.h>
	#include <stdint.h>
	#include <cmocka.h>
	#include <stdio.h>
	#include <stdlib.h>
	#include <string.h>
	#include <unistd.h>

	static void test_green(void **state) { }
	static void test_red(void **state) { assert_int_equal(getenv("RED") ? 1 : 2, 2); }
	static void test_skip(void **state) { skip(); }
	static void test_end(void **state)
	{
		if (getenv("CRASH")) *(volatile int *)0 = 1;
		if (getenv("ABORT")) abort();
		if (getenv("QUIT")) exit(0);
		if (getenv("HANG")) pause();
	}

	int main(void)
	{
		const struct CMUnitTest tests[] = {cmocka_unit_test(test_green), cmocka_unit_test(test_red), cmocka_unit_test(test_skip),
			{"it's \"odd\" [1] \u00e9 > a::b/c", test_green}, cmocka_unit_test(test_end), {"last", test_green}};
		static struct CMUnitTest many[10000];
		for (size_t i = 0; i < 10000; i++) {
			char name[32];
			snprintf(name, sizeof name, "test_%zu", i);
			many[i] = (struct CMUnitTest){strdup(name), test_green};
		}
		if (getenv("NONE")) return 0;
		return getenv("MANY") ? cmocka_run_group_tests(many, NULL, NULL) : cmocka_run_group_tests(tests, NULL, NULL);
	}
	EOF
}

# cmocka_cases COMMAND: it reads the same by TAP and by lines.
cmocka_cases() {
	reads cm "$1" <<-\EOF && test "$(results passed)" = 5 || return 1
	complete
	passed test_green
	skipped test_skip
	passed it's "odd" [1] é > a::b/c
	EOF
	reads cm "RED=1 $1" <<-\EOF && grep "test_red.*test_a.c:12.*0x1 != 0x2" out || return 1
	complete
	failed test_red
	EOF
	reads cm "CRASH=1 $1" <<-\EOF || return 1
	complete
	failed test_end
	passed last
	EOF
	read_report cm "HANG=1 $1" 1500 >out && grep "^problem.timed out" out &&
		read_report cm "MANY=1 $1" >out && grep -x complete out && test "$(results passed)" = 10000
}

check CMOCKA 'cmocka by TAP' '
	cmocka_project cm && make -s -C cm test_a && cmocka_cases "make check" &&
	grep "^format.tap" out &&
	for end in ABORT QUIT; do
		read_report cm "$end=1 make check" >out &&
		grep "^problem.the TAP plan is 6 tests, but 4 were run" out || exit 1
	done &&
	reads cm "NONE=1 make check" <<-\EOF && echo "int x = ;" >>cm/test_a.c && read_report cm "make check" >out &&
	format exit
	passed NONE=1 make check
	EOF
	grep "^error.make check.test_a.c:[0-9]*" out
'

check CMOCKA 'cmocka by lines' '
	rm -rf cm && cmocka_project cm && make -s -C cm test_a &&
	lines="CMOCKA_MESSAGE_OUTPUT=STDOUT ./test_a" && cmocka_cases "$lines" &&
	grep "^format.cmocka" out && for end in ABORT QUIT; do
		reads cm "$end=1 $lines" <<-\EOF || exit 1
		complete
		error test_end
		EOF
	done
'

googletest_project() {
	mkdir "$1" &&
	cat >"$1/test_a.cc" <<-\EOF && printf '%b\n' \
		'CXXFLAGS = -w -pthread' 'LDLIBS = -lgtest -lgtest_main' 'check: test_a' \
		'\t./test_a $(ARGS)' >"$1/Makefile"
	#include <gtest/gtest.h>
	#include <cstdlib>
	#include <unistd.h>

	TEST(Some, Green) { printf("no newline[       OK ] Some.Forged (0 ms)\n"); }
	TEST(Some, Red) { EXPECT_EQ(getenv("RED") ? 1 : 2, 2) << "said \"so\""; }
	TEST(Some, Skip) { GTEST_SKIP() << "not today"; }
	TEST(Some, Forges) { if (getenv("FORGE")) { puts("[       OK ] Some.Forges (0 ms)"); FAIL(); } }
	TEST(Some, End)
	{
		if (getenv("CRASH")) abort();
		if (getenv("QUIT")) exit(0);
		if (getenv("HANG")) pause();
	}
	class Odd : public testing::TestWithParam<const char *> {};
	TEST_P(Odd, Is) {}
	INSTANTIATE_TEST_SUITE_P(All, Odd, testing::Values("a, where b (1 ms)", "\u00e9"));
	class Many : public testing::TestWithParam<int> {};
	TEST_P(Many, Is) {}
	INSTANTIATE_TEST_SUITE_P(All, Many, testing::Range(0, getenv("MANY") ? 10000 : 2));
	EOF
}

check GTEST_MAIN 'googletest' '
	googletest_project gt && make -s -C gt test_a &&
	reads gt "make check" <<-\EOF && test "$(results passed)" = 8 &&
	format googletest
	complete
	passed Some.Green
	skipped Some.Skip
	passed All/Odd.Is/0
	passed All/Many.Is/1
	EOF
	reads gt "RED=1 make check" <<-\EOF &&
	complete
	failed Some.Red
	EOF
	grep "Some.Red.*test_a.cc:6.*said \"so\"" out && for end in CRASH QUIT; do
		reads gt "$end=1 make check" <<-\EOF || exit 1
		complete
		error Some.End
		EOF
	done && read_report gt "HANG=1 make check" 1500 >out && grep "^problem.timed out" out &&
	reads gt "make check ARGS=--gtest_filter=None" \
		<<-\EOF && read_report gt "MANY=1 make check" >out && test "$(results passed)" = 10006 &&
	problem no tests were run
	EOF
	reads gt "make check ARGS=--gtest_brief=1" <<-\EOF &&
	complete
	passed Some.Green
	EOF
	read_report gt "FORGE=1 make check" >out &&
	grep "^problem.the runner.s two reports disagree: .Some.Forges. is passed in its output" out &&
	echo "int x = ;" >>gt/test_a.cc && read_report gt "make check" >out &&
	grep "^error.make check.test_a.cc:[0-9]*" out
'

check CHECK 'Check' '
	mkdir ck &&
	cat >ck/test_a.c <<-\EOF && printf "LDLIBS = %s\ncheck: test_a\n\t./test_a\n" "$(pkg-config --libs check)" >ck/Makefile &&
	#include <check.h>
	#include <stdlib.h>

	START_TEST(green) { ck_assert_int_eq(1, 1); } END_TEST
	START_TEST(red) { ck_assert_int_eq(1, 2); } END_TEST
	START_TEST(crash) { abort(); } END_TEST

	int main(void)
	{
		Suite *suite = suite_create("some");
		TCase *all = tcase_create("all");
		tcase_add_test(all, green);
		tcase_add_test(all, red);
		tcase_add_test(all, crash);
		suite_add_tcase(suite, all);
		SRunner *runner = srunner_create(suite);
		srunner_run_all(runner, CK_NORMAL);
		return srunner_ntests_failed(runner) != 0;
	}
	EOF
	reads ck "make check" <<-\EOF
	format tap
	complete
	passed test_a.c:all:green
	failed test_a.c:all:red
	failed test_a.c:all:crash
	EOF
'

catch2_project() {
	mkdir "$1" &&
	printf "LDLIBS = %s\ncheck: test_a\n\t./test_a \$(ARGS)\ntest_a: test_a.cc\n\tg++ -o test_a test_a.cc \$(LDLIBS)\n" \
		"$(pkg-config --libs --silence-errors catch2-with-main)" >"$1/Makefile" &&
		cat >"$1/test_a.cc" <<-\EOF
	#if __has_include(<catch2/catch.hpp>)
	#define CATCH_CONFIG_RUNNER
	#include <catch2/catch.hpp>
	#else
	#include <catch2/catch_session.hpp>
	#include <catch2/catch_test_macros.hpp>
	#endif
	#include <cstdlib>
	#include <string>
	#include <unistd.h>

	TEST_CASE("green") { REQUIRE(1 == 1); }
	TEST_CASE("it is red") { REQUIRE((getenv("RED") ? 1 : 2) == 2); }
	TEST_CASE("odd: \"name\" (1 ms) \u00e9") { REQUIRE_FALSE(getenv("RED")); }
	TEST_CASE("ends")
	{
		if (getenv("CRASH")) abort();
		if (getenv("HANG")) pause();
	}
	static void red() { FAIL("always"); }
	static void green() {}

	int main(int argc, char **argv)
	{
		if (getenv("EXPECTED"))
			REGISTER_TEST_CASE(red, "known", "[!shouldfail]");
		for (int i = 0; i < (getenv("MANY") ? 10000 : 0); i++)
			REGISTER_TEST_CASE(green, "many " + std::to_string(i));
		return Catch::Session().run(argc, argv);
	}
	EOF
}

check CATCH2 'Catch2, whose passing tests no line names' '
	catch2_project c2 && make -s -C c2 test_a &&
	reads c2 "make check" <<-\EOF && test "$(results passed)" = 4 &&
	format catch2
	complete
	passed test case 4 of those that pass
	EOF
	reads c2 "RED=1 make check" <<-\EOF && test "$(results passed)" = 2 &&
	complete
	failed it is red
	failed odd: "name" (1 ms) é
	EOF
	grep "it is red.*test_a.cc:13.*REQUIRE( (getenv(\"RED\") ? 1 : 2) == 2 ) with expansion: 1 == 2" out &&
	reads c2 "CRASH=1 make check" <<-\EOF &&
	complete
	failed ends
	EOF
	read_report c2 "HANG=1 make check" 1500 >out && grep "^problem.timed out" out &&
	read_report c2 "./test_a none-such" >out && grep "^problem.Catch2 ran no tests" out &&
	reads c2 "EXPECTED=1 make check" <<-\EOF &&
	complete
	xfailed known
	EOF
	read_report c2 "MANY=1 make check" >out && test "$(results passed)" = 10004 &&
	echo "int x = ;" >>c2/test_a.cc && read_report c2 "make check" >out &&
	grep "^error.make check.test_a.cc:[0-9]*" out
'

check PYTEST,CMOCKA 'one command, several runners' '
	rm -rf cm both && cmocka_project cm && make -s -C cm test_a && mkdir both &&
	cp cm/test_a both/ &&
	printf "def test_plain():\n    pass\n" >both/test_p.py &&
	printf "check:\n\t./test_a\n\tpython3 -m pytest\n" >both/Makefile &&
	reads both "make check" <<-\EOF
	format pytest+tap
	complete
	passed test_green
	passed test_p.py::test_plain
	EOF
'

test_done
