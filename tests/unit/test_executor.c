/* Executors on real trees: what programs see, what stays, what code blocks answer. */
#include "tests/unit/unit.h"

#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/file.h"
#include "base/memory.h"
#include "executors/world.h"

static char top[TOP_SIZE];
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
	if (!make_top(top) || chmod(top, 0755) < 0)
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

/* One test's executor, and what it said last. */
struct bench {
	struct arena arena;
	struct world world;
	struct executor *executor;
	struct context ctx;
	struct rondo_error err;
	struct strbuf output;
	struct code_result result;
};

static int open_bench(void **state, const struct executor_type *type)
{
	static const char *const dependencies[] = {"node_modules"}, *const tools[] = {"sh", NULL};
	static const char *const fresh[] = {"tree", "etc"};
	struct bench *bench = memory_alloc(sizeof *bench);
	struct arena *arena = &bench->arena;
	bench->output = (struct strbuf)STRBUF_INIT(10000);
	*state = bench;
	struct world_options options = {.root = at(arena, "user"), .tools = tools,
		.dependencies = dependencies, .n_dependencies = 1, .git_dir = at(arena, "throwaway"),
		.etc_dir = at(arena, "etc"), .sight = type->sees, .uid = 65534};
	for (size_t i = 0; i < sizeof fresh / sizeof *fresh; i++)
		if (file_remove_tree(at(arena, fresh[i]), &bench->err) < 0 ||
			file_make_dir(at(arena, fresh[i]), 0755, &bench->err) < 0)
			return -1;
	if (world_build(&options, arena, &bench->world, &bench->err) < 0)
		return -1;
	const struct world *world = &bench->world;
	if (world->drop && (file_own_tree(at(arena, "tree"), world->uid, world->gid, &bench->err) < 0 ||
				   file_own_tree(at(arena, "cache"), world->uid, world->gid, &bench->err) < 0))
		return -1;
	return executor_new(&(struct executor_plan){type, &executor_defaults, NULL}, world, at(arena, "tree"), at(arena, "cache"), &bench->ctx,
		&bench->executor, &bench->err);
}

/* Where no sandbox works the tests find no executor. */
static int open_sandbox(void **state)
{
	if (has_sandbox)
		return open_bench(state, &sandbox_executor);
	*state = memory_alloc(sizeof(struct bench));
	return 0;
}

static int open_local(void **state)
{
	return open_bench(state, &local_executor);
}

static int close_bench(void **state)
{
	struct bench *bench = *state;
	executor_free(bench->executor);
	strbuf_release(&bench->output);
	arena_release(&bench->arena);
	free(bench);
	return 0;
}

/* The exit code; what it printed is the bench's output. */
static int run_line(struct bench *bench, const char *line)
{
	if (!bench->executor)
		skip();
	struct process_result result;
	struct command command = {.line = line, .output = &bench->output, .timeout_ms = 10000};
	strbuf_reset(&bench->output);
	assert_int_equal(executor_run(bench->executor, &command, &result, &bench->ctx, &bench->err), 0);
	return result.exit_code;
}

static void run_blocks(struct bench *bench, const struct code_block *blocks, size_t n)
{
	assert_int_equal(executor_execute_code_blocks(bench->executor, blocks, n, 10000, &bench->arena,
				 &bench->result, &bench->ctx, &bench->err),
		0);
}

static void assert_content(struct bench *bench, const char *path, const char *expected)
{
	AUTO_STRBUF text = STRBUF_INIT(100);
	assert_int_equal(file_read(at(&bench->arena, path), 100, &text, &bench->err), 0);
	assert_string_equal(text.text, expected);
}

static void sandbox_shows_the_tree_at_the_users_path(void **state)
{
	struct bench *bench = *state;
	if (bench->executor)
		put("tree/file", "x");
	assert_int_equal(run_line(bench, "pwd; ls -A; cat node_modules/dep/index.js; echo new >made"), 0);
	assert_string_equal(bench->output.text,
		arena_printf(&bench->arena, "%s/user\n.git\nfile\nnode_modules\nthe user's", top));
	assert_true(file_exists(at(&bench->arena, "tree/made")));
}

static void sandbox_never_changes_what_the_user_has(void **state)
{
	struct bench *bench = *state;
	run_line(bench, "echo theirs >node_modules/dep/index.js; echo x >node_modules/more; "
			"echo y >.git/HEAD; cat node_modules/more");
	assert_non_null(strstr(bench->output.text, "x\n"));
	assert_content(bench, "user/node_modules/dep/index.js", "the user's");
	assert_false(file_exists(at(&bench->arena, "user/node_modules/more")));
	assert_int_equal(run_line(bench, "cat node_modules/more"), 1);
}

