/*
 * The files of a checkout written, on all cores. The directories are there, and nothing is in the
 * way. Each hand has a thread and a handle on the store of its own and takes the next few files
 * that stand together, until one fails. What was taken before that one is still written: so the
 * error is that of the first file that cannot be, however the hands take turns.
 */
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdatomic.h>
#include <string.h>

#include "base/beneath.h"
#include "base/file.h"
#include "base/memory.h"
#include "base/thread.h"
#include "worktree/scan.h"

enum {
	MOST_HANDS = 8,
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

struct hand {
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

static int write_link(const struct worktree *worktree, int dir, const char *name,
	const struct stored *link, struct stat *ret_st)
{
	char target[PATH_MAX] = "";
	if (link->n < sizeof target)
		memcpy(target, link->bytes, link->n);
	if (symlinkat(target, dir, name) < 0 || worktree_give(worktree, dir, name) < 0)
		return -1;
	return fstatat(dir, name, ret_st, AT_SYMLINK_NOFOLLOW);
}

static int write_file(const struct worktree *worktree, int dir, const char *name, mode_t mode,
	const struct stored *file, int64_t mtime_ns, struct stat *ret_st)
{
	AUTO_CLOSE fd = openat(dir, name, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, mode);
	if (fd < 0 || file_write_all(fd, file->bytes, file->n) < 0)
		return -1;
	struct timespec times[] = {
		{.tv_nsec = UTIME_OMIT},
		{.tv_sec = mtime_ns / 1000000000, .tv_nsec = mtime_ns % 1000000000},
	};
	if ((mtime_ns && futimens(fd, times) < 0) || worktree_give(worktree, dir, name) < 0 ||
		fstat(fd, ret_st) < 0)
		return -1;
	if ((ret_st->st_mode & 07777) == mode)
		return 0;
	return fchmod(fd, mode) < 0 ? -1 : fstat(fd, ret_st);
}

static bool is_beside(const char *path, const char *other)
{
	size_t n = (size_t)(file_name(path) - path);
	return n == (size_t)(file_name(other) - other) && memcmp(path, other, n) == 0;
}

/* The directory of a file, which often is that of the one before. -1 with errno. */
static int enter(struct hand *hand, const char *path)
{
	if (hand->dir >= 0 && is_beside(hand->path, path))
		return hand->dir;
	if (hand->dir >= 0)
		close(hand->dir);
	hand->path = path;
	return hand->dir = beneath_open_parent(hand->writing->worktree->fd, path);
}

static int write_one(struct hand *hand, struct known_file *file)
{
	const struct worktree *worktree = hand->writing->worktree;
	const char *name = file_name(file->path);
	mode_t mode = file->mode == GIT_FILEMODE_BLOB_EXECUTABLE ? 0755 : 0644;
	bool is_link = file->mode == GIT_FILEMODE_LINK;
	AUTO_STORED bytes = {0};
	struct stat st;
	if (rules_checkout(hand->store, file->path, &file->id, file->mode, &bytes, &hand->err) < 0)
		return -1;
	int dir = enter(hand, file->path);
	if (dir < 0 ||
		(is_link ? write_link(worktree, dir, name, &bytes, &st)
				 : write_file(worktree, dir, name, mode, &bytes, file->mtime_ns, &st)) < 0)
		return error_errno(&hand->err, RONDO_ERROR_CANNOT_JUDGE, "cannot write '%s/%s'",
			worktree->dir, file->path);
	known_set(file, &file->id, file->mode, &st, 0);
	return 0;
}

/* Nothing from the `i`th file on need be written. */
static void fail(struct hand *hand, size_t i)
{
	hand->failed = i;
	size_t end = atomic_load(&hand->writing->end);
	while (i < end && !atomic_compare_exchange_weak(&hand->writing->end, &end, i))
		;
}

static void work(struct hand *hand)
{
	struct writing *writing = hand->writing;
	for (size_t i;
		 (i = atomic_fetch_add(&writing->next, FILES_AT_ONCE)) < atomic_load(&writing->end);)
		for (size_t j = i; j < i + FILES_AT_ONCE && j < atomic_load(&writing->end); j++)
			if (write_one(hand, writing->files[j]) < 0) {
				fail(hand, j);
				return;
			}
}

static void *work_alone(void *owner)
{
	struct hand *hand = owner;
	struct store reader = {0};
	if (!hand->store &&
		store_open_reader(&hand->writing->worktree->store, &reader, &hand->err) < 0) {
		fail(hand, 0);
		return NULL;
	}
	hand->store = hand->store ? hand->store : &reader;
	work(hand);
	if (hand->dir >= 0)
		close(hand->dir);
	store_release(&reader);
	return NULL;
}

int worktree_write(
	struct worktree *worktree, struct known_file **files, size_t n, struct rondo_error *err)
{
	struct writing writing = {.worktree = worktree, .files = files, .n = n, .end = n};
	struct hand hands[MOST_HANDS];
	size_t n_cores = thread_cores(), n_hands = 1;
	for (size_t i = 0; i < MOST_HANDS; i++)
		hands[i] = (struct hand){.writing = &writing, .failed = n, .dir = -1};
	if (n < FEW_FILES)
		hands[0].store = &worktree->store;
	else
		while (n_hands < n_cores && n_hands < MOST_HANDS &&
			thread_start(&hands[n_hands].thread, work_alone, &hands[n_hands]) == 0)
			n_hands++;
	work_alone(&hands[0]);
	for (size_t i = 1; i < n_hands; i++)
		pthread_join(hands[i].thread, NULL);
	const struct hand *first = &hands[0];
	for (size_t i = 1; i < n_hands; i++)
		if (hands[i].failed < first->failed)
			first = &hands[i];
	if (first->failed == n)
		return 0;
	*err = first->err;
	return -1;
}
