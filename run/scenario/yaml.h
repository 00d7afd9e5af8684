/*
 * YAML, or JSON, as a small tree that keeps where everything stood, so that who reads it can name
 * line and column. Strict: anchors, aliases, tags, merge keys, directives and a second document are
 * refused; so is nesting deeper than 64, more than 1 MiB, more than 100,000 values.
 */
#pragma once
#include <stdbool.h>

#include "base/arena.h"
#include "run/scenario/problem.h"

enum yaml_kind { YAML_SCALAR, YAML_LIST, YAML_MAP };

struct yaml_node {
	enum yaml_kind kind;
	const char *text; /* of a scalar: valid UTF-8; "" where it is empty */
	bool literal;     /* given by a program: braces in it are text */
	bool plain;       /* a scalar without quotes that is no block: may mean true, null, a number */
	const char *key;  /* in a map */
	struct option_place place;             /* its origin is borrowed */
	const struct option_place *braces;     /* where each "{{" of the text stands, */
	size_t n_braces;                       /* as far as that is known */
	int key_line, key_column;              /* where the key stands */
	struct yaml_node *first, *last, *next; /* first and last of a list or map; the next beside it */
};

/* Where the node's key stands. */
static inline struct option_place yaml_key_place(const struct yaml_node *node)
{
	return (struct option_place){node->place.origin, node->key_line, node->key_column};
}

/* Read n bytes. Whatever is wrong is added to `problems`; the tree, in the arena, may still be
 * worth looking at. NULL, never without a problem, where there is none: no text, a syntax error, an
 * empty file, a limit. */
struct yaml_node *yaml_read(
	const char *text, size_t n, const char *origin, struct arena *arena, struct problems *problems);

/* The same of a file, whose path (borrowed) is the origin. What is no regular file is a problem. */
struct yaml_node *yaml_read_file(const char *path, struct arena *arena, struct problems *problems);

/* Libyaml's version, as it runs; static. */
const char *yaml_library_version(void);

/* The first value under `key`, or NULL. */
struct yaml_node *yaml_find(const struct yaml_node *map, const char *key);

/* Append to a list or map. */
void yaml_append(struct yaml_node *to, struct yaml_node *node);

/* A copy with all below it, which no change of the one or the other reaches; texts are shared. */
struct yaml_node *yaml_copy(const struct yaml_node *node, struct arena *arena);
