/* A real kernel under programs that do it harm, and what it leaves. */
#include "tests/unit/jupyter_fixture.h"

#include <dirent.h>

#include "base/clock.h"
#include "base/sanitizer.h"

static void the_end_of_the_kernel_is_told(void **state)
{
	struct fixture *fixture = *state;
	static const struct {
		const char *code;
		int exit_code;
	} rows[] = {{"import os; os._exit(7)\n", 7}, {"import os; os._exit(0)\n", 1},
		{"import ctypes; ctypes.string_at(0)\n", 139},
		{"import os; os.kill(os.getpid(), 9)\n", 137}};
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		int64_t begin = clock_now_ms();
		run(fixture, rows[i].code);
		assert_int_equal(fixture->result.exit_code, rows[i].exit_code);
		assert_says(fixture, "The next block has a new one: variables are lost.");
		assert_true(clock_now_ms() - begin < BLOCK_MS);
	}
	assert_string_equal(run(fixture, "'os' in globals()\n"), "False");
	run(fixture, "exit()\n");
	assert_says(fixture, "The block ended the kernel");
	assert_string_equal(run(fixture, "1\n"), "1");
}

/* A block of sh waits until the kernel's process is gone: in the local executor they see each
 * other. */
static void a_kernel_that_ends_between_two_blocks_is_told(void **state)
{
	struct fixture *fixture = *state;
	run(fixture,
		"import os, threading\n"
		"def end():\n    while not os.path.exists('go'): pass\n    os._exit(1)\n"
		"threading.Thread(target=end, daemon=True).start()\n"
		"open('pid', 'w').write(str(os.getpid()))\n");
	run_blocks(fixture,
		&(struct code_block){.language = "sh",
			.code = "touch go; while kill -0 $(cat pid) 2>/dev/null; do :; done\n"},
		1, BLOCK_MS);
	assert_int_equal(fixture->result.exit_code, 0);
	run(fixture, "'os' in globals()\n");
	assert_string_equal(fixture->result.output,
		"The kernel had ended since the last block and was restarted: variables are lost.\n\n"
		"False");
}

static void one_that_heeds_no_interrupt_is_killed(void **state)
{
	struct fixture *fixture = *state;
	run(fixture,
		"import signal, time; z = 1; signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})\n");
	run_for(fixture, "while True: pass\n", 500);
	assert_int_equal(fixture->result.exit_code, 124);
	run_for(fixture,
		"while True:\n"
		"    try:\n"
		"        time.sleep(60)\n"
		"    except KeyboardInterrupt:\n"
		"        pass\n",
		500);
	assert_int_equal(fixture->result.exit_code, 124);
	assert_says(fixture, "Timeout");
	assert_says(fixture, "variables are lost");
	assert_string_equal(run(fixture, "'z' in globals()\n"), "False");
}

static void a_flood_is_taken_and_cut(void **state)
{
	struct fixture *fixture = *state;
	run(fixture, "print('first'); print('x' * 20_000_000); print('last')\n");
	assert_int_equal(fixture->result.exit_code, 0);
	assert_true(strlen(fixture->result.output) < 70000);
	assert_int_equal(strncmp(fixture->result.output, "first\nxxx", 9), 0);
	assert_says(fixture, "bytes cut ...]");
	assert_true(text_ends_with(fixture->result.output, "xxx\nlast\n"));
	run(fixture, "for i in range(200000): print('y' * 100)\n");
	assert_int_equal(fixture->result.exit_code, 0);
	assert_true(strlen(fixture->result.output) < 70000);
}

static void a_fork_does_no_harm(void **state)
{
	struct fixture *fixture = *state;
	run(fixture,
		"import os\n"
		"pid = os.fork()\n"
		"if pid == 0:\n"
		"    os._exit(0)\n"
		"print(os.waitpid(pid, 0)[1])\n");
	assert_string_equal(fixture->result.output, "0\n");
	run(fixture, "os.fork()\nprint('both')\n");
	assert_says(fixture, "both");
	run(fixture, "1 + 1\n");
	assert_says(fixture, "2");
}

