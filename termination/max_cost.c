/* What models have cost since the last reset, in USD. It is the run's budget that knows; what a run
 * may spend at all says limits.cost, which is asked before each call. */
#include <inttypes.h>

#include "base/utf8.h"
#include "termination/termination.h"

struct max_cost {
	double most_usd;
	double usd_before; /* spent by the last reset */
};

static const struct option options[] = {
	OPTION("usd", MONEY, offsetof(struct max_cost, most_usd),
		"how much; a call that costs nobody knows what counts nothing, which is then said",
		.required = true, .main = true),
	OPTION_END,
};

static int max_cost_check_options(const void *options_, struct rondo_error *err)
{
	const struct max_cost *state = options_;
	return state->most_usd > 0 ? 0 : error_set(err, RONDO_ERROR_USAGE, "usd must be more than 0");
}

/* In all, by the budget. */
static double max_cost_spent(const struct termination *termination, int64_t *ret_unknown)
{
	struct budget *budget = termination->services->budget;
	*ret_unknown = 0;
	return budget ? budget_spent(budget, ret_unknown) : 0;
}

static int max_cost_check(struct termination *termination, struct message_span delta,
	struct termination_reason *reason, const struct context *ctx, struct rondo_error *err)
{
	(void)ctx, (void)err;
	struct max_cost *state = termination->state;
	int64_t unknown;
	char others[64] = "";
	double spent = max_cost_spent(termination, &unknown);
	if (spent < state->usd_before) /* that was loaded, and of another budget */
		state->usd_before = 0;
	double usd = spent - state->usd_before;
	if (usd < state->most_usd || usd <= 0)
		return 0;
	if (delta.n)
		reason->message = delta.messages[delta.n - 1];
	if (unknown)
		utf8_format(others, sizeof others, "; %" PRId64 " call%s of unknown cost", unknown,
			text_plural((size_t)unknown));
	utf8_format(reason->text, sizeof reason->text,
		"Maximum cost of %.4g USD reached, current cost: %.4g USD%s", state->most_usd, usd, others);
	return 1;
}

static void max_cost_reset(struct termination *termination)
{
	int64_t unknown;
	((struct max_cost *)termination->state)->usd_before = max_cost_spent(termination, &unknown);
}

static void max_cost_save(const struct termination *termination, struct json *to)
{
	const struct max_cost *state = termination->state;
	if (state->usd_before > 0)
		json_add_number(to, "usd_before", state->usd_before);
}

static void max_cost_load(struct termination *termination, const struct json *from)
{
	((struct max_cost *)termination->state)->usd_before = json_number(from, "usd_before", 0);
}

const struct termination_type max_cost_termination = {
	.name = "max_cost",
	.summary = "models have cost this much",
	.stop_kind = RONDO_STOP_LIMIT,
	.state_size = sizeof(struct max_cost),
	.options = options,
	.check_options = max_cost_check_options,
	.check = max_cost_check,
	.reset = max_cost_reset,
	.save = max_cost_save,
	.load = max_cost_load,
};
