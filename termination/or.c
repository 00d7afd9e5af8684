/* The first of several conditions; the verdict of what fired. */
#include "termination/combine.h"

static bool check_any(struct termination *termination, struct message_span delta,
	struct termination_reason *reason)
{
	const struct combine *state = termination->state;
	bool any = false;
	struct termination_reason sum = {.text = ""};
	for (size_t i = 0; i < state->conditions.n; i++) {
		struct termination_reason part = {.text = ""};
		if (!termination_check(combine_at(termination, i), delta, &part))
			continue;
		combine_reason(&sum, &part);
		any = true;
	}
	if (any)
		*reason = sum;
	return any;
}

const struct termination_type or_termination = {
	.name = "or",
	.summary = "the first of several conditions",
	.verdict = RONDO_VERDICT_SUCCESS,
	.state_size = sizeof(struct combine),
	.options = combine_options,
	.check = check_any,
	.reset = combine_reset,
};
