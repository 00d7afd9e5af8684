/*
 * The group chat: read this first. One turn goes
 *
 *   select_speaker -> agent_on_messages(unseen) -> response
 *        -> record -> thread append -> emit -> termination(delta) -> stop?
 *
 * and everything else in rondo serves it. What is recorded is enough to go on from any instant: a
 * message comes with its speaker's state, the end of a turn with that of the conditions.
 */
#include <stdio.h>
#include <string.h>

#include "base/clock.h"
#include "base/memory.h"
#include "base/utf8.h"
#include "chat/message.h"
#include "team/team.h"

/* What the conditions made of the task; after that, they are recorded with the end of each turn. */
static const char *state_at_start(const struct team *team, struct arena *arena)
{
	if (team->progress.turn > 1 || !team->rules.termination)
		return NULL;
	AUTO_JSON *data = json_object();
	json_add(data, "conditions", termination_save(team->rules.termination));
	AUTO_FREE char *text = json_count(data) ? json_print(data) : NULL;
	return arena_strdup(arena, text);
}

/* A participant speaks, or passes. */
static int speak(struct team *team, size_t speaker, const struct context *ctx, struct rondo_error *err)
{
	AUTO_ARENA arena = ARENA_INIT;
	struct team_progress *progress = &team->progress;
	struct team_answer *answer = &team->answer;
	struct response *response = &answer->response;
	struct agent *agent = team->participants[speaker];
	struct rondo_event start = {.type = RONDO_EVENT_TURN_START, .turn = ++progress->turn, .source = agent->name,
		.text = progress->in_grace ? "grace" : NULL, .data = state_at_start(team, &arena)};
	progress->speaker = speaker;
	progress->turn_is_open = true;
	progress->unchecked = team->thread.n;
	progress->checked = false;
	struct message_span unseen = message_thread_since(&team->thread, team->seen[speaker]);
	__typeof__(&agent_on_messages) act = progress->in_grace ? agent_execute : agent_on_messages;
	team_answer_close(answer);
	if (context_event(ctx, &start, err) < 0 ||
		act(agent, unseen, &answer->arena, response, ctx, err) < 0 ||
		team_answer_say(team, ctx, err) < 0)
		return -1;
	progress->counted_turns += !response->pass;
	progress->passes = response->pass ? progress->passes + 1 : 0;
	return 0;
}

/* The turn of whoever is next. One that fails is as if it had not been: whoever failed is next
 * again. One whose answer waits for the record has been taken. */
static int take_turn(struct team *team, const struct context *ctx, struct rondo_error *err)
{
	size_t next = team->next_speaker;
	if (speak(team, team->type->select_speaker(team), ctx, err) == 0)
		return 0;
	if (!team->answer.waits)
		team->next_speaker = next;
	return -1;
}

static void add_stop(struct json *to, const struct team_progress *progress)
{
	const struct termination_reason *reason = &progress->reason;
	json_add_string(to, "reason", reason->text);
	json_add_string(to, "condition", reason->condition);
	json_add_int(to, "verdict", reason->verdict);
	if (reason->message)
		json_add_int(to, "message", reason->message->id);
	if (progress->left_unexecuted)
		json_add_bool(to, "left_unexecuted", true);
}

/* What the conditions know now; whether it stops; and what the speaker has to remember, where no message told that. */
static int end_turn(struct team *team, bool cut, const struct context *ctx, struct rondo_error *err)
{
	struct team_progress *progress = &team->progress;
	struct rondo_event end = {.type = RONDO_EVENT_TURN_END, .turn = progress->turn,
		.source = team->participants[progress->speaker]->name};
	if (!progress->turn_is_open)
		return 0;
	AUTO_JSON *data = json_object();
	if (cut)
		json_add_bool(data, "cut", true);
	else if (team->answer.waits)
		json_add_raw(data, "state", team->answer.state);
	if (team->rules.termination)
		json_add(data, "conditions", termination_save(team->rules.termination));
	if (progress->stopping)
		add_stop(json_add_object(data, "stop"), progress);
	AUTO_FREE char *text = json_count(data) ? json_print(data) : NULL;
	end.data = text;
	progress->turn_is_open = false;
	if (context_event(ctx, &end, err) < 0)
		return -1;
	team_answer_close(&team->answer);
	return 0;
}

static void set_reason(struct termination_reason *reason, const char *condition, enum rondo_verdict verdict)
{
	*reason = (struct termination_reason){.condition = condition, .verdict = verdict};
}

