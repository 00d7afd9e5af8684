/*
 * Several files changed, all or none: the new ones are written beside the old under other names and
 * put in place by rename; should one not go, those before it get their old bytes back. Where
 * somebody else may write, too, new and old change places, and the old one is looked at once more
 * before it goes.
 */
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

#include "base/beneath.h"
#include "base/file.h"
#include "base/hash.h"
#include "base/memory.h"
#include "worktree/internal.h"

/* Remove the directories above a path that are empty, as long as they are longer than `keep` bytes.
 */
static void prune(int root, const char *path, size_t keep)
{
	AUTO_FREE char *dir = memory_strdup(path);
	for (char *slash; (slash = strrchr(dir, '/'));) {
		*slash = '\0';
		if (strlen(dir) < keep)
			return;
		AUTO_CLOSE parent = beneath_open_parent(root, dir);
		if (parent < 0 || unlinkat(parent, file_name(dir), AT_REMOVEDIR) < 0)
			return;
	}
}

int remove_file(int root, const char *path)
{
	AUTO_CLOSE dir = beneath_open_parent(root, path);
	if (dir < 0)
		return errno == ENOENT || errno == ENOTDIR || errno == ELOOP ? 0 : -1;
	if (unlinkat(dir, file_name(path), 0) < 0 && errno != ENOENT)
		return -1;
	prune(root, path, 1);
	return 0;
}

static int replace_create_link(const struct replacement *item, int dir, const char *name,
	struct stat *ret_st, bool *ret_created)
{
	AUTO_FREE char *target = memory_alloc(item->n + 1);
	memcpy(target, item->bytes, item->n);
	*ret_created = symlinkat(target, dir, name) == 0;
	if (!*ret_created ||
		(item->own && fchownat(dir, name, item->uid, item->gid, AT_SYMLINK_NOFOLLOW) < 0))
		return -1;
	return fstatat(dir, name, ret_st, AT_SYMLINK_NOFOLLOW);
}

int replace_create(const struct replacement *item, int dir, const char *name, struct stat *ret_st,
	bool *ret_created)
{
	if (S_ISLNK(item->mode))
		return replace_create_link(item, dir, name, ret_st, ret_created);
	AUTO_CLOSE fd =
		openat(dir, name, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, item->mode & 0777);
	*ret_created = fd >= 0;
	struct timespec times[] = {
		{.tv_nsec = UTIME_OMIT},
		{.tv_sec = item->mtime_ns / 1000000000, .tv_nsec = item->mtime_ns % 1000000000},
	};
	if (fd < 0 || file_write_all(fd, item->bytes, item->n) < 0 ||
		(item->own && fchown(fd, item->uid, item->gid) < 0) ||
		(item->exact_mode && fchmod(fd, item->mode & 07777) < 0) ||
		(item->durable && fsync(fd) < 0) || (item->mtime_ns && futimens(fd, times) < 0))
		return -1;
	return fstat(fd, ret_st);
}

/* Write what the file becomes beside it. */
static int stage(int root, struct replacement *item)
{
	struct beneath_dirs dirs = {.mode = item->exact_mode ? 0755 : 0777,
		.exact_mode = item->exact_mode,
		.own = item->own,
		.uid = item->uid,
		.gid = item->gid};
	item->dir = item->bytes ? beneath_make_parent(root, item->path, &dirs)
							: beneath_open_parent(root, item->path);
	item->made = dirs.made;
	if (item->dir < 0)
		return -1;
	if (!item->bytes)
		return 0;
	char random[13];
	hash_random(random, sizeof random - 1);
	snprintf(item->temporary, sizeof item->temporary, item->beside ? "%s" : ".rondo-%s",
		item->beside ? item->beside : random);
	struct stat st;
	bool created;
	int result = replace_create(item, item->dir, item->temporary, &st, &created);
	if (!created) /* what lies under that name is not ours to remove */
		item->temporary[0] = '\0';
	return result;
}

/* --- Where somebody else may write --- */

static bool link_is_old(const struct replacement *item, const char *name)
{
	AUTO_FREE char *target = memory_alloc(item->n_old + 1);
	return readlinkat(item->dir, name, target, item->n_old + 1) == (ssize_t)item->n_old &&
		memcmp(target, item->old, item->n_old) == 0;
}

static bool file_is_old(const struct replacement *item, const char *name)
{
	AUTO_FREE char *bytes = NULL;
	struct rondo_error ignored;
	struct stat st;
	size_t n;
	return read_file_at(item->dir, name, INT64_MAX, &st, &bytes, &n, &ignored) == 0 && bytes &&
		n == item->n_old && memcmp(bytes, item->old, n) == 0;
}

/* Whether what lies under that name is what is to be replaced. */
static bool is_old(const struct replacement *item, const char *name)
{
	return S_ISLNK(item->old_mode) ? link_is_old(item, name) : file_is_old(item, name);
}

