/* Trying candidates on real workers, and the chat of a team whose coder does. */
#include "tests/unit/trial_fixture.h"

#include <signal.h>

#include "base/clock.h"

static void put_base(void)
{
	put_shop(CALC("a - b", "a * b"));
}

static int set_up(void **state)
{
	(void)state;
	return make_shop(put_base);
}

/* Edits of calc.py that put these for the sum, as the candidates 11, 12 ...; NULL ends them. */
static struct candidates candidates_of(struct arena *arena, const char *const *sums)
{
	struct candidates candidates = {.n = 0};
	for (size_t i = 0; sums[i]; i++) {
		struct file_edit file = {
			.path = "calc.py", .content = arena_printf(arena, CALC("%s", "a * b"), sums[i])};
		struct candidate candidate = {
			.id = 11 + (int64_t)i, .edit = {sums[i], arena_memdup(arena, &file, sizeof file), 1}};
		ARENA_PUSH(arena, candidates.items, candidates.n, candidate);
	}
	return candidates;
}

static struct candidate_results try_all(struct opened *opened, const struct candidates *candidates)
{
	struct rondo_error err;
	struct candidate_results results;
	if (trials_run(opened->run.trials, candidates, "coder", 0, &opened->arena, &results,
			&opened->ctx, &err) < 0)
		fail_msg("%s", err.message);
	return results;
}

static bool wins(const struct candidate_results *results, int64_t id)
{
	bool found = false;
	for (size_t i = 0; i < results->n; i++)
		found = found || (results->progress[i].id == id && results->progress[i].wins);
	return found;
}

#define SUMS(...) ((const char *const[]){__VA_ARGS__, NULL})

static void the_first_that_passes_wins(void **state)
{
	(void)state;
	struct opened opened;
	open_at_base(&opened, "shop", NULL);
	struct candidates candidates = candidates_of(
		&opened.arena, SUMS("a - a", "5", "no text of Python (", "b + a", "a + b", "sum((a, b))"));
	for (int round = 0; round < 2; round++) { /* the trees are as before */
		struct candidate_results results = try_all(&opened, &candidates);
		assert_int_equal(results.winner, 14);
		assert_int_equal(results.tried, 4);
		assert_int_equal(results.n, 2);
		assert_true(results.progress[0].breaks); /* 5 fixes one test, and breaks another */
		assert_true(results.progress[1].wins);
	}
	close_opened(&opened);
}

static void all_are_tried_where_all_are_wanted(void **state)
{
	(void)state;
	struct opened opened;
	open_at_base(&opened, "shop", NULL);
	struct candidates candidates = candidates_of(&opened.arena, SUMS("a + b", "a - a", "b + a"));
	candidates.wants_all = true;
	struct candidate_results results = try_all(&opened, &candidates);
	assert_int_equal(results.winner, 11);
	assert_int_equal(results.tried, 3);
	assert_true(wins(&results, 11));
	assert_false(wins(&results, 12));
	assert_true(wins(&results, 13));
	close_opened(&opened);
}

/* --- Engines --- */

static atomic_int n_asked, n_ended;

/* Says that all pass. */
static int credulous_try(struct trial_worker *worker, size_t first, size_t *n,
	struct trial_result *results, bool *useful, struct rondo_error *err)
{
	(void)worker, (void)first, (void)useful, (void)err;
	atomic_fetch_add(&n_asked, 1);
	*n = 1;
	*results = (struct trial_result){.end = TRIAL_PASSED, .fixed = 1};
	return 0;
}

/* Cannot try any, and is of no use from there on. */
static int useless_try(struct trial_worker *worker, size_t first, size_t *n,
	struct trial_result *results, bool *useful, struct rondo_error *err)
{
	(void)worker, (void)first, (void)results, (void)err;
	atomic_fetch_add(&n_asked, 1);
	*n = 1;
	*useful = false;
	return 0;
}

static void count_end(void *state)
{
	(void)state;
	atomic_fetch_add(&n_ended, 1);
}

static void the_suite_decides(void **state)
{
	(void)state;
	static const struct trial_engine credulous = {
		.name = "credulous", .start = made_up_start, .try = credulous_try, .end = count_end};
	static const struct trial_engine *const engines[] = {&credulous, &trial_suite_engine, NULL};
	struct opened opened;
	open_at_base(&opened, "shop", NULL);
	try_by(&opened, engines);
	struct candidates candidates = candidates_of(&opened.arena, SUMS("a - a", "5", "a + b"));
	atomic_store(&n_asked, 0);
	assert_int_equal(try_all(&opened, &candidates).winner, 13);
	assert_true(atomic_load(&n_asked) >= 3);
	close_opened(&opened);
}

