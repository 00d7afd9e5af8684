/*
 * A directory read as a tree: the user's checkout, or rondo's own after code under test has written
 * in it. Nothing is opened but relative to a directory descriptor and never through a link; what is
 * no file, link or directory is not opened at all. Directories without a change keep their tree.
 */
#include "worktree/scan.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

#include "base/file.h"
#include "base/memory.h"

enum { DEEPEST = 200 }; /* directories within each other; each takes a descriptor */

static size_t enter(struct scan *scan, const char *name)
{
	size_t length = scan->path.length;
	if (length)
		strbuf_addc(&scan->path, '/');
	strbuf_adds(&scan->path, name);
	return length;
}

static bool is_tree(const git_tree_entry *entry)
{
	return entry && git_tree_entry_type(entry) == GIT_OBJECT_TREE;
}

static bool is_gitlink(const git_tree_entry *entry)
{
	return entry && git_tree_entry_type(entry) == GIT_OBJECT_COMMIT;
}

static bool has_name(const struct level *level, const char *name)
{
	return text_in_sorted(level->names, level->n, name);
}

static void read_names(struct scan *scan, struct level *level)
{
	for (const char *name; level->dir && (name = file_next_name(level->dir));)
		ARENA_PUSH(&scan->names, level->names, level->n, arena_strdup(&scan->names, name));
	text_sort(level->names, level->n);
}

/* Take the .gitignore or .gitattributes file of this directory. In a sparse checkout one that is
 * absent counts as well. */
static int take_rules(
	struct scan *scan, const struct level *level, const char *name, struct rondo_error *err)
{
	const git_tree_entry *was = level->tracked ? git_tree_entry_byname(level->tracked, name) : NULL;
	AUTO_STORED blob = {0};
	AUTO_FREE char *bytes = NULL;
	const char *text = NULL;
	size_t n = 0;
	if (has_name(level, name)) {
		struct stat st;
		if (read_file_at(dirfd(level->dir), name, LARGEST_RULES, &st, &bytes, &n, err) < 0)
			return -1;
		text = bytes;
	} else if (scan->sparse && was && git_tree_entry_type(was) == GIT_OBJECT_BLOB) {
		if (store_read(scan->store, git_tree_entry_id(was), GIT_OBJECT_BLOB, &blob, err) < 0)
			return -1;
		text = blob.bytes;
		n = blob.n;
	}
	return rules_set(scan->store, scan->path.text, text, n, err);
}

static int take_all_rules(struct scan *scan, const struct level *level, struct rondo_error *err)
{
	static const char *const names[] = {".gitattributes", ".gitignore"};
	for (size_t i = 0; i < ARRAY_SIZE(names); i++) {
		size_t length = enter(scan, names[i]);
		if (take_rules(scan, level, names[i], err) < 0)
			return error_prefix(err, "%s", scan->path.text);
		strbuf_truncate(&scan->path, length);
	}
	return 0;
}

static bool is_left_out(const struct scan *scan)
{
	for (size_t i = 0; i < scan->n_leave_out; i++)
		if (strcmp(scan->leave_out[i], scan->path.text) == 0)
			return true;
	return false;
}

/* Whether the user's index has something at or below the path of a directory. */
static bool index_has_below(struct scan *scan)
{
	if (!scan->index)
		return false;
	strbuf_addc(&scan->path, '/');
	bool found = git_index_find_prefix(NULL, scan->index, scan->path.text) == 0;
	strbuf_truncate(&scan->path, scan->path.length - 1);
	return found;
}

static bool has_entry(int fd, const char *name)
{
	return faccessat(fd, name, F_OK, AT_SYMLINK_NOFOLLOW) == 0;
}

static bool is_repository(int fd)
{
	return has_entry(fd, ".git") ||
		(has_entry(fd, "HEAD") && has_entry(fd, "objects") && has_entry(fd, "refs"));
}

/* A submodule stays the link that it is. What is checked out there comes along read-only. */
static int visit_submodule(
	struct scan *scan, struct level *level, DIR *dir, const git_tree_entry *was)
{
	if (!scan->hostile && file_next_name(dir)) {
		scan_borrow(scan);
		scan_note(scan, "is a submodule: as it is checked out, read-only");
	} else if (!scan->hostile && scan->n_absent++ == 0) {
		scan->absent = arena_strdup(scan->arena, scan->path.text);
	}
	return scan_keep(scan, level, was);
}

static int scan_level(
	struct scan *scan, struct level *level, git_oid *ret_id, struct rondo_error *err);

/* Go into a directory, or (`dir` NULL) only into the tracked tree of one that is not there. */
static int descend(struct scan *scan, struct level *level, DIR *dir, const char *name,
	const git_tree_entry *was, bool ignored, struct rondo_error *err)
{
	AUTO_GIT(tree) *tracked = NULL;
	if (was && store_tree(scan->store, git_tree_entry_id(was), &tracked, err) < 0)
		return -1;
	if (scan->depth == DEEPEST) {
		scan_note(scan, "lies too deep");
		return scan_keep(scan, level, was);
	}
	struct level below = {.dir = dir, .tracked = tracked, .ignored = ignored};
	git_oid id;
	scan->depth++;
	if (scan_level(scan, &below, &id, err) < 0)
		return -1;
	scan->depth--;
	if (below.items.n)
		scan_put(scan, level, name, &id, GIT_FILEMODE_TREE);
	level->changed = level->changed || below.changed;
	return 0;
}

