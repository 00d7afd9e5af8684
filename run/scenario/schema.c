/*
 * JSON Schema (draft 2020-12) of scenario files, from the tables that read them: what this refuses,
 * rondo check refuses, too.
 */
#include <ctype.h>
#include <string.h>

#include "base/json.h"
#include "base/memory.h"
#include "run/run.h"
#include "run/scenario/scenario.h"

#define TEMPLATE "\\{\\{ *[A-Za-z0-9_-]+ *\\}\\}"
#define WHOLE "^-?[0-9]+(\\.0+)?$"
#define NUMBER "^-?[0-9]+(\\.[0-9]+)?$"
#define DURATION "^[0-9]+(\\.[0-9]+)?(ms|s|m|h|d)?$"
#define BYTES "^[0-9]+(\\.[0-9]+)?[KMG]?$"
#define MONEY "^[0-9]+(\\.[0-9]+)?(USD)?$"

static void describe(struct json *to, const struct option *option);

static void add_type(struct json *to, const char *type)
{
	json_add_string(to, "type", type);
}

/* A value may be made by a parameter, which is known only when it runs. */
static void add_template(struct json *any)
{
	struct json *text = json_add_object(any, NULL);
	add_type(text, "string");
	json_add_string(text, "pattern", TEMPLATE);
}

static void add_pattern(struct json *any, const char *pattern)
{
	struct json *text = json_add_object(any, NULL);
	add_type(text, "string");
	json_add_string(text, "pattern", pattern);
}

static void add_number(
	struct json *to, const struct option *option, const char *type, const char *pattern)
{
	struct json *any = json_add_array(to, "anyOf");
	struct json *number = json_add_object(any, NULL);
	bool in_units = option->kind == OPTION_DURATION || option->kind == OPTION_BYTES;
	add_type(number, type);
	if (in_units) /* a bound of 1 is one ms or byte, a number here perhaps seconds */
		json_add_number(number, option->least > 0 ? "exclusiveMinimum" : "minimum", 0);
	else
		json_add_number(number, "minimum", option->least);
	if (!in_units && option->most > 0)
		json_add_number(number, "maximum", option->most);
	add_pattern(any, pattern);
	add_template(any);
}

static void add_letters(struct strbuf *pattern, const char *word)
{
	for (; *word; word++) {
		int upper = (toupper)((unsigned char)*word), lower = (tolower)((unsigned char)*word);
		strbuf_addf(pattern, "[%c%c]", upper, lower);
	}
}

/* "^(?:[Aa][Ll][Ll]|...)$": the values in letters of both cases. */
static void add_any_case(struct json *any, const struct option *option)
{
	AUTO_STRBUF pattern = STRBUF_INIT(STRBUF_LINE);
	for (const char *const *value = option->values; *value; value++) {
		strbuf_adds(&pattern, value == option->values ? "^(?:" : "|");
		add_letters(&pattern, *value);
	}
	strbuf_adds(&pattern, ")$");
	add_pattern(any, pattern.text);
}

static void add_enum(struct json *to, const struct option *option)
{
	struct json *any = json_add_array(to, "anyOf");
	struct json *values = json_add_array(json_add_object(any, NULL), "enum");
	for (const char *const *value = option->values; *value; value++)
		json_add_string(values, NULL, *value);
	if (option->any_case)
		add_any_case(any, option);
	add_template(any);
}

/* Numbers and truth values without quotes are texts where a text is meant. */
static void add_scalar(struct json *to)
{
	struct json *types = json_add_array(to, "type");
	json_add_string(types, NULL, "string");
	json_add_string(types, NULL, "number");
	json_add_string(types, NULL, "boolean");
}

static void add_text(struct json *to, const struct option *option)
{
	if (!option->from_file) {
		add_scalar(to);
		return;
	}
	struct json *any = json_add_array(to, "anyOf");
	add_scalar(json_add_object(any, NULL));
	struct json *file = json_add_object(any, NULL);
	add_type(file, "object");
	add_type(json_add_object(json_add_object(file, "properties"), "file"), "string");
	json_add_string(json_add_array(file, "required"), NULL, "file");
	json_add_bool(file, "additionalProperties", false);
}

/* One, or a list of them. `add_one` puts in what one is. */
static void add_list(struct json *to, const struct option *option,
	void (*add_one)(struct json *to, const struct option *option))
{
	struct json *any = json_add_array(to, "anyOf");
	add_one(json_add_object(any, NULL), option);
	struct json *list = json_add_object(any, NULL);
	add_type(list, "array");
	if (option->required)
		json_add_int(list, "minItems", 1);
	add_one(json_add_object(list, "items"), option);
}

