/* Command lines for sh, as far as needed to see which runner they start. */
#pragma once
#include <stdbool.h>
#include <stddef.h>

#include "base/arena.h"
#include "base/strbuf.h"

/* In bytes: leaves room for the environment within the system's limit. */
enum { LONGEST_COMMAND = 100000 };

/* One simple command of a line. What only starts it, as do assignments and `env`, stands before its
 * words: in words[-before] and further. */
struct simple_command {
	const char **words; /* without their quotes */
	const char **raws;  /* the same as they stand in the line */
	size_t n, before;
};

/* The simple commands of a line, in order; in the arena. */
struct simple_command *command_line_split(const char *line, struct arena *arena, size_t *ret_n);

/* The one command of a line that is one simple command in plain words; else n is 0. */
struct simple_command command_line_single(const char *line, struct arena *arena);

/* Whether any simple command of the line satisfies `match`. */
bool command_line_any(const char *line, bool (*match)(const char *const *words, size_t n));

/* Whether the line is one simple command in plain words, so that words can be appended. */
bool command_line_is_plain(const char *line);

/* The line with `options` after each PROGRAM, or, if `word` is not NULL, after each PROGRAM WORD in
 * plain words; in the arena. */
const char *command_line_with(const char *line, const char *program, const char *word,
	const char *options, struct arena *arena);

/* Whether the line has a pipe. */
bool command_line_pipes(const char *line);

/* Whether the line has this word, or "WORD=...". */
bool command_line_has(const char *line, const char *word);

/* The module that `python -m MODULE` runs (with any flags before it), and its place; else NULL. */
const char *command_python_module(const char *const *words, size_t n, size_t *ret_at);

/* Whether a word is the program `name`, with or without a path before it. */
bool command_is(const char *word, const char *name);

/* Whether a word assigns to a variable of the environment, "NAME=VALUE". */
bool command_is_assignment(const char *word);

/* How many words only start another program, with their options; 0: none. */
size_t command_launcher_length(const char *const *words, size_t n);

/* A line that was built, in the arena; NULL: it is longer than a system takes. */
const char *command_bounded(const struct strbuf *line, struct arena *arena);

/* A word quoted for sh; in the arena. */
const char *command_quote(const char *word, struct arena *arena);