static size_t count_fds(void)
{
	size_t n = 0;
	DIR *dir = opendir("/proc/self/fd");
	while (readdir(dir))
		n++;
	closedir(dir);
	return n;
}

static long resident_kb(void)
{
	AUTO_STRBUF text = STRBUF_INIT(10000);
	struct rondo_error err;
	assert_int_equal(file_read("/proc/self/status", 10000, &text, &err), 0);
	return atol(strstr(text.text, "VmRSS:") + 6);
}

static void a_thousand_blocks_leave_nothing(void **state)
{
	struct fixture *fixture = *state;
	run(fixture, "n = 0\n");
	size_t fds = 0;
	long kb = 0;
	for (int i = 0; i < 1000; i++) {
		AUTO_ARENA arena = ARENA_INIT;
		struct code_block block = {.language = "python", .code = "n += 1\nprint(n)\n"};
		if (i == 100) {
			fds = count_fds();
			kb = resident_kb();
		}
		struct block_order order = {.blocks = &block, .n = 1, .timeout_ms = BLOCK_MS};
		assert_int_equal(executor_execute_code_blocks(fixture->executor, &order, &arena,
							 &fixture->result, &fixture->ctx, &fixture->err),
			0);
	}
	assert_string_equal(run(fixture, "n\n"), "1000");
	assert_int_equal(count_fds(), fds);
	/* The sanitizer keeps what was freed. */
	assert_true(HAVE_ASAN || resident_kb() - kb < 16 << 10);
}

/* Nothing but what blocks made, in the tree and in the cache. */
static void a_stopped_executor_leaves_nothing(void **state)
{
	struct fixture *fixture = *state;
	const char **paths;
	size_t n, fds;
	if (!has_kernel)
		skip();
	fds = count_fds();
	run(fixture, "import os; print(os.getcwd())\n");
	executor_free(fixture->executor);
	fixture->executor = NULL;
	assert_int_equal(count_fds(), fds);
	assert_int_equal(
		file_find(in(fixture, "tree"), NULL, &fixture->arena, &paths, &n, &fixture->err), 0);
	assert_int_equal(n, 0);
	assert_int_equal(
		file_find(in(fixture, "cache"), "jupyter*/**", &fixture->arena, &paths, &n, &fixture->err),
		0);
	assert_int_equal(n, 0);
}

/* The path of a socket has 107 bytes at most. */
static void a_long_path_to_the_cache_does_no_harm(void **state)
{
	struct fixture *fixture = *state;
	if (!has_kernel)
		skip();
	char name[201] = "";
	memset(name, 'x', sizeof name - 1);
	const char *cache = in(fixture, name);
	struct chosen chosen = {.where = "local", .kernel = "python3", .output_dir = "."};
	struct executor_plan plan = {
		.type = &jupyter_executor, .settings = &executor_defaults, .options = &chosen};
	executor_free(fixture->executor);
	fixture->executor = NULL;
	assert_int_equal(file_make_dir(cache, 0700, &fixture->err), 0);
	assert_int_equal(executor_new(&plan, &fixture->world, in(fixture, "tree"), cache, &fixture->ctx,
						 &fixture->executor, &fixture->err),
		0);
	assert_string_equal(run(fixture, "6 * 7\n"), "42");
}

UNIT(jupyter_kernel)
{
	const struct CMUnitTest tests[] = {
		IN_SANDBOX(the_end_of_the_kernel_is_told),
		LOCAL(a_kernel_that_ends_between_two_blocks_is_told),
		IN_SANDBOX(one_that_heeds_no_interrupt_is_killed),
		SHARED(a_flood_is_taken_and_cut),
		SHARED(a_thousand_blocks_leave_nothing),
		SHARED(a_fork_does_no_harm),
		BOTH(a_stopped_executor_leaves_nothing),
		LOCAL(a_long_path_to_the_cache_does_no_harm),
	};
	return cmocka_run_group_tests(tests, set_up, tear_down);
}
