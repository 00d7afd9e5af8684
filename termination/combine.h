/* Conditions made of conditions: what and.c and or.c share. */
#pragma once
#include "termination/termination.h"

/* The member `conditions`, which comes first in the state of both. */
struct combine {
	struct option_specs conditions;
};

extern const struct option combine_options[];

struct termination *combine_at(const struct termination *termination, size_t i);

/* Append a condition's words, and take its verdict where it is worse. */
void combine_reason(struct termination_reason *sum, const struct termination_reason *part);

/* All of them as new. */
void combine_reset(struct termination *termination);
