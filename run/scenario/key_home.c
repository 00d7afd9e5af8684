/* Where a key belongs that stands in the wrong section. */
#include <string.h>

#include "run/scenario/reader.h"
#include "run/scenario/scenario.h"

enum { HOMES_MOST = 4 };

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

/* What all types of a family have, or else each that has it. */
static void home_look_in(struct homes *homes, const struct option *section,
	const struct option_family *family, const char *key)
{
	struct option_type type;
	if (family->common && option_named(family->common, key)) {
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
