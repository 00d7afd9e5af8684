#include "run/scenario/reader.h"

#include <string.h>

#include "base/file.h"
#include "base/memory.h"
#include "base/utf8.h"
#include "run/scenario/scenario.h"

#define LARGEST_TEXT ((size_t)1 << 20)

bool reader_is_nothing(const struct yaml_node *node)
{
	return node->kind == YAML_SCALAR && node->plain &&
		(!*node->text || strcmp(node->text, "null") == 0 || strcmp(node->text, "~") == 0);
}

bool reader_may_stand_for(const struct option *option, const struct yaml_node *node)
{
	bool takes_list = option->kind == OPTION_STRINGS || option->kind == OPTION_REFS ||
		option->kind == OPTION_CHILDREN;
	if (node->kind ==
		YAML_MAP) /* the thing itself, or the section that holds it under the option's name */
		return option->kind == OPTION_CHILD && !yaml_find(node, option->name);
	return node->kind == YAML_SCALAR ? !reader_is_nothing(node)
									 : node->kind == YAML_LIST && takes_list;
}

static const char *describe(const struct yaml_node *node, struct arena *arena)
{
	if (node->kind == YAML_SCALAR)
		return reader_is_nothing(node) ? "nothing" : arena_printf(arena, "'%s'", node->text);
	return node->kind == YAML_LIST ? "a list" : "a section of keys";
}

void reader_wrong_kind(
	struct reader *reader, const struct yaml_node *node, const char *name, const char *meant)
{
	problems_add(reader->problems, node->place, "%s must be %s, found %s", name, meant,
		describe(node, reader->arena));
}

/* NULL: a parameter in it has no value. */
static const char *fill(struct reader *reader, const struct yaml_node *node)
{
	if (!reader->parameters || node->literal)
		return node->text;
	const char *text = parameters_fill(reader->parameters, node, reader->arena, reader->problems);
	reader->n_lacking += !text;
	return text;
}

/* Whether the node is a text; else that is reported. */
static bool want_text(
	struct reader *reader, const struct yaml_node *node, const char *name, const char *meant)
{
	if (node->kind == YAML_SCALAR && !reader_is_nothing(node))
		return true;
	reader_wrong_kind(reader, node, name, meant);
	return false;
}

static void set_text(struct reader *reader, const struct option *option, void *state,
	const struct yaml_node *node, const char *text)
{
	struct rondo_error err;
	if (text && option_set(option, state, reader->arena, text, &err) < 0)
		problems_add(reader->problems, node->place, "%s", err.message);
}

/* {file: PATH}: the file's text, as it is. */
static void read_text_file(
	struct reader *reader, const struct option *option, void *state, const struct yaml_node *node)
{
	struct rondo_error err;
	AUTO_STRBUF text = STRBUF_INIT(LARGEST_TEXT);
	const struct yaml_node *file = node->first;
	if (!file || file->next || strcmp(file->key, "file") != 0 || !reader->dir) {
		reader_wrong_kind(
			reader, node, option->name, reader->dir ? "a text or {file: PATH}" : "a text");
		return;
	}
	if (!want_text(reader, file, "file", "a path"))
		return;
	const char *name = fill(reader, file);
	if (!name)
		return;
	const char *path =
		*name == '/' ? name : arena_printf(reader->arena, "%s/%s", reader->dir, name);
	if (file_read(path, LARGEST_TEXT, &text, &err) < 0)
		problems_add(reader->problems, file->place, "%s", err.message);
	else if (utf8_valid_length(text.text, text.length) != text.length)
		problems_add(reader->problems, file->place, "'%s' is no UTF-8 text", path);
	else
		set_text(reader, option, state, file, text.text);
}

static void read_scalar(
	struct reader *reader, const struct option *option, void *state, const struct yaml_node *node)
{
	if (option->kind == OPTION_REF)
		((struct option_ref *)(void *)((char *)state + option->offset))->place = node->place;
	if (option->from_file && node->kind == YAML_MAP)
		read_text_file(reader, option, state, node);
	else if (want_text(reader, node, option->name, option_meaning(option, reader->arena)))
		set_text(reader, option, state, node, fill(reader, node));
}

void reader_check_given(
	struct reader *reader, const struct option *option, const struct yaml_node *node)
{
	if (option->required && !node->first)
		problems_add(reader->problems, node->place, "%s must not be empty", option->name);
}