static void a_worker_falls_back_to_the_next_engine(void **state)
{
	(void)state;
	static const struct trial_engine useless = {
		.name = "useless", .start = made_up_start, .try = useless_try, .end = count_end};
	static const struct trial_engine *const engines[] = {&useless, &trial_suite_engine, NULL};
	struct opened opened;
	open_at_base(&opened, "shop", NULL);
	try_by(&opened, engines);
	struct candidates candidates =
		candidates_of(&opened.arena, SUMS("a - a", "5", "2", "3", "a + b"));
	atomic_store(&n_asked, 0);
	atomic_store(&n_ended, 0);
	assert_int_equal(try_all(&opened, &candidates).winner, 15);
	assert_in_range(atomic_load(&n_asked), 1, opened.run.site->n_workers);
	assert_int_equal(atomic_load(&n_ended), atomic_load(&n_asked));
	close_opened(&opened);
}

/* --- When it ends --- */

static void nothing_is_tried_after_the_deadline(void **state)
{
	(void)state;
	struct opened opened;
	struct rondo_error err;
	struct candidate_results results;
	open_at_base(&opened, "shop", NULL);
	struct candidates candidates = candidates_of(&opened.arena, SUMS("a + b"));
	assert_int_equal(trials_run(opened.run.trials, &candidates, "coder", clock_now_ms() - 1,
						 &opened.arena, &results, &opened.ctx, &err),
		0);
	assert_int_equal(results.tried, 0);
	assert_int_equal(results.winner, 0);
	close_opened(&opened);
}

/* The first run at the base may have waited for a disk or a compiler. */
static void one_that_does_not_end_costs_a_few_runs_of_the_goal(void **state)
{
	(void)state;
	static const struct trial_engine *const engines[] = {&trial_suite_engine, NULL};
	struct opened opened;
	open_at_base(&opened, "shop", "PYTHONPATH=. python3 tests/run.py; : {{tests}}");
	struct suite *suite = &opened.run.baseline->suite;
	struct suite_type builds_nothing = *suite->type;
	builds_nothing.may_build = false;
	suite->type = &builds_nothing;
	opened.run.baseline->reports[0].duration_ms = 3600000;
	try_by(&opened, engines);
	struct candidates candidates =
		candidates_of(&opened.arena, SUMS("a - a", "a - a", "min(iter(lambda: 1, 0))", "b + a"));
	int64_t begun_ms = clock_now_ms();
	assert_int_equal(try_all(&opened, &candidates).winner, 14);
	assert_in_range(clock_now_ms() - begun_ms, 1000, 120000);
	close_opened(&opened);
}

static void it_can_be_cancelled(void **state)
{
	(void)state;
	struct opened opened;
	struct cancel cancel;
	struct rondo_error err;
	struct candidate_results results;
	open_at_base(&opened, "shop", NULL);
	struct candidates candidates = candidates_of(&opened.arena, SUMS("a + b"));
	assert_int_equal(cancel_init(&cancel, NULL, 0, &err), 0);
	cancel_fire(&cancel, SIGINT);
	struct context ctx = {.cancel = &cancel};
	assert_int_equal(
		trials_run(opened.run.trials, &candidates, "coder", 0, &opened.arena, &results, &ctx, &err),
		-1);
	assert_int_equal(err.code, RONDO_ERROR_CANCELLED);
	cancel_release(&cancel);
	close_opened(&opened);
}

/* --- A whole chat --- */

static void a_search_is_one_turn_with_one_message(void **state)
{
	(void)state;
	struct opened opened;
	struct rondo_error err;
	open_at_base(&opened, "shop", NULL);
	if (run_talk(&opened.run, NULL, &err) < 0)
		fail_msg("%s", err.message);
	static const enum rondo_message_type types[] = {RONDO_MESSAGE_TEXT, RONDO_MESSAGE_EDIT,
		RONDO_MESSAGE_CODE_EXECUTION, RONDO_MESSAGE_TEST_REPORT};
	const struct message_thread *thread = &opened.run.components.team->thread;
	assert_int_equal(thread->n, ARRAY_SIZE(types));
	for (size_t i = 0; i < thread->n; i++)
		assert_int_equal(thread->messages[i]->type, types[i]);
	assert_true(opened.run.talk->facts.search.n_tried > 0);
	assert_int_equal(opened.run.talk->facts.turns, 3);
	close_opened(&opened);
}

UNIT(trial)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_first_that_passes_wins),
		cmocka_unit_test(all_are_tried_where_all_are_wanted),
		cmocka_unit_test(the_suite_decides),
		cmocka_unit_test(a_worker_falls_back_to_the_next_engine),
		cmocka_unit_test(nothing_is_tried_after_the_deadline),
		cmocka_unit_test(one_that_does_not_end_costs_a_few_runs_of_the_goal),
		cmocka_unit_test(it_can_be_cancelled),
		cmocka_unit_test(a_search_is_one_turn_with_one_message),
	};
	return cmocka_run_group_tests(tests, set_up, remove_shop);
}
