/*
 * Edits as JSON: the call of a tool that a model writes into its text, or an object for each edit.
 * The names of their members are those of chat/edit_tagged.c.
 */
#include <string.h>

#include "base/json/json.h"
#include "base/memory.h"
#include "chat/edit_form.h"

/* Where a value's members are looked for, and what stands around them. */
struct json_edits {
	struct edit_reader *reader; /* NULL: edits are only counted */
	const char *where;
	size_t n;
};

static const char *json_edits_find(const struct json *object, enum edit_name name)
{
	const char *const *names = edit_names(name);
	for (size_t i = 0; names[i]; i++) {
		const char *text = json_string(object, names[i], NULL);
		if (text)
			return text;
	}
	return NULL;
}

static void json_edits_read(struct json_edits *edits, const struct json *value, const char *path);

/* The arguments of a call may be JSON within a string. */
static void json_edits_read_text(struct json_edits *edits, const char *text, const char *path)
{
	struct rondo_error err;
	AUTO_JSON *inner = *text == '{' ? json_parse(text, strlen(text), &err) : NULL;
	if (inner)
		json_edits_read(edits, inner, path);
}

static void json_edits_read_members(
	struct json_edits *edits, const struct json *value, const char *path)
{
	for (const struct json *item = json_first(value); item; item = json_next(item)) {
		const char *text = json_text(item, NULL);
		if (!text)
			json_edits_read(edits, item, path);
		else if (json_key(item) && strcmp(json_key(item), "arguments") == 0)
			json_edits_read_text(edits, text, path);
	}
}

static void json_edits_read(struct json_edits *edits, const struct json *value, const char *path)
{
	const char *named = json_edits_find(value, EDIT_NAME_PATH);
	const char *old = json_edits_find(value, EDIT_NAME_OLD);
	const char *new = json_edits_find(value, EDIT_NAME_NEW);
	const char *whole = json_edits_find(value, EDIT_NAME_WHOLE);
	path = named ? named : path;
	if (!path || !(old ? new : whole)) {
		json_edits_read_members(edits, value, path);
		return;
	}
	edits->n++;
	if (!edits->reader)
		return;
	struct arena *arena = edits->reader->arena;
	struct edit_step step = {.kind = old ? EDIT_REPLACE : EDIT_WHOLE,
		.path = arena_strdup(arena, path),
		.where = arena_printf(arena, "%s, edit %zu", edits->where, edits->n),
		.old = old ? arena_strdup(arena, old) : NULL,
		.text = arena_strdup(arena, old ? new : whole)};
	ARENA_PUSH(arena, edits->reader->steps, edits->reader->n, step);
}

static size_t json_edits_of(
	struct edit_reader *reader, const char *text, size_t n, const char *path, const char *where)
{
	struct rondo_error err;
	struct json_edits edits = {.reader = reader, .where = where};
	AUTO_JSON *value = json_parse(text, n, &err);
	if (value)
		json_edits_read(&edits, value, path);
	return edits.n;
}

/* Behind the bracket that closes the one that a text begins with; NULL: none does. `left`: how many
 * bytes may still be looked at. */
static const char *json_edits_end(const char *text, size_t *left)
{
	size_t depth = 0;
	bool in_string = false;
	for (; *text && *left; text++, --*left) {
		if (in_string && *text == '\\' && text[1])
			text++;
		else if (*text == '"')
			in_string = !in_string;
		else if (!in_string && strchr("{[", *text))
			depth++;
		else if (!in_string && strchr("}]", *text) && --depth == 0)
			return text + 1;
	}
	return NULL;
}

const char *edit_json_end(const char *line, size_t *left)
{
	const char *end = *line && strchr("{[", *line) ? json_edits_end(line, left) : NULL;
	return end && json_edits_of(NULL, line, (size_t)(end - line), NULL, NULL) ? end : NULL;
}

/* Of a block, which is looked at once. */
static const char *json_edits_end_in(const struct code_block *block)
{
	size_t all = SIZE_MAX;
	return edit_json_end(block->code, &all);
}

bool edit_is_json(const struct code_block *block)
{
	bool may_be = !*block->language || strcmp(block->language, "json") == 0;
	return may_be && json_edits_end_in(block);
}

void edit_read_json(
	struct edit_reader *reader, const struct code_block *block, const char *path, const char *where)
{
	const char *end = json_edits_end_in(block);
	json_edits_of(reader, block->code, (size_t)(end - block->code), path, where);
}
