/* Candidates judged by the suite's own command: this engine decides. */
#include "agents/trial/trial_engine.h"
#include "base/clock.h"
#include "base/log.h"

enum {
	GOAL_MOST = 20,        /* goal tests to run first; if they pass, the suite runs whole */
	LEAST_WHOLE_MS = 3000, /* for the suite; else what the goal's tests are given */
	SHORT_SUITE_MS = 3000,
};

struct judge_options trial_whole_options(const struct trial *trial)
{
	int64_t wanted_ms = trial->goal->timeout_ms, most_ms = trial->services->suite_timeout_ms;
	if (wanted_ms < LEAST_WHOLE_MS)
		wanted_ms = LEAST_WHOLE_MS;
	return (struct judge_options){.timeout_ms = wanted_ms < most_ms ? wanted_ms : most_ms,
		.silence_ms = trial->services->suite->silence_ms};
}

/* A run of the goal's tests alone has ended: others may take a few times as long. The base took
 * more, because its run came first. Where a build comes before, its time differs by candidate. */
static void suite_note_goal(const struct trial *trial, const struct judge_options *options,
	const struct test_report *report)
{
	const struct agent_services *services = trial->services;
	long long longest_ms = atomic_load(trial->goal_ms);
	if (!options->ids || services->suite->type->may_build || !report->complete ||
		!baseline_saw_goal(services->baseline, report, false))
		return;
	while (report->duration_ms > longest_ms)
		if (atomic_compare_exchange_weak(trial->goal_ms, &longest_ms, report->duration_ms))
			break;
}

/* The goal's tests, within the time that is left. A candidate that passed by another engine gets
 * the whole suite at once, where that is short. */
static struct judge_options suite_first_options(const struct trial *trial, bool has_passed)
{
	bool is_short = trial->services->baseline->first->duration_ms < SHORT_SUITE_MS;
	struct judge_options options =
		has_passed && is_short ? trial_whole_options(trial) : *trial->goal;
	int64_t goal_ms = atomic_load(trial->goal_ms);
	if (options.ids && goal_ms && options.timeout_ms > judge_goal_ms(goal_ms))
		options.timeout_ms = judge_goal_ms(goal_ms);
	int64_t left_ms = trial->deadline_ms ? trial->deadline_ms - clock_now_ms() : options.timeout_ms;
	if (options.timeout_ms > left_ms)
		options.timeout_ms = left_ms > 0 ? left_ms : 1;
	if (options.n_ids > GOAL_MOST)
		options.n_ids = GOAL_MOST;
	return options;
}

/* The goal's tests first; if all pass, the whole suite. A suite that cannot run single tests has
 * run whole already. */
static int suite_judge(const struct trial_worker *worker, bool has_passed, struct arena *arena,
	struct trial_result *result, struct rondo_error *err)
{
	const struct trial *trial = worker->trial;
	const struct agent_services *services = trial->services;
	struct judge_options first = suite_first_options(trial, has_passed),
						 whole = trial_whole_options(trial);
	struct test_report report = {0};
	struct comparison comparison;
	if (judge(worker->checkout, services->suite, &first, arena, &report, trial->ctx, err) < 0)
		return -1;
	suite_note_goal(trial, &first, &report);
	size_t fixed = report.n ? baseline_count_fixed(services->baseline, &report, arena) : 0;
	*result = (struct trial_result){.end = TRIAL_FAILED, .fixed = fixed};
	if (!report.complete || fixed < (first.ids ? first.n_ids : services->baseline->n_goal))
		return 0;
	if (first.ids &&
		judge(worker->checkout, services->suite, &whole, arena, &report, trial->ctx, err) < 0)
		return -1;
	baseline_compare(services->baseline, &report, arena, &comparison);
	log_line(
		LOG_DEBUG, "trial", "the whole suite: %s", comparison.ok ? "passes" : comparison.problem);
	result->end = comparison.ok               ? TRIAL_PASSED
		: comparison_regressions(&comparison) ? TRIAL_BROKEN
											  : TRIAL_FAILED;
	result->fixed = comparison.n_fixed;
	result->also = comparison.n_also;
	return 0;
}

/* Nothing is kept. */
static int suite_start(struct trial_worker *worker, void **ret_state, const struct context *ctx,
	struct rondo_error *err)
{
	(void)ctx, (void)err;
	*ret_state = worker;
	return 0;
}

static int suite_try(struct trial_worker *worker, size_t first, size_t *n,
	struct trial_result *results, bool *useful, struct rondo_error *err)
{
	AUTO_ARENA arena = ARENA_INIT;
	struct rondo_error later;
	struct worktree *worktree = worker->checkout->worktree;
	const struct edit *edit = &worker->trial->candidates->items[first].edit;
	bool has_passed = results->end == TRIAL_PASSED;
	(void)useful;
	trial_show(worker, first);
	*n = 1;
	*results = (struct trial_result){.end = TRIAL_FAILED};
	if (worktree_apply(worktree, edit, &later) < 0)
		return 0; /* made for another text: nothing to try */
	int status = suite_judge(worker, has_passed, &arena, results, err);
	return worktree_revert(worktree, edit, status < 0 ? &later : err) < 0 ? -1 : status;
}

const struct trial_engine trial_suite_engine = {
	.name = "suite",
	.start = suite_start,
	.try = suite_try,
	.cover = trial_cover,
};
