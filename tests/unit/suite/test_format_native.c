/* What test programs in C and C++ print and write: googletest's lines and JSON, cmocka's lines. */
#include "tests/unit/suite_fixture.h"

static int keep(const char *text)
{
	int fd = memfd_create("report", MFD_CLOEXEC);
	assert_true(fd >= 0);
	assert_int_equal(write(fd, text, strlen(text)), strlen(text));
	return fd;
}

/* A run that printed `lines` and left one report file. */
static void read_both(const char *lines, const char *json, int exit_code, struct arena *arena,
	struct test_report *report)
{
	struct rondo_error err;
	struct suite suite;
	suite_from_command("make check", "", arena, &suite);
	struct process_result result = {.exit_code = exit_code, .output_bytes = strlen(lines)};
	AUTO_CLOSE log = keep(lines);
	AUTO_CLOSE file = keep(json);
	struct suite_output output = {.log = log, .reports = &file, .n_reports = 1, .result = &result};
	assert_int_equal(suite_read(&suite, &output, arena, report, &err), 0);
}

static void assert_mixed(const struct test_report *report)
{
	assert_true(report->complete);
	assert_string_equal(report->format, "googletest");
	assert_counts(report, COUNTS(6, 4, 1, 2, 0));
	assert_result(report, "Math.Adds", TEST_PASSED, NULL, NULL, 0);
	assert_result(report, "Math.Wrong", TEST_FAILED,
		"Expected equality of these values: x Which is: 1 2 said in two lines", "t.cc", 4);
	assert_result(report, "Math.Prints", TEST_PASSED, NULL, NULL, 0);
	assert_result(report, "Typed/1.Small", TEST_FAILED,
		"Expected: (sizeof(TypeParam)) < (5u), actual: 8 vs 5", "t.cc", 15);
	assert_result(report, "Inst/P.Is/0", TEST_FAILED, NULL, "t.cc", 10);
	assert_result(report, "Bad", TEST_ERROR, "SetUpTestSuite or TearDownTestSuite", NULL, 0);
	assert_null(test_report_find(report, "Math.Forged"));
	assert_null(test_report_find(report, "Math.DISABLED_Off"));
}

static void googletest_is_read_by_lines(void **state)
{
	(void)state;
	AUTO_ARENA arena = ARENA_INIT;
	struct test_report report;
	read_stored("make check", "googletest-mixed.txt", 1, &arena, &report);
	assert_mixed(&report);
	assert_result(&report, "Math.Skipped", TEST_SKIPPED, "not today", NULL, 0);
}

static void googletest_is_read_by_both_of_its_reports(void **state)
{
	(void)state;
	AUTO_ARENA arena = ARENA_INIT;
	struct test_report report;
	read_both(stored("googletest-mixed.txt", &arena), stored("googletest-mixed.json", &arena), 1,
		&arena, &report);
	assert_mixed(&report);
}

static void what_brief_lines_leave_out_stands_in_the_json(void **state)
{
	(void)state;
	AUTO_ARENA arena = ARENA_INIT;
	struct test_report report;
	read_both(stored("googletest-brief.txt", &arena), stored("googletest-mixed.json", &arena), 1,
		&arena, &report);
	assert_true(report.complete);
	assert_result(&report, "Math.Adds", TEST_PASSED, NULL, NULL, 0);
	assert_result(&report, "Inst/P.Is/0", TEST_FAILED, NULL, "t.cc", 10);
}

static const char *replaced(const char *text, const char *old, const char *new, struct arena *arena)
{
	const char *at = strstr(text, old);
	assert_non_null(at);
	return arena_printf(arena, "%.*s%s%s", (int)(at - text), text, new, at + strlen(old));
}

static void reports_that_disagree_are_not_believed(void **state)
{
	(void)state;
	AUTO_ARENA arena = ARENA_INIT;
	struct test_report report;
	const char *lines = stored("googletest-mixed.txt", &arena),
			   *json = stored("googletest-mixed.json", &arena);
	read_both(replaced(lines, "[  FAILED  ] Math.Wrong (", "[       OK ] Math.Wrong (", &arena),
		json, 1, &arena, &report);
	assert_false(report.complete);
	assert_string_equal(report.problem,
		"the runner's two reports disagree: 'Math.Wrong' is passed in its output, failed in its "
		"JSON");
	const char *more = "[ RUN      ] Math.More\n"
					   "[       OK ] Math.More (0 ms)\n"
					   "[ RUN      ] Zend.Ok";
	read_both(replaced(lines, "[ RUN      ] Zend.Ok", more, &arena), json, 1, &arena, &report);
	assert_string_equal(report.problem,
		"the runner's two reports disagree: 7 tests passed in its output, 6 in its JSON");
	read_both(lines, arena_strndup(&arena, json, strlen(json) / 2), 1, &arena, &report);
	assert_string_equal(report.problem, "a JSON report of googletest is cut off or damaged");
}

