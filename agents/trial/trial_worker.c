/*
 * A worker takes candidates until there are none, one wins, or time is over. Those that pass by its
 * engine, and those that the engine cannot try, are judged by the suite's own command.
 */
#include "agents/trial/trial_engine.h"
#include "base/clock.h"
#include "base/log.h"
#include "base/memory.h"
#include "base/strbuf.h"

REGISTRY_DEFINE(struct trial_engine, trial_engines, TRIAL_ENGINES(&TRIAL_ENGINE_SYMBOL));

/* --- What all workers share --- */

bool trial_is_over(const struct trial *trial)
{
	return atomic_load(&trial->failed) ||
		(trial->deadline_ms && clock_now_ms() >= trial->deadline_ms);
}

bool trial_wants(const struct trial *trial, size_t place)
{
	return !trial_is_over(trial) && place < atomic_load(&trial->winner);
}

/* How many were tried, how fast, and how long the search may still take. */
static void trial_describe_pace(const struct trial *trial, struct strbuf *sb)
{
	char left[CLOCK_DATE_SIZE];
	int64_t now_ms = clock_now_ms(), spent_ms = trial->spent_ms + now_ms - trial->started_ms;
	size_t tried = trial->n_tried_before + atomic_load(&trial->tried);
	double pace = spent_ms > 0 ? (double)tried * 1000 / (double)spent_ms : 0;
	strbuf_addf(sb, "%zu tried", tried);
	if (tried)
		strbuf_addf(sb, ", %.*f a second", pace < 10 ? 1 : 0, pace);
	if (!trial->deadline_ms || trial->deadline_ms <= now_ms)
		return;
	clock_format_duration(trial->deadline_ms - now_ms, left);
	strbuf_addf(sb, ", %s left", left);
}

void trial_show(const struct trial_worker *worker, size_t place)
{
	const struct trial *trial = worker->trial;
	AUTO_STRBUF pace = STRBUF_INIT(STRBUF_RECORD);
	if (!worker->shows_progress)
		return;
	trial_describe_pace(trial, &pace);
	context_progress(trial->ctx, trial->source, "%s   best so far: %zu of %zu   %s", pace.text,
		atomic_load(&trial->most_fixed), trial->services->baseline->n_goal,
		trial->candidates->items[place].edit.description);
}

/* Note the result of one candidate. */
static void trial_note(struct trial *trial, size_t place, const struct trial_result *from)
{
	bool wins = from->end == TRIAL_PASSED, is_slow = from->end == TRIAL_TIMEOUT;
	struct candidate_result *result = &trial->results[place];
	result->fixed = wins || is_slow || from->end == TRIAL_FAILED ? from->fixed : 0;
	result->slow = is_slow;
	result->wins = wins;
	result->breaks = from->end == TRIAL_BROKEN;
	result->moves = from->end == TRIAL_FAILED && from->moves;
	result->also = wins ? from->also : 0;
	bool ends = wins && !trial->candidates->wants_all;
	for (size_t best = atomic_load(&trial->winner); ends && place < best;)
		if (atomic_compare_exchange_weak(&trial->winner, &best, place))
			break;
	for (size_t most = atomic_load(&trial->most_fixed); result->fixed > most;)
		if (atomic_compare_exchange_weak(&trial->most_fixed, &most, result->fixed))
			break;
	atomic_fetch_add(&trial->tried, 1);
}

/* --- The engine of a worker --- */

void trial_worker_stop(struct trial_worker *worker)
{
	if (worker->state && (*worker->engine)->end)
		(*worker->engine)->end(worker->state);
	worker->state = NULL;
	worker->is_loading = false;
}

static void worker_fall_back(struct trial_worker *worker)
{
	trial_worker_stop(worker);
	worker->engine++;
}

int trial_worker_start(
	struct trial_worker *worker, const struct context *ctx, struct rondo_error *err)
{
	while (!worker->state) {
		if ((*worker->engine)->start(worker, &worker->state, ctx, err) < 0)
			return -1;
		worker->is_loading = worker->state && (*worker->engine)->ready;
		if (!worker->state)
			worker_fall_back(worker);
	}
	return 0;
}

/* Get an engine that is of use. */
static int worker_need_engine(struct trial_worker *worker)
{
	bool ready = false;
	while (!ready) {
		if (trial_worker_start(worker, worker->trial->ctx, &worker->err) < 0)
			return -1;
		ready = !worker->is_loading;
		if (!ready && (*worker->engine)->ready(worker, &ready, &worker->err) < 0)
			return -1;
		worker->is_loading = false;
		if (!ready)
			worker_fall_back(worker);
	}
	return 0;
}

/* --- Its part --- */

/* The last engine decides. */
static int worker_decide(struct trial_worker *worker, size_t place, struct trial_result *result)
{
	const struct trial_engine *const *last = worker->engine;
	size_t one = 1;
	bool useful;
	while (last[1])
		last++;
	if ((*last)->try(worker, place, &one, result, &useful, &worker->err) < 0)
		return -1;
	trial_note(worker->trial, place, result);
	return 0;
}

/* Try *n candidates from `first` on; sets *n to the number done. */
static int worker_try(struct trial_worker *worker, size_t first, size_t *n)
{
	struct trial *trial = worker->trial;
	struct trial_result results[TRIAL_GROUP_MOST] = {{.end = TRIAL_UNKNOWN}};
	bool useful = true;
	bool is_last = !worker->engine[1];
	if (!is_last && (*worker->engine)->try(worker, first, n, results, &useful, &worker->err) < 0)
		return -1;
	if (!useful)
		worker_fall_back(worker);
	for (size_t i = 0; i < *n && trial_wants(trial, first + i); i++) {
		bool is_open = results[i].end == TRIAL_UNKNOWN || results[i].end == TRIAL_PASSED;
		if (!is_open)
			trial_note(trial, first + i, &results[i]);
		else if (worker_decide(worker, first + i, &results[i]) < 0)
			return -1;
	}
	return useful ? 0 : worker_need_engine(worker);
}

/* How a candidate that passes behaves in further tests. */
static int worker_ask(struct trial_worker *worker, size_t place)
{
	struct trial *trial = worker->trial;
	int64_t timeout_ms = trial_whole_options(trial).timeout_ms;
	trial_show(worker, place);
	return behaviour_ask(trial->services, worker->checkout, trial->candidates, place, timeout_ms,
		trial->outcomes + place * trial->candidates->n_input_ids, trial->ctx, &worker->err);
}

static int worker_take(struct trial_worker *worker)
{
	struct trial *trial = worker->trial;
	const struct trial_engine *engine = *worker->engine;
	size_t all = trial->candidates->n, done;
	size_t n = trial->outcomes || !engine->takes ? 1 : engine->takes(worker);
	size_t place = atomic_fetch_add(&trial->next, n ? n : 1), end = place + (n ? n : 1);
	for (; place < end && place < all && trial_wants(trial, place); place += done) {
		done = trial->outcomes ? 1 : (end < all ? end : all) - place;
		if ((trial->outcomes ? worker_ask(worker, place) : worker_try(worker, place, &done)) < 0)
			return -1;
	}
	return 0;
}

void *trial_worker_run(void *owner)
{
	struct trial_worker *worker = owner;
	struct trial *trial = worker->trial;
	int status = worker_need_engine(worker);
	while (status == 0 && !trial_is_over(trial)) {
		size_t next = atomic_load(&trial->next);
		if (next >= trial->candidates->n || next > atomic_load(&trial->winner))
			break;
		status = worker_take(worker);
	}
	if (status < 0)
		atomic_store(&trial->failed, true);
	return NULL;
}
