/* Runs of counter-tests, and what follows from a copy that passes. */
#include <string.h>

#include "base/file.h"
#include "base/memory.h"
#include "verify/gate/countering.h"

#define LEAST_MS 10000       /* that a run of copies may take */
#define WHOLE_MS_MOST 20000  /* a suite that cannot run some of its tests alone */
#define ROUNDS_MS_MOST 10000 /* all runs of copies in the places of their originals */

enum { DOUBTS_MOST = 3, AGAIN_TIMES = 2 };

/* --- Runs --- */

/* The test files with their copies of a round; at the base those that the fix leaves as they
 * are. */
static struct edit counter_edit(const struct countering *x, size_t round, bool is_base)
{
	struct edit edit = {.description = "counter-tests"};
	for (size_t i = 0; i < x->plan.n_files; i++) {
		const struct counter_file *file = x->plan.files[i];
		const char *content =
			is_base && file->is_changed ? NULL : counter_text(&x->plan, file, round);
		if (content)
			ARENA_PUSH(x->gate->arena, edit.files, edit.n,
				(struct file_edit){.path = file->path, .content = content});
	}
	return edit;
}

/* The ids of a round's copies: those that are the same come last, and in another order. */
static const char **counter_ids(const struct countering *x, size_t round, size_t *ret_n)
{
	const char **ids = NULL;
	*ret_n = 0;
	for (size_t i = 0; i < x->plan.n; i++) {
		const struct counter_copy *copy = &x->plan.copies[i];
		if (copy->round == round && copy->kind != COUNTER_SAME && !text_in(ids, *ret_n, copy->run))
			ARENA_PUSH(x->gate->arena, ids, *ret_n, copy->run);
	}
	for (size_t i = x->plan.n; i-- > 0;)
		if (x->plan.copies[i].round == round && x->plan.copies[i].kind == COUNTER_SAME)
			same_add_ids(x, &x->plan.copies[i], &ids, ret_n);
	return ids;
}

/* The runner's environment for copies. They run one after the other if it can do that: a fix that
 * counts calls passes one of two tests that run side by side, whichever is first. Where only the
 * statuses count, why a copy failed is not told. */
static const char *const *counter_env(const struct countering *x, bool is_quick)
{
	struct arena *arena = x->gate->arena;
	const struct suite_type *type = x->gate->suite->type;
	const struct counter_type *own = is_quick && x->plan.n_files ? x->plan.files[0]->type : NULL;
	const char **env = NULL;
	size_t n = 0;
	for (const char *const *item = type->env; item && *item; item++) {
		bool is_its = own && own->variable && text_starts_with(*item, own->variable);
		ARENA_PUSH(arena, env, n, is_its ? arena_printf(arena, "%s%s", *item, own->added) : *item);
	}
	if (type->serial && x->can_choose)
		ARENA_PUSH(arena, env, n, type->serial);
	ARENA_PUSH(arena, env, n, NULL);
	return env;
}

static int counter_run_in(const struct countering *x, const struct edit *edit, bool is_quick,
	struct checkout *place, const struct judge_options *options, struct test_report *ret_report,
	struct rondo_error *err)
{
	const struct gate *gate = x->gate;
	struct suite suite = *gate->suite;
	struct suite_type type = *suite.type;
	type.env = counter_env(x, is_quick);
	suite.type = &type;
	if (worktree_apply(place->worktree, edit, err) < 0)
		return -1;
	return judge(place, &suite, options, gate->arena, ret_report, gate->ctx, err);
}

/* A copy may wait for what does not come, where its original does not. */
static int64_t counter_timeout_ms(const struct countering *x)
{
	int64_t ms = LEAST_MS + 3 * x->ms + 2 * x->gate->baseline->first->duration_ms;
	int64_t most_ms = x->gate->settings->suite_timeout_ms;
	return most_ms && most_ms < ms ? most_ms : ms;
}

int counter_run_some(const struct countering *x, const struct counter_run *run,
	struct test_report *ret_report, struct rondo_error *err)
{
	struct checkout place;
	const struct gate *gate = x->gate;
	struct judge_options options = {.ids = x->can_choose ? run->ids : NULL,
		.n_ids = run->n,
		.timeout_ms = counter_timeout_ms(x),
		.log = arena_printf(gate->arena, "%s/%s.log", gate->settings->log_dir, run->name)};
	*ret_report = (struct test_report){.results = NULL};
	context_progress(gate->ctx, "gate", "running copies of tests");
	if (gate->enter(gate->owner, run->tree, run->name, GATE_BUILT, &place, err) < 0)
		return -1;
	struct edit edit = counter_edit(x, run->round, run->tree == &gate->base->tree);
	int status = counter_run_in(x, &edit, run->is_quick, &place, &options, ret_report, err);
	gate->leave(&place);
	return status;
}

