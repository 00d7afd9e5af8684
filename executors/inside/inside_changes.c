#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <search.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "executors/inside/parts.h"

enum { MOST_ITEMS = 400000, MOST_TICKS = 200 };

enum item_state { ITEM_GONE, ITEM_SAME, ITEM_CHANGED };

/* A file, directory or link in the tree or the cache, as it was when it was scanned. */
struct item {
	struct item *last, *next; /* in the order of the scan: directories before their contents */
	struct stat st;
	enum item_state state;
	char path[]; /* the root's digit, then the path below it */
};

static void *items; /* a tree for tsearch, by path */
static struct item *first, *last;
static size_t n_items;
static bool looks_again, is_too_much;
static int roots[RECORD_ROOTS];
static char **kept_paths;
static size_t n_kept;

/* --- What was there --- */

static int64_t in_ns(const struct timespec *time)
{
	return (int64_t)time->tv_sec * 1000000000 + time->tv_nsec;
}

static int item_compare(const void *a, const void *b)
{
	return strcmp(((const struct item *)a)->path, ((const struct item *)b)->path);
}

/* Inode and times tell every change. */
static bool item_is_same(const struct stat *was, const struct stat *is)
{
	if (S_ISDIR(is->st_mode))
		return S_ISDIR(was->st_mode);
	return was->st_ino == is->st_ino && was->st_size == is->st_size &&
	       was->st_mode == is->st_mode && in_ns(&was->st_mtim) == in_ns(&is->st_mtim) &&
	       in_ns(&was->st_ctim) == in_ns(&is->st_ctim);
}

/* Remember an item, or compare it with the one that is known. */
static void item_meet(const char *path, const struct stat *st)
{
	size_t n = strlen(path) + 1;
	struct item *item = n_items < MOST_ITEMS ? calloc(1, sizeof *item + n) : NULL;
	if (item)
		memcpy(item->path, path, n);
	struct item **slot = item ? tsearch(item, &items, item_compare) : NULL, *known;
	if (!slot) {
		is_too_much = true;
		return;
	}
	known = *slot;
	if (known != item) {
		known->state = item_is_same(&known->st, st) ? ITEM_SAME : ITEM_CHANGED;
		free(item);
	} else {
		n_items++;
		item->state = looks_again ? ITEM_CHANGED : ITEM_GONE;
		item->last = last;
		*(last ? &last->next : &first) = item;
		last = item;
	}
	known->st = *st;
}

/* --- The walk --- */

/* In the cache only files at the top and directories of reports count. */
static bool is_passed_over(const char *path, const char *name, int depth, mode_t mode)
{
	if (strcmp(name, ".git") == 0)
		return true;
	for (size_t i = 0; *path == '0' && i < n_kept; i++)
		if (strcmp(kept_paths[i], path + 1) == 0)
			return true;
	bool is_report = S_ISDIR(mode) && strncmp(name, "report-", strlen("report-")) == 0;
	return *path == '1' && depth == 0 && !S_ISREG(mode) && !is_report;
}

static void walk(int parent, const char *name, const char *prefix, int depth);

static void walk_meet(int dir, const char *name, const char *prefix, int depth)
{
	char path[RECORD_LONGEST_PATH + 3];
	struct stat st;
	size_t n = (size_t)snprintf(path, sizeof path, "%s%s", prefix, name);
	is_too_much = is_too_much || n > RECORD_LONGEST_PATH;
	if (n > RECORD_LONGEST_PATH || fstatat(dir, name, &st, AT_SYMLINK_NOFOLLOW) < 0 ||
		is_passed_over(path, name, depth, st.st_mode))
		return;
	item_meet(path, &st);
	if (!S_ISDIR(st.st_mode) || depth == TREE_DEEPEST) /* tell_dir says so */
		return;
	if ((st.st_mode & 0500) != 0500) /* closed by a program, but not gone */
		fchmodat(dir, name, 0755, 0);
	memcpy(path + n, "/", 2);
	walk(dir, name, path, depth + 1);
}

