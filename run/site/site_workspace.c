/* The files of a run without a repository: an empty directory, and what the scenario puts into
 * it. */
#include <string.h>

#include "base/file.h"
#include "run/site/site.h"

static int workspace_write_files(
	const struct option_texts *files, const char *dir, struct arena *arena, struct rondo_error *err)
{
	for (size_t i = 0; i < files->n; i++) {
		const char *path = arena_printf(arena, "%s/%s", dir, files->names[i]);
		const char *above = arena_strndup(arena, path, (size_t)(strrchr(path, '/') - path));
		if (file_make_dir(above, 0755, err) < 0 ||
			file_create(path, files->items[i], strlen(files->items[i]), 0644, err) < 0)
			return -1;
	}
	return 0;
}

/* A directory becomes the workspace; a single program is copied into it, and is its own suite. */
static int workspace_copy(const struct run_env *env, const struct scenario *scenario,
	const char *dir, const char **ret_path, struct rondo_error *err)
{
	const char *from =
		file_real_path(env->arena, order_path(scenario, scenario->workspace.copy), err);
	if (!from)
		return -1;
	if (env->order->dry_run) {
		*ret_path = from;
		return 0;
	}
	const char *to =
		file_is_dir(from) ? dir : arena_printf(env->arena, "%s/%s", dir, file_name(from));
	if ((to != dir && file_make_dir(dir, 0700, err) < 0) || file_copy_tree(from, to, err) < 0)
		return -1;
	*ret_path = to;
	return 0;
}

int site_make_workspace(const struct run_env *env, const struct scenario *scenario,
	const char **ret_path, struct rondo_error *err)
{
	const char *dir = arena_printf(env->arena, "%s/workspace", env->paths.work);
	if (scenario->workspace.copy)
		return workspace_copy(env, scenario, dir, ret_path, err) < 0
			? error_prefix(err, "workspace.copy")
			: 0;
	const char *given = env->order->work_dir;
	if (given && file_is_dir(given) && !env->order->dry_run) {
		*ret_path = dir;
		return file_copy_tree(given, dir, err) < 0 ? error_prefix(err, "executor.work_dir") : 0;
	}
	if (file_make_dir(dir, 0700, err) < 0 ||
		workspace_write_files(&scenario->workspace.files, dir, env->arena, err) < 0)
		return -1;
	*ret_path = dir;
	return 0;
}
