/* The edits of a search that got further than all before them: what is left to show where nothing passes. Beside repair.c. */
#pragma once
#include "chat/candidates.h"

enum { PARTS_MOST = 3 };

/* Outlives the search that found it. */
struct part {
	size_t fixed;
	const char *description, *edit; /* the edit as JSON */
};

struct parts {
	struct part items[PARTS_MOST]; /* the furthest last */
	size_t n;
};

void parts_add(struct parts *parts, const struct edit *edit, size_t fixed, struct arena *arena);

/* The furthest first, each with "of" how many tests it fixed. */
void parts_tell(const struct parts *parts, size_t goal, struct json *array);

/* NULL where there are none. */
struct json *parts_save(const struct parts *parts);
void parts_load(struct parts *parts, const struct json *from, struct arena *arena);
