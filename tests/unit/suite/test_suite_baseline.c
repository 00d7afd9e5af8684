/* What counts as failing before, and each way in which a later run can fall short of it. */
#include "tests/unit/suite_fixture.h"

/* A report from "id=status" words; p, f, e, s, x for the statuses, k for one that passed but for a
 * skipped subtest; "id@place=status" with a place. An underscore in an id is a space. */
static struct test_report *report_of(struct arena *arena, const char *text, int exit_code)
{
	static const char letters[] = "pfesxk";
	struct test_report *report = arena_alloc(arena, sizeof *report);
	*report = (struct test_report){.complete = true, .exit_code = exit_code};
	while (*text) {
		size_t n = strcspn(text, "="), n_id = strcspn(text, "@=");
		char *id = arena_strndup(arena, text, n_id);
		for (char *gap; (gap = strchr(id, '_'));)
			*gap = ' ';
		test_report_add(report, arena,
			&(struct test_result){.id = id,
				.place = n_id < n ? arena_strndup(arena, text + n_id + 1, n - n_id - 1) : NULL,
				.status =
					(enum test_status)(strchr(letters, text[n + 1]) - letters) % TEST_STATUSES,
				.n_skipped = text[n + 1] == 'k'});
		text += n + 2;
		text += *text == ' ';
	}
	return report;
}

static struct baseline baseline_of(
	struct arena *arena, const char *first, const char *second, const char *pattern)
{
	struct baseline baseline;
	const struct test_report *reports[] = {report_of(arena, first, 1), report_of(arena, second, 1)};
	struct option_strings goal = {.items = &pattern, .n = pattern != NULL};
	baseline_make(reports, 2, &goal, arena, &baseline);
	return baseline;
}

static const char *joined(struct arena *arena, const char *const *ids, size_t n)
{
	const char *text = "";
	for (size_t i = 0; i < n; i++)
		text = arena_printf(arena, "%s%s%s", text, i ? " " : "", ids[i]);
	return text;
}

#define ASSERT_IDS(ids, n, expected) \
	assert_string_equal(joined(&arena, (const char *const *)(ids), (n)), (expected))

static void only_what_all_runs_agree_on_counts(void **state)
{
	(void)state;
	AUTO_ARENA arena = ARENA_INIT;
	struct baseline b = baseline_of(
		&arena, "a=p b=f c=f d=p e=s f=e gone=p h=x", "a=p b=f c=p d=f e=s f=f h=x came=f", NULL);
	ASSERT_IDS(b.green, b.n_green, "a");
	ASSERT_IDS(b.goal, b.n_goal, "b f");
	ASSERT_IDS(b.flaky, b.n_flaky, "c d gone came");
	assert_int_equal(b.n_skipped, 2);
	assert_int_equal(b.n_red, 0);
	assert_true(b.exit_was_red);
}

static void a_name_of_a_test_means_no_longer_one(void **state)
{
	(void)state;
	AUTO_ARENA arena = ARENA_INIT;
	struct baseline b = baseline_of(&arena, "t=f t2=f", "t=f t2=f", "t");
	ASSERT_IDS(b.goal, b.n_goal, "t");
	ASSERT_IDS(b.red, b.n_red, "t2");
	b = baseline_of(&arena, "t1=f t2=f", "t1=f t2=f", "t");
	ASSERT_IDS(b.goal, b.n_goal, "t1 t2");
}

static void a_goal_may_be_a_part_of_what_fails(void **state)
{
	(void)state;
	AUTO_ARENA arena = ARENA_INIT;
	const char *ids = "t/a.py::x=f t/b.py::y=f t/b.py::z=p";
	struct baseline part = baseline_of(&arena, ids, ids, "b.py");
	ASSERT_IDS(part.goal, part.n_goal, "t/b.py::y");
	ASSERT_IDS(part.red, part.n_red, "t/a.py::x");
	struct baseline glob = baseline_of(&arena, ids, ids, "t/*.py::x");
	ASSERT_IDS(glob.goal, glob.n_goal, "t/a.py::x");
}

static struct comparison compare(
	struct arena *arena, const struct baseline *baseline, const char *text, int exit_code)
{
	struct comparison comparison;
	baseline_compare(baseline, report_of(arena, text, exit_code), arena, &comparison);
	return comparison;
}

