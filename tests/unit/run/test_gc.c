/* rondo gc removes records of old runs, and never of one that somebody has. */
#include "tests/unit/unit.h"

#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <stdatomic.h>
#include <sys/inotify.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/file.h"
#include "base/memory.h"
#include "run/journal/paths.h"
#include "run/run.h"

static char top[TOP_SIZE];
static struct rondo_error err;

static int set_up(void **state)
{
	(void)state;
	if (!make_top(top))
		return -1;
	setenv("XDG_STATE_HOME", top, 1);
	setenv("XDG_CACHE_HOME", top, 1);
	return 0;
}

static int tear_down(void **state)
{
	(void)state;
	return file_remove_tree(top, &err);
}

/* Remove the records of all runs that may be removed. Gives how many those were. */
static size_t collect(void)
{
	size_t n = 0;
	uint64_t bytes;
	struct rondo_error why;
	if (run_remove_old(0, 0, &n, &bytes, &why) < 0)
		fail_msg("%s", why.message);
	return n;
}

static void let_go(struct run_paths *paths, struct journal *journal)
{
	journal_close(journal);
	run_paths_release(paths);
}

static void must(int result)
{
	if (result < 0)
		fail_msg("%s", err.message);
}

static void run_that_ended_goes(void **state)
{
	(void)state;
	AUTO_ARENA arena = ARENA_INIT;
	struct run_paths paths;
	struct journal journal;
	must(run_paths_make(&arena, false, &paths, &journal, &err));
	assert_int_equal(collect(), 0);
	let_go(&paths, &journal);
	assert_int_equal(collect(), 1);
	assert_false(file_exists(paths.dir));
}

/* It has read the journal, and not yet a work directory. */
static void run_that_is_being_resumed_stays(void **state)
{
	(void)state;
	AUTO_ARENA arena = ARENA_INIT;
	struct run_paths paths;
	struct journal journal;
	must(run_paths_make(&arena, false, &paths, &journal, &err));
	let_go(&paths, &journal);
	must(journal_lock(&journal, paths.attempt, &err));
	assert_int_equal(collect(), 0);
	must(run_paths_take(&arena, paths.dir, &paths, &err));
	assert_int_equal(collect(), 0);
	assert_true(file_is_dir(paths.logs));
	let_go(&paths, &journal);
	assert_int_equal(collect(), 1);
}

/* A kill came while it was being made or removed. One that is young may still be made. */
static void leftovers_are_no_runs_and_go(void **state)
{
	(void)state;
	static const char *const names[] = {
		"20260101-000000-aaaa.new", "20260101-000000-bbbb.01234567"};
	AUTO_ARENA arena = ARENA_INIT;
	const char **ids;
	size_t n;
	for (size_t i = 0; i < ARRAY_SIZE(names); i++) {
		const char *dir = arena_printf(&arena, "%s/rondo/runs/%s", top, names[i]);
		must(file_make_dir(arena_printf(&arena, "%s/attempts/1", dir), 0700, &err));
		must(run_list(&arena, SIZE_MAX, &ids, &n, &err));
		assert_int_equal(n, 0);
		assert_int_equal(collect(), 0);
		assert_true(file_is_dir(dir));
		const struct timespec long_ago[2] = {{.tv_sec = 1}, {.tv_sec = 1}};
		assert_int_equal(utimensat(AT_FDCWD, dir, long_ago, 0), 0);
		assert_int_equal(collect(), 0);
		assert_false(file_exists(dir));
	}
}

struct waiter {
	const char *attempt;
	pthread_t thread;
	struct rondo_error err;
	int result;
};

/* A program that a run had started, and that outlives it until somebody looks at its lock. */
static void outlive(const char *lock, int ready)
{
	char event[512];
	int watch = inotify_init1(IN_CLOEXEC);
	if (watch >= 0 && inotify_add_watch(watch, lock, IN_OPEN) >= 0 && write(ready, "", 1) == 1 &&
		read(watch, event, sizeof event) > 0)
		_exit(0);
	_exit(1);
}

