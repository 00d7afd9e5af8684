/* Where runs lie on disk: state that is kept, and checkouts in the cache that are not. */
#include "run/journal/paths.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "base/file.h"
#include "base/hash.h"
#include "base/memory.h"
#include "run/journal/lock.h"
#include "run/run.h"

static const char *base_dir(
	struct arena *arena, const char *variable, const char *in_home, struct rondo_error *err)
{
	const char *dir = getenv(variable), *home = getenv("HOME");
	if (dir && *dir == '/')
		return arena_printf(arena, "%s/rondo", dir);
	if (home && *home == '/')
		return arena_printf(arena, "%s/%s/rondo", home, in_home);
	error_set(err, RONDO_ERROR_USAGE, "neither %s nor HOME names a directory", variable);
	return NULL;
}

const char *run_state_dir(struct arena *arena, struct rondo_error *err)
{
	const char *given = getenv("RONDO_STATE_DIR");
	if (given && *given)
		return arena_strdup(arena, given);
	return base_dir(arena, "XDG_STATE_HOME", ".local/state", err);
}

const char *run_cache_dir(struct arena *arena, struct rondo_error *err)
{
	return base_dir(arena, "XDG_CACHE_HOME", ".cache", err);
}

static const char *new_id(struct arena *arena)
{
	char date[32], random[5];
	time_t now = time(NULL);
	struct tm tm;
	localtime_r(&now, &tm);
	strftime(date, sizeof date, "%Y%m%d-%H%M%S", &tm);
	hash_random(random, 4);
	return arena_printf(arena, "%s-%s", date, random);
}

/* A directory with a lock that is held as long as the run lives, so that others can tell a dead
 * run's checkouts. One that was taken for dead before it could be locked is made again. */
static int hold(const char *work, struct rondo_error *err)
{
	AUTO_STRBUF path = STRBUF_INIT(STRBUF_LINE);
	strbuf_addf(&path, "%s/lock", work);
	for (;;) {
		if (file_make_dir(work, 0700, err) < 0)
			return error_help(err, "set XDG_CACHE_HOME to a directory that you may write");
		AUTO_CLOSE fd = open(path.text, O_RDWR | O_CREAT | O_CLOEXEC, 0600);
		if (fd < 0 && errno == ENOENT)
			continue;
		if (fd < 0 || file_lock(fd, DEAD_HOLDS_MS) < 0)
			return error_errno(err, RONDO_ERROR_TRANSIENT, "cannot lock '%s'", path.text);
		if (file_is_at(fd, path.text)) {
			lock_sign(fd);
			return STEAL_FD(&fd);
		}
	}
}

/* The lock of a run that died, which nobody else holds; -1: it lives, or is just being made.
 * `flags` may be O_CREAT. */
int run_take_dead(const char *dir, int flags)
{
	AUTO_STRBUF path = STRBUF_INIT(STRBUF_LINE);
	strbuf_addf(&path, "%s/lock", dir);
	AUTO_CLOSE fd = open(path.text, O_RDWR | O_CLOEXEC | flags, 0600);
	return fd >= 0 && lock_take(fd, 0) == 0 && file_is_at(fd, path.text) ? STEAL_FD(&fd) : -1;
}

/* The lock lies where the journal does. */
bool run_has_attempts(const char *dir)
{
	AUTO_STRBUF path = STRBUF_INIT(STRBUF_LINE);
	strbuf_addf(&path, "%s/lock", dir);
	return file_exists(path.text);
}

const char *run_attempt_dir(const char *dir, int attempt, struct arena *arena)
{
	return arena_printf(arena, "%s/attempts/%d", dir, attempt);
}

const char *run_journal_dir(const char *dir, struct arena *arena)
{
	return run_has_attempts(dir) ? arena_strdup(arena, dir) : run_attempt_dir(dir, 1, arena);
}

void run_paths_within(
	struct arena *arena, const struct run_paths *run, int attempt, struct run_paths *paths)
{
	const char *dir = run_attempt_dir(run->dir, attempt, arena);
	*paths = (struct run_paths){.id = run->id,
		.dir = dir,
		.attempt = dir,
		.logs = arena_printf(arena, "%s/logs", dir),
		.packs = arena_printf(arena, "%s/blobs/%d", run->dir, attempt),
		.work = arena_printf(arena, "%s/attempt-%d", run->work, attempt),
		.lock = -1};
}

/* How to have runs elsewhere than where the directory for them cannot be made. */
static int paths_state_help(struct rondo_error *err)
{
	const char *given = getenv("RONDO_STATE_DIR");
	if (given && *given)
		return error_help(
			err, "name a directory that you may write, by --state-dir or RONDO_STATE_DIR");
	return error_help(err, "set XDG_STATE_HOME to a directory that you may write");
}

static int make_dirs(const struct run_paths *paths, struct rondo_error *err)
{
	if (file_make_dir(paths->logs, 0700, err) == 0 && file_make_dir(paths->packs, 0700, err) == 0)
		return 0;
	return paths_state_help(err);
}

