/*
 * A team that takes part in another one. What others have said since it last spoke is the task of a
 * run of its own, and what that run comes to is what it says. It keeps its thread, its order and
 * its conditions from run to run. What is said within it is recorded and emitted under its name; it
 * is not recalled: a turn that broke off is taken again, as any other agent's.
 */
#include <string.h>

#include "base/memory.h"
#include "base/utf8.h"
#include "chat/message.h"
#include "chat/usage.h"
#include "team/team.h"

#define LONGEST_PATH 1024 /* of names of teams within teams */

struct team_state {
	struct option_spec team; /* its object is a struct team */
	const char *messages;
	int64_t heard; /* the id of the last message that the team was given */
	bool begun;
};

static const char *const messages[] = {"last", "all", NULL};

static const struct option options[] = {
	OPTION("team", CHILD, offsetof(struct team_state, team), "who speaks in it, and when it stops",
		.required = true, .main = true, .family = &team_family),
	OPTION("messages", ENUM, offsetof(struct team_state, messages),
		"what the others hear of a run of it: the last message, or all", .values = messages,
		.fallback = "last"),
	OPTION_END,
};

static struct team *team_agent_team_of(const struct agent *agent)
{
	return ((const struct team_state *)agent->state)->team.object;
}

/* Its team is reset when it first speaks: that may be gone before it is. */
static int team_agent_begin(struct agent *agent, struct rondo_error *err)
{
	struct team_state *state = agent->state;
	struct team *team = team_agent_team_of(agent);
	if (!team)
		return error_set(err, RONDO_ERROR_USAGE, "it has no team: the key 'team' must hold one");
	if (state->begun)
		return 0;
	team->is_inner = true;
	team_reset(team);
	state->begun = true;
	return 0;
}

/* --- Events within it, under its name --- */

struct relay {
	const char *name;
	const struct context *outer;
};

static struct rondo_event team_agent_name_event(
	const struct relay *relay, const struct rondo_event *event, char path[LONGEST_PATH])
{
	struct rondo_event copy = *event;
	utf8_format(path, LONGEST_PATH, "%s%s%s", relay->name, event->team ? "/" : "",
		event->team ? event->team : "");
	copy.team = path;
	return copy;
}

static int team_agent_record(void *owner, const struct rondo_event *event, struct rondo_error *err)
{
	const struct relay *relay = owner;
	char path[LONGEST_PATH];
	struct rondo_event copy = team_agent_name_event(relay, event, path);
	return relay->outer->record.call(relay->outer->record.owner, &copy, err);
}

static void team_agent_emit(void *owner, const struct rondo_event *event)
{
	const struct relay *relay = owner;
	char path[LONGEST_PATH];
	struct rondo_event copy = team_agent_name_event(relay, event, path);
	relay->outer->emit.call(relay->outer->emit.owner, &copy);
}

static struct context team_agent_context_within(struct relay *relay)
{
	struct context ctx = *relay->outer;
	if (ctx.record.call)
		ctx.record = (struct context_record){team_agent_record, relay};
	if (ctx.emit.call)
		ctx.emit = (struct context_emit){team_agent_emit, relay};
	return ctx;
}

/* --- Its turn --- */

/* The last message stands for all; where the others are not heard, so does its usage. */
static void team_agent_make_response(
	const struct team_state *state, struct message_span said, struct response *response)
{
	response->pass = !said.n;
	if (!said.n)
		return;
	response->message = *said.messages[said.n - 1];
	response->message.created_at_ms = 0;
	if (strcmp(state->messages, "all") == 0) {
		response->within = said.messages;
		response->n_within = said.n - 1;
		return;
	}
	for (size_t i = 0; i + 1 < said.n; i++)
		usage_add(&response->message.models_usage, &said.messages[i]->models_usage);
}

/* What of a run is not its task, before which stands what had to wait for the record. */
static struct message_span team_agent_said(
	const struct rondo_task_result *result, size_t n_before, size_t n_task, struct arena *arena)
{
	const struct rondo_message **said = NULL;
	size_t n = 0;
	for (size_t i = 0; i < result->n; i++)
		if (i < n_before || i >= n_before + n_task)
			ARENA_PUSH(arena, said, n, result->messages[i]);
	return (struct message_span){said, n};
}

/* What of the task could not be recorded is told once more. */
static int team_on_messages(struct agent *agent, struct message_span unseen, struct arena *arena,
	struct response *response, const struct context *ctx, struct rondo_error *err)
{
	struct team_state *state = agent->state;
	struct message_span task = message_span_after(unseen, state->heard);
	struct relay relay = {agent->name, ctx};
	struct context inner = team_agent_context_within(&relay);
	struct rondo_task_result result;
	if (team_agent_begin(agent, err) < 0)
		return -1;
	struct team *team = team_agent_team_of(agent);
	size_t n_before = team_answer_left(team), first = team->thread.n + n_before;
	int status = team_run(team, task, &result, &inner, err);
	for (size_t i = 0; i < task.n && first + i < team->thread.n; i++)
		state->heard = task.messages[i]->id;
	if (status < 0)
		return -1;
	team_agent_make_response(state, team_agent_said(&result, n_before, task.n, arena), response);
	return 0;
}

/* Who of the team would carry something out: one that asks no human first, where there is one;
 * team->n: nobody. */
static size_t team_agent_find_executor(const struct team *team, struct message_span unseen)
{
	size_t found = team->n;
	for (size_t i = 0; i < team->n; i++)
		if (agent_executes(team->participants[i], unseen)) {
			if (!agent_asks_first(team->participants[i]))
				return i;
			found = found < team->n ? found : i;
		}
	return found;
}

static bool team_agent_executes(struct agent *agent, struct message_span unseen)
{
	const struct team *team = team_agent_team_of(agent);
	return team && team_agent_find_executor(team, unseen) < team->n;
}

/* The one alone: where the chat is over, the team does not begin to talk. */
static int team_agent_execute(struct agent *agent, struct message_span unseen, struct arena *arena,
	struct response *response, const struct context *ctx, struct rondo_error *err)
{
	const struct team *team = team_agent_team_of(agent);
	struct relay relay = {agent->name, ctx};
	struct context inner = team_agent_context_within(&relay);
	return agent_execute(team->participants[team_agent_find_executor(team, unseen)], unseen, arena,
		response, &inner, err);
}

static void team_agent_save(struct agent *agent, bool all, struct json *to)
{
	const struct team_state *state = agent->state;
	if (!state->begun)
		return;
	json_add_int(to, "heard", state->heard);
	json_add(to, "team", team_save(team_agent_team_of(agent), all));
}

static int team_agent_load(struct agent *agent, const struct json *from,
	const struct message_thread *thread, struct rondo_error *err)
{
	(void)thread;
	struct team_state *state = agent->state;
	if (team_agent_begin(agent, err) < 0 ||
		team_load(team_agent_team_of(agent), json_get(from, "team"), err) < 0)
		return -1;
	state->heard = json_int(from, "heard", 0);
	return 0;
}

const struct agent_type team_agent = {
	.name = "team",
	.summary = "a team as one who speaks: its run on what was said is its turn",
	.state_size = sizeof(struct team_state),
	.options = options,
	.on_messages = team_on_messages,
	.executes = team_agent_executes,
	.execute = team_agent_execute,
	.save = team_agent_save,
	.load = team_agent_load,
};