/* Of a file system that knows no such rename. */
static bool is_unknown(int error)
{
	return error == EINVAL || error == ENOSYS || error == ENOTSUP;
}

/* Put a new file where there is none. */
static int put_new(struct replacement *item, const char *name)
{
	int result = renameat2(item->dir, item->temporary, item->dir, name, RENAME_NOREPLACE);
	if (result < 0 && is_unknown(errno) &&
		linkat(item->dir, item->temporary, item->dir, name, 0) == 0)
		result = unlinkat(item->dir, item->temporary, 0);
	if (result == 0)
		item->temporary[0] = '\0';
	return result;
}

/* Let the old file and the new one change places; where the file goes, move it aside or back. */
static int replace_swap(const struct replacement *item, const char *from, const char *to)
{
	return renameat2(
		item->dir, from, item->dir, to, item->bytes ? RENAME_EXCHANGE : RENAME_NOREPLACE);
}

static int displace(struct replacement *item, const char *name)
{
	if (replace_swap(
			item, item->bytes ? item->temporary : name, item->bytes ? name : item->beside) < 0)
		return -1;
	snprintf(item->temporary, sizeof item->temporary, "%s", item->beside);
	item->displaced = true;
	return 0;
}

/* Where that fails, what was there stays under its other name. */
static int put_back(struct replacement *item)
{
	int result = replace_swap(item, item->temporary, file_name(item->path));
	item->displaced = false;
	if (result < 0 || !item->bytes)
		item->temporary[0] = '\0';
	return result;
}

static int replace_by_name(struct replacement *item, const char *name)
{
	if (!item->bytes)
		return unlinkat(item->dir, name, 0);
	if (renameat(item->dir, item->temporary, item->dir, name) < 0)
		return -1;
	item->temporary[0] = '\0';
	return 0;
}

/* Without such renames a moment stays in which a change would not be seen. */
static int replace_plainly(struct replacement *item, const char *name)
{
	item->changed = !is_old(item, name);
	return item->changed ? -1 : replace_by_name(item, name);
}

static int commit_with_care(struct replacement *item, const char *name)
{
	if (!item->old)
		return put_new(item, name);
	if (displace(item, name) < 0)
		return is_unknown(errno) ? replace_plainly(item, name) : -1;
	item->changed = !is_old(item, item->temporary);
	if (!item->changed)
		return 0;
	put_back(item);
	return -1;
}

/* --- All or none --- */

static int commit(struct replacement *item)
{
	const char *name = file_name(item->path);
	return item->beside ? commit_with_care(item, name) : replace_by_name(item, name);
}

static void finish(int root, struct replacement *item, bool done)
{
	if (item->temporary[0])
		unlinkat(item->dir, item->temporary, 0);
	if (item->durable && item->dir >= 0)
		fsync(item->dir);
	if (item->dir >= 0)
		close(item->dir);
	if (!done && item->made)
		prune(root, item->path, item->made);
	if (done && !item->bytes)
		prune(root, item->path, 1);
}

/* Bring back what was there before. */
static int restore(int root, struct replacement *item)
{
	if (item->displaced)
		return put_back(item);
	if (!item->old)
		return remove_file(root, item->path);
	struct replacement back = {.path = item->path,
		.bytes = item->old,
		.n = item->n_old,
		.mode = item->old_mode,
		.exact_mode = true,
		.own = item->own,
		.uid = item->uid,
		.gid = item->gid,
		.mtime_ns = item->mtime_ns};
	int result = stage(root, &back) == 0 ? commit(&back) : -1;
	finish(root, &back, result == 0);
	return result;
}

static int tell(const struct replacement *item, struct rondo_error *err)
{
	if (!item->changed)
		return error_errno(err, RONDO_ERROR_USAGE, "cannot change '%s'", item->path);
	error_set(err, RONDO_ERROR_USAGE,
		"'%s' changes at this moment: your files were left as they are", item->path);
	return error_help(err, "the same again, when nobody writes there");
}

int replace_files(int root, struct replacement *items, size_t n, struct rondo_error *err)
{
	size_t staged = 0, done = 0;
	for (size_t i = 0; i < n; i++)
		items[i].dir = -1;
	while (staged < n && stage(root, &items[staged]) == 0)
		staged++;
	while (staged == n && done < n && commit(&items[done]) == 0)
		done++;
	if (done < n)
		tell(&items[staged < n ? staged : done], err);
	for (size_t i = done; done < n && i-- > 0;)
		if (restore(root, &items[i]) < 0)
			error_prefix(err, "'%s' could not be put back", items[i].path);
	for (size_t i = 0; i < n; i++)
		finish(root, &items[i], done == n);
	return done < n ? -1 : 0;
}
