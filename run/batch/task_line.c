/* One task as a line: settings as of rondo fix, or as -s of rondo run says them. */
#include <ctype.h>
#include <string.h>

#include "base/file.h"
#include "base/json/json.h"
#include "base/memory.h"
#include "run/batch/tasks.h"

enum { LONGEST_NAME = 128 };

/* A setting that one of a task's keys stands for. */
static const struct task_key {
	const char *option, *key;
	size_t offset;
	bool is_list;
} task_keys[] = {
	{"commit", "workspace.commit", offsetof(struct batch_task, commit), false},
	{"test_patch", "workspace.patch", offsetof(struct batch_task, test_patch), false},
	{"test", "test.command", offsetof(struct batch_task, test), false},
	{"goal", "test.goal", offsetof(struct batch_task, goal), true},
	{"setup", "setup.commands", offsetof(struct batch_task, setup), true},
	{"task", "task", offsetof(struct batch_task, task), false},
	{"model", "model", offsetof(struct batch_task, model), false},
	{"coder", "coder", offsetof(struct batch_task, coder), false},
	{"branch", "output.branch", offsetof(struct batch_task, branch), false},
};

/* --- For rondo fix --- */

void task_setting_add(struct json *settings, const char *option, const char *key, const char *value)
{
	if (!value)
		return;
	struct json *setting = json_add_array(settings, NULL);
	json_add_string(setting, NULL, option);
	json_add_string(setting, NULL, key);
	json_add_string(setting, NULL, value);
}

static void add_settings(struct json *line, const struct batch_task *task, struct arena *arena)
{
	struct json *settings = json_add_array(line, "settings");
	for (const struct task_key *key = task_keys; key < task_keys + ARRAY_SIZE(task_keys); key++) {
		const void *member = (const char *)task + key->offset;
		const struct option_strings *list = member;
		for (size_t i = 0; key->is_list && i < list->n; i++)
			task_setting_add(settings, key->option, key->key, list->items[i]);
		if (!key->is_list)
			task_setting_add(settings, key->option, key->key, *(const char *const *)member);
	}
	for (size_t i = 0; i < task->limits.n; i++)
		task_setting_add(settings, "limit", "limits",
			arena_printf(arena, "%s=%s", task->limits.names[i], task->limits.items[i]));
}

/* --- For rondo run --- */

/* As a value that YAML reads. */
static void add_override(
	struct json *overrides, const char *key, const char *text, struct arena *arena)
{
	AUTO_JSON *list = json_array();
	json_add_string(list, NULL, text);
	AUTO_FREE char *value = json_print(json_first(list));
	if (text)
		json_add_string(overrides, NULL, arena_printf(arena, "%s=%s", key, value));
}

static void add_override_list(struct json *overrides, const char *key,
	const struct option_strings *texts, struct arena *arena)
{
	AUTO_JSON *list = json_array();
	for (size_t i = 0; i < texts->n; i++)
		json_add_string(list, NULL, texts->items[i]);
	AUTO_FREE char *value = json_print(list);
	if (texts->n)
		json_add_string(overrides, NULL, arena_printf(arena, "%s=%s", key, value));
}

static void add_overrides(
	struct json *overrides, const struct batch_task *task, struct arena *arena)
{
	add_override(overrides, "workspace.repo", task->repository, arena);
	for (const struct task_key *key = task_keys; key < task_keys + ARRAY_SIZE(task_keys); key++) {
		const void *member = (const char *)task + key->offset;
		if (key->is_list)
			add_override_list(overrides, key->key, member, arena);
		else
			add_override(overrides, key->key, *(const char *const *)member, arena);
	}
	for (size_t i = 0; i < task->limits.n; i++)
		add_override(overrides, arena_printf(arena, "limits.%s", task->limits.names[i]),
			task->limits.items[i], arena);
}

static void add_texts(struct json *to, const struct option_texts *texts, struct arena *arena)
{
	for (size_t i = 0; i < texts->n; i++)
		json_add_string(to, NULL, arena_printf(arena, "%s=%s", texts->names[i], texts->items[i]));
}

/* --- What people write --- */

