/* Files of other programs that say who speaks, and are no scenario: what they are, and why not. */
#include <string.h>

#include "base/memory.h"
#include "run/scenario/reader.h"

/* By the value of `kind`, with which the files of Microsoft's Agent Framework begin. */
static const struct {
	const char *kind, *why;
} framework_kinds[] = {
	{"Prompt",
		"it is one agent and no team. Its 'instructions' belong to an agent of type coder in "
		"'agents', its model into 'models'; 'team' says who speaks when"},
	{"Workflow",
		"its actions branch, loop and call what a round-robin chat cannot. Its agents can "
		"be written into 'agents', and 'team' says who speaks when"},
	{"hosted",
		"it says where an agent is deployed, and neither what it is told nor who speaks. "
		"What that agent is told belongs into 'agents', its model into 'models'"},
};

static const char *framework_why(const struct yaml_node *kind)
{
	for (size_t i = 0; i < ARRAY_SIZE(framework_kinds); i++)
		if (strcmp(framework_kinds[i].kind, kind->text) == 0)
			return framework_kinds[i].why;
	return NULL;
}

/* AG2's OAI_CONFIG_LIST. */
static bool is_config_list(const struct yaml_node *root)
{
	return root->kind == YAML_LIST && root->first && root->first->kind == YAML_MAP &&
		yaml_find(root->first, "model");
}

const char *foreign_file(const struct yaml_node *root, struct arena *arena)
{
	const struct yaml_node *kind = root->kind == YAML_MAP ? yaml_find(root, "kind") : NULL;
	const char *why = kind && kind->kind == YAML_SCALAR ? framework_why(kind) : NULL;
	if (why)
		return arena_printf(arena,
			"this is of kind %s of Microsoft's Agent Framework, and no scenario: %s", kind->text,
			why);
	if (is_config_list(root))
		return "this is a list of models for AG2, and no scenario: 'models: {NAME: openai/MODEL}' "
			   "in a scenario names a model, and its key comes from the environment or .env";
	return NULL;
}
