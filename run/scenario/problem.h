/*
 * What is wrong with what the user wrote: every fault of a file, each with its place, not only the
 * first. Errors (base/error.h) end what goes on; problems are collected.
 */
#pragma once
#include "base/arena.h"
#include "base/error.h"
#include "base/strbuf.h"

struct problem {
	const char
		*origin; /* the file's name as it was given, or a setting such as "-s team.max_turns=x" */
	int line, column; /* from 1, in characters; line 0: the whole of its origin */
	const char *text;
};

struct problems {
	struct arena *arena;
	struct problem *items; /* by place within each origin; origins as they came up */
	size_t n;
	size_t n_left_out; /* beyond the first 1,000 */
};

/* Add one. `origin` is borrowed; the text is kept in the arena, cut to some 1,000 bytes. */
void problems_add(struct problems *problems, const char *origin, int line, int column,
	const char *format, ...) __attribute__((format(printf, 5, 6)));

/* All of them as one error, a line each, as many as it holds; 0 where there is none. */
int problems_error(const struct problems *problems, struct rondo_error *err);

/* Append a line each: "FILE:LINE:COLUMN: text", or "ORIGIN: text". Control characters are made
 * visible. */
void problems_print(const struct problems *problems, struct strbuf *sb);
