/* Which failing tests probably have one cause, and a goal that is a part of another. */
#include "tests/unit/suite_fixture.h"

static void add_red(struct test_report *report, struct arena *arena, const char *id,
	const char *message, const char *file, int line)
{
	test_report_add(report, arena,
		&(struct test_result){
			.id = id, .status = TEST_FAILED, .message = message, .file = file, .line = line});
}

static bool is_product(void *owner, const char *path, int line)
{
	(void)owner, (void)line;
	return !strstr(path, "test");
}

static void divide(const struct test_report *report, struct arena *arena, struct baseline *baseline)
{
	const struct test_report *twice[] = {report, report};
	baseline_make(twice, 2, NULL, arena, baseline);
	baseline_group(baseline, is_product, NULL, arena);
}

static void those_that_fail_alike_are_one_group(void **state)
{
	(void)state;
	AUTO_ARENA arena = ARENA_INIT;
	struct baseline baseline;
	struct test_report report = {.complete = true, .exit_code = 1};
	add_red(&report, &arena, "t/test_a.py::x", "TypeError: no", "shop/cart.py", 7);
	add_red(&report, &arena, "t/test_b.py::y", "TypeError: other words", "shop/cart.py", 7);
	add_red(&report, &arena, "t/test_a.py::z", "shop.errors.TypeError: no", "shop/cart.py", 8);
	add_red(&report, &arena, "t/test_a.py::u", "ValueError: no", "shop/cart.py", 7);
	add_red(&report, &arena, "t/test_a.py::v", "assert 1 == 2", "t/test_a.py", 3);
	add_red(&report, &arena, "t/test_a.py::w", "AssertionError: 1 != 2", "t/test_a.py", 9);
	add_red(&report, &arena, "t/test_b.py::v", "assert 1 == 2", "t/test_b.py", 3);
	add_red(&report, &arena, "t/test_b.py::k", "KeyError: 'x'", "t/test_b.py", 5);
	add_red(&report, &arena, "pkg::TestX", "got 1, want 2: wrong", NULL, 0);
	add_red(&report, &arena, "a.test.js > adds", NULL, NULL, 0);
	add_red(&report, &arena, "alone", NULL, NULL, 0);
	add_red(&report, &arena, "alone, too", "panic: runtime error: index out of range", "sum.go", 4);
	divide(&report, &arena, &baseline);
	static const struct {
		const char *cause;
		size_t n;
	} expected[] = {{"TypeError at shop/cart.py:7", 2}, {"TypeError at shop/cart.py:8", 1},
		{"ValueError at shop/cart.py:7", 1}, {"failures in t/test_a.py", 2},
		{"failures in t/test_b.py", 1}, {"KeyError in t/test_b.py", 1}, {"failures in pkg", 1},
		{"failures in a.test.js", 1}, {"failures", 1}, {"panic at sum.go:4", 1}};
	assert_int_equal(baseline.n_groups, ARRAY_SIZE(expected));
	for (size_t i = 0; i < baseline.n_groups; i++) {
		assert_string_equal(baseline.groups[i].cause, expected[i].cause);
		assert_int_equal(baseline.groups[i].n, expected[i].n);
	}
	assert_string_equal(baseline.groups[0].ids[1], "t/test_b.py::y");
	baseline_sort_goal(&baseline);
	assert_string_equal(baseline.goal[1], "t/test_b.py::y");
}

/* Tests a and b fail in one place, c in another; g passes. */
static void make_base(struct arena *arena, struct test_report *report, struct baseline *baseline)
{
	*report = (struct test_report){.complete = true, .exit_code = 1};
	add_red(report, arena, "a", "E", "x.py", 1);
	add_red(report, arena, "b", "E", "x.py", 1);
	add_red(report, arena, "c", "E", "y.py", 1);
	test_report_add(report, arena, &(struct test_result){.id = "g", .status = TEST_PASSED});
	divide(report, arena, baseline);
	assert_int_equal(baseline->n_groups, 2);
}

