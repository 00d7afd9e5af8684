/*
 * What is wrong with what the user wrote: every fault of a file, each with its place, not only the
 * first. An error (base/error.h) ends what is being done; problems are collected.
 */
#pragma once
#include <stdarg.h>

#include "base/option.h"

struct problem {
	struct option_place place;
	const char *text;
};

struct problems {
	struct arena *arena;
	struct problem *items; /* by place within each origin; origins in the order of their first */
	size_t n;
	size_t n_left_out; /* beyond the first 1,000 */
	bool is_transient; /* one is of the machine, and not of what somebody wrote */
};

/* The whole of a file, or of a setting such as "-s team.max_turns=x". */
static inline struct option_place place_whole(const char *origin)
{
	return (struct option_place){.origin = origin};
}

/* Add one. The place's origin is borrowed; the text is kept in the arena, cut to some 1,000
 * bytes. */
void problems_add(struct problems *problems, struct option_place place, const char *format, ...)
	__attribute__((format(printf, 3, 4)));

/* Add to notices what is no error and yet to be told: "FILE:LINE:COLUMN: text", in the arena. */
void notices_add(struct option_strings *notices, struct option_place place, struct arena *arena,
	const char *format, ...) __attribute__((format(printf, 4, 5)));
void notices_addv(struct option_strings *notices, struct option_place place, struct arena *arena,
	const char *format, va_list args) __attribute__((format(printf, 4, 0)));

/* All of them as one error, a line each, as many as it holds; 0 where there is none. */
int problems_error(const struct problems *problems, struct rondo_error *err);

/* Append a line each: "FILE:LINE:COLUMN: text", or "ORIGIN: text". Control characters are made
 * visible. */
void problems_print(const struct problems *problems, struct strbuf *sb);
