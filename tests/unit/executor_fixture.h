/* Executors on a checkout with dependencies, and rondo's own copy of it: a fixture for each
 * test. */
#pragma once
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/file.h"
#include "base/memory.h"
#include "executors/world.h"
#include "tests/unit/unit.h"

static char top[TOP_SIZE];
static bool has_sandbox;

static inline const char *at(struct arena *arena, const char *path)
{
	return arena_printf(arena, "%s/%s", top, path);
}

static inline void put(const char *path, const char *text)
{
	AUTO_ARENA arena = ARENA_INIT;
	struct rondo_error err;
	assert_int_equal(file_write(at(&arena, path), text, strlen(text), 0644, &err), 0);
}

/* A checkout with dependencies, and rondo's own copy of it. */
static inline int set_up(void **state)
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

static inline int tear_down(void **state)
{
	(void)state;
	struct rondo_error err;
	return file_remove_tree(top, &err);
}

/* One test's executor, and what it said last. */
struct fixture {
	struct arena arena;
	struct world world;
	struct executor *executor;
	struct context ctx;
	struct rondo_error err;
	struct strbuf output;
	struct code_result result;
	const char *const *env; /* for blocks */
};

static inline int open_bench(void **state, const struct executor_type *type)
{
	static const char *const dependencies[] = {"node_modules"}, *const tools[] = {"sh", NULL};
	static const char *const fresh[] = {"tree", "etc"};
	struct fixture *fixture = memory_alloc(sizeof *fixture);
	struct arena *arena = &fixture->arena;
	fixture->output = (struct strbuf)STRBUF_INIT(10000);
	*state = fixture;
	struct world_options options = {.root = at(arena, "user"),
		.tools = tools,
		.dependencies = dependencies,
		.n_dependencies = 1,
		.git_dir = at(arena, "throwaway"),
		.etc_dir = at(arena, "etc"),
		.sight = type->sees,
		.uid = 65534};
	for (size_t i = 0; i < sizeof fresh / sizeof *fresh; i++)
		if (file_remove_tree(at(arena, fresh[i]), &fixture->err) < 0 ||
			file_make_dir(at(arena, fresh[i]), 0755, &fixture->err) < 0)
			return -1;
	if (world_build(&options, arena, &fixture->world, &fixture->err) < 0)
		return -1;
	const struct world *world = &fixture->world;
	if (world->drop &&
		(file_own_tree(at(arena, "tree"), world->uid, world->gid, &fixture->err) < 0 ||
			file_own_tree(at(arena, "cache"), world->uid, world->gid, &fixture->err) < 0))
		return -1;
	return executor_new(&(struct executor_plan){.type = type, .settings = &executor_defaults},
		world, at(arena, "tree"), at(arena, "cache"), &fixture->ctx, &fixture->executor,
		&fixture->err);
}

/* Where no sandbox works the tests find no executor. */
static inline int open_sandbox(void **state)
{
	if (has_sandbox)
		return open_bench(state, &sandbox_executor);
	*state = memory_alloc(sizeof(struct fixture));
	return 0;
}

static inline int open_local(void **state)
{
	return open_bench(state, &local_executor);
}

static inline int close_bench(void **state)
{
	struct fixture *fixture = *state;
	executor_free(fixture->executor);
	strbuf_release(&fixture->output);
	arena_release(&fixture->arena);
	free(fixture);
	return 0;
}

/* The exit code; what it printed is the fixture's output. */
static inline int run_line(struct fixture *fixture, const char *line)
{
	if (!fixture->executor)
		skip();
	struct process_result result;
	struct command command = {.line = line, .output = &fixture->output, .timeout_ms = 10000};
	strbuf_reset(&fixture->output);
	if (executor_run(fixture->executor, &command, &result, &fixture->ctx, &fixture->err) < 0)
		fail_msg("%s", fixture->err.message);
	return result.exit_code;
}

static inline void run_blocks(struct fixture *fixture, const struct code_block *blocks, size_t n)
{
	struct block_order order = {
		.blocks = blocks, .n = n, .timeout_ms = 600000, .env = fixture->env};
	assert_int_equal(executor_execute_code_blocks(fixture->executor, &order, &fixture->arena,
						 &fixture->result, &fixture->ctx, &fixture->err),
		0);
}

static inline void assert_content(struct fixture *fixture, const char *path, const char *expected)
{
	AUTO_STRBUF text = STRBUF_INIT(100);
	assert_int_equal(file_read(at(&fixture->arena, path), 100, &text, &fixture->err), 0);
	assert_string_equal(text.text, expected);
}

#define IN_SANDBOX(test) cmocka_unit_test_setup_teardown(test, open_sandbox, close_bench)
#define IN_LOCAL(test) cmocka_unit_test_setup_teardown(test, open_local, close_bench)
