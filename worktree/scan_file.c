/* One file of a directory that is read as a tree: whether it counts, and as which blob. */
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdarg.h>
#include <string.h>
#include <unistd.h>

#include "base/beneath.h"
#include "base/memory.h"
#include "base/utf8.h"
#include "worktree/scan.h"

enum {
	MOST_NEW_FILES = 100000, /* in a hostile directory, as the next */
	MOST_NOTES = 1000,
};

#define TOO_LARGE "is larger than 64 MiB"

__attribute__((format(printf, 3, 0))) static void scan_push_note(
	struct scan *scan, const char *path, const char *format, va_list args)
{
	char what[256];
	utf8_vformat(what, sizeof what, format, args);
	ARENA_PUSH(
		scan->arena, scan->notes, scan->n_notes, arena_printf(scan->arena, "%s%s", path, what));
}

void scan_say(struct scan *scan, const char *format, ...)
{
	va_list args;
	va_start(args, format);
	scan_push_note(scan, "", format, args);
	va_end(args);
}

void scan_note(struct scan *scan, const char *format, ...)
{
	if (scan->n_notes > MOST_NOTES)
		return;
	if (scan->n_notes == MOST_NOTES) {
		scan_say(scan, "... and more");
		return;
	}
	AUTO_STRBUF path = STRBUF_INIT(STRBUF_LINE);
	strbuf_addc(&path, '\'');
	utf8_scrub(&path, scan->path.text, scan->path.length);
	strbuf_adds(&path, "' ");
	va_list args;
	va_start(args, format);
	scan_push_note(scan, path.text, format, args);
	va_end(args);
}

void scan_borrow(struct scan *scan)
{
	ARENA_PUSH(
		scan->arena, scan->borrowed, scan->n_borrowed, arena_strdup(scan->arena, scan->path.text));
}

void scan_put(
	struct scan *scan, struct level *level, const char *name, const git_oid *id, uint32_t mode)
{
	ARENA_PUSH(
		&scan->names, level->items.items, level->items.n, (struct tree_item){name, *id, mode});
}

int scan_keep(struct scan *scan, struct level *level, const git_tree_entry *was)
{
	if (was)
		scan_put(scan, level, git_tree_entry_name(was), git_tree_entry_id(was),
			git_tree_entry_filemode_raw(was));
	return 0;
}

int scan_is_ignored(struct scan *scan, const struct level *level, bool directory, bool *ret_ignored,
	struct rondo_error *err)
{
	*ret_ignored = level->ignored;
	if (level->ignored)
		return 0;
	size_t length = scan->path.length;
	if (directory)
		strbuf_addc(&scan->path, '/');
	int result = rules_ignored(scan->store, scan->path.text, ret_ignored, err);
	strbuf_truncate(&scan->path, length);
	return result;
}

/* Why a link may not be in the tree, or NULL. The base may have a link that leads out, and this one
 * may lead into that. */
static const char *scan_link_fault(const struct scan *scan, int dir, const char *name)
{
	char target[PATH_MAX];
	ssize_t length = readlinkat(dir, name, target, sizeof target - 1);
	target[length < 0 ? 0 : length] = '\0';
	const char *fault = beneath_link_fault(scan->path.text, target);
	if (!fault && beneath_leads_out(scan->root, scan->path.text))
		fault = "leads out of the tree";
	return fault ? arena_printf(scan->arena, "is a link that %s", fault) : NULL;
}

static bool is_too_large(const struct stat *st)
{
	return S_ISREG(st->st_mode) && st->st_size > LARGEST_FILE;
}

/* Why a change that code under test has made is not taken, or NULL. */
static const char *why_refused(
	const struct scan *scan, const struct level *level, const char *name, const struct stat *st)
{
	if (!scan->hostile)
		return NULL;
	const char *fault =
		S_ISLNK(st->st_mode) ? scan_link_fault(scan, dirfd(level->dir), name) : NULL;
	if (fault)
		return fault;
	if (is_too_large(st))
		return TOO_LARGE;
	if (strcmp(scan->path.text, ".gitmodules") == 0)
		return "says where submodules come from and may not change";
	return NULL;
}

/* Why a file is not even read, or NULL. A large one of the tree may be unchanged. */
static const char *why_unread(const struct scan *scan, const struct level *level, const char *name,
	const struct known_file *known, const struct stat *st)
{
	if (S_ISLNK(st->st_mode))
		return NULL;
	if (!S_ISREG(st->st_mode))
		return "is neither file, directory nor link";
	if (scan->hostile && is_too_large(st) && !(known && known->size == (uint64_t)st->st_size))
		return TOO_LARGE;
	if (faccessat(dirfd(level->dir), name, R_OK, AT_EACCESS) < 0 && errno == EACCES)
		return "cannot be read";
	return NULL;
}

