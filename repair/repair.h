/*
 * Search-based program repair, pure: texts and a test report in, candidate edits out, best first.
 * It runs nothing, reads no file, knows no agent. Tokens and brackets only, one table a language,
 * so that any language with such a table works.
 */
#pragma once
#include "base/arena.h"
#include "chat/candidates.h"
#include "chat/test_report.h"

/* A file that may matter. All borrowed for the life of the search. */
struct repair_file {
	const char *path; /* relative to the tree; its suffix names the language */
	const char *text;
	size_t n;
	bool editable;    /* false: a test or otherwise protected; read for names and literals only */
	const size_t *frozen_starts, *frozen_ends; /* byte ranges that no edit may touch */
	size_t n_frozen;
};

struct repair;

/* Whether the suffix of a path names a language that repair knows. */
bool repair_knows(const char *path);

/* Begin a search. `report` shows the failures at base. Memory in the arena. Deterministic: the same files and
 * report give the same candidates in the same order. */
struct repair *repair_new(
	struct arena *arena, const struct repair_file *files, size_t n, const struct test_report *report);

/* The next candidate, cheapest first; never the same text twice. False when there is none left. It lies in the
 * arena of repair_new. Generated lazily: the first costs milliseconds whatever the size of the files. */
bool repair_next(struct repair *repair, struct candidate *candidate);

/* The places that are suspected most, likeliest first, as "path:line"; at most n. Gives how many. */
size_t repair_suspects(const struct repair *repair, const char **places, size_t n);
