/* Runs of a build of several candidates, and how they come out beside those of the base. */
#include <string.h>

#include "agents/trial/builds.h"
#include "base/clock.h"
#include "base/log.h"

/* Where the base hangs: what a build may take, and its tests. */
enum { HANGING_BUILD_MS = 20000, HANGING_TESTS_MS = 40 };

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

int builds_run(struct builds *builds, enum rerun_line line, size_t number, struct arena *arena,
	struct rerun_result *result, struct rondo_error *err)
{
	int64_t wall_ms = builds->services->suite_timeout_ms,
			left_ms = builds->deadline_ms - clock_now_ms();
	if (builds->deadline_ms && left_ms < wall_ms)
		wall_ms = left_ms > 0 ? left_ms : 1;
	int64_t cpu_ms = wall_ms;
	if (line == RERUN_GOAL && builds->base && (number != BLEND_BASE || builds->hangs)) {
		cpu_ms = builds->cpu_ms;
		wall_ms = builds->wall_ms;
	} else if (builds->hangs && cpu_ms > HANGING_BUILD_MS) {
		cpu_ms = HANGING_BUILD_MS; /* what it hangs in may be in no candidate */
	}
	return rerun_run(builds->rerun, line, number, cpu_ms, wall_ms, arena, result, err);
}

