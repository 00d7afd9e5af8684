#include "run/scenario/override.h"

#include <string.h>

#include "run/scenario/scenario.h"
#include "run/scenario/shorthand.h"

/* One that was made is a section without a key. */
struct yaml_node *override_child(
	struct yaml_node *map, const char *key, const char *origin, struct arena *arena)
{
	struct yaml_node *node = yaml_find(map, key);
	if (node)
		return node;
	node = arena_alloc(arena, sizeof *node);
	*node = (struct yaml_node){.kind = YAML_MAP, .key = key, .place.origin = origin};
	yaml_append(map, node);
	return node;
}

struct yaml_node *override_find(struct yaml_node *root, const char *keys, size_t n,
	const char *origin, struct arena *arena, struct problems *problems)
{
	struct yaml_node *node = root;
	const struct option *section = NULL;
	for (const char *at = keys, *end = keys + n; at < end; at++) {
		const char *dot = memchr(at, '.', (size_t)(end - at));
		size_t length = dot ? (size_t)(dot - at) : (size_t)(end - at);
		if (node == root)
			section = option_named(scenario_keys, arena_strndup(arena, at, length));
		else if (section && section->family)
			shorthand_open(node, section->family, arena);
		if (node->kind != YAML_MAP) {
			problems_add(problems, place_whole(origin), "%s is no section of keys", node->key);
			return NULL;
		}
		node = override_child(node, arena_strndup(arena, at, length), origin, arena);
		at += length;
	}
	return node;
}

/* Take over what was read, but for its place among its neighbours. */
void override_replace(struct yaml_node *node, const struct yaml_node *value)
{
	struct yaml_node copy = *value;
	copy.key = node->key;
	copy.next = node->next;
	*node = copy;
}

/* What came from the command line has no line in any file. */
static void forget_places(struct yaml_node *node)
{
	node->place = place_whole(node->place.origin);
	node->key_line = node->key_column = 0;
	for (struct yaml_node *child = node->first; child; child = child->next)
		forget_places(child);
}

bool override_is_path(const char *keys, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (keys[i] == '.' && (i == 0 || keys[i - 1] == '.' || i == n - 1))
			return false;
	return n > 0;
}

static void override_one(
	struct yaml_node *root, const char *text, struct arena *arena, struct problems *problems)
{
	const char *origin = arena_printf(arena, "-s %s", text), *equals = strchr(text, '=');
	if (!equals || !override_is_path(text, (size_t)(equals - text))) {
		problems_add(problems, place_whole(origin), "a setting is given as KEY.KEY=VALUE");
		return;
	}
	const char *said = equals[1] ? equals + 1 : "''"; /* nothing is an empty text */
	struct yaml_node *value = yaml_read(said, strlen(said), origin, arena, problems), *node = NULL;
	if (value)
		node = override_find(root, text, (size_t)(equals - text), origin, arena, problems);
	if (!node)
		return;
	forget_places(value);
	override_replace(node, value);
}

void override_all(struct yaml_node *root, const struct option_strings *overrides,
	struct arena *arena, struct problems *problems)
{
	for (size_t i = 0; i < overrides->n; i++)
		override_one(root, overrides->items[i], arena, problems);
}
