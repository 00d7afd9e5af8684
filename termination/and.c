/* All of several conditions, each at its own time; the verdict is the worst of theirs. */
#include "termination/combine.h"

struct and_state {
	struct termination_reason sum;
};

static bool check_all(struct termination *termination, struct message_span delta,
	struct termination_reason *reason)
{
	struct and_state *state = termination->state;
	bool all = true;
	for (size_t i = 0; i < termination->n_children; i++) {
		struct termination *child = termination->children[i];
		struct termination_reason part = {.text = ""};
		if (child->fired)
			continue;
		if (termination_check(child, delta, &part))
			combine_reason(&state->sum, &part);
		else
			all = false;
	}
	if (all)
		*reason = state->sum;
	return all;
}

static void reset_sum(struct termination *termination)
{
	*(struct and_state *)termination->state = (struct and_state){0};
}

const struct termination_type and_termination = {
	.name = "and",
	.summary = "all of several conditions",
	.verdict = RONDO_VERDICT_SUCCESS,
	.state_size = sizeof(struct and_state),
	.takes_children = true,
	.check = check_all,
	.reset = reset_sum,
};
