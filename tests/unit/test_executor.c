/* Executors on real trees: what programs see, what stays, what code blocks answer. */
#include "tests/unit/unit.h"

#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/file.h"
#include "base/memory.h"
#include "executors/world.h"

static char top[] = "/tmp/rondo-test-executor-XXXXXX";
static bool has_sandbox;

static const char *at(struct arena *arena, const char *path)
{
	return arena_printf(arena, "%s/%s", top, path);
}

static void put(const char *path, const char *text)
{
	AUTO_ARENA arena = ARENA_INIT;
	struct rondo_error err;
	assert_int_equal(file_write(at(&arena, path), text, strlen(text), 0644, &err), 0);
}

/* A checkout with dependencies, and rondo's own copy of it. */
static int set_up(void **state)
{
	(void)state;
	AUTO_ARENA arena = ARENA_INIT;
	struct rondo_error err;
	AUTO_STRBUF found = STRBUF_INIT(1000);
	if (!mkdtemp(top) || chmod(top, 0755) < 0)
		return -1;
	static const char *const dirs[] = {"user/node_modules/dep", "cache", "throwaway"};
	for (size_t i = 0; i < sizeof dirs / sizeof *dirs; i++)
		if (file_make_dir(at(&arena, dirs[i]), 0755, &err) < 0)
			return -1;
	put("user/node_modules/dep/index.js", "the user's");
	put("throwaway/HEAD", "ref: refs/heads/main\n");
	has_sandbox = sandbox_executor.probe(&found, &err) == 0;
	if (!has_sandbox)
		print_message("%s\n", err.message);
	return 0;
}

static int tear_down(void **state)
{
	(void)state;
	struct rondo_error err;
	return file_remove_tree(top, &err);
}

static struct executor *open_executor(
	const struct executor_type *type, struct world *world, struct arena *arena)
{
	static const char *const dependencies[] = {"node_modules"}, *const tools[] = {"sh", NULL};
	struct rondo_error err = {.message = ""};
	struct context ctx = {0};
	struct executor *executor = NULL;
	struct world_options options = {.root = at(arena, "user"), .tools = tools,
		.dependencies = dependencies, .n_dependencies = 1, .git_dir = at(arena, "throwaway"),
		.etc_dir = at(arena, "etc"), .executor = type, .uid = 65534};
	static const char *const fresh[] = {"tree", "etc"};
	for (size_t i = 0; i < sizeof fresh / sizeof *fresh; i++) {
		assert_int_equal(file_remove_tree(at(arena, fresh[i]), &err), 0);
		assert_int_equal(file_make_dir(at(arena, fresh[i]), 0755, &err), 0);
	}
	assert_int_equal(world_build(&options, arena, world, &err), 0);
	if (world->drop) {
		assert_int_equal(file_own_tree(at(arena, "tree"), world->uid, world->gid, &err), 0);
		assert_int_equal(file_own_tree(at(arena, "cache"), world->uid, world->gid, &err), 0);
	}
	if (executor_new(type, world, at(arena, "tree"), at(arena, "cache"), &ctx, &executor, &err) < 0)
		fail_msg("%s", err.message);
	return executor;
}

static struct process_result run_line(struct executor *executor, const char *line, struct strbuf *output)
{
	struct rondo_error err;
	struct context ctx = {0};
	struct process_result result;
	struct command command = {.line = line, .output = output, .timeout_ms = 10000};
	assert_int_equal(executor_run(executor, &command, &result, &ctx, &err), 0);
	return result;
}

static void sandbox_shows_the_tree_at_the_users_path(void **state)
{
	(void)state;
	if (!has_sandbox)
		skip();
	AUTO_ARENA arena = ARENA_INIT;
	AUTO_STRBUF output = STRBUF_INIT(10000);
	struct world world;
	struct executor *executor = open_executor(&sandbox_executor, &world, &arena);
	put("tree/file", "x");
	struct process_result result =
		run_line(executor, "pwd; ls -A; cat node_modules/dep/index.js; echo new >made", &output);
	AUTO_STRBUF expected = STRBUF_INIT(1000);
	strbuf_addf(&expected, "%s\n.git\nfile\nnode_modules\nthe user's", at(&arena, "user"));
	assert_string_equal(output.text, expected.text);
	assert_int_equal(result.exit_code, 0);
	assert_true(file_exists(at(&arena, "tree/made")));
	executor_free(executor);
}

