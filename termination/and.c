/* All of several conditions, each at its own time; the verdict is the worst of theirs. */
#include "base/utf8.h"
#include "termination/combine.h"

struct and_state {
	struct combine combine;
	struct termination_reason sum; /* of those that have fired: text and verdict */
};

static int check_all(struct termination *termination, struct message_span delta,
	struct termination_reason *reason, const struct context *ctx, struct rondo_error *err)
{
	struct and_state *state = termination->state;
	const struct rondo_message *last = NULL;
	int all = 1;
	for (size_t i = 0; i < state->combine.conditions.n; i++) {
		struct termination *condition = combine_at(termination, i);
		struct termination_reason part;
		if (condition->fired)
			continue;
		int status = termination_check(condition, delta, &part, ctx, err);
		if (status < 0)
			return -1;
		if (status) {
			combine_reason(&state->sum, &part);
			last = part.message;
		}
		all &= status;
	}
	if (all) {
		*reason = state->sum;
		reason->condition = termination->type->name;
		reason->message = last;
	}
	return all;
}

/* Nothing is sure to fire before its last part is; that one's time is everybody's where the others
 * have fired. */
static int64_t deadline(const struct termination *termination)
{
	const struct and_state *state = termination->state;
	int64_t latest = 0;
	for (size_t i = 0; i < state->combine.conditions.n; i++) {
		const struct termination *condition = combine_at(termination, i);
		int64_t one = termination_deadline(condition);
		if (!one && !condition->fired)
			return 0;
		if (one > latest)
			latest = one;
	}
	return latest;
}

static void reset(struct termination *termination)
{
	((struct and_state *)termination->state)->sum = (struct termination_reason){0};
	combine_reset(termination);
}

static void save(const struct termination *termination, struct json *to)
{
	const struct and_state *state = termination->state;
	if (state->sum.text[0]) {
		json_add_string(to, "reason", state->sum.text);
		json_add_int(to, "verdict", state->sum.verdict);
	}
	combine_save(termination, to);
}

static void load(struct termination *termination, const struct json *from)
{
	struct and_state *state = termination->state;
	state->sum = (struct termination_reason){.text = ""};
	utf8_format(state->sum.text, sizeof state->sum.text, "%s", json_string(from, "reason", ""));
	state->sum.verdict = (enum rondo_verdict)json_int(from, "verdict", RONDO_VERDICT_SUCCESS);
	combine_load(termination, from);
}

const struct termination_type and_termination = {
	.name = "and",
	.summary = "all of several conditions",
	.verdict = RONDO_VERDICT_SUCCESS,
	.state_size = sizeof(struct and_state),
	.options = combine_options,
	.start = combine_start,
	.check = check_all,
	.deadline = deadline,
	.reset = reset,
	.save = save,
	.load = load,
};
