/* The files of a tree, for detection: a sorted list of paths, and the directory to read them in. */
#pragma once
#include <stdbool.h>
#include <stddef.h>

#include "base/arena.h"

/* A file's text, in the arena; NULL: it cannot be read, is beyond a megabyte or not UTF-8. */
const char *listing_read(const char *dir, const char *path, struct arena *arena);

/* The first of these names (NULL-terminated) at the root, or NULL. */
const char *listing_first(const char *const *paths, size_t n, const char *const *names);

/* The paths below a directory of the tree, relative to it; in the arena. */
const char *const *listing_below(
	const char *const *paths, size_t n, const char *dir, struct arena *arena, size_t *ret_n);

/* Whether a text has a line that begins so. */
bool text_has_line(const char *text, const char *start);

/* What follows `start` in the first line that begins so; NULL: there is none. */
const char *text_line_after(const char *text, const char *start);
