/*
 * The group chat: read this first. One turn goes
 *
 *   select_speaker -> agent_on_messages(unseen) -> response
 *        -> record -> thread append -> emit -> termination(delta) -> stop?
 *
 * and everything else in rondo serves it. All that changes a team is an event: it is recorded, then
 * applied (team/team_apply.c), then emitted. A team that recalls the record applies the same
 * events, so the record is enough to continue from any instant: a message comes with its speaker's
 * state, the end of a turn with that of the conditions.
 */
#include <stdio.h>
#include <string.h>

#include "base/clock.h"
#include "base/memory.h"
#include "base/utf8.h"
#include "chat/message.h"
#include "chat/usage.h"
#include "team/team.h"

struct chat {
	struct team *team;
	const struct context *ctx;  /* its token is also fired by deadlines of the conditions */
	const struct cancel *outer; /* fired only from outside */
	bool was_cut;               /* such a deadline ended the current turn */
};

static bool chat_is_cut(const struct chat *chat)
{
	return cancel_reason(chat->ctx->cancel) && !cancel_reason(chat->outer);
}

/* --- A turn --- */

/* The conditions' state after the task; later it is recorded with the end of each turn. */
static const char *chat_first_conditions(const struct team *team, struct arena *arena)
{
	if (team->progress.turn || !team->rules.termination)
		return NULL;
	AUTO_JSON *data = json_object();
	json_add(data, "conditions", termination_save(team->rules.termination));
	return json_count(data) ? json_print_in(data, arena) : NULL;
}

/* A participant speaks or passes; in grace it carries out what was proposed. */
static int chat_speak(struct chat *chat, size_t speaker, bool in_grace, struct rondo_error *err)
{
	AUTO_ARENA arena = ARENA_INIT;
	struct team *team = chat->team;
	struct team_answer *answer = &team->answer;
	struct agent *agent = team->participants[speaker];
	struct message_span unseen = message_thread_since(&team->thread, team->seen[speaker]);
	__typeof__(&agent_on_messages) act = in_grace ? agent_execute : agent_on_messages;
	struct rondo_event start = {.type = RONDO_EVENT_TURN_START,
		.turn = team->progress.turn + 1,
		.source = agent->name,
		.text = in_grace ? "grace" : NULL,
		.data = chat_first_conditions(team, &arena)};
	team_answer_close(answer);
	if (team_happen(team, &start, chat->ctx, err) < 0)
		return -1;
	if (act(agent, unseen, &answer->arena, &answer->response, chat->ctx, err) == 0)
		return answer->response.is_cut ? team_answer_cut(team, chat->ctx, err)
									   : team_answer_say(team, chat->ctx, err);
	chat->was_cut = chat_is_cut(chat);
	return -1;
}

/* The turn of the next participant. A turn that fails is forgotten, unless its answer waits for the
 * record; one that was cut short is over. */
static int chat_take_turn(struct chat *chat, struct rondo_error *err)
{
	struct team *team = chat->team;
	if (chat_speak(chat, team->type->select_speaker(team), false, err) < 0 && !chat->was_cut) {
		if (!team->answer.waits)
			team_drop_open_turn(team);
		return -1;
	}
	team->progress.phase = TEAM_CHECKING;
	return 0;
}

static void chat_add_stop(struct json *to, const struct team_stop *stop)
{
	const struct termination_reason *reason = &stop->reason;
	json_add_string(to, "reason", reason->text);
	json_add_string(to, "condition", reason->condition);
	json_add_int(to, "stop_kind", reason->stop_kind);
	if (reason->message)
		json_add_int(to, "message", reason->message->id);
	if (stop->left_unexecuted)
		json_add_bool(to, "left_unexecuted", true);
}

/* Record the conditions' state, whether it stops, and the state of a speaker that passed. Before
 * the first turn there is nothing to record. */
static int chat_end_turn(struct chat *chat, const struct team_end *end, struct rondo_error *err)
{
	struct team *team = chat->team;
	struct rondo_event event = {.type = RONDO_EVENT_TURN_END,
		.turn = team->progress.turn,
		.source = team->participants[team->progress.speaker]->name,
		.value = end};
	if (!event.turn) {
		team_apply(team, &event);
		return 0;
	}
	AUTO_JSON *data = json_object();
	if (end->was_cut)
		json_add_bool(data, "cut", true);
	else if (team->answer.waits)
		json_add_raw(data, "state", team->answer.state);
	if (team->rules.termination)
		json_add(data, "conditions", termination_save(team->rules.termination));
	if (end->stops)
		chat_add_stop(json_add_object(data, "stop"), &end->stop);
	AUTO_FREE char *text = json_count(data) ? json_print(data) : NULL;
	event.data = text;
	if (team_happen(team, &event, chat->ctx, err) < 0)
		return -1;
	team_answer_close(&team->answer);
	return 0;
}

