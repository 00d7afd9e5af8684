#include "executors/tree_file.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/openat2.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/file.h"
#include "base/memory.h"

static int open_beneath(int dir, const char *name, int flags, mode_t mode)
{
	struct open_how how = {.flags = (uint64_t)flags | O_CLOEXEC, .mode = mode,
		.resolve = RESOLVE_BENEATH | RESOLVE_NO_SYMLINKS | RESOLVE_NO_MAGICLINKS};
	return (int)syscall(SYS_openat2, dir, name, &how, sizeof how);
}

static int own(const struct executor *executor, int fd)
{
	return executor->world->drop ? fchown(fd, executor->world->uid, executor->world->gid) : 0;
}

/* One directory of a path, made where it is missing. mkdirat would follow a link in a longer path, out of the tree. */
static int open_step(const struct executor *executor, int dir, const char *name)
{
	bool made = mkdirat(dir, name, 0755) == 0;
	AUTO_CLOSE fd = open_beneath(dir, name, O_RDONLY | O_DIRECTORY, 0);
	return fd < 0 || (made && own(executor, fd) < 0) ? -1 : STEAL_FD(&fd);
}

/* The directory that `name` lies in, step by step. */
static int open_parent(const struct executor *executor, int dir, char *name)
{
	AUTO_CLOSE fd = open_beneath(dir, ".", O_RDONLY | O_DIRECTORY, 0);
	for (char *slash; fd >= 0 && (slash = strchr(name, '/')); name = slash + 1) {
		*slash = '\0';
		int next = open_step(executor, fd, *name ? name : ".");
		*slash = '/';
		close(fd);
		fd = next;
	}
	return STEAL_FD(&fd);
}

/* The open directory that `name` lies in, and its last part, which lies in `path`. */
static int enter(
	const struct executor *executor, const char *dir, char *path, const char **ret_last)
{
	AUTO_CLOSE top = open(dir, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	*ret_last = file_name(path);
	return top < 0 ? -1 : open_parent(executor, top, path);
}

/* What stands at a place where something else is to stand; a directory only where it is empty. */
static int clear_place(int parent, const char *last)
{
	if (unlinkat(parent, last, 0) == 0 || errno == ENOENT)
		return 0;
	return errno == EISDIR ? unlinkat(parent, last, AT_REMOVEDIR) : -1;
}

/* 1 where something is there already. */
static int write_new(const struct executor *executor, int parent, const char *name, const void *bytes, size_t n, mode_t mode)
{
	AUTO_CLOSE fd = open_beneath(parent, name, O_WRONLY | O_CREAT | O_EXCL, mode);
	if (fd < 0 && errno == EEXIST)
		return 1;
	return fd < 0 || file_write_all(fd, bytes, n) < 0 || own(executor, fd) < 0 ? -1 : 0;
}

int tree_file_put(const struct executor *executor, const char *dir, const char *name, const void *bytes, size_t n, mode_t mode,
	struct rondo_error *err)
{
	AUTO_FREE char *path = memory_strdup(name);
	const char *last;
	AUTO_CLOSE parent = enter(executor, dir, path, &last);
	if (parent < 0)
		return error_errno(err, RONDO_ERROR_USAGE, "cannot write '%s'", name);
	if (clear_place(parent, last) < 0)
		return error_errno(err, RONDO_ERROR_USAGE, "cannot replace '%s'", name);
	if (write_new(executor, parent, last, bytes, n, mode) != 0)
		return error_errno(err, RONDO_ERROR_USAGE, "cannot write '%s'", name);
	return 0;
}

int tree_file_write(const struct executor *executor, const char *dir, const char *name,
	const char *text, struct rondo_error *err)
{
	return tree_file_put(executor, dir, name, text, strlen(text), 0644, err);
}

int tree_file_create(const struct executor *executor, const char *dir, const char *name, const void *bytes, size_t n,
	struct rondo_error *err)
{
	AUTO_FREE char *path = memory_strdup(name);
	const char *last;
	AUTO_CLOSE parent = enter(executor, dir, path, &last);
	int result = parent < 0 ? -1 : write_new(executor, parent, last, bytes, n, 0644);
	return result < 0 ? error_errno(err, RONDO_ERROR_USAGE, "cannot write '%s'", name) : result;
}

int tree_file_link(const struct executor *executor, const char *dir, const char *name, const char *target,
	struct rondo_error *err)
{
	AUTO_FREE char *path = memory_strdup(name);
	const char *last;
	const struct world *world = executor->world;
	AUTO_CLOSE parent = enter(executor, dir, path, &last);
	if (parent < 0 || clear_place(parent, last) < 0 || symlinkat(target, parent, last) < 0 ||
		(world->drop &&
			fchownat(parent, last, world->uid, world->gid, AT_SYMLINK_NOFOLLOW) < 0))
		return error_errno(err, RONDO_ERROR_USAGE, "cannot make the link '%s'", name);
	return 0;
}

int tree_file_make_dir(
	const struct executor *executor, const char *dir, const char *name, struct rondo_error *err)
{
	AUTO_FREE char *path = memory_strdup(name);
	const char *last;
	struct stat st;
	AUTO_CLOSE parent = enter(executor, dir, path, &last);
	bool is_there = parent >= 0 && fstatat(parent, last, &st, AT_SYMLINK_NOFOLLOW) == 0;
	if (is_there && S_ISDIR(st.st_mode))
		return 0;
	if (parent < 0 || (is_there && unlinkat(parent, last, 0) < 0) ||
		mkdirat(parent, last, 0755) < 0)
		return error_errno(err, RONDO_ERROR_USAGE, "cannot make the directory '%s'", name);
	AUTO_CLOSE fd = open_beneath(parent, last, O_RDONLY | O_DIRECTORY, 0);
	return fd >= 0 && own(executor, fd) == 0 ? 0
						 : error_errno(err, RONDO_ERROR_USAGE,
							   "cannot make the directory '%s'", name);
}

/* A directory that is not empty holds what was not told of, and stays. */
int tree_file_remove(const char *dir, const char *name, struct rondo_error *err)
{
	AUTO_FREE char *path = memory_strdup(name);
	char *slash = strrchr(path, '/');
	AUTO_CLOSE top = open(dir, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (slash)
		*slash = '\0';
	AUTO_CLOSE parent =
		top < 0 ? -1 : open_beneath(top, slash ? path : ".", O_RDONLY | O_DIRECTORY, 0);
	if (parent < 0 && (errno == ENOENT || errno == ENOTDIR || errno == ELOOP) && top >= 0)
		return 0;
	if (parent < 0 || (clear_place(parent, slash ? slash + 1 : path) < 0 &&
				  errno != ENOTEMPTY && errno != ENOENT))
		return error_errno(err, RONDO_ERROR_USAGE, "cannot remove '%s'", name);
	return 0;
}

int tree_file_open(const char *dir, const char *name)
{
	struct stat st;
	AUTO_CLOSE top = open(dir, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	AUTO_CLOSE fd = top < 0 ? -1 : open_beneath(top, name, O_RDONLY | O_NONBLOCK, 0);
	if (fd >= 0 && fstat(fd, &st) == 0 && S_ISREG(st.st_mode))
		return STEAL_FD(&fd);
	return -1;
}

bool tree_file_is_dir(const char *dir, const char *name)
{
	AUTO_CLOSE top = open(dir, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	AUTO_CLOSE fd = top < 0 ? -1 : open_beneath(top, name, O_RDONLY | O_DIRECTORY, 0);
	return fd >= 0;
}
