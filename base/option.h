/*
 * Option tables: what a type or a command can be told. The table alone gives reading, defaults,
 * checks with exact error texts, and help. `offset` names the member of the state that an option
 * fills; the member's C type follows from its kind.
 */
#pragma once
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/error.h"
#include "base/strbuf.h"

enum option_kind {
	OPTION_BOOL,     /* bool: true, false; on a command line its bare name is true */
	OPTION_INT,      /* int64_t */
	OPTION_NUMBER,   /* double */
	OPTION_DURATION, /* int64_t in ms: 90, 90s, 5m, 1h, 250ms; a bare number is seconds */
	OPTION_BYTES,    /* int64_t: 512, 64K, 16M, 1G */
	OPTION_MONEY,    /* double, USD: 3, 0.50 */
	OPTION_ENUM,     /* const char *: one of `values` */
	OPTION_STRING,   /* const char * */
	OPTION_STRINGS,  /* struct option_strings: given several times, or a list */
	OPTION_KINDS,    /* how many there are */
};

struct option_strings {
	const char **items;
	size_t n;
};

struct option {
	const char *name;
	enum option_kind kind;
	size_t offset;
	const char *fallback;      /* the default as text, or NULL: zero */
	const char *help;          /* half a sentence, lower case, no full stop */
	const char *argument;      /* what stands for the value in help, such as "CMD" */
	const char *const *values; /* OPTION_ENUM: NULL-terminated */
	double least, most;        /* numbers, durations, bytes, money; both 0: not negative */
	char letter;               /* the short form on a command line, or 0 */
};

#define OPTION_END {.name = NULL}

/* Fill the whole state with the defaults. Strings lie in the arena. */
void option_defaults(const struct option *table, void *state, struct arena *arena);

/* Set one option from text. The error says what was found and what was meant. */
int option_set(const struct option *option, void *state, struct arena *arena, const char *text,
	struct rondo_error *err);

/* The option of that name, or NULL with err set: "unknown option 'x', did you mean 'y'?".
 * `what` is the word for it in the error: "option" or "key". */
const struct option *option_find(
	const struct option *table, const char *name, const char *what, struct rondo_error *err);

/* The value as text, as option_set reads it. */
void option_print(const struct option *option, const void *state, struct strbuf *sb);

/* Options and operands of a command line, in any order; "--" ends the options. What is no option
 * is appended to `operands`. */
int option_read_arguments(const struct option *table, void *state, struct arena *arena,
	const char *const *arguments, size_t n, struct option_strings *operands,
	struct rondo_error *err);

/* One line an option: names, argument, help, default. */
void option_help(const struct option *table, struct strbuf *sb);
