/* What meson test and Automake's make check print; and scripts in words like theirs. */
#include "tests/unit/suite_fixture.h"

static void meson_lines_and_what_failed_tests_printed(void **state)
{
	(void)state;
	AUTO_ARENA arena = ARENA_INIT;
	struct test_report report;
	read_stored("meson test -C b", "meson-red.txt", 3, &arena, &report);
	assert_string_equal(report.format, "meson");
	assert_true(report.complete);
	assert_counts(&report, COUNTS(1, 2, 1, 1, 1));
	assert_result(&report, "shop / adds", TEST_PASSED, NULL, NULL, 0);
	assert_result(&report, "shop:unit / doubles", TEST_FAILED, NULL, "test_add.c", 10);
	assert_result(
		&report, "shop / crash", TEST_FAILED, "killed by signal 6 SIGABRT", NULL, 0);
	assert_result(
		&report, "shop / hangs", TEST_ERROR, "killed by signal 15 SIGTERM", NULL, 0);
	assert_result(&report, "shop / fails as said", TEST_XFAILED, NULL, NULL, 0);
}

static void meson_counts_must_agree(void **state)
{
	(void)state;
	AUTO_ARENA arena = ARENA_INIT;
	struct test_report report;
	read_text("meson test", "1/2 a / b  OK   0.01s\n", 0, &arena, &report);
	assert_false(report.complete);
	assert_string_equal(report.problem, "meson test did not come to its end");
	read_text("meson test", "1/1 a / b  OK   0.01s\n1/1 a / c  OK   0.01s\n\nOk:       1   \n", 0,
		&arena, &report);
	assert_false(report.complete);
	assert_string_equal(report.problem, "meson counts 1 tests as 'Ok:', and 2 lines say so");
}

static void meson_counts_a_broken_stream_as_a_failure(void **state)
{
	(void)state;
	AUTO_ARENA arena = ARENA_INIT;
	struct test_report report;
	read_text("meson test",
		"1/3 a       FAIL            0.01s   1/2 subtests passed\n"
		"2/3 b       ERROR           0.01s   exit status 1\n>>> MALLOC_PERTURB_=1 b\nb.c:3: oh\n"
		"3/3 c       INTERRUPT       0.01s   killed by signal 2 SIGINT\n"
		"Summary of Failures:\n\n2/3 b       ERROR           0.01s   exit status 1\n\n"
		"Ok:                 0   \nExpected Fail:      0   \nFail:               3   \n",
		3, &arena, &report);
	assert_null(report.problem);
	assert_counts(&report, COUNTS(0, 1, 2, 0, 0));
	assert_result(&report, "b", TEST_ERROR, "b.c:3: oh", NULL, 0);
}

static void meson_may_be_run_several_times(void **state)
{
	(void)state;
	AUTO_ARENA arena = ARENA_INIT;
	struct test_report report;
	read_text("meson test --suite a; meson test --suite b",
		"1/1 a  FAIL   0.01s   exit status 1\nSummary of Failures:\n"
		"1/1 a  FAIL   0.01s   exit status 1\nOk:         0   \nFail:       1   \n\n"
		"Full log written to x\n1/2 b  OK   0.01s\n2/2 c  OK   0.01s\n\nOk:         2   \n"
		"Fail:       0   \n",
		1, &arena, &report);
	assert_null(report.problem);
	assert_counts(&report, COUNTS(2, 1, 0, 0, 0));
	assert_result(&report, "a", TEST_FAILED, "exit status 1", NULL, 0);
}

static void automake_lines_and_the_log(void **state)
{
	(void)state;
	AUTO_ARENA arena = ARENA_INIT;
	struct test_report report;
	read_stored("make check", "automake-red.txt", 2, &arena, &report);
	assert_string_equal(report.format, "automake");
	assert_true(report.complete);
	assert_counts(&report, COUNTS(1, 1, 0, 1, 1));
	assert_result(&report, "tests > t_add", TEST_PASSED, NULL, NULL, 0);
	assert_result(&report, "tests > t_double", TEST_FAILED,
		"t_double: t_double.c:4: main: Assertion `add(2, 2) == 5' failed.", "tests/t_double.c", 4);
	assert_result(&report, "tests > t_skip", TEST_SKIPPED, NULL, NULL, 0);
	assert_result(&report, "tests > t_sh.sh", TEST_XFAILED, NULL, NULL, 0);
}

