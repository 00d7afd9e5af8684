#include "executors/mirror.h"

#include <dirent.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>

#include "base/clock.h"
#include "base/file.h"
#include "base/hash.h"
#include "base/memory.h"
#include "base/utf8.h"
#include "chat/edit.h"
#include "executors/tree_file.h"

#define DEEPEST 128
#define MOST_ENTRIES 500000
/* File times are no finer than some ms, on networks worse. */
#define TICK_NS ((int64_t)50000000)

void mirror_init(struct mirror *mirror, const struct executor *executor, const char *dir,
	const char *deep)
{
	*mirror = (struct mirror){.executor = executor, .dir = dir, .deep = deep};
}

void mirror_release(struct mirror *mirror)
{
	arena_release(&mirror->arena);
	*mirror = (struct mirror){0};
}

static int64_t mirror_now_ns(void)
{
	struct timespec now;
	clock_gettime(CLOCK_REALTIME, &now);
	return clock_in_ns(&now);
}

static struct mirror_entry *mirror_find(const struct mirror *mirror, const char *path)
{
	struct mirror_entry *entry = map_get(&mirror->known, path);
	return entry && entry->kind != RECORD_GONE ? entry : NULL;
}

/* A scan of the directory. */
struct mirror_look {
	struct mirror *mirror;
	struct arena *arena;
	struct map seen;
	struct mirror_changes changes;
	size_t n_seen;
	int64_t now_ns;
};

static const char *mirror_hash_of(const struct mirror_look *look, const char *path)
{
	char hash[HASH_SIZE];
	struct rondo_error err;
	AUTO_STRBUF text = STRBUF_INIT(STRBUF_TEXT);
	const char *place = arena_printf(look->arena, "%s/%s", look->mirror->dir, path);
	if (file_read(place, STRBUF_TEXT, &text, &err) < 0)
		return NULL;
	hash_bytes(text.text, text.length, hash);
	return arena_strdup(look->arena, hash);
}

static const char *mirror_target_of(int dir, const char *name, struct arena *arena)
{
	char target[RECORD_LONGEST_PATH + 1];
	ssize_t n = readlinkat(dir, name, target, sizeof target);
	return n > 0 && n < (ssize_t)sizeof target ? arena_strndup(arena, target, (size_t)n) : NULL;
}

/* False: neither file, directory nor link. */
static bool mirror_look_at(const struct mirror_look *look, int dir, const char *name,
	const char *path, struct mirror_entry *entry)
{
	struct stat st;
	if (fstatat(dir, name, &st, AT_SYMLINK_NOFOLLOW) < 0)
		return false;
	*entry = (struct mirror_entry){.path = path, .kind = RECORD_DIR};
	if (S_ISDIR(st.st_mode))
		return true;
	entry->inode = st.st_ino;
	entry->size = st.st_size;
	entry->modified_ns = clock_in_ns(&st.st_mtim);
	entry->changed_ns = clock_in_ns(&st.st_ctim);
	if (S_ISLNK(st.st_mode)) {
		entry->kind = RECORD_LINK;
		entry->target = mirror_target_of(dir, name, look->arena);
		return entry->target;
	}
	entry->kind = RECORD_FILE;
	entry->is_executable = st.st_mode & S_IXUSR;
	if (S_ISREG(st.st_mode) && look->now_ns - entry->changed_ns < TICK_NS)
		entry->hash = mirror_hash_of(look, path);
	return S_ISREG(st.st_mode);
}

/* Inode and times tell changes, unless a file had just been changed when it was scanned: then its
 * hash does. */
static bool mirror_is_same(const struct mirror_look *look, const struct mirror_entry *known,
	const struct mirror_entry *entry)
{
	if (known->kind != entry->kind || known->is_executable != entry->is_executable)
		return false;
	if (entry->kind == RECORD_DIR)
		return true;
	if (entry->kind == RECORD_LINK)
		return strcmp(known->target, entry->target) == 0;
	if (known->inode != entry->inode || known->size != entry->size ||
		known->modified_ns != entry->modified_ns || known->changed_ns != entry->changed_ns)
		return false;
	if (!known->hash)
		return true;
	const char *hash = entry->hash ? entry->hash : mirror_hash_of(look, entry->path);
	return hash && strcmp(hash, known->hash) == 0;
}

/* In a mirror with `deep` links do not count, and only rondo's own files lie in directories. */
static bool mirror_counts(const struct mirror *mirror, const char *path, enum record_kind kind)
{
	bool is_deep = kind == RECORD_DIR || strchr(path, '/');
	return !mirror->deep ||
	       (kind != RECORD_LINK && (!is_deep || text_starts_with(path, mirror->deep)));
}

static int mirror_walk(struct mirror_look *look, int parent, const char *name, const char *prefix,
	int depth, struct rondo_error *err);

