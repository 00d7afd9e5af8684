#include "executors/inside/changes.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "executors/inside/out.h"
#include "executors/inside/tree.h"

enum { MOST_ITEMS = 400000, MOST_SLOTS = 1 << 20, MOST_TEXT = 48 << 20, MOST_TICKS = 200 };

enum item_state { ITEM_GONE, ITEM_SAME, ITEM_CHANGED };

/* Its place in the kernel's tables and when it was changed tell of any change. */
struct item {
	uint64_t hash, inode;
	int64_t size, modified_ns, changed_ns;
	uint32_t mode;
	uint32_t path; /* where it begins in `text`: the root's digit, then the path below it */
	enum item_state state;
};

/* What is not touched takes no memory. */
static struct item items[MOST_ITEMS];
static uint32_t slots[MOST_SLOTS]; /* numbers of items, from 1 */
static char text[MOST_TEXT];
static size_t n_items, n_before, n_text;
static bool looks_again, is_too_much;
static int roots[RECORD_ROOTS];
static char **kept_paths;
static size_t n_kept;
static int64_t newest_ns;

/* Of what is looked at: the root's digit, then the path. */
static char path[RECORD_LONGEST_PATH + 2];

/* --- What was there --- */

static uint64_t item_hash(void)
{
	uint64_t hash = 14695981039346656037U;
	for (const char *at = path; *at; at++)
		hash = (hash ^ (unsigned char)*at) * 1099511628211U;
	return hash;
}

/* The slot of `path`: its item's, or an empty one. */
static uint32_t *item_slot(uint64_t hash)
{
	size_t at = hash % MOST_SLOTS;
	while (slots[at] && (items[slots[at] - 1].hash != hash ||
		strcmp(text + items[slots[at] - 1].path, path) != 0))
		at = (at + 1) % MOST_SLOTS;
	return &slots[at];
}

static int64_t in_ns(const struct statx_timestamp *time)
{
	return time->tv_sec * 1000000000 + time->tv_nsec;
}

static bool item_is_same(const struct item *was, const struct item *is)
{
	if (S_ISDIR(is->mode))
		return S_ISDIR(was->mode);
	return was->inode == is->inode && was->size == is->size && was->mode == is->mode &&
		was->modified_ns == is->modified_ns &&
	       was->changed_ns == is->changed_ns;
}

static void item_add(uint32_t *slot, struct item *item)
{
	size_t n = 0;
	while (path[n++])
		;
	if (n_items == MOST_ITEMS || n_text + n > MOST_TEXT) {
		is_too_much = true;
		return;
	}
	item->path = (uint32_t)n_text;
	memcpy(text + n_text, path, n);
	n_text += n;
	items[n_items++] = *item;
	*slot = (uint32_t)n_items;
}

/* Remember what stands at `path`, or compare it with what did. */
static void item_meet(const struct statx *st)
{
	struct item item = {.hash = item_hash(), .inode = st->stx_ino, .size = (int64_t)st->stx_size,
		.mode = st->stx_mode,
		.modified_ns = in_ns(&st->stx_mtime), .changed_ns = in_ns(&st->stx_ctime),
		.state = looks_again ? ITEM_CHANGED : ITEM_GONE};
	uint32_t *slot = item_slot(item.hash);
	struct item *known = *slot ? &items[*slot - 1] : NULL;
	newest_ns = item.changed_ns > newest_ns ? item.changed_ns : newest_ns;
	if (!known) {
		item_add(slot, &item);
		return;
	}
	item.path = known->path;
	item.state = item_is_same(known, &item) ? ITEM_SAME : ITEM_CHANGED;
	*known = item;
}

/* --- The walk --- */

static bool is_kept(void)
{
	for (size_t i = 0; *path == '0' && i < n_kept; i++)
		if (strcmp(kept_paths[i], path + 1) == 0)
			return true;
	return false;
}

/* Of the cache only what programs are told to write there: files at its top, and directories of
 * reports. */
static bool is_passed_over(const char *name, int depth, uint32_t mode)
{
	static const char report[] = "report-";
	size_t n = 0;
	if (strcmp(name, ".git") == 0 || is_kept())
		return true;
	if (*path == '0' || depth > 0 || S_ISREG(mode))
		return false;
	while (report[n] && name[n] == report[n])
		n++;
	return !S_ISDIR(mode) || report[n];
}

static void walk(int parent, const char *dir_name, size_t n_path, int depth);

static void walk_meet(int dir, const char *name, size_t n_path, int depth)
{
	struct statx st;
	size_t n = 0;
	for (; name[n] && n_path + n < sizeof path - 2; n++)
		path[n_path + n] = name[n];
	path[n_path + n] = '\0';
	if (name[n]) {
		is_too_much = true;
		return;
	}
	if (statx(dir, name, AT_SYMLINK_NOFOLLOW, STATX_BASIC_STATS, &st) < 0 || is_passed_over(name,
		depth, st.stx_mode))
		return;
	item_meet(&st);
	if (!S_ISDIR(st.stx_mode))
		return;
	if (depth == TREE_DEEPEST) /* that is told with it */
		return;
	if ((st.stx_mode & 0500) != 0500) /* what a program has closed to itself is not gone */
		fchmodat(dir, name, 0755, 0);
	path[n_path + n] = '/';
	walk(dir, name, n_path + n + 1, depth + 1);
}

