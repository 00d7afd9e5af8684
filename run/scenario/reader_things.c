/*
 * Things that have a type: agents, models, conditions. Each may be written as
 *
 *     {type: text_mention, text: DONE}     all keys in one section
 *     {text_mention: {text: DONE}}         the type as the key
 *     {text_mention: DONE}                 ... with its main option only
 *     text_mention                         with its defaults
 *     openai/gpt-5-mini                    a type and its main option
 */
#include <string.h>

#include "run/scenario/reader.h"
#include "run/scenario/scenario.h"

struct thing {
	const struct option_family *family;
	struct option_spec *spec;
	const char *what; /* in problems; NULL: by its type */
};

/* Without a name where the family has no such type. */
static struct option_type find_type(const struct option_family *family, const char *name)
{
	struct rondo_error ignored;
	return option_type_find(family, name, &ignored);
}

/* "agent 'coder'", "termination text_mention". */
static const char *describe(const struct reader *reader, const struct thing *thing)
{
	const char *noun = thing->family->noun;
	if (thing->what)
		return thing->what;
	if (!thing->family->type_key || !thing->spec->type.name)
		return noun;
	return arena_printf(reader->arena, "%s %s", noun, thing->spec->type.name);
}

/* The states of the type and of what all types of the family have, with their defaults; but what an
 * earlier file said of the same thing stays. */
static void give_type(struct reader *reader, const struct thing *thing, struct option_type type)
{
	struct option_spec *spec = thing->spec;
	if (!spec->common) {
		spec->common = arena_alloc(reader->arena, thing->family->common_size);
		if (thing->family->common)
			option_defaults(thing->family->common, spec->common, reader->arena);
	}
	if (spec->type.name && strcmp(spec->type.name, type.name) == 0) {
		reader->may_lack = reader->may_lack || reader->is_change;
		return;
	}
	spec->type = type;
	spec->state = arena_alloc(reader->arena, type.state_size);
	if (type.options)
		option_defaults(type.options, spec->state, reader->arena);
}

/* The type's section without a key in it: what is required is lacking. */
static void read_defaults(
	struct reader *reader, const struct thing *thing, const struct yaml_node *node)
{
	const struct yaml_node nothing = {.kind = YAML_MAP, .place = node->place};
	struct reader_part part = {thing->spec->type.options, thing->spec->state};
	reader_parts(reader, &part, 1, &nothing, NULL, describe(reader, thing));
}

/* A bare value in place of the type's section. */
static void read_main(
	struct reader *reader, const struct thing *thing, const struct yaml_node *node)
{
	const struct option *bare = reader_main(&thing->spec->type);
	const char *what = describe(reader, &(struct thing){thing->family, thing->spec, NULL});
	const char *meant = "a section of keys";
	if (bare && reader_may_stand_for(bare, node)) {
		reader_value(reader, bare, thing->spec->state, node);
		return;
	}
	if (!thing->spec->type.options) {
		problems_add(reader->problems, node->place, "%s takes no value; leave it empty", what);
		return;
	}
	if (bare)
		meant = arena_printf(reader->arena, "%s or %s", option_meaning(bare, reader->arena), meant);
	reader_wrong_kind(reader, node, what, meant);
}

/* "openai/gpt-5-mini": a type and its main option, or what the family says of such names. */
static bool read_slash(
	struct reader *reader, const struct thing *thing, const struct yaml_node *node)
{
	const char *slash = strchr(node->text, '/');
	if (!slash)
		return false;
	const char *prefix = arena_strndup(reader->arena, node->text, (size_t)(slash - node->text));
	struct option_type type = find_type(thing->family, prefix);
	struct yaml_node rest = *node;
	if (type.name)
		rest.text = slash + 1;
	else if (thing->family->of_slash)
		type = find_type(thing->family, thing->family->of_slash);
	if (!type.name)
		return false;
	give_type(reader, thing, type);
	read_main(reader, thing, &rest);
	return true;
}

