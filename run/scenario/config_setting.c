/* Options of the command line that stand for a key of the configuration. */
#include <string.h>

#include "run/run.h"
#include "run/scenario/config.h"

/* The option whose name is the first n bytes, or NULL. */
static const struct option *setting_find(const struct option *table, const char *name, size_t n)
{
	while (table->name && (strncmp(table->name, name, n) != 0 || table->name[n]))
		table++;
	return table->name ? table : NULL;
}

/* The option of a key such as "test.goal", and the place of the struct that it belongs to. */
static const struct option *setting_key(const char *key, size_t *ret_offset)
{
	size_t n = strcspn(key, ".="), offset = 0;
	const struct option *option = setting_find(config_own_keys, key, n);
	if (!option)
		option = setting_find(scenario_keys, key, n);
	while (option && key[n] == '.') {
		offset += option->offset;
		key += n + 1;
		n = strcspn(key, ".=");
		option = option->kind == OPTION_SECTION ? setting_find(option->table, key, n) : NULL;
	}
	*ret_offset = offset;
	return option;
}

const struct option *run_config_key(const char *key)
{
	size_t offset;
	return setting_key(key, &offset);
}

/* --limit NAME=VALUE */
static int setting_of_section(const struct option *section, void *state, struct arena *arena,
	const struct option_setting *setting, struct rondo_error *err)
{
	const struct option *table = section->table;
	const char *equals = strchr(setting->value, '=');
	if (!equals)
		return error_set(err, RONDO_ERROR_USAGE, "%s must be NAME=VALUE such as %s=%s, found '%s'",
			setting->option, table->name, table->fallback, setting->value);
	const char *name = arena_strndup(arena, setting->value, (size_t)(equals - setting->value));
	const struct option *option = option_find(table, name, setting->option, err);
	if (!option)
		return -1;
	return option_set(option, (char *)state + section->offset, arena, equals + 1, err);
}

static int setting_take(
	struct scenario *scenario, const struct option_setting *setting, struct rondo_error *err)
{
	size_t offset;
	const struct option *key = setting_key(setting->key, &offset);
	void *state = (char *)scenario + offset;
	if (key->kind == OPTION_SECTION)
		return setting_of_section(key, state, scenario->arena, setting, err);
	struct option named = *key;
	named.name = setting->option;
	return option_set(&named, state, scenario->arena, setting->value, err);
}

int config_set(
	struct scenario *scenario, const struct option_setting *setting, struct rondo_error *err)
{
	if (setting_take(scenario, setting, err) < 0) {
		error_prefix(err, "option '--%s'", setting->option);
		return *err->help ? -1 : error_help(err, "rondo fix --help");
	}
	if (strcmp(setting->key, "test.command") == 0)
		scenario->test_from = arena_printf(scenario->arena, "--%s", setting->option);
	return 0;
}
