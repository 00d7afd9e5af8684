#include "agents/agent.h"

#include "base/memory.h"

#define ROW(name) &name##_agent,
const struct agent_type *const agent_types[] = {AGENT_TYPES(ROW)};
const size_t agent_types_n = ARRAY_SIZE(agent_types);

struct agent *agent_new(const struct agent_type *type, const char *name, const struct agent_kit *kit)
{
	struct agent *agent = memory_alloc(sizeof *agent);
	*agent = (struct agent){.type = type, .kit = kit};
	agent->name = arena_strdup(&agent->arena, name);
	agent_reset(agent);
	return agent;
}

int agent_on_messages(struct agent *agent, struct message_span unseen, struct arena *arena,
	struct response *response, const struct context *ctx, struct rondo_error *err)
{
	if (cancel_reason(ctx->cancel))
		return cancel_error(ctx->cancel, err);
	*response = (struct response){0};
	if (agent->type->on_messages(agent, unseen, arena, response, ctx, err) < 0)
		return error_prefix(err, "agent '%s'", agent->name);
	response->message.source = agent->name;
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
	if (agent->type->options)
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
