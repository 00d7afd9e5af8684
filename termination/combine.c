#include "termination/combine.h"

#include <stdio.h>
#include <string.h>

void combine_reason(struct termination_reason *sum, const struct termination_reason *part)
{
	char joined[sizeof sum->text];
	int n = snprintf(joined, sizeof joined, "%s%s%s", sum->text, sum->text[0] ? ", " : "", part->text);
	if (n >= (int)sizeof joined)
		memcpy(joined + sizeof joined - 4, "...", 4);
	memcpy(sum->text, joined, sizeof joined);
	if (part->verdict > sum->verdict)
		sum->verdict = part->verdict;
}
