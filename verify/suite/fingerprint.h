/*
 * A fingerprint of what was printed: two runs that differ only in numbers, addresses, times and
 * temporary places have the same. It tells whether anything changed where results cannot.
 */
#pragma once
#include <stdint.h>

struct fingerprint {
	uint32_t hash; /* 0: nothing was printed */
};

/* Go on with a line. `dir`: the tree's root as the command saw it, or NULL; it may be another one
 * in each run. */
void fingerprint_line(struct fingerprint *fingerprint, const char *dir, const char *line);
