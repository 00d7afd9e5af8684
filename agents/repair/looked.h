/* Where a search looked, for people: the lines that it suspects, in their order, and how many of
 * its candidates begin in each. Private to this folder. */
#pragma once
#include "agents/repair/search.h"

/* A candidate was taken. */
void looked_count(struct search *search, const struct candidate *candidate);

/* Add "places" ({path, line, text, tried}, the likeliest first) and "files" (their lines by path)
 * to an object; nothing where nothing is suspected. */
void looked_describe(const struct search *search, struct json *to);
