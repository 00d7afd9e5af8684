#include "run/scenario/config.h"

#include <stdlib.h>
#include <string.h>

#include "agents/external/external.h"
#include "base/file.h"
#include "base/memory.h"
#include "run/run.h"
#include "run/scenario/reader.h"

#define AT(member) offsetof(struct scenario, member)

const struct option config_own_keys[] = {
	OPTION("model", STRING, AT(model),
		"the model that rondo fix may ask, such as openai/gpt-5-mini; else none"),
	OPTION("coder", STRING, AT(coder_choice),
		"repair, the model, or both, repair first (auto); or one of rondo list coders, or a "
		"command",
		.values = known_coder_choices, .fallback = "auto"),
	OPTION("coders", MAP, AT(coders), "further coders by name: agents of type command",
		.family = &agent_family),
	OPTION("seed", INT, AT(seed),
		"another order of edits that are about as likely; 0: by likelihood alone"),
	OPTION("take", INT, AT(take),
		"which of several fixes that behave differently to take: 1 is the likeliest", .least = 1,
		.fallback = "1"),
	OPTION("since", STRING, AT(since),
		"take back only changes that this revision does not have; else the last 20 commits and "
		"uncommitted work"),
	OPTION_END,
};

/* What a scenario's keys of the same name mean. */
static const char *const user_names[] = {
	"models", "executor", "limits", "attempts", "protect", "setup", "verify", NULL};
static const char *const caller_names[] = {"task", "models", "executor", "limits", "attempts",
	"setup", "test", "verify", "protect", "allow_edit", "workspace", "output", NULL};

/* What rondo list config shows. */
static const char *const shown_names[] = {"models", "executor", "limits", "attempts", "setup",
	"test", "verify", "protect", "workspace", NULL};

#define CONFIG_KEYS 20
#define LARGEST ((size_t)1 << 20)

/* A table of some keys of a scenario, after those of another table. */
static void pick(
	struct option table[CONFIG_KEYS], const struct option *first, const char *const *names)
{
	size_t n = 0;
	for (; first && first->name; first++)
		table[n++] = *first;
	for (; *names; names++)
		table[n++] = *option_named(scenario_keys, *names);
	table[n] = (struct option)OPTION_END;
}

static bool config_is_among(const char *name, const char *const *names)
{
	while (*names && strcmp(*names, name) != 0)
		names++;
	return *names;
}

static const char *user_file(struct arena *arena)
{
	const char *config = getenv("XDG_CONFIG_HOME"), *home = getenv("HOME");
	if (config && *config == '/')
		return arena_printf(arena, "%s/rondo/config.yaml", config);
	return home ? arena_printf(arena, "%s/.config/rondo/config.yaml", home) : NULL;
}

/* The root of the checkout around `path`, links resolved; NULL where there is none. */
static const char *config_root(const char *path, struct arena *arena)
{
	struct rondo_error err;
	const char *real = path ? file_real_path(arena, path, &err) : NULL;
	for (char *dir = arena_strdup(arena, real); dir && *dir; *strrchr(dir, '/') = '\0')
		if (file_exists(arena_printf(arena, "%s/.git", dir)))
			return dir;
	return NULL;
}

/* A file with nothing in it but comments sets nothing. */
static bool is_empty(const char *path)
{
	struct rondo_error err;
	AUTO_STRBUF text = STRBUF_INIT(LARGEST);
	if (file_read(path, LARGEST, &text, &err) < 0)
		return false;
	const char *at = text.text;
	while (*at) {
		at += strspn(at, " \t\r");
		if (*at != '#' && *at != '\n')
			return false;
		at += strcspn(at, "\n");
		at += *at == '\n';
	}
	return text.length == strlen(text.text);
}

/* NULL where there is nothing to read. */
static struct yaml_node *read_tree(const char *path, struct arena *arena, struct problems *problems)
{
	if (!path || !file_exists(path) || is_empty(path))
		return NULL;
	return yaml_read_file(path, arena, problems);
}

