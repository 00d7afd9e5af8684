/*
 * A bench takes one candidate at a time where the suite's tests can be kept loaded (warm.h), else a group that can be built
 * together (builds.h). What passes there, and what cannot be tried there, is judged by the suite's own command.
 */
#include "agents/shard.h"

#include "base/clock.h"
#include "base/log.h"
#include "repair/repair.h"

enum {
	RESTARTS_MOST = 20,     /* of what is loaded on a bench, before it is left cold */
	GOAL_MOST = 20,         /* tests that are run first: where these pass, the suite tells of the others */
	LEAST_WHOLE_MS = 10000, /* for the suite; else twice what the goal's tests are given */
	GROUP_MOST = 64,        /* candidates that are built together */
	SHORT_SUITE_MS = 3000,
};

bool trial_is_over(const struct trial *trial)
{
	return atomic_load(&trial->failed) ||
	       (trial->deadline_ms && clock_now_ms() >= trial->deadline_ms);
}

/* What hangs is given up, long before the suite's own limit. */
static struct judge_options whole_options(const struct trial *trial)
{
	int64_t wanted_ms = 2 * trial->goal->timeout_ms, most_ms = trial->agent->kit->suite_timeout_ms;
	if (wanted_ms < LEAST_WHOLE_MS)
		wanted_ms = LEAST_WHOLE_MS;
	return (struct judge_options){.timeout_ms = wanted_ms < most_ms ? wanted_ms : most_ms};
}

/* The goal's tests, and no longer than there is time; what passed warm is told at once by a suite that is short. */
static struct judge_options first_options(const struct trial *trial, bool has_passed)
{
	bool is_short = trial->agent->kit->baseline->first->duration_ms < SHORT_SUITE_MS;
	struct judge_options options = has_passed && is_short ? whole_options(trial) : *trial->goal;
	int64_t left_ms = trial->deadline_ms ? trial->deadline_ms - clock_now_ms() : options.timeout_ms;
	if (options.timeout_ms > left_ms)
		options.timeout_ms = left_ms > 0 ? left_ms : 1;
	if (options.n_ids > GOAL_MOST)
		options.n_ids = GOAL_MOST;
	return options;
}

/* How many goal tests pass; all of them only where the whole suite agrees, too. A suite that cannot run some tests
 * alone has run whole already. */
static int judge_here(struct shard *shard, bool has_passed, struct arena *arena, size_t *ret_fixed, bool *ret_wins)
{
	struct judge_options first = first_options(shard->trial, has_passed), whole = whole_options(shard->trial);
	const struct agent_kit *kit = shard->trial->agent->kit;
	const struct baseline *baseline = kit->baseline;
	const struct context *ctx = shard->trial->ctx;
	struct test_report report = {0};
	struct comparison comparison;
	if (judge(shard->bench->workplace, kit->suite, &first, arena, &report, ctx, &shard->err) < 0)
		return -1;
	*ret_fixed = report.n ? baseline_count_fixed(baseline, &report, arena) : 0;
	if (!report.complete || *ret_fixed < (first.ids ? first.n_ids : baseline->n_goal))
		return 0;
	if (first.ids &&
		judge(shard->bench->workplace, kit->suite, &whole, arena, &report, ctx, &shard->err) < 0)
		return -1;
	baseline_compare(baseline, &report, arena, &comparison);
	*ret_wins = comparison.ok;
	*ret_fixed = comparison_regressions(&comparison) ? 0 : comparison.n_fixed;
	return 0;
}

/* By the suite itself, in the tree. */
static int try_cold(struct shard *shard, const struct edit *edit, bool has_passed, size_t *ret_fixed, bool *ret_wins)
{
	AUTO_ARENA arena = ARENA_INIT;
	struct rondo_error later;
	struct worktree *worktree = shard->bench->workplace->worktree;
	if (worktree_apply(worktree, edit, &later) < 0)
		return 0; /* made for another text: nothing to try */
	int status = judge_here(shard, has_passed, &arena, ret_fixed, ret_wins);
	if (worktree_revert(worktree, edit, status < 0 ? &later : &shard->err) < 0)
		status = -1;
	return status;
}

int bench_start(struct bench *bench, const struct agent_kit *kit, const struct context *ctx, struct rondo_error *err)
{
	bench->cold = kit->judges_whole || ++bench->starts > RESTARTS_MOST;
	if (bench->cold)
		return 0;
	if (warm_start(kit, bench->workplace, &bench->warm, ctx, err) < 0)
		return -1;
	bench->cold = !bench->warm;
	return 0;
}

