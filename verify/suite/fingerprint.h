/*
 * A fingerprint of what was printed: it is the same for two runs that differ only in numbers,
 * addresses, times and temporary paths. It shows whether anything changed if results cannot.
 */
#pragma once
#include <stdint.h>

struct fingerprint {
	uint32_t hash; /* 0: nothing was printed */
};

/* Add a line. `dir`: the tree's root as the command saw it, which may differ from run to run, or
 * NULL. */
void fingerprint_line(struct fingerprint *fingerprint, const char *dir, const char *line);
