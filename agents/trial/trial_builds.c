/*
 * Several candidates in one build, for languages that are compiled: the engine. builds.h has the
 * rest.
 */
#include <stdlib.h>
#include <string.h>

#include "agents/trial/builds.h"
#include "base/clock.h"
#include "base/hash.h"
#include "base/log.h"
#include "base/memory.h"

enum {
	FIRST_LEAST = 16, /* as long as it is not known what a build takes */
	MOST_LEAST = 64,
};

void builds_fail(struct builds *builds, const char *why)
{
	if (++builds->failures == BUILDS_FAILURES_MOST)
		log_line(LOG_INFO, "trial", "candidates are built one by one: %s", why);
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
	if (!result.report.complete || ret_result->fixed < builds->n_goal)
		return 0;
	*ret_result = (struct trial_result){.end = TRIAL_UNKNOWN};
	return builds_run_whole(builds, number, &ret_result->end, ret_gone, err);
}

/* --- The engine --- */

static void builds_end(void *state)
{
	struct builds *builds = state;
	builds_stop(builds);
	arena_release(&builds->group);
	free(builds);
}

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

/* How many runs take as long as a build: to build fewer twice costs more than it saves. */
static size_t builds_least(const struct builds *builds)
{
	if (!builds->build_ms)
		return FIRST_LEAST;
	int64_t n = builds->build_ms / (builds->run_ms + 1);
	return n < MOST_LEAST ? (size_t)n : MOST_LEAST;
}

/* A batch is divided evenly among the workers, but not into too small parts. */
static size_t builds_takes(const struct trial_worker *worker)
{
	const struct candidates *candidates = worker->trial->candidates;
	size_t n_workers = worker->services->n_test_checkouts,
		   n = (candidates->n + n_workers - 1) / n_workers, least = builds_least(worker->state);
	n = n < least ? least : n;
	for (size_t i = 0; i < candidates->n; i++) {
		const struct edit *edit = &candidates->items[i].edit;
		if (edit->n && blend_knows(edit->files[0].path))
			return n < TRIAL_GROUP_MOST ? n : TRIAL_GROUP_MOST;
	}
	return 0;
}

/* Those that were built together, up to the first that passes. */
static int builds_try_group(struct trial_worker *worker, size_t first, size_t *n,
	struct trial_result *results, struct rondo_error *err)
{
	bool gone = false;
	struct builds *builds = worker->state;
	for (size_t i = 0; i < *n && trial_wants(worker->trial, first + i); i++) {
		trial_show(worker, first + i);
		if (builds_try_one(builds, i, &results[i], &gone, err) < 0)
			return -1;
		if (gone || results[i].end == TRIAL_PASSED)
			*n = i + 1;
	}
	return 0;
}

/* Those that were not. */
static int builds_try_rest(struct trial_worker *worker, size_t first, size_t n, bool was_built,
	struct trial_result *results, struct rondo_error *err)
{
	struct builds *builds = worker->state;
	for (size_t i = 0; i < n && trial_wants(worker->trial, first + i); i++) {
		bool was_run = was_built && builds->blend.holds[i];
		if (results[i].end != TRIAL_UNKNOWN || was_run)
			continue;
		trial_show(worker, first + i);
		if (builds_try_alone(builds, i, &results[i], err) < 0)
			return -1;
	}
	return 0;
}

static int builds_try(struct trial_worker *worker, size_t first, size_t *n,
	struct trial_result *results, bool *useful, struct rondo_error *err)
{
	struct builds *builds = worker->state;
	struct rondo_error later;
	bool holds;
	int64_t start_ms = clock_now_ms();
	if (!builds_takes(worker))
		return 0;
	int status = builds_begin(builds, worker->trial, first, *n, n, err);
	bool was_built = builds->is_built;
	worker->built_ms += clock_now_ms() - start_ms;
	if (status == 0)
		status = builds_try_group(worker, first, n, results, err);
	if (builds_finish(builds, &holds, status < 0 ? &later : err) < 0)
		status = -1;
	for (size_t i = 0; !holds && i < *n; i++)
		results[i] = (struct trial_result){.end = TRIAL_UNKNOWN};
	if (status == 0 && holds && !builds->is_broken)
		status = builds_try_rest(worker, first, *n, was_built, results, err);
	*useful = builds->failures < BUILDS_FAILURES_MOST;
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
	.cover = trial_cover,
	.end = builds_end,
};
