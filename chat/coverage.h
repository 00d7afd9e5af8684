/* Which lines tests run, and how many of the failing ones do. */
#pragma once
#include "base/arena.h"
#include "base/json/json.h"

/* How many of the tests that are to be fixed, and of the others that pass, ran a line. */
struct coverage_line {
	const char *path;
	uint32_t line; /* from 1 */
	uint32_t goal, others, also; /* how many tests of each kind ran it */
};

struct coverage {
	struct coverage_line *lines; /* those of a file follow each other */
	size_t n;
	size_t n_goal, n_others; /* the tests that were looked at: the others pass */
	size_t n_also;           /* that fail, and are not of the goal */
};

/* {"lines": {PATH: [[LINE, GOAL, OTHERS, ALSO], ...]}, "n_goal": N, "n_others": N, "n_also": N} and
 * back. What no test of the goal ran is left out: its absence tells as much. What comes back lies
 * in the arena; what is no such line is passed over. */
struct json *coverage_to_json(const struct coverage *coverage);
void coverage_from_json(const struct json *json, struct arena *arena, struct coverage *coverage);
