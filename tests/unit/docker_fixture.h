/*
 * A docker executor on a tree of its own, by the engine that RONDO_TEST_DOCKER names (its socket;
 * tests/slow/docker.sh starts one) with the image RONDO_TEST_IMAGE, its tree as RONDO_TEST_TREE
 * says; else the tests are skipped.
 */
#pragma once
#include "tests/unit/unit.h"

#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/file.h"
#include "base/memory.h"
#include "executors/docker/docker.h"
#include "executors/world.h"

struct fixture {
	char top[TOP_SIZE];
	struct arena arena;
	struct world world;
	struct docker options;
	struct executor *executor;
	struct cancel cancel;
	struct context ctx;
	struct rondo_error err;
	struct strbuf output;
	struct process_result result;
	struct code_result code;
};

static inline const char *fixture_at(struct fixture *fixture, const char *path)
{
	return arena_printf(&fixture->arena, "%s/%s", fixture->top, path);
}

/* A fixture without an executor; its options are those of the type. */
static inline int fixture_prepare(void **state)
{
	static const char *const dirs[] = {"user", "tree", "cache", "etc"};
	struct fixture *fixture = memory_alloc(sizeof *fixture);
	*state = fixture;
	fixture->output = (struct strbuf)STRBUF_INIT(1 << 20);
	if (!make_top(fixture->top) || chmod(fixture->top, 0755) < 0 ||
		cancel_init(&fixture->cancel, NULL, 0, &fixture->err) < 0)
		return -1;
	fixture->ctx.cancel = &fixture->cancel;
	for (size_t i = 0; i < ARRAY_SIZE(dirs); i++)
		if (file_make_dir(fixture_at(fixture, dirs[i]), 0755, &fixture->err) < 0)
			return -1;
	option_defaults(docker_executor.options, &fixture->options, &fixture->arena);
	fixture->options.socket = getenv("RONDO_TEST_DOCKER");
	fixture->options.image = getenv("RONDO_TEST_IMAGE") ? getenv("RONDO_TEST_IMAGE") : "rondo-test";
	fixture->options.pull = "never";
	if (getenv("RONDO_TEST_TREE"))
		fixture->options.tree = getenv("RONDO_TEST_TREE");
	struct world_options options = {.root = fixture_at(fixture, "user"),
		.etc_dir = fixture_at(fixture, "etc"),
		.sight = EXECUTOR_SEES_ITSELF,
		.uid = 65534};
	if (world_build(&options, &fixture->arena, &fixture->world, &fixture->err) < 0)
		return -1;
	const struct world *world = &fixture->world;
	if (!world->drop)
		return 0;
	return file_own_tree(fixture_at(fixture, "tree"), world->uid, world->gid, &fixture->err) < 0 ||
			file_own_tree(fixture_at(fixture, "cache"), world->uid, world->gid, &fixture->err) < 0
		? -1
		: 0;
}

static inline int fixture_open(struct fixture *fixture)
{
	const struct executor_plan plan = {
		.type = &docker_executor, .settings = &executor_defaults, .options = &fixture->options};
	return executor_new(&plan, &fixture->world, fixture_at(fixture, "tree"),
		fixture_at(fixture, "cache"), &fixture->ctx, &fixture->executor, &fixture->err);
}

/* An executor, where there is an engine. */
static inline int fixture_new(void **state)
{
	if (fixture_prepare(state) < 0)
		return -1;
	struct fixture *fixture = *state;
	if (fixture->options.socket && fixture_open(fixture) < 0) {
		print_message("%s\n", fixture->err.message);
		return -1;
	}
	return 0;
}

static inline int fixture_end(void **state)
{
	struct fixture *fixture = *state;
	executor_free(fixture->executor);
	strbuf_release(&fixture->output);
	cancel_release(&fixture->cancel);
	int status = file_remove_tree(fixture->top, &fixture->err);
	arena_release(&fixture->arena);
	free(fixture);
	return status;
}

#define NEEDS_ENGINE(fixture) \
	do \
		if (!(fixture)->options.socket) \
			skip(); \
	while (0)

/* What runs beside other commands sees a tree only where it is mounted. */
#define NEEDS_MOUNT(fixture) \
	do \
		if (!(fixture)->options.socket || strcmp((fixture)->options.tree, "archive") == 0) \
			skip(); \
	while (0)

static inline int fixture_try(struct fixture *fixture, const char *line, int64_t timeout_ms)
{
	struct command command = {.line = line,
		.output = &fixture->output,
		.timeout_ms = timeout_ms,
		.output_limit = (uint64_t)64 << 20};
	strbuf_reset(&fixture->output);
	return executor_run(
		fixture->executor, &command, &fixture->result, &fixture->ctx, &fixture->err);
}

/* The exit code; what was printed is the fixture's output. */
static inline int fixture_run(struct fixture *fixture, const char *line)
{
	int status = fixture_try(fixture, line, 30000);
	if (status < 0)
		print_message("%s\n", fixture->err.message);
	assert_int_equal(status, 0);
	return fixture->result.exit_code;
}

#define assert_said(fixture, expected) assert_string_equal((fixture)->output.text, (expected))
#define assert_contains(text, part) assert_non_null(strstr((text), (part)))
