/* Catch2 as it prints: test cases that fail by name, those that pass by number. */
#include "tests/unit/suite_fixture.h"

static void red_names_what_failed(void **state)
{
	(void)state;
	AUTO_ARENA arena = ARENA_INIT;
	struct test_report report;
	read_stored("make check", "catch2-red.txt", 2, &arena, &report);
	assert_string_equal(report.format, "catch2");
	assert_true(report.complete);
	assert_counts(&report, COUNTS(1, 4, 0, 0, 0));
	assert_result(&report, "area of a rectangle", TEST_FAILED,
		"REQUIRE( area(3, 5) == 15 ) with expansion: 8 == 15", "t2.cpp", 4);
	assert_result(&report, "area with sections", TEST_FAILED, NULL, "t2.cpp", 5);
	assert_result(&report, "throws > odd \"name\"", TEST_FAILED,
		"due to unexpected exception with message: boom", "t2.cpp", 6);
	assert_result(&report, "a null pointer", TEST_FAILED,
		"due to a fatal error condition: SIGSEGV - Segmentation violation signal", "t2.cpp", 8);
}

static void green_counts(void **state)
{
	(void)state;
	AUTO_ARENA arena = ARENA_INIT;
	struct test_report report;
	read_stored("make check", "catch2-green.txt", 0, &arena, &report);
	assert_string_equal(report.format, "catch2");
	assert_counts(&report, COUNTS(5, 0, 0, 0, 0));
}

static void none_is_a_problem(void **state)
{
	(void)state;
	AUTO_ARENA arena = ARENA_INIT;
	struct test_report report;
	struct suite suite;
	suite_from_command("./t nosuch", "from a test", &arena, &suite);
	suite.format = "catch2";
	const char *text = stored("catch2-none.txt", &arena);
	struct process_result result = {.output_bytes = strlen(text)};
	read_bytes(&suite, text, strlen(text), &result, &arena, &report);
	assert_false(report.complete);
	assert_string_equal(report.problem, "Catch2 ran no tests");
}

static void compare(
	struct arena *arena, const char *base, const char *fix, struct comparison *comparison)
{
	struct test_report *reports = arena_alloc(arena, 2 * sizeof *reports);
	struct baseline *baseline = arena_alloc(arena, sizeof *baseline);
	read_stored("make check", base, 2, arena, &reports[0]);
	read_text("make check", fix, 0, arena, &reports[1]);
	const struct test_report *twice[] = {&reports[0], &reports[0]};
	baseline_make(twice, 2, NULL, arena, baseline);
	baseline_compare(baseline, &reports[1], arena, comparison);
}

static void what_is_not_named_any_more_has_passed(void **state)
{
	(void)state;
	AUTO_ARENA arena = ARENA_INIT;
	struct comparison comparison;
	compare(&arena, "catch2-red.txt", stored("catch2-green.txt", &arena), &comparison);
	assert_true(comparison.ok);
	assert_int_equal(comparison.n_fixed, 4);
}

static void one_that_is_gone_is_missed(void **state)
{
	(void)state;
	AUTO_ARENA arena = ARENA_INIT;
	struct comparison comparison;
	compare(
		&arena, "catch2-red.txt", "All tests passed (4 assertions in 4 test cases)\n", &comparison);
	assert_false(comparison.ok);
	assert_int_equal(comparison.n_failing, 4);
}

UNIT(format_catch2)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(red_names_what_failed),
		cmocka_unit_test(green_counts),
		cmocka_unit_test(none_is_a_problem),
		cmocka_unit_test(what_is_not_named_any_more_has_passed),
		cmocka_unit_test(one_that_is_gone_is_missed),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
