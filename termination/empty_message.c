/* An agent answers with nothing but white space: it has run out of things to say, and each further turn costs. */
#include <string.h>

#include "base/utf8.h"
#include "termination/listen.h"

static bool is_empty(const void *state, const struct rondo_message *message)
{
	(void)state;
	return message->type == RONDO_MESSAGE_TEXT && !listen_is_task(message) &&
	       !message->content[strspn(message->content, " \t\r\n\v\f")];
}

static int check(struct termination *termination, struct message_span delta, struct termination_reason *reason,
	const struct context *ctx, struct rondo_error *err)
{
	(void)ctx, (void)err;
	reason->message = listen_for(delta, is_empty, termination->state);
	if (!reason->message)
		return 0;
	utf8_format(reason->text, sizeof reason->text, "Empty message received from '%s'", reason->message->source);
	return 1;
}

const struct termination_type empty_message_termination = {
	.name = "empty_message",
	.summary = "an agent's message is empty",
	.verdict = RONDO_VERDICT_STALL,
	.check = check,
};
