/*
 * Several candidates in one build, for languages that are compiled: a group is built together
 * (repair/repair.h says how), then each one is tried by a run of the suite that builds nothing.
 */
#include <stdlib.h>
#include <string.h>

#include "agents/trial/rerun.h"
#include "agents/trial/trial_engine.h"
#include "base/clock.h"
#include "base/hash.h"
#include "base/log.h"
#include "base/memory.h"
#include "repair/repair.h"

enum {
	LEAST_GROUP = 2,   /* fewer are built alone */
	ROUNDS_MOST = 8,   /* builds of one group: compilers do not find all mistakes at once */
	FAILURES_MOST = 3, /* failed builds and killed programs, before a worker falls back */
};

struct builds {
	struct arena arena; /* of the program */
	const struct agent_services *services;
	const struct checkout *checkout;
	char variable[6 + 16 + 1];      /* of the environment: chooses the candidate */
	struct rerun *rerun;            /* NULL: not started */
	const struct test_report *base; /* of the goal's tests, without a candidate */
	int64_t cpu_ms, wall_ms;        /* limits of a run */
	bool has_seen_choice;           /* a choice was seen to have its effect */
	bool has_built;                 /* a group was built */
	int failures;

	/* the group */
	struct arena group;
	const struct candidate *candidates;
	struct blend blend;
	int64_t deadline_ms;
	bool *wrong; /* by candidate: it does not compile */
	bool is_built;
	bool whole_known, whole_agrees; /* the whole suite comes out in this build as at the base */
};

static void builds_stop(struct builds *builds)
{
	rerun_free(builds->rerun);
	builds->rerun = NULL;
	builds->base = NULL;
	arena_release(&builds->arena);
}

static void builds_end(void *state)
{
	struct builds *builds = state;
	builds_stop(builds);
	arena_release(&builds->group);
	free(builds);
}

/* Count a failure. The last one is logged. */
static void builds_fail(struct builds *builds, const char *why)
{
	if (++builds->failures == FAILURES_MOST)
		log_line(LOG_INFO, "trial", "candidates are built one by one: %s", why);
}

/* --- Runs --- */

static bool builds_test_is_flaky(const struct baseline *baseline, const char *id)
{
	for (size_t i = 0; i < baseline->n_flaky; i++)
		if (strcmp(baseline->flaky[i], id) == 0)
			return true;
	return false;
}

/* Whether two runs of the same tests agree. */
static bool builds_are_same(
	const struct baseline *baseline, const struct test_report *a, const struct test_report *b)
{
	if (a->complete != b->complete || a->n != b->n)
		return false;
	for (size_t i = 0; i < a->n; i++) {
		const struct test_result *other = test_report_find(b, a->results[i]->id);
		bool same = other && other->status == a->results[i]->status;
		if (!same && !builds_test_is_flaky(baseline, a->results[i]->id))
			return false;
	}
	return true;
}

static int builds_run(struct builds *builds, enum rerun_line line, size_t number,
	struct arena *arena, struct rerun_result *result, struct rondo_error *err)
{
	int64_t limit_ms = builds->services->suite_timeout_ms,
			left_ms = builds->deadline_ms - clock_now_ms();
	bool chosen = number != BLEND_BASE;
	if (builds->deadline_ms && left_ms < limit_ms)
		limit_ms = left_ms > 0 ? left_ms : 1;
	return rerun_run(builds->rerun, line, number, chosen ? builds->cpu_ms : limit_ms,
		chosen ? builds->wall_ms : limit_ms, arena, result, err);
}

/* Whether all tests that count ran, and a goal test failed. */
static bool builds_base_is_red(
	const struct builds *builds, const struct judge_options *goal, const struct test_report *report)
{
	AUTO_ARENA arena = ARENA_INIT;
	const struct baseline *baseline = builds->services->baseline;
	struct comparison comparison;
	baseline_compare(baseline, report, &arena, &comparison);
	return report->complete && baseline_saw_goal(baseline, report, true) &&
		(goal->ids || !comparison.n_missing);
}

