/* Which definitions the tests reach by name, and how far from a failing one they are. Private to
 * repair/. */
#pragma once
#include "repair/localise/region.h"

struct edges {
	uint32_t *to;
	size_t n;
};

struct localisation {
	struct repair *repair;
	struct arena *arena;
	struct regions regions;
	struct edges *edges; /* by definition: the definitions that it names */
	/* By definition: tests that reach it, and how far it is from a failing one. */
	uint32_t *failing, *passing, *visited;
	float *nearness;
	uint32_t visit;
	bool is_hung; /* a failing test does not end */
};

/* Set `traced` and `cost` of the lines of every source, and what they follow from; in the arena. */
void localise(struct localisation *l, struct repair *repair, const struct test_report *report,
	struct arena *arena);

/* By line: whether it is of a loop that may go on for ever. In the arena. */
bool *localise_find_loops(const struct source *source, struct arena *arena);

/* How much more often failing tests than passing ones reach something: 0 to 1. */
double ochiai(size_t failing, size_t passing, size_t all_failing);