static void sandbox_never_changes_what_the_user_has(void **state)
{
	(void)state;
	if (!has_sandbox)
		skip();
	AUTO_ARENA arena = ARENA_INIT;
	AUTO_STRBUF output = STRBUF_INIT(10000), text = STRBUF_INIT(100);
	struct rondo_error err;
	struct world world;
	struct executor *executor = open_executor(&sandbox_executor, &world, &arena);
	run_line(executor,
		"echo theirs >node_modules/dep/index.js; echo x >node_modules/more; echo y >.git/HEAD; "
		"cat node_modules/more",
		&output);
	assert_non_null(strstr(output.text, "x\n"));
	assert_int_equal(file_read(at(&arena, "user/node_modules/dep/index.js"), 100, &text, &err), 0);
	assert_string_equal(text.text, "the user's");
	assert_false(file_exists(at(&arena, "user/node_modules/more")));
	strbuf_reset(&output);
	assert_int_equal(run_line(executor, "cat node_modules/more", &output).exit_code, 1);
	executor_free(executor);
}

static void sandbox_hides_home_network_and_rights(void **state)
{
	(void)state;
	if (!has_sandbox)
		skip();
	AUTO_ARENA arena = ARENA_INIT;
	AUTO_STRBUF output = STRBUF_INIT(10000);
	struct world world;
	struct executor *executor = open_executor(&sandbox_executor, &world, &arena);
	run_line(executor,
		"id -u; echo $HOME; grep -c : /proc/net/dev; grep NoNewPrivs /proc/self/status; "
		"echo x 2>/dev/null >/usr/x || echo read-only; ls /home; tr '\\0' ' ' </proc/1/environ",
		&output);
	assert_string_equal(output.text, "1000\n/home/agent\n1\nNoNewPrivs:\t1\nread-only\nagent\n");
	executor_free(executor);
}

/* rondo's own names, and the host's links and certificates. */
static void sandbox_has_an_etc_of_its_own(void **state)
{
	(void)state;
	if (!has_sandbox)
		skip();
	AUTO_ARENA arena = ARENA_INIT;
	AUTO_STRBUF output = STRBUF_INIT(10000);
	struct world world;
	struct executor *executor = open_executor(&sandbox_executor, &world, &arena);
	run_line(executor,
		"wc -l </etc/passwd; getent hosts localhost >/dev/null || echo no localhost\n"
		"ls -L /etc/alternatives/awk; touch /etc/x /etc/alternatives/x 2>&1 | grep -c 'Read-only'",
		&output);
	assert_string_equal(output.text, "2\n/etc/alternatives/awk\n2\n");
	executor_free(executor);
}

static void sandbox_limits_processes_and_files(void **state)
{
	(void)state;
	if (!has_sandbox)
		skip();
	AUTO_ARENA arena = ARENA_INIT;
	AUTO_STRBUF output = STRBUF_INIT(10000);
	struct world world;
	struct executor *executor = open_executor(&sandbox_executor, &world, &arena);
	run_line(executor, "ulimit -c; ulimit -n; i=0; while [ $i -lt 2000 ] && sleep 60 & do i=$((i+1)); done; echo $i",
		&output);
	assert_true(text_starts_with(output.text, "0\n4096\n"));
	assert_null(strstr(output.text, "\n2000\n"));
	executor_free(executor);
}

static void local_copies_dependencies_into_the_tree(void **state)
{
	(void)state;
	AUTO_ARENA arena = ARENA_INIT;
	AUTO_STRBUF output = STRBUF_INIT(10000);
	struct world world;
	struct executor *executor = open_executor(&local_executor, &world, &arena);
	run_line(executor, "pwd; cat node_modules/dep/index.js; echo changed >node_modules/dep/index.js", &output);
	AUTO_STRBUF expected = STRBUF_INIT(1000), text = STRBUF_INIT(100);
	struct rondo_error err;
	strbuf_addf(&expected, "%s\nthe user's", at(&arena, "tree"));
	assert_string_equal(output.text, expected.text);
	assert_int_equal(file_read(at(&arena, "user/node_modules/dep/index.js"), 100, &text, &err), 0);
	assert_string_equal(text.text, "the user's");
	executor_free(executor);
}

