#include "executors/docker/inside/carry.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdint.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "executors/docker/inside/away.h"
#include "executors/docker/inside/inside.h"

enum { DEEPEST = 128, LONGEST_PATH = 4096, MOST_ITEMS = 200000, MOST_SLOTS = 1 << 19, MOST_TEXT = 24 << 20, MOST_TICKS = 200 };

/* Something that there was when it was looked at. Its place in the kernel's tables and when it was changed tell of any change. */
struct item {
	uint64_t hash, inode;
	int64_t size, modified_ns, changed_ns;
	uint32_t mode, path;
	bool is_met;
};

struct root {
	char letter;
	const char *path;
	int fd;
	int handed_to; /* the directory of what is handed over; -1: there is none */
	uint32_t n_handed;
};

/* What is not touched takes no memory. */
static struct item items[MOST_ITEMS];
static uint32_t slots[MOST_SLOTS]; /* numbers of items, from 1 */
static char text[MOST_TEXT];
static size_t n_items, n_text;
static bool is_too_much;
static struct root roots[2];
static char **kept_paths;
static size_t n_kept;
static int64_t newest_ns;
static uint64_t handed_bytes;
static int report_to = -1; /* -1: looking, not telling */

static char path[LONGEST_PATH]; /* of what is looked at, below its root */
static char said[1 << 16];
static size_t n_said;

/* --- What is told --- */

static void flush(void)
{
	for (size_t i = 0; i < n_said;) {
		ssize_t n = write(report_to, said + i, n_said - i);
		if (n <= 0 && errno != EINTR)
			break;
		i += n > 0 ? (size_t)n : 0;
	}
	n_said = 0;
}

static void say(const char *bytes, size_t n)
{
	if (n_said + n > sizeof said)
		flush();
	memcpy(said + n_said, bytes, n);
	n_said += n;
}

static size_t length_of(const char *string)
{
	size_t n = 0;
	while (string[n])
		n++;
	return n;
}

static void say_number(uint64_t value)
{
	char digits[20];
	size_t at = sizeof digits;
	do
		digits[--at] = (char)('0' + value % 10);
	while (value /= 10);
	say(digits + at, sizeof digits - at);
}

/* "KIND ROOT EXECUTABLE NUMBER PATH\0" */
static void say_record(char kind, const struct root *root, uint32_t mode, uint32_t number, const char *name)
{
	char head[] = {kind, ' ', root->letter, ' ', mode & 0100 ? '1' : '0', ' '};
	say(head, sizeof head);
	say_number(number);
	say(" ", 1);
	say(name, length_of(name) + 1);
}

/* --- What was there --- */

static uint64_t hash_of(const struct root *root, const char *name)
{
	uint64_t hash = 14695981039346656037U ^ (unsigned char)root->letter;
	for (; *name; name++)
		hash = (hash ^ (unsigned char)*name) * 1099511628211U;
	return hash;
}

/* The item of that name, or the slot that it would have. */
static uint32_t *find(const struct root *root, const char *name, uint64_t hash)
{
	size_t at = hash % MOST_SLOTS;
	for (; slots[at]; at = (at + 1) % MOST_SLOTS) {
		const struct item *item = &items[slots[at] - 1];
		if (item->hash == hash && text[item->path] == root->letter && strcmp(text + item->path + 1, name) == 0)
			break;
	}
	return &slots[at];
}

static struct item describe(const struct statx *st)
{
	return (struct item){.inode = st->stx_ino, .size = (int64_t)st->stx_size, .mode = st->stx_mode,
		.modified_ns = st->stx_mtime.tv_sec * 1000000000 + st->stx_mtime.tv_nsec,
		.changed_ns = st->stx_ctime.tv_sec * 1000000000 + st->stx_ctime.tv_nsec};
}

