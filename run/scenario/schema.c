/*
 * JSON Schema (draft 2020-12) of scenario files, from the tables that read them: what this refuses,
 * rondo check refuses, too.
 */
#include <ctype.h>
#include <string.h>

#include "base/json/json.h"
#include "base/memory.h"
#include "run/run.h"
#include "run/scenario/reader.h"
#include "run/scenario/scenario.h"

/* What a parameter makes of a text is known only when it runs. */
#define TEMPLATE "\\{\\{ *[A-Za-z0-9_-]+ *\\}\\}"

static void describe(struct json *to, const struct option *option);

static void add_type(struct json *to, const char *type)
{
	json_add_string(to, "type", type);
}

static struct json *add_typed(struct json *any, const char *type)
{
	struct json *one = json_add_object(any, NULL);
	add_type(one, type);
	return one;
}

static void add_pattern(struct json *any, const char *pattern)
{
	json_add_string(add_typed(any, "string"), "pattern", pattern);
}

static void add_bool(struct json *to, const struct option *option)
{
	static const char *const words[] = {"true", "false"};
	(void)option;
	struct json *any = json_add_array(to, "anyOf");
	add_typed(any, "boolean");
	json_add_strings(json_add_object(any, NULL), "enum", words, ARRAY_SIZE(words));
	add_pattern(any, TEMPLATE);
}

static void add_number(struct json *to, const struct option *option)
{
	static const struct {
		const char *type, *pattern;
	} numbers[OPTION_KINDS] = {
		[OPTION_INT] = {"integer", "^-?[0-9]+(\\.0+)?$"},
		[OPTION_NUMBER] = {"number", "^-?[0-9]+(\\.[0-9]+)?$"},
		[OPTION_DURATION] = {"number", "^[0-9]+(\\.[0-9]+)?(ms|s|m|h|d)?$"},
		[OPTION_BYTES] = {"integer", "^[0-9]+(\\.[0-9]+)?[KMG]?$"},
		[OPTION_MONEY] = {"number", "^[0-9]+(\\.[0-9]+)?(USD)?$"},
	};
	struct json *any = json_add_array(to, "anyOf");
	struct json *number = add_typed(any, numbers[option->kind].type);
	bool in_units = option->kind == OPTION_DURATION || option->kind == OPTION_BYTES;
	if (in_units) /* a bound of 1 is one ms or byte, a number here perhaps seconds */
		json_add_number(number, option->least > 0 ? "exclusiveMinimum" : "minimum", 0);
	else
		json_add_number(number, "minimum", option->least);
	if (!in_units && option->most > 0)
		json_add_number(number, "maximum", option->most);
	add_pattern(any, numbers[option->kind].pattern);
	add_pattern(any, TEMPLATE);
}