/* --- Whether to stop --- */

static void chat_set_reason(struct termination_reason *reason, const char *condition,
	enum rondo_stop_kind stop_kind, const char *text)
{
	*reason = (struct termination_reason){.condition = condition, .stop_kind = stop_kind};
	utf8_format(reason->text, sizeof reason->text, "%s", text);
}

/* A human may end the chat at any time, whatever its conditions say. */
static bool chat_is_ended_by_human(struct message_span delta, struct termination_reason *reason)
{
	bool agreed = false;
	size_t i = 0;
	while (i < delta.n && !message_ends_chat(delta.messages[i], &agreed))
		i++;
	if (i == delta.n)
		return false;
	chat_set_reason(reason, "user", agreed ? RONDO_STOP_SUCCESS : RONDO_STOP_STOPPED,
		delta.messages[i]->content);
	reason->message = delta.messages[i];
	return true;
}

static bool chat_has_no_turn_left(const struct team *team)
{
	int most = team->rules.max_turns, taken = team->progress.counted_turns;
	return most && (team->type->turns_taken ? team->type->turns_taken(team) : taken) >= most;
}

/* First a human, then the condition, the budget, silence and the number of turns. */
static int chat_should_stop(
	struct chat *chat, struct termination_reason *reason, struct rondo_error *err)
{
	struct team *team = chat->team;
	const struct team_rules *rules = &team->rules;
	struct team_progress *progress = &team->progress;
	struct message_span delta = message_thread_since(&team->thread, progress->unchecked);
	char turns[64];
	progress->unchecked = team->thread.n;
	if (chat_is_ended_by_human(delta, reason))
		return 1;
	int status = 0;
	if (rules->termination)
		status = termination_check(rules->termination, delta, reason, chat->ctx, err);
	if (!status && rules->termination && team->answer.waits && team->answer.response.is_empty)
		status = termination_hear_empty(rules->termination,
			team->participants[progress->speaker]->name, reason, chat->ctx, err);
	if (status)
		return status;
	chat_set_reason(reason, "budget", RONDO_STOP_LIMIT, "");
	if (budget_is_exhausted(rules->budget, reason->text, sizeof reason->text))
		return 1;
	chat_set_reason(reason, "silence", RONDO_STOP_STALL, "nobody has anything more to say");
	if (progress->passes + team->answer.waits == team->n)
		return 1;
	snprintf(turns, sizeof turns, "Maximum number of turns %d reached.", rules->max_turns);
	chat_set_reason(reason, "max_turns", RONDO_STOP_LIMIT, turns);
	return chat_has_no_turn_left(team);
}

/* The participant that would carry out what it has not seen yet; team->n: nobody. */
static size_t chat_find_executor(const struct team *team)
{
	size_t i = 0;
	while (i < team->n &&
		!agent_executes(team->participants[i], message_thread_since(&team->thread, team->seen[i])))
		i++;
	return i;
}

/* Unless the rules say no, code in the message that ends the chat is carried out, and at a limit
 * what was proposed last. A chat that is over asks nobody, so what needs a human's consent stays
 * undone. */
static bool chat_leaves_unexecuted(const struct chat *chat, enum rondo_stop_kind stop_kind)
{
	const struct team *team = chat->team;
	const struct team_rules *rules = &team->rules;
	size_t executor = chat_find_executor(team);
	bool carries_out = stop_kind == RONDO_STOP_SUCCESS
		? !rules->stop_at_once
		: stop_kind == RONDO_STOP_LIMIT && !rules->no_grace;
	return executor < team->n &&
		(!carries_out || cancel_reason(chat->ctx->cancel) ||
			agent_asks_first(team->participants[executor]));
}

/* A deadline of one condition may cut short the check of another one: then all check again. After a
 * turn that was cut short, a condition must fire. */
static int chat_check(struct chat *chat, struct rondo_error *err)
{
	struct team_end end = {.was_cut = chat->was_cut};
	struct termination_reason *reason = &end.stop.reason;
	int stops = chat_should_stop(chat, reason, err);
	if (stops < 0 && chat_is_cut(chat))
		stops = chat_should_stop(chat, reason, err);
	if (stops < 0 || (end.was_cut && !stops)) {
		if (end.was_cut)
			chat->team->next_speaker = chat->team->progress.speaker;
		return -1;
	}
	end.stops = stops;
	end.stop.left_unexecuted = stops && chat_leaves_unexecuted(chat, reason->stop_kind);
	return chat_end_turn(chat, &end, err);
}