static void a_log_may_hold_any_format(void **state)
{
	(void)state;
	AUTO_ARENA arena = ARENA_INIT;
	struct test_report report;
	read_text("make check",
		"FAIL: a\n.. contents:: :depth: 2\n\nFAIL: a\n=======\n\n1..1\nnot ok 1 - x\n"
		"PASS: inner\nFAIL a (exit status: 1)\nTestsuite summary for shop 1\n# TOTAL: 1\n",
		2, &arena, &report);
	assert_string_equal(report.format, "automake");
	assert_true(report.complete);
	assert_counts(&report, COUNTS(0, 1, 0, 0, 0));
	read_text(
		"make check", "PASS: a\nTestsuite summary for x 1\n# TOTAL: 2\n", 0, &arena, &report);
	assert_false(report.complete);
}

static void a_script_that_prints_words(void **state)
{
	(void)state;
	AUTO_ARENA arena = ARENA_INIT;
	struct test_report report;
	read_text("./test.sh", "[PASS] adds\nsum.sh:3: got 4\n[FAIL] doubles\nPASS: 1\n", 1, &arena,
		&report);
	assert_counts(&report, COUNTS(1, 1, 0, 0, 0));
	assert_result(&report, "adds", TEST_PASSED, NULL, NULL, 0);
	assert_result(&report, "doubles", TEST_FAILED, "sum.sh:3: got 4", "sum.sh", 3);
	/* It failed, and no line says so. */
	read_text("./test.sh", "PASS: adds\nsum.sh:3: error: x\n", 1, &arena, &report);
	assert_counts(&report, COUNTS(1, 0, 1, 0, 0));
	assert_result(&report, "./test.sh", TEST_ERROR, "sum.sh:3: error: x", "sum.sh", 3);
	/* Its exit code says that all is well. */
	read_text("./test.sh", "PASS: adds\nFAIL: expected\n", 0, &arena, &report);
	assert_counts(&report, COUNTS(1, 0, 0, 0, 0));
	assert_result(&report, "./test.sh", TEST_PASSED, NULL, NULL, 0);
}

#define UNITTEST \
	"F.\n" \
	"======================================================================\n" \
	"FAIL: test_add (tests.test_calc.Calc.test_add)\n" \
	"----------------------------------------------------------------------\n" \
	"Traceback (most recent call last):\n" \
	"  File \"/tmp/tree/tests/test_calc.py\", line 7, in test_add\n" \
	"AssertionError: -1 != 5\n" \
	"\n" \
	"----------------------------------------------------------------------\n" \
	"Ran 2 tests in 0.001s\n\nFAILED (failures=1)\n"

static void what_a_runner_heads_its_failures_with_is_no_script(void **state)
{
	(void)state;
	AUTO_ARENA arena = ARENA_INIT;
	struct test_report report;
	read_text("make test", UNITTEST "make: *** [Makefile:2: test] Error 1\n", 2, &arena, &report);
	assert_string_equal(report.format, "unittest");
	assert_true(report.complete);
	assert_counts(&report, COUNTS(1, 1, 0, 0, 0));
	assert_result(&report, "tests.test_calc.Calc.test_add", TEST_FAILED, "AssertionError: -1 != 5",
		"tests/test_calc.py", 7);
	read_text("make test", "PASS: adds\n" UNITTEST "FAIL: units\n", 2, &arena, &report);
	assert_string_equal(report.format, "automake");
	read_text("make test",
		"=== test session starts ===\ntest_a.py::test_a PASSED\n"
		"ERROR: Coverage failure: total of 50 is less than fail-under=80\n=== 1 passed ===\n",
		2, &arena, &report);
	assert_string_equal(report.format, "pytest");
	read_text("make test",
		"=== test session starts ===\ntest_a.py::test_a FAILED\nFAIL: what it printed\n", 2, &arena,
		&report);
	assert_string_equal(report.format, "pytest");
	read_text("make check",
		"PASS: units\n=== test session starts ===\nTestsuite summary for x 1\n# TOTAL: 1\n", 0,
		&arena, &report);
	assert_string_equal(report.format, "automake");
}

UNIT(format_builds)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(meson_lines_and_what_failed_tests_printed),
		cmocka_unit_test(meson_counts_must_agree),
		cmocka_unit_test(meson_counts_a_broken_stream_as_a_failure),
		cmocka_unit_test(meson_may_be_run_several_times),
		cmocka_unit_test(automake_lines_and_the_log),
		cmocka_unit_test(a_log_may_hold_any_format),
		cmocka_unit_test(a_script_that_prints_words),
		cmocka_unit_test(what_a_runner_heads_its_failures_with_is_no_script),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
