/* What attempts wait for, and what one of them makes known to the others and to who looks on. */
#include <signal.h>
#include <string.h>

#include "base/clock.h"
#include "run/attempts/attempts.h"
#include "run/report/field.h"

/* --- The search without a model --- */

/* Whether the first one has come to a model, or has given up without one. */
static bool turns_end_repair(const struct rondo_event *event)
{
	const struct rondo_message *message = event->message;
	if (event->type == RONDO_EVENT_MODEL_REQUEST || event->type == RONDO_EVENT_CHUNK)
		return true;
	return message && event->turn && message->type == RONDO_MESSAGE_TEXT;
}

static void turns_set_repair_over(struct attempts *all)
{
	pthread_mutex_lock(&all->lock);
	all->waits_for_repair = false;
	pthread_cond_broadcast(&all->changed);
	pthread_mutex_unlock(&all->lock);
}

bool attempts_await_repair(struct attempt *attempt)
{
	struct attempts *all = attempt->all;
	pthread_mutex_lock(&all->lock);
	while (all->waits_for_repair && attempt->number > 1 && !cancel_reason(&attempt->stop))
		pthread_cond_wait(&all->changed, &all->lock);
	pthread_mutex_unlock(&all->lock);
	return !cancel_reason(&attempt->stop);
}

/* --- The gate --- */

static bool turns_is_next(const struct attempt *attempt)
{
	size_t lower = ((size_t)1 << (attempt->number - 1)) - 1;
	return !attempt->all->is_gate_taken && !(attempt->all->waiting & lower);
}

/* A verdict uses all that the machine has, and the first one that is verified may make the others
 * needless. */
bool attempts_enter_gate(struct attempt *attempt)
{
	struct attempts *all = attempt->all;
	size_t bit = (size_t)1 << (attempt->number - 1);
	pthread_mutex_lock(&all->lock);
	all->waiting |= bit;
	while (!cancel_reason(&attempt->stop) && !turns_is_next(attempt))
		pthread_cond_wait(&all->changed, &all->lock);
	bool may = !cancel_reason(&attempt->stop);
	all->waiting &= ~bit;
	all->is_gate_taken |= may;
	pthread_cond_broadcast(&all->changed);
	pthread_mutex_unlock(&all->lock);
	return may;
}

void attempts_leave_gate(struct attempt *attempt)
{
	struct attempts *all = attempt->all;
	pthread_mutex_lock(&all->lock);
	all->is_gate_taken = false;
	pthread_cond_broadcast(&all->changed);
	pthread_mutex_unlock(&all->lock);
}

/* --- How one ended --- */

static void turns_stop(struct attempts *all, const struct attempt *but)
{
	for (size_t i = 0; i < all->n; i++)
		if (&all->items[i] != but)
			cancel_fire(&all->items[i].stop, SIGTERM);
}

/* What may go on when the run is continued has not ended. */
static bool turns_has_ended(const struct attempt *attempt)
{
	bool may_pass = attempt->err.code == RONDO_ERROR_TRANSIENT ||
		(attempt->err.code == RONDO_ERROR_CANCELLED && !attempt->all->winner);
	return attempt->status == 0 || !may_pass;
}

static const char *turns_say(const struct run_attempt *row, struct arena *arena)
{
	return arena_printf(
		arena, "%s%s%s", row->outcome, row->reason ? ": " : "", row->reason ? row->reason : "");
}

static int turns_record(struct attempt *attempt, struct rondo_error *err)
{
	const struct run_env *env = &attempt->all->run->env;
	struct arena *arena = &attempt->arena;
	AUTO_JSON *json = json_object();
	fields_redact(attempt_fields, env->order->secrets, arena, &attempt->row);
	fields_add(json, attempt_fields, &attempt->row);
	AUTO_FREE char *data = json_print(json);
	struct rondo_event event = {.type = RONDO_EVENT_ATTEMPT,
		.text = turns_say(&attempt->row, arena),
		.data = data,
		.value = &attempt->row,
		.attempt = attempt->number};
	return context_event(&env->ctx, &event, err);
}

void attempts_settle(struct attempt *attempt)
{
	struct attempts *all = attempt->all;
	struct rondo_error err;
	pthread_mutex_lock(&all->lock);
	attempt->state = ATTEMPT_ENDED;
	if (turns_has_ended(attempt) && turns_record(attempt, &err) < 0 && all->status == 0) {
		all->status = -1;
		all->err = err;
		turns_stop(all, NULL);
	}
	bool is_whole =
		attempt->row.outcome && strcmp(attempt->row.outcome, run_outcome_word(RUN_VERIFIED)) == 0;
	if (is_whole && !all->winner && strcmp(all->select, "first") == 0) {
		all->winner = attempt;
		turns_stop(all, attempt);
	}
	if (attempt->number == 1)
		all->waits_for_repair = false;
	pthread_cond_broadcast(&all->changed);
	pthread_mutex_unlock(&all->lock);
}

/* --- Who looks on --- */

void attempts_emit(void *owner, const struct rondo_event *event)
{
	struct attempt *attempt = owner;
	const struct context_emit *to = &attempt->all->run->outer->emit;
	struct rondo_event told = *event;
	told.attempt = attempt->number;
	if (attempt->number == 1 && attempt->all->waits_for_repair && turns_end_repair(event))
		turns_set_repair_over(attempt->all);
	if (to->call)
		to->call(to->owner, &told);
}

const char *attempts_ask(void *owner, const char *question, int64_t deadline_ms,
	struct arena *arena, struct rondo_error *err)
{
	struct attempt *attempt = owner;
	const struct context_ask *to = &attempt->all->run->outer->ask;
	const char *whole = arena_printf(arena, "attempt %d: %s", attempt->number, question);
	pthread_mutex_lock(&attempt->all->asking);
	const char *answer = to->call(to->owner, whole, deadline_ms, arena, err);
	pthread_mutex_unlock(&attempt->all->asking);
	return answer;
}
