/*
 * Parameters of a scenario: declared with a type, given by -p name=value, put in where a text says
 * {{name}}. Inside run/ only.
 */
#pragma once
#include "base/option.h"
#include "run/scenario/yaml.h"

/* What fills the state of one. */
struct parameter {
	const char *type, *fallback, *description;
	bool required;
	struct option_strings choices;
	const char *value; /* NULL: none */
};

extern const struct option_family parameter_family;

/* Give values to what is declared, from "name=value" texts, else the defaults. What is missing (but
 * where that is allowed), not declared, or not of its type becomes a problem. */
void parameters_set(const struct option_specs *parameters, const struct option_strings *given,
	bool may_lack, struct arena *arena, struct problems *problems);

/* The node's text with every {{name}} replaced; in the arena. NULL where one has no value. A name
 * that is not declared becomes a problem. */
const char *parameters_fill(const struct option_specs *parameters, const struct yaml_node *node,
	struct arena *arena, struct problems *problems);
