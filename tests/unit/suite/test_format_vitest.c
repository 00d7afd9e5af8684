/* Vitest 1 and 3: the report file, what is printed where there is none, and where the two
 * disagree. */
#include "tests/unit/javascript_fixture.h"

static void the_report_file_is_read(void **state)
{
	(void)state;
	static const char *const names[] = {"vitest1", "vitest3"};
	static const char *const messages[] = {"expected -1 to be 3 // Object.is equality",
		"AssertionError: expected -1 to be 3 // Object.is equality"};
	for (size_t i = 0; i < ARRAY_SIZE(names); i++) {
		AUTO_ARENA arena = ARENA_INIT;
		struct test_report report;
		read_pair("npx vitest run", names[i], 1, &arena, &report);
		assert_true(report.complete);
		assert_string_equal(report.format, "vitest");
		assert_counts(&report, COUNTS(8, 1, 3, 3, 0));
		assert_result(&report, "src/sum.test.js > sum > adds", TEST_FAILED, messages[i],
			"src/sum.test.js", 6);
		assert_result(&report, "src/sum.test.js > sum > nested > here > write me", TEST_SKIPPED,
			NULL, NULL, 0);
		assert_result(&report, "src/sum.test.js > doubles (2)", TEST_PASSED, NULL, NULL, 0);
		assert_result(&report, "src/green.test.js > is green", TEST_PASSED, NULL, NULL, 0);
		assert_result(&report, "src/broken.test.js", TEST_ERROR, NULL, NULL, 0);
		assert_result(&report, "src/syntax.test.js", TEST_ERROR, NULL, NULL, 0);
	}
}

static void what_the_file_does_not_say_the_lines_do(void **state)
{
	(void)state;
	AUTO_ARENA arena = ARENA_INIT;
	struct test_report report;
	read_pair("npx vitest run", "vitest3", 1, &arena, &report);
	assert_result(&report, "src/odd.test.js", TEST_ERROR, "no database", "src/odd.test.js", 6);
	assert_result(&report, "src/broken.test.js", TEST_ERROR,
		"Cannot find module './none.js' imported from '/tmp/tree/src/broken.test.js'",
		"src/broken.test.js", 2);
}

static void verbose_lines_are_read_where_there_is_no_file(void **state)
{
	(void)state;
	AUTO_ARENA arena = ARENA_INIT;
	struct test_report report;
	read_stored("vitest run --reporter=verbose", "vitest3-verbose.txt", 1, &arena, &report);
	assert_true(report.complete);
	assert_counts(&report, COUNTS(8, 1, 3, 3, 0));
	assert_result(&report, "src/sum.test.js > sum > adds", TEST_FAILED,
		"AssertionError: expected -1 to be 3 // Object.is equality - Expected + Received - 3 + -1",
		"src/sum.test.js", 6);
	assert_result(&report, "src/sum.test.js > doubles (2)", TEST_PASSED, NULL, NULL, 0);
	assert_result(&report, "src/odd.test.js", TEST_ERROR, "no database", "src/odd.test.js", 6);
}

static void plain_lines_tell_of_files(void **state)
{
	(void)state;
	AUTO_ARENA arena = ARENA_INIT;
	struct test_report report;
	read_stored("npm test", "vitest1-plain.txt", 1, &arena, &report);
	assert_true(report.complete);
	assert_string_equal(report.format, "vitest");
	assert_counts(&report, COUNTS(1, 2, 2, 0, 0));
	assert_result(&report, "src/sum.test.js", TEST_FAILED,
		"AssertionError: expected -1 to be 3 // Object.is equality - Expected + Received - 3 + -1",
		"src/sum.test.js", 6);
	assert_result(&report, "src/broken.test.js", TEST_ERROR, NULL, NULL, 0);
	assert_result(&report, "src/green.test.js", TEST_PASSED, NULL, NULL, 0);
}

static void reports_that_disagree_are_found_out(void **state)
{
	(void)state;
	static const struct {
		const char *suffix, *from, *to;
	} cases[] = {
		{"json", "\"status\":\"failed\",\"title\":\"adds\"",
			"\"status\":\"passed\",\"title\":\"adds\""},
		{"txt", "8 passed", "9 passed"},
	};
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		AUTO_ARENA arena = ARENA_INIT;
		struct test_report report;
		read_altered(
			"npx vitest", "vitest3", cases[i].suffix, cases[i].from, cases[i].to, &arena, &report);
		assert_false(report.complete);
		assert_non_null(strstr(report.problem, "the runner's two reports disagree"));
	}
}

static void a_run_without_its_end_is_not_complete(void **state)
{
	(void)state;
	AUTO_ARENA arena = ARENA_INIT;
	struct test_report report;
	static const char start[] = "\n RUN  v3.2.7 /tmp/tree\n\n ✓ src/green.test.js (1 test) 2ms\n";
	read_text("npx vitest run", start, 1, &arena, &report);
	assert_false(report.complete);
	assert_string_equal(
		report.problem, "the output of vitest ends before its summary (exit code 1)");
	read_with_report("npx vitest run", start, "begun: vitest\n", 0, &arena, &report);
	assert_string_equal(
		report.problem, "vitest ended before it had written its report (exit code 0)");
	read_text("npx vitest run",
		"\n"
		" RUN  v3.2.7 /tmp/tree\n\n"
		"No test files found, exiting with code 1\n",
		1, &arena, &report);
	assert_string_equal(report.problem, "no tests were run");
}

UNIT(format_vitest)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_report_file_is_read),
		cmocka_unit_test(what_the_file_does_not_say_the_lines_do),
		cmocka_unit_test(verbose_lines_are_read_where_there_is_no_file),
		cmocka_unit_test(plain_lines_tell_of_files),
		cmocka_unit_test(reports_that_disagree_are_found_out),
		cmocka_unit_test(a_run_without_its_end_is_not_complete),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