static struct test_report later(struct arena *arena, const char *red)
{
	static const char *const ids[] = {"a", "b", "c", "g"};
	struct test_report report = {.complete = true, .exit_code = *red != '\0'};
	for (size_t i = 0; i < ARRAY_SIZE(ids); i++)
		test_report_add(&report, arena,
			&(struct test_result){
				.id = ids[i], .status = strstr(red, ids[i]) ? TEST_FAILED : TEST_PASSED});
	return report;
}

static void a_group_is_fixed_where_all_its_tests_pass(void **state)
{
	(void)state;
	AUTO_ARENA arena = ARENA_INIT;
	struct test_report report;
	struct baseline baseline;
	const char **ids;
	size_t n;
	make_base(&arena, &report, &baseline);
	assert_int_equal(
		baseline_fixed_groups(&baseline, (const char *[]){"a", "c"}, 2, &arena, &ids, &n), 1);
	assert_int_equal(n, 1);
	assert_string_equal(ids[0], "c");
	assert_int_equal(
		baseline_fixed_groups(&baseline, (const char *[]){"b"}, 1, &arena, &ids, &n), 0);
	baseline.n_groups = 0;
	assert_int_equal(
		baseline_fixed_groups(&baseline, (const char *[]){"a", "b", "c"}, 3, &arena, &ids, &n), 0);
}

/* Fresh tests are told apart from others that fail alike, if there are others. */
static void a_new_failure_is_in_no_group_with_old_ones(void **state)
{
	(void)state;
	AUTO_ARENA arena = ARENA_INIT;
	struct test_report report;
	struct baseline baseline;
	make_base(&arena, &report, &baseline);
	baseline.fresh = (const char *[]){"b"};
	baseline.n_fresh = 1;
	baseline_group(&baseline, is_product, NULL, &arena);
	assert_int_equal(baseline.n_groups, 3);
	assert_string_equal(baseline.groups[1].ids[0], "b");
	assert_true(baseline.groups[1].is_new);
	assert_string_equal(baseline.groups[1].cause, "a failure at x.py:1, new");
	assert_false(baseline.groups[0].is_new);
	baseline.fresh = (const char *[]){"a", "b", "c"};
	baseline.n_fresh = 3;
	baseline_group(&baseline, is_product, NULL, &arena);
	assert_int_equal(baseline.n_groups, 2);
	assert_false(baseline.groups[0].is_new);
}

static void a_narrow_goal_asks_for_less(void **state)
{
	(void)state;
	static const struct {
		const char *red;
		bool holds, ok;
		const char *problem;
		size_t also;
	} cases[] = {
		{"c", false, true, NULL, 0},
		{"", false, true, NULL, 1},
		{"bc", false, false, "1 of 2 tests of the goal does not pass: b", 0},
		{"cg", false, false, "1 test that passed fails: g", 0},
		{"", true, true, NULL, 0},
		{"c", true, false, "1 test that passed fails: c", 0},
	};
	AUTO_ARENA arena = ARENA_INIT;
	struct test_report base;
	struct baseline whole, narrow;
	make_base(&arena, &base, &whole);
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		struct comparison comparison;
		struct test_report report = later(&arena, cases[i].red);
		baseline_narrow(&whole, whole.groups[0].ids, whole.groups[0].n, (const char *[]){"c"},
			cases[i].holds, &arena, &narrow);
		baseline_compare(&narrow, &report, &arena, &comparison);
		assert_int_equal(comparison.ok, cases[i].ok);
		assert_int_equal(comparison.n_also, cases[i].also);
		if (cases[i].problem)
			assert_string_equal(comparison.problem, cases[i].problem);
	}
	/* A red suite without a red test. */
	struct comparison comparison;
	struct test_report silent = later(&arena, "");
	silent.exit_code = 1;
	baseline_compare(&narrow, &silent, &arena, &comparison);
	assert_false(comparison.ok);
	assert_string_equal(
		comparison.problem, "the test command exits with 1, which no failing test explains");
}

UNIT(groups)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(those_that_fail_alike_are_one_group),
		cmocka_unit_test(a_group_is_fixed_where_all_its_tests_pass),
		cmocka_unit_test(a_new_failure_is_in_no_group_with_old_ones),
		cmocka_unit_test(a_narrow_goal_asks_for_less),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
