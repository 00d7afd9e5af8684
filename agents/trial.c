#include "agents/trial.h"

#include <stdlib.h>
#include <string.h>

#include "agents/shard.h"
#include "base/memory.h"

struct trials {
	const struct agent *agent;
	struct bench *benches;
	struct object tree; /* what they hold; "": nothing yet */
	struct arena arena;
};

static void conclude(const struct trial *trial, struct arena *arena, struct candidate_results *results)
{
	size_t n = trial->candidates->n, last = atomic_load(&trial->winner);
	*results = (struct candidate_results){
		.tried = atomic_load(&trial->tried), .of = n, .goal = trial->agent->kit->baseline->n_goal};
	/* Which of those behind the one that ended it were tried is chance. */
	for (size_t i = 0; i < n && i <= last; i++) {
		const struct candidate_result *result = &trial->results[i];
		if (result->wins && !results->winner)
			results->winner = result->id;
		if (result->fixed || result->slow || result->behaviour)
			ARENA_PUSH(arena, results->progress, results->n, *result);
	}
}

static int run_shards(struct trials *trials, struct trial *trial, struct arena *arena, struct rondo_error *err)
{
	size_t n = trials->agent->kit->n_benches, started = 1;
	struct shard *shards = arena_alloc(arena, n * sizeof *shards);
	for (size_t i = 0; i < n; i++)
		shards[i] = (struct shard){.trial = trial, .bench = &trials->benches[i], .tells = i == 0};
	for (size_t i = 0; i < n; i++)
		trials->benches[i].built_ms = 0;
	while (started < n && thread_start(&shards[started].thread, shard_work, &shards[started]) == 0)
		started++;
	shard_work(&shards[0]);
	for (size_t i = 1; i < started; i++)
		pthread_join(shards[i].thread, NULL);
	for (size_t i = 0; atomic_load(&trial->failed) && i < started; i++) {
		if (shards[i].err.code == RONDO_ERROR_NONE)
			continue;
		*err = shards[i].err;
		return -1;
	}
	return 0;
}

/* Asked of the first bench. */
static int look_at_coverage(
	struct trials *trials, struct arena *arena, struct candidate_results *results, struct rondo_error *err)
{
	const struct bench *bench = &trials->benches[0];
	return bench->loaded ? warm_cover(bench->warm, arena, &results->coverage, &results->has_coverage, err) : 0;
}

int trials_run(struct trials *trials, const struct candidates *candidates, const struct judge_options *goal,
	int64_t deadline_ms, struct arena *arena, struct candidate_results *results, const struct context *ctx,
	struct rondo_error *err)
{
	struct trial trial = {.agent = trials->agent, .candidates = candidates, .ctx = ctx, .goal = goal, .deadline_ms = deadline_ms};
	atomic_init(&trial.winner, candidates->n);
	trial.results = arena_alloc(arena, candidates->n * sizeof *trial.results);
	if (candidates->inputs.n)
		trial.outcomes = arena_alloc(arena, candidates->n * candidates->n_input_ids * sizeof *trial.outcomes);
	for (size_t i = 0; i < candidates->n; i++)
		trial.results[i].id = candidates->items[i].id;
	if (run_shards(trials, &trial, arena, err) < 0)
		return -1;
	if (candidates->inputs.n)
		behaviours_judge(candidates, trial.outcomes, arena, trial.results);
	conclude(&trial, arena, results);
	for (size_t i = 0; i < trials->agent->kit->n_benches; i++)
		if (trials->benches[i].built_ms > results->built_ms)
			results->built_ms = trials->benches[i].built_ms;
	results->warm = trials->benches[0].loaded || builds_work(trials->benches[0].builds);
	bool looks = candidates->wants_coverage && !results->winner && !trial_is_over(&trial);
	return looks ? look_at_coverage(trials, arena, results, err) : 0;
}

/* --- The benches --- */

struct trials *trials_new(const struct agent *agent)
{
	const struct agent_kit *kit = agent->kit;
	struct trials *trials = memory_alloc(sizeof *trials);
	*trials = (struct trials){.agent = agent};
	trials->benches = arena_alloc(&trials->arena, kit->n_benches * sizeof *trials->benches);
	for (size_t i = 0; i < kit->n_benches; i++)
		trials->benches[i].workplace = &kit->benches[i];
	return trials;
}

static void cool(struct trials *trials)
{
	for (size_t i = 0; i < trials->agent->kit->n_benches; i++) {
		bench_cool(&trials->benches[i]);
		builds_free(trials->benches[i].builds);
		trials->benches[i].builds = NULL;
	}
}

void trials_free(struct trials *trials)
{
	if (!trials)
		return;
	cool(trials);
	arena_release(&trials->arena);
	free(trials);
}

/* The first bench tells whether it is another tree than before. Where tests are being loaded nothing has run, nor may a file be
 * written now. */
int trials_prepare(struct trials *trials, struct rondo_error *err)
{
	const struct agent_kit *kit = trials->agent->kit;
	AUTO_ARENA arena = ARENA_INIT;
	struct prepared prepared;
	if (judge_prepare(kit, &kit->benches[0], &arena, &prepared, err) < 0)
		return -1;
	struct object judged = prepared.judged;
	if (strcmp(judged.hex, trials->tree.hex) != 0)
		cool(trials);
	trials->tree = judged;
	for (size_t i = 1; i < kit->n_benches; i++) {
		const struct bench *bench = &trials->benches[i];
		bool is_loading = bench->warm && !bench->loaded;
		if (!is_loading && judge_prepare(kit, &kit->benches[i], &arena, &prepared, err) < 0)
			return -1;
	}
	return 0;
}

int trials_start(struct trials *trials, const struct context *ctx, struct rondo_error *err)
{
	const struct agent_kit *kit = trials->agent->kit;
	if (trials_prepare(trials, err) < 0)
		return -1;
	for (size_t i = 1; i < kit->n_benches; i++)
		if (bench_start(&trials->benches[i], kit, ctx, err) < 0)
			return -1;
	return 0;
}
