/*
 * Places in the tree that a line of output names. `dir` is the tree's root as the program saw it,
 * or NULL. Where the program did not start at the root, LOCATION_FROM and that directory follow,
 * as in "/home/me/shop/./app": relative paths start there.
 */
#pragma once
#include <stdbool.h>
#include <stddef.h>

#define LOCATION_FROM "/./"

struct location {
	char file[512]; /* relative to the tree; "": none found */
	int line;
};

/* How many bytes of `dir` are the tree's root. */
size_t location_root_length(const char *dir);

/* The place of n bytes of path and a line, if it is a file of the tree and not of a package that is
 * installed there. */
bool location_set(
	struct location *location, const char *dir, const char *path, size_t n, long line);

/* The first place that a line names: Python's `File "x", line 3`, or `x:3` anywhere in it. */
bool location_find(struct location *location, const char *dir, const char *text);

/* As location_find, for a line that begins with `path:3:`. */
bool location_at_start(struct location *location, const char *dir, const char *text);

/* n bytes of path, relative to the root if they are an absolute path below it; else as they are. */
const char *location_relative(const char *dir, const char *path, size_t *n);

/* Copy text into a buffer of `size` bytes, cut between two characters if it is too long. */
void text_copy(char *to, size_t size, const char *text);

/* Append text, after `between` if the buffer has text already. */
void text_append(char *to, size_t size, const char *between, const char *text);
