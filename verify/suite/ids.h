/* What ids are made of: repeated names within a run get a number, so that ids are unique; and what
 * may be another one in each run. */
#pragma once
#include "base/arena.h"
#include "base/map.h"

#include <stdbool.h>
#include <stdint.h>

/* The name itself the first time, then "name (2)", "name (3)", unless a test has that name. `seen`
 * holds them all; it and the id are in the arena. */
const char *id_numbered(struct map *seen, const char *name, struct arena *arena);

/* How many of the n bytes of such an id are the name: all, or those before " (2)". */
size_t id_name_length(const char *id, size_t n);

/* The id with "#" for each number, in base 10 or 16, and for the names of temporary files. What
 * stands before its parameters is its name and stays. In the arena. */
const char *id_mask(const char *id, struct arena *arena);

/* What stands before its parameters ("[...]"), in the arena; NULL: it has none. */
const char *id_stem(const char *id, struct arena *arena);

/* Whether it holds a time of that span, in milliseconds since 1970: as a time of day or a number of
 * seconds, or of smaller units. */
bool id_tells_time(const char *id, int64_t since_ms, int64_t until_ms);
