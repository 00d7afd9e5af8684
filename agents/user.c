/* A human as participant: asked in turn, and saying what is answered. */
#include <string.h>

#include "agents/human.h"
#include "base/memory.h"
#include "chat/message.h"

struct user {
	struct human human;
};

static const struct option options[] = {
	HUMAN_OPTIONS(struct user, "ALWAYS"),
	OPTION_END,
};

static const struct human *user_human(const struct agent *agent)
{
	return &((const struct user *)agent->state)->human;
}

/* The newest handoff to this agent; NULL: none. */
static const struct rondo_message *user_find_handoff(
	const struct agent *agent, struct message_span unseen)
{
	for (size_t i = unseen.n; i-- > 0;) {
		const struct rondo_message *message = unseen.messages[i];
		if (message->type == RONDO_MESSAGE_HANDOFF &&
			strcmp(json_string(message_data(message), "target", ""), agent->name) == 0)
			return message;
	}
	return NULL;
}

static const char *user_question_of(const struct agent *agent, const struct rondo_message *end,
	const struct rondo_message *handoff, struct arena *arena)
{
	if (handoff)
		return arena_printf(arena, "Handoff received from %s. %s> ", handoff->source, agent->name);
	return end ? human_end_question(end, arena) : arena_printf(arena, "%s> ", agent->name);
}

/* The question of each turn does not say that Enter ends the chat, so Enter does not. */
static int user_on_messages(struct agent *agent, struct message_span unseen, struct arena *arena,
	struct response *response, const struct context *ctx, struct rondo_error *err)
{
	const struct human *human = user_human(agent);
	const struct rondo_message *last = unseen.n ? unseen.messages[unseen.n - 1] : NULL;
	const struct rondo_message *handoff = user_find_handoff(agent, unseen), *end = NULL;
	const char *answer;
	if (last && !handoff && !agent_asks_first(agent) && human_is_end(human, last))
		end = last;
	if (!human_is_asked(human, end || handoff)) {
		response->pass = true;
		return 0;
	}
	if (human_ask(agent, human, user_question_of(agent, end, handoff, arena), arena, &answer, ctx,
			err) < 0)
		return -1;
	human_say(human, answer, end, arena, response);
	if (handoff && !response->pass && response->message.type == RONDO_MESSAGE_TEXT) {
		AUTO_JSON *data = json_object();
		json_add_string(data, "target", handoff->source);
		response->message.type = RONDO_MESSAGE_HANDOFF;
		response->message.data = json_print_in(data, arena);
	}
	return 0;
}

const struct agent_type user_agent = {
	.name = "user",
	.summary = "a human, asked at the terminal",
	.state_size = sizeof(struct user),
	.options = options,
	.on_messages = user_on_messages,
	.human = user_human,
};