static void run_that_was_killed(int ready)
{
	AUTO_ARENA arena = ARENA_INIT;
	struct run_paths paths;
	struct journal journal;
	if (run_paths_make(&arena, false, &paths, &journal, &err) < 0)
		_exit(1);
	if (fork() == 0)
		outlive(arena_printf(&arena, "%s/lock", paths.work), ready);
	_exit(0);
}

static void checkouts_go_though_a_program_of_the_dead_run_still_ends(void **state)
{
	(void)state;
	int ready[2], status;
	char byte;
	size_t n = 0;
	uint64_t bytes;
	assert_int_equal(pipe2(ready, O_CLOEXEC), 0);
	pid_t run = fork();
	if (run == 0)
		run_that_was_killed(ready[1]);
	close(ready[1]);
	assert_int_equal(waitpid(run, &status, 0), run);
	assert_int_equal(read(ready[0], &byte, 1), 1);
	close(ready[0]);
	must(run_collect_garbage(&n, &bytes, &err));
	assert_int_equal(n, 1);
}

static void *wait_for_lock(void *owner)
{
	struct waiter *waiter = owner;
	struct journal journal;
	waiter->result = journal_lock(&journal, waiter->attempt, &waiter->err);
	if (waiter->result == 0)
		journal_close(&journal);
	return NULL;
}

/* How many descriptors of this process are a path. */
static int n_open(const char *path)
{
	char link[64], open_path[TOP_SIZE * 2];
	int n = 0;
	for (int fd = 0; fd < 256; fd++) {
		snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
		ssize_t length = readlink(link, open_path, sizeof open_path - 1);
		open_path[length < 0 ? 0 : length] = '\0';
		n += strcmp(open_path, path) == 0;
	}
	return n;
}

/* The lock of a run whose directory has gone is nobody's, and protects nothing. */
static void resume_that_waited_for_a_removal_is_told(void **state)
{
	(void)state;
	AUTO_ARENA arena = ARENA_INIT;
	struct run_paths paths;
	struct journal journal;
	must(run_paths_make(&arena, false, &paths, &journal, &err));
	struct waiter waiter = {.attempt = paths.attempt};
	assert_int_equal(pthread_create(&waiter.thread, NULL, wait_for_lock, &waiter), 0);
	const char *lock = arena_printf(&arena, "%s/lock", paths.attempt);
	while (n_open(lock) < 2)
		poll(NULL, 0, 1);
	must(file_remove_tree(paths.dir, &err));
	let_go(&paths, &journal);
	pthread_join(waiter.thread, NULL);
	assert_int_equal(waiter.result, -1);
	assert_non_null(strstr(waiter.err.message, "this run has been removed"));
}

static void *collect_until(void *owner)
{
	atomic_bool *stop = owner;
	while (!*stop)
		collect();
	return NULL;
}

static void run_that_is_just_being_made_stays(void **state)
{
	(void)state;
	atomic_bool stop = false;
	pthread_t thread;
	int lost = 0;
	assert_int_equal(pthread_create(&thread, NULL, collect_until, &stop), 0);
	for (int i = 0; i < 200; i++) {
		AUTO_ARENA arena = ARENA_INIT;
		struct run_paths paths;
		struct journal journal;
		if (run_paths_make(&arena, false, &paths, &journal, &err) < 0) {
			lost++;
			continue;
		}
		lost += !file_is_dir(paths.logs) || !file_is_dir(paths.packs);
		let_go(&paths, &journal);
	}
	stop = true;
	pthread_join(thread, NULL);
	assert_int_equal(lost, 0);
}

UNIT(gc)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(run_that_ended_goes),
		cmocka_unit_test(run_that_is_being_resumed_stays),
		cmocka_unit_test(leftovers_are_no_runs_and_go),
		cmocka_unit_test(checkouts_go_though_a_program_of_the_dead_run_still_ends),
		cmocka_unit_test(resume_that_waited_for_a_removal_is_told),
		cmocka_unit_test(run_that_is_just_being_made_stays),
	};
	return cmocka_run_group_tests(tests, set_up, tear_down);
}
