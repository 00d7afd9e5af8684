/*
 * A fix brought into the user's checkout, on explicit wish: all of it, or nothing where one of its
 * files is not as it is in the base. A file that is already as the fix wants it is left alone, so
 * that a run which was killed here can do it again; what such a run left beside a file is known by
 * its name and its bytes.
 */
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <string.h>
#include <unistd.h>

#include "base/beneath.h"
#include "base/file.h"
#include "base/hash.h"
#include "base/memory.h"
#include "base/utf8.h"
#include "worktree/scan.h"

#define NAMED_CONFLICTS 5

/* A path of the fix when it was looked at. */
struct seen {
	bool is_done; /* it is as the fix wants it */
	bool is_there;
	struct stat st; /* where it is there */
};

struct bringing {
	struct repository *repository;
	struct arena arena;
	int root;
	struct map seen; /* by path */
	struct replacement *items;
	size_t n;
	struct strbuf conflicts;
	size_t n_conflicts;
};

static void bringing_release(struct bringing *bringing)
{
	arena_release(&bringing->arena);
	strbuf_release(&bringing->conflicts);
	if (bringing->root >= 0)
		close(bringing->root);
}

/* Note why a file cannot be changed. Gives 0: what else is in the way is told with it. */
static int refuse(struct bringing *bringing, const char *path, const char *why)
{
	if (bringing->n_conflicts++ < NAMED_CONFLICTS) {
		strbuf_addf(&bringing->conflicts, "%s'", bringing->n_conflicts > 1 ? "; " : "");
		utf8_scrub(&bringing->conflicts, path, strlen(path));
		strbuf_addf(&bringing->conflicts, "' %s", why);
	}
	return 0;
}

static int conflict_error(const struct bringing *bringing, struct rondo_error *err)
{
	size_t more =
		bringing->n_conflicts > NAMED_CONFLICTS ? bringing->n_conflicts - NAMED_CONFLICTS : 0;
	AUTO_STRBUF text = STRBUF_INIT(STRBUF_LINE);
	strbuf_adds(&text, bringing->conflicts.text);
	if (more)
		strbuf_addf(&text, "; and %zu more", more);
	error_set(err, RONDO_ERROR_USAGE, "your files were left as they are: %s", text.text);
	return error_help(err, "git merge the branch, or git apply --3way the patch");
}

/* --- Looking --- */

static bool is_link(const git_tree_entry *entry)
{
	return git_tree_entry_filemode(entry) == GIT_FILEMODE_LINK;
}

bool tree_has(const git_tree_entry *entry, const git_oid *id, const struct stat *st, bool mode)
{
	bool is_program = entry && git_tree_entry_filemode(entry) == GIT_FILEMODE_BLOB_EXECUTABLE;
	return entry && S_ISLNK(st->st_mode) == is_link(entry) &&
		git_oid_equal(id, git_tree_entry_id(entry)) &&
		(!mode || S_ISLNK(st->st_mode) || !(st->st_mode & S_IXUSR) == !is_program);
}

/* The name beside a file under which its replacement is written, and what it replaces is kept until
 * all are in place. */
static const char *name_beside(struct bringing *bringing, const char *path)
{
	char hex[HASH_SIZE];
	hash_bytes(path, strlen(path), hex);
	return arena_printf(&bringing->arena, ".rondo-%.12s", hex);
}

/* Whether a file holds the beginning of what the fix wants: its writer was killed. */
static int is_begun(struct store *store, int dir, const char *name, const char *path,
	const git_tree_entry *to, bool *ret_is, struct rondo_error *err)
{
	AUTO_STORED whole = {0};
	AUTO_FREE char *bytes = NULL;
	struct stat st;
	size_t n;
	*ret_is = false;
	if (!to || is_link(to))
		return 0;
	if (rules_checkout(
			store, path, git_tree_entry_id(to), git_tree_entry_filemode(to), &whole, err) < 0)
		return -1;
	if (read_file_at(dir, name, (off_t)whole.n, &st, &bytes, &n, err) < 0 || !bytes)
		return 0;
	*ret_is = memcmp(bytes, whole.bytes, n) == 0;
	return 0;
}