static int name_dirs(struct arena *arena, const char *dir, bool has_attempts,
	struct run_paths *ret_paths, struct rondo_error *err)
{
	const char *cache = run_cache_dir(arena, err);
	if (!cache)
		return -1;
	struct run_paths paths = {.id = file_name(dir), .dir = dir, .lock = -1};
	paths.work = arena_printf(arena, "%s/work/%s", cache, paths.id);
	paths.attempt = has_attempts ? dir : run_attempt_dir(dir, 1, arena);
	paths.logs = arena_printf(arena, "%s/logs", paths.attempt);
	paths.packs = arena_printf(arena, "%s/blobs/pack", dir);
	*ret_paths = paths;
	return 0;
}

/* The attempt's lock comes first, then that of the work directory: also in run_remove_old. */
static int hold_work(struct run_paths *paths, struct run_paths *ret_paths, struct rondo_error *err)
{
	paths->lock = hold(paths->work, err);
	if (paths->lock < 0)
		return -1;
	*ret_paths = *paths;
	return 0;
}

int run_paths_make_work(struct arena *arena, struct run_paths *paths, struct rondo_error *err)
{
	const char *cache = run_cache_dir(arena, err);
	if (!cache)
		return -1;
	struct run_paths made = {.id = new_id(arena)};
	made.work = arena_printf(arena, "%s/work/%s", cache, made.id);
	made.lock = hold(made.work, err);
	if (made.lock < 0)
		return -1;
	*paths = made;
	return 0;
}

int run_paths_sync(const struct run_paths *paths, struct rondo_error *err)
{
	AUTO_FREE char *runs = memory_strdup(paths->dir);
	*strrchr(runs, '/') = '\0';
	if (file_sync(paths->attempt, err) < 0 || file_sync_up(paths->packs, paths->dir, err) < 0)
		return -1;
	return file_sync_up(paths->attempt, runs, err);
}

/* An id is nobody else's: that the draft of its directory can be made says so. */
static const char *make_draft(struct arena *arena, const char *runs, const char **ret_dir)
{
	for (;;) {
		*ret_dir = arena_printf(arena, "%s/%s", runs, new_id(arena));
		const char *draft = arena_printf(arena, "%s.new", *ret_dir);
		if (mkdir(draft, 0700) < 0 && errno == EEXIST)
			continue;
		if (!file_exists(*ret_dir))
			return draft;
		rmdir(draft);
	}
}

/* Nobody sees a run before its lock is held. */
static int make_and_lock(const struct run_paths *paths, const char *dir, struct journal *journal,
	struct rondo_error *err)
{
	if (make_dirs(paths, err) < 0 || journal_lock(journal, paths->attempt, err) < 0)
		return -1;
	return rename(paths->dir, dir) == 0
		? 0
		: error_errno(err, RONDO_ERROR_TRANSIENT, "cannot make '%s'", dir);
}

int run_paths_make(struct arena *arena, bool has_attempts, struct run_paths *ret_paths,
	struct journal *journal, struct rondo_error *err)
{
	struct run_paths draft, paths;
	struct rondo_error ignored;
	const char *state = run_state_dir(arena, err), *dir;
	if (!state)
		return -1;
	const char *runs = arena_printf(arena, "%s/runs", state);
	bool is_first = !file_is_dir(runs);
	if (file_make_dir(runs, 0700, err) < 0)
		return paths_state_help(err);
	if (is_first) /* those above may be new, too; not all of them need be readable */
		file_sync_up(runs, "/", &ignored);
	if (name_dirs(arena, make_draft(arena, runs, &dir), has_attempts, &draft, err) < 0 ||
		name_dirs(arena, dir, has_attempts, &paths, err) < 0)
		return -1;
	if (make_and_lock(&draft, dir, journal, err) < 0) {
		file_remove_tree(draft.dir, &ignored);
		return -1;
	}
	if (hold_work(&paths, ret_paths, err) == 0)
		return 0;
	file_remove_tree(dir, &ignored);
	return -1;
}

/* Remove a directory whose lock is held. It gets a name first that says that it is nobody's any
 * more: a kill may come at any time, and programs that are about to die write until then.
 * What stays is collected at the next start. */
int run_discard(const char *work, struct rondo_error *err)
{
	char random[9];
	struct rondo_error ignored;
	AUTO_STRBUF aside = STRBUF_INIT(STRBUF_LINE);
	hash_random(random, 8);
	strbuf_addf(&aside, "%s.%s", work, random);
	if (rename(work, aside.text) < 0)
		return error_errno(err, RONDO_ERROR_TRANSIENT, "cannot put '%s' aside", work);
	file_remove_tree(aside.text, &ignored);
	return 0;
}

/* What a dead run left goes first. */
int run_paths_take(
	struct arena *arena, const char *dir, struct run_paths *ret_paths, struct rondo_error *err)
{
	struct run_paths paths;
	if (name_dirs(arena, dir, run_has_attempts(dir), &paths, err) < 0)
		return -1;
	AUTO_CLOSE lock = hold(paths.work, err);
	if (lock < 0 || run_discard(paths.work, err) < 0 || make_dirs(&paths, err) < 0)
		return -1;
	return hold_work(&paths, ret_paths, err);
}

void run_paths_release(struct run_paths *paths)
{
	struct rondo_error ignored;
	if (!paths->work)
		return;
	run_discard(paths->work, &ignored);
	close(paths->lock);
	paths->work = NULL;
}

/* And not one that is just being made or removed. */
bool run_is_name(const char *name)
{
	return !strchr(name, '.');
}
