/* rondo check: whether files are scenarios, with everything that is wrong in them. */
#include <string.h>

#include "base/file.h"
#include "base/utf8.h"
#include "run/run.h"
#include "run/scenario/scenario.h"

static void check_file(const char *path, struct run_check *check)
{
	AUTO_ARENA arena = ARENA_INIT;
	struct problems problems = {.arena = &arena};
	struct scenario scenario;
	static const struct scenario_settings settings = {.may_lack_values = true};
	scenario_init(&scenario, &arena);
	scenario_read(&scenario, path, &settings, &problems);
	problems_print(&problems, check->text);
	for (size_t i = 0; i < scenario.notices.n; i++) {
		strbuf_adds(check->text, "! ");
		utf8_show(check->text, scenario.notices.items[i]);
		strbuf_addc(check->text, '\n');
	}
	check->n_files++;
	check->n_wrong += problems.n > 0;
	check->n_problems += problems.n + problems.n_left_out;
}

static bool is_scenario_name(const char *name)
{
	return *name != '.' &&
		(text_ends_with(name, ".yaml") || text_ends_with(name, ".yml") ||
			text_ends_with(name, ".json"));
}

int run_scenario_files(
	const char *path, struct arena *arena, struct option_strings *files, struct rondo_error *err)
{
	if (!file_is_dir(path)) {
		ARENA_PUSH(arena, files->items, files->n, path);
		return 0;
	}
	size_t first = files->n, n = strlen(path);
	while (n > 1 && path[n - 1] == '/')
		n--;
	AUTO_DIR *dir = opendir(path);
	if (!dir)
		return error_errno(err, RONDO_ERROR_USAGE, "cannot open '%s'", path);
	for (const char *name; (name = file_next_name(dir));)
		if (is_scenario_name(name))
			ARENA_PUSH(
				arena, files->items, files->n, arena_printf(arena, "%.*s/%s", (int)n, path, name));
	if (files->n == first)
		return error_set(
			err, RONDO_ERROR_USAGE, "'%s' holds no scenario: no .yaml, .yml or .json file", path);
	text_sort(files->items + first, files->n - first);
	return 0;
}

int run_check(const struct option_strings *paths, struct arena *arena, struct run_check *check,
	struct rondo_error *err)
{
	struct option_strings files = {0};
	for (size_t i = 0; i < paths->n; i++)
		if (run_scenario_files(paths->items[i], arena, &files, err) < 0)
			return -1;
	for (size_t i = 0; i < files.n; i++)
		check_file(files.items[i], check);
	return 0;
}