static void add_plain(struct json *to, const struct option *option)
{
	(void)option;
	add_scalar(to);
}

static void add_thing(struct json *to, const struct option *option)
{
	AUTO_STRBUF path = STRBUF_INIT(STRBUF_LINE);
	strbuf_addf(&path, "#/$defs/%s", option->family->noun);
	json_add_string(to, "$ref", path.text);
}

static void add_by_name(struct json *to, const struct option *option,
	void (*add_one)(struct json *to, const struct option *option))
{
	add_type(to, "object");
	if (option->required)
		json_add_int(to, "minProperties", 1);
	add_one(json_add_object(to, "additionalProperties"), option);
}

/* --- Tables --- */

static void add_properties(struct json *properties, const struct option *table)
{
	for (const struct option *option = table; option && option->name; option++) {
		describe(json_add_object(properties, option->name), option);
		for (const char *const *alias = option->aliases; alias && *alias; alias++)
			describe(json_add_object(properties, *alias), option);
	}
}

/* Each by its name or another word for it. */
static void add_required(struct json *all, const struct option *table)
{
	for (const struct option *option = table; option && option->name; option++) {
		if (!option->required)
			continue;
		struct json *any = json_add_array(json_add_object(all, NULL), "anyOf");
		json_add_string(json_add_array(json_add_object(any, NULL), "required"), NULL, option->name);
		for (const char *const *alias = option->aliases; alias && *alias; alias++)
			json_add_string(json_add_array(json_add_object(any, NULL), "required"), NULL, *alias);
	}
}

/* Takes over what all must hold; an empty list is none. */
static void add_all(struct json *to, struct json *all)
{
	if (json_count(all))
		json_add(to, "allOf", all);
	else
		json_free(all);
}

static void add_table(struct json *to, const struct option *table)
{
	struct json *all = json_array();
	add_type(to, "object");
	add_properties(json_add_object(to, "properties"), table);
	json_add_bool(to, "additionalProperties", false);
	add_required(all, table);
	add_all(to, all);
}

static void add_section(struct json *to, const struct option *option)
{
	const struct option *bare = option_main(option->table);
	if (!bare) {
		add_table(to, option->table);
		return;
	}
	struct json *any = json_add_array(to, "anyOf");
	add_table(json_add_object(any, NULL), option->table);
	describe(json_add_object(any, NULL), bare);
}

static void describe(struct json *to, const struct option *option)
{
	json_add_string(to, "description", option->help);
	if (option->fallback)
		json_add_string(to, "default", option->fallback);
	switch (option->kind) {
	case OPTION_BOOL: {
		struct json *any = json_add_array(to, "anyOf");
		struct json *quoted;
		add_type(json_add_object(any, NULL), "boolean");
		quoted = json_add_array(json_add_object(any, NULL), "enum");
		json_add_string(quoted, NULL, "true");
		json_add_string(quoted, NULL, "false");
		add_template(any);
		break;
	}
	case OPTION_INT:
		add_number(to, option, "integer", WHOLE);
		break;
	case OPTION_NUMBER:
		add_number(to, option, "number", NUMBER);
		break;
	case OPTION_DURATION:
		add_number(to, option, "number", DURATION);
		break;
	case OPTION_BYTES:
		add_number(to, option, "integer", BYTES);
		break;
	case OPTION_MONEY:
		add_number(to, option, "number", MONEY);
		break;
	case OPTION_ENUM:
		add_enum(to, option);
		break;
	case OPTION_STRING:
	case OPTION_REF:
		add_text(to, option);
		break;
	case OPTION_STRINGS:
	case OPTION_REFS:
		add_list(to, option, add_plain);
		break;
	case OPTION_TEXTS:
		add_by_name(to, option, option->from_file ? add_text : add_plain);
		break;
	case OPTION_SECTION:
		add_section(to, option);
		break;
	case OPTION_CHILD:
		add_thing(to, option);
		break;
	case OPTION_CHILDREN:
		add_list(to, option, add_thing);
		break;
	case OPTION_MAP:
		add_by_name(to, option, add_thing);
		break;
	case OPTION_SETTING:
	case OPTION_KINDS:
		break;
	}
}

/* --- Families: each way in which run/scenario/reader_things.c reads one --- */

static bool has_required(const struct option *table)
{
	while (table && table->name && !table->required)
		table++;
	return table && table->name;
}

