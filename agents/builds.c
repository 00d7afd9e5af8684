#include "agents/builds.h"

#include <stdlib.h>
#include <string.h>

#include "agents/rerun.h"
#include "base/clock.h"
#include "base/hash.h"
#include "base/log.h"
#include "base/memory.h"
#include "repair/repair.h"

enum {
	LEAST_GROUP = 2,   /* fewer are built alone */
	ROUNDS_MOST = 8,   /* builds of one group: compilers do not find all mistakes at once */
	FAILURES_MOST = 3, /* builds that came to nothing, and programs that were killed, before all run cold */
};

struct builds {
	struct arena arena; /* of what was started */
	const struct agent_kit *kit;
	const struct workplace *bench;
	char variable[6 + 16 + 1]; /* of the environment: says which candidate it is */
	struct rerun *rerun;             /* NULL: not started */
	const struct test_report *base;  /* the goal's tests in the text as it is */
	int64_t cpu_ms, wall_ms;         /* limits of a run */
	bool seen;  /* a program was seen to do what its number says */
	bool works; /* a group was built */
	int failures;

	/* the group */
	struct arena group;
	const struct candidate *candidates;
	struct blend blend;
	int64_t deadline_ms;
	bool *wrong;      /* by candidate: it does not compile */
	bool is_built;
	bool whole_known, whole_agrees; /* the whole suite comes out in this build as at the base */
};

struct builds *builds_new(const struct agent_kit *kit, const struct workplace *bench)
{
	struct builds *builds = memory_alloc(sizeof *builds);
	*builds = (struct builds){.kit = kit, .bench = bench, .variable = "rondo_"};
	hash_random(builds->variable + strlen(builds->variable), 16);
	return builds;
}

bool builds_can(const struct builds *builds)
{
	return builds && builds->failures < FAILURES_MOST;
}

bool builds_work(const struct builds *builds)
{
	return builds && builds->works;
}

static void stop(struct builds *builds)
{
	rerun_free(builds->rerun);
	builds->rerun = NULL;
	builds->base = NULL;
	arena_release(&builds->arena);
}

void builds_free(struct builds *builds)
{
	if (!builds)
		return;
	stop(builds);
	arena_release(&builds->group);
	free(builds);
}

/* One that came to nothing. The last one says so. */
static void fail(struct builds *builds, const char *why)
{
	if (++builds->failures == FAILURES_MOST)
		log_line(LOG_INFO, "tester", "candidates are built one by one: %s", why);
}

/* --- Runs --- */

static bool is_flaky(const struct baseline *baseline, const char *id)
{
	for (size_t i = 0; i < baseline->n_flaky; i++)
		if (strcmp(baseline->flaky[i], id) == 0)
			return true;
	return false;
}

/* Whether two runs of the same tests came out alike. */
static bool is_same(const struct baseline *baseline, const struct test_report *a, const struct test_report *b)
{
	if (a->complete != b->complete || a->n != b->n)
		return false;
	for (size_t i = 0; i < a->n; i++) {
		const struct test_result *other = test_report_find(b, a->results[i]->id);
		bool same = other && other->status == a->results[i]->status;
		if (!same && !is_flaky(baseline, a->results[i]->id))
			return false;
	}
	return true;
}

static int run(struct builds *builds, enum rerun_line line, size_t number, struct arena *arena, struct rerun_result *result,
	struct rondo_error *err)
{
	int64_t limit_ms = builds->kit->suite_timeout_ms, left_ms = builds->deadline_ms - clock_now_ms();
	bool chosen = number != BLEND_BASE;
	if (builds->deadline_ms && left_ms < limit_ms)
		limit_ms = left_ms > 0 ? left_ms : 1;
	return rerun_run(builds->rerun, line, number, chosen ? builds->cpu_ms : limit_ms, chosen ? builds->wall_ms : limit_ms,
		arena, result, err);
}

/* Whether all tests that count ran, and some of the goal failed. */
static bool is_red_base(const struct builds *builds, const struct judge_options *goal, const struct test_report *report)
{
	AUTO_ARENA arena = ARENA_INIT;
	const struct baseline *baseline = builds->kit->baseline;
	struct comparison comparison;
	baseline_compare(baseline, report, &arena, &comparison);
	return report->complete && baseline_saw_goal(baseline, report, true) && (goal->ids || !comparison.n_missing);
}