static void read_bare(
	struct reader *reader, const struct thing *thing, const struct yaml_node *node)
{
	struct rondo_error err;
	if (!thing->family->type_key) {
		give_type(reader, thing, thing->family->type(0));
		read_main(reader, thing, node);
		return;
	}
	struct option_type type = find_type(thing->family, node->text);
	if (type.name) {
		give_type(reader, thing, type);
		read_defaults(reader, thing, node);
	} else if (!read_slash(reader, thing, node)) {
		option_type_find(thing->family,
			arena_strndup(reader->arena, node->text, strcspn(node->text, "/")), &err);
		problems_add(reader->problems, node->place, "%s", err.message);
	}
}

/* The key that names the type, or is one. */
static const struct yaml_node *type_node(
	const struct option_family *family, const struct yaml_node *map)
{
	const struct yaml_node *node = yaml_find(map, family->type_key);
	for (const struct yaml_node *item = map->first; item && !node; item = item->next)
		if (find_type(family, item->key).name)
			node = item;
	return node;
}

static void tell_missing_type(
	struct reader *reader, const struct thing *thing, const struct yaml_node *map)
{
	struct rondo_error err;
	struct option_type type;
	AUTO_STRBUF list = STRBUF_INIT(STRBUF_LINE);
	const struct yaml_node *only = map->first;
	if (only && !only->next && !thing->spec->name) {
		option_type_find(thing->family, only->key, &err);
		problems_add(reader->problems, yaml_key_place(only), "%s", err.message);
		return;
	}
	for (size_t i = 0; (type = thing->family->type(i)).name; i++)
		strbuf_addf(&list, "%s%s", i ? ", " : "", type.name);
	problems_add(reader->problems, map->place, "%s needs '%s': one of %s", describe(reader, thing),
		thing->family->type_key, list.text);
}

/* Whether a key may not stand beside that of the type, which becomes a problem. */
static bool is_odd(struct reader *reader, const struct thing *thing, const struct yaml_node *node,
	const struct yaml_node *type)
{
	const struct yaml_node *within = type->kind == YAML_MAP ? yaml_find(type, node->key) : NULL;
	if (find_type(thing->family, node->key).name)
		problems_add(reader->problems, yaml_key_place(node),
			"'%s' is a second %s beside '%s'; a section holds one", node->key, thing->family->noun,
			type->key);
	else if (within)
		problems_add(reader->problems, yaml_key_place(node),
			"key '%s' stands twice, also in line %d", node->key, within->key_line);
	else
		return false;
	return true;
}

/* What stands beside the type's key. */
static struct yaml_node *beside_type(struct reader *reader, const struct thing *thing,
	const struct yaml_node *map, const struct yaml_node *type)
{
	struct yaml_node *rest = arena_alloc(reader->arena, sizeof *rest), **end = &rest->first;
	*rest = *map;
	for (const struct yaml_node *item = map->first; item; item = item->next) {
		if (item == type || is_odd(reader, thing, item, type))
			continue;
		*end = arena_alloc(reader->arena, sizeof **end);
		**end = *item;
		end = &(*end)->next;
	}
	*end = NULL;
	return rest;
}

/* {text_mention: ...}: the type's own keys lie within; what all types have, within or beside. */
static void read_under_type(struct reader *reader, const struct thing *thing,
	const struct yaml_node *map, const struct yaml_node *node)
{
	struct reader_part parts[] = {{thing->family->common, thing->spec->common},
		{thing->spec->type.options, thing->spec->state}};
	const char *what = describe(reader, thing);
	const struct option *bare = reader_main(&thing->spec->type);
	bool is_section = node->kind == YAML_MAP && !(bare && reader_may_stand_for(bare, node));
	const struct yaml_node *beside = beside_type(reader, thing, map, node);
	reader_keys(reader, parts, 1, beside, NULL, what);
	reader_required(reader, thing->family->common, beside, is_section ? node : NULL, what);
	if (is_section) {
		reader_keys(reader, parts, 2, node, NULL, what);
		reader_required(reader, thing->spec->type.options, node, NULL, what);
	} else if (!reader_is_nothing(node)) {
		read_main(reader, thing, node);
	} else {
		read_defaults(reader, thing, node);
	}
}