/* {type: text_mention, text: DONE} */
static void add_long_form(
	struct json *any, const struct option_family *family, struct option_type type)
{
	struct json *to = json_add_object(any, NULL), *properties;
	json_add_string(to, "description", type.summary);
	add_type(to, "object");
	properties = json_add_object(to, "properties");
	if (family->type_key) {
		json_add_string(json_add_object(properties, family->type_key), "const", type.name);
		if (!family->fallback || strcmp(type.name, family->fallback) != 0)
			json_add_string(json_add_array(to, "required"), NULL, family->type_key);
	}
	add_properties(properties, type.options);
	add_properties(properties, family->common);
	json_add_bool(to, "additionalProperties", false);
	struct json *all = json_array();
	add_required(all, type.options);
	add_required(all, family->common);
	add_all(to, all);
}

/* What lies under the type's key: its section, with what all types of the family have; its main
 * value; or nothing. */
static void add_under_type(
	struct json *any, const struct option_family *family, struct option_type type)
{
	const struct option *bare = type.options ? option_main(type.options) : NULL;
	struct json *section = json_add_object(any, NULL), *properties, *all = json_array();
	add_type(section, "object");
	properties = json_add_object(section, "properties");
	add_properties(properties, type.options);
	add_properties(properties, family->common);
	json_add_bool(section, "additionalProperties", false);
	add_required(all, type.options);
	add_all(section, all);
	if (bare)
		describe(json_add_object(any, NULL), bare);
	if (!has_required(type.options))
		add_type(json_add_object(any, NULL), "null");
}

/* What all types of the family require may stand beside the type's key or under it. */
static void add_required_beside(struct json *all, const struct option *common, const char *type)
{
	for (const struct option *option = common; option && option->name; option++) {
		if (!option->required)
			continue;
		struct json *any = json_add_array(json_add_object(all, NULL), "anyOf"), *section;
		json_add_string(json_add_array(json_add_object(any, NULL), "required"), NULL, option->name);
		section = json_add_object(json_add_object(json_add_object(any, NULL), "properties"), type);
		add_type(section, "object");
		json_add_string(json_add_array(section, "required"), NULL, option->name);
	}
}

/* {text_mention: DONE}, {text_mention: {text: DONE}}, with what all types of the family have beside
 * it. */
static void add_short_form(
	struct json *any, const struct option_family *family, struct option_type type)
{
	struct json *to = json_add_object(any, NULL), *properties, *all = json_array();
	add_type(to, "object");
	properties = json_add_object(to, "properties");
	add_under_type(json_add_array(json_add_object(properties, type.name), "anyOf"), family, type);
	add_properties(properties, family->common);
	json_add_string(json_add_array(to, "required"), NULL, type.name);
	json_add_bool(to, "additionalProperties", false);
	add_required_beside(all, family->common, type.name);
	add_all(to, all);
}

static void add_bare_names(struct json *any, const struct option_family *family)
{
	struct json *names = json_array();
	struct option_type type;
	for (size_t i = 0; (type = family->type(i)).name; i++) {
		if (!has_required(type.options))
			json_add_string(names, NULL, type.name);
		if (type.options && option_main(type.options)) {
			AUTO_STRBUF pattern = STRBUF_INIT(STRBUF_LINE);
			strbuf_addf(&pattern, "^%s/(.|\\n)", type.name);
			add_pattern(any, pattern.text);
		}
	}
	if (family->of_slash)
		add_pattern(any, "^[^/]+/(.|\\n)");
	if (json_count(names))
		json_add(json_add_object(any, NULL), "enum", names);
	else
		json_free(names);
}

static void add_family(struct json *definitions, const struct option_family *family)
{
	struct json *any = json_add_array(json_add_object(definitions, family->noun), "anyOf");
	struct option_type type;
	for (size_t i = 0; (type = family->type(i)).name; i++) {
		add_long_form(any, family, type);
		if (family->type_key)
			add_short_form(any, family, type);
		else if (option_main(type.options))
			describe(json_add_object(any, NULL), option_main(type.options));
	}
	if (family->type_key)
		add_bare_names(any, family);
}

char *run_schema(void)
{
	AUTO_JSON *json = json_object();
	json_add_string(json, "$schema", "https://json-schema.org/draft/2020-12/schema");
	json_add_string(json, "title", "rondo scenario");
	add_table(json, scenario_keys);
	struct json *definitions = json_add_object(json, "$defs");
	for (size_t i = 0; run_families[i].family; i++)
		add_family(definitions, run_families[i].family);
	return json_print_pretty(json);
}