static void all_is_well(void **state)
{
	(void)state;
	AUTO_ARENA arena = ARENA_INIT;
	struct baseline b = baseline_of(&arena, "a=p b=f s=s", "a=p b=f s=s", NULL);
	struct comparison c = compare(&arena, &b, "a=p b=p s=p new=p", 0);
	assert_true(c.ok);
	assert_null(c.problem);
	ASSERT_IDS(c.fixed, c.n_fixed, "b");
}

static void each_way_to_fall_short(void **state)
{
	(void)state;
	static const struct {
		const char *text;
		int exit_code;
		const char *problem;
	} cases[] = {
		{"a=p b=f c=f s=s", 1, "2 of 2 tests of the goal do not pass, first b"},
		{"a=p b=p c=s s=s", 0, "1 of 2 tests of the goal does not pass: c"},
		{"a=p b=p s=s", 0, "1 of 2 tests of the goal does not pass: c"},
		{"a=f b=p c=p s=s", 1, "1 test that passed fails: a"},
		{"a=e b=p c=p s=s", 1, "1 test that passed fails: a"},
		{"b=p c=p s=s", 0, "1 test was not run any more: a"},
		{"a=p b=p c=p", 0, "1 test was not run any more: s"},
		{"a=s b=p c=p s=s", 0, "1 test is skipped that was not: a"},
		{"a=x b=p c=p s=s", 0, "1 test is skipped that was not: a"},
		{"a=k b=p c=p s=s", 0, "1 test is skipped that was not: a"},
		{"a=p b=k c=p s=s", 0, "1 test is skipped that was not: b"},
		{"a=p b=p c=p s=s n=f", 1, "1 new test fails: n"},
		{"a=p b=p c=p s=s", 1, "the test command exits with 1, which no failing test explains"},
	};
	AUTO_ARENA arena = ARENA_INIT;
	struct baseline b = baseline_of(&arena, "a=p b=f c=f s=s", "a=p b=f c=f s=s", NULL);
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		struct comparison c = compare(&arena, &b, cases[i].text, cases[i].exit_code);
		assert_false(c.ok);
		assert_string_equal(c.problem, cases[i].problem);
	}
}

static void lists_say_what_happened_to_each(void **state)
{
	(void)state;
	AUTO_ARENA arena = ARENA_INIT;
	struct baseline b =
		baseline_of(&arena, "a=p b=f c=f d=p e=p g=f", "a=p b=f c=f d=p e=p g=f", NULL);
	struct comparison c = compare(&arena, &b, "a=f b=p c=f d=s g=s n=f m=p", 1);
	ASSERT_IDS(c.fixed, c.n_fixed, "b");
	ASSERT_IDS(c.failing, c.n_failing, "c g");
	ASSERT_IDS(c.broken, c.n_broken, "a");
	ASSERT_IDS(c.missing, c.n_missing, "e");
	ASSERT_IDS(c.skipped, c.n_skipped, "d g");
	ASSERT_IDS(c.red_new, c.n_red_new, "n");
}

/* A name may hold what was printed; the plan's number then says which test it is. */
static void a_test_is_known_by_its_place_where_its_name_changed(void **state)
{
	(void)state;
	AUTO_ARENA arena = ARENA_INIT;
	const char *red = "b_(got_8)@1=f a@2=p";
	struct baseline b = baseline_of(&arena, red, red, NULL);
	struct comparison c = compare(&arena, &b, "b_(got_15)@1=p a@2=p", 0);
	assert_true(c.ok);
	ASSERT_IDS(c.fixed, c.n_fixed, "b (got 8)");
	static const struct {
		const char *report, *problem;
	} cases[] = {
		{"b_(got_7)@1=f a@2=p", "1 of 1 tests of the goal does not pass: b (got 8)"},
		{"b_(got_8_x)@1=x a@2=p", "1 of 1 tests of the goal does not pass: b (got 8)"},
		{"b_(got_8_y)@1=s a@2=p", "1 of 1 tests of the goal does not pass: b (got 8)"},
		{"c@1=p a@2=p", "1 of 1 tests of the goal does not pass: b (got 8)"},
		{"b_(got_15)@3=p a@2=p", "1 of 1 tests of the goal does not pass: b (got 8)"},
		{"b_(got_15)=p a@2=p", "1 of 1 tests of the goal does not pass: b (got 8)"},
		{"a@1=p b_(got_15)@2=p", "1 of 1 tests of the goal does not pass: b (got 8)"},
	};
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++)
		assert_string_equal(compare(&arena, &b, cases[i].report, 1).problem, cases[i].problem);
	c = compare(&arena, &b, "b_(got_7)@1=f a@2=p", 1);
	assert_int_equal(c.n_red_new + c.n_missing, 0);
}