/* Build and run the text as it is; run it again, to measure how long a run takes. */
static int builds_run_base(
	struct builds *builds, const struct judge_options *goal, struct rondo_error *err)
{
	struct rerun_result built, *again = arena_alloc(&builds->arena, sizeof *again);
	const struct baseline *baseline = builds->services->baseline;
	if (worktree_date_now(builds->checkout->worktree, NULL, err) < 0 ||
		builds_run(builds, RERUN_BUILD, BLEND_BASE, &builds->arena, &built, err) < 0)
		return -1;
	if (!built.gone && builds_run(builds, RERUN_GOAL, BLEND_BASE, &builds->arena, again, err) < 0)
		return -1;
	if (built.gone || again->gone || !builds_base_is_red(builds, goal, &again->report) ||
		!builds_are_same(baseline, &built.report, &again->report))
		return 0;
	builds->base = &again->report;
	int64_t cpu_ms =
		again->cpu_ms > again->ms / TRIAL_WALL ? again->cpu_ms : again->ms / TRIAL_WALL;
	builds->cpu_ms = trial_limit_ms(cpu_ms);
	builds->wall_ms = TRIAL_WALL * builds->cpu_ms;
	return 0;
}

/* Start the program if it is not running; `base` stays NULL where it cannot be used. */
static int builds_need_rerun(struct builds *builds, const struct judge_options *goal,
	const struct context *ctx, struct rondo_error *err)
{
	if (builds->rerun)
		return 0;
	if (rerun_start(builds->services, builds->checkout, goal, builds->variable, &builds->rerun, ctx,
			err) < 0)
		return -1;
	if (!builds->rerun)
		builds->failures = FAILURES_MOST;
	if (builds->rerun && builds_run_base(builds, goal, err) < 0)
		return -1;
	if (builds->rerun && !builds->base) {
		builds_fail(builds, "two runs of the suite in one sandbox came out otherwise");
		builds_stop(builds);
	}
	return 0;
}

/* --- A group --- */

static bool builds_have_file(const struct repair_file *files, size_t n, const char *path)
{
	for (size_t i = 0; i < n; i++)
		if (strcmp(files[i].path, path) == 0)
			return true;
	return false;
}

/* The texts that candidates change, from the worker's checkout. A file that cannot be read has no
 * text: its candidates are in no build. */
static struct repair_file *builds_read_files(struct builds *builds, size_t n, size_t *ret_n)
{
	struct repair_file *files = NULL;
	struct rondo_error ignored;
	*ret_n = 0;
	for (size_t i = 0; i < n; i++)
		for (size_t k = 0; k < builds->candidates[i].edit.n; k++) {
			struct repair_file file = {.path = builds->candidates[i].edit.files[k].path};
			if (builds_have_file(files, *ret_n, file.path))
				continue;
			if (worktree_file(builds->checkout->worktree, file.path, &builds->group, &file.text,
					&file.n, &ignored) < 0)
				file.text = NULL;
			ARENA_PUSH(&builds->group, files, *ret_n, file);
		}
	return files;
}

/* Whether the compilers named candidates as wrong: those are left out. */
static bool builds_blame(struct builds *builds)
{
	AUTO_STRBUF printed = STRBUF_INIT(STRBUF_TEXT);
	size_t before = 0, n = builds->blend.n;
	for (size_t i = 0; i < n; i++)
		before += builds->wrong[i];
	rerun_printed(builds->rerun, &printed);
	bool found = blend_blame(&builds->blend, printed.text, builds->wrong) > before;
	if (!found)
		log_line(LOG_DEBUG, "trial", "a build of %zu candidates came to nothing: %s",
			builds->blend.n_held, printed.text);
	return found;
}

enum builds_outcome {
	BUILDS_RIGHT,   /* it was built, and without a choice it behaves like the base */
	BUILDS_BLAMED,  /* some do not compile */
	BUILDS_NOTHING, /* it is of no use */
};

