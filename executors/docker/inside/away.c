#include "executors/docker/inside/away.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "executors/docker/inside/inside.h"

static void remove_tree(int dir, const char *name, int depth)
{
	union {
		struct dirent64 first;
		char bytes[4096];
	} list;
	ssize_t n;
	if (unlinkat(dir, name, 0) == 0 || errno != EISDIR || depth > AWAY_DEEPEST)
		return;
	fchmodat(dir, name, 0700, 0);
	int fd = openat(dir, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
	while (fd >= 0 && (n = getdents64(fd, &list, sizeof list)) > 0) {
		for (ssize_t i = 0; i < n;) {
			const struct dirent64 *entry = (const struct dirent64 *)(list.bytes + i);
			if (strcmp(entry->d_name, ".") != 0 && strcmp(entry->d_name, "..") != 0)
				remove_tree(fd, entry->d_name, depth + 1);
			i += entry->d_reclen;
		}
	}
	if (fd >= 0)
		close(fd);
	unlinkat(dir, name, AT_REMOVEDIR);
}

void away_tree(int dir, const char *name)
{
	remove_tree(dir, name, 0);
}

/* A path below a root, through no link. */
static void remove_path(int dir, char *name)
{
	char *slash = name;
	while (*slash && *slash != '/')
		slash++;
	if (!*slash) {
		remove_tree(dir, name, 0);
		return;
	}
	*slash = '\0';
	int fd = openat(dir, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
	if (fd >= 0) {
		remove_path(fd, slash + 1);
		close(fd);
	}
}

/* Remove what was read whole; gives how many bytes of the next are left at the beginning. */
static size_t remove_names(char *names, size_t n, int tree, int cache)
{
	size_t start = 0;
	for (size_t i = 0; i < n; i++) {
		if (names[i])
			continue;
		remove_path(names[start] == 'c' ? cache : tree, names + start + 1);
		start = i + 1;
	}
	for (size_t i = start; i < n; i++)
		names[i - start] = names[i];
	return n - start;
}

/* "tPATH\0cPATH\0" ... */
void away_listed(int tree, int cache)
{
	static char names[1 << 16];
	int list = openat(cache, INSIDE_GONE, O_RDONLY | O_NOFOLLOW | O_CLOEXEC);
	size_t have = 0;
	ssize_t n;
	while (list >= 0 && (n = read(list, names + have, sizeof names - have)) > 0)
		have = remove_names(names, have + (size_t)n, tree, cache);
	if (list >= 0)
		close(list);
	unlinkat(cache, INSIDE_GONE, 0);
}
