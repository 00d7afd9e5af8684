#include "executors/mirror.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>

#include "base/file.h"
#include "base/hash.h"
#include "base/memory.h"
#include "base/utf8.h"
#include "chat/edit.h"
#include "executors/tree_file.h"

#define DEEPEST 128
#define MOST_ENTRIES 500000
#define LONGEST_TARGET 4096
#define TICK_NS \
	((int64_t)50000000) /* files bear times that are no finer than a few ms; networks' are worse */

void mirror_init(
	struct mirror *mirror, const struct executor *executor, const char *dir, const char *deep)
{
	*mirror = (struct mirror){.executor = executor, .dir = dir, .deep = deep};
}

void mirror_release(struct mirror *mirror)
{
	arena_release(&mirror->arena);
}

static int64_t in_ns(const struct timespec *time)
{
	return (int64_t)time->tv_sec * 1000000000 + time->tv_nsec;
}

static struct mirror_entry *find(const struct mirror *mirror, const char *path)
{
	struct mirror_entry *entry = map_get(&mirror->known, path);
	return entry && entry->kind != MIRROR_GONE ? entry : NULL;
}

/* A scan that goes on. */
struct scan {
	struct mirror *mirror;
	struct arena *arena;
	struct map seen;
	struct mirror_changes changes;
	size_t n_seen;
	int64_t now_ns;
};

static const char *hash_of(const char *dir, const char *path, struct arena *arena)
{
	char hash[HASH_SIZE];
	struct rondo_error err;
	AUTO_STRBUF text = STRBUF_INIT(STRBUF_TEXT);
	if (file_read(arena_printf(arena, "%s/%s", dir, path), STRBUF_TEXT, &text, &err) < 0)
		return NULL;
	hash_bytes(text.text, text.length, hash);
	return arena_strdup(arena, hash);
}

static const char *read_target(int dir, const char *name, struct arena *arena)
{
	char target[LONGEST_TARGET];
	ssize_t n = readlinkat(dir, name, target, sizeof target);
	return n > 0 && n < LONGEST_TARGET ? arena_strndup(arena, target, (size_t)n) : NULL;
}

/* False: neither file, directory nor link. */
static bool look(
	struct scan *scan, int dir, const char *name, const char *path, struct mirror_entry *entry)
{
	struct stat st;
	if (fstatat(dir, name, &st, AT_SYMLINK_NOFOLLOW) < 0)
		return false;
	*entry = (struct mirror_entry){.path = path,
		.inode = st.st_ino,
		.size = st.st_size,
		.modified_ns = in_ns(&st.st_mtim),
		.changed_ns = in_ns(&st.st_ctim)};
	if (S_ISDIR(st.st_mode)) {
		*entry = (struct mirror_entry){.path = path, .kind = MIRROR_DIR};
		return true;
	}
	if (S_ISLNK(st.st_mode)) {
		entry->kind = MIRROR_LINK;
		entry->target = read_target(dir, name, scan->arena);
		return entry->target;
	}
	entry->kind = MIRROR_FILE;
	entry->is_executable = st.st_mode & S_IXUSR;
	if (S_ISREG(st.st_mode) && scan->now_ns - entry->changed_ns < TICK_NS)
		entry->hash = hash_of(scan->mirror->dir, path, scan->arena);
	return S_ISREG(st.st_mode);
}

/* Times and inode tell, but of what was known when it had just been changed: there the text does. */
static bool is_same(
	const struct scan *scan, const struct mirror_entry *known, const struct mirror_entry *entry)
{
	if (known->kind != entry->kind || known->is_executable != entry->is_executable)
		return false;
	if (entry->kind == MIRROR_DIR)
		return true;
	if (entry->kind == MIRROR_LINK)
		return strcmp(known->target, entry->target) == 0;
	if (known->inode != entry->inode || known->size != entry->size ||
		known->modified_ns != entry->modified_ns || known->changed_ns != entry->changed_ns)
		return false;
	if (!known->hash)
		return true;
	const char *hash =
		entry->hash ? entry->hash : hash_of(scan->mirror->dir, entry->path, scan->arena);
	return hash && strcmp(hash, known->hash) == 0;
}

static int walk(struct scan *scan, int parent, const char *name, const char *prefix, int depth,
	struct rondo_error *err);

/* Links are what programs make; what is deep in a mirror that leaves things out is rondo's own. */
static bool counts(const struct mirror *mirror, const char *path, enum mirror_kind kind)
{
	bool is_deep = kind == MIRROR_DIR || strchr(path, '/');
	return !mirror->deep ||
	       (kind != MIRROR_LINK && (!is_deep || text_starts_with(path, mirror->deep)));
}

static int meet(struct scan *scan, int dir, const char *name, const char *prefix, int depth,
	struct rondo_error *err)
{
	struct mirror_entry entry;
	const char *path = arena_printf(scan->arena, "%s%s", prefix, name);
	if (!look(scan, dir, name, path, &entry) || !counts(scan->mirror, path, entry.kind))
		return 0;
	if (++scan->n_seen > MOST_ENTRIES)
		return error_set(err, RONDO_ERROR_USAGE, "'%s' holds more than %d files",
			scan->mirror->dir, MOST_ENTRIES);
	map_put(&scan->seen, scan->arena, path, scan);
	struct mirror_entry *known = find(scan->mirror, path);
	if (!known || !is_same(scan, known, &entry))
		ARENA_PUSH(scan->arena, scan->changes.items, scan->changes.n, entry);
	else if (!entry.hash) /* by now its times would tell */
		known->hash = NULL;
	if (entry.kind != MIRROR_DIR)
		return 0;
	return walk(scan, dir, name, arena_printf(scan->arena, "%s/", path), depth + 1, err);
}