/* Run one copy that passed. */
static int counter_run_one(const struct countering *x, const struct object *tree, const char *name,
	const struct counter_outcome *passing, struct test_report *ret_report, struct rondo_error *err)
{
	const char *id = passing->copy->run;
	struct counter_run run = {
		.tree = tree, .name = name, .round = passing->copy->round, .ids = &id, .n = 1};
	return counter_run_some(x, &run, ret_report, err);
}

/* Whether the tests can be run alone, or the suite is short. */
bool counter_can_run(struct countering *x)
{
	const struct baseline *baseline = x->gate->baseline;
	struct baseline some = *baseline;
	some.goal = baseline->n_goal ? baseline->goal
		: baseline->n_red        ? baseline->red
								 : baseline->green;
	some.n_goal = 1;
	x->can_choose = judge_goal_options(x->gate->suite, &some, x->gate->arena).ids;
	return x->can_choose || baseline->first->duration_ms < WHOLE_MS_MOST;
}

/* --- What they say --- */

const char *counter_original_id(
	const struct countering *x, const struct counter_copy *copy, const char *id)
{
	size_t n = strlen(copy->run);
	if (!text_starts_with(id, copy->run) || (id[n] && id[n] != '['))
		return NULL;
	if (!copy->mark)
		return id;
	return arena_printf(x->gate->arena, "%.*s%s", (int)(n - strlen(copy->mark) - 1), id, id + n);
}

/* See what came of a copy: it failed, or passed where its original passes. False: it is not among
 * those that must fail. */
static bool counter_look_at(struct countering *x, size_t number, const struct test_report *report,
	struct counter_outcome **passing, size_t *n)
{
	const struct counter_copy *copy = &x->plan.copies[number];
	bool is_seen = false, must_fail = copy->kind != COUNTER_CALLED && copy->kind != COUNTER_SAME;
	for (size_t i = 0; i < report->n; i++) {
		const struct test_result *result = report->results[i];
		const char *original = counter_original_id(x, copy, result->id);
		is_seen = is_seen || original;
		if (!original || !counter_result(x, original))
			continue;
		x->has_failed[number] = x->has_failed[number] || test_status_is_red(result->status);
		if (result->status == TEST_PASSED && must_fail)
			ARENA_PUSH(x->gate->arena, *passing, *n,
				(struct counter_outcome){.copy = copy, .id = result->id});
	}
	x->n_same += is_seen && copy->kind == COUNTER_SAME && !x->has_failed[number];
	return is_seen && must_fail;
}

/* The copies of a round that pass. */
static void counter_find_passing(struct countering *x, size_t round,
	const struct test_report *report, struct counter_outcome **ret_passing, size_t *ret_n)
{
	*ret_passing = NULL;
	*ret_n = 0;
	for (size_t i = 0; i < x->plan.n; i++) {
		size_t before = *ret_n;
		if (x->plan.copies[i].round != round)
			continue;
		x->n_seen += counter_look_at(x, i, report, ret_passing, ret_n);
		x->n_passed += *ret_n > before;
	}
}

/* Whether a line of a run's log names a copy and says that it failed on purpose. */
static bool counter_is_logged(
	const struct countering *x, const struct counter_copy *copy, const char *log)
{
	AUTO_STRBUF text = STRBUF_INIT(STRBUF_TEXT);
	struct rondo_error ignored;
	size_t n;
	if (!log || !copy->mark || file_read(log, STRBUF_TEXT, &text, &ignored) < 0)
		return false;
	const char *at = text.text;
	for (const char *line; (line = text_next_line(&at, text.text + text.length, &n));)
		if (memmem(line, n, copy->mark, strlen(copy->mark)) &&
			memmem(line, n, x->plan.said, strlen(x->plan.said)))
			return true;
	return false;
}

/* Whether a failure on purpose is what a result says. Its details also have what the program
 * printed, of failures that were lost. */
static bool counter_says(const struct countering *x, const struct counter_copy *copy,
	const struct test_result *result, const char *log)
{
	return (result->message && strstr(result->message, x->plan.said)) ||
		(x->plan.files[copy->file]->type->goes_on && counter_is_logged(x, copy, log));
}

/* Whether the function that a copy changes was called with the fix: then its failure was lost. A
 * test that asserts nothing else must have called it. */
static bool counter_was_called(const struct countering *x, const struct counter_copy *copy)
{
	bool is_known = !copy->group;
	for (size_t i = 0; i < x->plan.n; i++) {
		const struct counter_copy *other = &x->plan.copies[i];
		bool is_its = other->kind == COUNTER_CALLED && other->test == copy->test &&
			other->group == copy->group;
		is_known = is_known || (is_its && x->has_failed[i]);
	}
	return is_known || copy->is_all;
}

