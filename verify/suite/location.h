/* Places in the tree that a line of output names. */
#pragma once
#include <stdbool.h>
#include <stddef.h>

struct location {
	char file[512]; /* relative to the tree; "": none found */
	int line;
};

/* The place of n bytes of path and a line, if it is a file of the tree and not of a package that is
 * installed there. `dir` is the tree's root as the program saw it, or NULL. */
bool location_set(
	struct location *location, const char *dir, const char *path, size_t n, long line);

/* The first place that a line names: Python's `File "x", line 3`, or `x:3` anywhere in it. */
bool location_find(struct location *location, const char *dir, const char *text);

/* As location_find, for a line that begins with `path:3:`. */
bool location_at_start(struct location *location, const char *dir, const char *text);

/* n bytes of path, relative to `dir` if they are below it. */
const char *location_relative(const char *dir, const char *path, size_t *n);

/* Copy text into a buffer of `size` bytes, cut between two characters if it is too long. */
void text_copy(char *to, size_t size, const char *text);

/* Append text, after `between` if the buffer has text already. */
void text_append(char *to, size_t size, const char *between, const char *text);