/* The text as it is, built; then again, which says how long a run takes. */
static int run_base(struct builds *builds, const struct judge_options *goal, struct rondo_error *err)
{
	struct rerun_result built, *again = arena_alloc(&builds->arena, sizeof *again);
	const struct baseline *baseline = builds->kit->baseline;
	if (worktree_date_now(builds->bench->worktree, NULL, err) < 0 ||
		run(builds, RERUN_BUILD, BLEND_BASE, &builds->arena, &built, err) < 0)
		return -1;
	if (!built.gone && run(builds, RERUN_GOAL, BLEND_BASE, &builds->arena, again, err) < 0)
		return -1;
	if (built.gone || again->gone || !is_red_base(builds, goal, &again->report) || !is_same(baseline, &built.report, &again->report))
		return 0;
	builds->base = &again->report;
	int64_t cpu_ms = again->cpu_ms > again->ms / WARM_WALL ? again->cpu_ms : again->ms / WARM_WALL;
	builds->cpu_ms = WARM_SLOWER * cpu_ms > WARM_LEAST_MS ? WARM_SLOWER * cpu_ms : WARM_LEAST_MS;
	builds->wall_ms = WARM_WALL * builds->cpu_ms;
	return 0;
}

/* Start what is not there; `base` is NULL where it cannot be. */
static int need_rerun(struct builds *builds, const struct judge_options *goal, const struct context *ctx,
	struct rondo_error *err)
{
	if (builds->rerun)
		return 0;
	if (rerun_start(builds->kit, builds->bench, goal, builds->variable, &builds->rerun, ctx, err) < 0)
		return -1;
	if (!builds->rerun)
		builds->failures = FAILURES_MOST;
	if (builds->rerun && run_base(builds, goal, err) < 0)
		return -1;
	if (builds->rerun && !builds->base) {
		fail(builds, "two runs of the suite in one sandbox came out otherwise");
		stop(builds);
	}
	return 0;
}

/* --- A group --- */

static bool has_file(const struct repair_file *files, size_t n, const char *path)
{
	for (size_t i = 0; i < n; i++)
		if (strcmp(files[i].path, path) == 0)
			return true;
	return false;
}

/* The texts that candidates change, as the bench has them. What cannot be read has no text, and no candidate in a build. */
static struct repair_file *read_files(struct builds *builds, size_t n, size_t *ret_n)
{
	struct repair_file *files = NULL;
	struct rondo_error ignored;
	*ret_n = 0;
	for (size_t i = 0; i < n; i++)
		for (size_t k = 0; k < builds->candidates[i].edit.n; k++) {
			struct repair_file file = {.path = builds->candidates[i].edit.files[k].path};
			if (has_file(files, *ret_n, file.path))
				continue;
			if (worktree_file(builds->bench->worktree, file.path, &builds->group, &file.text, &file.n, &ignored) < 0)
				file.text = NULL;
			ARENA_PUSH(&builds->group, files, *ret_n, file);
		}
	return files;
}

/* Whether compilers said whose fault it is: those are left out. */
static bool blame(struct builds *builds)
{
	AUTO_STRBUF printed = STRBUF_INIT(STRBUF_TEXT);
	size_t before = 0, n = builds->blend.n;
	for (size_t i = 0; i < n; i++)
		before += builds->wrong[i];
	rerun_printed(builds->rerun, &printed);
	bool told = blend_blame(&builds->blend, printed.text, builds->wrong) > before;
	if (!told)
		log_line(LOG_DEBUG, "tester", "a build of %zu candidates came to nothing: %s", builds->blend.n_held, printed.text);
	return told;
}

enum outcome {
	OUTCOME_RIGHT,   /* built, and with nothing chosen it does as the base */
	OUTCOME_BLAMED,  /* some do not compile */
	OUTCOME_NOTHING, /* it is no use */
};

