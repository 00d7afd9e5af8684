#include "tests/unit/unit.h"

#include <fcntl.h>
#include <pthread.h>
#include <sys/fsuid.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/file.h"

static char top[TOP_SIZE];

static int enter(void **state)
{
	(void)state;
	return make_top(top) && chdir(top) == 0 ? 0 : -1;
}

static int leave(void **state)
{
	(void)state;
	struct rondo_error err;
	return chdir("/") == 0 && file_remove_tree(top, &err) == 0 && !file_exists(top) ? 0 : -1;
}

static void write_text(const char *path, const char *text)
{
	struct rondo_error err;
	assert_int_equal(file_write(path, text, strlen(text), 0644, &err), 0);
}

static void writes_and_reads_whole_files(void **state)
{
	(void)state;
	struct rondo_error err;
	AUTO_STRBUF text = STRBUF_INIT(100);
	write_text("a", "old");
	write_text("a", "new");
	assert_int_equal(file_read("a", 100, &text, &err), 0);
	assert_string_equal(text.text, "new");
	assert_int_equal(file_read("a", 2, &text, &err), -1);
	assert_string_equal(err.message, "'a' is larger than 2 bytes");
	assert_int_equal(file_read("none", 2, &text, &err), -1);
	assert_string_equal(err.message, "cannot open 'none': No such file or directory");
	assert_int_equal(file_write("no/dir/x", "", 0, 0644, &err), -1);
}

static void creates_only_what_is_not_there(void **state)
{
	(void)state;
	struct rondo_error err;
	struct stat st;
	mode_t before = umask(077);
	assert_int_equal(file_create("created", "text", 4, 0644, &err), 0);
	umask(before);
	assert_int_equal(stat("created", &st), 0);
	assert_int_equal(st.st_mode & 0777, 0644);
	assert_int_equal(st.st_size, 4);
	assert_int_equal(file_create("created", "other", 5, 0644, &err), -1);
	assert_string_equal(err.message, "cannot write 'created': File exists");
}

/* Root writes everywhere, but for its files being another user's. */
static void says_which_directory_was_refused(void **state)
{
	(void)state;
	struct rondo_error err;
	assert_int_equal(chmod(".", 0755), 0);
	assert_int_equal(mkdir("shut", 0555), 0);
	int before = setfsuid(geteuid() == 0 ? 65534 : geteuid());
	int status = file_make_dir("shut/a/b/c", 0700, &err);
	setfsuid((uid_t)before);
	assert_int_equal(status, -1);
	assert_string_equal(err.message, "cannot make directory 'shut/a': Permission denied");
}

static void copies_trees_with_modes_and_links(void **state)
{
	(void)state;
	struct rondo_error err;
	struct stat st;
	char target[16];
	assert_int_equal(file_make_dir("from/inner", 0755, &err), 0);
	write_text("from/inner/program", "#!/bin/sh\n");
	chmod("from/inner/program", 0751);
	assert_int_equal(symlink("/etc/passwd", "from/link"), 0);
	assert_int_equal(mkfifo("from/fifo", 0600), 0);
	assert_int_equal(file_copy_tree("from", "to", &err), 0);
	assert_int_equal(stat("to/inner/program", &st), 0);
	assert_int_equal(st.st_mode & 0777, 0751);
	assert_int_equal(readlink("to/link", target, sizeof target), 11);
	assert_false(file_exists("to/fifo"));
}

static void removes_what_is_made_hard_to_remove(void **state)
{
	(void)state;
	struct rondo_error err;
	write_text("outside", "stays");
	assert_int_equal(file_make_dir("hard/locked/deep", 0755, &err), 0);
	write_text("hard/locked/deep/file", "x");
	assert_int_equal(symlink("../outside", "hard/link"), 0);
	chmod("hard/locked/deep", 0);
	chmod("hard/locked", 0);
	assert_int_equal(file_remove_tree("hard", &err), 0);
	assert_false(file_exists("hard"));
	assert_true(file_exists("outside"));
	assert_int_equal(file_remove_tree("hard", &err), 0);
}

/* The names that a removal lifts to are taken by those of the one before. */
static void removes_what_a_removal_left_that_was_cut_off(void **state)
{
	(void)state;
	struct rondo_error err;
	assert_int_equal(file_make_dir("cut/.lifted-0/deep/deeper", 0755, &err), 0);
	assert_int_equal(file_make_dir("cut/.lifted-1/deep/deeper", 0755, &err), 0);
	write_text("cut/.lifted-2", "x");
	assert_int_equal(file_remove_tree("cut", &err), 0);
	assert_false(file_exists("cut"));
}

