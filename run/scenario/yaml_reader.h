/* A text that is being read into a tree, for yaml.c, yaml_json.c and yaml_fault.c. Inside
 * run/yaml*.c only. */
#pragma once
#include <yaml.h>

#include "base/map.h"
#include "run/scenario/yaml.h"

struct yaml_reader {
	const char *text, *end;
	const char *at;           /* the cursor: a byte, */
	size_t index;             /* how many characters stand before it, */
	struct option_place here; /* and where that is */
	struct arena *arena;
	struct problems *problems;
	size_t n_nodes;
	const char
		*not_json; /* where JSON may be meant: " (read as JSON: ...)", why it is none; else "" */
	yaml_parser_t parser;
};

/* Move the cursor by a character; or to a character, back as well. */
void yaml_step(struct yaml_reader *reader);
void yaml_seek(struct yaml_reader *reader, size_t index);

/* A node at the cursor. NULL, and a problem, where there are too many. */
struct yaml_node *yaml_node_new(struct yaml_reader *reader, enum yaml_kind kind);

/* A problem at the cursor, where a sign, one of & * ! %, begins something that is not read. */
void yaml_refuse_sign(struct yaml_reader *reader, char sign);

/* Append to a map, whose keys so far are in `keys`. A second value under a key is a problem; what
 * stands under no possible key (no scalar, too long, a merge) is one too, and stays out of the
 * tree. */
void yaml_put(struct yaml_reader *reader, struct map *keys, struct yaml_node *map,
	const struct yaml_node *key, struct yaml_node *value);

/* yaml_json.c: read the text as JSON. False, and nothing said, where it is none; else the tree, or
 * NULL. */
bool yaml_read_json(struct yaml_reader *reader, struct yaml_node **ret_root);

/* yaml_fault.c: add the error at which libyaml stopped. */
void yaml_add_fault(struct yaml_reader *reader);
