/* Jest 29 and 30: the report file, what is printed where there is none, and where the two
 * disagree. */
#include "tests/unit/javascript_fixture.h"

static void assert_tests(const struct test_report *report)
{
	assert_true(report->complete);
	assert_string_equal(report->format, "jest");
	assert_counts(report, COUNTS(7, 2, 1, 2, 0));
	assert_result(report, "__tests__/sum.test.js > sum > adds", TEST_FAILED,
		"expect(received).toBe(expected) // Object.is equality Expected: 3 Received: -1",
		"__tests__/sum.test.js", 5);
	assert_result(report,
		"__tests__/sum.test.js > sum > nested > here > doubles \"two\" [x] {y} $1", TEST_PASSED,
		NULL, NULL, 0);
	assert_result(report, "__tests__/sum.test.js > sum > nested > here > is not ready",
		TEST_SKIPPED, NULL, NULL, 0);
	assert_result(report, "__tests__/sum.test.js > sum > nested > here > write me", TEST_SKIPPED,
		NULL, NULL, 0);
	assert_result(report, "__tests__/sum.test.js > doubles", TEST_PASSED, NULL, NULL, 0);
	assert_result(report, "__tests__/sum.test.js > doubles (2)", TEST_PASSED, NULL, NULL, 0);
	assert_result(report, "__tests__/odd.test.js > throws > one", TEST_FAILED, "no database",
		"__tests__/odd.test.js", 5);
	assert_result(report, "__tests__/broken.test.js", TEST_ERROR,
		"Cannot find module '../src/none' from '__tests__/broken.test.js'",
		"__tests__/broken.test.js", 1);
}

static void the_report_file_is_read(void **state)
{
	(void)state;
	static const char *const names[] = {"jest29", "jest30"};
	for (size_t i = 0; i < ARRAY_SIZE(names); i++) {
		AUTO_ARENA arena = ARENA_INIT;
		struct test_report report;
		read_pair("npx jest", names[i], 1, &arena, &report);
		assert_tests(&report);
		assert_result(&report,
			"__tests__/odd.test.js > two lines ✓ ünïcode :: / \\ \xef\xbf\xbd \xef\xbf\xbd end",
			TEST_PASSED, NULL, NULL, 0);
		assert_result(&report, "__tests__/odd.test.js > it's \"quoted\" `tick` (3 ms)", TEST_PASSED,
			NULL, NULL, 0);
	}
}

static void verbose_lines_are_read_where_there_is_no_file(void **state)
{
	(void)state;
	AUTO_ARENA arena = ARENA_INIT;
	struct test_report report;
	read_stored("jest --verbose", "jest29-verbose.txt", 1, &arena, &report);
	assert_tests(&report);
}

static void plain_lines_tell_of_files(void **state)
{
	(void)state;
	AUTO_ARENA arena = ARENA_INIT;
	struct test_report report;
	read_stored("npm test", "jest30-plain.txt", 1, &arena, &report);
	assert_true(report.complete);
	assert_string_equal(report.format, "jest");
	assert_counts(&report, COUNTS(0, 2, 1, 0, 0));
	assert_result(&report, "__tests__/sum.test.js", TEST_FAILED,
		"expect(received).toBe(expected) // Object.is equality Expected: 3 Received: -1",
		"__tests__/sum.test.js", 5);
	assert_result(
		&report, "__tests__/broken.test.js", TEST_ERROR, NULL, "__tests__/broken.test.js", 1);
}

static void reports_that_disagree_are_found_out(void **state)
{
	(void)state;
	static const struct {
		const char *suffix, *from, *to, *problem;
	} cases[] = {
		{"json", "\"status\":\"failed\",\"title\":\"adds\"",
			"\"status\":\"passed\",\"title\":\"adds\"",
			"the runner's two reports disagree: 7 passed and 2 failed as it prints, 8 and 1 in its "
			"file"},
		{"txt", "7 passed", "8 passed",
			"the runner's two reports disagree: 8 passed and 2 failed as it prints, 7 and 2 in its "
			"file"},
	};
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		AUTO_ARENA arena = ARENA_INIT;
		struct test_report report;
		read_altered(
			"npx jest", "jest29", cases[i].suffix, cases[i].from, cases[i].to, &arena, &report);
		assert_false(report.complete);
		assert_string_equal(report.problem, cases[i].problem);
	}
}

