/* The files of a run without a repository: an empty directory, and what the scenario puts into it. */
#include <string.h>

#include "base/file.h"
#include "base/memory.h"
#include "run/stages.h"

static int write_files(const struct option_texts *files, const char *dir, struct arena *arena, struct rondo_error *err)
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

/* Relative names begin where the scenario lies, or for rondo fix where the person stands. */
const char *workspace_path(const struct scenario *scenario, const char *path)
{
	return *path == '/' || strcmp(scenario->dir, ".") == 0 ? path : arena_printf(scenario->arena, "%s/%s", scenario->dir, path);
}

/* A directory becomes the workspace; of one program the copy lies in it, and is its own suite. */
static int copy(struct run *run, const char *path, const char *dir, struct rondo_error *err)
{
	const char *from = file_real_path(run->arena, workspace_path(run->scenario, path), err);
	if (!from)
		return -1;
	run->path = file_is_dir(from) ? dir : arena_printf(run->arena, "%s/%s", dir, file_name(from));
	if (run->path != dir && file_make_dir(dir, 0700, err) < 0)
		return -1;
	return file_copy_tree(from, run->path, err);
}

int workspace_make(struct run *run, struct rondo_error *err)
{
	const struct scenario_workspace *workspace = &run->scenario->workspace;
	const char *dir = arena_printf(run->arena, "%s/workspace", run->paths.work);
	if (workspace->copy)
		return copy(run, workspace->copy, dir, err) < 0 ? error_prefix(err, "workspace.copy") : 0;
	run->path = dir;
	if (file_make_dir(dir, 0700, err) < 0)
		return -1;
	return write_files(&workspace->files, dir, run->arena, err);
}
