#include "base/file.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/hash.h"
#include "base/memory.h"

ssize_t file_read_some(int fd, void *bytes, size_t size)
{
	ssize_t n;
	do
		n = read(fd, bytes, size);
	while (n < 0 && errno == EINTR);
	return n;
}

int file_read_fd(int fd, const char *name, size_t limit, struct strbuf *sb, struct rondo_error *err)
{
	char bytes[65536];
	size_t total = 0;
	for (ssize_t n; (n = file_read_some(fd, bytes, sizeof bytes)) != 0; total += (size_t)n) {
		if (n < 0)
			return error_errno(err, RONDO_ERROR_USAGE, "cannot read '%s'", name);
		if (total + (size_t)n > limit)
			return error_set(err, RONDO_ERROR_USAGE, "'%s' is larger than %zu bytes", name, limit);
		strbuf_add(sb, bytes, (size_t)n);
	}
	return 0;
}

int file_read(const char *path, size_t limit, struct strbuf *sb, struct rondo_error *err)
{
	AUTO_CLOSE fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	struct stat st;
	if (fd < 0 || fstat(fd, &st) < 0)
		return error_errno(err, RONDO_ERROR_USAGE, "cannot open '%s'", path);
	if (S_ISDIR(st.st_mode))
		return error_set(err, RONDO_ERROR_USAGE, "'%s' is a directory", path);
	return file_read_fd(fd, path, limit, sb, err);
}

int file_write_all(int fd, const void *bytes, size_t n)
{
	const char *at = bytes;
	while (n) {
		ssize_t written = write(fd, at, n);
		if (written < 0 && errno == EINTR)
			continue;
		if (written < 0)
			return -1;
		at += written;
		n -= (size_t)written;
	}
	return 0;
}

int file_sync(const char *path, struct rondo_error *err)
{
	AUTO_CLOSE fd = open(path, O_RDONLY | O_CLOEXEC);
	if (fd < 0 || fsync(fd) < 0)
		return error_errno(err, RONDO_ERROR_TRANSIENT, "cannot force '%s' to disk", path);
	return 0;
}

int file_sync_up(const char *path, const char *top, struct rondo_error *err)
{
	AUTO_FREE char *dir = memory_strdup(path);
	for (char *slash; strcmp(dir, top) != 0 && (slash = strrchr(dir, '/')) && slash > dir;) {
		*slash = '\0';
		if (file_sync(dir, err) < 0)
			return -1;
	}
	return 0;
}

int file_sync_name(const char *path, struct rondo_error *err)
{
	AUTO_FREE char *dir = memory_strdup(path);
	char *slash = strrchr(dir, '/');
	if (slash)
		slash[slash == dir] = '\0';
	return file_sync(slash ? dir : ".", err);
}

int file_write(const char *path, const void *bytes, size_t n, mode_t mode, struct rondo_error *err)
{
	char random[9];
	hash_random(random, 8);
	AUTO_STRBUF temporary = STRBUF_INIT(STRBUF_LINE);
	strbuf_addf(&temporary, "%s.%s", path, random);
	AUTO_CLOSE fd = open(temporary.text, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, mode);
	if (fd < 0)
		return error_errno(err, RONDO_ERROR_USAGE, "cannot write '%s'", path);
	if (file_write_all(fd, bytes, n) < 0 || fchmod(fd, mode) < 0 || fsync(fd) < 0 ||
		rename(temporary.text, path) < 0) {
		error_errno(err, RONDO_ERROR_USAGE, "cannot write '%s'", path);
		unlink(temporary.text);
		return -1;
	}
	return file_sync_name(path, err);
}

int file_create(const char *path, const void *bytes, size_t n, mode_t mode, struct rondo_error *err)
{
	AUTO_CLOSE fd = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, mode);
	if (fd < 0 || file_write_all(fd, bytes, n) < 0 || fchmod(fd, mode) < 0)
		return error_errno(err, RONDO_ERROR_CANNOT_JUDGE, "cannot write '%s'", path);
	return 0;
}

