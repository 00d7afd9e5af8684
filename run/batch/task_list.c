/* Lists of tasks: JSON Lines, a scenario with `batch`, a directory of repositories. */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/file.h"
#include "base/json/json.h"
#include "base/memory.h"
#include "run/batch/tasks.h"
#include "run/order.h"
#include "run/scenario/config.h"
#include "run/scenario/reader.h"
#include "run/scenario/scenario.h"

#define LARGEST_LIST ((size_t)1 << 30)
#define LARGEST_LINE ((size_t)1 << 20)

static int list_refuse_empty(const char *path, const char *what, struct rondo_error *err)
{
	error_set(err, RONDO_ERROR_USAGE, "there is no task in '%s': %s", path, what);
	return error_help(err, "rondo batch --help");
}

/* --- JSON Lines --- */

struct list_reader {
	struct task_list *list;
	const char *path; /* as it was given */
	const char *dir;  /* where texts of files begin */
	int line;
};

/* A row of a data set says much that is not about its run, and has columns without a value. */
static void line_drop_foreign(struct yaml_node *root)
{
	struct yaml_node *item = root->first;
	if (!yaml_find(root, "instance_id"))
		return;
	root->first = root->last = NULL;
	for (struct yaml_node *next; item; item = next) {
		bool is_empty = item->kind == YAML_LIST ? !item->first : reader_is_nothing(item);
		next = item->next;
		item->next = NULL;
		if (option_named(batch_task_options, item->key) && !is_empty)
			yaml_append(root, item);
	}
}

/* libcJSON says what is no JSON; the tree then has the places. */
static struct yaml_node *line_parse(const struct list_reader *reader, const char *text, size_t n,
	struct arena *arena, struct problems *problems)
{
	struct rondo_error err;
	struct option_place place = {reader->path, 1, 1};
	if (n > LARGEST_LINE) {
		problems_add(problems, place, "a line of more than 1 MiB");
		return NULL;
	}
	AUTO_JSON *json = json_parse(text, n, &err);
	if (!json) {
		const char *colon = strchr(err.message, ':');
		place.column = colon ? atoi(colon + 1) : 1;
		colon = colon ? strstr(colon, ": ") : NULL;
		problems_add(problems, place, "%s", colon ? colon + 2 : err.message);
		return NULL;
	}
	if (!json_is_object(json)) {
		problems_add(problems, place, "a task is an object: {\"repository\": \"DIR\"}");
		return NULL;
	}
	return yaml_read(text, n, reader->path, arena, problems);
}

static void line_take(
	const struct list_reader *reader, const char *text, size_t n, struct problems *problems)
{
	AUTO_ARENA scratch = ARENA_INIT;
	struct batch_task task = {.name = NULL};
	struct reader keys = {.arena = &scratch, .problems = problems, .dir = reader->dir};
	struct yaml_node *root = line_parse(reader, text, n, &scratch, problems);
	if (!root)
		return;
	line_drop_foreign(root);
	reader_read(&keys, batch_task_options, &task, root, "task");
	struct option_place place = {reader->path, reader->line, 1};
	if (!problems->n)
		task_line_add(&reader->list->lines, &task, &place, problems);
}

/* A broken line is a task that fails: the others are run. */
static void line_read(const struct list_reader *reader, const char *text, size_t n)
{
	AUTO_ARENA scratch = ARENA_INIT;
	AUTO_STRBUF why = STRBUF_INIT(STRBUF_LINE);
	struct problems problems = {.arena = &scratch};
	line_take(reader, text, n, &problems);
	if (!problems.n)
		return;
	for (size_t i = 0; i < problems.n; i++)
		if (problems.items[i].place.line == 1)
			problems.items[i].place.line = reader->line;
	problems_print(&problems, &why);
	strbuf_rtrim(&why);
	task_line_add_broken(
		&reader->list->lines, arena_printf(&scratch, "line-%d", reader->line), why.text);
}

static bool is_blank(const char *text, size_t n)
{
	while (n && strchr(" \t\r", text[n - 1]))
		n--;
	return n == 0;
}

static int list_read_lines(struct task_list *list, const char *path, struct rondo_error *err)
{
	AUTO_STRBUF text = STRBUF_INIT(LARGEST_LIST);
	bool is_stdin = strcmp(path, "-") == 0;
	if ((is_stdin ? file_read_fd(STDIN_FILENO, "(standard input)", LARGEST_LIST, &text, err)
				  : file_read(path, LARGEST_LIST, &text, err)) < 0)
		return -1;
	struct list_reader reader = {.list = list,
		.path = is_stdin ? "(standard input)" : path,
		.dir = list->lines.places.items[list->lines.places.n - 1]};
	const char *at = text.text, *end = text.text + text.length, *line;
	for (size_t n; (line = text_next_line(&at, end, &n));) {
		reader.line++;
		if (!is_blank(line, n))
			line_read(&reader, line, n);
	}
	return list->lines.n ? 0 : list_refuse_empty(path, "a task is a JSON object on a line", err);
}

