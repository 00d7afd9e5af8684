/*
 * Agents that speak as one, one after the other: the first until it has nothing more to say, then
 * the next, which is shown everything that was said, and so on. An agent that stops ends the chat
 * only where it is the last.
 */
#include <string.h>

#include "agents/agent.h"
#include "base/memory.h"

struct sequence {
	struct option_specs agents; /* each one's object is a struct agent */

	const struct rondo_message **said; /* by others: where they lie; by itself: copies */
	size_t n;
	size_t speaker;
	size_t shown; /* to the speaker */
	bool begun, finished;
};

static const struct option options[] = {
	{.name = "agents", .kind = OPTION_CHILDREN, .offset = offsetof(struct sequence, agents), .required = true,
		.main = true, .family = &agent_family, .help = "who speaks, one after the other"},
	OPTION_END,
};

static struct agent *agent_at(const struct sequence *sequence, size_t i)
{
	return sequence->agents.items[i].object;
}

/* Its agents are reset when it first speaks: they may be gone before it is. */
static int begin(struct sequence *sequence, struct rondo_error *err)
{
	if (!sequence->agents.n)
		return error_set(err, RONDO_ERROR_USAGE,
			"it has nobody who speaks: the key 'agents' must list one at least");
	for (size_t i = 0; i < sequence->agents.n; i++)
		agent_reset(agent_at(sequence, i));
	sequence->begun = true;
	return 0;
}

/* Keep what was said by itself, for those that speak later. */
static void remember(struct agent *agent, const struct rondo_message *message)
{
	struct sequence *sequence = agent->state;
	struct arena *arena = &agent->arena;
	struct rondo_message *copy = arena_memdup(arena, message, sizeof *message);
	copy->source = arena_strdup(arena, message->source);
	copy->content = arena_strdup(arena, message->content);
	copy->data = arena_strdup(arena, message->data);
	ARENA_PUSH(arena, sequence->said, sequence->n, copy);
}

static bool is_last(const struct sequence *sequence)
{
	return sequence->speaker + 1 == sequence->agents.n;
}

static void hand_over(struct sequence *sequence)
{
	sequence->speaker++;
	sequence->shown = 0;
}

/* A stop of one that is not the last is only told. */
static void take_over(struct sequence *sequence, struct arena *arena, struct rondo_message *message)
{
	const char *name = agent_at(sequence, sequence->speaker)->name;
	hand_over(sequence);
	message->type = RONDO_MESSAGE_TEXT;
	message->content = arena_printf(
		arena, "%s %s; %s goes on", name, message->content, agent_at(sequence, sequence->speaker)->name);
}

static int sequence_on_messages(struct agent *agent, struct message_span unseen, struct arena *arena,
	struct response *response, const struct context *ctx, struct rondo_error *err)
{
	struct sequence *sequence = agent->state;
	if (!sequence->begun && begin(sequence, err) < 0)
		return -1;
	for (size_t i = 0; i < unseen.n; i++)
		ARENA_PUSH(&agent->arena, sequence->said, sequence->n, unseen.messages[i]);
	for (response->pass = true; response->pass && !sequence->finished;) {
		struct agent *speaker = agent_at(sequence, sequence->speaker);
		struct message_span span = {sequence->said + sequence->shown, sequence->n - sequence->shown};
		if (agent_on_messages(speaker, span, arena, response, ctx, err) < 0)
			return -1;
		sequence->shown = sequence->n;
		if (response->pass && is_last(sequence))
			return 0;
		if (response->pass)
			hand_over(sequence);
	}
	if (response->pass)
		return 0;
	remember(agent, &response->message);
	sequence->shown = sequence->n;
	if (response->message.type == RONDO_MESSAGE_STOP && is_last(sequence))
		sequence->finished = true;
	else if (response->message.type == RONDO_MESSAGE_STOP)
		take_over(sequence, arena, &response->message);
	return 0;
}

const struct agent_type sequence_agent = {
	.name = "sequence",
	.summary = "several agents as one: the first until it gives up, then the next",
	.state_size = sizeof(struct sequence),
	.options = options,
	.on_messages = sequence_on_messages,
};
