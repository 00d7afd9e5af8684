#include "run/override.h"

#include <string.h>

#include "base/option.h"

/* The map under `key`, made where there is none. */
static struct yaml_node *descend(struct yaml_node *map, const char *key, const char *origin, struct arena *arena)
{
	struct yaml_node *node = yaml_find(map, key);
	if (node)
		return node;
	node = arena_alloc(arena, sizeof *node);
	*node = (struct yaml_node){.kind = YAML_MAP, .key = key, .origin = origin};
	if (map->last)
		map->last->next = node;
	else
		map->first = node;
	map->last = node;
	return node;
}

/* Take over what was read, but for its place among its neighbours. */
static void replace(struct yaml_node *node, const struct yaml_node *value)
{
	struct yaml_node copy = *value;
	copy.key = node->key;
	copy.next = node->next;
	*node = copy;
}

/* What came from the command line has no line in any file. */
static void forget_places(struct yaml_node *node)
{
	node->line = node->column = node->key_line = node->key_column = 0;
	for (struct yaml_node *child = node->first; child; child = child->next)
		forget_places(child);
}

/* No part of it is empty. */
static bool is_setting(const char *text, const char *equals)
{
	if (!equals || !equals[1])
		return false;
	for (const char *at = text; at < equals; at += strcspn(at, ".=") + 1)
		if (strchr(".=", *at))
			return false;
	return text[0] != '=' && equals[-1] != '.';
}

static void override_one(struct yaml_node *root, const char *text, struct arena *arena, struct problems *problems)
{
	const char *origin = arena_printf(arena, "-s %s", text), *equals = strchr(text, '=');
	if (!is_setting(text, equals)) {
		problems_add(problems, origin, 0, 0, "a setting is given as KEY.KEY=VALUE");
		return;
	}
	struct yaml_node *value = yaml_read(equals + 1, strlen(equals + 1), origin, arena, problems);
	if (!value)
		return;
	struct yaml_node *node = root;
	for (const char *at = text; at < equals; at++) {
		size_t n = strcspn(at, ".=");
		if (node->kind != YAML_MAP) {
			problems_add(problems, origin, 0, 0, "%s is no section of keys", node->key);
			return;
		}
		node = descend(node, arena_strndup(arena, at, n), origin, arena);
		at += n;
	}
	forget_places(value);
	replace(node, value);
}

void override_all(struct yaml_node *root, const struct option_strings *overrides, struct arena *arena,
	struct problems *problems)
{
	for (size_t i = 0; i < overrides->n; i++)
		override_one(root, overrides->items[i], arena, problems);
}
