/* Commands in a sandbox of Daytona's, before a server that follows the published API:
 * tests/lib/daytona. */
#include "tests/unit/daytona_fixture.h"

#include <sys/stat.h>

#include "executors/functions.h"

static int open_plain(void **state)
{
	return cloud_open(state, "start=0");
}

static int open_small(void **state)
{
	return cloud_open(state, "space=4194304");
}

static int open_locked(void **state)
{
	return cloud_open(state, "root=ro");
}

static void test_both_trees_are_one(void **state)
{
	struct cloud *cloud = *state;
	cloud_put(cloud, "tree/a b", "one");
	cloud_put(cloud, "tree/it's", "two");
	cloud_put(cloud, "tree/run.sh", "#!/bin/sh\necho it runs\n");
	chmod(cloud_at(cloud, "tree/run.sh"), 0755);
	started(state);
	assert_run(cloud, "pwd; cat 'a b' \"it's\"; ./run.sh", 0, "/srv/app\nonetwoit runs\n");
	assert_run(cloud,
		"printf three >'a b'; mkdir -p d/e; echo x >d/e/f; rm \"it's\"; ln -s 'a b' l; chmod +x 'a "
		"b'",
		0, "");
	assert_text(cloud, "tree/a b", "three");
	assert_text(cloud, "tree/d/e/f", "x\n");
	assert_text(cloud, "tree/l", "three");
	assert_false(file_exists(cloud_at(cloud, "tree/it's")));
	assert_int_equal(access(cloud_at(cloud, "tree/a b"), X_OK), 0);
	cloud_put(cloud, "tree/a b", "four");
	unlink(cloud_at(cloud, "tree/d/e/f"));
	assert_run(cloud,
		"cat l; ls d/e; touch -d 2001-01-01 'a b'; printf five >'a b'; touch -d 2001-01-01 'a b'",
		0, "four");
	assert_text(cloud, "tree/a b", "five");
}

static void test_nothing_is_sent_twice(void **state)
{
	struct cloud *cloud = *state;
	cloud_put(cloud, "tree/a", "one");
	started(state);
	assert_run(cloud, "echo more >>a", 0, "");
	assert_int_equal(truncate(cloud_at(cloud, "state/log"), 0), 0);
	assert_run(cloud, "cat a", 0, "onemore\n");
	assert_null(cloud_request(cloud, "POST", "/files/bulk-upload"));
}

static void test_ends_of_commands(void **state)
{
	struct cloud *cloud = started(state);
	assert_run(cloud, "echo out; echo err >&2; exit 3", 3, "out\nerr\n");
	assert_run(cloud, "kill -SEGV $$", 139, "");
	assert_int_equal(cloud->result.end, PROCESS_SIGNALLED);
	assert_run(cloud, "nonesuch 2>/dev/null", 127, "");
	assert_run(cloud, "printf 'a\\0b\\377c'", 0,
		"a\\0b\xef\xbf\xbd"
		"c");
	assert_run(
		cloud, "read x; echo \"[$x]\"; test -t 0 || echo no terminal", 0, "[]\nno terminal\n");
	assert_run(cloud, "echo $HOME $XDG_CACHE_HOME; env | grep -c API_KEY", 1,
		"/home/agent /home/agent/.cache\n0\n");
	assert_run(cloud, "kill -9 $PPID; sleep 1000; echo not reached", 137, "");
}

/* 161 in the mean: what a command leaves is gone when it ends. */
static void test_all_descendants_are_killed(void **state)
{
	struct cloud *cloud = started(state);
	assert_run(cloud,
		"(sleep 1000 &) ; setsid env -i sleep 1001 & nohup sh -c 'trap \"\" TERM; sleep 1002' "
		">/dev/null 2>&1 & echo on",
		0, "on\n");
	assert_run(cloud, "cat /proc/[0-9]*/comm | grep -c sleep", 1, "0\n");
	assert_run(
		cloud, "i=0; while [ $i -lt 300 ]; do sleep 1000 & i=$((i+1)); done; echo $i", 0, "300\n");
	assert_run(cloud, "cat /proc/[0-9]*/comm | grep -c sleep", 1, "0\n");
}

