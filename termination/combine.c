#include "termination/combine.h"

#include <string.h>

#include "base/utf8.h"

const struct option combine_options[] = {
	{.name = "conditions", .kind = OPTION_CHILDREN, .offset = offsetof(struct combine, conditions),
		.family = &termination_family, .required = true, .main = true, .help = "a list of conditions"},
	OPTION_END,
};

struct termination *termination_any(struct arena *arena, const struct option_specs *conditions)
{
	return termination_new(arena, &or_termination, &(struct combine){*conditions}, NULL);
}

struct termination *combine_at(const struct termination *termination, size_t i)
{
	return ((const struct combine *)termination->state)->conditions.items[i].object;
}

void combine_reason(struct termination_reason *sum, const struct termination_reason *part)
{
	char joined[sizeof sum->text];
	utf8_format(joined, sizeof joined, "%s%s%s", sum->text, sum->text[0] ? ", " : "", part->text);
	memcpy(sum->text, joined, sizeof joined);
	if (part->verdict > sum->verdict)
		sum->verdict = part->verdict;
}

void combine_reset(struct termination *termination)
{
	const struct combine *combine = termination->state;
	for (size_t i = 0; i < combine->conditions.n; i++)
		termination_reset(combine_at(termination, i));
}