/* What is chosen must be seen: the number with which functions never end lets a run go on to its limit. It must be worth the
 * while, too: a run that builds all again costs more than a candidate alone. */
static int check_build(struct builds *builds, int64_t built_ms, enum outcome *ret_outcome, struct rondo_error *err)
{
	AUTO_ARENA arena = ARENA_INIT;
	struct rerun_result again, hangs;
	if (builds->seen)
		return 0;
	*ret_outcome = OUTCOME_NOTHING;
	if (run(builds, RERUN_GOAL, BLEND_BASE, &arena, &again, err) < 0)
		return -1;
	if (again.gone || !is_same(builds->kit->baseline, &again.report, builds->base) || again.ms * 10 > built_ms * 8)
		return 0;
	if (run(builds, RERUN_GOAL, BLEND_HANG, &arena, &hangs, err) < 0)
		return -1;
	builds->seen = hangs.timeout;
	*ret_outcome = hangs.timeout ? OUTCOME_RIGHT : OUTCOME_NOTHING;
	return 0;
}

static int build(struct builds *builds, enum outcome *ret_outcome, struct rondo_error *err)
{
	AUTO_ARENA arena = ARENA_INIT;
	struct rerun_result built;
	*ret_outcome = OUTCOME_NOTHING;
	if (worktree_apply(builds->bench->worktree, &builds->blend.edit, err) < 0)
		return -1;
	builds->is_built = true;
	if (worktree_date_now(builds->bench->worktree, &builds->blend.edit, err) < 0)
		return -1;
	if (run(builds, RERUN_BUILD, BLEND_BASE, &arena, &built, err) < 0)
		return -1;
	if (built.gone)
		return 0;
	if (is_same(builds->kit->baseline, &built.report, builds->base)) {
		*ret_outcome = OUTCOME_RIGHT;
		return check_build(builds, built.ms, ret_outcome, err);
	}
	*ret_outcome = blame(builds) ? OUTCOME_BLAMED : OUTCOME_NOTHING;
	return 0;
}

static int put_back(struct builds *builds, struct rondo_error *err)
{
	struct worktree *worktree = builds->bench->worktree;
	if (!builds->is_built)
		return 0;
	builds->is_built = false;
	if (worktree_revert(worktree, &builds->blend.edit, err) < 0)
		return -1;
	return worktree_date_now(worktree, &builds->blend.edit, err);
}

static void blend(struct builds *builds, const struct repair_file *files, size_t n_files, size_t n)
{
	blend_make(&builds->blend, files, n_files, builds->candidates, n, builds->wrong, builds->variable, &builds->group);
}

/* Build what is blended, and blend again, until all that is in compiles. */
static int build_group(struct builds *builds, const struct repair_file *files, size_t n_files, size_t n, struct rondo_error *err)
{
	enum outcome outcome = OUTCOME_BLAMED;
	for (int round = 0; outcome == OUTCOME_BLAMED && round < ROUNDS_MOST; round++) {
		if (round)
			blend(builds, files, n_files, n);
		if (builds->blend.n_held < LEAST_GROUP)
			return 0;
		if (build(builds, &outcome, err) < 0)
			return -1;
		if (outcome != OUTCOME_RIGHT && put_back(builds, err) < 0)
			return -1;
		log_line(LOG_DEBUG, "tester", "%zu of %zu candidates in one build: %s", builds->blend.n_held, n,
			outcome == OUTCOME_RIGHT ? "it does as the base" : "another round, or none");
	}
	builds->works = builds->works || outcome == OUTCOME_RIGHT;
	if (outcome != OUTCOME_RIGHT)
		fail(builds, "a build of several did not do as the base does");
	return 0;
}

int builds_begin(struct builds *builds, const struct judge_options *goal, const struct candidate *candidates, size_t n,
	int64_t deadline_ms, size_t *ret_n, const struct context *ctx, struct rondo_error *err)
{
	size_t n_files;
	arena_release(&builds->group);
	builds->candidates = candidates;
	builds->deadline_ms = deadline_ms;
	builds->whole_known = false;
	builds->wrong = arena_alloc(&builds->group, n * sizeof *builds->wrong);
	const struct repair_file *files = read_files(builds, n, &n_files);
	blend(builds, files, n_files, n);
	*ret_n = builds->blend.n;
	if (builds->blend.n_held < LEAST_GROUP || !builds_can(builds))
		return 0;
	if (need_rerun(builds, goal, ctx, err) < 0)
		return -1;
	return builds->base ? build_group(builds, files, n_files, *ret_n, err) : 0;
}

