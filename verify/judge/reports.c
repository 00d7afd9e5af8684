#include "verify/judge/reports.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>

#include "base/beneath.h"
#include "base/file.h"
#include "base/memory.h"

void reports_release(struct reports *reports)
{
	for (size_t i = 0; i < reports->n; i++)
		close(reports->fds[i]);
	arena_release(&reports->arena);
}

static void reports_add(struct reports *reports, int fd)
{
	struct stat st;
	if (fd < 0)
		return;
	if (fstat(fd, &st) < 0 || !S_ISREG(st.st_mode))
		close(fd);
	else
		ARENA_PUSH(&reports->arena, reports->fds, reports->n, fd);
}

/* What a program has made of the tree's own directory is not entered. */
static int reports_open_tree(const char *dir, struct rondo_error *err)
{
	int fd = open(dir, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
	return fd >= 0 ? fd : error_errno(err, RONDO_ERROR_CANNOT_JUDGE, "cannot read '%s'", dir);
}

int reports_open_glob(
	struct reports *reports, const char *dir, const char *glob, struct rondo_error *err)
{
	const char **paths;
	size_t n;
	AUTO_CLOSE fd = reports_open_tree(dir, err);
	if (fd < 0 || file_find(dir, glob, &reports->arena, &paths, &n, err) < 0)
		return -1;
	for (size_t i = 0; i < n; i++)
		reports_add(reports, beneath_open(fd, paths[i], O_RDONLY | O_NONBLOCK));
	return 0;
}

void reports_open_path(struct reports *reports, const char *path)
{
	struct rondo_error not_a_folder;
	if (reports_open_glob(reports, path, NULL, &not_a_folder) < 0)
		reports_add(reports, open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC));
}

int reports_remove(const char *dir, const char *glob, struct rondo_error *err)
{
	AUTO_ARENA arena = ARENA_INIT;
	const char **paths;
	size_t n;
	AUTO_CLOSE fd = reports_open_tree(dir, err);
	if (fd < 0 || file_find(dir, glob, &arena, &paths, &n, err) < 0)
		return -1;
	for (size_t i = 0; i < n; i++) {
		AUTO_CLOSE parent = beneath_open_parent(fd, paths[i]);
		if (parent >= 0 && unlinkat(parent, file_name(paths[i]), 0) == 0)
			continue;
		if (errno != ENOENT && errno != ENOTDIR)
			return error_errno(
				err, RONDO_ERROR_CANNOT_JUDGE, "cannot remove '%s/%s'", dir, paths[i]);
	}
	return 0;
}
