/* go test, as go 1.26 printed it: JSON, and lines with and without -v. */
#include "tests/unit/suite_fixture.h"

#define ACME "example.com/acme/"

static void tests_are_told_apart_in_json(void **state)
{
	(void)state;
	AUTO_ARENA arena = ARENA_INIT;
	struct test_report report;
	read_stored("go test ./...", "go-json.txt", 1, &arena, &report);
	assert_string_equal(report.format, "go");
	assert_true(report.complete);
	assert_counts(&report, COUNTS(13, 4, 3, 1, 0));
	assert_result(&report, ACME "calc::TestAdd", TEST_FAILED, "Add(2, 3) = -1, want 5",
		"calc/calc_test.go", 10);
	assert_result(
		&report, ACME "calc::TestTable/x/y", TEST_FAILED, "no slash", "calc/calc_test.go", 28);
	assert_result(&report, ACME "calc::TestTable/é\"q\"", TEST_PASSED, NULL, NULL, 0);
	assert_result(&report, ACME "calc::TestTable/a_b#02", TEST_PASSED, NULL, NULL, 0);
	assert_result(&report, ACME "calc::FuzzAdd/seed#0", TEST_PASSED, NULL, NULL, 0);
	assert_result(&report, ACME "calc::ExampleAdd", TEST_PASSED, NULL, NULL, 0);
	assert_result(&report, ACME "calc::TestSkipped", TEST_SKIPPED, "not today", NULL, 0);
}

/* TestZero prints "--- FAIL: TestZero (0.00s)" and a line that passes another package. */
static void what_a_test_prints_is_no_result(void **state)
{
	(void)state;
	AUTO_ARENA arena = ARENA_INIT;
	struct test_report report;
	read_stored("go test ./...", "go-json.txt", 1, &arena, &report);
	assert_result(&report, ACME "calc::TestZero", TEST_PASSED, NULL, NULL, 0);
	assert_result(&report, ACME "broken", TEST_ERROR, NULL, NULL, 0);
}

static void packages_that_fail_without_a_test_are_results(void **state)
{
	(void)state;
	AUTO_ARENA arena = ARENA_INIT;
	struct test_report report;
	read_stored("go test ./...", "go-json.txt", 1, &arena, &report);
	assert_result(&report, ACME "broken", TEST_ERROR, "undefined: missing", "broken/b.go", 3);
	assert_result(&report, ACME "boom", TEST_ERROR, "panic: boom in init", "boom/e_test.go", 5);
	assert_null(test_report_find(&report, ACME "calc"));
	assert_null(test_report_find(&report, ACME "none"));
}

static void a_package_that_is_not_there_is_told_of_who_imports_it(void **state)
{
	(void)state;
	AUTO_ARENA arena = ARENA_INIT;
	struct test_report report;
	read_stored("go test ./...", "go-setup.txt", 1, &arena, &report);
	assert_true(report.complete);
	assert_result(&report, "example.com/acme", TEST_ERROR,
		"no required module provides package example.org/none; to add it:", "acme_test.go", 4);
}

static void the_test_that_ended_its_program_is_red(void **state)
{
	(void)state;
	AUTO_ARENA arena = ARENA_INIT;
	struct test_report report;
	read_stored("go test ./...", "go-json.txt", 1, &arena, &report);
	assert_result(&report, ACME "crash::TestBefore", TEST_PASSED, NULL, NULL, 0);
	assert_result(&report, ACME "crash::TestCrash", TEST_FAILED, NULL, "crash/c_test.go", 9);
	assert_result(
		&report, ACME "exits::TestExits", TEST_ERROR, "it did not come to its end", NULL, 0);
}

static void json_that_breaks_off_is_not_complete(void **state)
{
	(void)state;
	AUTO_ARENA arena = ARENA_INIT;
	struct test_report report;
	const char *text = stored("go-json.txt", &arena),
			   *cut = strstr(text, "\"Test\":\"ExampleAdd\"");
	read_text(
		"go test ./...", arena_strndup(&arena, text, (size_t)(cut - text)), 1, &arena, &report);
	assert_false(report.complete);
	assert_string_equal(report.problem, "go test ended in the middle of example.com/acme/calc");
}

static void a_package_cannot_pass_with_a_red_test(void **state)
{
	(void)state;
	AUTO_ARENA arena = ARENA_INIT;
	struct test_report report;
	read_text("go test",
		"{\"Time\":\"2026\",\"Action\":\"fail\",\"Package\":\"m\",\"Test\":\"TestA\",\"Elapsed\":0."
		"25}\n"
		"{\"Time\":\"2026\",\"Action\":\"pass\",\"Package\":\"m\",\"Test\":\"TestA\",\"Elapsed\":0}"
		"\n"
		"{\"Time\":\"2026\",\"Action\":\"pass\",\"Package\":\"m\",\"Elapsed\":0}\n",
		0, &arena, &report);
	assert_result(&report, "m::TestA", TEST_FAILED, NULL, NULL, 0);
	assert_string_equal(
		report.problem, "go's results disagree: m passed, but not all of its tests");
}

