/*
 * The dependencies of the user's checkout: directories such as node_modules that git ignores but
 * that the suite needs.
 */
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

#include "base/beneath.h"
#include "base/file.h"
#include "base/memory.h"
#include "worktree/internal.h"

struct search {
	struct repository *repository;
	struct arena *arena;
	const char *const *names;
	size_t n_names;
	struct map seen;      /* directories that were looked at, and paths that were found */
	int root;             /* the user's checkout, open */
	const git_tree *tree; /* the base */
	const char **paths;
	size_t n;
};

static void add(struct search *search, const char *path)
{
	const char *kept = arena_strdup(search->arena, path);
	if (map_get(&search->seen, kept))
		return;
	map_put(&search->seen, search->arena, kept, search);
	ARENA_PUSH(search->arena, search->paths, search->n, kept);
}

/* Take what the .gitignore file of a directory says, where there is one. */
static int take_rules(struct search *search, int dir, const char *path, struct rondo_error *err)
{
	AUTO_FREE char *bytes = NULL;
	struct stat st;
	size_t n;
	if (read_file_at(dir, ".gitignore", LARGEST_RULES, &st, &bytes, &n, err) < 0)
		return -1;
	return bytes ? rules_set(&search->repository->store, path, bytes, n, err) : 0;
}

/* Some tools put a .gitignore file with "*" into the directory instead: then all in it is ignored.
 */
static int is_ignored(
	struct search *search, int dir, const char *path, bool *ret_ignored, struct rondo_error *err)
{
	struct store *store = &search->repository->store;
	const char *inside = arena_printf(search->arena, "%s/", path);
	if (rules_ignored(store, inside, ret_ignored, err) < 0 || *ret_ignored)
		return *ret_ignored ? 0 : -1;
	if (take_rules(search, dir, arena_printf(search->arena, "%s/.gitignore", path), err) < 0)
		return -1;
	return rules_ignored(
		store, arena_printf(search->arena, "%s/pyvenv.cfg", path), ret_ignored, err);
}

/* A .gitignore file that ignores itself is in no tree. */
static int take_own_rules(struct search *search, struct rondo_error *err)
{
	if (git_tree_entry_byname(search->tree, ".gitignore"))
		return 0;
	return take_rules(search, search->root, ".gitignore", err);
}

static int try_name(
	struct search *search, const char *dir, size_t n, const char *name, struct rondo_error *err)
{
	const char *path = arena_printf(search->arena, "%.*s%s%s", (int)n, dir, n ? "/" : "", name);
	AUTO_CLOSE fd = beneath_open(search->root, path, O_RDONLY | O_DIRECTORY);
	bool ignored = false;
	if (fd < 0)
		return 0;
	git_tree_entry *tracked = NULL;
	if (git_tree_entry_bypath(&tracked, search->tree, path) == 0) {
		git_tree_entry_free(tracked);
		return 0;
	}
	if (is_ignored(search, fd, path, &ignored, err) < 0)
		return -1;
	if (ignored)
		add(search, path);
	return 0;
}

/* Look beside a tracked file, and in the directories above it. */
static int look_beside(void *owner, const char *path, const git_tree_entry *from,
	const git_tree_entry *to, struct rondo_error *err)
{
	(void)from, (void)to;
	struct search *search = owner;
	for (size_t n = strlen(path); n;) {
		while (n && path[n - 1] != '/')
			n--;
		n -= n > 0;
		const char *dir = arena_printf(search->arena, "%.*s/", (int)n, path);
		if (map_get(&search->seen, dir))
			return 0;
		map_put(&search->seen, search->arena, dir, search);
		for (size_t i = 0; i < search->n_names; i++)
			if (try_name(search, path, n, search->names[i], err) < 0)
				return -1;
	}
	return 0;
}

static int add_extra(struct search *search, const char *path, struct rondo_error *err)
{
	const char *root = search->repository->root;
	size_t n = strlen(path);
	while (n && path[n - 1] == '/')
		n--;
	const char *relative = arena_strndup(search->arena, path, n);
	struct rondo_error why;
	if (edit_check_path(relative, &why) < 0)
		return error_set(err, RONDO_ERROR_USAGE, "mount '%s' is no path inside '%s'", path, root);
	const char *real =
		file_real_path(search->arena, arena_printf(search->arena, "%s/%s", root, relative), err);
	if (!real)
		return error_prefix(err, "mount");
	const char *real_root = file_real_path(search->arena, root, err);
	if (!real_root || !file_is_below(real, real_root))
		return real_root ? error_set(err, RONDO_ERROR_USAGE,
							   "mount '%s' leads out of '%s', to '%s'", path, root, real)
						 : -1;
	if (!file_is_dir(real))
		return error_set(err, RONDO_ERROR_USAGE, "mount '%s' is not a directory", path);
	add(search, relative);
	return 0;
}

int repository_dependencies(struct repository *repository, const struct base *base,
	const char *const *names, size_t n_names, const char *const *extra, size_t n_extra,
	struct arena *arena, const char ***ret_paths, size_t *ret_n, struct rondo_error *err)
{
	struct search search = {
		.repository = repository, .arena = arena, .names = names, .n_names = n_names};
	struct store *store = &repository->store;
	AUTO_GIT(tree) *tree = NULL;
	if (store_open_tree(store, &base->tree, &tree, err) < 0 ||
		rules_load(store, &base->tree, err) < 0)
		return -1;
	AUTO_CLOSE root = open(repository->root, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (root < 0)
		return error_errno(err, RONDO_ERROR_USAGE, "cannot open '%s'", repository->root);
	search.root = root;
	search.tree = tree;
	if (take_own_rules(&search, err) < 0 ||
		tree_compare(store, NULL, &base->tree, look_beside, &search, err) < 0)
		return -1;
	for (size_t i = 0; i < n_extra; i++)
		if (add_extra(&search, extra[i], err) < 0)
			return -1;
	*ret_paths = search.paths;
	*ret_n = search.n;
	return 0;
}