static int mirror_meet(struct mirror_look *look, int dir, const char *name, const char *prefix,
	int depth, struct rondo_error *err)
{
	struct mirror_entry entry;
	const char *path = arena_printf(look->arena, "%s%s", prefix, name);
	if (!mirror_look_at(look, dir, name, path, &entry) ||
		!mirror_counts(look->mirror, path, entry.kind))
		return 0;
	if (++look->n_seen > MOST_ENTRIES)
		return error_set(err, RONDO_ERROR_USAGE, "'%s' holds more than %d files", look->mirror->dir,
			MOST_ENTRIES);
	map_put(&look->seen, look->arena, path, look);
	struct mirror_entry *known = mirror_find(look->mirror, path);
	if (!known || !mirror_is_same(look, known, &entry))
		ARENA_PUSH(look->arena, look->changes.items, look->changes.n, entry);
	else if (!entry.hash) /* from now on its times tell changes */
		known->hash = NULL;
	if (entry.kind != RECORD_DIR)
		return 0;
	return mirror_walk(look, dir, name, arena_printf(look->arena, "%s/", path), depth + 1, err);
}

static int mirror_walk(struct mirror_look *look, int parent, const char *name, const char *prefix,
	int depth, struct rondo_error *err)
{
	int fd = openat(parent, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
	DIR *dir = fd < 0 || depth > DEEPEST ? NULL : fdopendir(fd);
	int status = 0;
	if (!dir) {
		error_errno(err, RONDO_ERROR_USAGE, "cannot read '%s/%s'", look->mirror->dir, prefix);
		if (fd >= 0)
			close(fd);
		return -1;
	}
	for (struct dirent *item; status == 0 && (item = readdir(dir));)
		if (strcmp(item->d_name, ".") != 0 && strcmp(item->d_name, "..") != 0)
			status = mirror_meet(look, fd, item->d_name, prefix, depth, err);
	closedir(dir);
	return status;
}

/* A path that does not count came from the other side; the scan did not look for it. */
static bool mirror_is_gone(const struct mirror_look *look, const char *path)
{
	const struct mirror *mirror = look->mirror;
	const struct mirror_entry *known = mirror_find(mirror, path);
	if (!known || map_get(&look->seen, path))
		return false;
	return mirror_counts(mirror, path, known->kind) ||
	       !file_exists(arena_printf(look->arena, "%s/%s", mirror->dir, path));
}

int mirror_scan(struct mirror *mirror, struct arena *arena, struct mirror_changes *ret_changes,
	struct rondo_error *err)
{
	struct mirror_look look = {.mirror = mirror, .arena = arena, .now_ns = mirror_now_ns()};
	struct mirror_changes changes = {0};
	if (mirror_walk(&look, AT_FDCWD, mirror->dir, "", 0, err) < 0)
		return -1;
	for (size_t i = 0; i < mirror->n; i++)
		if (mirror_is_gone(&look, mirror->paths[i]))
			ARENA_PUSH(arena, changes.items, changes.n,
				(struct mirror_entry){.path = mirror->paths[i], .kind = RECORD_GONE});
	for (size_t i = 0; i < look.changes.n; i++)
		ARENA_PUSH(arena, changes.items, changes.n, look.changes.items[i]);
	*ret_changes = changes;
	return 0;
}

static void mirror_remember(struct mirror *mirror, const struct mirror_entry *entry)
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
		mirror_remember(mirror, &changes->items[i]);
}

/* The other side has what is here now. Parent directories were created with it. */
static void mirror_remember_as_is(struct mirror *mirror, const char *path)
{
	AUTO_ARENA arena = ARENA_INIT;
	struct mirror_look look = {.mirror = mirror, .arena = &arena, .now_ns = mirror_now_ns()};
	struct mirror_entry entry;
	AUTO_CLOSE dir = open(mirror->dir, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	for (const char *slash = path; (slash = strchr(slash, '/')); slash++) {
		const char *above = arena_strndup(&arena, path, (size_t)(slash - path));
		if (!mirror_find(mirror, above))
			mirror_remember(mirror, &(struct mirror_entry){.path = above, .kind = RECORD_DIR});
	}
	if (dir >= 0 && mirror_look_at(&look, dir, path, path, &entry))
		mirror_remember(mirror, &entry);
}

bool mirror_allows_path(const char *path)
{
	struct rondo_error strange;
	size_t n = strlen(path);
	return utf8_valid_length(path, n) == n && edit_check_path(path, &strange) == 0;
}

static int mirror_do(const struct mirror *mirror, const struct answer_item *item,
	struct rondo_error *err)
{
	const struct executor *executor = mirror->executor;
	const char *dir = mirror->dir, *path = item->path;
	if (item->kind == RECORD_GONE)
		return tree_file_remove(dir, path, err);
	if (item->kind == RECORD_DIR)
		return tree_file_make_dir(executor, dir, path, err);
	if (item->kind == RECORD_LINK)
		return tree_file_link(executor, dir, path, item->bytes, err);
	return tree_file_put(executor, dir, path, item->bytes, item->n, item->is_executable ? 0755
		: 0644, err);
}

int mirror_take(struct mirror *mirror, const struct answer_item *item, const char **ret_refusal,
	struct rondo_error *err)
{
	*ret_refusal = item->kind == RECORD_REFUSED ? item->why : NULL;
	if (item->kind == RECORD_REFUSED || (mirror->deep && item->kind == RECORD_LINK))
		return 0;
	if (mirror_do(mirror, item, err) < 0) {
		*ret_refusal = "something else stands in its place";
		return err->code == RONDO_ERROR_TRANSIENT ? -1 : 0;
	}
	if (item->kind == RECORD_GONE)
		mirror_remember(mirror, &(struct mirror_entry){.path = item->path, .kind = RECORD_GONE});
	else
		mirror_remember_as_is(mirror, item->path);
	return 0;
}