/* The choice must have its effect: with the number for "never ends", a run must reach its limit.
 * And it must pay: a suite that builds everything again is slower than a candidate alone. */
static int builds_check(struct builds *builds, int64_t built_ms, enum builds_outcome *ret_outcome,
	struct rondo_error *err)
{
	AUTO_ARENA arena = ARENA_INIT;
	struct rerun_result again, hangs;
	if (builds->has_seen_choice)
		return 0;
	*ret_outcome = BUILDS_NOTHING;
	if (builds_run(builds, RERUN_GOAL, BLEND_BASE, &arena, &again, err) < 0)
		return -1;
	if (again.gone || !builds_are_same(builds->services->baseline, &again.report, builds->base) ||
		again.ms * 10 > built_ms * 8)
		return 0;
	if (builds_run(builds, RERUN_GOAL, BLEND_HANG, &arena, &hangs, err) < 0)
		return -1;
	builds->has_seen_choice = hangs.timeout;
	*ret_outcome = hangs.timeout ? BUILDS_RIGHT : BUILDS_NOTHING;
	return 0;
}

static int builds_build(
	struct builds *builds, enum builds_outcome *ret_outcome, struct rondo_error *err)
{
	AUTO_ARENA arena = ARENA_INIT;
	struct rerun_result built;
	*ret_outcome = BUILDS_NOTHING;
	if (rerun_take(builds->rerun, &builds->blend.edit, err) < 0)
		return -1;
	builds->is_built = true;
	if (builds_run(builds, RERUN_BUILD, BLEND_BASE, &arena, &built, err) < 0)
		return -1;
	if (built.gone)
		return 0;
	if (builds_are_same(builds->services->baseline, &built.report, builds->base)) {
		*ret_outcome = BUILDS_RIGHT;
		return builds_check(builds, built.ms, ret_outcome, err);
	}
	*ret_outcome = builds_blame(builds) ? BUILDS_BLAMED : BUILDS_NOTHING;
	return 0;
}

static int builds_put_back(struct builds *builds, struct rondo_error *err)
{
	if (!builds->is_built)
		return 0;
	builds->is_built = false;
	const struct edit *edit = &builds->blend.edit;
	struct worktree *worktree = builds->checkout->worktree;
	/* Where there are no layers, the program works on the checkout itself. */
	if (!builds->checkout->executor->written)
		return worktree_revert(worktree, edit, err) < 0 ? -1
														: worktree_date_now(worktree, edit, err);
	return builds->rerun ? rerun_take_back(builds->rerun, edit, err) : 0;
}

static void builds_blend(
	struct builds *builds, const struct repair_file *files, size_t n_files, size_t n)
{
	blend_make(&builds->blend, files, n_files, builds->candidates, n, builds->wrong,
		builds->variable, &builds->group);
}

/* Build the blend, and blend again without what does not compile, until all compiles. */
static int builds_build_group(struct builds *builds, const struct repair_file *files,
	size_t n_files, size_t n, struct rondo_error *err)
{
	enum builds_outcome outcome = BUILDS_BLAMED;
	for (int round = 0; outcome == BUILDS_BLAMED && round < ROUNDS_MOST; round++) {
		if (round)
			builds_blend(builds, files, n_files, n);
		if (builds->blend.n_held < LEAST_GROUP)
			return 0;
		if (builds_build(builds, &outcome, err) < 0)
			return -1;
		if (outcome != BUILDS_RIGHT && builds_put_back(builds, err) < 0)
			return -1;
		log_line(LOG_DEBUG, "trial", "%zu of %zu candidates in one build: %s", builds->blend.n_held,
			n, outcome == BUILDS_RIGHT ? "it does as the base" : "another round, or none");
	}
	builds->has_built = builds->has_built || outcome == BUILDS_RIGHT;
	if (outcome != BUILDS_RIGHT)
		builds_fail(builds, "a build of several did not do as the base does");
	return 0;
}

