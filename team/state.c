/* What a team knows, as JSON and back; and the same from the events that a run recorded. */
#include <string.h>

#include "base/clock.h"
#include "base/memory.h"
#include "base/utf8.h"
#include "chat/message.h"
#include "team/team.h"

#define STATE_VERSION 1

static size_t find_participant(const struct team *team, const char *name)
{
	size_t i = 0;
	while (i < team->n && strcmp(team->participants[i]->name, name) != 0)
		i++;
	return i;
}

/* --- Saving and loading --- */

static void add_participant(struct json *to, struct team *team, size_t i, bool all)
{
	struct json *participant = json_add_object(to, team->participants[i]->name);
	json_add_int(participant, "seen", (int64_t)team->seen[i]);
	json_add(participant, "state", agent_save(team->participants[i], all));
}

struct json *team_save(struct team *team, bool all)
{
	struct json *json = json_object();
	json_add_string(json, "type", "team");
	json_add_int(json, "version", STATE_VERSION);
	json_add_bool(json, "all", all);
	json_add_int(json, "next_speaker", (int64_t)team->next_speaker);
	struct json *thread = json_add_array(json, "thread"), *participants = json_add_object(json, "participants");
	for (size_t i = all ? 0 : team->saved; i < team->thread.n; i++)
		json_add(thread, NULL, message_to_json(team->thread.messages[i]));
	for (size_t i = 0; i < team->n; i++)
		add_participant(participants, team, i, all);
	if (team->rules.termination)
		json_add(json, "conditions", termination_save(team->rules.termination));
	if (!all)
		team->saved = team->thread.n;
	return json;
}

static int check_state(const struct team *team, const struct json *from, struct rondo_error *err)
{
	const struct json *participants = json_get(from, "participants");
	int64_t version = json_int(from, "version", 0);
	if (strcmp(json_string(from, "type", ""), "team") != 0)
		return error_set(err, RONDO_ERROR_USAGE, "this is no state of a team");
	if (version != STATE_VERSION)
		return error_set(err, RONDO_ERROR_USAGE, "the state of the team is of version %d, and this rondo reads %d",
			(int)version, STATE_VERSION);
	for (size_t i = 0; i < team->n; i++)
		if (!json_get(participants, team->participants[i]->name))
			return error_set(err, RONDO_ERROR_USAGE, "the state of the team lacks its participant '%s'",
				team->participants[i]->name);
	for (const struct json *item = json_first(participants); item; item = json_next(item))
		if (find_participant(team, json_key(item)) == team->n)
			return error_set(err, RONDO_ERROR_USAGE, "the state is of a team with '%s', which is no participant here",
				json_key(item));
	return 0;
}

static int load_thread(struct team *team, const struct json *messages, struct rondo_error *err)
{
	for (const struct json *item = json_first(messages); item; item = json_next(item)) {
		AUTO_ARENA arena = ARENA_INIT;
		struct rondo_message message;
		if (message_from_json(item, &arena, &message, err) < 0)
			return -1;
		message_thread_append(&team->thread, &message);
	}
	return 0;
}

int team_load(struct team *team, const struct json *from, struct rondo_error *err)
{
	if (check_state(team, from, err) < 0)
		return -1;
	if (json_bool(from, "all", false))
		team_reset(team);
	if (load_thread(team, json_get(from, "thread"), err) < 0)
		return -1;
	team->saved = team->thread.n;
	team->next_speaker = (size_t)json_int(from, "next_speaker", 0) % team->n;
	for (size_t i = 0; i < team->n; i++) {
		const struct json *participant = json_get(json_get(from, "participants"), team->participants[i]->name);
		size_t seen = (size_t)json_int(participant, "seen", 0);
		team->seen[i] = seen <= team->thread.n ? seen : team->thread.n;
		if (agent_load(team->participants[i], json_get(participant, "state"), &team->thread, err) < 0)
			return -1;
	}
	if (team->rules.termination)
		termination_load(team->rules.termination, json_get(from, "conditions"));
	return 0;
}

/* --- From the events of a run --- */

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
	progress->turn--;
	progress->turn_is_open = progress->in_grace = false;
	progress->checked = true;
}

static int recall_turn_start(struct team *team, const struct rondo_event *event, struct rondo_error *err)
{
	struct team_progress *progress = &team->progress;
	size_t speaker = event->source ? find_participant(team, event->source) : team->n;
	if (speaker == team->n)
		return error_set(err, RONDO_ERROR_USAGE, "'%s' speaks in the record, and is no participant here",
			event->source ? event->source : "");
	if (progress->stopped)
		team_begin(team);
	team_drop_open_turn(team);
	progress->in_grace = event->text != NULL;
	if (!progress->in_grace && team->type->select_speaker(team) != speaker)
		return error_set(err, RONDO_ERROR_USAGE, "'%s' speaks in the record, where another one would here",
			event->source);
	progress->turn = event->turn;
	progress->speaker = speaker;
	progress->turn_is_open = true;
	progress->unchecked = team->thread.n;
	progress->checked = false;
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
	if (!event->turn && progress->stopped)
		team_begin(team);
	message_thread_append(&team->thread, event->message);
	if (!event->turn || strcmp(event->message->source, team->participants[progress->speaker]->name) != 0)
		return 0;
	AUTO_JSON *state = parse_data(event, err);
	progress->passes = 0;
	progress->counted_turns += event->message->type != RONDO_MESSAGE_CANDIDATES &&
				   event->message->type != RONDO_MESSAGE_CANDIDATE_RESULTS;
	return state ? recall_state(team, state, err) : -1;
}

static void recall_reason(struct team *team, const struct json *stop)
{
	struct termination_reason *reason = &team->progress.reason;
	size_t id = (size_t)json_int(stop, "message", 0);
	*reason = (struct termination_reason){.verdict = (enum rondo_verdict)json_int(stop, "verdict", 0),
		.condition = arena_strdup(&team->thread.arena, json_string(stop, "condition", ""))};
	utf8_format(reason->text, sizeof reason->text, "%s", json_string(stop, "reason", ""));
	if (id && id <= team->thread.n)
		reason->message = team->thread.messages[id - 1];
}

static int recall_turn_end(struct team *team, const struct rondo_event *event, struct rondo_error *err)
{
	struct team_progress *progress = &team->progress;
	AUTO_JSON *data = parse_data(event, err);
	if (!data)
		return -1;
	bool passed = progress->unchecked == team->thread.n;
	if (json_bool(data, "cut", false))
		team->next_speaker = progress->speaker;
	else if (passed && recall_state(team, json_get(data, "state"), err) < 0)
		return -1;
	else
		progress->passes += passed;
	if (team->rules.termination)
		termination_load(team->rules.termination, json_get(data, "conditions"));
	if (json_get(data, "stop")) {
		progress->stopping = true;
		recall_reason(team, json_get(data, "stop"));
	}
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
	team->progress.left_unexecuted = json_bool(data, "left_unexecuted", false);
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