/* What is missing above a directory was refused for a reason, which says more. */
static int file_no_dir(const char *path, const char *refused, int why, struct rondo_error *err)
{
	bool is_above = refused && errno == ENOENT;
	if (is_above)
		errno = why;
	return error_errno(
		err, RONDO_ERROR_USAGE, "cannot make directory '%s'", is_above ? refused : path);
}

int file_make_dir(const char *path, mode_t mode, struct rondo_error *err)
{
	AUTO_FREE char *part = memory_strdup(path);
	AUTO_FREE char *refused = NULL; /* it may be there: what is made below it tells */
	int why = 0;
	for (char *slash = part + 1; (slash = strchr(slash, '/')); slash++) {
		*slash = '\0';
		bool failed = mkdir(part, mode) < 0 && errno != EEXIST;
		if (failed && errno != EROFS && errno != EACCES)
			return file_no_dir(part, refused, why, err);
		if (failed && !refused) {
			why = errno;
			refused = memory_strdup(part);
		}
		*slash = '/';
	}
	if (mkdir(path, mode) < 0 && !(errno == EEXIST && file_is_dir(path)))
		return file_no_dir(path, refused, why, err);
	return 0;
}

bool file_exists(const char *path)
{
	struct stat st;
	return lstat(path, &st) == 0;
}

bool file_is_dir(const char *path)
{
	struct stat st;
	return stat(path, &st) == 0 && S_ISDIR(st.st_mode);
}

int file_lock(int fd, int64_t wait_ms)
{
	int64_t until = clock_now_ms() + wait_ms;
	while (flock(fd, LOCK_EX | LOCK_NB) < 0) {
		if ((errno != EWOULDBLOCK && errno != EINTR) || clock_now_ms() >= until)
			return -1;
		poll(NULL, 0, 1); /* there is no way to be told within a time */
	}
	return 0;
}

bool file_is_at(int fd, const char *path)
{
	struct stat opened, named;
	return fstat(fd, &opened) == 0 && stat(path, &named) == 0 && opened.st_ino == named.st_ino &&
		opened.st_dev == named.st_dev;
}

const char *file_absolute(struct arena *arena, const char *path)
{
	AUTO_FREE char *here = path && *path != '/' ? getcwd(NULL, 0) : NULL;
	if (!here)
		return arena_strdup(arena, path);
	return strcmp(path, ".") == 0 ? arena_strdup(arena, here)
								  : arena_printf(arena, "%s/%s", here, path);
}

const char *file_real_path(struct arena *arena, const char *path, struct rondo_error *err)
{
	AUTO_FREE char *real = realpath(path, NULL);
	if (real)
		return arena_strdup(arena, real);
	error_errno(err, RONDO_ERROR_USAGE, "'%s'", path);
	return NULL;
}

static bool is_program(const char *path)
{
	struct stat st;
	return stat(path, &st) == 0 && S_ISREG(st.st_mode) && access(path, X_OK) == 0;
}

const char *file_search(struct arena *arena, const char *path, const char *name)
{
	if (strchr(name, '/'))
		return is_program(name) ? arena_strdup(arena, name) : NULL;
	while (path && *path) {
		size_t n = strcspn(path, ":");
		const char *program = arena_printf(arena, "%.*s/%s", (int)n, path, name);
		if (n && *path == '/' && is_program(program))
			return program;
		path += n + (path[n] == ':');
	}
	return NULL;
}

bool file_is_below(const char *path, const char *dir)
{
	size_t n = strlen(dir);
	while (n > 1 && dir[n - 1] == '/')
		n--;
	if (n == 1 && dir[0] == '/')
		return path[0] == '/';
	return strncmp(path, dir, n) == 0 && (path[n] == '/' || path[n] == '\0');
}

const char *file_name(const char *path)
{
	const char *slash = strrchr(path, '/');
	return slash ? slash + 1 : path;
}

const char *file_suffix(const char *path)
{
	const char *name = file_name(path), *dot = strrchr(name, '.');
	return dot && dot != name ? dot + 1 : "";
}
