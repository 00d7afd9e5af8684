/* An agent posts a message of type stop: it has nothing more to do, or to try. */
#include "base/utf8.h"
#include "termination/termination.h"

static bool stop_message_hears(struct termination *termination, const struct rondo_message *message,
	struct termination_reason *reason)
{
	(void)termination;
	utf8_format(reason->text, sizeof reason->text, "Stop message received");
	return message->type == RONDO_MESSAGE_STOP;
}

const struct termination_type stop_message_termination = {
	.name = "stop_message",
	.summary = "an agent says by a message of its own kind that it stops",
	.stop_kind = RONDO_STOP_SUCCESS,
	.hears = stop_message_hears,
};