static void walk(int parent, const char *dir_name, size_t n_path, int depth)
{
	union {
		struct dirent64 first;
		char bytes[8192];
	} list;
	ssize_t n = -1;
	int dir = openat(parent, dir_name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
	while (dir >= 0 && (n = getdents64(dir, &list, sizeof list)) > 0) {
		for (ssize_t i = 0; i < n;) {
			const struct dirent64 *entry = (const struct dirent64 *)(list.bytes + i);
			if (strcmp(entry->d_name, ".") != 0 && strcmp(entry->d_name, "..") != 0)
				walk_meet(dir, entry->d_name, n_path, depth);
			i += entry->d_reclen;
		}
	}
	is_too_much = is_too_much || n < 0;
	if (dir >= 0)
		close(dir);
}

/* --- What is told --- */

static uint64_t told_bytes;
static uint32_t told_files;

static void tell_record(const struct item *item, enum record_kind kind, uint64_t size)
{
	const char *name = text + item->path;
	out_record(&(struct record){.kind = kind, .root = (unsigned)(*name - '0'), .path = name + 1,
		.size = size,
		.is_executable = kind == RECORD_FILE && item->mode & 0100});
}

static void tell_refused(const struct item *item, const char *why)
{
	size_t n = 0;
	while (why[n])
		n++;
	tell_record(item, RECORD_REFUSED, n);
	out_bytes(why, n);
}

static void tell_dir(const struct item *item)
{
	int depth = 0;
	for (const char *at = text + item->path; *at; at++)
		depth += *at == '/';
	tell_record(item, RECORD_DIR, 0);
	if (depth == TREE_DEEPEST)
		tell_refused(item, "it lies too deep");
}

static void tell_link(const struct item *item, int dir, const char *name)
{
	char target[RECORD_LONGEST_PATH + 1];
	ssize_t n = readlinkat(dir, name, target, sizeof target - 1);
	if (n <= 0) {
		tell_refused(item, "it cannot be read");
		return;
	}
	target[n] = '\0';
	tell_record(item, RECORD_LINK, (uint64_t)n + 1);
	out_bytes(target, (size_t)n + 1);
}

static int open_file(const struct item *item, int dir, const char *name)
{
	int flags = O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC, fd = openat(dir, name, flags);
	if (fd >= 0 || errno != EACCES || fchmodat(dir, name, 0600, 0) < 0)
		return fd;
	fd = openat(dir, name, flags);
	fchmodat(dir, name, item->mode & 07777, 0);
	return fd;
}

static void tell_file(const struct item *item, int dir, const char *name)
{
	struct statx st;
	int fd = open_file(item, dir, name);
	if (fd < 0 || statx(fd, "", AT_EMPTY_PATH, STATX_BASIC_STATS, &st) < 0 ||
		!S_ISREG(st.stx_mode)) {
		tell_refused(item, "it cannot be read");
	} else if (st.stx_size > INSIDE_MOST_FILE) {
		tell_refused(item, "it is larger than 64 MiB");
	} else if (told_files >= INSIDE_MOST_FILES || told_bytes + st.stx_size > INSIDE_MOST_BYTES) {
		tell_refused(item, "there is too much of it");
	} else {
		told_files++;
		told_bytes += st.stx_size;
		tell_record(item, RECORD_FILE, st.stx_size);
		out_file(fd, st.stx_size);
	}
	if (fd >= 0)
		close(fd);
}

static void tell_changed(const struct item *item)
{
	char *name = text + item->path, *last;
	int dir = tree_enter(roots[*name - '0'], name + 1, false, &last);
	if (S_ISDIR(item->mode))
		tell_dir(item);
	else if (S_ISREG(item->mode))
		tell_file(item, dir, last);
	else if (S_ISLNK(item->mode))
		tell_link(item, dir, last);
	else
		tell_refused(item, "it is no file, directory or link");
	if (dir >= 0)
		close(dir);
}

/* --- Before and after --- */

static void walk_roots(void)
{
	for (int i = 0; i < RECORD_ROOTS; i++) {
		path[0] = (char)('0' + i);
		fchmod(roots[i], 0755); /* a program may have closed it */
		walk(roots[i], ".", 1, 0);
	}
}

/* The clock that files' times are of ticks slowly: what is changed from now on bears another
 * time. */
static void await_tick(void)
{
	struct timespec now;
	for (int i = 0; i < MOST_TICKS; i++) {
		if (clock_gettime(CLOCK_REALTIME_COARSE, &now) < 0 ||
			now.tv_sec * 1000000000 + now.tv_nsec > newest_ns)
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
	n_before = n_items;
	looks_again = true;
	await_tick();
}

void changes_tell(void)
{
	walk_roots();
	for (size_t i = n_before; i-- > 0;)
		if (items[i].state == ITEM_GONE)
			tell_record(&items[i], RECORD_GONE, 0);
	for (size_t i = 0; i < n_items; i++)
		if (items[i].state == ITEM_CHANGED)
			tell_changed(&items[i]);
	if (!is_too_much)
		out_record(&(struct record){.kind = RECORD_END, .path = ""});
}