static void read_map(struct reader *reader, const struct thing *thing, const struct yaml_node *map)
{
	const struct yaml_node *node = thing->family->type_key ? type_node(thing->family, map) : NULL;
	struct option_type type = {0};
	struct rondo_error err;
	if (!thing->family->type_key) {
		type = thing->family->type(0);
	} else if (!node && thing->spec->type.name) {
		type = thing->spec->type;
	} else if (!node && thing->family->fallback) {
		type = find_type(thing->family, thing->family->fallback);
	} else if (!node) {
		tell_missing_type(reader, thing, map);
		return;
	} else if (strcmp(node->key, thing->family->type_key) != 0) {
		give_type(reader, thing, find_type(thing->family, node->key));
		read_under_type(reader, thing, map, node);
		return;
	} else if (node->kind != YAML_SCALAR || reader_is_nothing(node)) {
		reader_wrong_kind(reader, node, thing->family->type_key, "a name");
		return;
	} else if (!(type = option_type_find(thing->family, node->text, &err)).name) {
		problems_add(reader->problems, node->place, "%s", err.message);
		return;
	}
	give_type(reader, thing, type);
	struct reader_part parts[] = {
		{type.options, thing->spec->state}, {thing->family->common, thing->spec->common}};
	reader_parts(reader, parts, 2, map, node, describe(reader, thing));
}

static void read_thing(
	struct reader *reader, const struct thing *thing, const struct yaml_node *node)
{
	size_t n_lacking = reader->n_lacking;
	bool may_lack = reader->may_lack;
	thing->spec->place = node->place;
	if (node->kind == YAML_MAP)
		read_map(reader, thing, node);
	else if (node->kind == YAML_SCALAR && !reader_is_nothing(node))
		read_bare(reader, thing, node);
	else
		reader_wrong_kind(reader, node, describe(reader, thing),
			thing->family->type_key ? "a name or a section of keys"
									: "a text or a section of keys");
	reader->may_lack = may_lack;
	thing->spec->lacks_value = reader->n_lacking > n_lacking;
}

static void add(struct reader *reader, const struct option *option, struct option_specs *specs,
	const struct yaml_node *node)
{
	struct option_spec spec = {.name = option->kind == OPTION_MAP ? node->key : NULL};
	struct option_spec *before = spec.name ? scenario_find(specs, spec.name) : NULL;
	struct thing thing = {option->family, &spec, NULL};
	if (before && reader->is_change && node->kind == YAML_MAP)
		spec = *before;
	if (spec.name)
		thing.what = arena_printf(reader->arena, "%s '%s'", option->family->noun, spec.name);
	read_thing(reader, &thing, node);
	/* One by name stays, although its type is wrong: others may speak of it. */
	if (before)
		*before = spec;
	else if (spec.type.name || spec.name)
		ARENA_PUSH(reader->arena, specs->items, specs->n, spec);
}

void reader_things(
	struct reader *reader, const struct option *option, void *member, const struct yaml_node *node)
{
	struct option_specs *specs = member;
	bool map = option->kind == OPTION_MAP;
	if (option->kind == OPTION_CHILD) {
		read_thing(reader, &(struct thing){option->family, member, option->family->noun}, node);
		return;
	}
	if (!map)
		*specs = (struct option_specs){0};
	if (map && node->kind != YAML_MAP) {
		reader_wrong_kind(reader, node, option->name, option_meaning(option, reader->arena));
		return;
	}
	if (!map && node->kind != YAML_LIST) {
		add(reader, option, specs, node);
		return;
	}
	for (const struct yaml_node *item = node->first; item; item = item->next)
		add(reader, option, specs, item);
	reader_check_given(reader, option, node);
}
