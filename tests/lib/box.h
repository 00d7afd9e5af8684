/* An executor of a directory's own, for programs that want nothing of a run but its sandbox. */
#pragma once
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "base/memory.h"
#include "executors/world.h"

struct box_of_tests {
	struct arena arena;
	struct world world;
	struct executor *executor;
	struct context ctx;
	const char *tree;
};

/* Ends the program where a call failed. */
static inline void box_must(int result, const struct rondo_error *err)
{
	if (result == 0)
		return;
	fprintf(stderr, "%s%s%s\n", err->message, *err->help ? "; " : "", err->help);
	exit(2);
}

static inline const char *box_directory(struct box_of_tests *box, const char *top, const char *name)
{
	struct rondo_error err;
	const char *dir = arena_printf(&box->arena, "%s/%s", top, name);
	box_must(file_make_dir(dir, 0755, &err), &err);
	return dir;
}

/* The type's options, n of NAME=VALUE. */
static inline const void *box_options(
	struct box_of_tests *box, const char *const *assignments, size_t n)
{
	struct rondo_error err;
	void *state = arena_alloc(&box->arena, sandbox_executor.state_size);
	if (sandbox_executor.options)
		option_defaults(sandbox_executor.options, state, &box->arena);
	for (size_t i = 0; i < n; i++) {
		size_t length = strcspn(assignments[i], "=");
		const char *name = arena_strndup(&box->arena, assignments[i], length);
		const struct option *option = option_find(sandbox_executor.options, name, "option", &err);
		box_must(
			option ? option_set(option, state, &box->arena, assignments[i] + length + 1, &err) : -1,
			&err);
	}
	return state;
}

/* As a run has it: the user's checkout, rondo's own copy of it, a cache, an /etc, a throw-away
 * repository; all below `top`. */
static inline void box_open(
	struct box_of_tests *box, const char *top, const char *const *assignments, size_t n)
{
	static const char *const tools[] = {"sh", "python3", NULL};
	struct rondo_error err;
	const char *git_dir = box_directory(box, top, "throwaway"),
			   *cache = box_directory(box, top, "cache");
	box->tree = box_directory(box, top, "tree");
	struct world_options options = {.root = box_directory(box, top, "checkout"),
		.tools = tools,
		.git_dir = git_dir,
		.etc_dir = box_directory(box, top, "etc"),
		.uid = 65534};
	box_must(world_build(&options, &box->arena, &box->world, &err), &err);
	const struct world *world = &box->world;
	if (world->drop) {
		box_must(file_own_tree(box->tree, world->uid, world->gid, &err), &err);
		box_must(file_own_tree(cache, world->uid, world->gid, &err), &err);
	}
	const struct executor_plan plan = {.type = &sandbox_executor,
		.settings = &executor_defaults,
		.options = box_options(box, assignments, n)};
	box_must(executor_new(&plan, world, box->tree, cache, &box->ctx, &box->executor, &err), &err);
}

static inline void box_close(struct box_of_tests *box)
{
	executor_free(box->executor);
	arena_release(&box->arena);
}