static void code_blocks_run_in_order_and_stop_at_a_failure(void **state)
{
	(void)state;
	AUTO_ARENA arena = ARENA_INIT;
	struct rondo_error err;
	struct context ctx = {0};
	struct code_result result;
	struct world world;
	struct executor *executor = open_executor(&local_executor, &world, &arena);
	struct code_block blocks[] = {
		{.language = "sh", .code = "# filename: dir/a.sh\necho one\n", .filename = "dir/a.sh"},
		{.language = "python", .code = "print('two'); raise SystemExit(3)\n"},
		{.language = "sh", .code = "echo never\n"},
	};
	assert_int_equal(executor_execute_code_blocks(
				 executor, blocks, 3, 10000, &arena, &result, &ctx, &err), 0);
	assert_string_equal(result.output, "one\ntwo\n");
	assert_int_equal(result.exit_code, 3);
	assert_int_equal(result.n_files, 1);
	assert_true(file_exists(at(&arena, "tree/dir/a.sh")));
	executor_free(executor);
}

static void code_blocks_that_cannot_be_run_are_answered(void **state)
{
	(void)state;
	AUTO_ARENA arena = ARENA_INIT;
	struct rondo_error err;
	struct context ctx = {0};
	struct code_result result;
	struct world world;
	struct executor *executor = open_executor(&local_executor, &world, &arena);
	static const struct {
		struct code_block block;
		const char *answer;
	} cases[] = {
		{{.language = "cobol", .code = "x"}, "unknown language 'cobol'; known: python, sh, bash, javascript\n"},
		{{.language = "sh", .code = "echo x", .cut_off = true},
			"This block was cut off: its closing fence is missing. It was not run.\n"},
		{{.language = "sh", .code = "echo x\n", .filename = "../x"}, "'../x' leaves the tree\n"},
	};
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		assert_int_equal(executor_execute_code_blocks(
					 executor, &cases[i].block, 1, 10000, &arena, &result, &ctx, &err), 0);
		assert_string_equal(result.output, cases[i].answer);
		assert_int_equal(result.exit_code, 1);
	}
	executor_free(executor);
}

static void code_blocks_never_write_through_a_planted_link(void **state)
{
	(void)state;
	AUTO_ARENA arena = ARENA_INIT;
	AUTO_STRBUF text = STRBUF_INIT(100);
	struct rondo_error err;
	struct context ctx = {0};
	struct code_result result;
	struct world world;
	struct executor *executor = open_executor(&local_executor, &world, &arena);
	put("canary", "alive");
	assert_int_equal(symlink(at(&arena, "canary"), at(&arena, "tree/planted.sh")), 0);
	assert_int_equal(symlink(top, at(&arena, "tree/way-out")), 0);
	struct code_block blocks[] = {
		{.language = "sh", .code = "echo in tree\n", .filename = "planted.sh"},
		{.language = "sh", .code = "echo outside\n", .filename = "way-out/canary"},
	};
	assert_int_equal(executor_execute_code_blocks(
				 executor, blocks, 2, 10000, &arena, &result, &ctx, &err), 0);
	assert_true(text_starts_with(result.output, "in tree\ncannot write 'way-out/canary'"));
	assert_int_equal(file_read(at(&arena, "canary"), 100, &text, &err), 0);
	assert_string_equal(text.text, "alive");
	executor_free(executor);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(sandbox_shows_the_tree_at_the_users_path),
		cmocka_unit_test(sandbox_never_changes_what_the_user_has),
		cmocka_unit_test(sandbox_hides_home_network_and_rights),
		cmocka_unit_test(sandbox_has_an_etc_of_its_own),
		cmocka_unit_test(sandbox_limits_processes_and_files),
		cmocka_unit_test(local_copies_dependencies_into_the_tree),
		cmocka_unit_test(code_blocks_run_in_order_and_stop_at_a_failure),
		cmocka_unit_test(code_blocks_that_cannot_be_run_are_answered),
		cmocka_unit_test(code_blocks_never_write_through_a_planted_link),
	};
	return cmocka_run_group_tests(tests, set_up, tear_down);
}
