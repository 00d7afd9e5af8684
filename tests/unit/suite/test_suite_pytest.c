/* pytest's output, of version 7.2 and 9, as it was printed. */
#include "tests/unit/suite_fixture.h"

static const char *const versions[] = {"7", "9"};

#define EACH_VERSION(v) for (size_t v = 0; v < ARRAY_SIZE(versions); v++)

static void read_version(size_t version, const char *what, int exit_code, struct arena *arena,
	struct test_report *report)
{
	char name[64];
	snprintf(name, sizeof name, "pytest%s-%s.txt", versions[version], what);
	read_stored("pytest", name, exit_code, arena, report);
}

static void all_green(void **state)
{
	(void)state;
	EACH_VERSION(v)
	{
		AUTO_ARENA arena = ARENA_INIT;
		struct test_report report;
		read_version(v, "green", 0, &arena, &report);
		assert_true(report.complete);
		assert_null(report.problem);
		assert_counts(&report, COUNTS(2, 0, 0, 1, 1));
		assert_result(&report, "tests/test_calc.py::test_skipped", TEST_SKIPPED,
			"not today (really)", NULL, 0);
		assert_result(
			&report, "tests/test_calc.py::test_expected", TEST_XFAILED, "known [bug]", NULL, 0);
		assert_result(&report, "tests/test_calc.py::test_surprise", TEST_PASSED, NULL, NULL, 0);
	}
}

static void one_red_with_its_reason_and_place(void **state)
{
	(void)state;
	EACH_VERSION(v)
	{
		AUTO_ARENA arena = ARENA_INIT;
		struct test_report report;
		read_version(v, "red", 1, &arena, &report);
		assert_true(report.complete);
		assert_counts(&report, COUNTS(1, 1, 0, 0, 0));
		assert_result(&report, "tests/test_calc.py::test_add", TEST_FAILED, "assert -1 == 3",
			"tests/test_calc.py", 6);
	}
}

static void every_status_and_odd_names(void **state)
{
	(void)state;
	EACH_VERSION(v)
	{
		AUTO_ARENA arena = ARENA_INIT;
		struct test_report report;
		read_version(v, "mixed", 1, &arena, &report);
		assert_true(report.complete);
		assert_counts(&report, COUNTS(8, 6, 4, 1, 1));
		assert_result(&report, "tests/test_calc.py::test_text[x[1]]", TEST_FAILED,
			"AssertionError: no brackets", "tests/test_calc.py", 19);
		assert_result(&report, "tests/test_calc.py::test_text[a b]", TEST_PASSED, NULL, NULL, 0);
		assert_result(
			&report, "tests/test_calc.py::test_text[PASSED now]", TEST_PASSED, NULL, NULL, 0);
		assert_result(
			&report, "tests/test_calc.py::test_text[a SKIPPED (b)]", TEST_PASSED, NULL, NULL, 0);
		assert_result(
			&report, "tests/test_calc.py::test_text[\\xfcn\\xef]", TEST_PASSED, NULL, NULL, 0);
		assert_result(&report, "tests/test_calc.py::test_text[]", TEST_PASSED, NULL, NULL, 0);
		assert_result(&report, "tests/test_calc.py::test_strict", TEST_FAILED,
			"[XPASS(strict)] strictly", NULL, 0);
	}
}

static void errors_outside_of_a_test(void **state)
{
	(void)state;
	EACH_VERSION(v)
	{
		AUTO_ARENA arena = ARENA_INIT;
		struct test_report report;
		read_version(v, "mixed", 1, &arena, &report);
		assert_result(&report, "tests/test_import.py", TEST_ERROR,
			"ModuleNotFoundError: No module named 'nosuchmodule'", "tests/test_import.py", 1);
		assert_result(&report, "tests/test_syntax.py", TEST_ERROR, "SyntaxError: invalid syntax",
			"tests/test_syntax.py", 1);
		assert_result(&report, "tests/test_calc.py::TestGroup::test_setup", TEST_ERROR,
			"RuntimeError: fixture is broken", "tests/test_calc.py", 45);
		assert_result(&report, "tests/test_calc.py::TestGroup::test_teardown", TEST_ERROR,
			"RuntimeError: clean-up is broken", "tests/test_calc.py", 50);
	}
}

static void the_place_is_where_it_failed_not_where_it_began(void **state)
{
	(void)state;
	static const char *const styles[] = {"mixed", "long", "native"};
	EACH_VERSION(v)
	for (size_t i = 0; i < ARRAY_SIZE(styles); i++) {
		AUTO_ARENA arena = ARENA_INIT;
		struct test_report report;
		read_version(v, styles[i], 1, &arena, &report);
		assert_result(&report, "tests/test_calc.py::test_div_error", TEST_FAILED,
			"ZeroDivisionError: division by zero", "pkg/calc.py", 6);
	}
}

