/*
 * The partial fixes of a search: the edits that got further than all before them. They are what is
 * left to show where nothing passes. Beside repair.c.
 */
#pragma once
#include "chat/candidates.h"

enum { PARTIALS_MOST = 3 };

/* Outlives the search that found it. */
struct partial {
	size_t fixed;
	const char *description, *edit; /* the edit as JSON */
};

struct partials {
	struct partial items[PARTIALS_MOST]; /* the furthest last */
	size_t n;
};

/* Add one; a search that is made again finds them again, in the same order. */
void partials_add(
	struct partials *partials, const struct edit *edit, size_t fixed, struct arena *arena);

/* The furthest first, each with "of" how many tests it fixed. */
void partials_describe(const struct partials *partials, size_t goal, struct json *array);

/* NULL where there are none. */
struct json *partials_save(const struct partials *partials);
void partials_load(struct partials *partials, const struct json *from, struct arena *arena);
