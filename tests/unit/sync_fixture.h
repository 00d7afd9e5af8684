/*
 * What a test, rondo and libgit2 in it force to disk, name and remove, in that order. The calls of
 * the C library are taken over here, and passed on to the kernel.
 */
#pragma once
#include "tests/unit/unit.h"

#include <fcntl.h>
#include <limits.h>
#include <pthread.h>
#include <stdbool.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/arena.h"

enum sync_kind {
	SYNC_FORCED, /* fsync or fdatasync */
	SYNC_NAMED,  /* rename or link */
	SYNC_GONE,   /* unlink or rmdir */
};

struct sync_step {
	enum sync_kind kind;
	const char *path; /* absolute; of what was renamed the new one */
	const char *from; /* of what was renamed the old one */
};

static pthread_mutex_t sync_lock = PTHREAD_MUTEX_INITIALIZER;
static struct arena sync_arena;
static struct sync_step *sync_steps;
static size_t sync_n;

/* Begin anew. */
static inline void sync_reset(void)
{
	arena_release(&sync_arena);
	sync_steps = NULL;
	sync_n = 0;
}

/* The absolute path of a name below an open directory; of "" that of the directory itself. */
static inline const char *sync_path(int dir, const char *name)
{
	char link[64], path[PATH_MAX];
	if (*name == '/')
		return arena_strdup(&sync_arena, name);
	if (dir == AT_FDCWD)
		snprintf(link, sizeof link, "/proc/self/cwd");
	else
		snprintf(link, sizeof link, "/proc/self/fd/%d", dir);
	ssize_t n = readlink(link, path, sizeof path);
	return arena_printf(&sync_arena, "%.*s%s%s", n < 0 ? 0 : (int)n, path, *name ? "/" : "", name);
}

static inline int sync_step(
	long result, enum sync_kind kind, int dir, const char *path, int from_dir, const char *from)
{
	if (result != 0)
		return (int)result;
	pthread_mutex_lock(&sync_lock);
	struct sync_step step = {.kind = kind, .path = sync_path(dir, path)};
	step.from = from ? sync_path(from_dir, from) : NULL;
	ARENA_PUSH(&sync_arena, sync_steps, sync_n, step);
	pthread_mutex_unlock(&sync_lock);
	return 0;
}

#define SYNC_CALL __attribute__((visibility("default"))) int

SYNC_CALL fsync(int fd)
{
	return sync_step(syscall(SYS_fsync, fd), SYNC_FORCED, fd, "", 0, NULL);
}

SYNC_CALL fdatasync(int fd)
{
	return sync_step(syscall(SYS_fdatasync, fd), SYNC_FORCED, fd, "", 0, NULL);
}

SYNC_CALL renameat(int from_dir, const char *from, int dir, const char *path)
{
	long result = syscall(SYS_renameat2, from_dir, from, dir, path, 0);
	return sync_step(result, SYNC_NAMED, dir, path, from_dir, from);
}

SYNC_CALL rename(const char *from, const char *path)
{
	return renameat(AT_FDCWD, from, AT_FDCWD, path);
}

SYNC_CALL link(const char *from, const char *path)
{
	long result = syscall(SYS_linkat, AT_FDCWD, from, AT_FDCWD, path, 0);
	return sync_step(result, SYNC_NAMED, AT_FDCWD, path, AT_FDCWD, from);
}

SYNC_CALL unlinkat(int dir, const char *path, int flags)
{
	return sync_step(syscall(SYS_unlinkat, dir, path, flags), SYNC_GONE, dir, path, 0, NULL);
}

SYNC_CALL unlink(const char *path)
{
	return unlinkat(AT_FDCWD, path, 0);
}

SYNC_CALL rmdir(const char *path)
{
	return unlinkat(AT_FDCWD, path, AT_REMOVEDIR);
}

/* The first step of that kind from `start` on whose path begins so; sync_n: there is none. */
static inline size_t sync_find(size_t start, enum sync_kind kind, const char *path)
{
	for (size_t i = start; i < sync_n; i++)
		if (sync_steps[i].kind == kind && strncmp(sync_steps[i].path, path, strlen(path)) == 0)
			return i;
	return sync_n;
}

/* Where `path`, exactly, is forced to disk between two steps. */
static inline void sync_expect_forced(size_t from, size_t to, const char *path)
{
	for (size_t i = from; i < to; i++)
		if (sync_steps[i].kind == SYNC_FORCED && strcmp(sync_steps[i].path, path) == 0)
			return;
	fail_msg("'%s' is not forced to disk between the steps %zu and %zu", path, from, to);
}

/* Whether what got its name by a step is on disk before another one, name and all. */
static inline void sync_expect_named(size_t step, size_t to)
{
	const struct sync_step *named = &sync_steps[step];
	sync_expect_forced(0, step, named->from);
	sync_expect_forced(step, to,
		arena_strndup(&sync_arena, named->path, (size_t)(strrchr(named->path, '/') - named->path)));
}
