/*
 * Several files changed, all or none: the new ones are written beside the old under other names and
 * put in place by rename; should one not go, those before it get their old bytes back. A path is
 * walked one name at a time, never through a link.
 */
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

#include "base/file.h"
#include "base/hash.h"
#include "base/memory.h"
#include "worktree/internal.h"

static int open_dir(int at, const char *name)
{
	return openat(at, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
}

/* Open the directory above the path's last name. With `item`, directories that are not there are
 * made. */
static int walk(int root, const char *path, struct replacement *item)
{
	AUTO_FREE char *copy = memory_strdup(path);
	int dir = open_dir(root, ".");
	for (char *name = copy, *slash; dir >= 0 && (slash = strchr(name, '/')); name = slash + 1) {
		*slash = '\0';
		int next = open_dir(dir, name);
		if (next < 0 && errno == ENOENT && item && mkdirat(dir, name, 0777) == 0) {
			if (!item->made)
				item->made = (size_t)(slash - copy);
			next = open_dir(dir, name);
			if (next >= 0 &&
				((item->exact_mode && fchmod(next, 0755) < 0) ||
					(item->own && fchown(next, item->uid, item->gid) < 0))) {
				close(next);
				next = -1;
			}
		}
		int saved = errno;
		close(dir);
		errno = saved;
		dir = next;
	}
	return dir;
}

int open_parent(int root, const char *path)
{
	return walk(root, path, NULL);
}

/* Remove the directories above a path that are empty, as long as they are longer than `keep` bytes.
 */
static void prune(int root, const char *path, size_t keep)
{
	AUTO_FREE char *dir = memory_strdup(path);
	for (char *slash; (slash = strrchr(dir, '/'));) {
		*slash = '\0';
		if (strlen(dir) < keep)
			return;
		AUTO_CLOSE parent = open_parent(root, dir);
		if (parent < 0 || unlinkat(parent, file_name(dir), AT_REMOVEDIR) < 0)
			return;
	}
}

int remove_file(int root, const char *path)
{
	AUTO_CLOSE dir = open_parent(root, path);
	if (dir < 0)
		return errno == ENOENT || errno == ENOTDIR || errno == ELOOP ? 0 : -1;
	if (unlinkat(dir, file_name(path), 0) < 0 && errno != ENOENT)
		return -1;
	prune(root, path, 1);
	return 0;
}

static int stage_link(struct replacement *item)
{
	AUTO_FREE char *target = memory_alloc(item->n + 1);
	memcpy(target, item->bytes, item->n);
	if (symlinkat(target, item->dir, item->temporary) < 0)
		return -1;
	return item->own ? fchownat(item->dir, item->temporary, item->uid, item->gid,
				   AT_SYMLINK_NOFOLLOW)
			 : 0;
}

static int stage_file(struct replacement *item)
{
	AUTO_CLOSE fd = openat(item->dir, item->temporary,
		O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, item->mode & 0777);
	if (fd < 0 || file_write_all(fd, item->bytes, item->n) < 0)
		return -1;
	if ((item->own && fchown(fd, item->uid, item->gid) < 0) ||
		(item->exact_mode && fchmod(fd, item->mode & 07777) < 0))
		return -1;
	struct timespec times[] = {
		{.tv_nsec = UTIME_OMIT},
		{.tv_sec = item->mtime_ns / 1000000000, .tv_nsec = item->mtime_ns % 1000000000},
	};
	return item->mtime_ns ? futimens(fd, times) : 0;
}

/* Write what the file becomes beside it. */
static int stage(int root, struct replacement *item)
{
	item->dir = item->bytes ? walk(root, item->path, item) : open_parent(root, item->path);
	if (item->dir < 0)
		return -1;
	if (!item->bytes)
		return 0;
	char random[13];
	hash_random(random, sizeof random - 1);
	snprintf(item->temporary, sizeof item->temporary, ".rondo-%s", random);
	return S_ISLNK(item->mode) ? stage_link(item) : stage_file(item);
}

static int commit(struct replacement *item)
{
	const char *name = file_name(item->path);
	if (!item->bytes)
		return unlinkat(item->dir, name, 0);
	if (renameat(item->dir, item->temporary, item->dir, name) < 0)
		return -1;
	item->temporary[0] = '\0';
	return 0;
}

static void finish(int root, struct replacement *item, bool done)
{
	if (item->temporary[0])
		unlinkat(item->dir, item->temporary, 0);
	if (item->dir >= 0)
		close(item->dir);
	if (!done && item->made)
		prune(root, item->path, item->made);
	if (done && !item->bytes)
		prune(root, item->path, 1);
}

/* Bring back what was there before. */
static int restore(int root, const struct replacement *item)
{
	if (!item->old)
		return remove_file(root, item->path);
	struct replacement back = *item;
	back.bytes = item->old;
	back.n = item->n_old;
	back.mode = item->old_mode;
	back.exact_mode = true;
	back.made = 0;
	back.temporary[0] = '\0';
	int result = stage(root, &back) == 0 ? commit(&back) : -1;
	finish(root, &back, result == 0);
	return result;
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
		error_errno(err, RONDO_ERROR_USAGE, "cannot change '%s'",
			items[staged < n ? staged : done].path);
	for (size_t i = 0; i < n; i++)
		finish(root, &items[i], done == n);
	for (size_t i = done; done < n && i-- > 0;)
		if (restore(root, &items[i]) < 0)
			error_prefix(err, "'%s' could not be put back", items[i].path);
	return done < n ? -1 : 0;
}