/* Whether the whole suite comes out in this build as at the base: else it says nothing of a candidate either. */
static int whole_agrees(struct builds *builds, bool *ret_agrees, struct rondo_error *err)
{
	AUTO_ARENA arena = ARENA_INIT;
	struct rerun_result result;
	struct comparison comparison;
	if (!builds->whole_known && run(builds, RERUN_WHOLE, BLEND_BASE, &arena, &result, err) < 0)
		return -1;
	if (!builds->whole_known) {
		if (!result.gone)
			baseline_compare(builds->kit->baseline, &result.report, &arena, &comparison);
		builds->whole_agrees = !result.gone && result.report.complete && !comparison.n_broken && !comparison.n_missing;
	}
	builds->whole_known = true;
	*ret_agrees = builds->whole_agrees;
	return 0;
}

/* All tests of the goal pass: does the whole suite? */
static int try_whole(struct builds *builds, size_t number, struct warm_result *ret_result, struct rondo_error *err)
{
	AUTO_ARENA arena = ARENA_INIT;
	struct rerun_result result;
	struct comparison comparison;
	bool agrees;
	*ret_result = (struct warm_result){.end = WARM_COLD};
	if (whole_agrees(builds, &agrees, err) < 0)
		return -1;
	if (!agrees)
		return 0;
	int64_t limit_ms = builds->kit->suite_timeout_ms;
	if (rerun_run(builds->rerun, RERUN_WHOLE, number, limit_ms, limit_ms, &arena, &result, err) < 0)
		return -1;
	ret_result->end = WARM_GONE;
	if (result.gone)
		return 0;
	baseline_compare(builds->kit->baseline, &result.report, &arena, &comparison);
	ret_result->end = comparison.ok ? WARM_PASSED : WARM_BROKEN;
	return 0;
}

int builds_try(struct builds *builds, size_t i, struct warm_result *ret_result, struct rondo_error *err)
{
	AUTO_ARENA arena = ARENA_INIT;
	struct rerun_result result;
	const struct baseline *baseline = builds->kit->baseline;
	size_t number = BLEND_FIRST + i;
	int patience = builds->candidates[i].patience ? builds->candidates[i].patience : 1;
	*ret_result = (struct warm_result){.end = builds->wrong[i] ? WARM_FAILED : WARM_COLD};
	if (!builds->is_built || !builds->blend.holds[i])
		return 0;
	if (rerun_run(builds->rerun, RERUN_GOAL, number, builds->cpu_ms * patience, builds->wall_ms * patience, &arena, &result,
		    err) < 0)
		return -1;
	ret_result->end = result.gone ? WARM_GONE : result.timeout ? WARM_TIMEOUT : WARM_FAILED;
	if (ret_result->end != WARM_FAILED)
		return 0;
	ret_result->fixed = result.report.n ? baseline_count_fixed(baseline, &result.report, &arena) : 0;
	if (!result.report.complete || ret_result->fixed < baseline->n_goal)
		return 0;
	ret_result->fixed = 0;
	return try_whole(builds, number, ret_result, err);
}

int builds_end(struct builds *builds, bool *ret_holds, struct rondo_error *err)
{
	AUTO_ARENA arena = ARENA_INIT;
	struct rerun_result result = {.gone = true};
	*ret_holds = true;
	if (builds->is_built && run(builds, RERUN_GOAL, BLEND_BASE, &arena, &result, err) < 0)
		return -1;
	if (builds->is_built && result.gone) {
		fail(builds, "the program that runs them was killed");
		stop(builds);
	} else if (builds->is_built && !is_same(builds->kit->baseline, &result.report, builds->base)) {
		fail(builds, "a candidate left the tree otherwise than it was");
		*ret_holds = false;
	}
	return put_back(builds, err);
}
