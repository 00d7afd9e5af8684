#include "agents/agent.h"

#include <string.h>

#include "base/memory.h"

REGISTRY_DEFINE(struct agent_type, agent_types, AGENT_TYPES(&AGENT_SYMBOL));
OPTION_TYPES(agent_types)

static const struct option common_options[] = {
	OPTION("description", STRING, offsetof(struct agent_common, description),
		"for people, and for who selects the speaker"),
	OPTION_END,
};

/* In AutoGen, AG2 and their dumps. */
static const struct option_peer peers[] = {{"assistant", "coder"}, {"AssistantAgent", "coder"},
	{"ConversableAgent", "coder"}, {"LLMAgent", "coder"}, {"code_executor", "executor"},
	{"CodeExecutorAgent", "executor"}, {"CodeExecutor", "executor"}, {"UserProxyAgent", "user"},
	{"user_proxy", "user"}, {"human", "user"}, {"SocietyOfMindAgent", "team"},
	{"RoundRobinGroupChat", "team"}, {NULL, NULL}};

const struct option_family agent_family = {.noun = "agent",
	.peers = peers,
	.type_key = "type",
	.of_slash = "coder",
	.type = agent_types_at,
	.common = common_options,
	.common_size = sizeof(struct agent_common)};

struct agent *agent_new(const struct agent_type *type, const char *name, const void *options,
	const struct agent_services *services)
{
	struct agent *agent = memory_alloc(sizeof *agent);
	*agent = (struct agent){.type = type, .services = services, .options = options};
	agent->name = arena_strdup(&agent->arena, name);
	agent_reset(agent);
	return agent;
}

static int agent_speak(struct agent *agent, __typeof__(agent->type->on_messages) how,
	struct message_span unseen, struct arena *arena, struct response *response,
	const struct context *ctx, struct rondo_error *err)
{
	if (cancel_reason(ctx->cancel))
		return cancel_error(ctx->cancel, err);
	*response = (struct response){0};
	if (how(agent, unseen, arena, response, ctx, err) < 0)
		return error_prefix(err, "agent '%s'", agent->name);
	response->message.source = agent->name;
	return 0;
}

int agent_on_messages(struct agent *agent, struct message_span unseen, struct arena *arena,
	struct response *response, const struct context *ctx, struct rondo_error *err)
{
	return agent_speak(agent, agent->type->on_messages, unseen, arena, response, ctx, err);
}

bool agent_executes(struct agent *agent, struct message_span unseen)
{
	return agent->type->executes && agent->type->executes(agent, unseen);
}

int agent_execute(struct agent *agent, struct message_span unseen, struct arena *arena,
	struct response *response, const struct context *ctx, struct rondo_error *err)
{
	return agent_speak(agent,
		agent->type->execute ? agent->type->execute : agent->type->on_messages, unseen, arena,
		response, ctx, err);
}

int agent_start(struct agent *agent, const struct context *ctx, struct rondo_error *err)
{
	if (!agent->type->start || agent->type->start(agent, ctx, err) == 0)
		return 0;
	return error_prefix(err, "agent '%s'", agent->name);
}

const struct human *agent_human(const struct agent *agent)
{
	const struct human *human = agent->type->human ? agent->type->human(agent) : NULL;
	return human && strcmp(human->mode, "NEVER") != 0 ? human : NULL;
}

bool agent_asks_first(const struct agent *agent)
{
	const struct human *human = agent_human(agent);
	return human && strcmp(human->mode, "ALWAYS") == 0;
}

struct json *agent_save(struct agent *agent, bool all)
{
	struct json *json = json_object();
	if (agent->type->save)
		agent->type->save(agent, all, json);
	if (json_count(json))
		return json;
	json_free(json);
	return NULL;
}

int agent_load(struct agent *agent, const struct json *from, const struct message_thread *thread,
	struct rondo_error *err)
{
	if (!from || !agent->type->load)
		return 0;
	if (agent->type->load(agent, from, thread, err) < 0)
		return error_prefix(err, "state of agent '%s'", agent->name);
	return 0;
}

void agent_reset(struct agent *agent)
{
	const char *name = memory_strdup(agent->name);
	if (agent->state && agent->type->on_reset)
		agent->type->on_reset(agent);
	arena_release(&agent->arena);
	agent->name = arena_strdup(&agent->arena, name);
	free((void *)(uintptr_t)name);
	agent->state = arena_alloc(&agent->arena, agent->type->state_size);
	if (agent->options)
		memcpy(agent->state, agent->options, agent->type->state_size);
	else if (agent->type->options)
		option_defaults(agent->type->options, agent->state, &agent->arena);
}

void agent_free(struct agent *agent)
{
	if (!agent)
		return;
	if (agent->type->on_reset)
		agent->type->on_reset(agent);
	arena_release(&agent->arena);
	free(agent);
}
