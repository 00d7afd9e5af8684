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
	const char *runs; /* the directory that it lies in */
	int64_t begun_ns; /* 0: nobody has looked yet */
};

/* By the file that a run begins with, and that nobody touches again. */
static int64_t found_begun_ns(struct found_run *run)
{
	AUTO_STRBUF path = STRBUF_INIT(STRBUF_LINE);
	struct stat st = {0};
	if (!run->begun_ns) {
		strbuf_addf(&path, "%s/%s/scenario.json", run->runs, run->id);
		stat(path.text, &st);
		run->begun_ns = clock_in_ns(&st.st_mtim);
	}
	return run->begun_ns;
}

/* Ids tell seconds apart, and no less. Only of two of one second the disk is asked: there may be a
 * hundred thousand runs. */
static int newest_first(const void *one, const void *other)
{
	struct found_run *const *a = one, *const *b = other;
	int order = strncmp((*b)->id, (*a)->id, strlen("YYYYMMDD-HHMMSS"));
	return order ? order : found_begun_ns(*a) < found_begun_ns(*b) ? 1 : -1;
}

static void found_swap(struct found_run **one, struct found_run **other)
{
	struct found_run *kept = *one;
	*one = *other;
	*other = kept;
}

/* Bring the newest to the front, in order: most of the others are compared with the last of these
 * alone. */
static void found_select(struct found_run **found, size_t n, size_t most)
{
	if (n && most)
		qsort(found, n < most ? n : most, sizeof(struct found_run *), newest_first);
	for (size_t i = most; most && i < n; i++) {
		if (newest_first(&found[i], &found[most - 1]) >= 0)
			continue;
		found_swap(&found[i], &found[most - 1]);
		for (size_t at = most - 1; at && newest_first(&found[at], &found[at - 1]) < 0; at--)
			found_swap(&found[at], &found[at - 1]);
	}
}

int run_list(
	struct arena *arena, size_t most, const char ***ret_ids, size_t *ret_n, struct rondo_error *err)
{
	const char *state = run_state_dir(arena, err), **ids;
	struct found_run **found = NULL;
	size_t n = 0;
	if (!state)
		return -1;
	const char *runs = arena_printf(arena, "%s/runs", state);
	AUTO_DIR *dir = opendir(runs);
	if (!dir && errno != ENOENT)
		return error_errno(err, RONDO_ERROR_USAGE, "cannot read '%s'", runs);
	for (const char *name; dir && (name = file_next_name(dir));)
		if (run_is_name(name)) {
			struct found_run *run = arena_alloc(arena, sizeof *run);
			*run = (struct found_run){.id = arena_strdup(arena, name), .runs = runs};
			ARENA_PUSH(arena, found, n, run);
		}
	found_select(found, n, most);
	ids = arena_alloc(arena, (n + 1) * sizeof *ids);
	for (size_t i = 0; i < n; i++)
		ids[i] = found[i]->id;
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
	bool last = !prefix || strcmp(prefix, "last") == 0;
	if (run_list(arena, last ? 1 : 0, &ids, &n, err) < 0)
		return NULL;
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
	if (last) {
		error_set(err, RONDO_ERROR_USAGE, "there is no run yet");
	} else {
		error_set(err, RONDO_ERROR_USAGE, "no run begins with '%s'", prefix);
		error_help(err, "rondo list runs --all");
	}
	return NULL;
}
