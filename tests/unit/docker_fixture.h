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

struct bench {
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

static inline const char *bench_at(struct bench *bench, const char *path)
{
	return arena_printf(&bench->arena, "%s/%s", bench->top, path);
}

/* A bench without an executor; its options are those of the type. */
static inline int bench_prepare(void **state)
{
	static const char *const dirs[] = {"user", "tree", "cache", "etc"};
	struct bench *bench = memory_alloc(sizeof *bench);
	*state = bench;
	bench->output = (struct strbuf)STRBUF_INIT(1 << 20);
	if (!make_top(bench->top) || chmod(bench->top, 0755) < 0 ||
		cancel_init(&bench->cancel, NULL, 0, &bench->err) < 0)
		return -1;
	bench->ctx.cancel = &bench->cancel;
	for (size_t i = 0; i < ARRAY_SIZE(dirs); i++)
		if (file_make_dir(bench_at(bench, dirs[i]), 0755, &bench->err) < 0)
			return -1;
	option_defaults(docker_executor.options, &bench->options, &bench->arena);
	bench->options.socket = getenv("RONDO_TEST_DOCKER");
	bench->options.image = getenv("RONDO_TEST_IMAGE") ? getenv("RONDO_TEST_IMAGE") : "rondo-test";
	bench->options.pull = "never";
	if (getenv("RONDO_TEST_TREE"))
		bench->options.tree = getenv("RONDO_TEST_TREE");
	struct world_options options = {.root = bench_at(bench, "user"),
		.etc_dir = bench_at(bench, "etc"),
		.sight = EXECUTOR_SEES_ITSELF,
		.uid = 65534};
	if (world_build(&options, &bench->arena, &bench->world, &bench->err) < 0)
		return -1;
	const struct world *world = &bench->world;
	if (!world->drop)
		return 0;
	return file_own_tree(bench_at(bench, "tree"), world->uid, world->gid, &bench->err) < 0 ||
			file_own_tree(bench_at(bench, "cache"), world->uid, world->gid, &bench->err) < 0
		? -1
		: 0;
}

static inline int bench_open(struct bench *bench)
{
	const struct executor_plan plan = {
		.type = &docker_executor, .settings = &executor_defaults, .options = &bench->options};
	return executor_new(&plan, &bench->world, bench_at(bench, "tree"), bench_at(bench, "cache"),
		&bench->ctx, &bench->executor, &bench->err);
}

/* An executor, where there is an engine. */
static inline int bench_new(void **state)
{
	if (bench_prepare(state) < 0)
		return -1;
	struct bench *bench = *state;
	if (bench->options.socket && bench_open(bench) < 0) {
		print_message("%s\n", bench->err.message);
		return -1;
	}
	return 0;
}

static inline int bench_end(void **state)
{
	struct bench *bench = *state;
	executor_free(bench->executor);
	strbuf_release(&bench->output);
	cancel_release(&bench->cancel);
	int status = file_remove_tree(bench->top, &bench->err);
	arena_release(&bench->arena);
	free(bench);
	return status;
}

#define NEEDS_ENGINE(bench) \
	do \
		if (!(bench)->options.socket) \
			skip(); \
	while (0)

/* What runs beside other commands sees a tree only where it is mounted. */
#define NEEDS_MOUNT(bench) \
	do \
		if (!(bench)->options.socket || strcmp((bench)->options.tree, "archive") == 0) \
			skip(); \
	while (0)

static inline int bench_try(struct bench *bench, const char *line, int64_t timeout_ms)
{
	struct command command = {.line = line,
		.output = &bench->output,
		.timeout_ms = timeout_ms,
		.output_limit = (uint64_t)64 << 20};
	strbuf_reset(&bench->output);
	return executor_run(bench->executor, &command, &bench->result, &bench->ctx, &bench->err);
}

/* The exit code; what was printed is the bench's output. */
static inline int bench_run(struct bench *bench, const char *line)
{
	int status = bench_try(bench, line, 30000);
	if (status < 0)
		print_message("%s\n", bench->err.message);
	assert_int_equal(status, 0);
	return bench->result.exit_code;
}

#define assert_said(bench, expected) assert_string_equal((bench)->output.text, (expected))
#define assert_contains(text, part) assert_non_null(strstr((text), (part)))
