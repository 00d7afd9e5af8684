/* TAP whose plan is not kept: a crash is a result of its own, anything else is not complete. */
#include "tests/unit/suite_fixture.h"

static void a_broken_promise_is_not_complete(void **state)
{
	(void)state;
	static const struct {
		const char *text, *problem;
	} cases[] = {
		{"TAP version 13\n1..3\nok 1 - a\nok 2 - b\n", "the TAP plan is 3 tests, but 2 were run"},
		{"TAP version 13\nok 1 - a\n", "the TAP output ends before its plan"},
		{"1..2\nok 1 - a\nBail out! no disk\n", "Bail out! no disk"},
		{"TAP version 13\nok 1 - a\n  ---\n  duration_ms: 3\n",
			"the TAP output ends before its plan"},
		{"1..1\nok 1 - a\n  ---\n  duration_ms: 3\n", "the TAP output ends within a test"},
		{"1..0 # skip all\n", "no tests were run"},
		{"1..2\nok 1\nok 2\n1..2\nok 1\n", "the TAP plan is 2 tests, but 1 were run"},
	};
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		AUTO_ARENA arena = ARENA_INIT;
		struct test_report report;
		read_text("make check", cases[i].text, 0, &arena, &report);
		assert_false(report.complete);
		assert_string_equal(report.problem, cases[i].problem);
	}
}

static void what_a_program_says_like_tap_breaks_the_plan(void **state)
{
	(void)state;
	AUTO_ARENA arena = ARENA_INIT;
	struct test_report report;
	read_text("make check", "1..2\nok 1 - a\nok 2 - b\nnot ok 2 - b\n", 1, &arena, &report);
	assert_false(report.complete);
	assert_string_equal(report.problem, "the TAP plan is 2 tests, but 3 were run");
}

static void a_program_that_crashes_has_failed(void **state)
{
	(void)state;
	AUTO_ARENA arena = ARENA_INIT;
	struct test_report report;
	read_text("make check",
		"ok 1 - a\nnot ok 2 - b\n# want 1, got 2\nok 3 - c\n"
		"make: *** [Makefile:2: check] Segmentation fault\n",
		2, &arena, &report);
	assert_true(report.complete);
	assert_counts(&report, COUNTS(1, 1, 1, 0, 0));
	assert_result(&report, "a", TEST_PASSED, NULL, NULL, 0);
	assert_result(&report, "b", TEST_FAILED, "want 1, got 2", NULL, 0);
	assert_result(&report, "make check", TEST_ERROR,
		"make: *** [Makefile:2: check] Segmentation fault", NULL, 0);
}

static void why_it_ended_is_what_it_said_last(void **state)
{
	(void)state;
	static const struct {
		const char *text, *message, *file;
		int line;
	} cases[] = {
		{"1..3\nok 1 - a\nok 2 - b\nt: list.c:8: pop: Assertion `list\' failed.\nAborted\n",
			"t: list.c:8: pop: Assertion `list' failed.", "list.c", 8},
		{"1..3\nerror: this one is recovered\nok 1 - a\nok 2 - b\nmake: *** [Makefile:2: check] "
		 "Error "
		 "1\n",
			"make: *** [Makefile:2: check] Error 1", NULL, 0},
		{"TAP version 13\nok 1 - a\nok 2 - b\n/x/a.js:3\n\nError: boom\n", "Error: boom", NULL, 0},
	};
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		AUTO_ARENA arena = ARENA_INIT;
		struct test_report report;
		read_text("make check", cases[i].text, 2, &arena, &report);
		assert_true(report.complete);
		assert_counts(&report, COUNTS(1, 0, 1, 0, 0));
		assert_result(
			&report, "make check", TEST_ERROR, cases[i].message, cases[i].file, cases[i].line);
	}
}

/* A pipe gets what a program prints in blocks, and the last one may end anywhere. */
static void the_line_in_which_it_breaks_off_names_no_test(void **state)
{
	(void)state;
	static const struct {
		const char *text;
		size_t n;
	} cases[] = {
		{"ok 1 - a\nok 2 - the lonmake: *** [check] Aborted\n", 2}, {"ok 1 - a\nok 2 - the lon", 2},
		{"1..4\nok 1 - a\n    ok 1 - the lon", 2},
		{"ok 1 - a\nnot ok 2 - the lon", 3}, /* which must not be taken for fixed */
	};
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		AUTO_ARENA arena = ARENA_INIT;
		struct test_report report;
		read_text("make check", cases[i].text, 139, &arena, &report);
		assert_true(report.complete);
		assert_int_equal(report.n, cases[i].n);
		assert_result(&report, "a", TEST_PASSED, NULL, NULL, 0);
		assert_non_null(test_report_find(&report, "make check"));
	}
}

static void a_program_without_a_plan_fails_by_a_crash_alone(void **state)
{
	(void)state;
	AUTO_ARENA arena = ARENA_INIT;
	struct test_report report;
	read_text(
		"make check", "ok 1 - a\nnot ok 2 - b\nmake: *** [check] Error 1\n", 2, &arena, &report);
	assert_false(report.complete);
	assert_string_equal(report.problem, "the TAP output ends before its plan");
}

/* Of programs that are run one after the other, any may crash. */
static void the_next_program_begins_with_its_first_test(void **state)
{
	(void)state;
	static const struct {
		const char *text;
		size_t passed;
	} cases[] = {
		{"ok 1 - a\nok 2 - b\nt: list.c:8: Assertion `list\' failed.\nok 1 - p\n1..1\n", 2},
		{"1..4\nok 1 - a\nok 2 - b\nt: list.c:8: Assertion `list\' failed.\nok 1 - p\n1..1\n", 2},
	};
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		AUTO_ARENA arena = ARENA_INIT;
		struct test_report report;
		read_text("make check", cases[i].text, 2, &arena, &report);
		assert_true(report.complete);
		assert_counts(&report, COUNTS(cases[i].passed, 0, 1, 0, 0));
		assert_result(&report, "p", TEST_PASSED, NULL, NULL, 0);
		assert_result(&report, "make check", TEST_ERROR, "t: list.c:8: Assertion `list\' failed.",
			"list.c", 8);
	}
}

static void a_crash_after_the_plan_counts(void **state)
{
	(void)state;
	AUTO_ARENA arena = ARENA_INIT;
	struct suite suite;
	struct test_report report;
	static const char text[] = "1..2\nok 1 - a\nok 2 - b\n";
	const struct process_result result = {
		.end = PROCESS_SIGNALLED, .signal = 11, .exit_code = 139, .output_bytes = sizeof text - 1};
	suite_from_command("./t", "from a test", &arena, &suite);
	read_bytes(&suite, text, sizeof text - 1, &result, &arena, &report);
	assert_true(report.complete);
	assert_counts(&report, COUNTS(1, 0, 1, 0, 0));
	assert_result(&report, "./t", TEST_ERROR, "killed by SIGSEGV", NULL, 0);
}

UNIT(tap_broken)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_broken_promise_is_not_complete),
		cmocka_unit_test(what_a_program_says_like_tap_breaks_the_plan),
		cmocka_unit_test(a_program_that_crashes_has_failed),
		cmocka_unit_test(why_it_ended_is_what_it_said_last),
		cmocka_unit_test(the_line_in_which_it_breaks_off_names_no_test),
		cmocka_unit_test(a_program_without_a_plan_fails_by_a_crash_alone),
		cmocka_unit_test(the_next_program_begins_with_its_first_test),
		cmocka_unit_test(a_crash_after_the_plan_counts),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
