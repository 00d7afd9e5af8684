/* So much time since the run began; the team cuts a turn short that lasts beyond it. What is saved
 * is the time that has gone by, so that a run that is resumed later has what was left. */
#include "base/clock.h"
#include "base/utf8.h"
#include "termination/termination.h"

struct timeout {
	int64_t after_ms;
	int64_t started_at_ms; /* 0: there is no run */
};

static const struct option options[] = {
	OPTION("after", DURATION, offsetof(struct timeout, after_ms),
		"how long, from the start of the run", .least = 1, .required = true, .main = true),
	OPTION_END,
};

static void timeout_start(struct termination *termination)
{
	((struct timeout *)termination->state)->started_at_ms = clock_now_ms();
}

static int64_t timeout_deadline(const struct termination *termination)
{
	const struct timeout *state = termination->state;
	return state->started_at_ms ? state->started_at_ms + state->after_ms : 0;
}

static int timeout_check(struct termination *termination, struct message_span delta,
	struct termination_reason *reason, const struct context *ctx, struct rondo_error *err)
{
	(void)delta, (void)ctx, (void)err;
	const struct timeout *state = termination->state;
	int64_t end_ms = timeout_deadline(termination);
	utf8_format(reason->text, sizeof reason->text, "Timeout of %.15g seconds reached",
		(double)state->after_ms / 1000);
	return end_ms && clock_now_ms() >= end_ms;
}

static void timeout_reset(struct termination *termination)
{
	((struct timeout *)termination->state)->started_at_ms = 0;
}

static void timeout_save(const struct termination *termination, struct json *to)
{
	const struct timeout *state = termination->state;
	if (state->started_at_ms)
		json_add_int(to, "elapsed_ms", clock_now_ms() - state->started_at_ms);
}

static void timeout_load(struct termination *termination, const struct json *from)
{
	int64_t elapsed_ms = json_int(from, "elapsed_ms", -1);
	((struct timeout *)termination->state)->started_at_ms =
		elapsed_ms < 0 ? 0 : clock_now_ms() - elapsed_ms;
}

const struct termination_type timeout_termination = {
	.name = "timeout",
	.summary = "the run has taken this long; a turn that is under way is cut short",
	.stop_kind = RONDO_STOP_LIMIT,
	.state_size = sizeof(struct timeout),
	.options = options,
	.start = timeout_start,
	.check = timeout_check,
	.deadline = timeout_deadline,
	.reset = timeout_reset,
	.save = timeout_save,
	.load = timeout_load,
};