static void of_chained_exceptions_the_last(void **state)
{
	(void)state;
	EACH_VERSION(v)
	{
		AUTO_ARENA arena = ARENA_INIT;
		struct test_report report;
		read_version(v, "mixed", 1, &arena, &report);
		assert_result(&report, "tests/test_calc.py::TestGroup::test_chained", TEST_FAILED,
			"ValueError: first line", "tests/test_calc.py", 62);
	}
}

static void a_failed_subtest_fails_its_test(void **state)
{
	(void)state;
	EACH_VERSION(v)
	{
		AUTO_ARENA arena = ARENA_INIT;
		struct test_report report;
		read_version(v, "sub", 1, &arena, &report);
		assert_counts(&report, COUNTS(1, 1, 0, 0, 0));
		assert_result(
			&report, "test_sub.py::SubCase::test_sub", TEST_FAILED, NULL, "test_sub.py", 8);
	}
}

static void skipped_subtests_are_counted(void **state)
{
	(void)state;
	AUTO_ARENA arena = ARENA_INIT;
	struct test_report report;
	read_run("pytest", stored("pytest9-subskip.txt", &arena), 0, REPORTS("pytest9-subskip.xml"),
		&arena, &report);
	assert_null(report.problem);
	assert_counts(&report, COUNTS(2, 0, 0, 0, 0));
	assert_int_equal(test_report_find(&report, "test_s.py::T::test_a")->n_skipped, 1);
}

static void quiet_options_and_shown_output_change_nothing(void **state)
{
	(void)state;
	EACH_VERSION(v)
	{
		AUTO_ARENA arena = ARENA_INIT;
		struct test_report quiet, shown, log;
		read_version(v, "quiet", 1, &arena, &quiet);
		assert_true(quiet.complete);
		assert_counts(&quiet, COUNTS(8, 5, 2, 1, 1));
		read_version(v, "shown", 1, &arena, &shown);
		assert_counts(&shown, COUNTS(1, 1, 1, 1, 0));
		read_version(v, "log", 1, &arena, &log);
		assert_counts(&log, COUNTS(1, 1, 0, 0, 0));
		assert_result(&log, "test_log.py::test_logs", TEST_PASSED, NULL, NULL, 0);
	}
}

static void without_tracebacks_the_summary_tells_why(void **state)
{
	(void)state;
	EACH_VERSION(v)
	{
		AUTO_ARENA arena = ARENA_INIT;
		struct test_report report;
		read_version(v, "none", 1, &arena, &report);
		assert_counts(&report, COUNTS(8, 6, 4, 1, 1));
		assert_result(
			&report, "tests/test_calc.py::test_add", TEST_FAILED, "assert -1 == 3", NULL, 0);
	}
}

static void what_a_test_prints_is_no_result(void **state)
{
	(void)state;
	EACH_VERSION(v)
	{
		AUTO_ARENA arena = ARENA_INIT;
		struct test_report report;
		read_version(v, "inner", 1, &arena, &report);
		assert_counts(&report, COUNTS(1, 1, 0, 0, 0));
		assert_result(&report, "test_inner.py::test_prints_a_report", TEST_FAILED,
			"AssertionError: the real one", "test_inner.py", 7);
	}
}

static void stopping_at_the_first_failure_is_an_end(void **state)
{
	(void)state;
	EACH_VERSION(v)
	{
		AUTO_ARENA arena = ARENA_INIT;
		struct test_report report;
		read_version(v, "first", 1, &arena, &report);
		assert_true(report.complete);
		assert_counts(&report, COUNTS(0, 1, 0, 0, 0));
	}
}

static void a_conftest_that_fails_is_one_error(void **state)
{
	(void)state;
	EACH_VERSION(v)
	{
		AUTO_ARENA arena = ARENA_INIT;
		struct test_report report;
		read_version(v, "conftest", 4, &arena, &report);
		assert_true(report.complete);
		assert_int_equal(report.n, 1);
		assert_result(&report, "conftest.py", TEST_ERROR, "ZeroDivisionError: division by zero",
			"product.py", 1);
	}
}

static void what_did_not_come_to_its_end_says_why(void **state)
{
	(void)state;
	static const struct {
		const char *what;
		int exit_code;
		const char *problem;
	} cases[] = {
		{"crash", 3, "pytest ended in the middle of test_crash.py::test_exits (exit code 3)"},
		{"empty", 5, "pytest collected no tests"},
		{"usage", 4, "pytest gave up (exit code 4): unrecognized arguments: --nosuch"},
		{"nofile", 4, "pytest gave up (exit code 4): file or directory not found: nosuch.py"},
		{"internal", 3, "pytest gave up (exit code 3): KeyError: 'inside'"},
		{"dots", 1, "pytest named only what failed: its options make it too quiet"},
		{"plain", 1, "pytest named only what failed: its options make it too quiet"},
	};
	EACH_VERSION(v)
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		AUTO_ARENA arena = ARENA_INIT;
		struct test_report report;
		read_version(v, cases[i].what, cases[i].exit_code, &arena, &report);
		assert_false(report.complete);
		assert_string_equal(report.problem, cases[i].problem);
	}
}