static void make_deep(const char *name)
{
	assert_int_equal(mkdir(name, 0755), 0);
	int fd = open(name, O_RDONLY | O_DIRECTORY);
	for (int i = 0; i < 4000; i++) {
		assert_int_equal(mkdirat(fd, "directory", 0755), 0);
		int inner = openat(fd, "directory", O_RDONLY | O_DIRECTORY);
		close(fd);
		fd = inner;
	}
	close(fd);
}

static void removes_trees_deeper_than_a_path_can_say(void **state)
{
	(void)state;
	struct rondo_error err;
	make_deep("deep");
	assert_int_equal(file_remove_tree("deep", &err), 0);
	assert_false(file_exists("deep"));
}

struct looked {
	uint64_t size;
	int owned, copied;
	struct rondo_error err;
};

static void *look(void *owner)
{
	struct looked *looked = owner;
	looked->size = file_tree_size("deep");
	looked->owned = file_own_tree("deep", getuid(), getgid(), &looked->err);
	looked->copied = file_copy_tree("deep", "copy", &looked->err);
	return NULL;
}

/* What a run left that was killed is measured before it is removed; here on a stack that is as
 * small for it as the usual one is for ten times as many. */
static void no_depth_is_too_much(void **state)
{
	(void)state;
	struct rlimit before, many;
	pthread_attr_t small;
	pthread_t thread;
	struct looked looked = {.size = 0};
	assert_int_equal(getrlimit(RLIMIT_NOFILE, &before), 0);
	many = (struct rlimit){before.rlim_max, before.rlim_max};
	assert_int_equal(setrlimit(RLIMIT_NOFILE, &many), 0);
	make_deep("deep");
	write_text("deep/file", "four");
	pthread_attr_init(&small);
	pthread_attr_setstacksize(&small, (size_t)768 << 10);
	assert_int_equal(pthread_create(&thread, &small, look, &looked), 0);
	pthread_join(thread, NULL);
	pthread_attr_destroy(&small);
	assert_int_equal(setrlimit(RLIMIT_NOFILE, &before), 0);
	assert_int_equal(looked.size, 4);
	assert_int_equal(looked.owned, 0);
	assert_int_equal(looked.copied, -1);
	assert_string_equal(strstr(looked.err.message, "to 'copy': "),
		many.rlim_cur > 2100 ? "to 'copy': File name too long" : "to 'copy': Too many open files");
	assert_int_equal(file_remove_tree("copy", &looked.err), 0);
	assert_int_equal(file_remove_tree("deep", &looked.err), 0);
}

static void what_cannot_be_removed_says_why(void **state)
{
	(void)state;
	struct rondo_error err;
	assert_int_equal(file_remove_tree("/proc/self/status", &err), -1);
	assert_non_null(strstr(err.message, "ermi")); /* "Permission denied", "... not permitted" */
}

static void knows_what_lies_below_what(void **state)
{
	(void)state;
	assert_true(file_is_below("/a/b", "/a"));
	assert_true(file_is_below("/a", "/a"));
	assert_true(file_is_below("/a", "/"));
	assert_false(file_is_below("/ab", "/a"));
	assert_string_equal(file_suffix("x/y.tar.gz"), "gz");
	assert_string_equal(file_suffix("x.d/.hidden"), "");
}

static void finds_programs(void **state)
{
	(void)state;
	AUTO_ARENA arena = ARENA_INIT;
	assert_string_equal(file_search(&arena, "/nowhere::relative:/bin", "sh"), "/bin/sh");
	assert_null(file_search(&arena, "/bin", "no-such-program"));
	assert_null(file_search(&arena, "/", "etc"));
}

UNIT(file)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(writes_and_reads_whole_files),
		cmocka_unit_test(creates_only_what_is_not_there),
		cmocka_unit_test(says_which_directory_was_refused),
		cmocka_unit_test(copies_trees_with_modes_and_links),
		cmocka_unit_test(removes_what_is_made_hard_to_remove),
		cmocka_unit_test(removes_what_a_removal_left_that_was_cut_off),
		cmocka_unit_test(removes_trees_deeper_than_a_path_can_say),
		cmocka_unit_test(no_depth_is_too_much),
		cmocka_unit_test(what_cannot_be_removed_says_why),
		cmocka_unit_test(knows_what_lies_below_what),
		cmocka_unit_test(finds_programs),
	};
	return cmocka_run_group_tests(tests, enter, leave);
}
