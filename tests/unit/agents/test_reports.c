/* Report files in a tree where a program changes a directory for a link, again and again: none is
 * read or removed elsewhere. */
#include "tests/unit/unit.h"

#include <fcntl.h>
#include <pthread.h>
#include <stdatomic.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/file.h"
#include "base/memory.h"
#include "verify/judge/reports.h"

#define FLIP_MS 1500

static char top[TOP_SIZE];

static void put(const char *name, const char *text)
{
	struct rondo_error err;
	assert_int_equal(file_write(name, text, strlen(text), 0644, &err), 0);
}

static int set_up(void **state)
{
	struct rondo_error err;
	(void)state;
	if (!make_top(top) || chdir(top) < 0)
		return -1;
	file_make_dir("tree/reports", 0755, &err);
	file_make_dir("outside", 0755, &err);
	put("outside/a.xml", "secret");
	put("tree/reports/a.xml", "own");
	return symlink("../outside", "tree/planted");
}

static int tear_down(void **state)
{
	struct rondo_error err;
	(void)state;
	return chdir("/") < 0 ? -1 : file_remove_tree(top, &err);
}

static atomic_bool is_over;

static void *flip(void *nothing)
{
	AUTO_CLOSE dir = open("tree", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	while (!atomic_load(&is_over))
		syscall(SYS_renameat2, dir, "reports", dir, "planted", RENAME_EXCHANGE);
	return nothing;
}

/* How many were read; none of them holds the secret. */
static size_t read_reports(void)
{
	AUTO_REPORTS reports = {0};
	struct rondo_error err;
	char text[16];
	assert_int_equal(reports_open_glob(&reports, "tree", "**/a.xml", &err), 0);
	for (size_t i = 0; i < reports.n; i++) {
		ssize_t n = read(reports.fds[i], text, sizeof text);
		assert_int_equal(n, 3);
		assert_memory_equal(text, "own", 3);
	}
	return reports.n;
}

static void directory_that_becomes_a_link_is_not_followed(void **state)
{
	pthread_t thread;
	size_t reads = 0;
	struct rondo_error err;
	int64_t end_ms = clock_now_ms() + FLIP_MS;
	(void)state;
	atomic_store(&is_over, false);
	assert_int_equal(pthread_create(&thread, NULL, flip, NULL), 0);
	while (clock_now_ms() < end_ms || reads < 100) {
		reads += read_reports();
		if (reads % 8 == 0) {
			assert_int_equal(reports_remove("tree", "**/a.xml", &err), 0);
			AUTO_CLOSE fd =
				open("tree/reports/a.xml", O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0644);
			assert_true(fd < 0 || write(fd, "own", 3) == 3);
			assert_true(file_exists("outside/a.xml"));
		}
	}
	atomic_store(&is_over, true);
	pthread_join(thread, NULL);
}

UNIT(reports)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(
			directory_that_becomes_a_link_is_not_followed, set_up, tear_down),
	};
	return RUN_TESTS(tests);
}