/* --- When it stops --- */

/* A participant that passes here would have had to ask a human. */
static int chat_end_grace(struct chat *chat, struct rondo_error *err)
{
	const struct team_progress *progress = &chat->team->progress;
	struct team_end end = {.was_cut = chat->was_cut, .stops = true, .stop = progress->stop};
	end.stop.left_unexecuted = chat->team->thread.n == progress->said_before;
	return chat_end_turn(chat, &end, err);
}

/* Carry out what was proposed last, in an extra turn. The reason to stop stays. */
static int chat_carry_out(struct chat *chat, struct rondo_error *err)
{
	struct team *team = chat->team;
	size_t executor = chat_find_executor(team);
	chat->was_cut = false;
	if (executor == team->n || team->progress.stop.left_unexecuted) {
		team->progress.phase = TEAM_ENDING;
		return 0;
	}
	return chat_speak(chat, executor, true, err) < 0 && !chat->was_cut ? -1
																	   : chat_end_grace(chat, err);
}

static int chat_say_stop(struct chat *chat, struct rondo_error *err)
{
	struct team_progress *progress = &chat->team->progress;
	struct team_end end = {.stops = true, .stop = progress->stop};
	AUTO_JSON *data = json_object();
	chat_add_stop(data, &end.stop);
	AUTO_FREE char *text = json_print(data);
	struct rondo_event event = {.type = RONDO_EVENT_STOP,
		.turn = progress->turn,
		.text = end.stop.reason.text,
		.data = text,
		.value = &end};
	return team_happen(chat->team, &event, chat->ctx, err);
}

/* --- A run of the team --- */

static int chat_step(struct chat *chat, struct rondo_error *err)
{
	switch (chat->team->progress.phase) {
	case TEAM_CHECKING:
		return chat_check(chat, err);
	case TEAM_STOPPING:
		return chat_carry_out(chat, err);
	case TEAM_GRACE: /* recalled, with what was said in it */
		return chat_end_grace(chat, err);
	case TEAM_ENDING:
		return chat_say_stop(chat, err);
	case TEAM_IDLE:
	case TEAM_SPEAKING:
	case TEAM_STOPPED:
		break;
	}
	return chat_take_turn(chat, err);
}

static void chat_sum_up(struct team *team, struct rondo_task_result *result)
{
	const struct team_progress *progress = &team->progress;
	const struct termination_reason *reason = &progress->stop.reason;
	struct message_span said = message_thread_since(&team->thread, progress->first);
	*result = (struct rondo_task_result){.messages = said.messages,
		.n = said.n,
		.stop_reason = arena_strdup(&team->thread.arena, reason->text),
		.stop_condition = reason->condition,
		.stop_message = reason->message,
		.stop_kind = reason->stop_kind,
		.left_unexecuted = progress->stop.left_unexecuted,
		.duration_ms = clock_now_ms() - progress->started_at_ms};
	for (size_t i = 0; i < said.n; i++)
		usage_add(&result->usage, &said.messages[i]->models_usage);
}

/* If the conditions have a deadline, the participants get a token that it fires, too. */
int team_resume(struct team *team, struct rondo_task_result *result, const struct context *ctx,
	struct rondo_error *err)
{
	struct termination *termination = team->rules.termination;
	int64_t deadline_ms = termination ? termination_deadline(termination) : 0;
	int64_t left_ms = deadline_ms - clock_now_ms();
	struct context inner = *ctx;
	struct cancel cancel;
	struct chat chat = {.team = team, .ctx = &inner, .outer = ctx->cancel};
	int status = 0;
	if (deadline_ms && cancel_init(&cancel, ctx->cancel, left_ms > 0 ? left_ms : 1, err) < 0)
		return -1;
	if (deadline_ms)
		inner.cancel = &cancel;
	team_drop_open_turn(team);
	while (status == 0 && team->progress.phase != TEAM_STOPPED)
		status = chat_step(&chat, err);
	if (deadline_ms)
		cancel_release(&cancel);
	if (status == 0)
		chat_sum_up(team, result);
	else
		team_end(team);
	return status;
}

int team_run(struct team *team, struct message_span task, struct rondo_task_result *result,
	const struct context *ctx, struct rondo_error *err)
{
	team_begin(team);
	int status = team_answer_catch_up(team, ctx, err);
	for (size_t i = 0; i < task.n && status == 0; i++)
		status = team_say(team, task.messages[i], &(struct team_manner){.turn = 0}, ctx, err);
	if (team->is_inner && task.n) /* the conditions look at what this team says */
		team->progress.unchecked = team->thread.n;
	if (status == 0)
		return team_resume(team, result, ctx, err);
	team_end(team);
	return -1;
}
