/*
 * What is known of files since they were last looked at, so that only what changed is read again.
 * As in git, a file whose times are not older than the look itself may have changed within the same
 * tick of the clock, and is read again.
 */
#include <string.h>

#include "base/clock.h"
#include "worktree/scan.h"

int64_t time_of_files_ns(void)
{
	struct timespec now;
	clock_gettime(CLOCK_REALTIME_COARSE, &now);
	return clock_in_ns(&now);
}

int64_t stat_mtime_ns(const struct stat *st)
{
	return clock_in_ns(&st->st_mtim);
}

int64_t stat_ctime_ns(const struct stat *st)
{
	return clock_in_ns(&st->st_ctim);
}

struct known_file *known_add(struct known_files *files, const char *path)
{
	struct known_file *file = map_get(&files->by_path, path);
	if (file)
		return file;
	file = arena_alloc(&files->arena, sizeof *file);
	file->path = arena_strdup(&files->arena, path);
	map_put(&files->by_path, &files->arena, file->path, file);
	ARENA_PUSH(&files->arena, files->items, files->n, file);
	return file;
}

void known_set(struct known_file *file, const git_oid *id, uint32_t mode, const struct stat *st,
	int64_t stamp_ns)
{
	file->id = *id;
	file->mode = mode;
	file->mtime_ns = stat_mtime_ns(st);
	file->ctime_ns = stat_ctime_ns(st);
	file->size = (uint64_t)st->st_size;
	file->inode = st->st_ino;
	file->stamp_ns = stamp_ns;
}

bool known_is_fresh(const struct known_file *file, const struct stat *st)
{
	return file->stamp_ns && file->mtime_ns == stat_mtime_ns(st) &&
		(!file->ctime_ns || file->ctime_ns == stat_ctime_ns(st)) &&
		file->size == (uint64_t)st->st_size && (uint32_t)file->inode == (uint32_t)st->st_ino &&
		file->mtime_ns < file->stamp_ns && file->ctime_ns < file->stamp_ns;
}

void known_release(struct known_files *files)
{
	arena_release(&files->arena);
	*files = (struct known_files){0};
}
