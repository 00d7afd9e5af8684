#include "run/scenario/reader.h"

#include <string.h>

static void add_texts(struct json *to, const char *key, const struct option_texts *texts)
{
	struct json *map = texts->n ? json_add_object(to, key) : NULL;
	for (size_t i = 0; i < texts->n; i++)
		json_add_string(map, texts->names[i], texts->items[i]);
}

static void add_refs(struct json *to, const char *key, const struct option_refs *refs)
{
	struct json *list = refs->n ? json_add_array(to, key) : NULL;
	for (size_t i = 0; i < refs->n; i++)
		json_add_string(list, NULL, refs->items[i].name);
}

/* In its long form: {type: ..., all its keys}. */
static void add_thing(struct json *to, const char *key, const struct option_family *family,
	const struct option_spec *spec)
{
	if (!spec->type.name)
		return;
	struct json *thing = json_add_object(to, key);
	if (family->type_key)
		json_add_string(thing, family->type_key, spec->type.name);
	if (spec->type.options && spec->state)
		writer_add(thing, spec->type.options, spec->state);
	if (family->common && spec->common)
		writer_add(thing, family->common, spec->common);
}

/* Parameters are left out: their values stand where their names did. */
static void add_things(
	struct json *to, const struct option *option, const struct option_specs *specs)
{
	bool map = option->kind == OPTION_MAP;
	if (!specs->n || option->family == &parameter_family)
		return;
	struct json *all = map ? json_add_object(to, option->name) : json_add_array(to, option->name);
	for (size_t i = 0; i < specs->n; i++)
		add_thing(all, map ? specs->items[i].name : NULL, option->family, &specs->items[i]);
}

static void add_section(struct json *to, const struct option *option, const void *member)
{
	struct json *section = json_object();
	writer_add(section, option->table, member);
	if (json_count(section))
		json_add(to, option->name, section);
	else
		json_free(section);
}

/* As the option reads it: a duration keeps its unit. */
static void add_text(struct json *to, const struct option *option, const void *state)
{
	AUTO_STRBUF text = STRBUF_INIT(STRBUF_TEXT);
	option_print(option, state, &text);
	bool zero = strcmp(text.text, "0") == 0 || strcmp(text.text, "0ms") == 0;
	if (text.length && (option->fallback || !zero))
		json_add_string(to, option->name, text.text);
}

static void add(struct json *to, const struct option *option, const void *state)
{
	const void *member = (const char *)state + option->offset;
	const struct option_strings *strings = member;
	switch (option->kind) {
	case OPTION_BOOL:
		json_add_bool(to, option->name, *(const bool *)member);
		break;
	case OPTION_INT:
		if (option->fallback || option->required || *(const int64_t *)member)
			json_add_int(to, option->name, *(const int64_t *)member);
		break;
	case OPTION_STRING:
		json_add_string(to, option->name, *(const char *const *)member);
		break;
	case OPTION_NUMBER:
	case OPTION_DURATION:
	case OPTION_BYTES:
	case OPTION_MONEY:
	case OPTION_ENUM:
	case OPTION_REF:
		add_text(to, option, state);
		break;
	case OPTION_STRINGS:
		if (strings->n)
			json_add_strings(to, option->name, strings->items, strings->n);
		break;
	case OPTION_TEXTS:
		add_texts(to, option->name, member);
		break;
	case OPTION_SECTION:
		add_section(to, option, member);
		break;
	case OPTION_REFS:
		add_refs(to, option->name, member);
		break;
	case OPTION_CHILD:
		add_thing(to, option->name, option->family, member);
		break;
	case OPTION_CHILDREN:
	case OPTION_MAP:
		add_things(to, option, member);
		break;
	case OPTION_SETTING:
	case OPTION_KINDS:
		break;
	}
}

void writer_add(struct json *to, const struct option *table, const void *state)
{
	for (const struct option *option = table; option->name; option++)
		add(to, option, state);
}