/* --- A directory of repositories --- */

static int list_read_directory(struct task_list *list, const char *path, struct rondo_error *err)
{
	struct arena *arena = list->lines.arena;
	struct problems problems = {.arena = arena};
	const char **names = NULL, *name;
	size_t n = 0;
	AUTO_DIR *dir = opendir(path);
	const char *real = file_real_path(arena, path, err);
	if (!dir || !real)
		return error_errno(err, RONDO_ERROR_USAGE, "cannot read '%s'", path);
	while ((name = file_next_name(dir)))
		if (file_exists(arena_printf(arena, "%s/%s/.git", path, name)))
			ARENA_PUSH(arena, names, n, arena_strdup(arena, name));
	if (!n)
		return list_refuse_empty(path, "no directory in it is a git repository", err);
	text_sort(names, n);
	for (size_t i = 0; i < n; i++) {
		struct batch_task task = {.repository = arena_printf(arena, "%s/%s", real, names[i])};
		struct option_place place = {path, (int)i + 1, 1};
		task_line_add(&list->lines, &task, &place, &problems);
	}
	return problems_error(&problems, err);
}

/* --- A scenario --- */

static int list_read_path(struct task_list *list, const char *path, struct rondo_error *err)
{
	return file_is_dir(path) ? list_read_directory(list, path, err)
							 : list_read_lines(list, path, err);
}

static int list_read_scenario(struct task_list *list, const char *path, struct rondo_error *err)
{
	struct scenario scenario;
	struct arena *arena = list->lines.arena;
	struct problems problems = {.arena = arena};
	struct scenario_settings settings = {.may_lack_values = true};
	scenario_init(&scenario, arena);
	config_read(&scenario, NULL, NULL, &problems);
	scenario_read(&scenario, path, &settings, &problems);
	list->lines.scenario = file_absolute(arena, path);
	list->jobs = scenario.batch.jobs;
	list->budget = (struct batch_budget){scenario.batch.tokens, scenario.batch.cost_usd};
	for (size_t i = 0; i < scenario.batch.tasks.n && !problems.n; i++) {
		const struct option_spec *spec = &scenario.batch.tasks.items[i];
		task_line_add(&list->lines, spec->state, &spec->place, &problems);
	}
	if (problems_error(&problems, err) < 0)
		return -1;
	if (scenario.batch.from)
		return list_read_path(list, order_path(&scenario, scenario.batch.from), err);
	return list->lines.n ? 0 : list_refuse_empty(path, "the scenario has no 'batch'", err);
}

/* --- Which of them it is --- */

static bool is_scenario(const char *path)
{
	const char *suffix = file_suffix(path);
	return strcmp(suffix, "yaml") == 0 || strcmp(suffix, "yml") == 0 || strcmp(suffix, "json") == 0;
}

/* Where relative repositories may lie: where the user says, else beside the list. */
static int list_find_places(
	struct task_list *list, const struct batch_options *options, struct rondo_error *err)
{
	struct arena *arena = list->lines.arena;
	struct option_strings *places = &list->lines.places;
	const char *tasks = options->tasks, *slash = strrchr(tasks, '/'), *real;
	const char *dir = !slash ? "."
		: slash == tasks     ? "/"
							 : arena_strndup(arena, tasks, (size_t)(slash - tasks));
	if (options->repositories) {
		if (!(real = file_real_path(arena, options->repositories, err)))
			return -1;
		ARENA_PUSH(arena, places->items, places->n, real);
	}
	if (!(real = file_real_path(arena, dir, err)))
		return -1;
	ARENA_PUSH(arena, places->items, places->n, real);
	return 0;
}

int task_list_read(struct task_list *list, const struct batch_options *options, struct arena *arena,
	struct rondo_error *err)
{
	const char *path = options->tasks;
	*list = (struct task_list){.lines = {.text = STRBUF_INIT(LARGEST_LIST), .arena = arena}};
	if (list_find_places(list, options, err) < 0)
		return -1;
	int status = is_scenario(path) && !file_is_dir(path) ? list_read_scenario(list, path, err)
														 : list_read_path(list, path, err);
	if (status == 0 && list->lines.text.cut)
		status = error_set(err, RONDO_ERROR_USAGE, "'%s' has more than 1 GiB of tasks", path);
	return status;
}

void task_list_release(struct task_list *list)
{
	strbuf_release(&list->lines.text);
}
