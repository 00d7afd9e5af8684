#include "base/map.h"

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

struct map_slot {
	const char *key;
	size_t n;
	void *value;
};

/* FNV-1a: short keys, no adversary worth more than a slow lookup. */
static uint64_t hash_of(const char *key, size_t n)
{
	uint64_t hash = 14695981039346656037U;
	for (size_t i = 0; i < n; i++)
		hash = (hash ^ (unsigned char)key[i]) * 1099511628211U;
	return hash;
}

static struct map_slot *slot_of(const struct map *map, const char *key, size_t n)
{
	size_t i = (size_t)hash_of(key, n) & (map->capacity - 1);
	for (; map->slots[i].key; i = (i + 1) & (map->capacity - 1))
		if (map->slots[i].n == n && memcmp(map->slots[i].key, key, n) == 0)
			break;
	return &map->slots[i];
}

void *map_get_bytes(const struct map *map, const char *key, size_t n)
{
	return map->capacity ? slot_of(map, key, n)->value : NULL;
}

/* Whether so many keys leave a quarter of the slots free. */
static bool has_room(const struct map *map, size_t n)
{
	return 4 * n <= 3 * map->capacity;
}

static void enlarge(struct map *map, struct arena *arena, size_t n)
{
	struct map larger = {.capacity = 16, .n = map->n};
	while (!has_room(&larger, n))
		larger.capacity *= 2;
	larger.slots = arena_alloc(arena, larger.capacity * sizeof *larger.slots);
	for (size_t i = 0; i < map->capacity; i++)
		if (map->slots[i].key)
			*slot_of(&larger, map->slots[i].key, map->slots[i].n) = map->slots[i];
	*map = larger;
}

void map_put_bytes(struct map *map, struct arena *arena, const char *key, size_t n, void *value)
{
	if (!has_room(map, map->n + 1))
		enlarge(map, arena, map->n + 1);
	struct map_slot *slot = slot_of(map, key, n);
	map->n += slot->key == NULL;
	*slot = (struct map_slot){key, n, value};
}

void map_reserve(struct map *map, struct arena *arena, size_t n)
{
	if (!has_room(map, n))
		enlarge(map, arena, n);
}

void *map_get(const struct map *map, const char *key)
{
	return map_get_bytes(map, key, strlen(key));
}

void map_put(struct map *map, struct arena *arena, const char *key, void *value)
{
	map_put_bytes(map, arena, key, strlen(key), value);
}