void bench_cool(struct bench *bench)
{
	warm_free(bench->warm);
	bench->warm = NULL;
	bench->loaded = false;
}

/* What is loaded on the bench, which is started where it is not. */
static int need_warm(struct shard *shard)
{
	struct bench *bench = shard->bench;
	const struct agent_kit *kit = shard->trial->agent->kit;
	AUTO_ARENA arena = ARENA_INIT;
	const char *why = "tests by themselves come out otherwise";
	if (bench->cold || bench->loaded)
		return 0;
	if (!bench->warm && bench_start(bench, kit, shard->trial->ctx, &shard->err) < 0)
		return -1;
	if (bench->cold)
		return 0;
	if (!kit->judges_whole && warm_load(bench->warm, &arena, &why, &shard->err) < 0)
		return -1;
	bench->loaded = !why;
	bench->cold = why;
	if (bench->cold)
		bench_cool(bench);
	if (bench->cold)
		log_line(LOG_INFO, "tester", "candidates run cold: %s", why);
	return 0;
}

/* By the tests that are kept loaded, where there are any. */
static int try_warm(struct shard *shard, size_t place, struct warm_result *ret_result)
{
	struct bench *bench = shard->bench;
	const struct candidate *candidate = &shard->trial->candidates->items[place];
	*ret_result = (struct warm_result){.end = WARM_COLD};
	if (need_warm(shard) < 0)
		return -1;
	if (!bench->loaded)
		return 0;
	if (warm_try(bench->warm, &candidate->edit, candidate->patience ? candidate->patience : 1, ret_result, &shard->err) < 0)
		return -1;
	if (ret_result->end == WARM_GONE)
		bench_cool(bench);
	return 0;
}

/* What trying one showed, for all shards. */
static void note(struct trial *trial, size_t place, size_t fixed, bool wins)
{
	trial->results[place].fixed = fixed;
	trial->results[place].wins = wins;
	bool ends = wins && !trial->candidates->wants_all;
	for (size_t best = atomic_load(&trial->winner); ends && place < best;)
		if (atomic_compare_exchange_weak(&trial->winner, &best, place))
			break;
	for (size_t most = atomic_load(&trial->most_fixed); fixed > most;)
		if (atomic_compare_exchange_weak(&trial->most_fixed, &most, fixed))
			break;
	atomic_fetch_add(&trial->tried, 1);
}

/* Whether it is settled without the suite's own command. */
static bool settle_warm(struct trial *trial, size_t place, const struct warm_result *result)
{
	if (result->end == WARM_PASSED || result->end == WARM_COLD)
		return false;
	trial->results[place].slow = result->end == WARM_TIMEOUT;
	note(trial, place, result->end == WARM_FAILED ? result->fixed : 0, false);
	return true;
}

/* Of one that is known to pass: how it behaves under further tests. */
static int settle_behaviour(struct shard *shard, size_t place)
{
	struct trial *trial = shard->trial;
	int64_t timeout_ms = whole_options(trial).timeout_ms;
	return behaviour_ask(trial->agent->kit, shard->bench->workplace, trial->candidates, place, timeout_ms,
		trial->outcomes + place * trial->candidates->n_input_ids, trial->ctx, &shard->err);
}

static int settle_cold(struct shard *shard, size_t place, bool has_passed)
{
	size_t fixed = 0;
	bool wins = false;
	if (try_cold(shard, &shard->trial->candidates->items[place].edit, has_passed, &fixed, &wins) < 0)
		return -1;
	note(shard->trial, place, fixed, wins);
	return 0;
}

static void tell(const struct trial *trial, size_t place)
{
	const struct baseline *baseline = trial->agent->kit->baseline;
	context_progress(trial->ctx, trial->agent->name,
		"trying candidate %zu of %zu   best so far: %zu of %zu fixed   %s", place + 1,
		trial->candidates->n, atomic_load(&trial->most_fixed), baseline->n_goal,
		trial->candidates->items[place].edit.description);
}

static int try_one(struct shard *shard, size_t place)
{
	struct warm_result result;
	if (shard->tells)
		tell(shard->trial, place);
	if (shard->trial->candidates->inputs.n)
		return settle_behaviour(shard, place);
	if (try_warm(shard, place, &result) < 0)
		return -1;
	return settle_warm(shard->trial, place, &result) ? 0 : settle_cold(shard, place, result.end == WARM_PASSED);
}

