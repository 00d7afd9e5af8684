/* Mocha 10 and 11, and the spec reporter of node 20, whose lines look alike. */
#include "tests/unit/javascript_fixture.h"

static void the_report_file_is_read(void **state)
{
	(void)state;
	AUTO_ARENA arena = ARENA_INIT;
	struct test_report report;
	read_pair("npx mocha", "mocha10", 3, &arena, &report);
	assert_true(report.complete);
	assert_string_equal(report.format, "mocha");
	assert_counts(&report, COUNTS(5, 1, 2, 2, 0));
	assert_result(&report, "test/sum.js > sum > adds", TEST_FAILED,
		"AssertionError [ERR_ASSERTION]: Expected values to be strictly equal: -1 !== 3",
		"test/sum.js", 6);
	assert_result(
		&report, "test/sum.js > sum nested > here > is not ready", TEST_SKIPPED, NULL, NULL, 0);
	assert_result(&report, "test/sum.js > doubles (2)", TEST_PASSED, NULL, NULL, 0);
}

static void a_hook_that_fails_is_an_error_of_its_test(void **state)
{
	(void)state;
	AUTO_ARENA arena = ARENA_INIT;
	struct test_report report;
	read_pair("npx mocha", "mocha10", 3, &arena, &report);
	assert_result(
		&report, "test/odd.js > throws > one", TEST_ERROR, "no database", "test/odd.js", 4);
	assert_result(&report, "test/odd.js > each > one", TEST_ERROR, "no cleaning", "test/odd.js", 8);
}

static void lines_are_read_where_there_is_no_file(void **state)
{
	(void)state;
	AUTO_ARENA arena = ARENA_INIT;
	struct test_report report;
	read_stored("npm test", "mocha11-spec.txt", 3, &arena, &report);
	assert_true(report.complete);
	assert_string_equal(report.format, "mocha");
	assert_counts(&report, COUNTS(6, 3, 0, 2, 0));
	assert_result(&report, "sum > adds", TEST_FAILED,
		"AssertionError [ERR_ASSERTION]: Expected values to be strictly equal: -1 !== 3 "
		"+ expected - actual --1 +3",
		"test/sum.js", 6);
	assert_result(
		&report, "sum > nested > here > doubles \"two\" [x] {y} $1", TEST_PASSED, NULL, NULL, 0);
	assert_result(&report, "doubles (2)", TEST_PASSED, NULL, NULL, 0);
}

static void reports_that_disagree_are_found_out(void **state)
{
	(void)state;
	AUTO_ARENA arena = ARENA_INIT;
	struct test_report report;
	read_altered("npx mocha", "mocha10", "txt", "6 passing", "7 passing", &arena, &report);
	assert_false(report.complete);
	assert_string_equal(report.problem,
		"the runner's two reports disagree: 7 passed and 3 failed as it prints, 6 and 3 in its "
		"file");
}

static void a_run_without_its_end_is_not_complete(void **state)
{
	(void)state;
	AUTO_ARENA arena = ARENA_INIT;
	struct test_report report;
	read_with_report("npx mocha", "\n  ✔ a\n", "begun: mocha\n", 0, &arena, &report);
	assert_false(report.complete);
	assert_string_equal(
		report.problem, "mocha ended before it had written its report (exit code 0)");
}

static void what_node_skips_for_a_reason_keeps_its_name(void **state)
{
	(void)state;
	AUTO_ARENA arena = ARENA_INIT;
	struct test_report report;
	read_text("node --test --test-reporter=spec",
		"▶ d\n"
		"  ✔ a (0.2ms)\n"
		"  ﹣ b (0.090023ms) # why not\n"
		"  ✖ c (1.2ms) # write me\n"
		"▶ d (3.1ms)\n"
		"ℹ tests 3\n",
		0, &arena, &report);
	assert_result(&report, "d > b", TEST_SKIPPED, NULL, NULL, 0);
	assert_result(&report, "d > c", TEST_XFAILED, NULL, NULL, 0);
	assert_counts(&report, COUNTS(1, 0, 0, 1, 1));
}

static void the_spec_reporter_of_node_is_read(void **state)
{
	(void)state;
	AUTO_ARENA arena = ARENA_INIT;
	struct test_report report;
	read_stored("node --test --test-reporter=spec", "node20-spec.txt", 1, &arena, &report);
	assert_true(report.complete);
	assert_string_equal(report.format, "node");
	assert_counts(&report, COUNTS(7, 4, 1, 1, 0));
	assert_result(&report, "broken.test.js", TEST_ERROR, NULL, NULL, 0);
	assert_result(&report, "sum > adds", TEST_FAILED,
		"AssertionError [ERR_ASSERTION]: Expected values to be strictly equal: -1 !== 3",
		"sum.test.js", 7);
	assert_result(&report, "sum > nested > here > is not ready", TEST_SKIPPED, NULL, NULL, 0);
	assert_result(&report, "throws", TEST_FAILED, "no database", "odd.test.js", 5);
	struct test_report green;
	read_stored("node --test --test-reporter=spec", "node-spec.txt", 0, &arena, &green);
	assert_true(green.complete);
	assert_counts(&green, COUNTS(1, 0, 0, 1, 0));
	read_text("node --test --test-reporter=spec",
		"✔ a (1ms)\n"
		"ℹ tests 2\n"
		"ℹ pass 2\n",
		0, &arena, &report);
	assert_false(report.complete);
	assert_string_equal(report.problem, "the summary counts 2 tests, but 1 are named");
}

UNIT(format_mocha)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(what_node_skips_for_a_reason_keeps_its_name),
		cmocka_unit_test(the_report_file_is_read),
		cmocka_unit_test(a_hook_that_fails_is_an_error_of_its_test),
		cmocka_unit_test(lines_are_read_where_there_is_no_file),
		cmocka_unit_test(reports_that_disagree_are_found_out),
		cmocka_unit_test(a_run_without_its_end_is_not_complete),
		cmocka_unit_test(the_spec_reporter_of_node_is_read),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
