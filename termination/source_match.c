/* One of several agents has spoken, whatever it said. */
#include "base/utf8.h"
#include "termination/termination.h"

struct source_match {
	struct option_strings sources;
};

static const struct option options[] = {
	OPTION("sources", STRINGS, offsetof(struct source_match, sources),
		"names of agents, or user for the task", .required = true, .main = true),
	OPTION_END,
};

static bool source_match_hears(struct termination *termination, const struct rondo_message *message,
	struct termination_reason *reason)
{
	const struct source_match *state = termination->state;
	utf8_format(reason->text, sizeof reason->text, "'%s' answered", message->source);
	return option_strings_have(&state->sources, message->source);
}

const struct termination_type source_match_termination = {
	.name = "source_match",
	.summary = "one of these agents has spoken",
	.stop_kind = RONDO_STOP_SUCCESS,
	.state_size = sizeof(struct source_match),
	.options = options,
	.hears = source_match_hears,
};
