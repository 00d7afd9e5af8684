/* Programs that are their own test: how they are run, and what they print. */
#include "tests/unit/suite_fixture.h"

static void read_program(const char *path, const char *name, int exit_code, struct arena *arena,
	struct test_report *report)
{
	struct rondo_error err = {0};
	struct suite suite;
	assert_int_equal(suite_from_program(DATA, path, "esbuild", arena, &suite, &err), 0);
	const char *text = stored(name, arena);
	struct process_result result = {.exit_code = exit_code, .output_bytes = strlen(text)};
	read_bytes(&suite, text, strlen(text), &result, arena, report);
}

static void python_stops_at_the_first_failure(void **state)
{
	(void)state;
	AUTO_ARENA arena = ARENA_INIT;
	struct test_report report;
	read_program("program.py", "program-py.txt", 1, &arena, &report);
	assert_true(report.complete);
	assert_counts(&report, COUNTS(1, 4, 0, 0, 0));
	assert_result(&report, "assert evaluate(\"3 4 +\") == 7", TEST_PASSED, NULL, NULL, 0);
	assert_result(&report, "assert evaluate(\"10 4 -\") == 6, \"subtraction\"", TEST_FAILED,
		"AssertionError: subtraction", "program.py", 13);
	assert_result(&report, "assert evaluate(\"2 3 *\") == 6 (2)", TEST_FAILED, "not reached",
		"program.py", 19);
}

static void an_error_within_an_assertion_is_its_failure(void **state)
{
	(void)state;
	AUTO_ARENA arena = ARENA_INIT;
	struct test_report python, script;
	read_program("program.py", "program-py-attribute.txt", 1, &arena, &python);
	assert_result(&python, "assert evaluate(\"3 4 +\") == 7", TEST_FAILED,
		"AttributeError: 'list' object has no attribute 'popp'. Did you mean: 'pop'?", "program.py",
		5);
	read_program("program.js", "program-js-throws.txt", 1, &arena, &script);
	assert_result(&script, "console.assert(encode(\"aab\") === \"2a1b\", \"two runs\");",
		TEST_FAILED, "TypeError: text.replce is not a function", "program.js", 3);
}

static void an_error_elsewhere_reaches_no_assertion(void **state)
{
	(void)state;
	AUTO_ARENA arena = ARENA_INIT;
	struct test_report report, script;
	read_program("program.js", "program-js-syntax.txt", 1, &arena, &script);
	assert_counts(&script, COUNTS(0, 6, 0, 0, 0));
	assert_result(&script, "console.assert(encode(\"d\") === \"1d\");", TEST_FAILED,
		"not reached: SyntaxError: missing ) after argument list", "program.js", 3);
	read_program("program.py", "program-py-syntax.txt", 1, &arena, &report);
	assert_counts(&report, COUNTS(0, 5, 0, 0, 0));
	assert_result(&report, "assert evaluate(\"3 4 +\") == 7", TEST_FAILED,
		"not reached: SyntaxError: '(' was never closed", "program.py", 21);
}

static void console_assert_fails_though_the_program_succeeds(void **state)
{
	(void)state;
	AUTO_ARENA arena = ARENA_INIT;
	struct test_report report;
	read_program("program.js", "program-js.txt", 0, &arena, &report);
	assert_true(report.complete);
	assert_counts(&report, COUNTS(2, 4, 0, 0, 0));
	assert_result(&report, "console.assert(encode(\"aab\") === \"2a1b\", \"two runs\");",
		TEST_FAILED, "two runs", "program.js", 7);
	assert_result(&report,
		"console.assert( encode(\"ccc\") === \"3c\", `three of ${\"c\"} in "
		"${encode(\"ccc\")}`, );",
		TEST_FAILED, "three of c in c3", "program.js", 9);
	assert_result(
		&report, "console.assert(encode(\"\") === \"\", \"empty\");", TEST_PASSED, NULL, NULL, 0);
	assert_result(
		&report, "console.assert(encode(\"e\") === \"1e\");", TEST_FAILED, NULL, "program.js", 14);
}

static void typescript_throws_at_its_own_lines(void **state)
{
	(void)state;
	AUTO_ARENA arena = ARENA_INIT;
	struct test_report report;
	read_program("program.ts", "program-ts.txt", 1, &arena, &report);
	assert_counts(&report, COUNTS(1, 2, 0, 0, 0));
	assert_result(&report, "assert.strictEqual(most([1, 2]), 3);", TEST_FAILED,
		"AssertionError [ERR_ASSERTION]: Expected values to be strictly equal: -Infinity "
		"!== 3",
		"program.ts", 15);
}