/* "^(?:[Aa][Ll][Ll]|...)$": the values in letters of both cases. */
static void add_any_case(struct json *any, const struct option *option)
{
	AUTO_STRBUF pattern = STRBUF_INIT(STRBUF_LINE);
	for (const char *const *value = option->values; *value; value++) {
		strbuf_adds(&pattern, value == option->values ? "^(?:" : "|");
		for (const char *c = *value; *c; c++)
			strbuf_addf(&pattern, "[%c%c]", (toupper)(*c), (tolower)(*c));
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
	add_pattern(any, TEMPLATE);
}

/* Numbers and truth values without quotes are texts where a text is meant. */
static void add_scalar(struct json *to)
{
	static const char *const types[] = {"string", "number", "boolean"};
	json_add_strings(to, "type", types, ARRAY_SIZE(types));
}

static void add_text(struct json *to, const struct option *option)
{
	if (!option->from_file) {
		add_scalar(to);
		return;
	}
	struct json *any = json_add_array(to, "anyOf");
	add_scalar(json_add_object(any, NULL));
	struct json *file = add_typed(any, "object");
	add_type(json_add_object(json_add_object(file, "properties"), "file"), "string");
	json_add_string(json_add_array(file, "required"), NULL, "file");
	json_add_bool(file, "additionalProperties", false);
}

/* One of a list or map. */
static void add_one(struct json *to, const struct option *option)
{
	if (option->kind < OPTION_CHILD) {
		add_text(to, option);
		return;
	}
	AUTO_STRBUF path = STRBUF_INIT(STRBUF_LINE);
	strbuf_addf(&path, "#/$defs/%s", option->family->noun);
	json_add_string(to, "$ref", path.text);
}

/* One, or a list of them. */
static void add_list(struct json *to, const struct option *option)
{
	struct json *any = json_add_array(to, "anyOf");
	add_one(json_add_object(any, NULL), option);
	struct json *list = add_typed(any, "array");
	if (option->required)
		json_add_int(list, "minItems", 1);
	add_one(json_add_object(list, "items"), option);
}

static void add_by_name(struct json *to, const struct option *option)
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

static void add_required_name(struct json *any, const char *name)
{
	json_add_string(json_add_array(json_add_object(any, NULL), "required"), NULL, name);
}

/* Each by its name or another word for it. `type`: it may stand under the type's key as well; NULL:
 * there is no such key. */
static void add_required(struct json *all, const struct option *table, const char *type)
{
	for (const struct option *option = table; option && option->name; option++) {
		if (!option->required)
			continue;
		struct json *any = json_add_array(json_add_object(all, NULL), "anyOf");
		add_required_name(any, option->name);
		for (const char *const *alias = option->aliases; alias && *alias; alias++)
			add_required_name(any, *alias);
		if (!type)
			continue;
		struct json *under = json_add_object(json_add_object(any, NULL), "properties");
		struct json *section = json_add_object(under, type);
		add_type(section, "object");
		json_add_string(json_add_array(section, "required"), NULL, option->name);
	}
}

/* An object of these properties, the keys of two tables, and no further ones. `required`: one that
 * must be there, or NULL. `all`: what else must hold. Both objects are taken over. */
static void add_object(struct json *to, struct json *properties, const struct option *own,
	const struct option *common, const char *required, struct json *all)
{
	add_type(to, "object");
	add_properties(properties, own);
	add_properties(properties, common);
	json_add(to, "properties", properties);
	if (required)
		json_add_string(json_add_array(to, "required"), NULL, required);
	json_add_bool(to, "additionalProperties", false);
	if (json_count(all))
		json_add(to, "allOf", all);
	else
		json_free(all);
}

static void add_table(struct json *to, const struct option *table)
{
	struct json *all = json_array();
	add_required(all, table, NULL);
	add_object(to, json_object(), table, NULL, NULL, all);
}

static void add_section(struct json *to, const struct option *option)
{
	const struct option *bare = option_main(option->table);
	struct json *any = bare ? json_add_array(to, "anyOf") : NULL;
	add_table(bare ? json_add_object(any, NULL) : to, option->table);
	if (bare)
		describe(json_add_object(any, NULL), bare);
}

static void (*const describers[OPTION_KINDS])(struct json *to, const struct option *option) = {
	[OPTION_BOOL] = add_bool,
	[OPTION_INT] = add_number,
	[OPTION_NUMBER] = add_number,
	[OPTION_DURATION] = add_number,
	[OPTION_BYTES] = add_number,
	[OPTION_MONEY] = add_number,
	[OPTION_ENUM] = add_enum,
	[OPTION_STRING] = add_one,
	[OPTION_STRINGS] = add_list,
	[OPTION_TEXTS] = add_by_name,
	[OPTION_SECTION] = add_section,
	[OPTION_REF] = add_one,
	[OPTION_REFS] = add_list,
	[OPTION_CHILD] = add_one,
	[OPTION_CHILDREN] = add_list,
	[OPTION_MAP] = add_by_name,
};

static void describe(struct json *to, const struct option *option)
{
	json_add_string(to, "description", option->help);
	if (option->fallback)
		json_add_string(to, "default", option->fallback);
	describers[option->kind](to, option);
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
	struct json *to = json_add_object(any, NULL), *properties = json_object(), *all = json_array();
	bool is_default = family->fallback && strcmp(type.name, family->fallback) == 0;
	json_add_string(to, "description", type.summary);
	if (family->type_key)
		json_add_string(json_add_object(properties, family->type_key), "const", type.name);
	add_required(all, type.options, NULL);
	add_required(all, family->common, NULL);
	add_object(
		to, properties, type.options, family->common, is_default ? NULL : family->type_key, all);
}

/* What stands under the type's key: its section, with what all types of the family have; its main
 * value; or nothing. */
static void add_under_type(
	struct json *any, const struct option_family *family, struct option_type type)
{
	const struct option *bare = reader_main(&type);
	struct json *all = json_array();
	add_required(all, type.options, NULL);
	add_object(json_add_object(any, NULL), json_object(), type.options, family->common, NULL, all);
	if (bare)
		describe(json_add_object(any, NULL), bare);
	if (!has_required(type.options))
		add_typed(any, "null");
}

/* {text_mention: DONE}, {text_mention: {text: DONE}}, with what all types of the family have beside
 * it. */
static void add_short_form(
	struct json *any, const struct option_family *family, struct option_type type)
{
	struct json *properties = json_object(), *all = json_array();
	add_under_type(json_add_array(json_add_object(properties, type.name), "anyOf"), family, type);
	add_required(all, family->common, type.name);
	add_object(json_add_object(any, NULL), properties, NULL, family->common, type.name, all);
}

static void add_bare_names(struct json *any, const struct option_family *family)
{
	struct json *names = json_array();
	struct option_type type;
	for (size_t i = 0; (type = family->type(i)).name; i++) {
		if (!has_required(type.options))
			json_add_string(names, NULL, type.name);
		if (reader_main(&type)) {
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
		if (!run_families[i].family->only_named)
			add_family(definitions, run_families[i].family);
	return json_print_pretty(json);
}