/* Data sets have lists as texts: "[\"test_a\", \"test_b\"]". */
static void open_list(struct option_strings *texts, struct arena *arena)
{
	struct rondo_error ignored;
	if (texts->n != 1 || *texts->items[0] != '[')
		return;
	AUTO_JSON *list = json_parse(texts->items[0], strlen(texts->items[0]), &ignored);
	if (!json_is_array(list))
		return;
	*texts = (struct option_strings){0};
	for (const struct json *item = json_first(list); item; item = json_next(item))
		ARENA_PUSH(arena, texts->items, texts->n, arena_strdup(arena, json_text(item, "")));
}

/* A relative one is looked for at each place; "django/django" may lie there as django__django, too.
 * What is nowhere is told when the task is run. */
static const char *find_repository(const struct task_lines *lines, const char *said)
{
	const char *first = NULL, *slash = strchr(said, '/');
	if (*said == '/')
		return said;
	for (size_t i = 0; i < lines->places.n; i++) {
		const char *place = lines->places.items[i];
		const char *at = arena_printf(lines->arena, "%s/%s", place, said);
		if (!first)
			first = at;
		if (file_is_dir(at))
			return at;
		if (!slash)
			continue;
		at = arena_printf(lines->arena, "%s/%.*s__%s", place, (int)(slash - said), said, slash + 1);
		if (file_is_dir(at))
			return at;
	}
	return first;
}

static bool is_name(const char *name)
{
	size_t n = strlen(name);
	for (const char *at = name; *at; at++)
		if (!isalnum((unsigned char)*at) && !strchr("._-+@", *at))
			return false;
	return n && n <= LONGEST_NAME && *name != '.';
}

/* Of a repository's name, what a name may have. */
static const char *name_of(const struct task_lines *lines, const char *repository)
{
	char *name = arena_strdup(lines->arena, repository ? file_name(repository) : "task");
	for (char *at = name; *at; at++)
		if (!isalnum((unsigned char)*at) && !strchr("_-+@", *at) && (at == name || *at != '.'))
			*at = '_';
	if (strlen(name) > LONGEST_NAME - 8)
		name[LONGEST_NAME - 8] = '\0';
	const char *free_name = *name ? name : "task";
	for (size_t i = 2; map_get(&lines->names, free_name); i++)
		free_name = arena_printf(lines->arena, "%s-%zu", name, i);
	return free_name;
}

static bool check_name(const struct task_lines *lines, const struct batch_task *task,
	const struct option_place *place, struct problems *problems)
{
	const struct option_place *before = map_get(&lines->names, task->name);
	if (!is_name(task->name))
		problems_add(problems, *place,
			"a task's name has letters, digits and . _ - + @, and at most %d of them, found '%s'",
			LONGEST_NAME, task->name);
	else if (before)
		problems_add(problems, *place, "a second task has the name '%s'; the first is on line %d",
			task->name, before->line);
	return is_name(task->name) && !before;
}

/* --- The line --- */

static struct json *line_begin(const char *name)
{
	struct json *line = json_object();
	json_add_string(line, "name", name);
	return line;
}

static void line_end(
	struct task_lines *lines, const char *name, const struct option_place *place, struct json *line)
{
	AUTO_FREE char *text = json_print(line);
	struct option_place *kept = arena_memdup(lines->arena, place, sizeof *place);
	map_put(&lines->names, lines->arena, arena_strdup(lines->arena, name), kept);
	strbuf_addf(&lines->text, "%s\n", text);
	lines->n++;
	json_free(line);
}

void task_line_add(struct task_lines *lines, struct batch_task *task,
	const struct option_place *place, struct problems *problems)
{
	struct arena *arena = lines->arena;
	if (task->repository)
		task->repository = find_repository(lines, task->repository);
	else if (!lines->scenario)
		problems_add(problems, *place, "a task needs 'repository'");
	if (!task->name)
		task->name = name_of(lines, task->repository);
	if (!check_name(lines, task, place, problems) || (!task->repository && !lines->scenario))
		return;
	open_list(&task->goal, arena);
	struct json *line = line_begin(task->name);
	json_add_string(line, "repository", task->repository);
	struct json *set = json_add_array(line, "set");
	if (lines->scenario)
		add_overrides(set, task, arena);
	else
		add_settings(line, task, arena);
	add_texts(set, &task->set, arena);
	add_texts(json_add_array(line, "parameters"), &task->parameters, arena);
	line_end(lines, task->name, place, line);
}

void task_line_add_broken(struct task_lines *lines, const char *name, const char *why)
{
	struct option_place place = {0};
	struct json *line = line_begin(name);
	json_add_string(line, "broken", why);
	line_end(lines, name, &place, line);
}