static void add_ref(struct reader *reader, struct option_refs *refs, const struct yaml_node *node)
{
	struct option_ref ref = {.name = fill(reader, node), .place = node->place};
	if (ref.name)
		ARENA_PUSH(reader->arena, refs->items, refs->n, ref);
}

static void add_item(
	struct reader *reader, const struct option *option, void *state, const struct yaml_node *node)
{
	if (option->kind == OPTION_REFS)
		add_ref(reader, (void *)((char *)state + option->offset), node);
	else
		set_text(reader, option, state, node, fill(reader, node));
}

/* A list of texts or names; a bare one is a list of one. */
static void read_list(
	struct reader *reader, const struct option *option, void *state, const struct yaml_node *node)
{
	bool refs = option->kind == OPTION_REFS;
	void *member = (char *)state + option->offset;
	if (refs)
		*(struct option_refs *)member = (struct option_refs){0};
	else if (!reader->repository) /* its list is added to what an earlier file gave */
		*(struct option_strings *)member = (struct option_strings){0};
	const char *each = arena_printf(reader->arena, "each of %s", option->name);
	if (node->kind != YAML_LIST) {
		const char *meant = refs ? "a list of names" : option_meaning(option, reader->arena);
		if (want_text(reader, node, option->name, meant))
			add_item(reader, option, state, node);
		return;
	}
	for (const struct yaml_node *item = node->first; item; item = item->next)
		if (want_text(reader, item, each, refs ? "a name" : "a text"))
			add_item(reader, option, state, item);
	reader_check_given(reader, option, node);
}

/* A text, or a file's where that is allowed. */
static void add_text(struct reader *reader, const struct option *option, struct option_texts *texts,
	const struct yaml_node *node)
{
	const char *name = arena_printf(reader->arena, "'%s' in %s", node->key, option->name);
	struct option one = {.name = name, .kind = OPTION_STRING, .from_file = option->from_file};
	const char *text = NULL;
	size_t n = texts->n;
	read_scalar(reader, &one, &text, node);
	while (n && strcmp(texts->names[n - 1], node->key) != 0)
		n--;
	if (text && n) {
		texts->items[n - 1] = text;
	} else if (text) {
		n = texts->n;
		ARENA_PUSH(reader->arena, texts->names, n, node->key);
		ARENA_PUSH(reader->arena, texts->items, texts->n, text);
	}
}

static void read_texts(struct reader *reader, const struct option *option,
	struct option_texts *texts, const struct yaml_node *node)
{
	if (!reader->may_lack) /* else these come to what is said already */
		*texts = (struct option_texts){0};
	if (node->kind != YAML_MAP) {
		reader_wrong_kind(reader, node, option->name, "texts by name");
		return;
	}
	for (const struct yaml_node *item = node->first; item; item = item->next)
		add_text(reader, option, texts, item);
}

static void read_section(
	struct reader *reader, const struct option *option, void *section, const struct yaml_node *node)
{
	const struct option *bare = option_main(option->table);
	const char *around = reader->section;
	reader->section = arena_printf(reader->arena, "%s%s.", around ? around : "", option->name);
	if (node->kind == YAML_MAP)
		reader_read(reader, option->table, section, node, option->name);
	else if (bare && reader_may_stand_for(bare, node))
		reader_value(reader, bare, section, node);
	else
		reader_wrong_kind(reader, node, option->name, "a section of keys");
	reader->section = around;
}

void reader_value(
	struct reader *reader, const struct option *option, void *state, const struct yaml_node *node)
{
	void *member = (char *)state + option->offset;
	struct origins *origins = reader->origins;
	if (reader->repository && !rights_allow(reader, option, state, node))
		return;
	if (origins && option->kind < OPTION_TEXTS) /* a section is where its first member is */
		ARENA_PUSH(reader->arena, origins->items, origins->n,
			(struct origin){.member = member, .place = node->place});
	if (option->kind == OPTION_STRINGS || option->kind == OPTION_REFS)
		read_list(reader, option, state, node);
	else if (option->kind == OPTION_TEXTS)
		read_texts(reader, option, member, node);
	else if (option->kind == OPTION_SECTION)
		read_section(reader, option, member, node);
	else if (option->family && option->kind != OPTION_REF)
		reader_things(reader, option, member, node);
	else
		read_scalar(reader, option, state, node);
}

