/* An agent says something that is meant for the others: neither a handoff nor a stop. */
#include <string.h>

#include "base/utf8.h"
#include "termination/termination.h"

struct text_message {
	const char *source;
};

static const struct option options[] = {
	OPTION("source", STRING, offsetof(struct text_message, source),
		"only this agent; else any, but not the task", .main = true),
	OPTION_END,
};

static bool text_message_hears(struct termination *termination, const struct rondo_message *message,
	struct termination_reason *reason)
{
	const struct text_message *state = termination->state;
	bool is_heard =
		state->source ? strcmp(message->source, state->source) == 0 : !termination_is_task(message);
	if (!is_heard || message->type == RONDO_MESSAGE_HANDOFF || message->type == RONDO_MESSAGE_STOP)
		return false;
	utf8_format(
		reason->text, sizeof reason->text, "Text message received from '%s'", message->source);
	return true;
}

const struct termination_type text_message_termination = {
	.name = "text_message",
	.summary = "an agent answers in text, code or edits: with neither a handoff nor a stop",
	.stop_kind = RONDO_STOP_SUCCESS,
	.state_size = sizeof(struct text_message),
	.options = options,
	.hears = text_message_hears,
};