static int visit_dir(struct scan *scan, struct level *level, const char *name,
	const git_tree_entry *was, struct rondo_error *err)
{
	bool ignored = false;
	if (!was && scan_is_ignored(scan, level, true, &ignored, err) < 0)
		return -1;
	if (ignored && !index_has_below(scan))
		return 0;
	AUTO_DIR *dir = file_open_dir(dirfd(level->dir), name);
	if (!dir) {
		scan_note(scan, "cannot be read");
		return scan_keep(scan, level, was);
	}
	if (is_gitlink(was))
		return visit_submodule(scan, level, dir, was);
	if (!was && is_repository(dirfd(dir))) {
		scan_note(scan, "is a repository of its own and is left out%s",
			scan->hostile ? "" : ": --mount shows it to the tests");
		return 0;
	}
	if (!was && dependency_is(dirfd(dir), name) && !index_has_below(scan))
		return 0;
	return descend(scan, level, dir, name, was, ignored, err);
}

/* What is tracked and not there: gone, or only out of the sparse checkout. */
static int visit_absent(
	struct scan *scan, struct level *level, const git_tree_entry *was, struct rondo_error *err)
{
	const struct known_file *known = map_get(&scan->known->by_path, scan->path.text);
	if (is_tree(was))
		return descend(scan, level, NULL, git_tree_entry_name(was), was, false, err);
	if (is_gitlink(was) && (scan->hostile || known)) /* nobody has filled it */
		return scan_keep(scan, level, was);
	if (scan->sparse ? !scan->index || (known && known->skip) : known && known->skip)
		return scan_keep(scan, level, was);
	if (scan->hostile && strcmp(scan->path.text, ".gitmodules") == 0) {
		scan_note(scan, "says where submodules come from and may not go");
		return scan_keep(scan, level, was);
	}
	level->changed = true;
	scan->n_deleted++;
	return 0;
}

static int visit(struct scan *scan, struct level *level, const char *name, struct rondo_error *err)
{
	const git_tree_entry *was = level->tracked ? git_tree_entry_byname(level->tracked, name) : NULL;
	struct stat st;
	if (scan->depth == 0 && strcmp(name, ".git") == 0)
		return 0;
	if (is_left_out(scan))
		return scan_keep(scan, level, was);
	if (tree_name_is_refused(name)) {
		scan_note(scan, "has a name that git refuses");
		return scan_keep(scan, level, was);
	}
	if (fstatat(dirfd(level->dir), name, &st, AT_SYMLINK_NOFOLLOW) < 0)
		return was ? visit_absent(scan, level, was, err) : 0;
	bool was_dir = is_tree(was) || is_gitlink(was);
	if (was && was_dir != S_ISDIR(st.st_mode)) {
		if (visit_absent(scan, level, was, err) < 0)
			return -1;
		was = NULL;
	}
	if (!was && !scan->hostile && S_ISLNK(st.st_mode) &&
		dependency_is_link(dirfd(level->dir), name) &&
		!(scan->index && map_get(&scan->known->by_path, scan->path.text)))
		return 0;
	return S_ISDIR(st.st_mode) ? visit_dir(scan, level, name, was, err)
							   : scan_file(scan, level, name, was, &st, err);
}

static int visit_all(struct scan *scan, struct level *level, struct rondo_error *err)
{
	for (size_t i = 0; i < level->n; i++) {
		size_t length = enter(scan, level->names[i]);
		if (visit(scan, level, level->names[i], err) < 0)
			return -1;
		strbuf_truncate(&scan->path, length);
	}
	size_t n = level->tracked ? git_tree_entrycount(level->tracked) : 0;
	for (size_t i = 0; i < n; i++) {
		const git_tree_entry *was = git_tree_entry_byindex(level->tracked, i);
		if (has_name(level, git_tree_entry_name(was)))
			continue;
		size_t length = enter(scan, git_tree_entry_name(was));
		if (visit_absent(scan, level, was, err) < 0)
			return -1;
		strbuf_truncate(&scan->path, length);
	}
	return 0;
}

static int scan_level(
	struct scan *scan, struct level *level, git_oid *ret_id, struct rondo_error *err)
{
	read_names(scan, level);
	if (take_all_rules(scan, level, err) < 0 || visit_all(scan, level, err) < 0)
		return -1;
	if (level->tracked && !level->changed)
		*ret_id = *git_tree_id(level->tracked);
	else if (level->items.n || scan->depth == 0)
		return tree_write(scan->store, &level->items, ret_id, err);
	return 0;
}

int scan_directory(
	struct scan *scan, int fd, const git_tree *tracked, git_oid *ret_tree, struct rondo_error *err)
{
	AUTO_DIR *dir = file_open_dir(fd, ".");
	if (!dir)
		return error_errno(err, RONDO_ERROR_CANNOT_JUDGE, "cannot read the checkout");
	struct level root = {.dir = dir, .tracked = tracked};
	scan->path = (struct strbuf)STRBUF_INIT(STRBUF_LINE);
	scan->root = fd;
	scan->stamp_ns = time_of_files_ns();
	return scan_level(scan, &root, ret_tree, err);
}

void scan_release(struct scan *scan)
{
	strbuf_release(&scan->path);
	arena_release(&scan->names);
}
