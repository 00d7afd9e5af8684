#include "agents/sources.h"

#include <string.h>

#include "base/utf8.h"

#define LARGEST_FILE ((size_t)8 << 20)
#define LARGEST_TEXT ((size_t)1 << 20) /* for a model */
#define LARGEST_TOTAL ((size_t)32 << 20)

static const char *source_bytes(const struct agent_services *services, const char *path,
	size_t most, struct arena *arena, size_t *ret_n, const char **ret_why)
{
	const char *text = NULL;
	struct rondo_error err;
	*ret_why = NULL;
	if (worktree_file(services->main_checkout->worktree, path, arena, &text, ret_n, &err) < 0)
		*ret_why = arena_strdup(arena, err.message);
	else if (text && *ret_n > most)
		*ret_why = arena_printf(arena, "'%s' is larger than %zu bytes", path, most);
	return *ret_why ? NULL : text;
}

const char *source_text(const struct agent_services *services, const char *path,
	struct arena *arena, const char **ret_why)
{
	size_t n;
	const char *text = source_bytes(services, path, LARGEST_TEXT, arena, &n, ret_why);
	if (text && utf8_valid_length(text, n) < n)
		*ret_why = arena_printf(arena, "'%s' is not text in UTF-8", path);
	return *ret_why ? NULL : text;
}

int sources_paths(const struct agent_services *services, struct arena *arena,
	const char ***ret_paths, size_t *ret_n, struct rondo_error *err)
{
	const char **paths = NULL;
	size_t n = 0, kept = 0;
	if (services->repository &&
		repository_list(services->repository, &services->base->tree, arena, &paths, &n, err) < 0)
		return -1;
	for (size_t i = 0; i < n; i++)
		if (utf8_valid_length(paths[i], strlen(paths[i])) == strlen(paths[i]))
			paths[kept++] = paths[i];
	*ret_paths = paths;
	*ret_n = kept;
	return 0;
}

/* What of a program tests it; a part that lies in another one is frozen with it. */
static void sources_freeze(struct repair_file *file, struct arena *arena)
{
	struct program_part *parts;
	size_t n = program_parts(file->path, file->text, arena, &parts), end = 0;
	size_t *starts = arena_alloc(arena, (n + 1) * sizeof *starts);
	size_t *ends = arena_alloc(arena, (n + 1) * sizeof *ends);
	for (size_t i = 0; i < n; i++) {
		if (parts[i].frozen_end <= end)
			continue;
		starts[file->n_frozen] = parts[i].frozen_start;
		ends[file->n_frozen++] = end = parts[i].frozen_end;
	}
	file->frozen_starts = starts;
	file->frozen_ends = ends;
}

static bool sources_load_file(const struct agent_services *services, const char *path,
	struct arena *arena, struct repair_file *file)
{
	size_t n;
	const char *why, *text = source_bytes(services, path, LARGEST_FILE, arena, &n, &why);
	if (!text)
		return false;
	*file = (struct repair_file){.path = path,
		.n = n,
		.text = text,
		.editable = !services->protection || !protection_rule(services->protection, path)};
	for (const char *const *own = services->suite->own_tests; own && *own; own++)
		if (strcmp(*own, path) == 0)
			sources_freeze(file, arena);
	return true;
}

int sources_load(const struct agent_services *services, struct arena *arena,
	struct repair_file **ret_files, size_t *ret_n, struct rondo_error *err)
{
	const char *alone = services->suite->is_alone ? services->suite->program : NULL, **paths;
	struct repair_file *files = NULL;
	size_t n, loaded = 0, total = 0;
	if (sources_paths(services, arena, &paths, &n, err) < 0)
		return -1;
	for (size_t i = 0; i < n && total < LARGEST_TOTAL; i++) {
		struct repair_file file;
		if (!repair_knows(paths[i]) || (alone && strcmp(alone, paths[i]) != 0))
			continue;
		if (!sources_load_file(services, paths[i], arena, &file))
			continue;
		total += file.n;
		ARENA_PUSH(arena, files, loaded, file);
	}
	*ret_files = files;
	*ret_n = loaded;
	return 0;
}
