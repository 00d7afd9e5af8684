/*
 * Whole trees: copied, removed, given away, measured, searched. Always relative to an open
 * directory and never through a link, because the code that rondo runs may have planted some.
 */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/fs.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/file.h"
#include "base/glob.h"
#include "base/memory.h"

/* Levels that are gone down by a stack frame and a descriptor each. */
enum { LEVELS_MOST = 1000 };

DIR *file_open_dir(int at, const char *name)
{
	int fd = openat(at, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
	DIR *dir = fd < 0 ? NULL : fdopendir(fd);
	if (fd >= 0 && !dir)
		close(fd);
	return dir;
}

const char *file_next_name(DIR *dir)
{
	for (struct dirent *entry; (entry = readdir(dir));)
		if (strcmp(entry->d_name, ".") != 0 && strcmp(entry->d_name, "..") != 0)
			return entry->d_name;
	return NULL;
}

/* A directory whose owner took its own rights away gets them back before it is entered. */
static DIR *open_dir_to_empty(int at, const char *name)
{
	DIR *dir = file_open_dir(at, name);
	if (!dir && errno == EACCES && fchmodat(at, name, 0700, 0) == 0)
		dir = file_open_dir(at, name);
	if (dir)
		fchmod(dirfd(dir), 0700);
	return dir;
}

/* Give it a new name in `to`. A removal that was cut off may have left some of these names. */
static int lift(int from, const char *name, int to, unsigned *serial)
{
	char lifted[32];
	do {
		snprintf(lifted, sizeof lifted, ".lifted-%u", (*serial)++);
		if (renameat(from, name, to, lifted) == 0)
			return 0;
	} while (errno == ENOTEMPTY || errno == EEXIST || errno == ENOTDIR);
	return -1;
}

/* 1: it is a directory that holds something. -1 says why a file stays: to try it as a directory
 * would hide that. */
static int remove_one(int fd, const char *name)
{
	if (unlinkat(fd, name, 0) == 0 || errno == ENOENT)
		return 0;
	if (errno != EISDIR)
		return -1;
	return unlinkat(fd, name, AT_REMOVEDIR) < 0 && errno != ENOENT;
}

/* Empty `name` within `fd` of all but directories that hold something: those are lifted up beside
 * it. */
static int empty_by_lifting(int fd, const char *name, unsigned *serial)
{
	AUTO_DIR *inner = open_dir_to_empty(fd, name);
	if (!inner)
		return -1;
	for (const char *deep; (deep = file_next_name(inner));) {
		int status = remove_one(dirfd(inner), deep);
		if (status == 0)
			continue;
		if (status < 0 || fchmodat(dirfd(inner), deep, 0700, 0) < 0 ||
			lift(dirfd(inner), deep, fd, serial) < 0)
			return -1;
	}
	return unlinkat(fd, name, AT_REMOVEDIR) < 0 && errno != ENOTEMPTY ? -1 : 0;
}

/* Empty the directory `fd`. No depth needs a descriptor or a stack frame a level, because what is
 * deep is lifted. */
static int empty_dir(int fd)
{
	for (unsigned serial = 0;;) {
		AUTO_DIR *dir = file_open_dir(fd, ".");
		const char *name = dir ? file_next_name(dir) : NULL;
		if (!name)
			return dir ? 0 : -1;
		for (; name; name = file_next_name(dir)) {
			int status = remove_one(fd, name);
			if (status < 0 || (status > 0 && empty_by_lifting(fd, name, &serial) < 0))
				return -1;
		}
	}
}

int file_remove_tree(const char *path, struct rondo_error *err)
{
	int status = remove_one(AT_FDCWD, path);
	if (status == 0)
		return 0;
	AUTO_DIR *dir = status > 0 ? open_dir_to_empty(AT_FDCWD, path) : NULL;
	if (!dir || empty_dir(dirfd(dir)) < 0 || rmdir(path) < 0)
		return error_errno(err, RONDO_ERROR_USAGE, "cannot remove '%s'", path);
	return 0;
}

static int copy_bytes(int from, int to)
{
	if (ioctl(to, FICLONE, from) == 0)
		return 0;
	ssize_t n;
	while ((n = copy_file_range(from, NULL, to, NULL, (size_t)1 << 30, 0)) > 0)
		;
	if (n == 0)
		return 0;
	char bytes[65536];
	while ((n = file_read_some(from, bytes, sizeof bytes)) > 0)
		if (file_write_all(to, bytes, (size_t)n) < 0)
			return -1;
	return (int)n;
}

static int copy_file(int from_dir, const char *from, int to_dir, const char *to, mode_t mode)
{
	AUTO_CLOSE in = openat(from_dir, from, O_RDONLY | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK);
	if (in < 0)
		return -1;
	AUTO_CLOSE out = openat(to_dir, to, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
	return out < 0 || copy_bytes(in, out) < 0 ? -1 : fchmod(out, mode & 0777);
}

static int copy_link(int from_dir, const char *from, int to_dir, const char *to)
{
	char target[4096];
	ssize_t n = readlinkat(from_dir, from, target, sizeof target - 1);
	if (n < 0)
		return -1;
	target[n] = '\0';
	return symlinkat(target, to_dir, to);
}

static int copy_entry(int from_dir, const char *from, int to_dir, const char *to, int level);

static int copy_dir(
	int from_dir, const char *from, int to_dir, const char *to, mode_t mode, int level)
{
	errno = ENAMETOOLONG;
	AUTO_DIR *in = level < LEVELS_MOST ? file_open_dir(from_dir, from) : NULL;
	if (!in || (mkdirat(to_dir, to, 0700) < 0 && errno != EEXIST))
		return -1;
	AUTO_CLOSE out = openat(to_dir, to, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
	if (out < 0)
		return -1;
	for (const char *name; (name = file_next_name(in));)
		if (copy_entry(dirfd(in), name, out, name, level + 1) < 0)
			return -1;
	return fchmod(out, mode & 0777);
}

static int copy_entry(int from_dir, const char *from, int to_dir, const char *to, int level)
{
	struct stat st;
	if (fstatat(from_dir, from, &st, AT_SYMLINK_NOFOLLOW) < 0)
		return -1;
	if (S_ISDIR(st.st_mode))
		return copy_dir(from_dir, from, to_dir, to, st.st_mode, level);
	if (S_ISLNK(st.st_mode))
		return copy_link(from_dir, from, to_dir, to);
	return S_ISREG(st.st_mode) ? copy_file(from_dir, from, to_dir, to, st.st_mode) : 0;
}

int file_copy_tree(const char *from, const char *to, struct rondo_error *err)
{
	if (copy_entry(AT_FDCWD, from, AT_FDCWD, to, 0) < 0)
		return error_errno(err, RONDO_ERROR_USAGE, "cannot copy '%s' to '%s'", from, to);
	return 0;
}

static int own_entry(int at, const char *name, uid_t uid, gid_t gid, int level)
{
	if (fchownat(at, name, uid, gid, AT_SYMLINK_NOFOLLOW) < 0)
		return -1;
	AUTO_DIR *dir = level < LEVELS_MOST ? file_open_dir(at, name) : NULL;
	for (const char *inner; dir && (inner = file_next_name(dir));)
		if (own_entry(dirfd(dir), inner, uid, gid, level + 1) < 0)
			return -1;
	return 0;
}

int file_own_tree(const char *path, uid_t uid, gid_t gid, struct rondo_error *err)
{
	if (own_entry(AT_FDCWD, path, uid, gid, 0) < 0)
		return error_errno(
			err, RONDO_ERROR_CANNOT_JUDGE, "cannot give '%s' to uid %d", path, (int)uid);
	return 0;
}

static uint64_t size_below(int at, const char *name, int level)
{
	uint64_t size = 0;
	AUTO_DIR *dir = level < LEVELS_MOST ? file_open_dir(at, name) : NULL;
	for (const char *inner; dir && (inner = file_next_name(dir));) {
		struct stat st;
		if (fstatat(dirfd(dir), inner, &st, AT_SYMLINK_NOFOLLOW) < 0)
			continue;
		size +=
			S_ISDIR(st.st_mode) ? size_below(dirfd(dir), inner, level + 1) : (uint64_t)st.st_size;
	}
	return size;
}

uint64_t file_tree_size(const char *path)
{
	return size_below(AT_FDCWD, path, 0);
}

/* --- Files by their names --- */

enum {
	DEEPEST = 40,
	FILES_MOST = 100000,
};

struct search {
	const char *glob;
	struct arena *arena;
	struct strbuf path;
	const char **found;
	size_t n;
	int depth;
};

/* A repository's own files and installed packages are nobody's work. */
static bool is_foreign(const char *name)
{
	return strcmp(name, ".git") == 0 || strcmp(name, "node_modules") == 0;
}

static void search_level(struct search *search, DIR *dir)
{
	for (const char *name; (name = file_next_name(dir)) && search->n < FILES_MOST;) {
		if (is_foreign(name))
			continue;
		size_t length = search->path.length;
		strbuf_addf(&search->path, "%s%s", length ? "/" : "", name);
		AUTO_DIR *below = search->depth < DEEPEST ? file_open_dir(dirfd(dir), name) : NULL;
		search->depth++;
		if (below)
			search_level(search, below);
		else if (!search->glob || glob_matches(search->glob, search->path.text))
			ARENA_PUSH(search->arena, search->found, search->n,
				arena_strdup(search->arena, search->path.text));
		search->depth--;
		strbuf_truncate(&search->path, length);
	}
}

int file_find(const char *dir, const char *glob, struct arena *arena, const char ***ret_paths,
	size_t *ret_n, struct rondo_error *err)
{
	struct search search = {.glob = glob, .arena = arena, .path = STRBUF_INIT(STRBUF_LINE)};
	AUTO_DIR *top = file_open_dir(AT_FDCWD, dir);
	if (!top)
		return error_errno(err, RONDO_ERROR_CANNOT_JUDGE, "cannot read '%s'", dir);
	search_level(&search, top);
	text_sort(search.found, search.n);
	strbuf_release(&search.path);
	*ret_paths = search.found;
	*ret_n = search.n;
	return 0;
}