static void remember(const struct root *root, struct item item)
{
	size_t n = length_of(path) + 2;
	if (n_items == MOST_ITEMS || n_text + n > MOST_TEXT) {
		is_too_much = true;
		return;
	}
	item.hash = hash_of(root, path);
	item.path = (uint32_t)n_text;
	text[n_text] = root->letter;
	memcpy(text + n_text + 1, path, n - 1);
	n_text += n;
	items[n_items++] = item;
	*find(root, path, item.hash) = (uint32_t)n_items;
	newest_ns = item.changed_ns > newest_ns ? item.changed_ns : newest_ns;
}

static bool is_same(const struct item *was, const struct item *is)
{
	if (S_ISDIR(is->mode))
		return S_ISDIR(was->mode);
	return was->inode == is->inode && was->size == is->size && was->mode == is->mode && was->modified_ns == is->modified_ns &&
	       was->changed_ns == is->changed_ns;
}

/* --- What is handed over --- */

/* Under a number, as another name of the same file: no bytes are copied, and its path plays no part. */
static void hand_over(struct root *root, int dir, const char *name, const struct item *item)
{
	char number[12], *digit = number + sizeof number;
	*--digit = '\0';
	uint32_t left = root->n_handed;
	do
		*--digit = (char)('0' + left % 10);
	while (left /= 10);
	if (item->size > INSIDE_MOST_FILE) {
		say_record(INSIDE_LARGE, root, 0, 0, path);
	} else if (root->n_handed >= INSIDE_MOST_FILES || handed_bytes + (uint64_t)item->size > INSIDE_MOST_BYTES) {
		say_record(INSIDE_MANY, root, 0, 0, path);
	} else if (root->handed_to < 0 || linkat(dir, name, root->handed_to, digit, 0) < 0) {
		say_record(INSIDE_UNREADABLE, root, 0, 0, path);
	} else {
		handed_bytes += (uint64_t)item->size;
		say_record(INSIDE_FILE, root, item->mode, root->n_handed++, path);
	}
}

static void say_link(const struct root *root, int dir, const char *name)
{
	char target[LONGEST_PATH];
	ssize_t n = readlinkat(dir, name, target, sizeof target - 1);
	if (n <= 0) {
		say_record(INSIDE_UNREADABLE, root, 0, 0, path);
		return;
	}
	target[n] = '\0';
	say_record(INSIDE_LINK, root, 0, 0, path);
	say(target, (size_t)n + 1);
}

static void tell(struct root *root, int dir, const char *name, const struct item *item)
{
	uint32_t number = *find(root, path, hash_of(root, path));
	struct item *was = number ? &items[number - 1] : NULL;
	if (was)
		was->is_met = true;
	if (was && is_same(was, item))
		return;
	if (S_ISDIR(item->mode))
		say_record(INSIDE_DIR, root, 0, 0, path);
	else if (S_ISREG(item->mode))
		hand_over(root, dir, name, item);
	else if (S_ISLNK(item->mode))
		say_link(root, dir, name);
	else
		say_record(INSIDE_SPECIAL, root, 0, 0, path);
}

/* --- The walk --- */

static bool is_kept(const struct root *root)
{
	for (size_t i = 0; root->letter == 't' && i < n_kept; i++)
		if (strcmp(kept_paths[i], path) == 0)
			return true;
	return false;
}

/* Of the cache only what programs are told to write there: files at its top, and directories of reports. */
static bool is_passed_over(const struct root *root, const char *name, int depth, uint32_t mode)
{
	static const char report[] = "report-";
	size_t n = 0;
	if (strcmp(name, ".git") == 0 || (depth == 0 && strcmp(name, INSIDE_HANDED) == 0) || is_kept(root))
		return true;
	if (root->letter == 't' || depth > 0 || S_ISREG(mode))
		return false;
	while (report[n] && name[n] == report[n])
		n++;
	return !S_ISDIR(mode) || report[n];
}

static void walk(struct root *root, int dir, size_t n_path, int depth);

