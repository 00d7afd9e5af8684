/* An agent's edits brought into a worktree. */
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

#include "base/beneath.h"
#include "base/file.h"
#include "base/memory.h"
#include "worktree/scan.h"

/* Replacements, and the bytes of files. */
struct plan {
	struct arena arena;
	struct replacement *items;
	size_t n;
};

static void plan_release(struct plan *plan)
{
	arena_release(&plan->arena);
}

#define AUTO_PLAN __attribute__((cleanup(plan_release))) struct plan

/* The bytes of a file as it is now, in the arena; NULL where there is none. */
static int apply_read(const struct worktree *worktree, const char *path, struct arena *arena,
	const char **ret_bytes, size_t *ret_n, struct stat *st, struct rondo_error *err)
{
	AUTO_CLOSE dir = beneath_open_parent(worktree->fd, path);
	AUTO_FREE char *bytes = NULL;
	const char *name = file_name(path);
	*ret_bytes = NULL;
	*ret_n = 0;
	if (dir < 0 && errno != ENOENT)
		return error_errno(err, RONDO_ERROR_USAGE, "cannot reach '%s'", path);
	if (dir < 0 || fstatat(dir, name, st, AT_SYMLINK_NOFOLLOW) < 0)
		return 0;
	if (!S_ISREG(st->st_mode))
		return error_set(err, RONDO_ERROR_USAGE, "'%s' is a %s, not a file", path,
			S_ISDIR(st->st_mode)       ? "directory"
				: S_ISLNK(st->st_mode) ? "link"
									   : "special file");
	if (st->st_size > (off_t)STRBUF_TEXT)
		return error_set(err, RONDO_ERROR_USAGE, "'%s' is too large to edit", path);
	if (read_file_at(dir, name, (off_t)STRBUF_TEXT, st, &bytes, ret_n, err) < 0)
		return error_prefix(err, "%s", path);
	if (!bytes)
		return error_errno(err, RONDO_ERROR_USAGE, "cannot read '%s'", path);
	*ret_bytes = arena_strndup(arena, bytes, *ret_n);
	return 0;
}

/* The replacement of what a path holds now: a file, or nothing. */
static int apply_look(
	struct plan *plan, struct worktree *worktree, struct replacement *item, struct rondo_error *err)
{
	struct stat st;
	if (apply_read(worktree, item->path, &plan->arena, &item->old, &item->n_old, &st, err) < 0)
		return -1;
	item->exact_mode = true;
	item->old_mode = item->old ? st.st_mode : 0;
	item->mode = item->old ? st.st_mode & (S_IFMT | 0777) : S_IFREG | 0644;
	item->own = item->old ? geteuid() == 0 : worktree->owned;
	item->uid = item->old ? st.st_uid : worktree->uid;
	item->gid = item->old ? st.st_gid : worktree->gid;
	item->mtime_ns = worktree_next_time(worktree, item->old ? stat_mtime_ns(&st) : 0);
	return 0;
}

static int plan_edit(struct plan *plan, struct worktree *worktree, const struct file_edit *edit,
	struct rondo_error *err)
{
	struct replacement item = {.path = edit->path};
	if (edit_check_path(edit->path, err) < 0)
		return -1;
	for (size_t i = 0; i < plan->n; i++)
		if (strcmp(plan->items[i].path, edit->path) == 0)
			return error_set(err, RONDO_ERROR_USAGE, "'%s' is in the edit twice", edit->path);
	if (apply_look(plan, worktree, &item, err) < 0)
		return -1;
	if (!item.old && (edit->remove || !edit->content))
		return error_set(err, RONDO_ERROR_USAGE, "there is no file '%s' to change", edit->path);
	AUTO_STRBUF text = STRBUF_INIT(STRBUF_TEXT);
	if (!edit->remove) {
		if (edit_apply(edit, item.old ? item.old : "", item.n_old, &text, err) < 0)
			return -1;
		if (text.cut)
			return error_set(err, RONDO_ERROR_USAGE, "'%s' would be too large", edit->path);
		item.bytes = arena_strndup(&plan->arena, text.text, text.length);
		item.n = text.length;
	}
	ARENA_PUSH(&plan->arena, plan->items, plan->n, item);
	return 0;
}

/* Put the files in place; what they hold is to be looked at again. */
static int carry_out(struct plan *plan, struct worktree *worktree, struct rondo_error *err)
{
	for (size_t i = 0; i < plan->n; i++) {
		struct known_file *known = known_add(&worktree->known, plan->items[i].path);
		known->stamp_ns = 0;
		known->mode = GIT_FILEMODE_BLOB;
	}
	return replace_files(worktree->fd, plan->items, plan->n, err);
}