/* What a run that was killed left beside a file goes, as far as all that it holds is in the base or
 * the fix. */
static int clear_beside(struct bringing *bringing, int dir, const char *path,
	const git_tree_entry *from, const git_tree_entry *to, struct rondo_error *err)
{
	struct store *store = &bringing->repository->store;
	const char *name = name_beside(bringing, path);
	struct stat st;
	git_oid id;
	if (fstatat(dir, name, &st, AT_SYMLINK_NOFOLLOW) < 0)
		return 0;
	bool is_known = false;
	if (S_ISREG(st.st_mode) || S_ISLNK(st.st_mode)) {
		if (scan_blob(store, dir, name, path, &st, &id, err) < 0)
			return -1;
		is_known = tree_has(from, &id, &st, false) || tree_has(to, &id, &st, false);
	}
	if (!is_known && is_begun(store, dir, name, path, to, &is_known, err) < 0)
		return -1;
	if (is_known && unlinkat(dir, name, 0) == 0)
		return 0;
	return refuse(bringing, path,
		arena_printf(&bringing->arena, "has '%s' beside it, which is none of the fix", name));
}

/* What is at the path: as the fix wants it, as the base has it, or in the way. */
static int look(struct bringing *bringing, const char *path, const git_tree_entry *from,
	const git_tree_entry *to, struct seen *seen, struct rondo_error *err)
{
	AUTO_CLOSE dir = beneath_open_parent(bringing->root, path);
	git_oid id;
	if (dir < 0 && errno != ENOENT)
		return refuse(bringing, path,
			errno == EACCES ? "cannot be reached" : "lies below what is no directory any more");
	if (dir >= 0 && clear_beside(bringing, dir, path, from, to, err) < 0)
		return -1;
	seen->is_there = dir >= 0 && fstatat(dir, file_name(path), &seen->st, AT_SYMLINK_NOFOLLOW) == 0;
	if (!seen->is_there) {
		seen->is_done = !to;
		return seen->is_done || !from ? 0 : refuse(bringing, path, "is not there any more");
	}
	if (!S_ISREG(seen->st.st_mode) && !S_ISLNK(seen->st.st_mode))
		return refuse(bringing, path,
			S_ISDIR(seen->st.st_mode) ? "is a directory now" : "is no file any more");
	if (scan_blob(&bringing->repository->store, dir, file_name(path), path, &seen->st, &id, err) <
		0)
		return error_prefix(err, "%s", path);
	seen->is_done = tree_has(to, &id, &seen->st, bringing->repository->filemode);
	if (seen->is_done || tree_has(from, &id, &seen->st, false))
		return 0;
	return refuse(bringing, path, from ? "has changed since the run began" : "is there already");
}

static int look_at_one(void *owner, const char *path, const git_tree_entry *from,
	const git_tree_entry *to, struct rondo_error *err)
{
	struct bringing *bringing = owner;
	if (edit_check_path(path, err) < 0)
		return -1;
	if ((from && git_tree_entry_type(from) != GIT_OBJECT_BLOB) ||
		(to && git_tree_entry_type(to) != GIT_OBJECT_BLOB))
		return refuse(bringing, path, "is a submodule");
	struct seen *seen = arena_alloc(&bringing->arena, sizeof *seen);
	map_put(&bringing->seen, &bringing->arena, arena_strdup(&bringing->arena, path), seen);
	return look(bringing, path, from, to, seen, err);
}

/* --- Changing --- */

static bool is_same_file(const struct stat *a, const struct stat *b)
{
	return a->st_ino == b->st_ino && a->st_mode == b->st_mode && a->st_size == b->st_size &&
		stat_mtime_ns(a) == stat_mtime_ns(b) && stat_ctime_ns(a) == stat_ctime_ns(b);
}

static int read_link(
	struct bringing *bringing, struct replacement *item, int dir, struct rondo_error *err)
{
	char target[PATH_MAX];
	ssize_t n = readlinkat(dir, file_name(item->path), target, sizeof target);
	if (n < 0)
		return error_errno(err, RONDO_ERROR_USAGE, "cannot read '%s'", item->path);
	item->old = arena_strndup(&bringing->arena, target, (size_t)n);
	item->n_old = (size_t)n;
	return 0;
}