static void examples_fail_whatever_the_exit_code(void **state)
{
	(void)state;
	AUTO_ARENA arena = ARENA_INIT;
	struct test_report report;
	for (int exit_code = 0; exit_code < 2; exit_code++) {
		read_program("examples.py", "program-examples.txt", exit_code, &arena, &report);
		assert_true(report.complete);
		assert_counts(&report, COUNTS(1, 4, 0, 0, 0));
		assert_result(
			&report, ">>> area(3, 4) 12", TEST_FAILED, "expected 12, got 7", "examples.py", 11);
		assert_result(&report, ">>> half(8) 4", TEST_PASSED, NULL, NULL, 0);
		assert_result(&report, ">>> half(9) Traceback (most recent call last): ... ValueError: odd",
			TEST_FAILED, "expected ValueError: odd, got TypeError: odd", "examples.py", 32);
	}
}

static void read_example(
	const char *line, const char *text, struct arena *arena, struct test_report *report)
{
	struct rondo_error err = {0};
	struct suite suite;
	assert_int_equal(suite_from_program(DATA, "examples.py", NULL, arena, &suite, &err), 0);
	const char *output = arena_printf(arena,
		"*****************\nFile \"/tmp/tree/examples.py\", line %s, in examples.area\n"
		"Failed example:\n    %s\nExpected:\n    1\nGot:\n    2\n",
		line, text);
	struct process_result result = {.output_bytes = strlen(output)};
	read_bytes(&suite, output, strlen(output), &result, arena, report);
}

/* Where documentation is another function's, or lines have moved. */
static void an_example_is_known_by_its_text_or_by_its_line(void **state)
{
	(void)state;
	AUTO_ARENA arena = ARENA_INIT;
	static const char *const rows[][3] = {{"99", "area(3, 4)", ">>> area(3, 4) 12"},
		{"24", "area(3, 4)", ">>> area(3, 4) 12"}, {"?", "half(8)", ">>> half(8) 4"},
		{"11", "area(3,\t4)", ">>> area(3, 4) 12"}, {"99", "area(3, 44)", "an example at line 99"},
		{"?", "area(3", ">>> area(3"}};
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		struct test_report report;
		read_example(rows[i][0], rows[i][1], &arena, &report);
		assert_int_equal(report.count[TEST_FAILED], 1);
		assert_non_null(test_report_find(&report, rows[i][2]));
		assert_int_equal(test_report_find(&report, rows[i][2])->status, TEST_FAILED);
	}
}

/* One that the base does not have. */
static void an_example_that_is_not_known_fails(void **state)
{
	(void)state;
	AUTO_ARENA arena = ARENA_INIT;
	struct test_report report;
	read_program("program.py", "program-examples.txt", 0, &arena, &report);
	assert_int_equal(report.count[TEST_FAILED], 4);
	assert_result(&report, "an example at line 11", TEST_FAILED, NULL, "examples.py", 11);
}

static void all_assertions_pass_where_nothing_failed(void **state)
{
	(void)state;
	AUTO_ARENA arena = ARENA_INIT;
	struct test_report report;
	read_program("program.js", "node-none.txt", 0, &arena, &report);
	assert_counts(&report, COUNTS(6, 0, 0, 0, 0));
}

static void commands_by_language(void **state)
{
	(void)state;
	AUTO_ARENA arena = ARENA_INIT;
	struct rondo_error err = {0};
	struct suite suite;
	assert_int_equal(suite_from_program(DATA, "program.py", NULL, &arena, &suite, &err), 0);
	assert_string_equal(suite.command, "python3 program.py");
	assert_int_equal(suite_from_program(DATA, "program.js", NULL, &arena, &suite, &err), 0);
	assert_string_equal(suite.command, "node program.js");
	assert_int_equal(suite_from_program(DATA, "program.ts", "tsx", &arena, &suite, &err), 0);
	assert_string_equal(suite.command, "tsx program.ts");
	assert_int_equal(suite_from_program(DATA, "program.ts", "esbuild", &arena, &suite, &err), 0);
	assert_non_null(strstr(suite.command, "esbuild program.ts --bundle"));
	assert_string_equal(suite.program, "program.ts");
	assert_int_equal(suite_from_program(DATA, "program.ts", NULL, &arena, &suite, &err), -1);
	assert_int_equal(err.code, RONDO_ERROR_CANNOT_JUDGE);
	assert_int_equal(suite_from_program(DATA, "x.rb", NULL, &arena, &suite, &err), -1);
	assert_int_equal(err.code, RONDO_ERROR_USAGE);
	assert_int_equal(suite_from_program(DATA, "absent.py", NULL, &arena, &suite, &err), -1);
}

UNIT(suite_program)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(python_stops_at_the_first_failure),
		cmocka_unit_test(an_error_within_an_assertion_is_its_failure),
		cmocka_unit_test(an_error_elsewhere_reaches_no_assertion),
		cmocka_unit_test(console_assert_fails_though_the_program_succeeds),
		cmocka_unit_test(typescript_throws_at_its_own_lines),
		cmocka_unit_test(examples_fail_whatever_the_exit_code),
		cmocka_unit_test(an_example_is_known_by_its_text_or_by_its_line),
		cmocka_unit_test(an_example_that_is_not_known_fails),
		cmocka_unit_test(all_assertions_pass_where_nothing_failed),
		cmocka_unit_test(commands_by_language),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
