/* One of several agents has spoken, whatever it said. */
#include "base/utf8.h"
#include "termination/listen.h"

struct source_match {
	struct option_strings sources;
};

static const struct option options[] = {
	{.name = "sources", .kind = OPTION_STRINGS, .offset = offsetof(struct source_match, sources), .required = true,
		.main = true, .help = "names of agents, or user for the task"},
	OPTION_END,
};

static bool is_listed(const void *options_, const struct rondo_message *message)
{
	const struct source_match *state = options_;
	return listen_has_name(&state->sources, message->source);
}

static int check(struct termination *termination, struct message_span delta, struct termination_reason *reason,
	const struct context *ctx, struct rondo_error *err)
{
	(void)ctx, (void)err;
	reason->message = listen_for(delta, is_listed, termination->state);
	if (!reason->message)
		return 0;
	utf8_format(reason->text, sizeof reason->text, "'%s' answered", reason->message->source);
	return 1;
}

const struct termination_type source_match_termination = {
	.name = "source_match",
	.summary = "one of these agents has spoken",
	.verdict = RONDO_VERDICT_SUCCESS,
	.state_size = sizeof(struct source_match),
	.options = options,
	.check = check,
};