/* 178: a link that leads out stays there; what comes into its place does not go through it. */
static void test_links_that_stayed_are_not_followed(void **state)
{
	struct cloud *cloud = started(state);
	assert_run(cloud, "mkdir /tmp/d; ln -s /tmp/d d", 0,
		"\n[d stays in the sandbox: it is a link that leads out of the tree]\n");
	assert_run(cloud, "touch /tmp/f; ln -s /tmp/f f", 0,
		"\n[f stays in the sandbox: it is a link that leads out of the tree]\n");
	assert_int_equal(mkdir(cloud_at(cloud, "tree/d"), 0755), 0);
	cloud_put(cloud, "tree/d/a", "one");
	cloud_put(cloud, "tree/f", "two");
	assert_run(cloud, "cat d/a f; ls /tmp/d; cat /tmp/f; ls -ld d f | cut -c1 | tr -d '\\n'", 0,
		"onetwod-");
}

static void test_what_stayed_there_gives_way(void **state)
{
	struct cloud *cloud = started(state);
	assert_int_equal(run(cloud, "mkfifo fifo next; ln -s /etc out; ln -s /nowhere link", 20000), 0);
	cloud_put(cloud, "tree/fifo", "one");
	cloud_put(cloud, "tree/link", "two");
	assert_int_equal(file_make_dir(cloud_at(cloud, "tree/next"), 0755, &cloud->err), 0);
	assert_int_equal(file_make_dir(cloud_at(cloud, "tree/out"), 0755, &cloud->err), 0);
	cloud_put(cloud, "tree/next/a", "three");
	cloud_put(cloud, "tree/out/b", "four");
	assert_run(cloud, "cat fifo link next/a out/b; ls out", 0, "onetwothreefourb\n");
}

/* As it does that kills all it may, or as a sandbox does that runs short of memory. */
static void test_the_shell_that_keeps_a_command_is_killed(void **state)
{
	struct cloud *cloud = started(state);
	assert_run(
		cloud, "echo on; echo kept >file; setsid sleep 60 & kill -9 $PPID; sleep 60", 137, "on\n");
	assert_int_equal(cloud->result.end, PROCESS_SIGNALLED);
	assert_text(cloud, "tree/file", "kept\n");
	assert_run(cloud, "cat file; cat /proc/[0-9]*/comm | grep -c sleep", 1, "kept\n0\n");
	assert_run(cloud, "exit 200", 200, "");
}

/* 73 and 157: HTTP 408 is exit code 124, with what was printed and changed until then. */
/* Who kills the helper itself gets a new sandbox, with the tree as it was before. */
static void test_the_helper_is_killed(void **state)
{
	struct cloud *cloud = started(state);
	assert_run(cloud, "echo before >file", 0, "");
	assert_int_equal(
		run(cloud,
			"echo lost >file; setsid sleep 60 & read -r a b c helper rest </proc/$PPID/stat; "
			"kill -9 $helper; sleep 60",
			5000),
		0);
	assert_int_equal(cloud->result.exit_code, 137);
	assert_string_equal(cloud->output.text,
		"[what watches over the programs was killed: the next command gets a new sandbox; its "
		"processes and all but "
		"the tree are gone, and what the last command changed in the tree]\n");
	assert_int_equal(cloud_count(cloud), 0);
	assert_run(
		cloud, "pwd; cat file; cat /proc/[0-9]*/comm | grep -c sleep", 1, "/srv/app\nbefore\n0\n");
	assert_int_equal(cloud_count(cloud), 1);
}

/* What a program puts in the helper's place is not run. */
static void test_the_helper_is_replaced(void **state)
{
	struct cloud *cloud = started(state);
	assert_run(cloud,
		"f=$(echo /tmp/rondo-*/inside); rm $f; printf '#!/bin/sh\\necho forged; exit 90\\n' >$f", 0,
		"");
	assert_run(cloud, "echo true", 0, "true\n");
	assert_run(cloud, "rm -rf /tmp/rondo-*/inside", 0, "");
	assert_run(cloud, "echo true", 0, "true\n");
}

static void test_timeout(void **state)
{
	struct cloud *cloud = started(state);
	assert_int_equal(run(cloud, "echo begun; echo 1 >kept; sleep 100", 5000), 0);
	assert_int_equal(cloud->result.end, PROCESS_TIMEOUT);
	assert_int_equal(cloud->result.exit_code, 124);
	assert_string_equal(cloud->output.text, "begun\n");
	assert_text(cloud, "tree/kept", "1\n");
	assert_run(cloud, "cat /proc/[0-9]*/comm | grep -c sleep; cat kept", 0, "0\n1\n");
}

