/* An agent answers with nothing but white space, or an executor was told nothing to execute: it has
 * run out of things to say, and each further turn costs. */
#include <string.h>

#include "base/utf8.h"
#include "termination/termination.h"

static bool empty_message_hears(struct termination *termination,
	const struct rondo_message *message, struct termination_reason *reason)
{
	(void)termination;
	utf8_format(
		reason->text, sizeof reason->text, "Empty message received from '%s'", message->source);
	return message->type == RONDO_MESSAGE_TEXT && !termination_is_task(message) &&
		!message->content[strspn(message->content, " \t\r\n\v\f")];
}

const struct termination_type empty_message_termination = {
	.name = "empty_message",
	.summary = "an agent's message is empty, or an executor finds no code to run",
	.stop_kind = RONDO_STOP_STALL,
	.hears = empty_message_hears,
	.hears_empty = true,
};
