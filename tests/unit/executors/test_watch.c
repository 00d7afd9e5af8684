/* What a box may take: whom the disk's losses are laid to, and how the kernel's text is read. */
#include "tests/unit/unit.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "base/file.h"
#include "base/memory.h"
#include "base/raw.h"
#include "executors/sandbox/watch.h"

#define MB ((uint64_t)1 << 20)

static char top[TOP_SIZE], tree[TOP_SIZE + 16], cache[TOP_SIZE + 16];

static int set_up(void **state)
{
	(void)state;
	if (!make_top(top))
		return -1;
	snprintf(tree, sizeof tree, "%s/tree", top);
	snprintf(cache, sizeof cache, "%s/cache", top);
	return mkdir(tree, 0755) < 0 || mkdir(cache, 0755) < 0 ? -1 : 0;
}

static int tear_down(void **state)
{
	(void)state;
	struct rondo_error err;
	return file_remove_tree(top, &err);
}

/* A megabyte may be written; the disk has lost half of what it had left, whoever took that, and
 * however much others write or remove meanwhile. */
static struct watch plan(void)
{
	struct watch watch;
	watch_plan(
		&watch, &(struct watch_limits){.disk = (int64_t)MB, .files = 1000}, tree, cache, NULL);
	for (size_t i = 0; i < 2; i++)
		watch.spaces[i].bytes *= 2;
	return watch;
}

/* The disk had nothing left, so it has lost nothing since, whatever others write meanwhile. */
static struct watch plan_on_a_full_disk(void)
{
	struct watch watch = plan();
	for (size_t i = 0; i < 2; i++)
		watch.spaces[i] = (struct watch_space){0};
	return watch;
}

static void put(const char *name, size_t n)
{
	char path[TOP_SIZE + 64];
	struct rondo_error err;
	AUTO_FREE char *bytes = memory_alloc(n);
	snprintf(path, sizeof path, "%s/%s", cache, name);
	assert_int_equal(file_create(path, bytes, n, 0644, &err), 0);
}

/* Until the coarse clock, which a watch begins by, is behind nothing that was written before. Since
 * Linux 6.13 the kernel may date a change by the fine clock, which is ahead by up to two ticks. */
static void tick(void)
{
	struct timespec first, now;
	clock_gettime(CLOCK_REALTIME, &first);
	do
		clock_gettime(CLOCK_REALTIME_COARSE, &now);
	while (
		now.tv_sec < first.tv_sec || (now.tv_sec == first.tv_sec && now.tv_nsec <= first.tv_nsec));
}

static void what_others_take_of_the_disk_is_not_the_programs(void **state)
{
	(void)state;
	put("old", 3 * MB);
	tick();
	struct watch watch = plan();
	put("small", MB / 4);
	assert_int_equal(watch_inspect(&watch, getpid()), PROCESS_EXITED);
}

static void what_is_new_in_tree_and_cache_is(void **state)
{
	(void)state;
	struct watch watch = plan();
	put("large", 3 * MB);
	assert_int_equal(watch_inspect(&watch, getpid()), PROCESS_DISK);
}

static void what_is_born_is_seen_though_others_give_back_as_much(void **state)
{
	(void)state;
	put("old", 3 * MB);
	tick();
	struct watch watch = plan_on_a_full_disk();
	char path[TOP_SIZE + 64];
	snprintf(path, sizeof path, "%s/old", cache);
	assert_int_equal(chmod(path, 0600), 0);
	watch.patrol_ms = 0;
	assert_int_equal(watch_inspect(&watch, getpid()), PROCESS_EXITED);
	put("large", 3 * MB);
	assert_true(watch.patrol_ms > 0);
	watch.patrol_ms = INT64_MAX; /* it is not due, however slow this is */
	assert_int_equal(watch_inspect(&watch, getpid()), PROCESS_EXITED);
	watch.patrol_ms = 0;
	assert_int_equal(watch_inspect(&watch, getpid()), PROCESS_DISK);
}

static void what_cannot_be_looked_at_is_too(void **state)
{
	(void)state;
	char path[TOP_SIZE + 512];
	struct watch watch = plan();
	snprintf(path, sizeof path, "%s", tree);
	for (int i = 0; i < 120; i++) {
		strcat(path, "/d");
		assert_int_equal(mkdir(path, 0755), 0);
	}
	assert_int_equal(watch_inspect(&watch, getpid()), PROCESS_DISK);
}