static void an_error_of_its_own_is_told_by_its_last_line(void **state)
{
	(void)state;
	AUTO_ARENA arena = ARENA_INIT;
	struct test_report report;
	read_text("pytest",
		"============================= test session starts ==============================\n"
		"collecting ... collected 3 items / 1 error\n"
		"INTERNALERROR> Traceback (most recent call last):\n"
		"INTERNALERROR>   File \"/tmp/tree/conftest.py\", line 20, in pytest_collection\n"
		"INTERNALERROR>     item.add_marker(pytest.mark.no_cover)\n"
		"INTERNALERROR> pytest.PytestUnknownMarkWarning: Unknown pytest.mark.no_cover\n"
		"INTERNALERROR> You can register it\n\n"
		"=============================== 1 error in 4.86s ===============================\n",
		3, &arena, &report);
	assert_false(report.complete);
	assert_string_equal(report.problem,
		"pytest gave up (exit code 3): pytest.PytestUnknownMarkWarning: Unknown "
		"pytest.mark.no_cover");
}

static void too_quiet_still_names_what_failed(void **state)
{
	(void)state;
	EACH_VERSION(v)
	{
		AUTO_ARENA arena = ARENA_INIT;
		struct test_report report;
		read_version(v, "dots", 1, &arena, &report);
		assert_counts(&report, COUNTS(0, 5, 2, 0, 0));
		assert_result(&report, "tests/test_calc.py::test_div_error", TEST_FAILED,
			"ZeroDivisionError: division by zero", "pkg/calc.py", 6);
	}
}

static void lines_of_xdist(void **state)
{
	(void)state;
	AUTO_ARENA arena = ARENA_INIT;
	struct test_report report, plain;
	read_stored("pytest -n 2", "pytest9-xdist.txt", 1, &arena, &report);
	assert_true(report.complete);
	read_stored("pytest", "pytest9-mixed.txt", 1, &arena, &plain);
	for (size_t i = 0; i < plain.n; i++)
		if (!strstr(plain.results[i]->id, "test_sub"))
			assert_result(&report, plain.results[i]->id, plain.results[i]->status, NULL, NULL, 0);
	assert_result(&report, "tests/test_calc.py::test_div_error", TEST_FAILED,
		"ZeroDivisionError: division by zero", "pkg/calc.py", 6);
}

static void reasons_of_several_lines(void **state)
{
	(void)state;
	AUTO_ARENA arena = ARENA_INIT;
	struct test_report report;
	read_text("pytest",
		"collecting ... collected 3 items\n\n"
		"test_lines.py::test_later SKIPPED (not before\n"
		"the next release (see\n"
		"#12))\n"
		"test_lines.py::test_now PASSED\ntest_lines.py::test_known XFAIL (known\nsince long)\n\n"
		"=================== 1 passed, 1 skipped, 1 xfailed in 0.03s ====================\n",
		0, &arena, &report);
	assert_true(report.complete);
	assert_counts(&report, COUNTS(1, 0, 0, 1, 1));
	assert_result(&report, "test_lines.py::test_later", TEST_SKIPPED, NULL, NULL, 0);
	assert_result(&report, "test_lines.py::test_known", TEST_XFAILED, NULL, NULL, 0);
}

static void a_reason_that_pytest_cuts(void **state)
{
	(void)state;
	AUTO_ARENA arena = ARENA_INIT;
	struct test_report report;
	read_text("pytest",
		"test/test_regression.py::test_mix_normal_and_wide_characters SKIPPEDb))\n"
		"test/test_regression.py::test_align_long_integers PASSED\n"
		"========================= 1 passed, 1 skipped in 0.03s =========================\n",
		0, &arena, &report);
	assert_true(report.complete);
	assert_result(&report, "test/test_regression.py::test_mix_normal_and_wide_characters",
		TEST_SKIPPED, NULL, NULL, 0);
}

static void ten_thousand_tests(void **state)
{
	(void)state;
	AUTO_ARENA arena = ARENA_INIT;
	AUTO_STRBUF sb = STRBUF_INIT(STRBUF_TEXT);
	for (int i = 0; i < 10000; i++)
		strbuf_addf(&sb, "tests/test_many.py::test_case[%d] %s [%3d%%]\n", i,
			i % 2 ? "PASSED" : "FAILED", i / 100);
	strbuf_adds(&sb, "=== FAILURES ===\n");
	for (int i = 0; i < 10000; i += 2)
		strbuf_addf(&sb, "____ test_case[%d] ____\ntests/test_many.py:%d: in test_case\nE   no\n",
			i, i + 1);
	strbuf_adds(&sb, "=== 5000 failed, 5000 passed in 3.14s ===\n");
	struct test_report report;
	read_text("pytest", sb.text, 1, &arena, &report);
	assert_true(report.complete);
	assert_counts(&report, COUNTS(5000, 5000, 0, 0, 0));
	assert_result(&report, "tests/test_many.py::test_case[9998]", TEST_FAILED, "no",
		"tests/test_many.py", 9999);
}

