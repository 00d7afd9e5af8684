#include "agents/repair/partials.h"

#include <string.h>

#include "base/memory.h"

static bool partials_have(const struct partials *partials, const char *edit)
{
	for (size_t i = 0; i < partials->n; i++)
		if (strcmp(partials->items[i].edit, edit) == 0)
			return true;
	return false;
}

void partials_add(struct partials *partials, const struct edit *edit, size_t fixed, size_t of,
	struct arena *arena)
{
	AUTO_JSON *json = edit_to_json(edit);
	AUTO_FREE char *text = json_print(json);
	if (partials_have(partials, text))
		return;
	if (partials->n == PARTIALS_MOST)
		memmove(partials->items, partials->items + 1, --partials->n * sizeof *partials->items);
	partials->items[partials->n++] = (struct partial){.fixed = fixed,
		.of = of,
		.description = arena_strdup(arena, edit->description),
		.edit = arena_strdup(arena, text)};
}

static void partial_to_json(struct json *array, const struct partial *partial)
{
	struct json *item = json_add_object(array, NULL);
	json_add_int(item, "fixed", (int64_t)partial->fixed);
	json_add_int(item, "of", (int64_t)partial->of);
	json_add_string(item, "description", partial->description);
	json_add_raw(item, "edit", partial->edit);
}

void partials_describe(const struct partials *partials, struct json *array)
{
	for (size_t i = partials->n; i-- > 0;)
		partial_to_json(array, &partials->items[i]);
}

struct json *partials_save(const struct partials *partials)
{
	struct json *array = partials->n ? json_array() : NULL;
	for (size_t i = 0; i < partials->n; i++)
		partial_to_json(array, &partials->items[i]);
	return array;
}

void partials_load(struct partials *partials, const struct json *from, struct arena *arena)
{
	*partials = (struct partials){.n = 0};
	const struct json *item = json_first(from);
	for (; item && partials->n < PARTIALS_MOST; item = json_next(item)) {
		AUTO_FREE char *edit = json_get(item, "edit") ? json_print(json_get(item, "edit")) : NULL;
		if (edit)
			partials->items[partials->n++] = (struct partial){(size_t)json_int(item, "fixed", 0),
				(size_t)json_int(item, "of", 0),
				arena_strdup(arena, json_string(item, "description", "")),
				arena_strdup(arena, edit)};
	}
}