/* Build the first *ret_n candidates of a group. They count as done, though some may not be in the
 * build. */
static int builds_begin(struct builds *builds, const struct trial *trial, size_t first, size_t n,
	size_t *ret_n, struct rondo_error *err)
{
	size_t n_files;
	arena_release(&builds->group);
	builds->candidates = trial->candidates->items + first;
	builds->deadline_ms = trial->deadline_ms;
	builds->whole_known = false;
	builds->wrong = arena_alloc(&builds->group, n * sizeof *builds->wrong);
	const struct repair_file *files = builds_read_files(builds, n, &n_files);
	builds_blend(builds, files, n_files, n);
	*ret_n = builds->blend.n;
	if (builds->blend.n_held < LEAST_GROUP)
		return 0;
	if (builds_need_rerun(builds, trial->goal, trial->ctx, err) < 0)
		return -1;
	return builds->base ? builds_build_group(builds, files, n_files, *ret_n, err) : 0;
}

/* Whether the whole suite agrees with the base in this build: else it cannot judge a candidate
 * either. */
static int builds_whole_agrees(struct builds *builds, bool *ret_agrees, struct rondo_error *err)
{
	AUTO_ARENA arena = ARENA_INIT;
	struct rerun_result result;
	struct comparison comparison;
	if (!builds->whole_known &&
		builds_run(builds, RERUN_WHOLE, BLEND_BASE, &arena, &result, err) < 0)
		return -1;
	if (!builds->whole_known) {
		if (!result.gone)
			baseline_compare(builds->services->baseline, &result.report, &arena, &comparison);
		builds->whole_agrees =
			!result.gone && result.report.complete && !comparison.n_broken && !comparison.n_missing;
	}
	builds->whole_known = true;
	*ret_agrees = builds->whole_agrees;
	return 0;
}

/* All goal tests pass: run the whole suite. */
static int builds_try_whole(struct builds *builds, size_t number, struct trial_result *ret_result,
	bool *ret_gone, struct rondo_error *err)
{
	AUTO_ARENA arena = ARENA_INIT;
	struct rerun_result result;
	struct comparison comparison;
	bool agrees;
	*ret_result = (struct trial_result){.end = TRIAL_UNKNOWN};
	if (builds_whole_agrees(builds, &agrees, err) < 0)
		return -1;
	if (!agrees)
		return 0;
	int64_t limit_ms = builds->services->suite_timeout_ms;
	if (rerun_run(builds->rerun, RERUN_WHOLE, number, limit_ms, limit_ms, &arena, &result, err) < 0)
		return -1;
	*ret_gone = result.gone;
	ret_result->end = TRIAL_FAILED;
	if (result.gone)
		return 0;
	baseline_compare(builds->services->baseline, &result.report, &arena, &comparison);
	ret_result->end = comparison.ok ? TRIAL_PASSED : TRIAL_BROKEN;
	return 0;
}

/* Try the i-th of the group. True in *ret_gone: it has killed the program. */
static int builds_try_one(struct builds *builds, size_t i, struct trial_result *ret_result,
	bool *ret_gone, struct rondo_error *err)
{
	AUTO_ARENA arena = ARENA_INIT;
	struct rerun_result result;
	const struct baseline *baseline = builds->services->baseline;
	size_t number = BLEND_FIRST + i;
	int patience = builds->candidates[i].patience ? builds->candidates[i].patience : 1;
	*ret_result = (struct trial_result){.end = builds->wrong[i] ? TRIAL_FAILED : TRIAL_UNKNOWN};
	if (!builds->is_built || !builds->blend.holds[i])
		return 0;
	if (rerun_run(builds->rerun, RERUN_GOAL, number, builds->cpu_ms * patience,
			builds->wall_ms * patience, &arena, &result, err) < 0)
		return -1;
	*ret_gone = result.gone;
	ret_result->end = !result.gone && result.timeout ? TRIAL_TIMEOUT : TRIAL_FAILED;
	if (result.gone || result.timeout)
		return 0;
	ret_result->fixed =
		result.report.n ? baseline_count_fixed(baseline, &result.report, &arena) : 0;
	if (!result.report.complete || ret_result->fixed < baseline->n_goal)
		return 0;
	return builds_try_whole(builds, number, ret_result, ret_gone, err);
}

