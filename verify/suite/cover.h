/*
 * Which lines of the product single tests run, as a runner's `cover` line prints it:
 *
 *	goal, other         what follows is of one such test
 *	PATH:FIRST,LAST     lines that it ran, as absolute path or from where the suite runs
 *
 * A program of the tree may print it, too: what it says only orders the search.
 */
#pragma once
#include "base/arena.h"
#include "base/error.h"
#include "chat/coverage.h"

struct suite;

/* Tests to look at: those of the goal, which come first, and others that pass. */
struct cover_tests {
	const char *const *goal, *const *others;
	size_t n_goal, n_others;
	int64_t limit_ms; /* for all that the line does */
};

/* The line for sh that prints it; NULL: this suite's runner cannot. In the arena. */
const char *suite_cover(
	const struct suite *suite, const struct cover_tests *tests, struct arena *arena);

/* Read it from a descriptor's start. `dir` is the tree's root as the command saw it, or NULL. Paths
 * that come back are the tree's, in the arena. */
int cover_read(int fd, const char *dir, struct arena *arena, struct coverage *ret_coverage,
	struct rondo_error *err);
