/* A thing as one word, "jupyter" or "docker/python:3", where its keys are needed. Inside run/
 * only. */
#pragma once
#include "run/scenario/yaml.h"

/* Make it the section that it stands for: {type: docker, image: "python:3"}. False: it is none. */
bool shorthand_open(
	struct yaml_node *node, const struct option_family *family, struct arena *arena);

/* Give a section another type, without the keys that this type does not have. */
void shorthand_set_type(struct yaml_node *node, const struct option_family *family,
	const char *type, const char *origin, struct arena *arena);
