/* Executors whose Python runs in a real kernel, and blocks in them. Where there is no kernel the
 * tests are skipped. */
#pragma once
#include "tests/unit/unit.h"

#include <sys/stat.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/file.h"
#include "base/memory.h"
#include "executors/world.h"

#define BLOCK_MS 30000

static char top[TOP_SIZE];
static bool has_kernel;

__attribute__((unused)) static int set_up(void **state)
{
	(void)state;
	AUTO_ARENA arena = ARENA_INIT;
	AUTO_STRBUF found = STRBUF_INIT(1000);
	struct rondo_error err;
	if (!make_top(top) || chmod(top, 0755) < 0 ||
		file_make_dir(arena_printf(&arena, "%s/user", top), 0755, &err) < 0)
		return -1;
	has_kernel = jupyter_executor.probe(&found, &err) == 0;
	if (!has_kernel)
		print_message("%s\n", err.message);
	return 0;
}

/* As the type's options fill it, as far as tests set it. */
struct chosen {
	const char *where, *kernel, *output_dir;
	char rest[1024];
};

struct fixture {
	struct arena arena;
	const char *top;
	struct world world;
	struct executor *executor;
	struct context ctx;
	struct rondo_error err;
	struct code_result result;
	bool is_shared;
};

__attribute__((unused)) static const char *in(struct fixture *fixture, const char *name)
{
	return arena_printf(&fixture->arena, "%s/%s", fixture->top, name);
}

__attribute__((unused)) static int make(struct fixture *fixture, const struct chosen *chosen)
{
	static const char *const tools[] = {"python3", NULL}, *const fresh[] = {"tree", "etc", "cache"};
	static int number;
	struct arena *arena = &fixture->arena;
	fixture->top = arena_printf(arena, "%s/%d", top, number++);
	struct executor_plan plan = {
		.type = &jupyter_executor, .settings = &executor_defaults, .options = chosen};
	struct world_options options = {.root = arena_printf(arena, "%s/user", top),
		.tools = tools,
		.etc_dir = in(fixture, "etc"),
		.sight = executor_sight(&plan),
		.uid = 65534};
	for (size_t i = 0; i < ARRAY_SIZE(fresh); i++)
		if (file_make_dir(in(fixture, fresh[i]), 0755, &fixture->err) < 0)
			return -1;
	if (world_build(&options, arena, &fixture->world, &fixture->err) < 0)
		return -1;
	const struct world *world = &fixture->world;
	if (world->drop &&
		(file_own_tree(in(fixture, "tree"), world->uid, world->gid, &fixture->err) < 0 ||
			file_own_tree(in(fixture, "cache"), world->uid, world->gid, &fixture->err) < 0))
		return -1;
	return executor_new(&plan, world, in(fixture, "tree"), in(fixture, "cache"), &fixture->ctx,
		&fixture->executor, &fixture->err);
}

__attribute__((unused)) static int open_bench(void **state, const char *where)
{
	struct fixture *fixture = memory_alloc(sizeof *fixture);
	struct chosen chosen = {.where = where, .kernel = "python3", .output_dir = "."};
	assert_true(jupyter_executor.state_size <= sizeof chosen);
	*state = fixture;
	return has_kernel ? make(fixture, &chosen) : 0;
}

__attribute__((unused)) static int open_sandbox(void **state)
{
	return open_bench(state, "sandbox");
}

__attribute__((unused)) static int open_local(void **state)
{
	return open_bench(state, "local");
}

__attribute__((unused)) static int close_bench(void **state)
{
	struct fixture *fixture = *state;
	if (fixture->is_shared)
		return 0;
	executor_free(fixture->executor);
	arena_release(&fixture->arena);
	free(fixture);
	return 0;
}

/* One kernel for all tests that do it no harm. */
static struct fixture *shared;

__attribute__((unused)) static int open_shared(void **state)
{
	if (!shared) {
		int status = open_sandbox((void **)&shared);
		if (status < 0)
			return status;
		shared->is_shared = true;
	}
	*state = shared;
	return 0;
}

__attribute__((unused)) static int tear_down(void **state)
{
	struct rondo_error err;
	if (shared) {
		shared->is_shared = false;
		*state = shared;
		close_bench(state);
	}
	return file_remove_tree(top, &err);
}

__attribute__((unused)) static void run_blocks(
	struct fixture *fixture, const struct code_block *blocks, size_t n, int64_t timeout_ms)
{
	if (!has_kernel)
		skip();
	struct block_order order = {.blocks = blocks, .n = n, .timeout_ms = timeout_ms};
	int status = executor_execute_code_blocks(
		fixture->executor, &order, &fixture->arena, &fixture->result, &fixture->ctx, &fixture->err);
	if (status < 0)
		print_message("%s\n", fixture->err.message);
	assert_int_equal(status, 0);
}

__attribute__((unused)) static const char *run_for(
	struct fixture *fixture, const char *code, int64_t timeout_ms)
{
	run_blocks(fixture, &(struct code_block){.language = "python", .code = code}, 1, timeout_ms);
	return fixture->result.output;
}

__attribute__((unused)) static const char *run(struct fixture *fixture, const char *code)
{
	return run_for(fixture, code, BLOCK_MS);
}

__attribute__((unused)) static void assert_says(struct fixture *fixture, const char *expected)
{
	if (!strstr(fixture->result.output, expected))
		fail_msg("'%s' is not in: %s", expected, fixture->result.output);
}

#define SHARED(name) cmocka_unit_test_setup_teardown(name, open_shared, close_bench)
#define IN_SANDBOX(name) cmocka_unit_test_setup_teardown(name, open_sandbox, close_bench)
#define LOCAL(name) cmocka_unit_test_setup_teardown(name, open_local, close_bench)
#define BOTH(name) IN_SANDBOX(name), LOCAL(name)