static void walk(int parent, const char *name, const char *prefix, int depth)
{
	int fd = openat(parent, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
	DIR *dir = fd < 0 ? NULL : fdopendir(fd);
	is_too_much = is_too_much || !dir;
	for (struct dirent *entry; dir && (entry = readdir(dir));)
		if (strcmp(entry->d_name, ".") != 0 && strcmp(entry->d_name, "..") != 0)
			walk_meet(fd, entry->d_name, prefix, depth);
	if (dir)
		closedir(dir);
}

static void walk_roots(void)
{
	static const char *const prefixes[RECORD_ROOTS] = {"0", "1"};
	for (int i = 0; i < RECORD_ROOTS; i++) {
		fchmod(roots[i], 0755); /* a program may have closed it */
		walk(roots[i], ".", prefixes[i], 0);
	}
}

/* --- What is told --- */

static uint64_t told_bytes;
static int told_files;

static void tell(FILE *to, const struct item *item, enum record_kind kind, const void *bytes,
	size_t n)
{
	struct record record = {.kind = kind, .root = (unsigned)(*item->path - '0'),
		.path = item->path + 1, .size = n,
		.is_executable = kind == RECORD_FILE && item->st.st_mode & 0100};
	record_put(to, &record, bytes);
}

static void tell_refused(FILE *to, const struct item *item, const char *why)
{
	tell(to, item, RECORD_REFUSED, why, strlen(why));
}

static void tell_dir(FILE *to, const struct item *item)
{
	int depth = 0;
	for (const char *at = item->path; *at; at++)
		depth += *at == '/';
	tell(to, item, RECORD_DIR, NULL, 0);
	if (depth == TREE_DEEPEST)
		tell_refused(to, item, "it lies too deep");
}

static void tell_link(FILE *to, const struct item *item, int dir, const char *name)
{
	char target[RECORD_LONGEST_PATH + 1] = "";
	ssize_t n = readlinkat(dir, name, target, sizeof target - 1);
	if (n > 0)
		tell(to, item, RECORD_LINK, target, (size_t)n + 1);
	else
		tell_refused(to, item, "it cannot be read");
}

/* Copy a file; zeros if it has become shorter. */
static void tell_bytes(FILE *to, int fd, size_t size)
{
	static char bytes[1 << 16];
	for (ssize_t n; size; size -= (size_t)n) {
		size_t part = size < sizeof bytes ? size : sizeof bytes;
		n = read(fd, bytes, part);
		if (n <= 0)
			memset(bytes, 0, (size_t)(n = (ssize_t)part));
		fwrite(bytes, 1, (size_t)n, to);
	}
}

static void tell_file(FILE *to, const struct item *item, int dir, const char *name)
{
	struct stat st;
	int flags = O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC, fd = openat(dir, name, flags);
	if (fd < 0 && errno == EACCES && fchmodat(dir, name, 0600, 0) == 0) {
		fd = openat(dir, name, flags);
		fchmodat(dir, name, item->st.st_mode & 07777, 0);
	}
	if (fd < 0 || fstat(fd, &st) < 0 || !S_ISREG(st.st_mode)) {
		tell_refused(to, item, "it cannot be read");
	} else if ((uint64_t)st.st_size > INSIDE_MOST_FILE) {
		tell_refused(to, item, "it is larger than 64 MiB");
	} else if (told_files == INSIDE_MOST_FILES ||
		   told_bytes + (uint64_t)st.st_size > INSIDE_MOST_BYTES) {
		tell_refused(to, item, "there is too much of it");
	} else {
		told_files++;
		told_bytes += (uint64_t)st.st_size;
		tell(to, item, RECORD_FILE, NULL, (size_t)st.st_size);
		tell_bytes(to, fd, (size_t)st.st_size);
	}
	if (fd >= 0)
		close(fd);
}

static void tell_changed(FILE *to, struct item *item)
{
	char *name;
	int dir = tree_enter(roots[*item->path - '0'], item->path + 1, false, &name);
	if (S_ISDIR(item->st.st_mode))
		tell_dir(to, item);
	else if (S_ISREG(item->st.st_mode))
		tell_file(to, item, dir, name);
	else if (S_ISLNK(item->st.st_mode))
		tell_link(to, item, dir, name);
	else
		tell_refused(to, item, "it is no file, directory or link");
	if (dir >= 0)
		close(dir);
}

/* --- Before and after --- */

/* The clock of file times ticks slowly: wait until later changes get another time. */
static void await_tick(void)
{
	struct timespec now;
	int64_t newest_ns = 0;
	for (const struct item *item = first; item; item = item->next)
		if (in_ns(&item->st.st_ctim) > newest_ns)
			newest_ns = in_ns(&item->st.st_ctim);
	for (int i = 0; i < MOST_TICKS; i++) {
		if (clock_gettime(CLOCK_REALTIME_COARSE, &now) < 0 || in_ns(&now) > newest_ns)
			return;
		poll(NULL, 0, 1);
	}
}

void changes_look(const int *below, char **kept, size_t n)
{
	memcpy(roots, below, sizeof roots);
	kept_paths = kept;
	n_kept = n;
	walk_roots();
	looks_again = true;
	await_tick();
}

void changes_tell(FILE *to)
{
	walk_roots();
	for (const struct item *item = last; item; item = item->last)
		if (item->state == ITEM_GONE)
			tell(to, item, RECORD_GONE, NULL, 0);
	for (struct item *item = first; item; item = item->next)
		if (item->state == ITEM_CHANGED)
			tell_changed(to, item);
	if (!is_too_much)
		record_put(to, &(struct record){.kind = RECORD_END, .path = ""}, NULL);
}
