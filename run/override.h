/* -s team.max_turns=8: one key of a file, given on the command line. Inside run/ only. */
#pragma once
#include "run/yaml.h"

struct option_strings;

/* Put each "a.b=value" into the tree; the value is read as YAML. What is no such text becomes a problem. */
void override_all(struct yaml_node *root, const struct option_strings *overrides, struct arena *arena,
	struct problems *problems);
