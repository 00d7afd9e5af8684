/*
 * Conditions made of conditions. `and` fires when all have fired, each at its own time; its
 * stop_kind is the worst of theirs. `or` fires with the first; of several at once a success counts,
 * else the worst.
 */
#include <string.h>

#include "base/utf8.h"
#include "termination/termination.h"

struct combine {
	struct option_specs conditions;
	struct termination_reason sum; /* of those that have fired, for `and`: text and stop_kind */
};

static const struct option combine_options[] = {
	OPTION("conditions", CHILDREN, offsetof(struct combine, conditions), "a list of conditions",
		.family = &termination_family, .required = true, .main = true),
	OPTION_END,
};

static struct termination *combine_at(const struct termination *termination, size_t i)
{
	return ((const struct combine *)termination->state)->conditions.items[i].object;
}

/* Append a condition's words, and take its stop_kind if it is worse. The first that fired is
 * named. */
static void combine_reason(struct termination_reason *sum, const struct termination_reason *part)
{
	char joined[sizeof sum->text];
	bool first = !sum->text[0];
	utf8_format(joined, sizeof joined, "%s%s%s", sum->text, first ? "" : ", ", part->text);
	memcpy(sum->text, joined, sizeof joined);
	if (part->stop_kind > sum->stop_kind)
		sum->stop_kind = part->stop_kind;
	if (first) {
		sum->condition = part->condition;
		sum->message = part->message;
	}
}

static size_t combine_count(const struct termination *termination)
{
	return ((const struct combine *)termination->state)->conditions.n;
}

static void combine_start(struct termination *termination)
{
	for (size_t i = 0; i < combine_count(termination); i++)
		termination_start(combine_at(termination, i));
}

static void combine_reset(struct termination *termination)
{
	((struct combine *)termination->state)->sum = (struct termination_reason){0};
	for (size_t i = 0; i < combine_count(termination); i++)
		termination_reset(combine_at(termination, i));
}

/* One state per condition, in their order. */
static void combine_save(const struct termination *termination, struct json *to)
{
	const struct combine *state = termination->state;
	struct json *states = json_array();
	bool any = false;
	if (state->sum.text[0]) {
		json_add_string(to, "reason", state->sum.text);
		json_add_int(to, "stop_kind", state->sum.stop_kind);
	}
	for (size_t i = 0; i < combine_count(termination); i++) {
		struct json *part = termination_save(combine_at(termination, i));
		any = any || part;
		json_add(states, NULL, part ? part : json_object());
	}
	if (any)
		json_add(to, "conditions", states);
	else
		json_free(states);
}

static void combine_load(struct termination *termination, const struct json *from)
{
	struct combine *state = termination->state;
	const struct json *part = json_first(json_get(from, "conditions"));
	state->sum = (struct termination_reason){.stop_kind = stop_kind_load(from)};
	utf8_format(state->sum.text, sizeof state->sum.text, "%s", json_string(from, "reason", ""));
	for (size_t i = 0; i < combine_count(termination); i++, part = part ? json_next(part) : NULL)
		termination_load(combine_at(termination, i), part);
}

/* --- and --- */

static int and_check(struct termination *termination, struct message_span delta,
	struct termination_reason *reason, const struct context *ctx, struct rondo_error *err)
{
	struct combine *state = termination->state;
	const struct rondo_message *last = NULL;
	int all = 1;
	for (size_t i = 0; i < state->conditions.n; i++) {
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
static int64_t and_deadline(const struct termination *termination)
{
	const struct combine *state = termination->state;
	int64_t latest = 0;
	for (size_t i = 0; i < state->conditions.n; i++) {
		const struct termination *condition = combine_at(termination, i);
		int64_t one = termination_deadline(condition);
		if (!one && !condition->fired)
			return 0;
		if (one > latest)
			latest = one;
	}
	return latest;
}

const struct termination_type and_termination = {
	.name = "and",
	.summary = "all of several conditions",
	.stop_kind = RONDO_STOP_SUCCESS,
	.state_size = sizeof(struct combine),
	.options = combine_options,
	.start = combine_start,
	.check = and_check,
	.hears_empty = true,
	.deadline = and_deadline,
	.reset = combine_reset,
	.save = combine_save,
	.load = combine_load,
};

/* --- or --- */

/* What was reached is reached, though a limit came on the same message. */
static void or_prefer_success(
	struct termination_reason *sum, const struct termination_reason *success)
{
	if (!success)
		return;
	sum->stop_kind = RONDO_STOP_SUCCESS;
	sum->condition = success->condition;
	sum->message = success->message;
}

static bool or_add_fired(const struct termination *termination, struct termination_reason *sum)
{
	const struct combine *state = termination->state;
	const struct termination_reason *success = NULL;
	bool any = false;
	for (size_t i = 0; i < state->conditions.n; i++) {
		const struct termination *condition = combine_at(termination, i);
		if (!condition->fired)
			continue;
		combine_reason(sum, &condition->reason);
		if (!success && condition->reason.stop_kind == RONDO_STOP_SUCCESS)
			success = &condition->reason;
		any = true;
	}
	or_prefer_success(sum, success);
	return any;
}

/* One that fired in an earlier look, which another one then broke off, came first. So all of them
 * look, though one cannot: these messages do not come again. */
static int or_check(struct termination *termination, struct message_span delta,
	struct termination_reason *reason, const struct context *ctx, struct rondo_error *err)
{
	const struct combine *state = termination->state;
	struct termination_reason sum = {.text = ""}, part;
	bool any = or_add_fired(termination, &sum), has_failed = false;
	for (size_t i = 0; i < state->conditions.n && !any; i++)
		has_failed |= termination_check(combine_at(termination, i), delta, &part, ctx, err) < 0;
	if (has_failed)
		return -1;
	any = any || or_add_fired(termination, &sum);
	if (any)
		*reason = sum;
	return any;
}

/* The earliest. */
static int64_t or_deadline(const struct termination *termination)
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
	.stop_kind = RONDO_STOP_SUCCESS,
	.state_size = sizeof(struct combine),
	.options = combine_options,
	.start = combine_start,
	.check = or_check,
	.hears_empty = true,
	.deadline = or_deadline,
	.reset = combine_reset,
	.save = combine_save,
	.load = combine_load,
};

struct termination *termination_any(struct arena *arena, const struct option_specs *conditions)
{
	return termination_new(
		arena, &or_termination, &(struct combine){.conditions = *conditions}, NULL, NULL);
}
