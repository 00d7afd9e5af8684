/* What runs leave behind: checkouts of dead ones, and directories that nobody keeps. */
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/file.h"
#include "base/memory.h"
#include "executors/executor.h"
#include "run/journal/paths.h"
#include "run/site/site.h"

enum { LEFTOVER_MS = 60 * 60 * 1000 }; /* nobody takes so long to make or remove a run */

/* Remove it where it is nobody's, and add up its bytes. One that is just being made is empty; if it
 * goes, it is made again. */
static bool collect(const char *work, uint64_t *bytes)
{
	struct rondo_error stays;
	bool is_discarded = strchr(file_name(work), '.');
	AUTO_CLOSE lock = is_discarded ? -1 : run_take_dead(work, 0);
	if (!is_discarded && lock < 0)
		return rmdir(work) == 0;
	uint64_t size = file_tree_size(work);
	if ((is_discarded ? file_remove_tree(work, &stays) : run_discard(work, &stays)) < 0)
		return false;
	*bytes += size;
	return true;
}

int run_collect_garbage(size_t *ret_n, uint64_t *ret_bytes, struct rondo_error *err)
{
	AUTO_ARENA arena = ARENA_INIT;
	const char *cache = run_cache_dir(&arena, err);
	if (!cache)
		return -1;
	*ret_n = 0;
	*ret_bytes = 0;
	const char *works = arena_printf(&arena, "%s/work", cache);
	AUTO_DIR *dir = opendir(works);
	for (const char *name; dir && (name = file_next_name(dir));)
		*ret_n += *name != '.' && collect(arena_printf(&arena, "%s/%s", works, name), ret_bytes);
	site_collect_packages(cache, ret_bytes);
	return 0;
}

int run_collect_setups(int64_t age_ms, size_t *ret_n, uint64_t *ret_bytes, struct rondo_error *err)
{
	AUTO_ARENA arena = ARENA_INIT;
	const char *cache = run_cache_dir(&arena, err);
	if (!cache)
		return -1;
	*ret_n = 0;
	*ret_bytes = 0;
	setup_store_collect(cache, age_ms, ret_n, ret_bytes);
	return 0;
}

int run_collect_elsewhere(size_t *ret_n, struct rondo_error *err)
{
	return executor_collect(ret_n, err);
}

static bool is_younger(const char *dir, int64_t age_ms)
{
	struct stat st;
	return stat(dir, &st) == 0 && clock_date_ms() - (int64_t)st.st_mtime * 1000 < age_ms;
}

/* A run that nobody has. Its lock is held, so that no resume begins meanwhile. */
static int remove_run(
	const char *dir, struct arena *arena, size_t *n, uint64_t *bytes, struct rondo_error *err)
{
	const char *attempt = run_journal_dir(dir, arena);
	struct rondo_error ignored;
	/* no run is without it, and nothing else can be locked */
	file_make_dir(attempt, 0700, &ignored);
	AUTO_CLOSE lock = run_take_dead(attempt, O_CREAT);
	if (lock < 0 || run_goes_on(file_name(dir), arena))
		return 0;
	uint64_t size = file_tree_size(dir);
	if (run_discard(dir, err) < 0)
		return -1;
	*n += 1;
	*bytes += size;
	return 0;
}

/* What a kill left of a run that was being made, or removed. */
static void remove_leftovers(const char *runs, struct arena *arena)
{
	struct rondo_error stays;
	AUTO_DIR *dir = opendir(runs);
	for (const char *name; dir && (name = file_next_name(dir));) {
		const char *path = arena_printf(arena, "%s/%s", runs, name);
		if (*name != '.' && !run_is_name(name) && !is_younger(path, LEFTOVER_MS))
			file_remove_tree(path, &stays);
	}
}

int run_remove_old(
	int64_t keep, int64_t age_ms, size_t *ret_n, uint64_t *ret_bytes, struct rondo_error *err)
{
	AUTO_ARENA arena = ARENA_INIT;
	const char **ids, *state = run_state_dir(&arena, err);
	size_t n;
	*ret_n = 0;
	*ret_bytes = 0;
	if (!state || run_list(&arena, SIZE_MAX, &ids, &n, err) < 0)
		return -1;
	remove_leftovers(arena_printf(&arena, "%s/runs", state), &arena);
	for (size_t i = (size_t)keep; i < n; i++) {
		const char *dir = arena_printf(&arena, "%s/runs/%s", state, ids[i]);
		if (!is_younger(dir, age_ms) && remove_run(dir, &arena, ret_n, ret_bytes, err) < 0)
			return -1;
	}
	return 0;
}