/* Another word for the same key earlier in the map, or NULL. */
static const char *given_before(
	const struct option *option, const struct yaml_node *map, const struct yaml_node *key)
{
	for (const struct yaml_node *item = map->first; item != key; item = item->next)
		if (strcmp(item->key, key->key) != 0 && option_is_named(option, item->key))
			return item->key;
	return NULL;
}

/* The keys that one table allows here. */
static void reader_add_names(
	struct reader *reader, const struct option *table, const char ***names, size_t *n)
{
	for (const struct option *option = table; option && option->name; option++) {
		if (reader->repository && !rights_any(option))
			continue;
		ARENA_PUSH(reader->arena, *names, *n, option->name);
		for (const char *const *alias = option->aliases; alias && *alias; alias++)
			ARENA_PUSH(reader->arena, *names, *n, *alias);
	}
}

static void tell_unknown(struct reader *reader, const struct reader_part *parts, size_t n,
	const struct yaml_node *node, const char *what)
{
	const char **names = NULL;
	size_t n_names = 0;
	for (size_t i = 0; i < n; i++)
		reader_add_names(reader, parts[i].table, &names, &n_names);
	const char *where = what ? arena_printf(reader->arena, " in %s", what) : "";
	const char *removed = key_removed(node->key, names, n_names), *near = NULL, *home = NULL,
			   *foreign = reader->repository ? NULL : key_foreign(node->key);
	if (!foreign)
		near = text_nearest(node->key, names, n_names);
	if (!foreign && !near && !reader->repository)
		home = !what && option_named(scenario_keys, node->key)
			? "scenarios, and not of the configuration"
			: key_home(node->key, reader->arena);
	if (removed)
		problems_add(reader->problems, yaml_key_place(node), "key '%s'%s was removed: %s",
			node->key, where, removed);
	else
		problems_add(reader->problems, yaml_key_place(node), "unknown key '%s'%s%s%s%s%s%s%s%s",
			node->key, where, foreign ? ": " : "", foreign ? foreign : "",
			home ? "; it is a key of " : "", home ? home : "", TEXT_HINT(near));
}

static void read_key(struct reader *reader, const struct reader_part *parts, size_t n,
	const struct yaml_node *map, const struct yaml_node *node, const char *what)
{
	const struct option *option = NULL;
	size_t i = 0;
	while (i < n && !(option = option_named(parts[i].table, node->key)))
		i++;
	if (!option) {
		tell_unknown(reader, parts, n, node, what);
		return;
	}
	const char *before = given_before(option, map, node);
	if (before)
		problems_add(reader->problems, yaml_key_place(node),
			"'%s' is another word for '%s', which is given already", node->key, before);
	reader_value(reader, option, parts[i].state, node);
}

static bool has_key(const struct yaml_node *map, const struct option *option)
{
	for (const struct yaml_node *item = map->first; item; item = item->next)
		if (option_is_named(option, item->key))
			return true;
	return false;
}

void reader_keys(struct reader *reader, const struct reader_part *parts, size_t n,
	const struct yaml_node *map, const struct yaml_node *leave_out, const char *what)
{
	for (const struct yaml_node *node = map->first; node; node = node->next)
		if (node != leave_out)
			read_key(reader, parts, n, map, node, what);
}

void reader_required(struct reader *reader, const struct option *table, const struct yaml_node *map,
	const struct yaml_node *beside, const char *what)
{
	for (const struct option *option = table; option && option->name && !reader->may_lack; option++)
		if (option->required && !has_key(map, option) && !(beside && has_key(beside, option)))
			problems_add(reader->problems, map->place, "%s needs '%s': %s",
				what ? what : "the file", option->name, option->help);
}

void reader_parts(struct reader *reader, const struct reader_part *parts, size_t n,
	const struct yaml_node *map, const struct yaml_node *leave_out, const char *what)
{
	reader_keys(reader, parts, n, map, leave_out, what);
	for (size_t i = 0; i < n; i++)
		reader_required(reader, parts[i].table, map, NULL, what);
}

void reader_read(struct reader *reader, const struct option *table, void *state,
	const struct yaml_node *map, const char *what)
{
	if (map->kind != YAML_MAP)
		reader_wrong_kind(reader, map, what ? what : "the file", "a section of keys");
	else
		reader_parts(reader, &(struct reader_part){table, state}, 1, map, NULL, what);
}
