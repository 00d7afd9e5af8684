/* An agent hands over to somebody, in the team or outside. */
#include <string.h>

#include "base/utf8.h"
#include "termination/listen.h"

struct handoff {
	const char *target;
};

static const struct option options[] = {
	{.name = "target", .kind = OPTION_STRING, .offset = offsetof(struct handoff, target), .required = true, .main = true,
		.help = "to whom"},
	OPTION_END,
};

static bool is_to_target(const void *options_, const struct rondo_message *message)
{
	const struct handoff *state = options_;
	AUTO_JSON *data = message->type == RONDO_MESSAGE_HANDOFF ? listen_data(message) : NULL;
	return state->target && strcmp(json_string(data, "target", ""), state->target) == 0;
}

static int check(struct termination *termination, struct message_span delta, struct termination_reason *reason,
	const struct context *ctx, struct rondo_error *err)
{
	(void)ctx, (void)err;
	const struct handoff *state = termination->state;
	reason->message = listen_for(delta, is_to_target, state);
	if (!reason->message)
		return 0;
	utf8_format(reason->text, sizeof reason->text, "Handoff to %s from %s detected.", state->target,
		reason->message->source);
	return 1;
}

const struct termination_type handoff_termination = {
	.name = "handoff",
	.summary = "an agent hands over to this one",
	.verdict = RONDO_VERDICT_SUCCESS,
	.state_size = sizeof(struct handoff),
	.options = options,
	.check = check,
};