#define EVENT(action, test) \
	"{\"Time\":\"2026\",\"Action\":\"" action "\",\"Package\":\"m\",\"Test\":\"" test "\"}\n"

/* As testify sees its suites fail. What fails beside them counts. */
static void tests_that_a_test_runs_may_fail(void **state)
{
	(void)state;
	AUTO_ARENA arena = ARENA_INIT;
	struct test_report report;
	static const char inner[] = EVENT("run", "TestWaits") EVENT("pause", "TestWaits")
		EVENT("run", "TestOuter") EVENT("run", "TestOuter/a") EVENT("fail", "TestOuter/a")
			EVENT("run", "of its own") EVENT("run", "of its own/b") EVENT("fail", "of its own/b")
				EVENT("fail", "of its own") EVENT("pass", "TestOuter") EVENT("cont", "TestWaits");
	read_text("go test",
		arena_printf(&arena,
			"%s" EVENT("pass", "TestWaits") "{\"Time\":\"2026\",\"Action\":\"pass\",\"Package\":"
											"\"m\",\"Elapsed\":0}\n",
			inner),
		0, &arena, &report);
	assert_null(report.problem);
	assert_counts(&report, COUNTS(2, 0, 0, 0, 0));
	read_text("go test",
		arena_printf(&arena,
			"%s" EVENT("fail", "TestWaits") EVENT("run", "TestLast") EVENT("run", "TestLast/c")
				EVENT("fail", "TestLast/c")
					EVENT("fail", "TestLast") "{\"Time\":\"2026\",\"Action\":\"fail\",\"Package\":"
											  "\"m\",\"Elapsed\":0}\n",
			inner),
		1, &arena, &report);
	assert_null(report.problem);
	assert_counts(&report, COUNTS(1, 3, 0, 0, 0));
	assert_result(&report, "m::TestWaits", TEST_FAILED, NULL, NULL, 0);
	assert_result(&report, "m::TestLast/c", TEST_FAILED, NULL, NULL, 0);
}

static void lines_without_names_tell_of_packages(void **state)
{
	(void)state;
	AUTO_ARENA arena = ARENA_INIT;
	struct test_report report;
	read_stored("make test", "go-plain.txt", 1, &arena, &report);
	assert_string_equal(report.format, "go");
	assert_true(report.complete);
	assert_counts(&report, COUNTS(0, 0, 5, 0, 0));
	assert_result(&report, ACME "broken", TEST_ERROR, "undefined: missing", "broken/b.go", 3);
	assert_result(&report, ACME "crash", TEST_ERROR, NULL, "crash/c_test.go", 9);
	assert_result(&report, ACME "exits", TEST_ERROR, "exit status 3", NULL, 0);
	read_stored("make test", "go-red.txt", 1, &arena, &report);
	assert_result(&report, "example.com/x", TEST_ERROR, "Add(1, 2) = -1, want 3", NULL, 0);
	read_text("make test", "ok  \tm\t0.001s\n?   \tm/none\t[no test files]\n", 0, &arena, &report);
	assert_counts(&report, COUNTS(1, 0, 0, 0, 0));
	assert_result(&report, "m", TEST_PASSED, NULL, NULL, 0);
}

static void lines_with_names_tell_of_tests(void **state)
{
	(void)state;
	AUTO_ARENA arena = ARENA_INIT;
	struct test_report report;
	read_stored("./test.sh", "go-verbose.txt", 1, &arena, &report);
	assert_string_equal(report.format, "go");
	assert_true(report.complete);
	assert_result(&report, ACME "crash::TestBefore", TEST_PASSED, NULL, NULL, 0);
	assert_result(&report, ACME "crash::TestCrash", TEST_FAILED, NULL, "crash/c_test.go", 9);
	assert_result(&report, ACME "exits::TestExits", TEST_ERROR, NULL, NULL, 0);
	assert_result(&report, ACME "broken", TEST_ERROR, "undefined: missing", "broken/b.go", 3);
}

static const char *command(const char *line, struct arena *arena)
{
	struct suite suite;
	suite_from_command(line, "from a test", arena, &suite);
	return suite_command(&suite, "/tmp/report", arena);
}

static void json_is_asked_for_where_nobody_else_reads_it(void **state)
{
	(void)state;
	AUTO_ARENA arena = ARENA_INIT;
	const char *asked = command("go vet ./... && go test -race ./...", &arena);
	assert_true(text_starts_with(asked, "go vet ./... && go test -json -count=1 $("));
	assert_true(text_ends_with(asked, ") -race ./..."));
	assert_string_equal(command("go test -json .", &arena), "go test -json .");
	assert_string_equal(command("go test ./... | tee log", &arena), "go test ./... | tee log");
}