/* A submodule's files are not rondo's to change. */
static int check_submodules(struct worktree *worktree, const char *path, struct rondo_error *err)
{
	AUTO_GIT(tree) *tree = NULL;
	AUTO_FREE char *above = memory_strdup(path);
	if (store_open_tree(&worktree->store, &worktree->tree, &tree, err) < 0)
		return -1;
	for (char *slash = above; (slash = strchr(slash, '/')); slash++) {
		git_tree_entry *entry;
		*slash = '\0';
		if (git_tree_entry_bypath(&entry, tree, above) < 0)
			return 0;
		bool is_submodule = git_tree_entry_type(entry) == GIT_OBJECT_COMMIT;
		git_tree_entry_free(entry);
		if (is_submodule)
			return error_set(
				err, RONDO_ERROR_USAGE, "'%s' lies in the submodule '%s'", path, above);
		*slash = '/';
	}
	return 0;
}

int worktree_apply(struct worktree *worktree, const struct edit *edit, struct rondo_error *err)
{
	AUTO_PLAN plan = {0};
	for (size_t i = 0; i < edit->n; i++)
		if (plan_edit(&plan, worktree, &edit->files[i], err) < 0 ||
			check_submodules(worktree, edit->files[i].path, err) < 0)
			return -1;
	return carry_out(&plan, worktree, err);
}

/* What the checked-out tree has at a path takes the place of what is there. 1: this needs a
 * checkout. */
static int plan_revert(struct plan *plan, struct worktree *worktree, const git_tree *tree,
	const char *path, struct rondo_error *err)
{
	struct replacement item = {.path = path};
	git_tree_entry *entry = NULL;
	if (edit_check_path(path, err) < 0)
		return -1;
	if (apply_look(plan, worktree, &item, err) < 0)
		return 1; /* code under test has put something else there */
	if (git_tree_entry_bypath(&entry, tree, path) < 0) {
		if (item.old)
			ARENA_PUSH(&plan->arena, plan->items, plan->n, item);
		return 0;
	}
	git_filemode_t mode = git_tree_entry_filemode(entry);
	AUTO_STORED file = {0};
	int result = git_tree_entry_type(entry) != GIT_OBJECT_BLOB || mode == GIT_FILEMODE_LINK
		? 1
		: rules_checkout(&worktree->store, path, git_tree_entry_id(entry),
			  git_tree_entry_filemode(entry), &file, err);
	git_tree_entry_free(entry);
	if (result != 0)
		return result;
	item.bytes = arena_strndup(&plan->arena, file.bytes, file.n);
	item.n = file.n;
	item.mode = S_IFREG | (mode == GIT_FILEMODE_BLOB_EXECUTABLE ? 0755 : 0644);
	ARENA_PUSH(&plan->arena, plan->items, plan->n, item);
	return 0;
}

int worktree_revert(struct worktree *worktree, const struct edit *edit, struct rondo_error *err)
{
	AUTO_PLAN plan = {0};
	AUTO_GIT(tree) *tree = NULL;
	if (store_open_tree(&worktree->store, &worktree->tree, &tree, err) < 0 ||
		rules_load(&worktree->store, &worktree->tree, err) < 0)
		return -1;
	for (size_t i = 0; i < edit->n; i++) {
		int result = plan_revert(&plan, worktree, tree, edit->files[i].path, err);
		if (result < 0)
			return -1;
		if (result > 0)
			return worktree_checkout(worktree, &worktree->tree, err);
	}
	return carry_out(&plan, worktree, err);
}

static int date_file(
	struct worktree *worktree, const char *path, int64_t now_ns, struct rondo_error *err)
{
	AUTO_CLOSE dir = beneath_open_parent(worktree->fd, path);
	struct stat st;
	if (dir < 0 || fstatat(dir, file_name(path), &st, AT_SYMLINK_NOFOLLOW) < 0 ||
		!S_ISREG(st.st_mode) || stat_mtime_ns(&st) <= now_ns)
		return 0;
	const struct timespec times[] = {{.tv_nsec = UTIME_OMIT}, {.tv_nsec = UTIME_NOW}};
	if (utimensat(dir, file_name(path), times, AT_SYMLINK_NOFOLLOW) < 0)
		return error_errno(err, RONDO_ERROR_TRANSIENT, "cannot date '%s'", path);
	return 0;
}

int worktree_date_now(struct worktree *worktree, const struct edit *edit, struct rondo_error *err)
{
	int64_t now_ns = time_of_files_ns();
	for (size_t i = 0; i < (edit ? edit->n : worktree->known.n); i++)
		if (date_file(worktree, edit ? edit->files[i].path : worktree->known.items[i]->path, now_ns,
				err) < 0)
			return -1;
	worktree->last_mtime_ns = now_ns;
	return 0;
}

int worktree_file(struct worktree *worktree, const char *path, struct arena *arena,
	const char **ret_bytes, size_t *ret_n, struct rondo_error *err)
{
	struct stat st;
	const char *bytes;
	size_t n;
	if (edit_check_path(path, err) < 0 ||
		apply_read(worktree, path, arena, &bytes, &n, &st, err) < 0)
		return -1;
	*ret_bytes = bytes;
	*ret_n = n;
	return 0;
}
