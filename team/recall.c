/*
 * What a team knows, from the events that a run of it recorded: as far as they go, the team is as it
 * was when it recorded them. What the last turn came to counts where its speaker's message was
 * recorded; else it is taken again.
 */
#include <string.h>

#include "base/memory.h"
#include "base/utf8.h"
#include "team/team.h"

static struct json *parse_data(const struct rondo_event *event, struct rondo_error *err)
{
	return event->data ? json_parse(event->data, strlen(event->data), err) : json_object();
}

void team_drop_open_turn(struct team *team)
{
	struct team_progress *progress = &team->progress;
	if (!progress->turn_is_open || progress->unchecked < team->thread.n)
		return;
	if (!progress->in_grace)
		team->next_speaker = progress->speaker;
	message_thread_release(&team->within);
	progress->turn--;
	progress->turn_is_open = progress->in_grace = false;
	progress->checked = true;
}

/* Another run, after one that stopped or failed. */
static void begin_again(struct team *team)
{
	team_drop_open_turn(team);
	team_end(team);
	team_begin(team);
}

static int recall_turn_start(struct team *team, const struct rondo_event *event, struct rondo_error *err)
{
	struct team_progress *progress = &team->progress;
	size_t speaker = event->source ? team_find(team, event->source) : team->n;
	if (speaker == team->n)
		return error_set(err, RONDO_ERROR_USAGE, "'%s' speaks in the record, and is no participant here",
			event->source ? event->source : "");
	AUTO_JSON *data = parse_data(event, err);
	if (!data)
		return -1;
	team_drop_open_turn(team);
	if (progress->stopped || progress->turn >= event->turn)
		begin_again(team);
	progress->in_grace = event->text != NULL;
	if (!progress->in_grace && team->type->select_speaker(team) != speaker)
		return error_set(err, RONDO_ERROR_USAGE, "'%s' speaks in the record, where another one would here",
			event->source);
	progress->turn = event->turn;
	progress->speaker = speaker;
	progress->turn_is_open = true;
	progress->unchecked = team->thread.n;
	progress->checked = false;
	if (team->rules.termination && json_get(data, "conditions"))
		termination_load(team->rules.termination, json_get(data, "conditions"));
	return 0;
}

static int recall_state(struct team *team, const struct json *state, struct rondo_error *err)
{
	struct team_progress *progress = &team->progress;
	team->seen[progress->speaker] = team->thread.n;
	return agent_load(team->participants[progress->speaker], state, &team->thread, err);
}

static int recall_message(struct team *team, const struct rondo_event *event, struct rondo_error *err)
{
	struct team_progress *progress = &team->progress;
	if (!event->message)
		return error_set(err, RONDO_ERROR_USAGE, "a message is missing in the record");
	if (!event->turn && (progress->stopped || progress->turn))
		begin_again(team);
	if (team_is_within(event)) {
		message_thread_append(&team->within, event->message);
		return 0;
	}
	for (size_t i = 0; i < team->within.n; i++)
		message_thread_append(&team->thread, team->within.messages[i]);
	message_thread_release(&team->within);
	message_thread_append(&team->thread, event->message);
	if (!event->turn)
		return 0;
	AUTO_JSON *state = parse_data(event, err);
	progress->passes = 0;
	progress->counted_turns++;
	return state ? recall_state(team, state, err) : -1;
}

static void recall_reason(struct team *team, const struct json *stop)
{
	struct termination_reason *reason = &team->progress.reason;
	size_t id = (size_t)json_int(stop, "message", 0);
	*reason = (struct termination_reason){.verdict = (enum rondo_verdict)json_int(stop, "verdict", 0),
		.condition = arena_strdup(&team->thread.arena, json_string(stop, "condition", ""))};
	utf8_format(reason->text, sizeof reason->text, "%s", json_string(stop, "reason", ""));
	team->progress.left_unexecuted = json_bool(stop, "left_unexecuted", false);
	if (id && id <= team->thread.n)
		reason->message = team->thread.messages[id - 1];
}

static int recall_turn_end(struct team *team, const struct rondo_event *event, struct rondo_error *err)
{
	struct team_progress *progress = &team->progress;
	AUTO_JSON *data = parse_data(event, err);
	if (!data)
		return -1;
	bool passed = progress->unchecked == team->thread.n, cut = json_bool(data, "cut", false);
	if (cut && !progress->in_grace)
		team->next_speaker = progress->speaker;
	if (!cut && passed && recall_state(team, json_get(data, "state"), err) < 0)
		return -1;
	progress->passes += !cut && passed;
	if (team->rules.termination)
		termination_load(team->rules.termination, json_get(data, "conditions"));
	if (json_get(data, "stop")) {
		progress->stopping = true;
		recall_reason(team, json_get(data, "stop"));
	}
	progress->carried_out = progress->in_grace;
	progress->turn_is_open = progress->in_grace = false;
	progress->unchecked = team->thread.n;
	progress->checked = true;
	return 0;
}

static int recall_stop(struct team *team, const struct rondo_event *event, struct rondo_error *err)
{
	AUTO_JSON *data = parse_data(event, err);
	if (!data)
		return -1;
	recall_reason(team, data);
	team_end(team);
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
