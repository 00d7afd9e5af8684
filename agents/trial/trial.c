#include "agents/trial/trial.h"

#include <stdlib.h>
#include <string.h>

#include "agents/trial/trial_engine.h"
#include "base/clock.h"
#include "base/memory.h"

struct trials {
	const struct agent_services *services; /* of the run */
	struct agent_services own;             /* the same, with the baseline that is aimed at */
	const struct baseline *aim;            /* NULL: the run's */
	struct strbuf aim_name;                /* its tests */
	const struct trial_engine *const *engines;
	struct trial_worker *workers;
	size_t n;
	struct object tree;   /* in the workers; "": none yet */
	bool goal_is_known;   /* it was tried whether the goal's tests run alone */
	bool judges_whole;    /* they do not */
	size_t n_tried;       /* for this aim, */
	int64_t spent_ms;     /* which took so long */
	atomic_llong goal_ms; /* the longest run of its tests alone; 0: there was none */
	atomic_bool has_seen_choice;
	struct arena arena;
};

/* --- The workers --- */

struct trials *trials_new(
	const struct agent_services *services, const struct trial_engine *const *engines)
{
	struct trials *trials = memory_alloc(sizeof *trials);
	*trials = (struct trials){.services = services,
		.own = *services,
		.aim_name = STRBUF_INIT(STRBUF_RECORD),
		.engines = engines ? engines : trial_engines,
		.n = services->n_test_checkouts};
	trials->workers = arena_alloc(&trials->arena, trials->n * sizeof *trials->workers);
	for (size_t i = 0; i < trials->n; i++)
		trials->workers[i] = (struct trial_worker){.services = &trials->own,
			.checkout = &services->test_checkouts[i],
			.engine = trials->engines,
			.shows_progress = i == 0};
	return trials;
}

static void trials_stop(struct trials *trials)
{
	for (size_t i = 0; i < trials->n; i++)
		trial_worker_stop(&trials->workers[i]);
}

static void trials_name_aim(const struct baseline *baseline, struct strbuf *sb)
{
	for (size_t i = 0; i < baseline->n_goal; i++)
		strbuf_addf(sb, "%s\n", baseline->goal[i]);
	strbuf_addf(sb, "%zu", baseline->n_held);
}

/* An engine that is of no use for other tests may be of use for these. */
void trials_aim(struct trials *trials, const struct baseline *baseline)
{
	AUTO_STRBUF name = STRBUF_INIT(STRBUF_RECORD);
	if (!trials->aim)
		trials_name_aim(trials->services->baseline, &trials->aim_name);
	trials_name_aim(baseline, &name);
	bool is_same = strcmp(name.text, trials->aim_name.text) == 0;
	trials->aim = baseline;
	if (is_same)
		return;
	strbuf_reset(&trials->aim_name);
	strbuf_adds(&trials->aim_name, name.text);
	trials_stop(trials);
	for (size_t i = 0; i < trials->n; i++)
		trials->workers[i].engine = trials->engines;
	trials->goal_is_known = trials->judges_whole = false;
	trials->n_tried = 0;
	trials->spent_ms = 0;
	atomic_store(&trials->goal_ms, 0);
}

/* The run may have learnt more. */
static void trials_update(struct trials *trials)
{
	trials->own = *trials->services;
	if (trials->aim)
		trials->own.baseline = trials->aim;
}

void trials_free(struct trials *trials)
{
	if (!trials)
		return;
	trials_stop(trials);
	strbuf_release(&trials->aim_name);
	arena_release(&trials->arena);
	free(trials);
}

/* Give all workers the tree of the main checkout. The first one shows whether it has changed. A
 * worker that is loading has the tree already, and its files must not be written now. */
static int trials_prepare(struct trials *trials, struct rondo_error *err)
{
	AUTO_ARENA arena = ARENA_INIT;
	struct judged_tree prepared;
	trials_update(trials);
	if (services_check_out(trials->services, trials->workers[0].checkout, &arena, &prepared, err) <
		0)
		return -1;
	struct object tree = prepared.judged;
	if (strcmp(tree.hex, trials->tree.hex) != 0)
		trials_stop(trials);
	trials->tree = tree;
	for (size_t i = 1; i < trials->n; i++) {
		struct trial_worker *worker = &trials->workers[i];
		if (!worker->is_loading &&
			services_check_out(trials->services, worker->checkout, &arena, &prepared, err) < 0)
			return -1;
	}
	return 0;
}

int trials_load(struct trials *trials, const struct context *ctx, struct rondo_error *err)
{
	if (trials_prepare(trials, err) < 0)
		return -1;
	for (size_t i = 1; i < trials->n; i++)
		if (trial_worker_start(&trials->workers[i], ctx, err) < 0)
			return -1;
	return 0;
}

/* --- A batch --- */

/* How the goal's tests are run. If the user's command for single tests runs none of them, every
 * candidate would fail; so it is tried first. */
