/* An agent posts a message of type stop: it has nothing more to do, or to try. */
#include "base/utf8.h"
#include "termination/listen.h"

static bool is_stop(const void *state, const struct rondo_message *message)
{
	(void)state;
	return message->type == RONDO_MESSAGE_STOP;
}

static int check(struct termination *termination, struct message_span delta, struct termination_reason *reason,
	const struct context *ctx, struct rondo_error *err)
{
	(void)ctx, (void)err;
	reason->message = listen_for(delta, is_stop, termination->state);
	if (!reason->message)
		return 0;
	utf8_format(reason->text, sizeof reason->text, "Stop message received");
	return 1;
}

const struct termination_type stop_message_termination = {
	.name = "stop_message",
	.summary = "an agent says by a message of its own kind that it stops",
	.verdict = RONDO_VERDICT_SUCCESS,
	.check = check,
};
