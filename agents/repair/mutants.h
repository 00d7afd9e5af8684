/*
 * Mutants of a fix: each is the fix and one more small edit beside it. How many of them the tests
 * notice says what it is worth that the fix passes (Jia, Harman: An Analysis and Survey of the
 * Development of Mutation Testing, 2011). Private to this folder.
 */
#pragma once
#include "agents/repair/search.h"

enum { MUTANTS_MOST = 16 };

/* Make those of a fix of one file, to be tried all; none where there are no others beside it. In
 * the arena. */
void mutants_make(const struct repair_file *files, size_t n, const struct candidate *fix,
	struct arena *arena, struct candidates *ret_mutants);
