/* The first of several conditions; the verdict of what fired. */
#include "termination/combine.h"

static bool or_add_fired(const struct termination *termination, struct termination_reason *sum)
{
	const struct combine *state = termination->state;
	bool any = false;
	for (size_t i = 0; i < state->conditions.n; i++)
		if (combine_at(termination, i)->fired) {
			combine_reason(sum, &combine_at(termination, i)->reason);
			any = true;
		}
	return any;
}

/* One that fired in an earlier look, which another one then broke off, came first. */
static int check_any(struct termination *termination, struct message_span delta,
	struct termination_reason *reason, const struct context *ctx, struct rondo_error *err)
{
	const struct combine *state = termination->state;
	struct termination_reason sum = {.text = ""}, part;
	bool any = or_add_fired(termination, &sum);
	for (size_t i = 0; i < state->conditions.n && !any; i++)
		if (termination_check(combine_at(termination, i), delta, &part, ctx, err) < 0)
			return -1;
	any = any || or_add_fired(termination, &sum);
	if (any)
		*reason = sum;
	return any;
}

/* The earliest. */
static int64_t deadline(const struct termination *termination)
{
	const struct combine *state = termination->state;
	int64_t earliest = 0;
	for (size_t i = 0; i < state->conditions.n; i++) {
		int64_t one = termination_deadline(combine_at(termination, i));
		if (one && (!earliest || one < earliest))
			earliest = one;
	}
	return earliest;
}

const struct termination_type or_termination = {
	.name = "or",
	.summary = "the first of several conditions",
	.verdict = RONDO_VERDICT_SUCCESS,
	.state_size = sizeof(struct combine),
	.options = combine_options,
	.start = combine_start,
	.check = check_any,
	.deadline = deadline,
	.reset = combine_reset,
	.save = combine_save,
	.load = combine_load,
};
