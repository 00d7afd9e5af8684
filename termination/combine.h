/* Conditions made of conditions: what and.c and or.c share. */
#pragma once
#include "termination/termination.h"

/* The member `conditions`, which comes first in the state of both. */
struct combine {
	struct option_specs conditions;
};

extern const struct option combine_options[];

struct termination *combine_at(const struct termination *termination, size_t i);

/* Append a condition's words, and take its verdict where it is worse. The first that fired is
 * named. */
void combine_reason(struct termination_reason *sum, const struct termination_reason *part);

/* Each of them in turn. */
void combine_start(struct termination *termination);
void combine_reset(struct termination *termination);
void combine_save(const struct termination *termination, struct json *to);
void combine_load(struct termination *termination, const struct json *from);
