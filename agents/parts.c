#include "agents/parts.h"

#include <string.h>

#include "base/memory.h"

void parts_add(struct parts *parts, const struct edit *edit, size_t fixed, struct arena *arena)
{
	AUTO_JSON *json = edit_to_json(edit);
	AUTO_FREE char *text = json_print(json);
	if (parts->n == PARTS_MOST)
		memmove(parts->items, parts->items + 1, --parts->n * sizeof *parts->items);
	parts->items[parts->n++] = (struct part){fixed, arena_strdup(arena, edit->description), arena_strdup(arena, text)};
}

static struct json *add(struct json *array, const struct part *part)
{
	struct json *item = json_add_object(array, NULL);
	json_add_int(item, "fixed", (int64_t)part->fixed);
	json_add_string(item, "description", part->description);
	json_add_raw(item, "edit", part->edit);
	return item;
}

void parts_tell(const struct parts *parts, size_t goal, struct json *array)
{
	for (size_t i = parts->n; i-- > 0;)
		json_add_int(add(array, &parts->items[i]), "of", (int64_t)goal);
}

struct json *parts_save(const struct parts *parts)
{
	struct json *array = parts->n ? json_array() : NULL;
	for (size_t i = 0; i < parts->n; i++)
		add(array, &parts->items[i]);
	return array;
}

void parts_load(struct parts *parts, const struct json *from, struct arena *arena)
{
	*parts = (struct parts){.n = 0};
	for (const struct json *item = json_first(from); item && parts->n < PARTS_MOST; item = json_next(item)) {
		AUTO_FREE char *edit = json_get(item, "edit") ? json_print(json_get(item, "edit")) : NULL;
		parts->items[parts->n++] = (struct part){(size_t)json_int(item, "fixed", 0),
			arena_strdup(arena, json_string(item, "description", "")), arena_strdup(arena, edit)};
	}
}