static void flaky_tests_count_neither_way(void **state)
{
	(void)state;
	AUTO_ARENA arena = ARENA_INIT;
	struct baseline b = baseline_of(&arena, "a=p b=f w=p gone=p", "a=p b=f w=f came=f", NULL);
	assert_true(compare(&arena, &b, "a=p b=p w=p", 0).ok);
	assert_true(compare(&arena, &b, "a=p b=p w=f came=f", 1).ok);
	assert_true(compare(&arena, &b, "a=p b=p", 0).ok);
	assert_false(compare(&arena, &b, "a=p b=p w=p", 1).ok);
}

static void failures_outside_of_the_goal_may_stay(void **state)
{
	(void)state;
	AUTO_ARENA arena = ARENA_INIT;
	struct baseline b = baseline_of(&arena, "a=p b=f old=f", "a=p b=f old=f", "b");
	assert_true(compare(&arena, &b, "a=p b=p old=f", 1).ok);
	assert_true(compare(&arena, &b, "a=p b=p old=p", 0).ok);
	assert_false(compare(&arena, &b, "a=p b=p", 0).ok);
	assert_false(compare(&arena, &b, "a=p b=p old=s", 0).ok);
}

static void what_could_not_be_loaded_is_replaced_by_its_tests(void **state)
{
	(void)state;
	AUTO_ARENA arena = ARENA_INIT;
	struct baseline b = baseline_of(&arena, "a.py::a=p t.py=e", "a.py::a=p t.py=e", NULL);
	assert_true(compare(&arena, &b, "a.py::a=p t.py::b=p", 0).ok);
	assert_false(compare(&arena, &b, "a.py::a=p", 0).ok);
	assert_false(compare(&arena, &b, "a.py::a=p t.py::b=f", 1).ok);
	assert_false(compare(&arena, &b, "a.py::a=p t.py::b=s", 0).ok);
	assert_false(compare(&arena, &b, "a.py::a=p other=s", 0).ok);
	assert_true(compare(&arena, &b, "a.py::a=p t.py::b=s other=p", 0).ok);
	struct baseline setup = baseline_of(&arena, "a.py::a=p t.py::b=e", "a.py::a=p t.py::b=e", NULL);
	assert_false(compare(&arena, &setup, "a.py::a=p t.py::c=p", 0).ok);
}

static void a_file_that_failed_around_its_tests_is_replaced_by_them(void **state)
{
	(void)state;
	AUTO_ARENA arena = ARENA_INIT;
	struct baseline b =
		baseline_of(&arena, "a.test.js=e a.test.js > x=p", "a.test.js=e a.test.js > x=p", NULL);
	struct comparison c;
	baseline_compare(&b, report_of(&arena, "a.test.js > x=p", 0), &arena, &c);
	assert_true(c.ok);
	baseline_compare(&b, report_of(&arena, "b.test.js > x=p", 0), &arena, &c);
	assert_false(c.ok);
}

static void an_incomplete_run_is_never_ok(void **state)
{
	(void)state;
	AUTO_ARENA arena = ARENA_INIT;
	struct baseline b = baseline_of(&arena, "a=p b=f", "a=p b=f", NULL);
	struct test_report *report = report_of(&arena, "a=p b=p", 0);
	report->complete = false;
	report->problem = "timed out after 60 s";
	struct comparison c;
	baseline_compare(&b, report, &arena, &c);
	assert_false(c.ok);
	assert_string_equal(c.problem, "timed out after 60 s");
}