/* A human may end the chat at any time, whatever its conditions say. */
static bool is_ended_by_human(struct message_span delta, struct termination_reason *reason)
{
	bool agreed = false;
	size_t i = 0;
	while (i < delta.n && !message_ends_chat(delta.messages[i], &agreed))
		i++;
	if (i == delta.n)
		return false;
	set_reason(reason, "user", agreed ? RONDO_VERDICT_SUCCESS : RONDO_VERDICT_STOPPED);
	utf8_format(reason->text, sizeof reason->text, "%s", delta.messages[i]->content);
	reason->message = delta.messages[i];
	return true;
}

static bool is_over(const struct team *team)
{
	int taken = team->type->turns_taken ? team->type->turns_taken(team) : team->progress.counted_turns;
	return team->rules.max_turns && taken >= team->rules.max_turns;
}

/* Whether to stop: the human first, the condition, then what may be spent, then silence, then the number of turns. */
static int should_stop(struct team *team, const struct context *ctx, struct rondo_error *err)
{
	const struct team_rules *rules = &team->rules;
	struct team_progress *progress = &team->progress;
	struct termination_reason *reason = &progress->reason;
	struct message_span delta = message_thread_since(&team->thread, progress->unchecked);
	progress->unchecked = team->thread.n;
	progress->checked = true;
	if (is_ended_by_human(delta, reason))
		return 1;
	int status = rules->termination ? termination_check(rules->termination, delta, reason, ctx, err) : 0;
	if (status)
		return status;
	set_reason(reason, "budget", RONDO_VERDICT_LIMIT);
	if (budget_is_exhausted(rules->budget, reason->text, sizeof reason->text))
		return 1;
	set_reason(reason, "silence", RONDO_VERDICT_STALL);
	snprintf(reason->text, sizeof reason->text, "nobody has anything more to say");
	if (progress->passes == team->n)
		return 1;
	set_reason(reason, "max_turns", RONDO_VERDICT_LIMIT);
	snprintf(reason->text, sizeof reason->text, "Maximum number of turns %d reached.", rules->max_turns);
	return is_over(team);
}

/* --- What was proposed last --- */

/* The participant that would carry out what it has not seen yet; team->n: nobody. */
static size_t who_executes(const struct team *team)
{
	size_t i = 0;
	while (i < team->n && !agent_executes(team->participants[i], message_thread_since(&team->thread, team->seen[i])))
		i++;
	return i;
}

/* Code that ends the chat itself is carried out, and so is what a limit would leave undone; unless the rules say no. */
static bool carries_out(const struct team *team)
{
	const struct team_rules *rules = &team->rules;
	enum rondo_verdict verdict = team->progress.reason.verdict;
	return verdict == RONDO_VERDICT_SUCCESS ? !rules->stop_at_once : verdict == RONDO_VERDICT_LIMIT && !rules->no_grace;
}

/* Told with the reason, so that a run that goes on from there leaves it, too. A chat that is over asks nobody: what a human
 * has not agreed to stays undone. */
static bool leaves_unexecuted(const struct team *team, const struct context *ctx)
{
	size_t executor = who_executes(team);
	return executor < team->n &&
	       (!carries_out(team) || cancel_reason(ctx->cancel) || agent_asks_first(team->participants[executor]));
}

/* --- Until it stops --- */

/* A deadline of the team's own conditions, and nobody from outside, has fired. */
static bool was_cut(const struct cancel *outer, const struct context *ctx)
{
	return cancel_reason(ctx->cancel) && !cancel_reason(outer);
}

/* A turn that failed was cut short by it; not where the answer is there and cannot be recorded. */
static bool turn_was_cut(
	const struct team *team, const struct cancel *outer, const struct context *ctx)
{
	return was_cut(outer, ctx) && !team->answer.waits;
}

/* Turn by turn. A turn that was cut is over; then the condition has to say so. What is cut may be another condition's look. */
static int converse(struct team *team, const struct cancel *outer, const struct context *ctx, struct rondo_error *err)
{
	struct team_progress *progress = &team->progress;
	bool cut = false;
	while (!progress->stopping) {
		int stop = progress->checked ? 0 : should_stop(team, ctx, err);
		if (stop < 0 && was_cut(outer, ctx))
			stop = should_stop(team, ctx, err);
		progress->stopping = stop > 0;
		progress->left_unexecuted = stop > 0 && leaves_unexecuted(team, ctx);
		if (stop < 0 || (cut && !stop) || end_turn(team, cut, ctx, err) < 0)
			return -1;
		if (stop)
			return 0;
		cut = take_turn(team, ctx, err) < 0;
		if (cut && !turn_was_cut(team, outer, ctx))
			return -1;
	}
	return 0;
}

