/* The runs on disk: all of them, one of them, and whether one is running. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/clock.h"
#include "base/file.h"
#include "base/memory.h"
#include "run/journal/paths.h"
#include "run/run.h"

struct found_run {
	const char *id;
	int64_t begun_ns; /* ids tell seconds apart, and no less */
};

static int newest_first(const void *one, const void *other)
{
	const struct found_run *a = one, *b = other;
	int order = strncmp(b->id, a->id, strlen("YYYYMMDD-HHMMSS"));
	return order ? order : a->begun_ns < b->begun_ns ? 1 : -1;
}

/* By the file that a run begins with, and that nobody touches again. */
static int64_t begun_at_ns(const char *runs, const char *id, struct arena *arena)
{
	struct stat st = {0};
	stat(arena_printf(arena, "%s/%s/scenario.json", runs, id), &st);
	return clock_in_ns(&st.st_mtim);
}

int run_list(struct arena *arena, const char ***ret_ids, size_t *ret_n, struct rondo_error *err)
{
	const char *state = run_state_dir(arena, err), **ids = NULL;
	struct found_run *found = NULL;
	size_t n = 0;
	if (!state)
		return -1;
	const char *runs = arena_printf(arena, "%s/runs", state);
	AUTO_DIR *dir = opendir(runs);
	if (!dir && errno != ENOENT)
		return error_errno(err, RONDO_ERROR_USAGE, "cannot read '%s'", runs);
	for (const char *name; dir && (name = file_next_name(dir));)
		if (run_is_name(name))
			ARENA_PUSH(arena, found, n,
				(struct found_run){arena_strdup(arena, name), begun_at_ns(runs, name, arena)});
	if (n)
		qsort(found, n, sizeof *found, newest_first);
	ids = arena_alloc(arena, (n + 1) * sizeof *ids);
	for (size_t i = 0; i < n; i++)
		ids[i] = found[i].id;
	*ret_ids = ids;
	*ret_n = n;
	return 0;
}

static bool is_dead(const char *work)
{
	AUTO_CLOSE lock = run_take_dead(work, 0);
	return lock >= 0;
}

bool run_goes_on(const char *id, struct arena *arena)
{
	struct rondo_error err;
	const char *cache = run_cache_dir(arena, &err);
	const char *work = cache ? arena_printf(arena, "%s/work/%s", cache, id) : NULL;
	return work && file_is_dir(work) && !is_dead(work);
}

const char *run_find(struct arena *arena, const char *prefix, struct rondo_error *err)
{
	const char **ids, *found = NULL;
	size_t n;
	if (run_list(arena, &ids, &n, err) < 0)
		return NULL;
	bool last = !prefix || strcmp(prefix, "last") == 0;
	for (size_t i = 0; i < n && !(last && found); i++) {
		if (!last && !text_starts_with(ids[i], prefix))
			continue;
		if (found) {
			error_set(
				err, RONDO_ERROR_USAGE, "'%s' begins several runs: %s, %s", prefix, found, ids[i]);
			return NULL;
		}
		found = ids[i];
	}
	if (found)
		return arena_printf(arena, "%s/runs/%s", run_state_dir(arena, err), found);
	if (last)
		error_set(err, RONDO_ERROR_USAGE, "there is no run yet");
	else
		error_set(err, RONDO_ERROR_USAGE, "no run begins with '%s'", prefix);
	return NULL;
}
