#include "run/scenario/shorthand.h"

#include <string.h>

static struct yaml_node *shorthand_scalar(
	const struct yaml_node *from, const char *key, const char *text, struct arena *arena)
{
	struct yaml_node *node = arena_alloc(arena, sizeof *node);
	*node = *from;
	node->key = key;
	node->text = text;
	node->next = NULL;
	return node;
}

bool shorthand_open(struct yaml_node *node, const struct option_family *family, struct arena *arena)
{
	struct rondo_error err;
	if (node->kind != YAML_SCALAR || !family->type_key || !*node->text)
		return false;
	const char *slash = strchr(node->text, '/'), *text = slash ? slash + 1 : NULL,
			   *name = slash ? arena_strndup(arena, node->text, (size_t)(slash - node->text))
							 : node->text;
	struct option_type type = option_type_find(family, name, &err);
	if (!type.name && slash && family->of_slash) {
		type = option_type_find(family, family->of_slash, &err);
		text = node->text;
	}
	const struct option *main = type.options ? option_main(type.options) : NULL;
	if (!type.name || (text && !main))
		return false;
	struct yaml_node word = *node;
	node->kind = YAML_MAP;
	node->first = node->last = NULL;
	yaml_append(node, shorthand_scalar(&word, family->type_key, type.name, arena));
	if (text)
		yaml_append(node, shorthand_scalar(&word, main->name, text, arena));
	return true;
}

void shorthand_set_type(struct yaml_node *node, const struct option_family *family,
	const char *type, const char *origin, struct arena *arena)
{
	struct rondo_error err;
	const struct yaml_node old = *node;
	const struct option *own = option_type_find(family, type, &err).options;
	node->kind = YAML_MAP;
	node->first = node->last = NULL;
	yaml_append(node,
		shorthand_scalar(&(struct yaml_node){.kind = YAML_SCALAR, .place.origin = origin},
			family->type_key, type, arena));
	for (struct yaml_node *item = old.kind == YAML_MAP ? old.first : NULL, *next; item;
		 item = next) {
		next = item->next;
		item->next = NULL;
		if ((family->common && option_named(family->common, item->key)) ||
			(own && option_named(own, item->key)))
			yaml_append(node, item);
	}
}