/* A turn out of the order, which changes nothing of why the chat stops. One that was recalled has only to be ended. */
static int execute_last(struct team *team, const struct cancel *outer, const struct context *ctx, struct rondo_error *err)
{
	struct team_progress *progress = &team->progress;
	size_t executor = who_executes(team);
	if (!progress->in_grace && (executor == team->n || progress->left_unexecuted || progress->carried_out))
		return 0;
	bool recalled = progress->in_grace;
	progress->in_grace = true;
	bool failed = !recalled && speak(team, executor, ctx, err) < 0;
	bool cut = failed && turn_was_cut(team, outer, ctx);
	progress->left_unexecuted = cut || progress->passes; /* it passes where a human had to agree */
	progress->checked = progress->carried_out = true;
	if ((failed && !cut) || end_turn(team, failed, ctx, err) < 0)
		return -1;
	progress->in_grace = false;
	return 0;
}

/* --- A run of the team --- */

static int tell_stop(struct team *team, const struct context *ctx, struct rondo_error *err)
{
	AUTO_JSON *data = json_object();
	add_stop(data, &team->progress);
	AUTO_FREE char *text = json_print(data);
	struct rondo_event event = {.type = RONDO_EVENT_STOP, .turn = team->progress.turn,
		.text = team->progress.reason.text, .data = text};
	return context_event(ctx, &event, err);
}

static void sum_up(struct team *team, struct rondo_task_result *result)
{
	const struct team_progress *progress = &team->progress;
	const struct termination_reason *reason = &progress->reason;
	struct message_span said = message_thread_since(&team->thread, progress->first);
	*result = (struct rondo_task_result){.messages = said.messages, .n = said.n,
		.stop_reason = arena_strdup(&team->thread.arena, reason->text), .stop_condition = reason->condition,
		.stop_message = reason->message, .verdict = reason->verdict, .left_unexecuted = progress->left_unexecuted,
		.duration_ms = clock_now_ms() - progress->started_at_ms};
	for (size_t i = 0; i < said.n; i++)
		usage_add(&result->usage, &said.messages[i]->models_usage);
}

/* Until it stops, and what is to be done then. */
static int carry_on(struct team *team, const struct cancel *outer, struct rondo_task_result *result,
	const struct context *ctx, struct rondo_error *err)
{
	if (converse(team, outer, ctx, err) < 0 || execute_last(team, outer, ctx, err) < 0 || tell_stop(team, ctx, err) < 0)
		return -1;
	sum_up(team, result);
	return 0;
}

/* The conditions may name a deadline: then their token stands before the run's. */
int team_resume(struct team *team, struct rondo_task_result *result, const struct context *ctx, struct rondo_error *err)
{
	struct termination *termination = team->rules.termination;
	struct context inner = *ctx;
	struct cancel cancel;
	team_drop_open_turn(team);
	if (team->progress.stopped) {
		sum_up(team, result);
		return 0;
	}
	int64_t deadline_ms = termination ? termination_deadline(termination) : 0;
	if (deadline_ms) {
		int64_t left_ms = deadline_ms - clock_now_ms();
		if (cancel_init(&cancel, ctx->cancel, left_ms > 0 ? left_ms : 1, err) < 0)
			return -1;
		inner.cancel = &cancel;
	}
	int status = carry_on(team, ctx->cancel, result, &inner, err);
	if (deadline_ms)
		cancel_release(&cancel);
	team_end(team);
	return status;
}

int team_run(struct team *team, struct message_span task, struct rondo_task_result *result, const struct context *ctx,
	struct rondo_error *err)
{
	team_begin(team);
	int status = team_answer_catch_up(team, ctx, err);
	for (size_t i = 0; i < task.n && status == 0; i++)
		status = team_say(team, task.messages[i], &(struct team_manner){.turn = 0}, ctx, err);
	if (team->is_inner && task.n) /* what others said outside is no word of this team */
		team->progress.unchecked = team->thread.n;
	if (status == 0)
		return team_resume(team, result, ctx, err);
	team_end(team);
	return -1;
}