/* What a program has closed to itself is not gone. */
static int open_dir(int dir, const char *name, uint32_t mode)
{
	int fd = openat(dir, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
	if (fd >= 0 || fchmodat(dir, name, 0700, 0) < 0)
		return fd;
	fd = openat(dir, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
	fchmodat(dir, name, mode & 07777, 0);
	return fd;
}

static void meet(struct root *root, int dir, const char *name, size_t n_path, int depth)
{
	struct statx st;
	size_t n = length_of(name);
	if (n_path + n + 2 > LONGEST_PATH) {
		is_too_much = true;
		return;
	}
	memcpy(path + n_path, name, n + 1);
	if (statx(dir, name, AT_SYMLINK_NOFOLLOW, STATX_BASIC_STATS, &st) < 0 || is_passed_over(root, name, depth, st.stx_mode))
		return;
	struct item item = describe(&st);
	if (report_to < 0)
		remember(root, item);
	else
		tell(root, dir, name, &item);
	if (!S_ISDIR(item.mode))
		return;
	int fd = open_dir(dir, name, item.mode);
	if (fd < 0) {
		is_too_much = true;
		return;
	}
	if (depth == DEEPEST) {
		if (report_to >= 0)
			say_record(INSIDE_DEEP, root, 0, 0, path);
	} else {
		path[n_path + n] = '/';
		walk(root, fd, n_path + n + 1, depth + 1);
	}
	close(fd);
}

static void walk(struct root *root, int dir, size_t n_path, int depth)
{
	union {
		struct dirent64 first;
		char bytes[8192];
	} list;
	ssize_t n;
	while ((n = getdents64(dir, &list, sizeof list)) > 0) {
		for (ssize_t i = 0; i < n;) {
			const struct dirent64 *entry = (const struct dirent64 *)(list.bytes + i);
			if (strcmp(entry->d_name, ".") != 0 && strcmp(entry->d_name, "..") != 0)
				meet(root, dir, entry->d_name, n_path, depth);
			i += entry->d_reclen;
		}
	}
	is_too_much = is_too_much || n < 0;
	path[n_path ? n_path - 1 : 0] = '\0';
}

static void walk_all(void)
{
	for (size_t i = 0; i < 2; i++) {
		int fd = open_dir(AT_FDCWD, roots[i].path, 0755);
		if (fd < 0) {
			is_too_much = true;
			return;
		}
		walk(&roots[i], fd, 0, 0);
		close(fd);
	}
}

/* --- Before and after --- */

/* The clock that files' times are of ticks slowly: what is changed from now on bears another time. */
static void await_tick(void)
{
	struct timespec now;
	for (int i = 0; i < MOST_TICKS; i++) {
		if (clock_gettime(CLOCK_REALTIME_COARSE, &now) < 0 || now.tv_sec * 1000000000 + now.tv_nsec > newest_ns)
			return;
		poll(NULL, 0, 1);
	}
}

void carry_look(const char *tree, const char *cache, bool has_gone, char **kept, size_t n)
{
	const char *const paths[] = {tree, cache};
	for (size_t i = 0; i < 2; i++) {
		int fd = open_dir(AT_FDCWD, paths[i], 0755);
		roots[i] = (struct root){.letter = i ? 'c' : 't', .path = paths[i], .fd = fd, .handed_to = -1};
		away_tree(fd, INSIDE_HANDED);
	}
	kept_paths = kept;
	n_kept = n;
	if (has_gone)
		away_listed(roots[0].fd, roots[1].fd);
	walk_all();
	await_tick();
}

void carry_tell(int to)
{
	report_to = to;
	for (size_t i = 0; i < 2; i++) {
		away_tree(roots[i].fd, INSIDE_HANDED);
		mkdirat(roots[i].fd, INSIDE_HANDED, 0700);
		roots[i].handed_to = openat(roots[i].fd, INSIDE_HANDED, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
	}
	walk_all();
	for (size_t i = 0; i < n_items; i++)
		if (!items[i].is_met)
			say_record(INSIDE_IS_GONE, &roots[text[items[i].path] == 'c'], 0, 0, text + items[i].path + 1);
	say(is_too_much ? "!" : ".", 2);
	flush();
}
