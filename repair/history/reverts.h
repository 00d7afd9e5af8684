/*
 * Candidates that take back what changed before: pure, as the rest of repair/. First each run of
 * changed lines is taken back alone, and each change whole, the likeliest first. What passes is
 * reduced to the least that does, so that as much as possible of what somebody meant stays.
 */
#pragma once
#include "chat/past.h"
#include "repair/repair.h"

struct reverts;

/* `files`: those that have parts which no edit may touch; others of the past may be edited. All is
 * borrowed. Memory in the arena. */
struct reverts *reverts_new(
	struct arena *arena, const struct past *past, const struct repair_file *files, size_t n);

/* The next candidates, at most `most`, to be tried until the first one passes. Their ids are below
 * 0, so they are no ids of repair_next. False: there are no more. */
bool reverts_take(struct reverts *reverts, size_t most, struct candidates *ret_candidates);

/* Take in which of those that were taken last passed; 0: none. */
void reverts_learn(struct reverts *reverts, int64_t passed);

/* Whether what passed may yet be reduced. */
bool reverts_reduce(const struct reverts *reverts);
