/* From strings to pointers, in an arena. Keys are borrowed: they must live as long as the map. */
#pragma once
#include "base/arena.h"

struct map {
	struct map_slot *slots;
	size_t n, capacity; /* capacity: 0 or a power of two */
};

/* What stands under `key`, or NULL. */
void *map_get(const struct map *map, const char *key);

/* Put a value (not NULL) under `key`, replacing what stood there. */
void map_put(struct map *map, struct arena *arena, const char *key, void *value);

/* Make room at once for n keys in a map that has none yet: one that grows leaves its smaller tables
 * in the arena. */
void map_reserve(struct map *map, struct arena *arena, size_t n);

/* The same for keys of n bytes, which no NUL ends. A string is the key of its bytes. */
void *map_get_bytes(const struct map *map, const char *key, size_t n);
void map_put_bytes(struct map *map, struct arena *arena, const char *key, size_t n, void *value);