static void a_run_of_the_goal_alone_misses_nothing_and_is_never_ok(void **state)
{
	(void)state;
	AUTO_ARENA arena = ARENA_INIT;
	struct baseline b = baseline_of(&arena, "a=p b=f c=f d=p", "a=p b=f c=f d=p", NULL);
	struct comparison c;
	baseline_compare_goal(&b, report_of(&arena, "a=f b=p c=f new=f", 1), &arena, &c);
	assert_string_equal(joined(&arena, c.fixed, c.n_fixed), "b");
	assert_string_equal(joined(&arena, c.failing, c.n_failing), "c");
	assert_string_equal(joined(&arena, c.broken, c.n_broken), "a");
	assert_string_equal(joined(&arena, c.red_new, c.n_red_new), "new");
	assert_int_equal(c.n_missing, 0);
	assert_int_equal(comparison_regressions(&c), 2);
	assert_string_equal(c.problem, "1 of 2 tests of the goal does not pass: c");
	baseline_compare_goal(&b, report_of(&arena, "b=p c=p", 0), &arena, &c);
	assert_false(c.ok);
	assert_string_equal(c.problem, "the whole suite was not run");
}

static void what_is_seen_of_the_goal(void **state)
{
	(void)state;
	AUTO_ARENA arena = ARENA_INIT;
	struct baseline b = baseline_of(&arena, "a=p b=f c=f", "a=p b=f c=f", NULL);
	assert_true(baseline_saw_goal(&b, report_of(&arena, "b=p c=e", 1), true));
	assert_false(baseline_saw_goal(&b, report_of(&arena, "a=f b=p", 1), true));
	assert_true(baseline_saw_goal(&b, report_of(&arena, "a=f b=p", 1), false));
	assert_false(baseline_saw_goal(&b, report_of(&arena, "a=f other=f", 1), false));
}

static void new_failures_come_to_the_front(void **state)
{
	(void)state;
	AUTO_ARENA arena = ARENA_INIT;
	struct baseline b = baseline_of(&arena, "old=f a=p b=f", "old=f a=p b=f", "b");
	struct test_report *report = report_of(&arena, "old=f ok=p a=f b=e", 1);
	const char *ids[4];
	baseline_put_first(&b, report, &arena);
	for (size_t i = 0; i < 4; i++)
		ids[i] = report->results[i]->id;
	assert_string_equal(joined(&arena, ids, report->n),
		joined(&arena, (const char *const[]){"a", "b", "old", "ok"}, 4));
	assert_int_equal(test_report_find(report, "b")->status, TEST_ERROR);
}

/* A program that crashed is no test that can pass: what it had not come to says more. */
static void what_could_not_run_is_fixed_if_what_comes_passes(void **state)
{
	(void)state;
	AUTO_ARENA arena = ARENA_INIT;
	struct baseline b =
		baseline_of(&arena, "a=p make_check@the command=e", "a=p make_check@the command=e", NULL);
	static const struct {
		const char *text;
		int exit_code;
		size_t fixed;
	} cases[] = {{"a=p", 0, 1}, {"a=p", 1, 0}, {"a=p b=p", 0, 1}, {"a=p b=p c=f", 1, 0},
		{"a=p make_check=e", 2, 0}};
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++)
		assert_int_equal(
			baseline_count_fixed(&b, report_of(&arena, cases[i].text, cases[i].exit_code), &arena),
			cases[i].fixed);
	assert_true(compare(&arena, &b, "a=p", 0).ok);
	assert_string_equal(compare(&arena, &b, "a=p b=p c=f", 1).problem, "1 new test fails: c");
}

UNIT(suite_baseline)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(only_what_all_runs_agree_on_counts),
		cmocka_unit_test(a_name_of_a_test_means_no_longer_one),
		cmocka_unit_test(a_goal_may_be_a_part_of_what_fails),
		cmocka_unit_test(all_is_well),
		cmocka_unit_test(each_way_to_fall_short),
		cmocka_unit_test(lists_say_what_happened_to_each),
		cmocka_unit_test(a_test_is_known_by_its_place_where_its_name_changed),
		cmocka_unit_test(flaky_tests_count_neither_way),
		cmocka_unit_test(failures_outside_of_the_goal_may_stay),
		cmocka_unit_test(what_could_not_be_loaded_is_replaced_by_its_tests),
		cmocka_unit_test(a_file_that_failed_around_its_tests_is_replaced_by_them),
		cmocka_unit_test(an_incomplete_run_is_never_ok),
		cmocka_unit_test(a_run_of_the_goal_alone_misses_nothing_and_is_never_ok),
		cmocka_unit_test(what_is_seen_of_the_goal),
		cmocka_unit_test(new_failures_come_to_the_front),
		cmocka_unit_test(what_could_not_run_is_fixed_if_what_comes_passes),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
