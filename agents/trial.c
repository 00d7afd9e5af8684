#include "agents/trial.h"

#include <stdatomic.h>

#include "base/clock.h"
#include "base/thread.h"

/* A candidate that never ends is told from a slow one by the time that the whole suite took. */
#define LEAST_TRIAL_MS 600
#define SUITES_A_TRIAL 5

struct trial {
	const struct agent *agent;
	const struct candidates *candidates;
	const struct context *ctx;
	int64_t deadline_ms, timeout_ms;
	atomic_size_t next;   /* the first candidate that nobody has taken */
	atomic_size_t winner; /* its place, or the number of candidates */
	atomic_size_t tried, most_fixed;
	atomic_bool failed;
	struct candidate_result *results; /* by place */
};

struct shard {
	struct trial *trial;
	struct workplace *bench;
	bool tells;      /* one shard shows the progress of all */
	pthread_t thread;
	struct rondo_error err;
};

static bool is_over(const struct trial *trial)
{
	return atomic_load(&trial->failed) ||
	       (trial->deadline_ms && clock_now_ms() >= trial->deadline_ms);
}

/* How many goal tests pass; all of them only where the whole suite agrees, too. A suite that cannot run some tests
 * alone has run whole already. */
static int judge_here(struct shard *shard, struct arena *arena, size_t *ret_fixed, bool *ret_wins)
{
	const struct agent_kit *kit = shard->trial->agent->kit;
	const struct baseline *baseline = kit->baseline;
	const struct context *ctx = shard->trial->ctx;
	struct judge_options options = {.ids = baseline->goal, .n_ids = baseline->n_goal,
		.timeout_ms = shard->trial->timeout_ms};
	struct test_report report = {0};
	struct comparison comparison;
	if (judge(shard->bench, kit->suite, &options, arena, &report, ctx, &shard->err) < 0)
		return -1;
	*ret_fixed = report.n ? baseline_count_fixed(baseline, &report, arena) : 0;
	if (!report.complete || *ret_fixed < baseline->n_goal)
		return 0;
	bool was_part = judge_can_target(kit->suite, &options, arena);
	options = (struct judge_options){.timeout_ms = kit->suite_timeout_ms};
	if (was_part && judge(shard->bench, kit->suite, &options, arena, &report, ctx, &shard->err) < 0)
		return -1;
	baseline_compare(baseline, &report, arena, &comparison);
	*ret_wins = comparison.ok;
	if (!comparison.ok)
		*ret_fixed = 0;
	return 0;
}

static int try_one(struct shard *shard, size_t place)
{
	AUTO_ARENA arena = ARENA_INIT;
	struct trial *trial = shard->trial;
	const struct edit *edit = &trial->candidates->items[place].edit;
	struct rondo_error later;
	struct worktree *worktree = shard->bench->worktree;
	if (worktree_apply(worktree, edit, &later) < 0)
		return 0; /* made for another text: nothing to try */
	size_t fixed = 0;
	bool wins = false;
	int status = judge_here(shard, &arena, &fixed, &wins);
	if (worktree_revert(worktree, edit, status < 0 ? &later : &shard->err) < 0)
		status = -1;
	trial->results[place].fixed = fixed;
	for (size_t best = atomic_load(&trial->winner); wins && place < best;)
		if (atomic_compare_exchange_weak(&trial->winner, &best, place))
			break;
	for (size_t most = atomic_load(&trial->most_fixed); fixed > most;)
		if (atomic_compare_exchange_weak(&trial->most_fixed, &most, fixed))
			break;
	return status;
}

static void tell(const struct trial *trial, size_t place)
{
	const struct baseline *baseline = trial->agent->kit->baseline;
	context_progress(trial->ctx, trial->agent->name,
		"trying candidate %zu of %zu   best so far: %zu of %zu fixed   %s", place + 1,
		trial->candidates->n, atomic_load(&trial->most_fixed), baseline->n_goal,
		trial->candidates->items[place].edit.description);
}

static void *work(void *owner)
{
	struct shard *shard = owner;
	struct trial *trial = shard->trial;
	while (!is_over(trial)) {
		size_t place = atomic_fetch_add(&trial->next, 1);
		if (place >= trial->candidates->n || place > atomic_load(&trial->winner))
			break;
		if (shard->tells)
			tell(trial, place);
		if (try_one(shard, place) < 0) {
			atomic_store(&trial->failed, true);
			break;
		}
		atomic_fetch_add(&trial->tried, 1);
	}
	return NULL;
}

static void conclude(const struct trial *trial, struct arena *arena, struct candidate_results *results)
{
	size_t winner = atomic_load(&trial->winner), n = trial->candidates->n;
	*results = (struct candidate_results){.tried = atomic_load(&trial->tried), .of = n,
		.goal = trial->agent->kit->baseline->n_goal,
		.winner = winner < n ? trial->candidates->items[winner].id : 0};
	for (size_t i = 0; i < n; i++)
		if (trial->results[i].fixed)
			ARENA_PUSH(arena, results->progress, results->n, trial->results[i]);
}

int trial_run(const struct agent *agent, const struct candidates *candidates, int64_t deadline_ms,
	struct arena *arena, struct candidate_results *results, const struct context *ctx,
	struct rondo_error *err)
{
	const struct agent_kit *kit = agent->kit;
	int64_t suites_ms = SUITES_A_TRIAL * kit->baseline->first->duration_ms;
	struct trial trial = {.agent = agent, .candidates = candidates, .ctx = ctx,
		.deadline_ms = deadline_ms,
		.timeout_ms = suites_ms > LEAST_TRIAL_MS ? suites_ms : LEAST_TRIAL_MS};
	atomic_init(&trial.winner, candidates->n);
	trial.results = arena_alloc(arena, candidates->n * sizeof *trial.results);
	for (size_t i = 0; i < candidates->n; i++)
		trial.results[i].id = candidates->items[i].id;
	struct shard *shards = arena_alloc(arena, kit->n_benches * sizeof *shards);
	size_t started = 1;
	for (size_t i = 0; i < kit->n_benches; i++)
		shards[i] = (struct shard){.trial = &trial, .bench = &kit->benches[i], .tells = i == 0};
	while (started < kit->n_benches &&
		thread_start(&shards[started].thread, work, &shards[started]) == 0)
		started++;
	work(&shards[0]);
	for (size_t i = 1; i < started; i++)
		pthread_join(shards[i].thread, NULL);
	for (size_t i = 0; atomic_load(&trial.failed) && i < started; i++) {
		if (shards[i].err.code == RONDO_ERROR_NONE)
			continue;
		*err = shards[i].err;
		return -1;
	}
	conclude(&trial, arena, results);
	return 0;
}
