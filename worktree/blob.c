/* A file of a directory made a blob. */
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <string.h>
#include <unistd.h>

#include "base/file.h"
#include "base/memory.h"
#include "worktree/scan.h"

#define LARGEST_IN_MEMORY ((off_t)32 << 20) /* what is larger is streamed, and has no line ends */

static int link_blob(
	struct store *store, int dir, const char *name, git_oid *ret_id, struct rondo_error *err)
{
	char target[PATH_MAX];
	ssize_t n = readlinkat(dir, name, target, sizeof target);
	if (n < 0)
		return error_errno(err, RONDO_ERROR_CANNOT_JUDGE, "cannot read the link");
	return store_write(store, target, (size_t)n, GIT_OBJECT_BLOB, ret_id, err);
}

static int stream_blob(
	struct store *store, int fd, off_t size, git_oid *ret_id, struct rondo_error *err)
{
	AUTO_GIT(odb_stream) *stream = NULL;
	/* of a write that fails it says nothing: what was said before is not meant */
	git_error_clear();
	if (git_odb_open_wstream(&stream, store->odb, (git_object_size_t)size, GIT_OBJECT_BLOB) < 0)
		return git_failure(err, RONDO_ERROR_CANNOT_JUDGE, "cannot write an object");
	char bytes[65536];
	for (ssize_t n; (n = file_read_some(fd, bytes, sizeof bytes)) != 0;) {
		if (n < 0)
			return error_errno(err, RONDO_ERROR_CANNOT_JUDGE, "cannot read the file");
		if (git_odb_stream_write(stream, bytes, (size_t)n) < 0)
			return git_failure(err, RONDO_ERROR_CANNOT_JUDGE, "cannot write an object");
	}
	if (git_odb_stream_finalize_write(ret_id, stream) < 0)
		return git_failure(err, RONDO_ERROR_CANNOT_JUDGE, "cannot write an object");
	return 0;
}

static int blob_read(int fd, off_t size, char **ret_bytes, size_t *ret_n, struct rondo_error *err)
{
	size_t room = (size_t)size + 1, n = 0;
	AUTO_FREE char *bytes = memory_alloc(room);
	for (ssize_t more; (more = file_read_some(fd, bytes + n, room - n)) != 0; n += (size_t)more) {
		if (more < 0)
			return error_errno(err, RONDO_ERROR_CANNOT_JUDGE, "cannot read the file");
		if (n + (size_t)more == room) /* it grows while it is read */
			return error_set(err, RONDO_ERROR_TRANSIENT, "the file changes while it is read");
	}
	*ret_bytes = STEAL(&bytes);
	*ret_n = n;
	return 0;
}

int read_file_at(int dir, const char *name, off_t most, struct stat *ret_st, char **ret_bytes,
	size_t *ret_n, struct rondo_error *err)
{
	AUTO_CLOSE fd = openat(dir, name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
	*ret_bytes = NULL;
	if (fd < 0 || fstat(fd, ret_st) < 0)
		return 0;
	if (S_ISREG(ret_st->st_mode) && ret_st->st_size <= most)
		return blob_read(fd, ret_st->st_size, ret_bytes, ret_n, err);
	errno = S_ISREG(ret_st->st_mode) ? EFBIG : EINVAL;
	return 0;
}

int scan_blob(struct store *store, int dir, const char *name, const char *path,
	const struct stat *st, git_oid *ret_id, struct rondo_error *err)
{
	if (S_ISLNK(st->st_mode))
		return link_blob(store, dir, name, ret_id, err);
	AUTO_CLOSE fd = openat(dir, name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
	struct stat now;
	if (fd < 0 || fstat(fd, &now) < 0)
		return error_errno(err, RONDO_ERROR_CANNOT_JUDGE, "cannot read the file");
	if (!S_ISREG(now.st_mode))
		return error_set(err, RONDO_ERROR_TRANSIENT, "the file changes while it is read");
	if (now.st_size > LARGEST_IN_MEMORY)
		return stream_blob(store, fd, now.st_size, ret_id, err);
	AUTO_FREE char *bytes = NULL;
	AUTO_GIT_BUF filtered = {0};
	size_t n = 0;
	bool same = false;
	if (blob_read(fd, now.st_size, &bytes, &n, err) < 0 ||
		rules_filter(store, path, GIT_FILTER_TO_ODB, bytes, n, &filtered, &same, err) < 0)
		return -1;
	return store_write(
		store, same ? bytes : filtered.ptr, same ? n : filtered.size, GIT_OBJECT_BLOB, ret_id, err);
}