/* Whether no test is red that was not in the suite, or the other way round. */
static bool builds_is_as_suite(const struct baseline *baseline, const struct test_report *report)
{
	for (size_t i = 0; i < report->n; i++) {
		const struct test_result *result = report->results[i],
								 *other = test_report_find(baseline->first, result->id);
		if (other && test_status_is_red(other->status) != test_status_is_red(result->status) &&
			!builds_test_is_flaky(baseline, result->id))
			return false;
	}
	return true;
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

/* From a run that took the processor, and the clock, that long. */
static void builds_set_limits(struct builds *builds, const struct rerun_result *run)
{
	int64_t cpu_ms = run->cpu_ms > run->ms / TRIAL_WALL ? run->cpu_ms : run->ms / TRIAL_WALL;
	builds->cpu_ms = trial_limit_ms(cpu_ms);
	builds->wall_ms = TRIAL_WALL * builds->cpu_ms;
	builds->run_ms = run->ms;
}

/* What fails at once shows what a run takes but for its tests. */
static int builds_limit_hanging(struct builds *builds, struct rondo_error *err)
{
	struct rerun_result *failed = arena_alloc(&builds->arena, sizeof *failed);
	if (builds_run(builds, RERUN_GOAL, BLEND_FAIL, &builds->arena, failed, err) < 0)
		return -1;
	if (failed->gone || failed->timeout)
		return 0;
	failed->cpu_ms += HANGING_TESTS_MS;
	builds_set_limits(builds, failed);
	builds->n_goal = builds->services->baseline->n_goal;
	builds->base = &failed->report;
	return 0;
}

/* A base that hangs is known by the limit that it does not keep, and others do. One that keeps it
 * is as fast as others. */
static int builds_learn_hanging(struct builds *builds, bool *ret_is_base, struct rondo_error *err)
{
	struct rerun_result base;
	if (!builds->base && builds_limit_hanging(builds, err) < 0)
		return -1;
	if (!builds->base)
		return 0;
	if (builds_run(builds, RERUN_GOAL, BLEND_BASE, &builds->group, &base, err) < 0)
		return -1;
	if (!base.gone && !base.timeout) {
		builds->hangs = false;
		builds->base = NULL;
		builds->n_goal = 0;
		return builds_learn_base(builds, &base, ret_is_base, err);
	}
	*ret_is_base = !base.gone;
	if (*ret_is_base)
		atomic_store(builds->has_seen_choice, true);
	return 0;
}

int builds_learn_base(struct builds *builds, const struct rerun_result *built, bool *ret_is_base,
	struct rondo_error *err)
{
	struct rerun_result *again = arena_alloc(&builds->arena, sizeof *again);
	const struct baseline *baseline = builds->services->baseline;
	*ret_is_base = false;
	if (builds->hangs)
		return builds_learn_hanging(builds, ret_is_base, err);
	if (!builds_base_is_red(builds, builds->goal, &built->report) ||
		!builds_is_as_suite(baseline, &built->report))
		return 0;
	if (builds_run(builds, RERUN_GOAL, BLEND_BASE, &builds->arena, again, err) < 0)
		return -1;
	if (again->gone || !builds_are_same(baseline, &built->report, &again->report))
		return 0;
	*ret_is_base = true;
	builds->base = &again->report;
	for (size_t i = 0; i < baseline->n_goal; i++)
		builds->n_goal += test_report_find(builds->base, baseline->goal[i]) != NULL;
	builds_set_limits(builds, again);
	return 0;
}

/* Whether the suite, or a test of the goal, is stopped at the base, by rondo or by a limit of its
 * own. */
static bool builds_base_hangs(const struct suite *suite, const struct baseline *baseline)
{
	for (size_t i = 0; i < suite->n_hung; i++)
		if (suite_is_id(suite, suite->hung[i]))
			return true;
	for (size_t i = 0; i < baseline->n_goal; i++) {
		const struct test_result *result = test_report_find(baseline->first, baseline->goal[i]);
		if (result && test_result_hangs(result))
			return true;
	}
	return false;
}

void builds_stop(struct builds *builds)
{
	rerun_free(builds->rerun);
	builds->rerun = NULL;
	builds->base = NULL;
	builds->n_goal = 0;
	arena_release(&builds->arena);
}

int builds_need_rerun(struct builds *builds, const struct context *ctx, struct rondo_error *err)
{
	if (builds->rerun)
		return 0;
	builds->hangs = builds_base_hangs(builds->services->suite, builds->services->baseline);
	if (rerun_start(builds->services, builds->checkout, builds->goal, builds->variable,
			&builds->rerun, ctx, err) < 0)
		return -1;
	if (!builds->rerun)
		builds->failures = BUILDS_FAILURES_MOST;
	return worktree_date_now(builds->checkout->worktree, NULL, err);
}

bool builds_is_as_base(const struct builds *builds, const struct rerun_result *result)
{
	if (builds->hangs)
		return !result->gone && result->timeout;
	return !result->gone &&
		builds_are_same(builds->services->baseline, &result->report, builds->base);
}

/* --- The whole suite --- */

/* Of the tests that passed at the base, those that the first report lacks may be lacking from the
 * second. */
static bool builds_misses_more(const struct comparison *comparison, const struct test_report *base)
{
	for (size_t i = 0; i < comparison->n_missing; i++)
		if (!base || test_report_find(base, comparison->missing[i]))
			return true;
	return false;
}

/* Whether the whole suite comes out in this build as at the base: else it cannot judge a candidate
 * either. Tests that are no programs (verify/suite/suite.h: noted) are not run. */
static int builds_need_whole(struct builds *builds, struct rondo_error *err)
{
	struct comparison comparison;
	struct rerun_result *result = arena_alloc(&builds->group, sizeof *result);
	if (builds->whole_known)
		return 0;
	if (builds_run(builds, RERUN_WHOLE, BLEND_BASE, &builds->group, result, err) < 0)
		return -1;
	builds->whole_known = true;
	if (result->gone || !result->report.complete)
		return 0;
	baseline_compare(builds->services->baseline, &result->report, &builds->group, &comparison);
	if (!comparison.n_broken)
		builds->whole = &result->report;
	return 0;
}

int builds_run_whole(struct builds *builds, size_t number, enum trial_end *ret_end, bool *ret_gone,
	struct rondo_error *err)
{
	AUTO_ARENA arena = ARENA_INIT;
	struct rerun_result result;
	struct comparison comparison;
	int64_t limit_ms = builds->services->suite_timeout_ms;
	*ret_end = TRIAL_UNKNOWN;
	if (!builds->hangs && builds_need_whole(builds, err) < 0)
		return -1;
	if (!builds->hangs && !builds->whole)
		return 0;
	if (rerun_run(builds->rerun, RERUN_WHOLE, number, limit_ms, limit_ms, &arena, &result, err) < 0)
		return -1;
	*ret_gone = result.gone;
	*ret_end = TRIAL_FAILED;
	if (result.gone)
		return 0;
	baseline_compare(builds->services->baseline, &result.report, &arena, &comparison);
	bool is_fine = result.report.complete && !comparison.n_broken && !comparison.n_skipped &&
		!comparison.n_red_new && !builds_misses_more(&comparison, builds->whole);
	*ret_end = is_fine ? TRIAL_PASSED : builds->hangs ? TRIAL_UNKNOWN : TRIAL_BROKEN;
	log_line(LOG_DEBUG, "trial", "the whole suite with number %zu: %s", number,
		is_fine                  ? "passes"
			: comparison.problem ? comparison.problem
								 : "lacks tests that the base has");
	return 0;
}