static void the_test_in_which_a_program_ends_is_an_error(void **state)
{
	(void)state;
	AUTO_ARENA arena = ARENA_INIT;
	struct test_report crash, next;
	const char *lines = stored("googletest-crash.txt", &arena);
	read_text("make check", lines, 134, &arena, &crash);
	assert_true(crash.complete);
	assert_result(&crash, "Zcrash.Dies", TEST_ERROR, "exit code 134", NULL, 0);
	assert_null(test_report_find(&crash, "Zend.Ok"));
	read_text("make check",
		arena_printf(&arena, "%s%s", lines, stored("googletest-mixed.txt", &arena)), 1, &arena,
		&next);
	assert_true(next.complete);
	assert_result(&next, "Zcrash.Dies", TEST_ERROR, "its program ended within it", NULL, 0);
	assert_result(&next, "Zcrash.Dies (2)", TEST_PASSED, NULL, NULL, 0);
}

static void a_program_that_ends_between_tests_is_not_complete(void **state)
{
	(void)state;
	AUTO_ARENA arena = ARENA_INIT;
	struct test_report report;
	read_text("make check",
		"[==========] Running 2 tests from 1 test suite.\n"
		"[ RUN      ] A.B\n"
		"[       OK ] A.B (0 ms)\n",
		0, &arena, &report);
	assert_string_equal(report.problem, "googletest ended before its summary (exit code 0)");
	read_text("make check",
		"[==========] Running 2 test(s).\n"
		"[ RUN      ] a\n"
		"[       OK ] a\n",
		0, &arena, &report);
	assert_string_equal(report.problem, "cmocka ended before its summary (exit code 0)");
}

static void googletest_takes_names_by_its_environment(void **state)
{
	(void)state;
	AUTO_ARENA arena = ARENA_INIT;
	struct suite suite;
	static const char *const ids[] = {"Inst/P.Is/0", "A.B (2)"};
	suite_from_command("make check", "", &arena, &suite);
	assert_null(suite_targeted(&suite, ids, 2, &arena));
	suite.format = "googletest";
	assert_string_equal(
		suite_targeted(&suite, ids, 2, &arena), "export GTEST_FILTER=Inst/P.Is/0:A.B; make check");
}

static void cmocka_is_read_by_lines(void **state)
{
	(void)state;
	AUTO_ARENA arena = ARENA_INIT;
	struct test_report report;
	read_stored("./test_a", "cmocka-lines.txt", 6, &arena, &report);
	assert_true(report.complete);
	assert_string_equal(report.format, "cmocka");
	assert_counts(&report, COUNTS(5, 5, 1, 1, 0));
	assert_result(&report, "test_bad", TEST_FAILED, "0x1 != 0x2", "t.c", 7);
	assert_result(&report, "test_bad (3)", TEST_FAILED, "0x1 != 0x2", "t.c", 7);
	assert_result(&report, "test_crash", TEST_FAILED,
		"Test failed with exception: Segmentation fault(11)", NULL, 0);
	assert_result(&report, "test_fix", TEST_ERROR, "Test setup failed", NULL, 0);
}

static void later_versions_of_cmocka_name_the_group(void **state)
{
	(void)state;
	AUTO_ARENA arena = ARENA_INIT;
	struct test_report report;
	read_text("./test_a",
		"[==========] tests: Running 1 test(s).\n"
		"[ RUN      ] a\n"
		"[       OK ] a\n"
		"[==========] tests: 1 test(s) run.\n",
		0, &arena, &report);
	assert_true(report.complete);
	assert_result(&report, "a", TEST_PASSED, NULL, NULL, 0);
}

static void a_number_that_cmocka_did_not_promise_is_not_believed(void **state)
{
	(void)state;
	AUTO_ARENA arena = ARENA_INIT;
	struct test_report report;
	read_text("./test_a",
		"[==========] Running 1 test(s).\n"
		"[ RUN      ] a\n"
		"[       OK ] a\n"
		"[ RUN      ] b\n"
		"[       OK ] b\n"
		"[==========] 1 test(s) run.\n",
		0, &arena, &report);
	assert_string_equal(
		report.problem, "cmocka was to run 1 tests and ran 1, but 2 are named in its output");
}

UNIT(format_native)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(googletest_is_read_by_lines),
		cmocka_unit_test(googletest_is_read_by_both_of_its_reports),
		cmocka_unit_test(what_brief_lines_leave_out_stands_in_the_json),
		cmocka_unit_test(reports_that_disagree_are_not_believed),
		cmocka_unit_test(the_test_in_which_a_program_ends_is_an_error),
		cmocka_unit_test(a_program_that_ends_between_tests_is_not_complete),
		cmocka_unit_test(googletest_takes_names_by_its_environment),
		cmocka_unit_test(cmocka_is_read_by_lines),
		cmocka_unit_test(later_versions_of_cmocka_name_the_group),
		cmocka_unit_test(a_number_that_cmocka_did_not_promise_is_not_believed),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