/* A rondo.yaml that is a link must not have another file read as its own. */
static bool config_is_inside(
	const char *file, const char *root, struct arena *arena, struct problems *problems)
{
	struct rondo_error err;
	const char *real = file_real_path(arena, file, &err);
	if (real && !file_is_below(real, root))
		problems_add(problems, place_whole(file),
			"a link that leads out of the repository, to '%s'; put the file itself there", real);
	return real && file_is_below(real, root);
}

static void config_read_repository(
	struct scenario *scenario, const char *root, struct origins *origins, struct problems *problems)
{
	struct arena *arena = scenario->arena;
	struct reader reader = {
		.arena = arena, .problems = problems, .origins = origins, .repository = root};
	const struct reader_part parts[] = {{config_own_keys, scenario}, {scenario_keys, scenario}};
	const char *file = arena_printf(arena, "%s/rondo.yaml", root);
	const struct yaml_node *tree =
		config_is_inside(file, root, arena, problems) ? read_tree(file, arena, problems) : NULL;
	if (tree && tree->kind == YAML_MAP)
		reader_keys(&reader, parts, ARRAY_SIZE(parts), tree, NULL, NULL);
	else if (tree)
		reader_wrong_kind(&reader, tree, "the file", "a section of keys");
	if (scenario->test.command)
		scenario->test_from = file_name(file);
}

void config_read(
	struct scenario *scenario, const char *path, struct origins *origins, struct problems *problems)
{
	struct option keys[CONFIG_KEYS];
	struct arena *arena = scenario->arena;
	struct reader reader = {.arena = arena, .problems = problems, .origins = origins};
	const char *root = config_root(path, arena);
	const struct yaml_node *tree = read_tree(user_file(arena), arena, problems);
	option_defaults(config_own_keys, scenario, arena);
	pick(keys, config_own_keys, user_names);
	if (tree)
		reader_read(&reader, keys, scenario, tree, NULL);
	scenario->n_own_setup = scenario->setup.commands.n;
	if (root)
		config_read_repository(scenario, root, origins, problems);
}

/* As people write it. */
static const char *config_user_file_shown(struct arena *arena)
{
	const char *home = getenv("HOME"), *file = user_file(arena);
	if (!file)
		return "your configuration";
	if (!home || !file_is_below(file, home))
		return file;
	return arena_printf(arena, "~%s", file + strlen(home));
}

const char *config_instead(const char *key, const struct option *option, struct arena *arena)
{
	/* rondo fix is told what it works on as DIR. */
	static const char *const worked_on[] = {
		"workspace.repo", "workspace.copy", "workspace.files", NULL};
	const char *top = arena_strndup(arena, key, strcspn(key, "."));
	const char *file = config_user_file_shown(arena);
	bool has_parts = option->kind == OPTION_SECTION || option->kind == OPTION_CHILD ||
		option->kind == OPTION_MAP || option->kind == OPTION_TEXTS;
	const char *with = arena_printf(arena, "with -s %s%s=VALUE", key, has_parts ? ".KEY" : "");
	if (option_named(config_own_keys, top))
		return arena_printf(arena, "in %s or %s", file, with);
	if (config_is_among(top, user_names))
		return arena_printf(arena, "in %s, %s or in a scenario", file, with);
	if (config_is_among(top, caller_names) && !config_is_among(key, worked_on))
		return arena_printf(arena, "%s or in a scenario", with);
	return "in a scenario";
}

void config_take(struct scenario *scenario, const struct yaml_node *root, bool is_change,
	struct problems *problems)
{
	struct option keys[CONFIG_KEYS];
	struct reader reader = {.arena = scenario->arena, .problems = problems, .is_change = is_change};
	const char *before = scenario->test.command;
	pick(keys, config_own_keys, caller_names);
	reader_read(&reader, keys, scenario, root, NULL);
	if (scenario->test.command != before)
		scenario->test_from = "the caller";
}

/* --- rondo list config: each setting, its value, and the file and line that it comes from --- */

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
	pick(keys, config_own_keys, shown_names);
	show_table(keys, "", &scenario, &origins, arena, sb);
	return 0;
}
