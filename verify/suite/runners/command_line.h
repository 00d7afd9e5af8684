/* The words of a command line for sh, as far as it takes to see which runner it starts. */
#pragma once
#include <stdbool.h>
#include <stddef.h>

#include "base/arena.h"

/* In bytes: leaves room for the environment within the system's limit. */
enum { LONGEST_COMMAND = 100000 };

/* One simple command of a line, without the assignments and launchers (`env`) before it. */
struct simple_command {
	const char **words;
	size_t n;
};

/* The simple commands of a line, in order; in the arena. */
struct simple_command *command_line_split(const char *line, struct arena *arena, size_t *ret_n);

/* Whether any of them satisfies `match`. */
bool command_line_any(const char *line, bool (*match)(const char *const *words, size_t n));

/* Whether the line is one simple command in plain words, so that words can be put behind it. */
bool command_line_is_plain(const char *line);

/* The line with `options` behind each PROGRAM, or, where `word` is not NULL, behind each PROGRAM
 * WORD in plain words; in the arena. The line itself where there is none. */
const char *command_line_with(const char *line, const char *program, const char *word,
	const char *options, struct arena *arena);

/* Whether the line hands what a program prints to another one. */
bool command_line_pipes(const char *line);

/* Whether a word, or a word and "=" with something behind it, stands in the line. */
bool command_line_has(const char *line, const char *word);

/* The module that `python -m MODULE` runs (with any flags before it), and its place; else NULL. */
const char *command_python_module(const char *const *words, size_t n, size_t *ret_at);

/* Whether a word is the program `name`, with or without a path before it. */
bool command_is(const char *word, const char *name);

/* A word as sh takes it literally; in the arena, or the word itself. */
const char *command_quote(const char *word, struct arena *arena);
