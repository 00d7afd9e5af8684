/* What a team knows, as JSON and back. */
#include <string.h>

#include "chat/message.h"
#include "team/team.h"

#define STATE_VERSION 1

static void state_add_participant(
	struct json *to, struct team *team, size_t i, size_t seen, bool all)
{
	struct json *participant = json_add_object(to, team->participants[i]->name);
	json_add_int(participant, "seen", (int64_t)seen);
	json_add(participant, "state", agent_save(team->participants[i], all));
}

struct json *team_save(struct team *team, bool all)
{
	struct json *json = json_object();
	json_add_string(json, "type", "team");
	json_add_int(json, "version", STATE_VERSION);
	json_add_bool(json, "all", all);
	json_add_int(json, "next_speaker", (int64_t)team->next_speaker);
	struct json *thread = json_add_array(json, "thread"),
				*participants = json_add_object(json, "participants");
	for (size_t i = all ? 0 : team->saved; i < team->thread.n; i++)
		json_add(thread, NULL, message_to_json(team->thread.messages[i]));
	size_t waiting = team_answer_save(team, thread); /* its speaker has answered already */
	for (size_t i = 0; i < team->n; i++) {
		bool has_answered = team->answer.waits && i == team->answer.speaker;
		size_t seen = has_answered ? team->thread.n + waiting : team->seen[i];
		state_add_participant(participants, team, i, seen, all);
	}
	if (team->rules.termination)
		json_add(json, "conditions", termination_save(team->rules.termination));
	if (!all)
		team->saved = team->thread.n;
	return json;
}

static int state_check(const struct team *team, const struct json *from, struct rondo_error *err)
{
	const struct json *participants = json_get(from, "participants");
	int64_t version = json_int(from, "version", 0);
	if (strcmp(json_string(from, "type", ""), "team") != 0)
		return error_set(err, RONDO_ERROR_USAGE, "this is no state of a team");
	if (version != STATE_VERSION)
		return error_set(err, RONDO_ERROR_USAGE,
			"the state of the team is of version %d, and this rondo reads %d", (int)version,
			STATE_VERSION);
	for (size_t i = 0; i < team->n; i++)
		if (!json_get(participants, team->participants[i]->name))
			return error_set(err, RONDO_ERROR_USAGE,
				"the state of the team lacks its participant '%s'", team->participants[i]->name);
	for (const struct json *item = json_first(participants); item; item = json_next(item))
		if (team_find(team, json_key(item)) == team->n)
			return error_set(err, RONDO_ERROR_USAGE,
				"the state is of a team with '%s', which is no participant here", json_key(item));
	return 0;
}

static int state_load_thread(
	struct team *team, const struct json *messages, struct rondo_error *err)
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

static int state_load(struct team *team, const struct json *from, struct rondo_error *err)
{
	if (state_load_thread(team, json_get(from, "thread"), err) < 0)
		return -1;
	team->saved = team->thread.n;
	team->next_speaker = (size_t)json_int(from, "next_speaker", 0) % team->n;
	for (size_t i = 0; i < team->n; i++) {
		const struct json *participant =
			json_get(json_get(from, "participants"), team->participants[i]->name);
		size_t seen = (size_t)json_int(participant, "seen", 0);
		team->seen[i] = seen <= team->thread.n ? seen : team->thread.n;
		if (agent_load(team->participants[i], json_get(participant, "state"), &team->thread, err) <
			0)
			return -1;
	}
	if (team->rules.termination)
		termination_load(team->rules.termination, json_get(from, "conditions"));
	return 0;
}

/* A save of all replaces the state, which is kept until the save is known to fit. */
int team_load(struct team *team, const struct json *from, struct rondo_error *err)
{
	struct rondo_error ignored;
	if (state_check(team, from, err) < 0)
		return -1;
	if (!json_bool(from, "all", false))
		return state_load(team, from, err);
	AUTO_JSON *before = team_save(team, true);
	team_reset(team);
	if (state_load(team, from, err) == 0)
		return 0;
	team_reset(team);
	state_load(team, before, &ignored);
	return -1;
}