static int trials_goal(struct trials *trials, struct arena *arena, struct judge_options *ret_goal,
	const struct context *ctx, struct rondo_error *err)
{
	const struct agent_services *services = &trials->own;
	struct test_report report;
	struct judge_options goal = services_goal_options(services, arena);
	if (services->suite->targeted && goal.ids && !trials->goal_is_known) {
		struct checkout *checkout = trials->workers[0].checkout;
		if (judge(checkout, services->suite, &goal, arena, &report, ctx, err) < 0)
			return -1;
		trials->goal_is_known = true;
		trials->judges_whole = !baseline_saw_goal(services->baseline, &report, false);
	}
	if (trials->judges_whole)
		goal.ids = NULL;
	*ret_goal = goal;
	return 0;
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

/* Candidates after the winner do not count: it is chance which of them were tried. */
static void trials_conclude(const struct trials *trials, const struct trial *trial,
	struct arena *arena, struct candidate_results *results)
{
	size_t n = trial->candidates->n, tried = atomic_load(&trial->tried);
	size_t winner = atomic_load(&trial->winner), counts = winner < n ? winner + 1 : n;
	*results = (struct candidate_results){.tried = tried < counts ? tried : counts};
	for (size_t i = 0; i < counts; i++) {
		const struct candidate_result *result = &trial->results[i];
		if (result->wins && !results->winner)
			results->winner = result->id;
		if (result->wins || result->fixed || result->slow || result->behaviour || result->breaks ||
			result->moves)
			ARENA_PUSH(arena, results->progress, results->n, *result);
	}
	for (size_t i = 0; i < trials->n; i++) {
		const struct trial_worker *worker = &trials->workers[i];
		const struct trial_engine *engine = *worker->engine;
		if (worker->built_ms > results->built_ms)
			results->built_ms = worker->built_ms;
		results->is_fast = results->is_fast || (engine->is_fast && engine->is_fast(worker));
	}
}

/* On the first worker. */
static int trials_look_at_coverage(struct trials *trials, struct arena *arena,
	struct candidate_results *results, struct rondo_error *err)
{
	struct trial_worker *worker = &trials->workers[0];
	const struct trial_engine *engine = *worker->engine;
	int64_t start_ms = clock_now_ms();
	if (!engine->cover)
		return 0;
	int status = engine->cover(worker, arena, &results->coverage, &results->has_coverage, err);
	results->covered_ms = clock_now_ms() - start_ms;
	return status;
}

static int trials_try(struct trials *trials, struct trial *trial, struct arena *arena,
	struct candidate_results *results, struct rondo_error *err)
{
	const struct candidates *candidates = trial->candidates;
	size_t n_outcomes = candidates->inputs.n ? candidates->n * candidates->n_input_ids : 0;
	atomic_init(&trial->winner, candidates->n);
	trial->results = arena_alloc(arena, candidates->n * sizeof *trial->results);
	for (size_t i = 0; i < candidates->n; i++)
		trial->results[i].id = candidates->items[i].id;
	if (n_outcomes)
		trial->outcomes = arena_alloc(arena, n_outcomes * sizeof *trial->outcomes);
	if (trials_run_workers(trials, trial, err) < 0)
		return -1;
	if (n_outcomes)
		behaviours_judge(candidates, trial->outcomes, arena, trial->results);
	trials_conclude(trials, trial, arena, results);
	if (!candidates->wants_coverage || results->winner || trial_is_over(trial))
		return 0;
	context_progress(trial->ctx, trial->source, "looking which lines the failing tests run");
	return trials_look_at_coverage(trials, arena, results, err);
}

int trials_run(struct trials *trials, const struct candidates *candidates, const char *source,
	int64_t deadline_ms, struct arena *arena, struct candidate_results *results,
	const struct context *ctx, struct rondo_error *err)
{
	struct judge_options goal;
	struct trial trial = {.services = &trials->own,
		.source = source,
		.candidates = candidates,
		.ctx = ctx,
		.goal = &goal,
		.started_ms = clock_now_ms(),
		.deadline_ms = deadline_ms,
		.n_tried_before = trials->n_tried,
		.spent_ms = trials->spent_ms,
		.goal_ms = &trials->goal_ms,
		.has_seen_choice = &trials->has_seen_choice};
	if (cancel_reason(ctx->cancel))
		return cancel_error(ctx->cancel, err);
	if (!trials->n_tried)
		context_progress(ctx, source, "preparing to try candidates");
	if (trials_prepare(trials, err) < 0 || trials_goal(trials, arena, &goal, ctx, err) < 0 ||
		trials_try(trials, &trial, arena, results, err) < 0)
		return -1;
	results->ms = clock_now_ms() - trial.started_ms;
	trials->n_tried += results->tried;
	trials->spent_ms += results->ms;
	return 0;
}
