/* Which formats a run is read in: those that show themselves, several side by side, or those that
 * are settled. */
#include "tests/unit/suite_fixture.h"

#include "verify/suite/lines.h"

static const char pytest[] = "=== test session starts ===\n"
							 "a.py::x PASSED\n"
							 "=== 1 passed in 0.1s ===\n";
static const char tap[] = "TAP version 13\n1..1\nok 1 - y\n";

static void read_in(
	const char *format, const char *text, struct arena *arena, struct test_report *report)
{
	struct suite suite;
	suite_from_command("make check", "", arena, &suite);
	suite.format = format;
	struct process_result result = {.output_bytes = strlen(text)};
	read_bytes(&suite, text, strlen(text), &result, arena, report);
}

static void the_format_that_shows_itself_is_read(void **state)
{
	(void)state;
	static const struct {
		const char *text, *format;
	} cases[] = {
		{pytest, "pytest"},
		{tap, "tap"},
		{"test_a (x.Y.test_a) ... ok\nRan 1 test in 0.1s\n\nOK\n", "unittest"},
		{"[==========] Running 1 test(s).\n"
		 "[ RUN      ] a\n"
		 "[       OK ] a\n"
		 "[==========] 1 test(s) run.\n",
			"cmocka"},
		{"[==========] Running 1 test from 1 test suite.\n"
		 "[ RUN      ] A.B\n"
		 "[       OK ] A.B (0 ms)\n"
		 "[==========] 1 test from 1 test suite ran. (0 ms total)\n",
			"googletest"},
		{"all fine\n", "exit"},
		{"", "exit"},
	};
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		AUTO_ARENA arena = ARENA_INIT;
		struct test_report report;
		read_in(NULL, cases[i].text, &arena, &report);
		assert_string_equal(report.format, cases[i].format);
		assert_true(report.complete);
		assert_int_equal(report.n, 1);
	}
}

static void several_are_read_side_by_side(void **state)
{
	(void)state;
	AUTO_ARENA arena = ARENA_INIT;
	struct test_report report;
	read_in(NULL, arena_printf(&arena, "%s%s", tap, pytest), &arena, &report);
	assert_string_equal(report.format, "pytest+tap");
	assert_true(report.complete);
	assert_counts(&report, COUNTS(2, 0, 0, 0, 0));
	assert_result(&report, "a.py::x", TEST_PASSED, NULL, NULL, 0);
	assert_result(&report, "y", TEST_PASSED, NULL, NULL, 0);
}

static void one_that_breaks_off_leaves_the_run_incomplete(void **state)
{
	(void)state;
	AUTO_ARENA arena = ARENA_INIT;
	struct test_report report;
	read_in(NULL,
		arena_printf(&arena,
			"TAP version 13\n"
			"1..2\n"
			"ok 1 - y\n"
			"%s",
			pytest),
		&arena, &report);
	assert_false(report.complete);
	assert_string_equal(report.problem, "the TAP plan is 2 tests, but 1 were run");
}

static void settled_formats_are_read_whatever_shows_itself(void **state)
{
	(void)state;
	AUTO_ARENA arena = ARENA_INIT;
	struct test_report report;
	read_in("tap", arena_printf(&arena, "%s%s", tap, pytest), &arena, &report);
	assert_string_equal(report.format, "tap");
	assert_int_equal(report.n, 1);
	read_in("pytest+tap", tap, &arena, &report);
	assert_string_equal(report.format, "pytest+tap");
	assert_false(report.complete);
	read_in("exit", pytest, &arena, &report);
	assert_result(&report, "make check", TEST_PASSED, NULL, NULL, 0);
}

static void a_line_of_fail_output_is_a_red_test(void **state)
{
	(void)state;
	AUTO_ARENA arena = ARENA_INIT;
	struct suite suite;
	struct test_report report;
	struct process_result result = {.exit_code = 0};
	static const char *const patterns[] = {"WARNING: .*race", "^leaked [0-9]+"};
	suite_from_command("make check", "", &arena, &suite);
	suite.fail_output = patterns;
	suite.n_fail_output = ARRAY_SIZE(patterns);
	const char *text = arena_printf(&arena, "%sWARNING: data race\nWARNING: another race\n", tap);
	result.output_bytes = strlen(text);
	read_bytes(&suite, text, strlen(text), &result, &arena, &report);
	assert_true(report.complete);
	assert_counts(&report, COUNTS(2, 1, 0, 0, 0));
	assert_result(
		&report, "no output matches 'WARNING: .*race'", TEST_FAILED, "WARNING: data race", NULL, 0);
	assert_result(&report, "no output matches '^leaked [0-9]+'", TEST_PASSED, NULL, NULL, 0);
}

static void a_pattern_that_is_none_is_an_error_that_quotes_it(void **state)
{
	(void)state;
	AUTO_ARENA arena = ARENA_INIT;
	struct suite suite;
	struct test_report report = {.n = 7};
	struct rondo_error err;
	struct process_result result = {.exit_code = 0};
	static const char *const pattern = "a(";
	AUTO_CLOSE log = memfd_create("log", MFD_CLOEXEC);
	suite_from_command("make check", "", &arena, &suite);
	suite.fail_output = &pattern;
	suite.n_fail_output = 1;
	assert_int_equal(suite_read(&suite, &(struct suite_output){.log = log, .result = &result},
						 &arena, &report, &err),
		-1);
	assert_non_null(
		strstr(err.message, "test.fail_output: 'a(' is no extended regular expression"));
	assert_int_equal(report.n, 7);
}

static void a_line_is_like_a_pattern(void **state)
{
	(void)state;
	static const struct {
		const char *pattern, *line, *rest; /* NULL: it is not like it */
		size_t numbers[2];
	} rows[] = {
		{"ran # of #*", "ran 3 of 12 tests", " tests", {3, 12}},
		{"ran #", "ran 3", "", {3}},
		{"ran #", "ran 3 ", NULL, {0}},
		{"ran #", "ran x", NULL, {0}},
		{"ran #", "ran ", NULL, {0}},
		{"* #", "a b 1 2", "", {2}},
		{"*# run*# ran", "a1 run 7 rat 8 ran", "", {1, 8}},
		{"*(* ms)", "a (b) (1 ms)", "", {0}},
		{"*(* ms)", "a (b) (1 s)", NULL, {0}},
		{"(*)*", "(*) x", " x", {0}},
		{"a*", "a", "", {0}},
		{"", "", "", {0}},
		{"", "a", NULL, {0}},
	};
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		size_t numbers[2] = {0};
		const char *rest = line_match(rows[i].line, rows[i].pattern, numbers);
		assert_true((rest != NULL) == (rows[i].rest != NULL));
		if (!rest)
			continue;
		assert_string_equal(rest, rows[i].rest);
		assert_memory_equal(numbers, rows[i].numbers, sizeof numbers);
	}
}

UNIT(formats)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_format_that_shows_itself_is_read),
		cmocka_unit_test(several_are_read_side_by_side),
		cmocka_unit_test(one_that_breaks_off_leaves_the_run_incomplete),
		cmocka_unit_test(settled_formats_are_read_whatever_shows_itself),
		cmocka_unit_test(a_line_of_fail_output_is_a_red_test),
		cmocka_unit_test(a_pattern_that_is_none_is_an_error_that_quotes_it),
		cmocka_unit_test(a_line_is_like_a_pattern),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
