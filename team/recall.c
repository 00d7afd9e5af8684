/*
 * Recorded events are applied to a team, which is then as it was when they were recorded. The last
 * turn counts if its speaker's message was recorded; else it is taken again.
 */
#include <string.h>

#include "base/memory.h"
#include "base/utf8.h"
#include "team/team.h"

static struct json *recall_data(const struct rondo_event *event, struct rondo_error *err)
{
	return event->data ? json_parse(event->data, strlen(event->data), err) : json_object();
}

/* A new run, after one that stopped or failed. */
static void recall_begin_again(struct team *team)
{
	team_drop_open_turn(team);
	team_end(team);
	team_begin(team);
}

static int recall_turn_start(
	struct team *team, const struct rondo_event *event, struct rondo_error *err)
{
	struct team_progress *progress = &team->progress;
	const char *name = event->source ? event->source : "";
	size_t speaker = team_find(team, name);
	if (speaker == team->n)
		return error_set(
			err, RONDO_ERROR_USAGE, "'%s' speaks in the record, and is no participant here", name);
	AUTO_JSON *data = recall_data(event, err);
	if (!data)
		return -1;
	team_drop_open_turn(team);
	if (progress->phase == TEAM_STOPPED || progress->turn >= event->turn)
		recall_begin_again(team);
	if (!event->text && team->type->select_speaker(team) != speaker)
		return error_set(err, RONDO_ERROR_USAGE,
			"'%s' speaks in the record, where another one would here", name);
	team_apply(team, event);
	if (team->rules.termination && json_get(data, "conditions"))
		termination_load(team->rules.termination, json_get(data, "conditions"));
	return 0;
}

static int recall_state(struct team *team, const struct json *state, struct rondo_error *err)
{
	return agent_load(team->participants[team->progress.speaker], state, &team->thread, err);
}

/* Messages from within a team count once the team's own message is there. */
static int recall_message(
	struct team *team, const struct rondo_event *event, struct rondo_error *err)
{
	struct rondo_event within = {
		.type = RONDO_EVENT_MESSAGE, .turn = event->turn, .text = TEAM_WITHIN};
	if (!event->message)
		return error_set(err, RONDO_ERROR_USAGE, "a message is missing in the record");
	if (team_is_cut(event))
		return 0;
	if (!event->turn && (team->progress.phase == TEAM_STOPPED || team->progress.turn))
		recall_begin_again(team);
	if (team_is_within(event)) {
		message_thread_append(&team->within, event->message);
		return 0;
	}
	if (event->turn && team_find(team, event->message->source) != team->progress.speaker)
		return error_set(err, RONDO_ERROR_USAGE,
			"'%s' speaks in the record, where another one would here", event->message->source);
	for (size_t i = 0; i < team->within.n; i++) {
		within.message = team->within.messages[i];
		team_apply(team, &within);
	}
	message_thread_release(&team->within);
	team_apply(team, event);
	AUTO_JSON *state = event->turn ? recall_data(event, err) : NULL;
	if (!event->turn)
		return 0;
	return state ? recall_state(team, state, err) : -1;
}

static struct team_stop recall_reason(struct team *team, const struct json *json)
{
	struct team_stop stop = {.left_unexecuted = json_bool(json, "left_unexecuted", false)};
	size_t id = (size_t)json_int(json, "message", 0);
	stop.reason = (struct termination_reason){.stop_kind = stop_kind_load(json),
		.condition = arena_strdup(&team->thread.arena, json_string(json, "condition", ""))};
	utf8_format(stop.reason.text, sizeof stop.reason.text, "%s", json_string(json, "reason", ""));
	if (id && id <= team->thread.n)
		stop.reason.message = team->thread.messages[id - 1];
	return stop;
}

static int recall_turn_end(
	struct team *team, const struct rondo_event *event, struct rondo_error *err)
{
	AUTO_JSON *data = recall_data(event, err);
	if (!data)
		return -1;
	if (team->progress.phase == TEAM_STOPPED) /* no turn has begun */
		return 0;
	struct team_end end = {.was_cut = json_bool(data, "cut", false),
		.stops = json_get(data, "stop"),
		.stop = recall_reason(team, json_get(data, "stop"))};
	struct rondo_event ended = *event;
	ended.value = &end;
	team_apply(team, &ended);
	if (json_get(data, "state") && recall_state(team, json_get(data, "state"), err) < 0)
		return -1;
	if (team->rules.termination)
		termination_load(team->rules.termination, json_get(data, "conditions"));
	return 0;
}

static int recall_stop(struct team *team, const struct rondo_event *event, struct rondo_error *err)
{
	AUTO_JSON *data = recall_data(event, err);
	if (!data)
		return -1;
	struct team_end end = {.stops = true, .stop = recall_reason(team, data)};
	struct rondo_event stopped = *event;
	stopped.value = &end;
	team_apply(team, &stopped);
	return 0;
}

int team_recall(struct team *team, const struct rondo_event *event, struct rondo_error *err)
{
	if (event->team)
		return 0;
	switch ((int)event->type) {
	case RONDO_EVENT_TURN_START:
		return recall_turn_start(team, event, err);
	case RONDO_EVENT_MESSAGE:
		return recall_message(team, event, err);
	case RONDO_EVENT_TURN_END:
		return recall_turn_end(team, event, err);
	case RONDO_EVENT_STOP:
		return recall_stop(team, event, err);
	default:
		return 0;
	}
}
