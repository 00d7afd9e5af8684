/* What tests give to the program. Private to repair/. */
#pragma once
#include "repair/search.h"

/* A token of a test that holds a part of what the program is given. */
struct reaching {
	uint32_t token;
	uint32_t column; /* of a table: equal ones are the same parameter; 0: none */
};

/* The tokens of a test that stand in the arguments of its calls into the program, or in what the
 * variables and parameters in these are given. In the order of the text, in the arena; gives how
 * many. */
size_t test_reach(const struct repair *repair, const struct source *source, struct span test,
	struct arena *arena, struct reaching **ret_reaching);
