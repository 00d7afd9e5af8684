/* Files in trees where a program that is alive plants links: what rondo writes and reads stays in
 * the tree. */
#include "tests/unit/unit.h"

#include <dirent.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdatomic.h>
#include <sys/stat.h>
#include <sys/syscall.h>

#include "base/clock.h"
#include "base/file.h"
#include "base/memory.h"
#include "executors/tree_file.h"

#define FLIP_MS 1500

static char top[] = "/tmp/rondo-tree-file-XXXXXX";
static struct arena arena;
static const struct world world = {.drop = false};
static const struct executor executor = {.world = &world};

static const char *at(const char *name)
{
	return arena_printf(&arena, "%s/%s", top, name);
}

static void put(const char *name, const char *text)
{
	struct rondo_error err;
	assert_int_equal(file_write(at(name), text, strlen(text), 0644, &err), 0);
}

/* A tree with a directory and a link out of it, to where there is a secret. */
static int set_up(void **state)
{
	struct rondo_error err;
	(void)state;
	memcpy(strrchr(top, '-'), "-XXXXXX", 7);
	if (!mkdtemp(top))
		return -1;
	file_make_dir(at("tree/real"), 0755, &err);
	file_make_dir(at("outside"), 0755, &err);
	put("outside/file", "secret");
	put("tree/real/file", "own");
	put("tree/one", "own");
	return symlink("../outside", at("tree/planted")) | symlink("../outside/file", at("tree/other"));
}

static int tear_down(void **state)
{
	struct rondo_error err;
	(void)state;
	int status = file_remove_tree(top, &err);
	arena_release(&arena);
	return status;
}

/* Nothing but the secret, unchanged. */
static void assert_outside_untouched(void)
{
	AUTO_STRBUF text = STRBUF_INIT(100);
	struct rondo_error err;
	struct stat st;
	DIR *dir = opendir(at("outside"));
	struct dirent *entry;
	assert_non_null(dir);
	while ((entry = readdir(dir)))
		assert_true(entry->d_name[0] == '.' || strcmp(entry->d_name, "file") == 0);
	closedir(dir);
	assert_int_equal(file_read(at("outside/file"), 100, &text, &err), 0);
	assert_string_equal(text.text, "secret");
	assert_int_equal(stat(at("outside/file"), &st), 0);
	assert_int_equal(st.st_nlink, 1);
}

static void no_directory_is_made_behind_a_link(void **state)
{
	struct rondo_error err;
	(void)state;
	assert_int_equal(tree_file_write(&executor, at("tree"), "planted/new/file", "x", &err), -1);
	assert_int_equal(tree_file_make_dir(&executor, at("tree"), "planted/new/dir", &err), -1);
	assert_int_equal(tree_file_link(&executor, at("tree"), "planted/new/link", "file", &err), -1);
	assert_outside_untouched();
}

static void directories_are_made_where_they_are_missing(void **state)
{
	AUTO_STRBUF text = STRBUF_INIT(100);
	struct rondo_error err;
	(void)state;
	assert_int_equal(tree_file_write(&executor, at("tree"), "a/b/c/file", "x", &err), 0);
	assert_int_equal(tree_file_write(&executor, at("tree"), "a/b/file", "y", &err), 0);
	assert_int_equal(file_read(at("tree/a/b/c/file"), 100, &text, &err), 0);
	assert_string_equal(text.text, "x");
	assert_int_equal(tree_file_write(&executor, at("tree"), "../file", "x", &err), -1);
	assert_int_equal(tree_file_write(&executor, at("tree"), "a/../../new/file", "x", &err), -1);
	assert_false(file_exists(at("file")) || file_exists(at("new")));
}

static void what_a_link_stands_for_is_not_read(void **state)
{
	(void)state;
	assert_int_equal(tree_file_open(at("tree"), "planted/file"), -1);
	assert_int_equal(tree_file_open(at("tree"), "other"), -1);
	assert_false(tree_file_is_dir(at("tree"), "planted"));
	assert_int_equal(mkfifo(at("tree/pipe"), 0600), 0);
	assert_int_equal(tree_file_open(at("tree"), "pipe"), -1);
}

/* --- Somebody changes a directory for a link, and a file for one, again and again --- */

static atomic_bool is_over;
static atomic_int flips;

static void *flip(void *nothing)
{
	const char *tree = at("tree");
	AUTO_CLOSE dir = open(tree, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	while (!atomic_load(&is_over)) {
		syscall(SYS_renameat2, dir, "real", dir, "planted", RENAME_EXCHANGE);
		syscall(SYS_renameat2, dir, "one", dir, "other", RENAME_EXCHANGE);
		atomic_fetch_add(&flips, 1);
	}
	return nothing;
}

/* True where something was read. What was read is the tree's own. */
static bool read_own(const char *tree, const char *name)
{
	char text[16];
	AUTO_CLOSE fd = tree_file_open(tree, name);
	ssize_t n = fd < 0 ? -1 : read(fd, text, sizeof text);
	assert_false(n >= 6 && memcmp(text, "secret", 6) == 0);
	return n > 0;
}

static bool write_all_ways(const char *tree)
{
	struct rondo_error err;
	bool wrote = tree_file_write(&executor, tree, "real/new/file", "x", &err) == 0;
	wrote |= tree_file_create(&executor, tree, "real/made", "x", 1, &err) == 0;
	wrote |= tree_file_link(&executor, tree, "real/link", "file", &err) == 0;
	wrote |= tree_file_make_dir(&executor, tree, "real/dir/within", &err) == 0;
	tree_file_remove(tree, "real/made", &err);
	tree_file_remove(tree, "real/file", &err);
	tree_file_write(&executor, tree, "real/file", "own", &err);
	return wrote;
}

static void a_thread_that_flips_directories_and_links_gets_nothing_out(void **state)
{
	pthread_t thread;
	int reads = 0, writes = 0;
	const char *tree = at("tree");
	int64_t end_ms = clock_now_ms() + FLIP_MS;
	(void)state;
	atomic_store(&is_over, false);
	atomic_store(&flips, 0);
	assert_int_equal(pthread_create(&thread, NULL, flip, NULL), 0);
	while (clock_now_ms() < end_ms || !reads || !writes || atomic_load(&flips) <= 100) {
		writes += write_all_ways(tree);
		reads += read_own(tree, "real/file") + read_own(tree, "one");
	}
	atomic_store(&is_over, true);
	pthread_join(thread, NULL);
	assert_outside_untouched();
}

UNIT(tree_file)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(no_directory_is_made_behind_a_link, set_up, tear_down),
		cmocka_unit_test_setup_teardown(
			directories_are_made_where_they_are_missing, set_up, tear_down),
		cmocka_unit_test_setup_teardown(what_a_link_stands_for_is_not_read, set_up, tear_down),
		cmocka_unit_test_setup_teardown(
			a_thread_that_flips_directories_and_links_gets_nothing_out, set_up, tear_down),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
