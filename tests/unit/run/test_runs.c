/* The runs on disk, in order, and the newest of them. */
#include "tests/unit/unit.h"

#include <fcntl.h>
#include <sys/stat.h>

#include "base/file.h"
#include "base/map.h"
#include "base/memory.h"
#include "run/run.h"

enum { RUNS = 60, SECONDS = 7 };

static char top[TOP_SIZE];
static struct rondo_error err;

/* Run i began in second i % SECONDS, after those before it. */
static const char *id_of(struct arena *arena, int i)
{
	return arena_printf(arena, "20261128-10000%d-%04x", i % SECONDS, (unsigned)(RUNS - i));
}

static void make_run(struct arena *arena, int i)
{
	const char *dir = arena_printf(arena, "%s/rondo/runs/%s", top, id_of(arena, i));
	const char *file = arena_printf(arena, "%s/scenario.json", dir);
	struct timespec times[2] = {{.tv_sec = 1000 + i}, {.tv_sec = 1000 + i}};
	assert_int_equal(file_make_dir(dir, 0700, &err), 0);
	assert_int_equal(file_write(file, "{}", 2, 0600, &err), 0);
	assert_int_equal(utimensat(AT_FDCWD, file, times, 0), 0);
}

static int set_up(void **state)
{
	(void)state;
	AUTO_ARENA arena = ARENA_INIT;
	if (!make_top(top))
		return -1;
	setenv("XDG_STATE_HOME", top, 1);
	for (int i = 0; i < RUNS; i++)
		make_run(&arena, i);
	return 0;
}

static int tear_down(void **state)
{
	(void)state;
	return file_remove_tree(top, &err);
}

/* The run at a place, the newest at 0: of the last second the last, then the one before it ... */
static const char *wanted_at(struct arena *arena, size_t place)
{
	for (int second = SECONDS - 1; second >= 0; second--)
		for (int i = RUNS - 1; i >= 0; i--)
			if (i % SECONDS == second && !place--)
				return id_of(arena, i);
	return NULL;
}

static void the_newest_come_first_and_none_is_missing(void **state)
{
	(void)state;
	static const size_t mosts[] = {0, 1, 2, 9, 20, RUNS - 1, RUNS, RUNS + 1, SIZE_MAX};
	for (size_t k = 0; k < ARRAY_SIZE(mosts); k++) {
		AUTO_ARENA arena = ARENA_INIT;
		struct map seen = {0};
		const char **ids;
		size_t n;
		assert_int_equal(run_list(&arena, mosts[k], &ids, &n, &err), 0);
		assert_int_equal(n, RUNS);
		for (size_t i = 0; i < n; i++) {
			if (i < mosts[k])
				assert_string_equal(ids[i], wanted_at(&arena, i));
			assert_null(map_get(&seen, ids[i]));
			map_put(&seen, &arena, ids[i], &n);
		}
	}
}

static void last_is_the_newest(void **state)
{
	(void)state;
	AUTO_ARENA arena = ARENA_INIT;
	const char *dir = run_find(&arena, "last", &err);
	assert_non_null(dir);
	assert_string_equal(file_name(dir), wanted_at(&arena, 0));
}

UNIT(runs)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_newest_come_first_and_none_is_missing),
		cmocka_unit_test(last_is_the_newest),
	};
	return cmocka_run_group_tests(tests, set_up, tear_down);
}