static void test_157_the_timeout_is_forwarded(void **state)
{
	struct cloud *cloud = started(state);
	static const int seconds[] = {60, 30, 45};
	for (size_t i = 0; i < ARRAY_SIZE(seconds); i++) {
		assert_int_equal(run(cloud, "true", seconds[i] * 1000), 0);
		AUTO_JSON *request = cloud_request(cloud, "POST", "/process/execute");
		assert_int_equal(json_int(json_get(request, "body"), "timeout", 0), seconds[i]);
		assert_string_equal(json_string(json_get(request, "body"), "cwd", ""), "/srv/app");
	}
}

static void test_limits(void **state)
{
	struct cloud *cloud = started(state);
	assert_int_equal(run(cloud, "trap '' PIPE; while :; do echo yes; done", 120000), 0);
	assert_int_equal(cloud->result.end, PROCESS_OUTPUT_LIMIT);
	static const char *const refused[] = {
		"\n[fifo stays in the sandbox: it is no file, directory or link]",
		"\n[large stays in the sandbox: it is larger than 64 MiB]",
		"\n[out stays in the sandbox: it is a link that leads out of the tree]"};
	assert_int_equal(
		run(cloud,
			"head -c 68000000 /dev/zero >large; mkfifo fifo; ln -s /etc/passwd out; echo x >small",
			20000),
		0);
	for (size_t i = 0; i < ARRAY_SIZE(refused); i++)
		assert_non_null(strstr(cloud->output.text, refused[i]));
	assert_text(cloud, "tree/small", "x\n");
	assert_false(file_exists(cloud_at(cloud, "tree/large")));
	assert_run(cloud, "stat -c %s large", 0, "68000000\n");
}

/* A full disk is the command's doing: a result, and the next one runs. */
static void test_a_full_disk(void **state)
{
	struct cloud *cloud = started(state);
	assert_run(cloud, "head -c 8000000 /dev/urandom >large; echo said", 0,
		"said\n\n[. stays in the sandbox: the disk is full]\n");
	assert_run(cloud, "head -c 8000000 /dev/zero >/tmp/x 2>/dev/null || { rm /tmp/x; echo full; }",
		0, "full\n");
	assert_run(cloud, "echo on >small", 0, "");
	assert_text(cloud, "tree/small", "on\n");
}

static void test_blocks(void **state)
{
	struct cloud *cloud = started(state);
	struct code_result result;
	const struct code_block blocks[] = {{.language = "python", .code = "print('python')\n"},
		{.language = "bash", .code = "echo bash\n", .filename = "b.sh"},
		{.language = "sh", .code = "echo sh\n"}, {.language = "js", .code = "console.log('js')\n"},
		{.language = "ts", .code = "const a: string = 'ts'; console.log(a)\n"},
		{.language = "python", .code = "raise SystemExit(4)\n"},
		{.language = "sh", .code = "echo never\n"}};
	struct block_order order = {.blocks = blocks, .n = ARRAY_SIZE(blocks), .timeout_ms = 30000};
	assert_int_equal(executor_execute_code_blocks(
						 cloud->executor, &order, &cloud->arena, &result, &cloud->ctx, &cloud->err),
		0);
	assert_string_equal(result.output, "python\nbash\nsh\njs\nts\n");
	assert_int_equal(result.exit_code, 4);
	assert_int_equal(result.n_files, 1);
	/* 159 */
	static const char *const commands[][2] = {
		{"ts", "ts-node --transpile-only --skipProject"}, {"js", "node "}};
	for (size_t i = 0; i < ARRAY_SIZE(commands); i++) {
		struct code_block block = {.language = commands[i][0], .code = "console.log(1)\n"};
		struct block_order again = {.blocks = &block, .n = 1, .timeout_ms = 30000};
		assert_int_equal(executor_execute_code_blocks(cloud->executor, &again, &cloud->arena,
							 &result, &cloud->ctx, &cloud->err),
			0);
		assert_string_equal(result.output, "1\n");
		AUTO_JSON *request = cloud_request(cloud, "POST", "/process/execute");
		const char *command = json_string(json_get(request, "body"), "command", "");
		assert_non_null(strstr(command, commands[i][1]));
		assert_non_null(strstr(command, arena_printf(&cloud->arena, ".%s'", commands[i][0])));
	}
}

