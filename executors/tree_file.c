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

/* The directory that `name` lies in, made where it is missing. */
static int open_parent(const struct executor *executor, int dir, char *name)
{
	for (char *slash = name; (slash = strchr(slash, '/')); slash++) {
		*slash = '\0';
		bool made = mkdirat(dir, name, 0755) == 0;
		AUTO_CLOSE fd = made ? open_beneath(dir, name, O_RDONLY | O_DIRECTORY, 0) : -1;
		if (made && (fd < 0 || own(executor, fd) < 0))
			return -1;
		*slash = '/';
	}
	char *last = strrchr(name, '/');
	if (!last)
		return open_beneath(dir, ".", O_RDONLY | O_DIRECTORY, 0);
	*last = '\0';
	int fd = open_beneath(dir, name, O_RDONLY | O_DIRECTORY, 0);
	*last = '/';
	return fd;
}

void tree_file_remove(const char *dir, const char *name)
{
	AUTO_CLOSE top = open(dir, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	const char *last = file_name(name);
	AUTO_ARENA arena = ARENA_INIT;
	const char *parent_name = arena_strndup(&arena, name, (size_t)(last - name));
	AUTO_CLOSE parent = top < 0 ? -1 : open_beneath(top, *parent_name ? parent_name : ".", O_RDONLY | O_DIRECTORY, 0);
	if (parent >= 0)
		unlinkat(parent, last, 0);
}

static int open_place(const struct executor *executor, const char *dir, char *path)
{
	AUTO_CLOSE top = open(dir, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	return top < 0 ? -1 : open_parent(executor, top, path);
}

/* 1 where something is there already. */
static int write_new(const struct executor *executor, int parent, const char *name, const void *bytes, size_t n)
{
	AUTO_CLOSE fd = open_beneath(parent, name, O_WRONLY | O_CREAT | O_EXCL, 0644);
	if (fd < 0 && errno == EEXIST)
		return 1;
	return fd < 0 || file_write_all(fd, bytes, n) < 0 || own(executor, fd) < 0 ? -1 : 0;
}

int tree_file_write(const struct executor *executor, const char *dir, const char *name,
	const char *text, struct rondo_error *err)
{
	AUTO_FREE char *path = memory_strdup(name);
	AUTO_CLOSE parent = open_place(executor, dir, path);
	if (parent < 0)
		return error_errno(err, RONDO_ERROR_USAGE, "cannot write '%s'", name);
	const char *last = file_name(path);
	if (unlinkat(parent, last, 0) < 0 && errno != ENOENT)
		return error_errno(err, RONDO_ERROR_USAGE, "cannot replace '%s'", name);
	if (write_new(executor, parent, last, text, strlen(text)) != 0)
		return error_errno(err, RONDO_ERROR_USAGE, "cannot write '%s'", name);
	return 0;
}

int tree_file_create(const struct executor *executor, const char *dir, const char *name, const void *bytes, size_t n,
	struct rondo_error *err)
{
	AUTO_FREE char *path = memory_strdup(name);
	AUTO_CLOSE parent = open_place(executor, dir, path);
	int result = parent < 0 ? -1 : write_new(executor, parent, file_name(path), bytes, n);
	return result < 0 ? error_errno(err, RONDO_ERROR_USAGE, "cannot write '%s'", name) : result;
}

bool tree_file_is_dir(const char *dir, const char *name)
{
	AUTO_CLOSE top = open(dir, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	AUTO_CLOSE fd = top < 0 ? -1 : open_beneath(top, name, O_RDONLY | O_DIRECTORY, 0);
	return fd >= 0;
}
