#include "termination/combine.h"

#include <string.h>

#include "base/utf8.h"

const struct option combine_options[] = {
	{.name = "conditions",
		.kind = OPTION_CHILDREN,
		.offset = offsetof(struct combine, conditions),
		.family = &termination_family,
		.required = true,
		.main = true,
		.help = "a list of conditions"},
	OPTION_END,
};

struct termination *termination_any(struct arena *arena, const struct option_specs *conditions)
{
	return termination_new(arena, &or_termination, &(struct combine){*conditions}, NULL, NULL);
}

struct termination *combine_at(const struct termination *termination, size_t i)
{
	return ((const struct combine *)termination->state)->conditions.items[i].object;
}

void combine_reason(struct termination_reason *sum, const struct termination_reason *part)
{
	char joined[sizeof sum->text];
	bool first = !sum->text[0];
	utf8_format(joined, sizeof joined, "%s%s%s", sum->text, first ? "" : ", ", part->text);
	memcpy(sum->text, joined, sizeof joined);
	if (part->verdict > sum->verdict)
		sum->verdict = part->verdict;
	if (first) {
		sum->condition = part->condition;
		sum->message = part->message;
	}
}

static size_t count(const struct termination *termination)
{
	return ((const struct combine *)termination->state)->conditions.n;
}

void combine_start(struct termination *termination)
{
	for (size_t i = 0; i < count(termination); i++)
		termination_start(combine_at(termination, i));
}

void combine_reset(struct termination *termination)
{
	for (size_t i = 0; i < count(termination); i++)
		termination_reset(combine_at(termination, i));
}

/* One a condition, in their order. */
void combine_save(const struct termination *termination, struct json *to)
{
	struct json *states = json_array();
	bool any = false;
	for (size_t i = 0; i < count(termination); i++) {
		struct json *state = termination_save(combine_at(termination, i));
		any = any || state;
		json_add(states, NULL, state ? state : json_object());
	}
	if (any)
		json_add(to, "conditions", states);
	else
		json_free(states);
}

void combine_load(struct termination *termination, const struct json *from)
{
	const struct json *state = json_first(json_get(from, "conditions"));
	for (size_t i = 0; i < count(termination); i++, state = state ? json_next(state) : NULL)
		termination_load(combine_at(termination, i), state);
}
