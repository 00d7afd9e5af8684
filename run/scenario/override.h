/* -s team.max_turns=8: one key of a file, given on the command line or by a program. Inside run/
 * only. */
#pragma once
#include <stddef.h>

#include "run/scenario/yaml.h"

struct option_strings;

/* Put each "a.b=value" into the tree; the value is read as YAML. What is no such text becomes a
 * problem. */
void override_all(struct yaml_node *root, const struct option_strings *overrides,
	struct arena *arena, struct problems *problems);

/* The value under the key, made where there is none. */
struct yaml_node *override_child(
	struct yaml_node *map, const char *key, const char *origin, struct arena *arena);

/* The value under "a.b", the first n bytes of `keys`. NULL, and a problem, where what should hold
 * it is no section. */
struct yaml_node *override_find(struct yaml_node *root, const char *keys, size_t n,
	const char *origin, struct arena *arena, struct problems *problems);

/* Put a value in the place of another one. */
void override_replace(struct yaml_node *node, const struct yaml_node *value);

/* Whether the first n bytes are keys with dots between them, none of them empty. */
bool override_is_path(const char *keys, size_t n);
