/* Joining the reasons of conditions, for and.c and or.c. */
#pragma once
#include "termination/termination.h"

/* Append a child's words, and take its verdict where it is worse. */
void combine_reason(struct termination_reason *sum, const struct termination_reason *part);