static void sandbox_hides_home_network_and_rights(void **state)
{
	struct bench *bench = *state;
	run_line(bench, "id -u; echo $HOME; grep -c : /proc/net/dev; grep NoNewPrivs /proc/self/status; "
			"echo x 2>/dev/null >/usr/x || echo read-only; ls /home; tr '\\0' ' ' </proc/1/environ");
	assert_string_equal(
		bench->output.text, "1000\n/home/agent\n1\nNoNewPrivs:\t1\nread-only\nagent\n");
}

/* rondo's own names, and the host's links and certificates. */
static void sandbox_has_an_etc_of_its_own(void **state)
{
	struct bench *bench = *state;
	run_line(bench, "wc -l </etc/passwd; getent hosts localhost >/dev/null || echo no localhost\n"
			"ls -L /etc/alternatives/awk; touch /etc/x /etc/alternatives/x 2>&1 | grep -c 'Read-only'");
	assert_string_equal(bench->output.text, "3\n/etc/alternatives/awk\n2\n");
}

/* The same tree and dependencies, but nothing by which a program could know the world that it was in before. */
static void a_moved_world_is_another_place_user_and_host(void **state)
{
	struct bench *bench = *state;
	struct world elsewhere;
	if (!bench->executor)
		skip();
	const struct world *world = bench->executor->world;
	world_move(world, "/place/other", &bench->arena, &elsewhere);
	bench->executor->world = &elsewhere;
	run_line(bench, "pwd; echo $HOME; id -un; hostname; echo ${CI-no CI}; cat node_modules/dep/index.js; "
			"echo; test -w ~/.cache && ls .git; env | grep -c agent");
	bench->executor->world = world;
	assert_string_equal(bench->output.text,
		"/place/other\n/home/worker\nworker\nother\nno CI\nthe user's\nHEAD\n0\n");
}

/* Here bwrap itself is refused: no machine may be called that. */
static void a_box_that_cannot_be_made_is_no_result(void **state)
{
	struct bench *bench = *state;
	struct process_result result;
	struct command command = {.line = "exit 3", .timeout_ms = 10000};
	if (!bench->executor)
		skip();
	assert_int_equal(executor_try(bench->executor, &bench->ctx, &bench->err), 0);
	bench->world.host_name = arena_printf(&bench->arena, "%0100d", 0);
	assert_int_equal(executor_run(bench->executor, &command, &result, &bench->ctx, &bench->err), -1);
	assert_int_equal(bench->err.code, RONDO_ERROR_CANNOT_JUDGE);
	assert_non_null(strstr(bench->err.message, "executor sandbox: no sandbox: bwrap: Can't set hostname"));
	bench->world.host_name = NULL;
	assert_int_equal(run_line(bench, "exit 3"), 3);
}

static void expect_dialogue(struct bench *bench)
{
	AUTO_STRBUF line = STRBUF_INIT(STRBUF_LINE);
	enum coprocess_heard heard;
	struct coprocess *coprocess;
	static const char *const env[] = {"GREETING=hello", NULL};
	struct command command = {.line = "while read -r name; do echo \"$GREETING $name in $PWD\"; done", .env = env};
	if (!bench->executor)
		skip();
	assert_int_equal(executor_open(bench->executor, &command, &coprocess, &bench->ctx, &bench->err), 0);
	bool taken;
	assert_int_equal(coprocess_say(coprocess, "world", 10000, &taken, &bench->err), 0);
	assert_true(taken);
	assert_int_equal(coprocess_hear(coprocess, 10000, &line, &heard, &bench->err), 0);
	coprocess_end(coprocess);
	assert_string_equal(line.text,
		arena_printf(&bench->arena, "hello world in %s", executor_tree_at(bench->executor)));
}

static void sandbox_holds_what_is_spoken_with(void **state)
{
	expect_dialogue(*state);
}

static void local_holds_what_is_spoken_with(void **state)
{
	expect_dialogue(*state);
}

static void sandbox_limits_processes_and_files(void **state)
{
	struct bench *bench = *state;
	run_line(bench, "ulimit -c; ulimit -n; i=0; "
			"while [ $i -lt 2000 ] && sleep 60 & do i=$((i+1)); done; echo $i");
	assert_true(text_starts_with(bench->output.text, "0\n4096\n"));
	assert_null(strstr(bench->output.text, "\n2000\n"));
}

static void local_copies_dependencies_into_the_tree(void **state)
{
	struct bench *bench = *state;
	run_line(bench, "pwd; cat node_modules/dep/index.js; echo changed >node_modules/dep/index.js");
	assert_string_equal(
		bench->output.text, arena_printf(&bench->arena, "%s/tree\nthe user's", top));
	assert_content(bench, "user/node_modules/dep/index.js", "the user's");
}

