/*
 * A tree checked out. It is gone through once: directories are made, what is in the way goes, what
 * is right already stays as it is, and the other files are noted, for worktree_write. Modes are
 * exact whatever the umask is, because another user may be the one to run the tests.
 */
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "base/file.h"
#include "base/memory.h"
#include "worktree/scan.h"

enum {
	DEEPEST = 200, /* as deep as a scan goes */
	READ_AGAIN = 1 << 20,
};

struct checkout {
	struct worktree *worktree;
	struct strbuf path;
	bool fresh; /* the directory was made just now and is empty */
	int depth;
	struct arena arena;
	struct known_file **files; /* what is to be written */
	size_t n;
};

int64_t worktree_next_time(struct worktree *worktree, int64_t old_mtime_ns)
{
	/* Another second, because Python's bytecode knows its source by the second and the size. */
	const int64_t second = 1000000000;
	struct timespec clock;
	clock_gettime(CLOCK_REALTIME, &clock);
	int64_t time = clock.tv_sec * second + clock.tv_nsec;
	if (time <= worktree->last_mtime_ns)
		time = worktree->last_mtime_ns + 1;
	if (old_mtime_ns && time / second <= old_mtime_ns / second)
		time = (old_mtime_ns / second + 1) * second;
	return worktree->last_mtime_ns = time;
}

/* Remove whatever has a name, also a whole directory. */
static int clear_way(int dir, const char *name, struct rondo_error *err)
{
	if (unlinkat(dir, name, 0) == 0 || errno == ENOENT)
		return 0;
	char path[NAME_MAX + 64];
	snprintf(path, sizeof path, "/proc/self/fd/%d/%s", dir, name);
	return file_remove_tree(path, err);
}

