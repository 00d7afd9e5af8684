/* So many messages, the task among them. */
#include <inttypes.h>

#include "base/utf8.h"
#include "termination/termination.h"

struct max_messages {
	int64_t max;
	int64_t n;
};

static const struct option options[] = {
	OPTION("max", INT, offsetof(struct max_messages, max), "how many, the task counted", .least = 1,
		.most = 1000000000, .required = true, .main = true),
	OPTION_END,
};

static int max_messages_check(struct termination *termination, struct message_span delta,
	struct termination_reason *reason, const struct context *ctx, struct rondo_error *err)
{
	(void)ctx, (void)err;
	struct max_messages *state = termination->state;
	for (size_t i = 0; i < delta.n; i++)
		if (++state->n == state->max)
			reason->message = delta.messages[i];
	utf8_format(reason->text, sizeof reason->text,
		"Maximum number of messages %" PRId64 " reached, current message count: %" PRId64,
		state->max, state->n);
	return state->n >= state->max;
}

static const struct termination_count counts[] = {
	{"messages", offsetof(struct max_messages, n)}, {NULL, 0}};

const struct termination_type max_messages_termination = {
	.name = "max_messages",
	.summary = "this many messages were said",
	.stop_kind = RONDO_STOP_LIMIT,
	.state_size = sizeof(struct max_messages),
	.options = options,
	.check = max_messages_check,
	.counts = counts,
};