static int walk(struct scan *scan, int parent, const char *name, const char *prefix, int depth,
	struct rondo_error *err)
{
	int fd = openat(parent, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
	DIR *dir = fd < 0 || depth > DEEPEST ? NULL : fdopendir(fd);
	int status = 0;
	if (!dir) {
		error_errno(
			err, RONDO_ERROR_USAGE, "cannot read '%s/%s'", scan->mirror->dir, prefix);
		if (fd >= 0)
			close(fd);
		return -1;
	}
	for (struct dirent *item; status == 0 && (item = readdir(dir));)
		if (strcmp(item->d_name, ".") != 0 && strcmp(item->d_name, "..") != 0)
			status = meet(scan, fd, item->d_name, prefix, depth, err);
	closedir(dir);
	return status;
}

/* What does not count came from there, and is not looked for. */
static bool is_gone(const struct scan *scan, const char *path)
{
	const struct mirror *mirror = scan->mirror;
	const struct mirror_entry *known = find(mirror, path);
	if (!known || map_get(&scan->seen, path))
		return false;
	return counts(mirror, path, known->kind) ||
	       !file_exists(arena_printf(scan->arena, "%s/%s", mirror->dir, path));
}

/* What was known and was not met, then what has changed. */
static void put_gone_first(struct scan *scan)
{
	struct mirror_changes changes = {0};
	for (size_t i = 0; i < scan->mirror->n; i++) {
		const char *path = scan->mirror->paths[i];
		if (is_gone(scan, path))
			ARENA_PUSH(scan->arena, changes.items, changes.n,
				(struct mirror_entry){.path = path});
	}
	for (size_t i = 0; i < scan->changes.n; i++)
		ARENA_PUSH(scan->arena, changes.items, changes.n, scan->changes.items[i]);
	scan->changes = changes;
}

int mirror_scan(struct mirror *mirror, struct arena *arena, struct mirror_changes *ret_changes,
	struct rondo_error *err)
{
	struct timespec now;
	clock_gettime(CLOCK_REALTIME, &now);
	struct scan scan = {.mirror = mirror, .arena = arena, .now_ns = in_ns(&now)};
	if (walk(&scan, AT_FDCWD, mirror->dir, "", 0, err) < 0)
		return -1;
	put_gone_first(&scan);
	*ret_changes = scan.changes;
	return 0;
}

static void remember(struct mirror *mirror, const struct mirror_entry *entry)
{
	struct arena *arena = &mirror->arena;
	struct mirror_entry *known = map_get(&mirror->known, entry->path);
	if (!known) {
		known = arena_alloc(arena, sizeof *known);
		known->path = arena_strdup(arena, entry->path);
		map_put(&mirror->known, arena, known->path, known);
		ARENA_PUSH(arena, mirror->paths, mirror->n, known->path);
	}
	const char *path = known->path;
	*known = *entry;
	known->path = path;
	known->target = arena_strdup(arena, entry->target);
	known->hash = arena_strdup(arena, entry->hash);
}

void mirror_accept(struct mirror *mirror, const struct mirror_changes *changes)
{
	for (size_t i = 0; i < changes->n; i++)
		remember(mirror, &changes->items[i]);
}

/* As it is here now, it is there. Directories on the way to it were made with it. */
static void remember_as_is(struct mirror *mirror, const char *path)
{
	AUTO_ARENA arena = ARENA_INIT;
	struct scan scan = {.mirror = mirror, .arena = &arena};
	struct mirror_entry entry;
	AUTO_CLOSE dir = open(mirror->dir, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	for (const char *slash = path; (slash = strchr(slash, '/')); slash++) {
		entry = (struct mirror_entry){
			.path = arena_strndup(&arena, path, (size_t)(slash - path)),
			.kind = MIRROR_DIR};
		if (!find(mirror, entry.path))
			remember(mirror, &entry);
	}
	struct timespec now;
	clock_gettime(CLOCK_REALTIME, &now);
	scan.now_ns = in_ns(&now);
	if (dir >= 0 && look(&scan, dir, path, path, &entry))
		remember(mirror, &entry);
}

bool mirror_allows_path(const char *path)
{
	struct rondo_error strange;
	size_t n = strlen(path);
	return utf8_valid_length(path, n) == n && edit_check_path(path, &strange) == 0;
}

static int take(struct mirror *mirror, const struct answer_item *item, struct rondo_error *err)
{
	const struct executor *executor = mirror->executor;
	switch (item->kind) {
	case ANSWER_GONE:
		return tree_file_remove(mirror->dir, item->path, err);
	case ANSWER_DIR:
		return tree_file_make_dir(executor, mirror->dir, item->path, err);
	case ANSWER_LINK:
		return tree_file_link(executor, mirror->dir, item->path, item->bytes, err);
	case ANSWER_FILE:
		return tree_file_put(executor, mirror->dir, item->path, item->bytes, item->n,
			item->is_executable ? 0755 : 0644, err);
	case ANSWER_REFUSED:
		break;
	}
	return 0;
}

int mirror_take(struct mirror *mirror, const struct answer_item *item, const char **ret_refusal,
	struct rondo_error *err)
{
	*ret_refusal = item->kind == ANSWER_REFUSED ? item->why : NULL;
	if (item->kind == ANSWER_REFUSED || (mirror->deep && item->kind == ANSWER_LINK))
		return 0;
	if (take(mirror, item, err) < 0) {
		*ret_refusal = "something else stands in its place";
		return err->code == RONDO_ERROR_TRANSIENT ? -1 : 0;
	}
	if (item->kind == ANSWER_GONE)
		remember(mirror, &(struct mirror_entry){.path = item->path});
	else
		remember_as_is(mirror, item->path);
	return 0;
}
