/*
 * The dependencies of the user's checkout: what is in no tree but the suite needs. A directory such
 * as node_modules or a virtual environment is one whatever git says of it, and so is a link to one;
 * others, and files, are if git ignores them.
 */
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/beneath.h"
#include "base/file.h"
#include "base/glob.h"
#include "base/memory.h"
#include "worktree/internal.h"

enum { MOST_FILES = 500 }; /* each is a mount */

struct search {
	struct repository *repository;
	struct arena *arena;
	const char *const *names;
	size_t n_names;
	struct map seen;      /* directories that were looked at, and paths that were found */
	bool looks_around;    /* some name is a glob */
	int root;             /* the user's checkout, open */
	const git_tree *tree; /* the base */
	const char **paths;
	size_t n, n_files;
};

bool dependency_is(int fd, const char *name)
{
	return strcmp(name, "node_modules") == 0 || strcmp(name, "__pypackages__") == 0 ||
		faccessat(fd, "pyvenv.cfg", F_OK, AT_SYMLINK_NOFOLLOW) == 0 ||
		faccessat(fd, "conda-meta", F_OK, AT_SYMLINK_NOFOLLOW) == 0;
}

bool dependency_is_link(int dir, const char *name)
{
	AUTO_CLOSE fd = openat(dir, name, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	return fd >= 0 && dependency_is(fd, name);
}

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

static bool is_tracked(const struct search *search, const char *path)
{
	git_tree_entry *tracked = NULL;
	if (git_tree_entry_bypath(&tracked, search->tree, path) < 0)
		return false;
	git_tree_entry_free(tracked);
	return true;
}

static int try_name(
	struct search *search, const char *dir, size_t n, const char *name, struct rondo_error *err)
{
	const char *path = arena_printf(search->arena, "%.*s%s%s", (int)n, dir, n ? "/" : "", name);
	AUTO_CLOSE parent = beneath_open_parent(search->root, path);
	struct stat st;
	if (parent < 0 || fstatat(parent, file_name(path), &st, AT_SYMLINK_NOFOLLOW) < 0 ||
		is_tracked(search, path))
		return 0;
	bool is_taken = false;
	if (S_ISREG(st.st_mode)) {
		if (rules_ignored(&search->repository->store, path, &is_taken, err) < 0)
			return -1;
	} else if (S_ISLNK(st.st_mode)) {
		is_taken = dependency_is_link(parent, file_name(path));
	} else if (S_ISDIR(st.st_mode)) {
		AUTO_CLOSE fd = openat(parent, file_name(path), O_RDONLY | O_DIRECTORY | O_NOFOLLOW);
		is_taken = fd >= 0 && dependency_is(fd, name);
		if (fd >= 0 && !is_taken && is_ignored(search, fd, path, &is_taken, err) < 0)
			return -1;
	}
	if (is_taken)
		add(search, path);
	return 0;
}

/* A file that git ignores, such as one that an installation has made. Where it may hold keys, it
 * stays hidden. */
static int try_file(struct search *search, const char *path, struct rondo_error *err)
{
	static const char *const private[] = {
		".*", "*secret*", "*credential*", "*password*", "*token*", "*local*", "*account*"};
	bool ignored, found = false;
	for (size_t i = 0; i < ARRAY_SIZE(private); i++)
		if (glob_matches(private[i], path))
			return 0;
	for (size_t i = 0; i < search->n_names && !found; i++)
		found = strchr(search->names[i], '*') && glob_matches(search->names[i], path);
	if (!found || search->n_files == MOST_FILES || is_tracked(search, path))
		return 0;
	if (rules_ignored(&search->repository->store, path, &ignored, err) < 0)
		return -1;
	if (ignored) {
		add(search, path);
		search->n_files++;
	}
	return 0;
}

/* Look at all that is in a directory: a virtual environment may have any name. */
static int look_around(struct search *search, const char *dir, size_t n, struct rondo_error *err)
{
	const char *path = n ? arena_strndup(search->arena, dir, n) : ".";
	AUTO_DIR *open = file_open_dir(search->root, path);
	struct dirent *entry;
	while (open && (entry = readdir(open))) {
		const char *name = entry->d_name;
		const char *inside =
			arena_printf(search->arena, "%.*s%s%s", (int)n, dir, n ? "/" : "", name);
		if (entry->d_type == DT_REG && try_file(search, inside, err) < 0)
			return -1;
		if (entry->d_type == DT_LNK && dependency_is_link(dirfd(open), name) &&
			!is_tracked(search, inside))
			add(search, inside);
		if (entry->d_type != DT_DIR || strcmp(name, ".") == 0 || strcmp(name, "..") == 0)
			continue;
		AUTO_CLOSE fd = openat(dirfd(open), name, O_PATH | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
		if (fd >= 0 && dependency_is(fd, name) && !is_tracked(search, inside))
			add(search, inside);
	}
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
		if (search->looks_around && look_around(search, path, n, err) < 0)
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
	for (size_t i = 0; i < n_names; i++)
		search.looks_around = search.looks_around || strchr(names[i], '*');
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