/* --- Groups that are built together --- */

static bool is_wanted(const struct trial *trial, size_t place)
{
	return !trial_is_over(trial) && place < atomic_load(&trial->winner);
}

/* Try those of a group that were built, up to the first that passes; *n is how many these are, then how many of the first ones
 * are dealt with. */
static int run_group(struct shard *shard, size_t first, struct warm_result *results, size_t *n)
{
	struct trial *trial = shard->trial;
	bool holds = true, goes_on = true;
	int64_t start_ms = clock_now_ms();
	int status = builds_begin(shard->bench->builds, trial->goal, trial->candidates->items + first, *n, trial->deadline_ms, n,
		trial->ctx, &shard->err);
	shard->bench->built_ms += clock_now_ms() - start_ms;
	for (size_t i = 0; status == 0 && goes_on && i < *n && is_wanted(trial, first + i); i++) {
		if (shard->tells)
			tell(trial, first + i);
		status = builds_try(shard->bench->builds, i, &results[i], &shard->err);
		goes_on = results[i].end != WARM_PASSED && results[i].end != WARM_GONE;
		*n = goes_on ? *n : i + 1;
	}
	struct rondo_error later;
	if (builds_end(shard->bench->builds, &holds, status < 0 ? &later : &shard->err) < 0)
		status = -1;
	for (size_t i = 0; !holds && i < *n; i++)
		results[i] = (struct warm_result){.end = WARM_COLD};
	return status;
}

/* Try the first ones of a group, in their order: ret_n says how many. */
static int try_group(struct shard *shard, size_t first, size_t n, size_t *ret_n)
{
	struct trial *trial = shard->trial;
	struct warm_result results[GROUP_MOST];
	for (size_t i = 0; i < n; i++)
		results[i] = (struct warm_result){.end = WARM_COLD};
	*ret_n = n;
	if (run_group(shard, first, results, ret_n) < 0)
		return -1;
	for (size_t i = 0; i < *ret_n && is_wanted(trial, first + i); i++) {
		if (settle_warm(trial, first + i, &results[i]))
			continue;
		if (shard->tells)
			tell(trial, first + i);
		if (settle_cold(shard, first + i, results[i].end == WARM_PASSED) < 0)
			return -1;
	}
	return 0;
}

/* How many a shard takes at once: as many as the others, of a batch that is not much. */
static size_t group_size(const struct shard *shard)
{
	const struct trial *trial = shard->trial;
	size_t shards = trial->agent->kit->n_benches, n = (trial->candidates->n + shards - 1) / shards;
	return !builds_can(shard->bench->builds) || trial->candidates->inputs.n ? 1 : n < GROUP_MOST ? n : GROUP_MOST;
}

static int try_next(struct shard *shard, size_t n)
{
	struct trial *trial = shard->trial;
	size_t place = atomic_fetch_add(&trial->next, n), all = trial->candidates->n, done;
	for (size_t end = place + n < all ? place + n : all; place < end && is_wanted(trial, place); place += done) {
		done = 1;
		bool group = builds_can(shard->bench->builds) && !trial->candidates->inputs.n;
		if ((group ? try_group(shard, place, end - place, &done) : try_one(shard, place)) < 0)
			return -1;
	}
	return 0;
}

/* Where nothing is kept loaded, and some of the candidates may be built together. */
static void need_builds(struct shard *shard)
{
	const struct candidates *candidates = shard->trial->candidates;
	bool can = false;
	for (size_t i = 0; i < candidates->n && !can; i++)
		can = candidates->items[i].edit.n && blend_knows(candidates->items[i].edit.files[0].path);
	if (can && shard->bench->cold && !shard->bench->builds)
		shard->bench->builds = builds_new(shard->trial->agent->kit, shard->bench->workplace);
}

void *shard_work(void *owner)
{
	struct shard *shard = owner;
	struct trial *trial = shard->trial;
	int status = need_warm(shard);
	need_builds(shard);
	while (status == 0 && !trial_is_over(trial)) {
		size_t next = atomic_load(&trial->next);
		if (next >= trial->candidates->n || next > atomic_load(&trial->winner))
			break;
		status = try_next(shard, group_size(shard));
	}
	if (status < 0)
		atomic_store(&trial->failed, true);
	return NULL;
}
