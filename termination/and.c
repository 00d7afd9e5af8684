/* All of several conditions, each at its own time; the verdict is the worst of theirs. */
#include "termination/combine.h"

struct and_state {
	struct combine combine;
	struct termination_reason sum;
};

static bool check_all(struct termination *termination, struct message_span delta,
	struct termination_reason *reason)
{
	struct and_state *state = termination->state;
	bool all = true;
	for (size_t i = 0; i < state->combine.conditions.n; i++) {
		struct termination *condition = combine_at(termination, i);
		struct termination_reason part = {.text = ""};
		if (condition->fired)
			continue;
		if (termination_check(condition, delta, &part))
			combine_reason(&state->sum, &part);
		else
			all = false;
	}
	if (all)
		*reason = state->sum;
	return all;
}

static void reset(struct termination *termination)
{
	((struct and_state *)termination->state)->sum = (struct termination_reason){0};
	combine_reset(termination);
}

const struct termination_type and_termination = {
	.name = "and",
	.summary = "all of several conditions",
	.verdict = RONDO_VERDICT_SUCCESS,
	.state_size = sizeof(struct and_state),
	.options = combine_options,
	.check = check_all,
	.reset = reset,
};