/* Put the worker's files back. False in *ret_holds: a candidate has changed the tree, so the
 * results of the group do not count. */
static int builds_finish(struct builds *builds, bool *ret_holds, struct rondo_error *err)
{
	AUTO_ARENA arena = ARENA_INIT;
	struct rerun_result result = {.gone = true};
	*ret_holds = true;
	if (builds->is_built && builds_run(builds, RERUN_GOAL, BLEND_BASE, &arena, &result, err) < 0)
		return -1;
	if (builds->is_built && result.gone) {
		builds_fail(builds, "the program that runs them was killed");
		builds_stop(builds);
	} else if (builds->is_built &&
		!builds_are_same(builds->services->baseline, &result.report, builds->base)) {
		builds_fail(builds, "a candidate left the tree otherwise than it was");
		*ret_holds = false;
	}
	return builds_put_back(builds, err);
}

/* --- The engine --- */

/* The program is started with the first group. */
static int builds_start(struct trial_worker *worker, void **ret_state, const struct context *ctx,
	struct rondo_error *err)
{
	(void)ctx, (void)err;
	struct builds *builds = memory_alloc(sizeof *builds);
	*builds = (struct builds){
		.services = worker->services, .checkout = worker->checkout, .variable = "rondo_"};
	hash_random(builds->variable + strlen(builds->variable), 16);
	*ret_state = builds;
	return 0;
}

/* A small batch is divided evenly among the workers. */
static size_t builds_takes(const struct trial_worker *worker)
{
	const struct candidates *candidates = worker->trial->candidates;
	size_t n_workers = worker->services->n_test_checkouts,
		   n = (candidates->n + n_workers - 1) / n_workers;
	for (size_t i = 0; i < candidates->n; i++) {
		const struct edit *edit = &candidates->items[i].edit;
		if (edit->n && blend_knows(edit->files[0].path))
			return n < TRIAL_GROUP_MOST ? n : TRIAL_GROUP_MOST;
	}
	return 0;
}

/* Try those that were built, up to the first that passes. */
static int builds_try(struct trial_worker *worker, size_t first, size_t *n,
	struct trial_result *results, bool *useful, struct rondo_error *err)
{
	struct builds *builds = worker->state;
	struct rondo_error later;
	bool holds, gone = false;
	int64_t start_ms = clock_now_ms();
	if (!builds_takes(worker))
		return 0;
	int status = builds_begin(builds, worker->trial, first, *n, n, err);
	worker->built_ms += clock_now_ms() - start_ms;
	for (size_t i = 0; status == 0 && i < *n && trial_wants(worker->trial, first + i); i++) {
		trial_show(worker, first + i);
		status = builds_try_one(builds, i, &results[i], &gone, err);
		if (gone || results[i].end == TRIAL_PASSED)
			*n = i + 1;
	}
	if (builds_finish(builds, &holds, status < 0 ? &later : err) < 0)
		status = -1;
	for (size_t i = 0; !holds && i < *n; i++)
		results[i] = (struct trial_result){.end = TRIAL_UNKNOWN};
	*useful = builds->failures < FAILURES_MOST;
	return status;
}

static bool builds_is_fast(const struct trial_worker *worker)
{
	const struct builds *builds = worker->state;
	return builds->has_built;
}

const struct trial_engine trial_builds_engine = {
	.name = "builds",
	.start = builds_start,
	.takes = builds_takes,
	.try = builds_try,
	.is_fast = builds_is_fast,
	.end = builds_end,
};
