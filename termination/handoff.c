/* An agent hands over to somebody, in the team or outside. */
#include <string.h>

#include "base/utf8.h"
#include "chat/message.h"
#include "termination/termination.h"

struct handoff {
	const char *target;
};

static const struct option options[] = {
	OPTION("target", STRING, offsetof(struct handoff, target), "to whom", .required = true,
		.main = true),
	OPTION_END,
};

static bool handoff_hears(struct termination *termination, const struct rondo_message *message,
	struct termination_reason *reason)
{
	const struct handoff *state = termination->state;
	const struct json *data = message->type == RONDO_MESSAGE_HANDOFF ? message_data(message) : NULL;
	if (!state->target || strcmp(json_string(data, "target", ""), state->target) != 0)
		return false;
	utf8_format(reason->text, sizeof reason->text, "Handoff to %s from %s detected.", state->target,
		message->source);
	return true;
}

const struct termination_type handoff_termination = {
	.name = "handoff",
	.summary = "an agent hands over to this one",
	.stop_kind = RONDO_STOP_SUCCESS,
	.state_size = sizeof(struct handoff),
	.options = options,
	.hears = handoff_hears,
};
