/* rondo list config: each setting, its value, and the file and line that it comes from. */
#include <string.h>

#include "run/run.h"
#include "run/scenario/config.h"
#include "run/scenario/reader.h"

static const char *place_shown(const struct option_place *place, struct arena *arena)
{
	return place->origin ? arena_printf(arena, "%s:%d", place->origin, place->line) : "default";
}

/* The last file that set it. */
static const char *origin_of(const struct origins *origins, const void *member, struct arena *arena)
{
	for (size_t i = origins->n; i-- > 0;)
		if (origins->items[i].member == member)
			return place_shown(&origins->items[i].place, arena);
	return "default";
}

static void show_table(const struct option *table, const char *prefix, const void *state,
	const struct origins *origins, struct arena *arena, struct strbuf *sb);

static void show_thing(const struct option_family *family, const struct option_spec *spec,
	const char *name, const struct origins *origins, struct arena *arena, struct strbuf *sb)
{
	const char *key = arena_printf(arena, "%s.%s", name, family->type_key);
	const char *prefix = arena_printf(arena, "%s.", name);
	strbuf_addf(sb, "%-32s %-24s %s\n", key, spec->type.name, place_shown(&spec->place, arena));
	if (spec->type.options)
		show_table(spec->type.options, prefix, spec->state, origins, arena, sb);
	if (family->common)
		show_table(family->common, prefix, spec->common, origins, arena, sb);
}

static void show_option(const struct option *option, const char *prefix, const void *state,
	const struct origins *origins, struct arena *arena, struct strbuf *sb)
{
	AUTO_STRBUF value = STRBUF_INIT(STRBUF_LINE);
	const char *key = arena_printf(arena, "%s%s", prefix, option->name);
	const void *member = (const char *)state + option->offset;
	const struct option_specs *specs = member;
	if (option->kind == OPTION_SECTION) {
		show_table(option->table, arena_printf(arena, "%s.", key), member, origins, arena, sb);
		return;
	}
	if (option->kind == OPTION_CHILD) {
		show_thing(option->family, member, key, origins, arena, sb);
		return;
	}
	for (size_t i = 0; option->kind == OPTION_MAP && i < specs->n; i++)
		show_thing(option->family, &specs->items[i],
			arena_printf(arena, "%s.%s", key, specs->items[i].name), origins, arena, sb);
	if (option->kind >= OPTION_TEXTS)
		return;
	const char *origin = origin_of(origins, member, arena);
	if (option->fallback || strcmp(origin, "default") != 0)
		option_print(option, state, &value);
	strbuf_addf(sb, "%-32s %-24s %s\n", key, value.length ? value.text : "-", origin);
}

static void show_table(const struct option *table, const char *prefix, const void *state,
	const struct origins *origins, struct arena *arena, struct strbuf *sb)
{
	for (const struct option *option = table; option->name; option++)
		show_option(option, prefix, state, origins, arena, sb);
}

int run_config(const char *path, struct arena *arena, struct strbuf *sb, struct rondo_error *err)
{
	struct scenario scenario;
	struct origins origins = {0};
	struct problems problems = {.arena = arena};
	struct option keys[CONFIG_KEYS];
	scenario_init(&scenario, arena);
	scenario_choose_executor(&scenario, sandbox_executor.name, err);
	config_read(&scenario, path, &origins, &problems);
	if (problems_error(&problems, err) < 0)
		return -1;
	config_table(keys);
	show_table(keys, "", &scenario, &origins, arena, sb);
	return 0;
}
