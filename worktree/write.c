/*
 * The files of a checkout written or linked, on all cores. The directories are there, and nothing
 * is in the way. Each worker has a thread and a handle on the store of its own and takes the next
 * few files that stand together, until one fails. What was taken before that one is still written:
 * so the error is that of the first file that cannot be, however the workers take turns.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdatomic.h>
#include <string.h>

#include "base/beneath.h"
#include "base/file.h"
#include "base/memory.h"
#include "base/thread.h"
#include "worktree/scan.h"

enum {
	MOST_WORKERS = 8,
	FILES_AT_ONCE = 64,
	FEW_FILES = 200, /* opening a handle and starting a thread takes as long as to write so many */
};

struct writing {
	const struct worktree *worktree;
	struct known_file **files;
	size_t n;
	atomic_size_t next;
	atomic_size_t end; /* the first file that could not be written; else n */
};

struct worker {
	struct writing *writing;
	struct store *store; /* NULL: it opens one */
	size_t failed;       /* which file; else n */
	struct rondo_error err;
	pthread_t thread;
	int dir; /* that of `path` */
	const char *path;
};

int worktree_give(const struct worktree *worktree, int dir, const char *name)
{
	return worktree->owned ? fchownat(dir, name, worktree->uid, worktree->gid, AT_SYMLINK_NOFOLLOW)
						   : 0;
}

static bool is_beside(const char *path, const char *other)
{
	size_t n = (size_t)(file_name(path) - path);
	return n == (size_t)(file_name(other) - other) && memcmp(path, other, n) == 0;
}

/* The directory of a file, which often is that of the one before. -1 with errno. */
static int enter(struct worker *worker, const char *path)
{
	if (worker->dir >= 0 && is_beside(worker->path, path))
		return worker->dir;
	if (worker->dir >= 0)
		close(worker->dir);
	worker->path = path;
	return worker->dir = beneath_open_parent(worker->writing->worktree->fd, path);
}

/* Link a file that is the same in the other worktree and has the time that this one shall have.
 * Where it is not so, or cannot be, it is written. */
static bool write_by_link(const struct worktree *worktree, struct known_file *file, int dir)
{
	struct worktree *other = worktree->other;
	struct known_file *same = other ? map_get(&other->known.by_path, file->path) : NULL;
	const char *name = file_name(file->path);
	struct stat st;
	if (!same || !same->stamp_ns || !git_oid_equal(&same->id, &file->id) ||
		same->mode != file->mode || file->mode == GIT_FILEMODE_LINK ||
		(file->mtime_ns && file->mtime_ns != same->mtime_ns) ||
		same->mtime_ns > time_of_files_ns() || worktree->store.smudges || other->store.smudges ||
		worktree->store.filters_always)
		return false;
	if (linkat(other->fd, file->path, dir, name, 0) < 0)
		return false;
	if (fstatat(dir, name, &st, AT_SYMLINK_NOFOLLOW) < 0 || !S_ISREG(st.st_mode) ||
		st.st_ino != same->inode || stat_mtime_ns(&st) != same->mtime_ns ||
		(uint64_t)st.st_size != same->size) {
		unlinkat(dir, name, 0);
		return false;
	}
	known_set(file, &file->id, file->mode, &st, 0);
	file->ctime_ns = same->ctime_ns = 0;
	return true;
}

static int write_one(struct worker *worker, struct known_file *file)
{
	const struct worktree *worktree = worker->writing->worktree;
	AUTO_STORED bytes = {0};
	struct stat st;
	bool created;
	int dir = enter(worker, file->path);
	if (dir >= 0 && write_by_link(worktree, file, dir))
		return 0;
	if (rules_checkout(worker->store, file->path, &file->id, file->mode, &bytes, &worker->err) < 0)
		return -1;
	struct replacement item = {
		.bytes = bytes.bytes,
		.n = bytes.n,
		.mode = file->mode == GIT_FILEMODE_LINK          ? S_IFLNK
			: file->mode == GIT_FILEMODE_BLOB_EXECUTABLE ? S_IFREG | 0755
														 : S_IFREG | 0644,
		.exact_mode = true,
		.own = worktree->owned,
		.uid = worktree->uid,
		.gid = worktree->gid,
		.mtime_ns = file->mtime_ns,
	};
	if (dir < 0 || replace_create(&item, dir, file_name(file->path), &st, &created) < 0)
		return error_errno(&worker->err, RONDO_ERROR_CANNOT_JUDGE, "cannot write '%s/%s'",
			worktree->dir, file->path);
	known_set(file, &file->id, file->mode, &st, 0);
	return 0;
}

/* Nothing from the `i`th file on need be written. */
static void fail(struct worker *worker, size_t i)
{
	worker->failed = i;
	size_t end = atomic_load(&worker->writing->end);
	while (i < end && !atomic_compare_exchange_weak(&worker->writing->end, &end, i))
		;
}

static void work(struct worker *worker)
{
	struct writing *writing = worker->writing;
	for (size_t i;
		 (i = atomic_fetch_add(&writing->next, FILES_AT_ONCE)) < atomic_load(&writing->end);)
		for (size_t j = i; j < i + FILES_AT_ONCE && j < atomic_load(&writing->end); j++)
			if (write_one(worker, writing->files[j]) < 0) {
				fail(worker, j);
				return;
			}
}

static void *write_alone(void *owner)
{
	struct worker *worker = owner;
	struct store reader = {0};
	if (!worker->store &&
		store_open_reader(&worker->writing->worktree->store, &reader, &worker->err) < 0) {
		fail(worker, 0);
		return NULL;
	}
	worker->store = worker->store ? worker->store : &reader;
	work(worker);
	if (worker->dir >= 0)
		close(worker->dir);
	store_release(&reader);
	return NULL;
}

int worktree_write(
	struct worktree *worktree, struct known_file **files, size_t n, struct rondo_error *err)
{
	struct writing writing = {.worktree = worktree, .files = files, .n = n, .end = n};
	struct worker workers[MOST_WORKERS];
	size_t n_cores = thread_cores(), n_workers = 1;
	for (size_t i = 0; i < MOST_WORKERS; i++)
		workers[i] = (struct worker){.writing = &writing, .failed = n, .dir = -1};
	if (n < FEW_FILES)
		workers[0].store = &worktree->store;
	else
		while (n_workers < n_cores && n_workers < MOST_WORKERS &&
			thread_start(&workers[n_workers].thread, write_alone, &workers[n_workers]) == 0)
			n_workers++;
	write_alone(&workers[0]);
	for (size_t i = 1; i < n_workers; i++)
		pthread_join(workers[i].thread, NULL);
	const struct worker *first = &workers[0];
	for (size_t i = 1; i < n_workers; i++)
		if (workers[i].failed < first->failed)
			first = &workers[i];
	if (first->failed == n)
		return 0;
	*err = first->err;
	return -1;
}