static bool is_configured(const struct scan *scan, const char *driver)
{
	for (size_t i = 0; i < scan->n_drivers; i++)
		if (strcmp(scan->drivers[i], driver) == 0)
			return true;
	return strcmp(driver, "lfs") == 0 || text_starts_with(driver, "working-tree-encoding=");
}

/* The filter program whose work the file is, or NULL. */
static const char *driver_of(struct scan *scan, const struct stat *st)
{
	const char *driver =
		S_ISREG(st->st_mode) ? rules_driver(scan->store, scan->path.text, &scan->names) : NULL;
	return driver && is_configured(scan, driver) ? driver : NULL;
}

static int blob_of(struct scan *scan, const struct level *level, const char *name,
	const struct stat *st, git_oid *ret_id, struct rondo_error *err)
{
	if (scan_blob(scan->store, dirfd(level->dir), name, scan->path.text, st, ret_id, err) < 0)
		return error_prefix(err, "%s", scan->path.text);
	struct known_file *known = known_add(scan->known, scan->path.text);
	known_set(known, ret_id, known->mode, st, scan->stamp_ns);
	return 0;
}

static uint32_t mode_of(const struct scan *scan, const git_tree_entry *was, const struct stat *st)
{
	if (S_ISLNK(st->st_mode))
		return GIT_FILEMODE_LINK;
	if (!scan->filemode)
		return was && git_tree_entry_filemode(was) == GIT_FILEMODE_BLOB_EXECUTABLE
			? GIT_FILEMODE_BLOB_EXECUTABLE
			: GIT_FILEMODE_BLOB;
	return st->st_mode & S_IXUSR ? GIT_FILEMODE_BLOB_EXECUTABLE : GIT_FILEMODE_BLOB;
}

/* A file that is not as it was. As one that has a mode the next checkout may remove it. */
static int take(struct scan *scan, struct level *level, const char *name, const git_tree_entry *was,
	const struct tree_item *item)
{
	if (scan->hostile)
		known_add(scan->known, scan->path.text)->mode = item->mode;
	scan_put(scan, level, name, &item->id, item->mode);
	level->changed = true;
	*(was ? &scan->n_modified : &scan->n_untracked) += 1;
	return 0;
}

static int refuse(
	struct scan *scan, struct level *level, const git_tree_entry *was, const char *why)
{
	scan_note(scan, "%s", why);
	return scan_keep(scan, level, was);
}

int scan_file(struct scan *scan, struct level *level, const char *name, const git_tree_entry *was,
	const struct stat *st, struct rondo_error *err)
{
	const struct known_file *known = map_get(&scan->known->by_path, scan->path.text);
	bool ignored = false;
	if (!was && scan->hostile && scan->n_untracked >= MOST_NEW_FILES)
		return refuse(scan, level, was, "is one new file too many");
	if (!was && !(known && scan->index) && scan_is_ignored(scan, level, false, &ignored, err) < 0)
		return -1;
	if (ignored || (was && known && known->skip && !scan->sparse))
		return scan_keep(scan, level, was);
	struct tree_item item = {.mode = mode_of(scan, was, st)};
	scan->n_bytes += (uint64_t)st->st_size;
	/* The user's index calls a file fresh that a filter program has made of another blob. */
	const char *driver = driver_of(scan, st), *why = NULL;
	if (known && known_is_fresh(known, st) && (scan->hostile || !driver)) {
		item.id = known->id;
	} else {
		if ((why = why_unread(scan, level, name, known, st)))
			return refuse(scan, level, was, why);
		if (blob_of(scan, level, name, st, &item.id, err) < 0)
			return -1;
	}
	if (was && git_oid_equal(git_tree_entry_id(was), &item.id) &&
		item.mode == (uint32_t)git_tree_entry_filemode(was))
		return scan_keep(scan, level, was);
	if ((why = why_refused(scan, level, name, st)))
		return refuse(scan, level, was, why);
	if (!driver || (was && git_oid_equal(git_tree_entry_id(was), &item.id)))
		return take(scan, level, name, was, &item);
	if (scan->hostile) {
		scan_note(scan, "is changed, and only the filter '%s' can store it", driver);
	} else {
		scan_borrow(scan);
		scan->driver = driver;
		scan->n_filtered++;
	}
	return scan_keep(scan, level, was);
}
