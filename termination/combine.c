#include "termination/combine.h"

#include <string.h>

#include "base/utf8.h"

void combine_reason(struct termination_reason *sum, const struct termination_reason *part)
{
	char joined[sizeof sum->text];
	utf8_format(joined, sizeof joined, "%s%s%s", sum->text, sum->text[0] ? ", " : "", part->text);
	memcpy(sum->text, joined, sizeof joined);
	if (part->verdict > sum->verdict)
		sum->verdict = part->verdict;
}
