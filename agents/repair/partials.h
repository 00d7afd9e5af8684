/*
 * The partial fixes of a search: edits that fixed more tests than all before them. Where nothing
 * passes, they are all that there is to show. Private to this folder.
 */
#pragma once
#include "chat/candidates.h"

enum { PARTIALS_MOST = 3 };

/* It outlives its search. */
struct partial {
	size_t fixed, of;               /* tests */
	const char *description, *edit; /* the edit as JSON */
};

struct partials {
	struct partial items[PARTIALS_MOST]; /* the furthest last */
	size_t n;
};

/* Add one that fixes so many tests of so many, unless it is there: a search that is repeated finds
 * the same again. */
void partials_add(struct partials *partials, const struct edit *edit, size_t fixed, size_t of,
	struct arena *arena);

/* Add them to a JSON array, the furthest first. */
void partials_describe(const struct partials *partials, struct json *array);

/* NULL: there are none. */
struct json *partials_save(const struct partials *partials);
void partials_load(struct partials *partials, const struct json *from, struct arena *arena);
