#include "run/scenario/config.h"

#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "base/memory.h"
#include "run/scenario/override.h"
#include "run/scenario/reader.h"

#define AT(member) offsetof(struct scenario, member)

static const char *const coders[] = {"auto", "repair", "model", NULL};

const struct option config_own_keys[] = {
	OPTION("model", STRING, AT(model),
		"the model that rondo fix may ask, such as openai/gpt-5-mini; else none"),
	OPTION("coder", ENUM, AT(coder_choice), "repair, the model, or both, repair first (auto)",
		.values = coders, .fallback = "auto"),
	OPTION("seed", INT, AT(seed),
		"another order of edits that are about as likely; 0: by likelihood alone"),
	OPTION_END,
};

/* What a scenario's keys of the same name mean. */
static const char *const user_names[] = {"models", "executor", "limits", "protect", "verify", NULL};
static const char *const caller_names[] = {"models", "executor", "limits", "test", "verify",
	"protect", "allow_edit", "workspace", "output", NULL};

#define LARGEST ((size_t)1 << 20)

/* A table of some keys of a scenario, none of them required, after those of another table. */
static void pick(
	struct option table[CONFIG_KEYS], const struct option *first, const char *const *names)
{
	size_t n = 0;
	struct rondo_error err;
	for (; first && first->name; first++)
		table[n++] = *first;
	for (; *names; names++) {
		table[n] = *option_find(scenario_keys, *names, "key", &err);
		table[n++].required = false;
	}
	table[n] = (struct option)OPTION_END;
}

void config_table(struct option table[CONFIG_KEYS])
{
	static const char *const names[] = {
		"models", "executor", "limits", "test", "verify", "protect", "workspace", NULL};
	pick(table, config_own_keys, names);
}

static bool config_is_among(const char *name, const char *const *names)
{
	while (*names && strcmp(*names, name) != 0)
		names++;
	return *names;
}

static bool config_has_key(const struct option *table, const char *name)
{
	while (table->name && !option_is_named(table, name))
		table++;
	return table->name;
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

static void read_layer(struct scenario *scenario, const struct option *keys,
	const struct yaml_node *root, struct origins *origins, struct problems *problems)
{
	struct reader reader = {.arena = scenario->arena, .problems = problems, .origins = origins};
	if (root)
		reader_read(&reader, keys, scenario, root, NULL);
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
	const char *root = config_root(path, scenario->arena);
	option_defaults(config_own_keys, scenario, scenario->arena);
	pick(keys, config_own_keys, user_names);
	read_layer(scenario, keys, read_tree(user_file(scenario->arena), scenario->arena, problems),
		origins, problems);
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
	if (config_has_key(config_own_keys, top))
		return arena_printf(arena, "in %s or %s", file, with);
	if (config_is_among(top, user_names))
		return arena_printf(arena, "in %s, %s or in a scenario", file, with);
	if (config_is_among(top, caller_names) && !config_is_among(key, worked_on))
		return arena_printf(arena, "%s or in a scenario", with);
	return "in a scenario";
}

void config_take(struct scenario *scenario, const struct yaml_node *root, struct problems *problems)
{
	struct option keys[CONFIG_KEYS];
	const char *before = scenario->test.command;
	pick(keys, config_own_keys, caller_names);
	read_layer(scenario, keys, root, NULL, problems);
	if (scenario->test.command != before)
		scenario->test_from = "the caller";
}

static const char *type_of(const struct yaml_node *executor)
{
	const struct yaml_node *type =
		executor && executor->kind == YAML_MAP ? yaml_find(executor, "type") : NULL;
	return type && type->kind == YAML_SCALAR ? type->text : NULL;
}

/* A section keeps what was read before. A thing is read again with all keys of its type. */
static bool is_kept(const struct yaml_node *section, const char *executor)
{
	if (!section || section->kind != YAML_MAP)
		return false;
	const char *type = type_of(section);
	if (strcmp(section->key, "executor") == 0)
		return !executor || (type && strcmp(type, executor) == 0);
	return strcmp(section->key, "models") == 0;
}

/* The sections that will be changed, as the user has them. */
static void copy_sections(struct yaml_node *to, const struct yaml_node *from,
	const struct option_strings *overrides, const char *executor, struct arena *arena)
{
	for (size_t i = 0; i < overrides->n; i++) {
		const char *key =
			arena_strndup(arena, overrides->items[i], strcspn(overrides->items[i], ".="));
		const struct yaml_node *section = yaml_find(from, key);
		if (is_kept(section, executor) && !yaml_find(to, key))
			yaml_append(to, yaml_copy(section, arena));
	}
}

/* Options belong to a type: to the one that is wanted, else to the user's, else to the default. */
static void set_type(struct yaml_node *root, const char *wanted, struct arena *arena)
{
	struct yaml_node *executor = yaml_find(root, "executor");
	if (!executor || executor->kind != YAML_MAP || (!wanted && type_of(executor)))
		return;
	struct yaml_node *type = override_child(executor, "type", "--executor", arena);
	type->kind = YAML_SCALAR;
	type->text = wanted ? wanted : sandbox_executor.name;
}

void config_override(struct scenario *scenario, const struct option_strings *overrides,
	const char *executor, struct problems *problems)
{
	struct arena *arena = scenario->arena;
	struct yaml_node root = {.kind = YAML_MAP};
	struct problems known = {.arena = arena}; /* config_read has told them */
	const struct yaml_node *user = read_tree(user_file(arena), arena, &known);
	if (user && user->kind == YAML_MAP)
		copy_sections(&root, user, overrides, executor, arena);
	override_all(&root, overrides, arena, problems);
	set_type(&root, executor, arena);
	config_take(scenario, &root, problems);
}