static int open_dir(int dir, const char *name)
{
	return openat(dir, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
}

static int make_dir(struct checkout *checkout, int dir, const char *name)
{
	if (mkdirat(dir, name, 0755) < 0 || worktree_give(checkout->worktree, dir, name) < 0)
		return -1;
	int fd = open_dir(dir, name);
	if (fd >= 0)
		fchmod(fd, 0755);
	return fd;
}

/* A directory to write in, made where there is none. -1 with err set. */
static int enter_dir(struct checkout *checkout, int dir, const char *name, struct rondo_error *err)
{
	int fd = checkout->fresh ? -1 : open_dir(dir, name);
	if (fd < 0 && !checkout->fresh && errno == EACCES && fchmodat(dir, name, 0755, 0) == 0)
		fd = open_dir(dir, name);
	if (fd >= 0)
		return fd;
	if (!checkout->fresh && clear_way(dir, name, err) < 0)
		return -1;
	fd = make_dir(checkout, dir, name);
	if (fd < 0)
		error_errno(err, RONDO_ERROR_CANNOT_JUDGE, "cannot make directory '%s/%s'",
			checkout->worktree->dir, checkout->path.text);
	return fd;
}

static bool has_mode(const struct stat *st, const git_tree_entry *entry)
{
	git_filemode_t filemode = git_tree_entry_filemode(entry);
	mode_t mode = filemode == GIT_FILEMODE_BLOB_EXECUTABLE ? 0755 : 0644;
	return S_ISLNK(st->st_mode) == (filemode == GIT_FILEMODE_LINK) &&
		(S_ISLNK(st->st_mode) || (st->st_mode & 0777) == mode);
}

/* Of a file that may have changed within the tick of the clock in which it was looked at. Written
 * again it would get a time that lies ahead, and be in doubt for a second more. */
static bool is_same_when_read(struct worktree *worktree, struct known_file *known,
	const struct stat *st, const git_tree_entry *entry, int dir)
{
	struct rondo_error ignored;
	git_oid id;
	int64_t now = time_of_files_ns();
	if (!known->stamp_ns || known->mtime_ns != stat_mtime_ns(st) ||
		!git_oid_equal(&known->id, git_tree_entry_id(entry)) || !S_ISREG(st->st_mode) ||
		st->st_size > READ_AGAIN || known->size != (uint64_t)st->st_size ||
		scan_blob(&worktree->store, dir, git_tree_entry_name(entry), known->path, st, &id,
			&ignored) < 0 ||
		!git_oid_equal(&id, &known->id))
		return false;
	known_set(known, &id, known->mode, st, now);
	return true;
}

/* Whether a file is there as it shall be. Gives its time, or 0. */
static bool is_right(struct worktree *worktree, struct known_file *known,
	const git_tree_entry *entry, int dir, int64_t *ret_mtime_ns)
{
	struct stat st;
	*ret_mtime_ns = 0;
	if (fstatat(dir, git_tree_entry_name(entry), &st, AT_SYMLINK_NOFOLLOW) < 0)
		return false;
	*ret_mtime_ns = stat_mtime_ns(&st);
	if (!has_mode(&st, entry))
		return false;
	return known_is_fresh(known, &st) ? git_oid_equal(&known->id, git_tree_entry_id(entry))
									  : is_same_when_read(worktree, known, &st, entry, dir);
}

/* A file that is as the user or an earlier checkout has it keeps that time: what was built of it
 * there is not older. Another one is newer than both. */
static int64_t fresh_time(struct worktree *worktree, const struct known_file *file)
{
	struct repository *repository = worktree->repository;
	const struct known_file *seen = map_get(&repository->seen.by_path, file->path);
	bool is_users = seen && seen->stamp_ns && git_oid_equal(&seen->id, &file->id);
	if (is_users && seen->mtime_ns < seen->stamp_ns)
		return seen->mtime_ns;
	struct known_file *given = known_add(&repository->given, file->path);
	if (given->mtime_ns && git_oid_equal(&given->id, &file->id))
		return given->mtime_ns;
	int64_t old_ns = seen && !is_users ? seen->mtime_ns : 0;
	given->id = file->id;
	return given->mtime_ns =
			   worktree_next_time(worktree, given->mtime_ns > old_ns ? given->mtime_ns : old_ns);
}

static int note_file(
	struct checkout *checkout, int dir, const git_tree_entry *entry, struct rondo_error *err)
{
	struct worktree *worktree = checkout->worktree;
	struct known_file *known = known_add(&worktree->known, checkout->path.text);
	int64_t old_mtime_ns = 0;
	if (known->round == worktree->round)
		return error_set(
			err, RONDO_ERROR_CANNOT_JUDGE, "the tree has '%s' twice", checkout->path.text);
	known->round = worktree->round;
	if (!checkout->fresh && is_right(worktree, known, entry, dir, &old_mtime_ns))
		return 0;
	if (!checkout->fresh && clear_way(dir, git_tree_entry_name(entry), err) < 0)
		return -1;
	known->id = *git_tree_entry_id(entry);
	known->mode = git_tree_entry_filemode(entry);
	known->mtime_ns = checkout->fresh ? fresh_time(worktree, known)
									  : worktree_next_time(worktree, old_mtime_ns);
	known->stamp_ns = 0;
	ARENA_PUSH(&checkout->arena, checkout->files, checkout->n, known);
	return 0;
}

static int enter_tree(
	struct checkout *checkout, int dir, const git_oid *id, struct rondo_error *err)
{
	AUTO_GIT(tree) *tree = NULL;
	if (store_tree(&checkout->worktree->store, id, &tree, err) < 0)
		return -1;
	if (checkout->depth++ > DEEPEST)
		return error_set(err, RONDO_ERROR_CANNOT_JUDGE, "'%s' lies too deep", checkout->path.text);
	size_t n = git_tree_entrycount(tree);
	for (size_t i = 0; i < 2 * n; i++) {
		const git_tree_entry *entry = git_tree_entry_byindex(tree, i < n ? i : i - n);
		const char *name = git_tree_entry_name(entry);
		bool is_file = git_tree_entry_type(entry) == GIT_OBJECT_BLOB;
		if (is_file != (i < n)) /* the files first, so that they stand together */
			continue;
		if (tree_name_is_refused(name))
			return error_set(err, RONDO_ERROR_CANNOT_JUDGE,
				"the tree has an entry '%s' in '%s', which git refuses", name, checkout->path.text);
		size_t length = checkout->path.length;
		strbuf_addf(&checkout->path, "%s%s", length ? "/" : "", name);
		if (is_file) {
			if (note_file(checkout, dir, entry, err) < 0)
				return -1;
		} else {
			AUTO_CLOSE below = enter_dir(checkout, dir, name, err);
			if (below < 0)
				return -1;
			if (git_tree_entry_type(entry) == GIT_OBJECT_TREE &&
				enter_tree(checkout, below, git_tree_entry_id(entry), err) < 0)
				return -1;
		}
		strbuf_truncate(&checkout->path, length);
	}
	checkout->depth--;
	return 0;
}

/* Remove what was in an earlier tree only, and trust from now on what was written. */
static int finish(struct worktree *worktree, struct rondo_error *err)
{
	int64_t now = time_of_files_ns();
	for (size_t i = 0; i < worktree->known.n; i++) {
		struct known_file *known = worktree->known.items[i];
		if (known->round == worktree->round) {
			if (!known->stamp_ns)
				known->stamp_ns = now;
			continue;
		}
		if (known->mode && remove_file(worktree->fd, known->path) < 0 && errno != EISDIR)
			return error_errno(
				err, RONDO_ERROR_CANNOT_JUDGE, "cannot remove '%s/%s'", worktree->dir, known->path);
		known->mode = 0;
		known->stamp_ns = 0;
	}
	return 0;
}

static void checkout_release(struct checkout *checkout)
{
	strbuf_release(&checkout->path);
	arena_release(&checkout->arena);
}

int worktree_checkout(struct worktree *worktree, const struct object *tree, struct rondo_error *err)
{
	git_oid id;
	if (oid_of(tree, &id, err) < 0 || rules_load(&worktree->store, tree, err) < 0)
		return -1;
	__attribute__((cleanup(checkout_release))) struct checkout checkout = {
		.worktree = worktree,
		.path = STRBUF_INIT(STRBUF_LINE),
		.fresh = worktree->round == 0,
	};
	worktree->round++;
	if (enter_tree(&checkout, worktree->fd, &id, err) < 0 ||
		worktree_write(worktree, checkout.files, checkout.n, err) < 0 || finish(worktree, err) < 0)
		return -1;
	worktree->tree = *tree;
	return 0;
}