/* Whether a copy that passes with the fix has to fail, going by the base. */
static bool counter_is_evidence(const struct countering *x, const struct counter_outcome *passing,
	const struct test_report *base)
{
	const struct counter_copy *copy = passing->copy;
	const struct test_result *result = test_report_find(base, passing->id);
	if (copy->kind == COUNTER_FIRST || copy->kind == COUNTER_LAST)
		return result && test_status_is_red(result->status) &&
			counter_says(x, copy, result, base->log) && counter_was_called(x, copy);
	if (x->originals[copy->test].is_goal)
		return !result || result->status != TEST_PASSED;
	return result && test_status_is_red(result->status);
}

static const char *counter_reason(const struct countering *x, const struct counter_outcome *passing)
{
	static const char *const whats[] = {[COUNTER_EXPECTED] = "that expects something else",
		[COUNTER_END] = "that fails after its last statement",
		[COUNTER_FIRST] = "that fails where the program calls it back",
		[COUNTER_LAST] = "that fails where the program calls it back"};
	const struct counter_copy *copy = passing->copy;
	return arena_printf(x->gate->arena,
		"the results cannot be trusted: a copy of %s %s passes: %s:%d: %s (rule counter-test)",
		x->originals[copy->test].id, whats[copy->kind], x->plan.files[copy->file]->path, copy->line,
		copy->shown);
}

/* Whether a copy that passed does so again by itself, each time: others of its process may have
 * left something that lets it pass, or it depends on time. */
static int counter_passes_alone(const struct countering *x, const struct counter_outcome *passing,
	bool *ret_passes, struct rondo_error *err)
{
	*ret_passes = true;
	for (size_t i = 0; i < AGAIN_TIMES && *ret_passes; i++) {
		struct test_report report;
		if (counter_run_one(x, &x->verdict->tree, "counter-again", passing, &report, err) < 0)
			return -1;
		const struct test_result *result = test_report_find(&report, passing->id);
		*ret_passes = result && result->status == TEST_PASSED;
	}
	return 0;
}

/* Then it is run at the base, where that has a say. */
static int counter_judge_one(const struct countering *x, const struct counter_outcome *passing,
	const char **ret_reason, struct rondo_error *err)
{
	struct test_report base = {.results = NULL};
	bool passes,
		is_end = passing->copy->kind == COUNTER_END && x->originals[passing->copy->test].is_goal;
	if (counter_passes_alone(x, passing, &passes, err) < 0)
		return -1;
	if (!passes)
		return 0;
	if (!is_end &&
		counter_run_one(x, &x->gate->base->tree, "counter-base", passing, &base, err) < 0)
		return -1;
	if (is_end || counter_is_evidence(x, passing, &base))
		*ret_reason = counter_reason(x, passing);
	return 0;
}

/* Look at those that passed, each copy once: a few are enough. */
static int counter_judge_passing(const struct countering *x, const struct counter_outcome *passing,
	size_t n, const char **ret_reason, struct rondo_error *err)
{
	size_t n_doubts = 0;
	for (size_t i = 0; i < n && n_doubts < DOUBTS_MOST && !*ret_reason; i++) {
		if (i && passing[i].copy == passing[i - 1].copy)
			continue;
		n_doubts++;
		if (counter_judge_one(x, &passing[i], ret_reason, err) < 0)
			return -1;
	}
	return 0;
}

static int counter_judge_round(
	struct countering *x, size_t round, const char **ret_reason, struct rondo_error *err)
{
	struct test_report report;
	struct counter_outcome *passing;
	size_t n;
	struct counter_run run = {
		.tree = &x->verdict->tree, .name = "counter", .round = round, .is_quick = true};
	run.ids = counter_ids(x, round, &run.n);
	if (counter_run_some(x, &run, &report, err) < 0)
		return -1;
	counter_find_passing(x, round, &report, &passing, &n);
	return counter_judge_passing(x, passing, n, ret_reason, err);
}

/* All that stand beside their originals in one run; then, as far as there is time, those that take
 * their places. */
int counter_judge_copies(struct countering *x, const char **ret_reason, struct rondo_error *err)
{
	int64_t ms = 0;
	size_t n_beside;
	counter_ids(x, 0, &n_beside);
	x->has_failed = arena_alloc(x->gate->arena, x->plan.n * sizeof *x->has_failed);
	if (n_beside && counter_judge_round(x, 0, ret_reason, err) < 0)
		return -1;
	for (size_t round = 1; round <= x->plan.n_rounds && !*ret_reason; round++) {
		ms += x->gate->baseline->first->duration_ms;
		if (round > 1 && ms > ROUNDS_MS_MOST)
			break;
		if (counter_judge_round(x, round, ret_reason, err) < 0)
			return -1;
	}
	return 0;
}