/* 93 and 95: a user's functions go to the sandbox; of what else lies in the cache nothing does. */
static void test_93_functions_of_the_user(void **state)
{
	struct cloud *cloud = started(state);
	struct code_result result;
	const char *files[] = {"sums.py"};
	struct functions functions = {
		.files = files, .n = 1, .dir = cloud->top, .folder = FUNCTIONS_FOLDER "runner"};
	const struct code_block block = {
		.language = "python", .code = "from functions import add; print(add(1, 2))\n"};
	cloud_put(cloud, "sums.py", "def add(a, b):\n    return a + b\n");
	assert_int_equal(mkdir(cloud_at(cloud, "cache/site"), 0755), 0);
	cloud_put(cloud, "cache/site/own.py", "KEY = 1\n");
	assert_int_equal(functions_install(cloud->executor, &functions, &cloud->ctx, &cloud->err), 0);
	struct block_order order = {.blocks = &block,
		.n = 1,
		.timeout_ms = 30000,
		.env = functions_env(cloud->executor, &functions, &cloud->arena)};
	assert_int_equal(executor_execute_code_blocks(
						 cloud->executor, &order, &cloud->arena, &result, &cloud->ctx, &cloud->err),
		0);
	assert_string_equal(result.output, "3\n");
	assert_run(cloud, "cd ~/.cache && find . -name '*.py' | sort", 0,
		"./functions-runner/functions/__init__.py\n./functions-runner/functions/sums.py\n");
	cloud_put(cloud, "sums.py", "import nothing_of_that_name\n");
	assert_int_equal(functions_install(cloud->executor, &functions, &cloud->ctx, &cloud->err), -1);
	assert_string_equal(cloud->err.message,
		"functions failed to load: ModuleNotFoundError: No module named 'nothing_of_that_name'");
}

/* What the executor was told to install is a directory of this machine. */
static void test_packages_of_the_executor(void **state)
{
	struct cloud *cloud = *state;
	const struct mount mount = {
		.source = cloud_at(cloud, "packages"), .target = WORLD_HOME "/" WORLD_PACKAGES};
	assert_int_equal(file_make_dir(cloud_at(cloud, "packages/python/tiny"), 0755, &cloud->err), 0);
	cloud_put(cloud, "packages/python/tiny/__init__.py", "value = 42\n");
	cloud->world.mounts = &mount;
	cloud->world.n = 1;
	started(state);
	for (int i = 0; i < 2; i++)
		assert_run(cloud,
			"PYTHONPATH=~/.packages/python python3 -c 'import tiny; print(tiny.value)'; ls", 0,
			"42\n");
}

/* Where the paths of this machine cannot be made, the tree lies in a directory of the sandbox's
 * user. */
static void test_a_place_of_its_own(void **state)
{
	struct cloud *cloud = *state;
	cloud_put(cloud, "tree/a", "one");
	started(state);
	const char *at = executor_tree_at(cloud->executor);
	assert_true(text_starts_with(at, "/home/daytona/rondo-") && text_ends_with(at, "/tree"));
	assert_run(cloud,
		"cat a; echo 2 >a; test \"$HOME/.cache\" = \"$XDG_CACHE_HOME\" && test -w \"$HOME\"", 0,
		"one");
	assert_text(cloud, "tree/a", "2\n");
	test_blocks(state);
}

UNIT(daytona)
{
	const struct CMUnitTest tests[] = {
		CLOUD_TEST(test_both_trees_are_one, open_plain),
		CLOUD_TEST(test_nothing_is_sent_twice, open_plain),
		CLOUD_TEST(test_ends_of_commands, open_plain),
		CLOUD_TEST(test_all_descendants_are_killed, open_plain),
		CLOUD_TEST(test_what_stayed_there_gives_way, open_plain),
		CLOUD_TEST(test_the_shell_that_keeps_a_command_is_killed, open_plain),
		CLOUD_TEST(test_links_that_stayed_are_not_followed, open_plain),
		CLOUD_TEST(test_the_helper_is_killed, open_plain),
		CLOUD_TEST(test_the_helper_is_replaced, open_plain),
		CLOUD_TEST(test_timeout, open_plain),
		CLOUD_TEST(test_157_the_timeout_is_forwarded, open_plain),
		CLOUD_TEST(test_limits, open_plain),
		CLOUD_TEST(test_a_full_disk, open_small),
		CLOUD_TEST(test_blocks, open_plain),
		CLOUD_TEST(test_a_place_of_its_own, open_locked),
		CLOUD_TEST(test_93_functions_of_the_user, open_plain),
		CLOUD_TEST(test_packages_of_the_executor, open_plain),
	};
	return RUN_TESTS(tests);
}