/* The kernel's directory beside it may be opened by nobody. */
static void what_is_written_over_a_private_mount_is_too(void **state)
{
	(void)state;
	static const char *const dirs[] = {"tree", "tree/upper", "0", "0/upper", "0/work", "cache"};
	char path[TOP_SIZE + 64];
	for (size_t i = 0; i < ARRAY_SIZE(dirs); i++) {
		snprintf(path, sizeof path, "%s/%s", tree, dirs[i]);
		assert_int_equal(mkdir(path, strcmp(dirs[i], "0/work") == 0 ? 0 : 0755), 0);
	}
	struct watch watch = plan();
	watch.layer = tree;
	put("large", 3 * MB);
	assert_int_equal(watch_inspect(&watch, getpid()), PROCESS_EXITED);
	snprintf(path, sizeof path, "%s/0/upper/large", tree);
	char from[TOP_SIZE + 64];
	snprintf(from, sizeof from, "%s/large", cache);
	assert_int_equal(rename(from, path), 0);
	watch.walk_ms = 0;
	assert_int_equal(watch_inspect(&watch, getpid()), PROCESS_DISK);
}

static void nothing_may_take_most_of_what_the_disk_has(void **state)
{
	(void)state;
	struct watch watch = plan();
	watch.limits.disk = INT64_MAX;
	assert_int_equal(watch_inspect(&watch, getpid()), PROCESS_EXITED);
	watch.spaces[1].bytes *= 5;
	assert_int_equal(watch_inspect(&watch, getpid()), PROCESS_DISK);
}

static void limits_that_are_not_given_are_of_the_machine(void **state)
{
	(void)state;
	struct watch watch = plan();
	assert_true(watch.limits.memory > (int64_t)(16 * MB));
	assert_true(watch.limits.processes >= 384);
}

static void numbers_of_proc_are_read_whatever_a_process_is_called(void **state)
{
	(void)state;
	static const char stat[] =
		"7 (a) 9 R (x) S 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 21 0 5 4096 77 0\n";
	assert_int_equal(raw_stat_field(stat, 4), 1);
	assert_int_equal(raw_stat_field(stat, 20), 21);
	assert_int_equal(raw_stat_field(stat, 24), 77);
	assert_int_equal(raw_stat_field(stat, 60), -1);
	assert_int_equal(raw_stat_field("", 4), -1);
	assert_int_equal(raw_number_behind("Rss: 1 kB\nPss:\t  12 kB\n", "\nPss:"), 12);
	assert_int_equal(raw_number_behind("max\n", ""), -1);
	assert_true(raw_number_behind("99999999999999999999999999", "") > 0);
}

static void files_of_proc_are_read_as_far_as_they_fit(void **state)
{
	(void)state;
	char text[8], number[32];
	assert_int_equal(raw_read(AT_FDCWD, "/proc/self/stat", text, sizeof text), 7);
	assert_int_equal(strlen(text), 7);
	assert_int_equal(raw_read(AT_FDCWD, "/proc/no-such-file", text, sizeof text), -1);
	assert_int_equal(raw_put_number(number, 1024) - number, 4);
	assert_string_equal(number, "1024");
}

#define FRESH(test) cmocka_unit_test_setup_teardown(test, set_up, tear_down)

UNIT(watch)
{
	const struct CMUnitTest tests[] = {
		FRESH(what_others_take_of_the_disk_is_not_the_programs),
		FRESH(what_is_new_in_tree_and_cache_is),
		FRESH(what_is_born_is_seen_though_others_give_back_as_much),
		FRESH(what_cannot_be_looked_at_is_too),
		FRESH(what_is_written_over_a_private_mount_is_too),
		FRESH(nothing_may_take_most_of_what_the_disk_has),
		FRESH(limits_that_are_not_given_are_of_the_machine),
		cmocka_unit_test(numbers_of_proc_are_read_whatever_a_process_is_called),
		cmocka_unit_test(files_of_proc_are_read_as_far_as_they_fit),
	};
	return RUN_TESTS(tests);
}