static const char *targeted(const char *line, const char *const *ids, size_t n, struct arena *arena)
{
	struct suite suite;
	suite_from_command(line, "from a test", arena, &suite);
	return suite_targeted(&suite, ids, n, arena);
}

static void some_tests_are_run_by_their_top_names_in_their_packages(void **state)
{
	(void)state;
	AUTO_ARENA arena = ARENA_INIT;
	const char *const ids[] = {
		"m/a::TestX/sub 'test'", "m/a::TestX", "m::TestXY", "m::FuzzZ/seed#0"};
	const char *line = targeted("go test -v ./...", ids, 4, &arena);
	assert_true(text_ends_with(line, ") -v -run '^(TestX|TestXY|FuzzZ)$' m/a m"));
	const char *const whole[] = {"m/a"};
	assert_true(text_ends_with(targeted("go test ./...", whole, 1, &arena), ") m/a"));
	assert_null(targeted("go test -run TestX ./...", ids, 4, &arena));
	assert_null(targeted("cd $sub && go test ./...", ids, 4, &arena));
}

static void test_programs_can_be_started_by_another_one(void **state)
{
	(void)state;
	AUTO_ARENA arena = ARENA_INIT;
	struct suite suite;
	suite_from_command("go test ./...", "from a test", &arena, &suite);
	assert_string_equal(suite_noted(&suite, "cd a && go test -json ./...", "note", &arena),
		"cd a && go test -exec 'note go' -vet=off -gcflags='-e -l' -json ./...");
	assert_null(suite_noted(&suite, "go test -exec qemu ./...", "note", &arena));
	assert_null(suite_noted(&suite, "go test -gcflags=-N ./...", "note", &arena));
	assert_null(suite_noted(&suite, "make test", "note", &arena));
}

/* As a test binary alone prints them for go; a test may print anything before its result. */
static void marked_lines_are_read(void **state)
{
	(void)state;
	AUTO_ARENA arena = ARENA_INIT;
	struct test_report report;
	read_text("go test",
		"\x16=== RUN   TestA\n--- PASS: TestA (0.00s)x\n    a_test.go:3: got 1\nno end"
		"\x16--- FAIL: TestA (0.01s)\n\x16=== RUN   TestB\n\x16--- PASS: TestB (0.00s)\n"
		"\x16=== NAME  \n\x16=== RUN   ExampleB\n\x16--- PASS: ExampleB (0.00s)\n"
		"\x16=== NAME   \n\x16"
		"FAIL\nFAIL\tm/a\t0.000s\n",
		1, &arena, &report);
	assert_true(report.complete);
	assert_result(&report, "m/a::TestA", TEST_FAILED, "got 1", NULL, 0);
	assert_result(&report, "m/a::TestB", TEST_PASSED, NULL, NULL, 0);
	assert_counts(&report, COUNTS(2, 1, 0, 0, 0));
}

static void a_sentinel_is_a_file_of_the_same_package(void **state)
{
	(void)state;
	AUTO_ARENA arena = ARENA_INIT;
	struct sentinel sentinel = {.passing = "a1", .failing = "b2"};
	const char *text = "// Package calc_test: package of tests.\npackage calc_test // here\n";
	assert_true(go_suite.sentinel(NULL, "calc/calc_test.go", text, &arena, &sentinel));
	assert_string_equal(sentinel.path, "calc/a1_test.go");
	assert_true(text_starts_with(sentinel.text, "package calc_test\n"));
	assert_non_null(strstr(sentinel.text, "func Test_a1("));
	assert_non_null(strstr(sentinel.text, "func Test_b2("));
	assert_false(go_suite.sentinel(NULL, "calc/calc_test.go", "", &arena, &sentinel));
}

UNIT(format_go)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(tests_are_told_apart_in_json),
		cmocka_unit_test(what_a_test_prints_is_no_result),
		cmocka_unit_test(packages_that_fail_without_a_test_are_results),
		cmocka_unit_test(a_package_that_is_not_there_is_told_of_who_imports_it),
		cmocka_unit_test(the_test_that_ended_its_program_is_red),
		cmocka_unit_test(json_that_breaks_off_is_not_complete),
		cmocka_unit_test(a_package_cannot_pass_with_a_red_test),
		cmocka_unit_test(tests_that_a_test_runs_may_fail),
		cmocka_unit_test(lines_without_names_tell_of_packages),
		cmocka_unit_test(lines_with_names_tell_of_tests),
		cmocka_unit_test(json_is_asked_for_where_nobody_else_reads_it),
		cmocka_unit_test(some_tests_are_run_by_their_top_names_in_their_packages),
		cmocka_unit_test(test_programs_can_be_started_by_another_one),
		cmocka_unit_test(marked_lines_are_read),
		cmocka_unit_test(a_sentinel_is_a_file_of_the_same_package),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