static void code_blocks_run_in_order_and_stop_at_a_failure(void **state)
{
	struct bench *bench = *state;
	static const struct code_block blocks[] = {
		{.language = "sh", .code = "# filename: dir/a.sh\necho one\n", .filename = "dir/a.sh"},
		{.language = "python", .code = "print('two'); raise SystemExit(3)\n"},
		{.language = "sh", .code = "echo never\n"},
	};
	run_blocks(bench, blocks, 3);
	assert_string_equal(bench->result.output, "one\ntwo\n");
	assert_int_equal(bench->result.exit_code, 3);
	assert_int_equal(bench->result.n_files, 1);
	assert_true(file_exists(at(&bench->arena, "tree/dir/a.sh")));
}

static void code_blocks_that_cannot_be_run_are_answered(void **state)
{
	struct bench *bench = *state;
	static const struct {
		struct code_block block;
		const char *answer;
	} cases[] = {
		{{.language = "cobol", .code = "x"}, "unknown language 'cobol'; known: python, sh, bash, javascript, typescript\n"},
		{{.language = "", .code = "x"},
			"the block names no language; known: python, sh, bash, javascript, typescript\n"},
		{{.language = "sh", .code = "echo x", .cut_off = true},
			"This block was cut off: its closing fence is missing. It was not run.\n"},
		{{.language = "sh", .code = "echo x\n", .filename = "../x"}, "'../x' leaves the tree\n"},
	};
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		run_blocks(bench, &cases[i].block, 1);
		assert_string_equal(bench->result.output, cases[i].answer);
		assert_int_equal(bench->result.exit_code, 1);
	}
}

static void languages_are_added_and_restricted(void **state)
{
	struct bench *bench = *state;
	const char *allow[] = {"python", "count"}, *names[] = {"count"}, *commands[] = {"wc -l <"};
	struct executor_settings settings = {.network = "none", .allow = {allow, 2}, .languages = {names, commands, 1}};
	static const struct {
		struct code_block block;
		const char *answer;
	} cases[] = {
		{{.language = "count", .code = "a\nb\n"}, "2\n"},
		{{.language = "py", .code = "print(1)\n"}, "1\n"},
		{{.language = "sh", .code = "echo no\n"}, "language 'sh' may not run here; allowed: python, count\n"},
		{{.language = "cobol", .code = "x"},
			"unknown language 'cobol'; allowed: python, count\n"},
	};
	bench->executor->settings = &settings;
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		run_blocks(bench, &cases[i].block, 1);
		assert_string_equal(bench->result.output, cases[i].answer);
	}
}

static void code_blocks_never_write_through_a_planted_link(void **state)
{
	struct bench *bench = *state;
	put("canary", "alive");
	assert_int_equal(symlink(at(&bench->arena, "canary"), at(&bench->arena, "tree/planted.sh")), 0);
	assert_int_equal(symlink(top, at(&bench->arena, "tree/way-out")), 0);
	static const struct code_block blocks[] = {
		{.language = "sh", .code = "echo in tree\n", .filename = "planted.sh"},
		{.language = "sh", .code = "echo outside\n", .filename = "way-out/canary"},
	};
	run_blocks(bench, blocks, 2);
	assert_true(text_starts_with(bench->result.output, "in tree\ncannot write 'way-out/canary'"));
	assert_content(bench, "canary", "alive");
}

#define IN_SANDBOX(test) cmocka_unit_test_setup_teardown(test, open_sandbox, close_bench)
#define IN_LOCAL(test) cmocka_unit_test_setup_teardown(test, open_local, close_bench)

int main(void)
{
	const struct CMUnitTest tests[] = {
		IN_SANDBOX(sandbox_shows_the_tree_at_the_users_path),
		IN_SANDBOX(sandbox_never_changes_what_the_user_has),
		IN_SANDBOX(sandbox_hides_home_network_and_rights),
		IN_SANDBOX(sandbox_has_an_etc_of_its_own),
		IN_SANDBOX(a_moved_world_is_another_place_user_and_host),
		IN_SANDBOX(a_box_that_cannot_be_made_is_no_result),
		IN_SANDBOX(sandbox_holds_what_is_spoken_with),
		IN_SANDBOX(sandbox_limits_processes_and_files),
		IN_LOCAL(local_copies_dependencies_into_the_tree),
		IN_LOCAL(local_holds_what_is_spoken_with),
		IN_LOCAL(code_blocks_run_in_order_and_stop_at_a_failure),
		IN_LOCAL(code_blocks_that_cannot_be_run_are_answered),
		IN_LOCAL(languages_are_added_and_restricted),
		IN_LOCAL(code_blocks_never_write_through_a_planted_link),
	};
	return cmocka_run_group_tests(tests, set_up, tear_down);
}