/* What is replaced must be what was looked at. */
static int take_old(struct bringing *bringing, struct replacement *item, const struct seen *seen,
	struct rondo_error *err)
{
	struct stat st;
	AUTO_CLOSE dir = beneath_open_parent(bringing->root, item->path);
	if (!seen->is_there)
		return 0;
	item->exact_mode = item->own = true;
	item->uid = seen->st.st_uid;
	item->gid = seen->st.st_gid;
	item->old_mode = seen->st.st_mode;
	if (S_ISLNK(item->old_mode))
		return read_link(bringing, item, dir, err);
	AUTO_FREE char *bytes = NULL;
	if (read_file_at(dir, file_name(item->path), INT64_MAX, &st, &bytes, &item->n_old, err) < 0)
		return error_prefix(err, "%s", item->path);
	if (!bytes || !is_same_file(&st, &seen->st))
		return refuse(bringing, item->path, "changes at this moment");
	item->old = arena_strndup(&bringing->arena, bytes, item->n_old);
	return 0;
}

/* A new file as the umask has it; an old one keeps its mode but for being a program or not. */
static mode_t mode_for(const struct replacement *item, git_filemode_t mode)
{
	if (mode == GIT_FILEMODE_LINK)
		return S_IFLNK | 0777;
	bool is_program = mode == GIT_FILEMODE_BLOB_EXECUTABLE;
	if (!item->old || S_ISLNK(item->old_mode))
		return S_IFREG | (is_program ? 0777 : 0666);
	if (!(item->old_mode & S_IXUSR) == !is_program)
		return item->old_mode;
	return is_program ? item->old_mode | (item->old_mode & 0444) >> 2
					  : item->old_mode & ~(mode_t)0111;
}

static int bring_one(void *owner, const char *path, const git_tree_entry *from,
	const git_tree_entry *to, struct rondo_error *err)
{
	(void)from;
	struct bringing *bringing = owner;
	struct arena *arena = &bringing->arena;
	const struct seen *seen = map_get(&bringing->seen, path);
	struct replacement item = {
		.path = arena_strdup(arena, path), .beside = name_beside(bringing, path), .durable = true};
	if (seen->is_done)
		return 0;
	if (take_old(bringing, &item, seen, err) < 0)
		return -1;
	if (to) {
		AUTO_STORED file = {0};
		if (rules_checkout(&bringing->repository->store, path, git_tree_entry_id(to),
				git_tree_entry_filemode(to), &file, err) < 0)
			return -1;
		item.bytes = arena_strndup(arena, file.bytes, file.n);
		item.n = file.n;
		item.mode = mode_for(&item, git_tree_entry_filemode(to));
		item.exact_mode = item.old && S_ISREG(item.old_mode);
	}
	ARENA_PUSH(arena, bringing->items, bringing->n, item);
	return 0;
}

int repository_apply(struct repository *repository, const struct base *base,
	const struct object *tree, struct rondo_error *err)
{
	struct store *store = &repository->store;
	__attribute__((cleanup(bringing_release))) struct bringing bringing = {
		.repository = repository,
		.root = open(repository->root, O_RDONLY | O_DIRECTORY | O_CLOEXEC),
		.conflicts = STRBUF_INIT(STRBUF_LINE),
	};
	if (bringing.root < 0)
		return error_errno(err, RONDO_ERROR_USAGE, "cannot open '%s'", repository->root);
	if (rules_load(store, &base->tree, err) < 0 ||
		tree_compare(store, &base->tree, tree, look_at_one, &bringing, err) < 0)
		return -1;
	if (bringing.n_conflicts)
		return conflict_error(&bringing, err);
	if (rules_load(store, tree, err) < 0 ||
		tree_compare(store, &base->tree, tree, bring_one, &bringing, err) < 0)
		return -1;
	if (bringing.n_conflicts)
		return conflict_error(&bringing, err);
	return replace_files(bringing.root, bringing.items, bringing.n, err);
}
