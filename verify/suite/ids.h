/* Names that come again within a run: they get a number, so that ids are unique. */
#pragma once
#include "base/arena.h"
#include "base/map.h"

/* The name itself the first time, then "name (2)", "name (3)", where no test has that name; `seen`
 * knows them all, and it lies in the arena as the id does. */
const char *id_numbered(struct map *seen, const char *name, struct arena *arena);

/* How many of the n bytes of such an id are the name: all, or those before " (2)". */
size_t id_name_length(const char *id, size_t n);
