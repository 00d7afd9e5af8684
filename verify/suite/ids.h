/* Repeated names within a run get a number, so that ids are unique. */
#pragma once
#include "base/arena.h"
#include "base/map.h"

/* The name itself the first time, then "name (2)", "name (3)", unless a test has that name. `seen`
 * holds them all; it and the id are in the arena. */
const char *id_numbered(struct map *seen, const char *name, struct arena *arena);

/* How many of the n bytes of such an id are the name: all, or those before " (2)". */
size_t id_name_length(const char *id, size_t n);
