/* What to do about a key that is not known where it stands: it was removed, it is another
 * program's, or it belongs elsewhere. */
#include <string.h>

#include "base/memory.h"
#include "run/scenario/reader.h"
#include "run/scenario/scenario.h"

enum { HOMES_MOST = 4, TYPES_MOST = 2 }; /* of more only the section is named */

/* Keys of earlier versions. Where `beside` is a key, `name` was one as well. */
static const struct {
	const char *name, *beside, *instead;
} removed_keys[] = {
	{"commands", "paths",
		"the text of a block does not show what it calls; limit what blocks can reach (a sandbox "
		"without network, "
		"'paths'), or have each one approved ('approval: COMMAND' or 'human_input_mode: ALWAYS' of "
		"an agent of type "
		"executor)"},
	{"setup", "on_dirty",
		"it is a key of its own, 'setup' at the top of the file; its commands have the network and "
		"run once, not in each checkout"},
};

/* What to use in place of a key that was removed, or NULL. `names`: the keys that there are. */
const char *key_removed(const char *key, const char *const *names, size_t n)
{
	for (size_t i = 0; i < ARRAY_SIZE(removed_keys); i++)
		for (size_t j = 0; j < n && strcmp(removed_keys[i].name, key) == 0; j++)
			if (strcmp(removed_keys[i].beside, names[j]) == 0)
				return removed_keys[i].instead;
	return NULL;
}

/* Keys of AutoGen and AG2 that are not keys here, and those of later versions. */
static const struct {
	const char *name, *instead;
} foreign_keys[] = {
	{"bind_dir", "leave it out: rondo finds where the engine sees the files ('tree')"},
	{"code_execution_config", "the section 'executor' says where code runs"},
	{"code_executors", "all agents of a team share the one 'executor'"},
	{"code_executor", "all agents of a team share the one 'executor'"},
	{"extra_volumes", "'read_only' of the executor shows more directories to programs"},
	{"init_command", "put it into the image, or into 'setup' at the top of the file"},
	{"is_termination_msg", "'termination: {text_mention: WORD}' of the team ends a chat"},
	{"termination_condition", "'termination' of the team ends a chat"},
	{"llm_config", "'model' of the agent names a model of the section 'models'"},
	{"model_client", "'model' of the agent names a model of the section 'models'"},
	{"max_consecutive_auto_reply", "'max_turns' of the team bounds a chat"},
	{"max_round", "'max_turns' of the team bounds a chat"},
	{"max_rounds", "'max_turns' of the team bounds a chat"},
	{"speaker_selection_method", "'type' of the team says who speaks; round_robin is the default"},
	{"default_auto_reply", "an executor without code to run says nothing"},
	{"tools", "agents call no tools; 'functions' are imported by the programs that they write"},
	{"working_directory", "'work_dir' of the executor says where blocks run"},
};

const char *key_foreign(const char *key)
{
	for (size_t i = 0; i < ARRAY_SIZE(foreign_keys); i++)
		if (strcmp(foreign_keys[i].name, key) == 0)
			return foreign_keys[i].instead;
	return NULL;
}

struct homes {
	struct strbuf list;
	size_t n;
};

static void home_add(struct homes *homes, const char *section, const struct option_type *type)
{
	if (homes->n++ >= HOMES_MOST)
		return;
	strbuf_addf(&homes->list, "%s%s", homes->list.length ? ", " : "", section);
	if (type)
		strbuf_addf(&homes->list, " (%s)", type->name);
}

static size_t home_count(const struct option_family *family, const char *key)
{
	struct option_type type;
	size_t n = 0;
	for (size_t i = 0; (type = family->type(i)).name; i++)
		n += type.options && option_named(type.options, key);
	return n;
}

/* What all types of a family have, or many, or else each that has it. */
static void home_look_in(struct homes *homes, const struct option *section,
	const struct option_family *family, const char *key)
{
	struct option_type type;
	bool is_common = family->common && option_named(family->common, key);
	if (is_common || (family->type_key && home_count(family, key) > TYPES_MOST)) {
		home_add(homes, section->name, NULL);
		return;
	}
	for (size_t i = 0; family->type_key && (type = family->type(i)).name; i++)
		if (type.options && option_named(type.options, key))
			home_add(homes, section->name, &type);
}

const char *key_home(const char *key, struct arena *arena)
{
	struct homes homes = {.list = STRBUF_INIT(STRBUF_LINE)};
	for (const struct option *section = scenario_keys; section->name; section++) {
		bool is_conditional = section->kind == OPTION_CHILDREN;
		if (strcmp(section->name, key) == 0)
			strbuf_addf(&homes.list, "%sthe top of the file", homes.n++ ? ", " : "");
		if (section->kind == OPTION_SECTION && option_named(section->table, key))
			home_add(&homes, section->name, NULL);
		else if (section->family && !is_conditional)
			home_look_in(&homes, section, section->family, key);
	}
	const char *list =
		homes.n && homes.n <= HOMES_MOST ? arena_strdup(arena, homes.list.text) : NULL;
	strbuf_release(&homes.list);
	return list;
}
