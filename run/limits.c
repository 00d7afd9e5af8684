#include "run/limits.h"

#include <string.h>

static const struct option table[] = {
	{.name = "turns", .kind = OPTION_INT, .offset = offsetof(struct limits, turns), .least = 1,
		.fallback = "40", .most = 1000000, .help = "turns of the chat"},
	{.name = "time", .kind = OPTION_DURATION, .offset = offsetof(struct limits, time_ms), .least = 1,
		.fallback = "30m", .help = "the whole run"},
	{.name = "block", .kind = OPTION_DURATION, .offset = offsetof(struct limits, block_ms), .least = 1,
		.fallback = "120s", .help = "one code block"},
	{.name = "suite", .kind = OPTION_DURATION, .offset = offsetof(struct limits, suite_ms), .least = 1,
		.fallback = "60s", .help = "one run of the suite"},
	{.name = "repair", .kind = OPTION_DURATION, .offset = offsetof(struct limits, repair_ms), .least = 0,
		.fallback = "60s", .help = "the search of the coder without a model"},
	OPTION_END,
};

int limits_read(const struct option_strings *settings, struct arena *arena, struct limits *ret_limits,
	struct rondo_error *err)
{
	struct limits limits = {0};
	option_defaults(table, &limits, arena);
	for (size_t i = 0; i < settings->n; i++) {
		const char *setting = settings->items[i], *equals = strchr(setting, '=');
		if (!equals)
			return error_set(err, RONDO_ERROR_USAGE,
				"limit must be NAME=VALUE such as repair=5m, found '%s'", setting);
		const char *name = arena_strndup(arena, setting, (size_t)(equals - setting));
		const struct option *option = option_find(table, name, "limit", err);
		if (!option || option_set(option, &limits, arena, equals + 1, err) < 0)
			return -1;
		limits.suite_is_set |= strcmp(name, "suite") == 0;
	}
	*ret_limits = limits;
	return 0;
}

const char *limits_describe(const struct limits *limits, struct arena *arena)
{
	AUTO_STRBUF text = STRBUF_INIT(STRBUF_LINE);
	for (const struct option *option = table; option->name; option++) {
		strbuf_addf(&text, "%s%s ", option == table ? "" : ", ", option->name);
		option_print(option, limits, &text);
	}
	return arena_strdup(arena, text.text);
}