static void equal_names_in_several_files_keep_their_order(void **state)
{
	(void)state;
	AUTO_ARENA arena = ARENA_INIT;
	struct test_report report;
	read_text("pytest",
		"a.py::test_x FAILED\nb.py::test_x ERROR\nc.py::test_x FAILED\n=== ERRORS ===\n"
		"___ ERROR at setup of test_x ___\nb.py:1: in f\nE   b\n=== FAILURES ===\n"
		"___ test_x ___\na.py:2: in test_x\nE   a\n___ test_x ___\nc.py:3: in test_x\nE   "
		"c\n"
		"== 2 failed, 1 error in 0.1s ==\n",
		1, &arena, &report);
	assert_result(&report, "a.py::test_x", TEST_FAILED, "a", "a.py", 2);
	assert_result(&report, "b.py::test_x", TEST_ERROR, "b", "b.py", 1);
	assert_result(&report, "c.py::test_x", TEST_FAILED, "c", "c.py", 3);
}

/* By pytest.importorskip at its top: no line names it. */
static void a_file_may_be_skipped(void **state)
{
	(void)state;
	AUTO_ARENA arena = ARENA_INIT;
	struct test_report report;
	read_run("pytest", stored("pytest9-skipped-file.txt", &arena), 0,
		REPORTS("pytest9-skipped-file.xml"), &arena, &report);
	assert_null(report.problem);
	assert_counts(&report, COUNTS(1, 0, 0, 1, 0));
	assert_result(&report, "test_a.py", TEST_SKIPPED, "collection skipped", NULL, 0);
}

static void brackets_in_values_need_no_partner(void **state)
{
	(void)state;
	AUTO_ARENA arena = ARENA_INIT;
	struct test_report report;
	read_text("pytest",
		"a.py::t[\\x1b]8;;u\\x07Two words\\x1b]8;;\\x07] PASSED\n"
		"a.py::t[\\x1b]8;;u\\x07Two more\\x1b]8;;\\x07] PASSED\n"
		"a.py::t[\\x1b[31mred one\\x1b[0m] PASSED\n"
		"a.py::t[1] it printed [this]\nPASSED\n"
		"== 4 passed in 0.1s ==\n",
		0, &arena, &report);
	assert_counts(&report, COUNTS(4, 0, 0, 0, 0));
	assert_result(
		&report, "a.py::t[\\x1b]8;;u\\x07Two words\\x1b]8;;\\x07]", TEST_PASSED, NULL, NULL, 0);
	assert_result(&report, "a.py::t[\\x1b[31mred one\\x1b[0m]", TEST_PASSED, NULL, NULL, 0);
	assert_result(&report, "a.py::t[1]", TEST_PASSED, NULL, NULL, 0);
}

UNIT(suite_pytest)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(all_green),
		cmocka_unit_test(one_red_with_its_reason_and_place),
		cmocka_unit_test(every_status_and_odd_names),
		cmocka_unit_test(errors_outside_of_a_test),
		cmocka_unit_test(the_place_is_where_it_failed_not_where_it_began),
		cmocka_unit_test(of_chained_exceptions_the_last),
		cmocka_unit_test(a_failed_subtest_fails_its_test),
		cmocka_unit_test(skipped_subtests_are_counted),
		cmocka_unit_test(a_file_may_be_skipped),
		cmocka_unit_test(brackets_in_values_need_no_partner),
		cmocka_unit_test(quiet_options_and_shown_output_change_nothing),
		cmocka_unit_test(without_tracebacks_the_summary_tells_why),
		cmocka_unit_test(what_a_test_prints_is_no_result),
		cmocka_unit_test(stopping_at_the_first_failure_is_an_end),
		cmocka_unit_test(a_conftest_that_fails_is_one_error),
		cmocka_unit_test(what_did_not_come_to_its_end_says_why),
		cmocka_unit_test(an_error_of_its_own_is_told_by_its_last_line),
		cmocka_unit_test(too_quiet_still_names_what_failed),
		cmocka_unit_test(lines_of_xdist),
		cmocka_unit_test(reasons_of_several_lines),
		cmocka_unit_test(a_reason_that_pytest_cuts),
		cmocka_unit_test(ten_thousand_tests),
		cmocka_unit_test(equal_names_in_several_files_keep_their_order),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
