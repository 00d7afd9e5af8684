#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "executors/inside/parts.h"

#define DIRECTORY (O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)

int tree_open(const char *path)
{
	int fd = open(path, DIRECTORY);
	if (fd >= 0)
		return fd;
	mkdir(path, 0755);
	chmod(path, 0755);
	return open(path, DIRECTORY);
}

/* There may be a link, or a directory that a program has closed, or the parent is closed. */
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
	for (char *slash; dir >= 0 && (slash = strchr(name, '/')); name = slash + 1) {
		*slash = '\0';
		int next = makes ? tree_make(dir, name) : openat(dir, name, DIRECTORY);
		*slash = '/';
		close(dir);
		dir = next;
	}
	*ret_last = name;
	return dir;
}

static void tree_remove_below(int parent, const char *name, int depth)
{
	if (unlinkat(parent, name, 0) == 0 || errno != EISDIR || depth > TREE_DEEPEST)
		return;
	fchmodat(parent, name, 0700, 0);
	int fd = openat(parent, name, DIRECTORY);
	DIR *dir = fd < 0 ? NULL : fdopendir(fd);
	for (struct dirent *entry; dir && (entry = readdir(dir));)
		if (strcmp(entry->d_name, ".") != 0 && strcmp(entry->d_name, "..") != 0)
			tree_remove_below(fd, entry->d_name, depth + 1);
	if (dir)
		closedir(dir);
	unlinkat(parent, name, AT_REMOVEDIR);
}

void tree_remove(int dir, const char *name)
{
	tree_remove_below(dir, name, 0);
}
