#include "run/scenario/config.h"

#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "run/scenario/override.h"
#include "run/scenario/reader.h"

#define AT(member) offsetof(struct scenario, member)

static const char *const coders[] = {"auto", "repair", "model", NULL};

static const struct option own_keys[] = {
	{.name = "model", .kind = OPTION_STRING, .offset = AT(model),
		.help = "the model behind rondo fix, such as openai/gpt-5-mini; else none"},
	{.name = "coder", .kind = OPTION_ENUM, .offset = AT(coder_choice), .values = coders, .fallback = "auto",
		.help = "repair, the model, or first the one and then the other (auto)"},
	OPTION_END,
};

/* What a scenario's keys of the same name mean. */
static const char *const user_names[] = {"models", "executor", "limits", "protect", "verify", NULL};
static const char *const repository_names[] = {"test", "protect", "verify", "workspace", NULL};
static const char *const caller_names[] = {
	"models", "executor", "limits", "test", "verify", "protect", "allow_edit", "workspace", "output", NULL};

#define LARGEST ((size_t)1 << 20)

/* A table of some keys of a scenario, none of them required, behind those of another table. */
static void pick(struct option table[CONFIG_KEYS], const struct option *first, const char *const *names)
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
	static const char *const names[] = {"models", "executor", "limits", "test", "protect", "workspace", NULL};
	pick(table, own_keys, names);
}

static const char *user_file(struct arena *arena)
{
	const char *config = getenv("XDG_CONFIG_HOME"), *home = getenv("HOME");
	if (config && *config == '/')
		return arena_printf(arena, "%s/rondo/config.yaml", config);
	return home ? arena_printf(arena, "%s/.config/rondo/config.yaml", home) : NULL;
}

/* rondo.yaml at the root of the checkout around `path`, or NULL. */
static const char *repository_file_of(const char *path, struct arena *arena)
{
	struct rondo_error err;
	const char *real = path ? file_real_path(arena, path, &err) : NULL;
	for (char *dir = arena_strdup(arena, real); dir && *dir; *strrchr(dir, '/') = '\0') {
		if (!file_exists(arena_printf(arena, "%s/.git", dir)))
			continue;
		const char *file = arena_printf(arena, "%s/rondo.yaml", dir);
		return file_exists(file) ? file : NULL;
	}
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

static void read_layer(struct scenario *scenario, const struct option *keys, const struct yaml_node *root,
	struct origins *origins, struct problems *problems)
{
	struct reader reader = {.arena = scenario->arena, .problems = problems, .origins = origins};
	if (root)
		reader_read(&reader, keys, scenario, root, NULL);
}

static bool is_among(const char *name, const char *const *names)
{
	while (*names && strcmp(*names, name) != 0)
		names++;
	return *names;
}

static bool is_key(const struct option *table, const char *name)
{
	while (table->name && !option_is_named(table, name))
		table++;
	return table->name;
}

/* What is worked on, where code runs and who is paid are the person's choice. */
static bool is_forbidden(const char *section, const char *name)
{
	if (section)
		return is_among(name, (const char *const[]){"repo", "copy", "files", NULL});
	return (is_key(scenario_keys, name) || is_key(own_keys, name)) && !is_among(name, repository_names);
}

/* Tells what a repository may not set, and takes it out of the tree. */
static void forbid(struct yaml_node *map, const char *section, struct problems *problems)
{
	struct yaml_node **link = &map->first;
	while (*link) {
		const struct yaml_node *node = *link;
		if (!is_forbidden(section, node->key)) {
			link = &(*link)->next;
			continue;
		}
		problems_add(problems, node->origin, node->key_line, node->key_column, "a repository cannot set %s%s%s",
			section ? section : "", section ? "." : "", node->key);
		*link = node->next;
	}
}

static void forbid_choices(struct yaml_node *root, struct problems *problems)
{
	struct yaml_node *workspace = root && root->kind == YAML_MAP ? yaml_find(root, "workspace") : NULL;
	if (root && root->kind == YAML_MAP)
		forbid(root, NULL, problems);
	if (workspace && workspace->kind == YAML_MAP)
		forbid(workspace, "workspace", problems);
	else if (workspace && workspace->kind == YAML_SCALAR)
		problems_add(problems, workspace->origin, workspace->line, workspace->column,
			"a repository cannot set workspace.repo");
}

/* The repository adds to what the user protects. */
static void add_protected(struct scenario *scenario, const struct option_strings *also)
{
	struct option_strings *protect = &scenario->protect;
	if (protect->items == also->items)
		return;
	for (size_t i = 0; i < also->n; i++)
		ARENA_PUSH(scenario->arena, protect->items, protect->n, also->items[i]);
}

void config_read(struct scenario *scenario, const char *path, struct origins *origins, struct problems *problems)
{
	struct option keys[CONFIG_KEYS];
	const char *file = repository_file_of(path, scenario->arena);
	option_defaults(own_keys, scenario, scenario->arena);
	pick(keys, own_keys, user_names);
	read_layer(scenario, keys, read_tree(user_file(scenario->arena), scenario->arena, problems), origins, problems);
	struct option_strings protect = scenario->protect;
	struct yaml_node *repository = read_tree(file, scenario->arena, problems);
	pick(keys, NULL, repository_names);
	forbid_choices(repository, problems);
	read_layer(scenario, keys, repository, origins, problems);
	add_protected(scenario, &protect);
	if (scenario->test.command)
		scenario->test_from = file_name(file);
}

void config_take(struct scenario *scenario, const struct yaml_node *root, struct problems *problems)
{
	struct option keys[CONFIG_KEYS];
	const char *before = scenario->test.command;
	pick(keys, own_keys, caller_names);
	read_layer(scenario, keys, root, NULL, problems);
	if (scenario->test.command != before)
		scenario->test_from = "the caller";
}

static const char *type_of(const struct yaml_node *executor)
{
	const struct yaml_node *type = executor && executor->kind == YAML_MAP ? yaml_find(executor, "type") : NULL;
	return type && type->kind == YAML_SCALAR ? type->text : NULL;
}

/* Options of another executor than the wanted one are left behind. */
static bool is_kept(const struct yaml_node *section, const char *executor)
{
	if (!section || section->kind != YAML_MAP)
		return false;
	const char *type = type_of(section);
	return !executor || strcmp(section->key, "executor") != 0 || (type && strcmp(type, executor) == 0);
}

/* The sections that will be changed, as the user has them. */
static void copy_sections(struct yaml_node *to, const struct yaml_node *from, const struct option_strings *overrides,
	const char *executor, struct arena *arena)
{
	for (size_t i = 0; i < overrides->n; i++) {
		const char *key = arena_strndup(arena, overrides->items[i], strcspn(overrides->items[i], ".="));
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

void config_override(struct scenario *scenario, const struct option_strings *overrides, const char *executor, struct problems *problems)
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
