/* Options by JSON: what the command line can be told, a tool can be told by the same names. */
#include <string.h>

#include "base/memory.h"
#include "run/mcp/mcp.h"

/* What an option takes: its own row, or that of the key which it sets. */
static const struct option *arguments_meaning(const struct option *option)
{
	return option->key ? run_config_key(option->key) : option;
}

static bool arguments_is_list(const struct option *meaning)
{
	return meaning->kind == OPTION_STRINGS;
}

/* --- Schema --- */

static void arguments_add_type(struct json *to, const struct option *meaning)
{
	static const char *const types[OPTION_KINDS] = {
		[OPTION_BOOL] = "boolean",
		[OPTION_INT] = "integer",
		[OPTION_STRINGS] = "array",
	};
	const char *type = types[meaning->kind];
	json_add_string(to, "type", type ? type : "string");
	if (meaning->kind == OPTION_DURATION)
		json_add_string(to, "pattern", "^[0-9]+(\\.[0-9]+)?(ms|s|m|h|d)?$");
	if (meaning->kind == OPTION_INT && meaning->most > 0)
		json_add_number(to, "minimum", meaning->least);
	struct json *values = meaning->kind == OPTION_ENUM ? json_add_array(to, "enum") : NULL;
	for (const char *const *value = meaning->values; values && *value; value++)
		json_add_string(values, NULL, *value);
	if (arguments_is_list(meaning))
		json_add_string(json_add_object(to, "items"), "type", "string");
}

void arguments_describe(const struct option *options, struct json *schema)
{
	json_add_string(schema, "type", "object");
	struct json *properties = json_add_object(schema, "properties");
	for (const struct option *option = options; option->name; option++) {
		const struct option *meaning = arguments_meaning(option);
		struct json *property = json_add_object(properties, option->name);
		arguments_add_type(property, meaning);
		json_add_string(property, "description", option->help ? option->help : meaning->help);
	}
	json_add_bool(schema, "additionalProperties", false);
}

/* --- Reading --- */

/* A key of the configuration is only read when the run begins: what is wrong is said now. */
static int arguments_check(const struct option *option, const char *text, struct rondo_error *err)
{
	AUTO_ARENA arena = ARENA_INIT;
	struct option checked = *arguments_meaning(option);
	union {
		int64_t number;
		void *pointer;
		struct option_strings strings;
		struct option_settings settings;
	} state;
	memset(&state, 0, sizeof state); /* {0} is for its first member alone */
	checked.name = option->name;
	checked.offset = 0;
	return option_set(&checked, &state, &arena, text, err);
}

static int arguments_set(const struct option *option, const struct json *value, void *state,
	struct arena *arena, struct rondo_error *err)
{
	bool is_structured = json_is_object(value) || json_is_array(value);
	const char *text = is_structured ? NULL : json_text(value, json_print_in(value, arena));
	if (!text)
		return error_set(err, RONDO_ERROR_USAGE, "'%s' must be %s", option->name,
			option_meaning(arguments_meaning(option), arena));
	if (!*text)
		return error_set(err, RONDO_ERROR_USAGE, "'%s' is empty: leave it out", option->name);
	if (arguments_check(option, text, err) < 0)
		return -1;
	return option_set(option, state, arena, text, err);
}

int arguments_read(const struct option *options, const struct json *arguments, void *state,
	struct arena *arena, struct rondo_error *err)
{
	option_defaults(options, state, arena);
	for (const struct json *item = json_first(arguments); item; item = json_next(item)) {
		const struct option *option = option_find(options, json_key(item), "argument", err);
		if (!option)
			return -1;
		bool is_list = json_is_array(item) && arguments_is_list(arguments_meaning(option));
		if (!is_list && !json_is_null(item) && arguments_set(option, item, state, arena, err) < 0)
			return -1;
		for (const struct json *one = is_list ? json_first(item) : NULL; one; one = json_next(one))
			if (arguments_set(option, one, state, arena, err) < 0)
				return -1;
	}
	return 0;
}