static void a_test_that_prints_red_and_is_written_green_is_found_out(void **state)
{
	(void)state;
	AUTO_ARENA arena = ARENA_INIT;
	struct test_report report;
	const char *file =
		altered(stored("jest29.json", &arena), "\"status\":\"failed\",\"title\":\"adds\"",
			"\"status\":\"passed\",\"title\":\"adds\"", &arena);
	const char *text =
		altered(altered(stored("jest29-verbose.txt", &arena), "2 failed", "1 failed", &arena),
			"7 passed", "8 passed", &arena);
	read_with_report("npx jest", text, file, 1, &arena, &report);
	assert_false(report.complete);
	assert_string_equal(report.problem,
		"the runner's two reports disagree: '__tests__/sum.test.js > sum > adds' is failed as it "
		"prints, passed in its file");
}

static void a_runner_that_never_wrote_is_not_at_its_end(void **state)
{
	(void)state;
	AUTO_ARENA arena = ARENA_INIT;
	struct test_report report;
	read_with_report("npx jest", "PASS src/a.test.js\n", "begun: jest\n", 0, &arena, &report);
	assert_false(report.complete);
	assert_string_equal(
		report.problem, "jest ended before it had written its report (exit code 0)");
	read_with_report("npm test", "anything\n", "begun: jest\n", 0, &arena, &report);
	assert_false(report.complete);
	read_with_report(
		"npx jest", "No tests found, exiting with code 1\n", "begun: jest\n", 1, &arena, &report);
	assert_string_equal(report.problem, "no tests were run");
}

static void a_runner_that_cannot_start_is_one_error(void **state)
{
	(void)state;
	AUTO_ARENA arena = ARENA_INIT;
	struct test_report report;
	read_with_report("npx jest",
		"● Validation Error:\n\n"
		"  Module x in the preset option was not found.\n",
		"begun: jest\n", 1, &arena, &report);
	assert_true(report.complete);
	assert_int_equal(report.n, 1);
	assert_result(&report, "npx jest", TEST_ERROR, NULL, NULL, 0);
}

static void damage_is_told(void **state)
{
	(void)state;
	AUTO_ARENA arena = ARENA_INIT;
	const char *file = stored("jest29.json", &arena), *text = stored("jest29.txt", &arena);
	size_t n = strlen(file);
	for (size_t cut = 30; cut < n - 1; cut += 97) {
		AUTO_ARENA inner = ARENA_INIT;
		struct test_report report;
		read_with_report("npx jest", text, arena_strndup(&inner, file, cut), 1, &inner, &report);
		assert_false(report.complete);
		assert_non_null(strstr(report.problem, "the report of jest cannot be read"));
	}
}

static void what_tests_compare_may_be_of_any_depth(void **state)
{
	(void)state;
	AUTO_ARENA arena = ARENA_INIT;
	struct test_report report;
	AUTO_STRBUF deep = STRBUF_INIT(STRBUF_TEXT);
	strbuf_adds(&deep, "\"failureDetails\":[");
	for (int i = 0; i < 5000; i++)
		strbuf_adds(&deep, "{\"a\":[\"]\\\"\",");
	strbuf_adds(&deep, "1");
	for (int i = 0; i < 5000; i++)
		strbuf_adds(&deep, "]}");
	strbuf_addc(&deep, ',');
	read_altered("npx jest", "jest29", "json", "\"failureDetails\":[", deep.text, &arena, &report);
	assert_tests(&report);
}

UNIT(format_jest)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_report_file_is_read),
		cmocka_unit_test(verbose_lines_are_read_where_there_is_no_file),
		cmocka_unit_test(plain_lines_tell_of_files),
		cmocka_unit_test(reports_that_disagree_are_found_out),
		cmocka_unit_test(a_test_that_prints_red_and_is_written_green_is_found_out),
		cmocka_unit_test(a_runner_that_never_wrote_is_not_at_its_end),
		cmocka_unit_test(a_runner_that_cannot_start_is_one_error),
		cmocka_unit_test(damage_is_told),
		cmocka_unit_test(what_tests_compare_may_be_of_any_depth),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
