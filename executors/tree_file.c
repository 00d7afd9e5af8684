#include "executors/tree_file.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/beneath.h"
#include "base/file.h"
#include "base/memory.h"

static int tree_file_own(const struct executor *executor, int fd)
{
	return executor->world->drop ? fchown(fd, executor->world->uid, executor->world->gid) : 0;
}

/* The open directory that `name` lies in, made where it is missing. */
static int tree_file_enter(const struct executor *executor, const char *dir, const char *name)
{
	const struct world *world = executor->world;
	struct beneath_dirs dirs = {
		.mode = 0755, .own = world->drop, .uid = world->uid, .gid = world->gid};
	AUTO_CLOSE top = open(dir, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	return top < 0 ? -1 : beneath_make_parent(top, name, &dirs);
}

/* What stands at a place where something else is to stand; a directory only where it is empty. */
static int tree_file_clear_place(int parent, const char *last)
{
	if (unlinkat(parent, last, 0) == 0 || errno == ENOENT)
		return 0;
	return errno == EISDIR ? unlinkat(parent, last, AT_REMOVEDIR) : -1;
}

/* 1 where something is there already. */
static int tree_file_write_new(const struct executor *executor, int parent, const char *name,
	const void *bytes, size_t n, mode_t mode)
{
	AUTO_CLOSE fd =
		openat(parent, name, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, mode);
	if (fd < 0 && errno == EEXIST)
		return 1;
	return fd < 0 || file_write_all(fd, bytes, n) < 0 || tree_file_own(executor, fd) < 0 ? -1 : 0;
}

int tree_file_put(const struct executor *executor, const char *dir, const char *name,
	const void *bytes, size_t n, mode_t mode, struct rondo_error *err)
{
	const char *last = file_name(name);
	AUTO_CLOSE parent = tree_file_enter(executor, dir, name);
	if (parent < 0)
		return error_errno(err, RONDO_ERROR_USAGE, "cannot write '%s'", name);
	if (tree_file_clear_place(parent, last) < 0)
		return error_errno(err, RONDO_ERROR_USAGE, "cannot replace '%s'", name);
	if (tree_file_write_new(executor, parent, last, bytes, n, mode) != 0)
		return error_errno(err, RONDO_ERROR_USAGE, "cannot write '%s'", name);
	return 0;
}

int tree_file_write(const struct executor *executor, const char *dir, const char *name,
	const char *text, struct rondo_error *err)
{
	return tree_file_put(executor, dir, name, text, strlen(text), 0644, err);
}

int tree_file_create(const struct executor *executor, const char *dir, const char *name,
	const void *bytes, size_t n, struct rondo_error *err)
{
	const char *last = file_name(name);
	AUTO_CLOSE parent = tree_file_enter(executor, dir, name);
	int result = parent < 0 ? -1 : tree_file_write_new(executor, parent, last, bytes, n, 0644);
	return result < 0 ? error_errno(err, RONDO_ERROR_USAGE, "cannot write '%s'", name) : result;
}

int tree_file_link(const struct executor *executor, const char *dir, const char *name,
	const char *target, struct rondo_error *err)
{
	const struct world *world = executor->world;
	const char *last = file_name(name);
	AUTO_CLOSE parent = tree_file_enter(executor, dir, name);
	if (parent < 0 || tree_file_clear_place(parent, last) < 0 ||
		symlinkat(target, parent, last) < 0 ||
		(world->drop &&
			fchownat(parent, last, world->uid, world->gid, AT_SYMLINK_NOFOLLOW) < 0))
		return error_errno(err, RONDO_ERROR_USAGE, "cannot make the link '%s'", name);
	return 0;
}

int tree_file_make_dir(
	const struct executor *executor, const char *dir, const char *name, struct rondo_error *err)
{
	struct stat st;
	const char *last = file_name(name);
	AUTO_CLOSE parent = tree_file_enter(executor, dir, name);
	bool is_there = parent >= 0 && fstatat(parent, last, &st, AT_SYMLINK_NOFOLLOW) == 0;
	if (is_there && S_ISDIR(st.st_mode))
		return 0;
	if (parent < 0 || (is_there && unlinkat(parent, last, 0) < 0) ||
		mkdirat(parent, last, 0755) < 0)
		return error_errno(err, RONDO_ERROR_USAGE, "cannot make the directory '%s'", name);
	AUTO_CLOSE fd = beneath_open(parent, last, O_RDONLY | O_DIRECTORY);
	return fd >= 0 && tree_file_own(executor, fd) == 0 ? 0
						 : error_errno(err, RONDO_ERROR_USAGE,
							   "cannot make the directory '%s'", name);
}

/* A directory that is not empty holds what was not told of, and stays. */
int tree_file_remove(const char *dir, const char *name, struct rondo_error *err)
{
	AUTO_CLOSE top = open(dir, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	AUTO_CLOSE parent = top < 0 ? -1 : beneath_open_parent(top, name);
	if (parent < 0 && (errno == ENOENT || errno == ENOTDIR || errno == ELOOP) && top >= 0)
		return 0;
	if (parent < 0 ||
		(tree_file_clear_place(parent, file_name(name)) < 0 && errno != ENOTEMPTY &&
			errno != ENOENT))
		return error_errno(err, RONDO_ERROR_USAGE, "cannot remove '%s'", name);
	return 0;
}

int tree_file_open(const char *dir, const char *name)
{
	struct stat st;
	AUTO_CLOSE top = open(dir, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	AUTO_CLOSE fd = top < 0 ? -1 : beneath_open(top, name, O_RDONLY | O_NONBLOCK);
	if (fd >= 0 && fstat(fd, &st) == 0 && S_ISREG(st.st_mode))
		return STEAL_FD(&fd);
	return -1;
}

bool tree_file_is_dir(const char *dir, const char *name)
{
	AUTO_CLOSE top = open(dir, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	AUTO_CLOSE fd = top < 0 ? -1 : beneath_open(top, name, O_RDONLY | O_DIRECTORY);
	return fd >= 0;
}
