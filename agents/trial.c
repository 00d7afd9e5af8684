#include "agents/trial.h"

#include <stdlib.h>
#include <string.h>

#include "agents/trial_engine.h"
#include "base/memory.h"

struct trials {
	const struct agent *agent;
	struct trial_worker *workers;
	size_t n;
	struct object tree; /* what they hold; "": nothing yet */
	struct arena arena;
};

/* Those behind the one that ended it do not count: which of them were tried is chance. */
static void trials_conclude(const struct trials *trials, const struct trial *trial,
	struct arena *arena, struct candidate_results *results)
{
	size_t n = trial->candidates->n, winner = atomic_load(&trial->winner),
		   tried = atomic_load(&trial->tried);
	size_t counts = winner < n ? winner + 1 : n;
	*results = (struct candidate_results){
		.tried = tried < counts ? tried : counts, .of = n, .goal = trial->kit->baseline->n_goal};
	for (size_t i = 0; i < counts; i++) {
		const struct candidate_result *result = &trial->results[i];
		if (result->wins && !results->winner)
			results->winner = result->id;
		if (result->fixed || result->slow || result->behaviour)
			ARENA_PUSH(arena, results->progress, results->n, *result);
	}
	for (size_t i = 0; i < trials->n; i++) {
		const struct trial_worker *worker = &trials->workers[i];
		if (worker->built_ms > results->built_ms)
			results->built_ms = worker->built_ms;
		results->warm =
			results->warm || ((*worker->engine)->is_fast && (*worker->engine)->is_fast(worker));
	}
}

static int trials_run_workers(struct trials *trials, struct trial *trial, struct rondo_error *err)
{
	struct trial_worker *workers = trials->workers;
	size_t n_started = 1;
	for (size_t i = 0; i < trials->n; i++) {
		workers[i].trial = trial;
		workers[i].built_ms = 0;
		workers[i].err = (struct rondo_error){.code = RONDO_ERROR_NONE};
	}
	while (n_started < trials->n &&
		   thread_start(&workers[n_started].thread, trial_worker_run, &workers[n_started]) == 0)
		n_started++;
	trial_worker_run(&workers[0]);
	for (size_t i = 1; i < n_started; i++)
		pthread_join(workers[i].thread, NULL);
	for (size_t i = 0; atomic_load(&trial->failed) && i < n_started; i++) {
		if (workers[i].err.code == RONDO_ERROR_NONE)
			continue;
		*err = workers[i].err;
		return -1;
	}
	return 0;
}

/* Asked of the first worker. */
static int trials_look_at_coverage(struct trials *trials, struct arena *arena,
	struct candidate_results *results, struct rondo_error *err)
{
	struct trial_worker *worker = &trials->workers[0];
	const struct trial_engine *engine = *worker->engine;
	return engine->cover
			   ? engine->cover(worker, arena, &results->coverage, &results->has_coverage, err)
			   : 0;
}

int trials_run(struct trials *trials, const struct candidates *candidates,
	const struct judge_options *goal, int64_t deadline_ms, struct arena *arena,
	struct candidate_results *results, const struct context *ctx, struct rondo_error *err)
{
	struct trial trial = {.kit = trials->agent->kit,
		.source = trials->agent->name,
		.candidates = candidates,
		.ctx = ctx,
		.goal = goal,
		.deadline_ms = deadline_ms};
	atomic_init(&trial.winner, candidates->n);
	trial.results = arena_alloc(arena, candidates->n * sizeof *trial.results);
	if (candidates->inputs.n)
		trial.outcomes =
			arena_alloc(arena, candidates->n * candidates->n_input_ids * sizeof *trial.outcomes);
	for (size_t i = 0; i < candidates->n; i++)
		trial.results[i].id = candidates->items[i].id;
	if (trials_run_workers(trials, &trial, err) < 0)
		return -1;
	if (candidates->inputs.n)
		behaviours_judge(candidates, trial.outcomes, arena, trial.results);
	trials_conclude(trials, &trial, arena, results);
	bool looks = candidates->wants_coverage && !results->winner && !trial_is_over(&trial);
	return looks ? trials_look_at_coverage(trials, arena, results, err) : 0;
}

/* --- The workers --- */

struct trials *trials_new(const struct agent *agent)
{
	const struct agent_kit *kit = agent->kit;
	struct trials *trials = memory_alloc(sizeof *trials);
	*trials = (struct trials){.agent = agent, .n = kit->n_benches};
	trials->workers = arena_alloc(&trials->arena, trials->n * sizeof *trials->workers);
	for (size_t i = 0; i < trials->n; i++)
		trials->workers[i] = (struct trial_worker){.kit = kit,
			.workplace = &kit->benches[i],
			.engine = trial_engines,
			.shows_progress = i == 0};
	return trials;
}

static void trials_stop(struct trials *trials)
{
	for (size_t i = 0; i < trials->n; i++)
		trial_worker_stop(&trials->workers[i]);
}

void trials_free(struct trials *trials)
{
	if (!trials)
		return;
	trials_stop(trials);
	arena_release(&trials->arena);
	free(trials);
}

/* The first worker shows whether it is another tree than before. Where tests are being loaded
 * nothing has run, nor may a file be written now. */
int trials_prepare(struct trials *trials, struct rondo_error *err)
{
	const struct agent_kit *kit = trials->agent->kit;
	AUTO_ARENA arena = ARENA_INIT;
	struct prepared prepared;
	if (judge_prepare(kit, trials->workers[0].workplace, &arena, &prepared, err) < 0)
		return -1;
	struct object judged = prepared.judged;
	if (strcmp(judged.hex, trials->tree.hex) != 0)
		trials_stop(trials);
	trials->tree = judged;
	for (size_t i = 1; i < trials->n; i++)
		if (!trials->workers[i].is_loading &&
			judge_prepare(kit, trials->workers[i].workplace, &arena, &prepared, err) < 0)
			return -1;
	return 0;
}

int trials_start(struct trials *trials, const struct context *ctx, struct rondo_error *err)
{
	if (trials_prepare(trials, err) < 0)
		return -1;
	for (size_t i = 1; i < trials->n; i++)
		if (trial_worker_start(&trials->workers[i], ctx, err) < 0)
			return -1;
	return 0;
}
