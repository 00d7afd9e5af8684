#include "executors/inside/tree.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define DIRECTORY (O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)

int tree_open(const char *path)
{
	int fd = open(path, DIRECTORY);
	if (fd >= 0)
		return fd;
	mkdirat(AT_FDCWD, path, 0755);
	fchmodat(AT_FDCWD, path, 0755, 0); /* a program may have closed it */
	return open(path, DIRECTORY);
}

/* What stands there may be a link, or a directory that a program has closed; or the one that it
 * lies in is closed. */
int tree_make(int dir, const char *name)
{
	int fd = openat(dir, name, DIRECTORY);
	if (fd >= 0)
		return fd;
	if (errno == EACCES) {
		fchmodat(dir, name, 0755, 0);
	} else {
		fchmod(dir, 0755);
		tree_remove(dir, name);
		mkdirat(dir, name, 0755);
	}
	return openat(dir, name, DIRECTORY);
}

int tree_enter(int root, char *path, bool makes, char **ret_last)
{
	int dir = fcntl(root, F_DUPFD_CLOEXEC, 0);
	char *name = path;
	for (char *slash = path; dir >= 0 && *slash; slash++) {
		if (*slash != '/')
			continue;
		*slash = '\0';
		int next = makes ? tree_make(dir, name) : openat(dir, name, DIRECTORY);
		*slash = '/';
		close(dir);
		dir = next;
		name = slash + 1;
	}
	*ret_last = name;
	return dir;
}

static void tree_remove_below(int dir, const char *name, int depth)
{
	union {
		struct dirent64 first;
		char bytes[4096];
	} list;
	ssize_t n;
	if (unlinkat(dir, name, 0) == 0 || errno != EISDIR || depth > TREE_DEEPEST)
		return;
	fchmodat(dir, name, 0700, 0);
	int fd = openat(dir, name, DIRECTORY);
	while (fd >= 0 && (n = getdents64(fd, &list, sizeof list)) > 0) {
		for (ssize_t i = 0; i < n;) {
			const struct dirent64 *entry = (const struct dirent64 *)(list.bytes + i);
			if (strcmp(entry->d_name, ".") != 0 && strcmp(entry->d_name, "..") != 0)
				tree_remove_below(fd, entry->d_name, depth + 1);
			i += entry->d_reclen;
		}
	}
	if (fd >= 0)
		close(fd);
	unlinkat(dir, name, AT_REMOVEDIR);
}

void tree_remove(int dir, const char *name)
{
	tree_remove_below(dir, name, 0);
}
