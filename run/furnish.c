/* Where work is done: the world of the programs, the desk and the benches. */
#include <sched.h>
#include <string.h>

#include "base/file.h"
#include "base/hash.h"
#include "base/memory.h"
#include "executors/world.h"
#include "run/packages.h"

#define LEAST_SUITE_MS ((int64_t)60 * 1000)
#define REPAIR_MS ((int64_t)60 * 1000)
#define MOST_BENCHES 8
#define WORKSPACE_AT "/workspace"

static const char *const dependency_names[] = {"node_modules", ".venv", "venv", "vendor"};

/* A path that nobody knew before, whose name any language takes for one. */
static void find_elsewhere(struct run *run)
{
	char random[13];
	hash_random(random, sizeof random - 1);
	world_move(&run->world, arena_printf(run->arena, "/place/w%s", random), run->arena, &run->elsewhere);
}

static void describe_world(struct run *run)
{
	const char **lines = NULL;
	for (size_t i = 0; i < run->world.n; i++) {
		const struct mount *mount = &run->world.mounts[i];
		if (strcmp(mount->why, "system") == 0)
			continue;
		ARENA_PUSH(run->arena, lines, run->result->n_world,
			arena_printf(run->arena, "%s: %s%s%s", mount->why, mount->source,
				strcmp(mount->source, mount->target) ? " at " : "",
				strcmp(mount->source, mount->target) ? mount->target : ""));
	}
	run->result->world = lines;
}

/* What programs of the suite need; without one, what code blocks may be written in. */
static const char *const *tools_of(const struct run *run)
{
	return run->has_suite ? run->suite.type->tools : executor_programs();
}

/* What programs may read beside the tree: it has to be there. */
static int find_read_only(struct run *run, struct option_strings *ret_paths, struct rondo_error *err)
{
	const struct option_strings *names = &run->executor.settings->read_only;
	for (size_t i = 0; i < names->n; i++) {
		const char *path = file_real_path(run->arena, workspace_path(run->scenario, names->items[i]), err);
		if (!path)
			return error_prefix(err, "executor.read_only");
		ARENA_PUSH(run->arena, ret_paths->items, ret_paths->n, path);
	}
	return 0;
}

static int build_world(struct run *run, struct rondo_error *err)
{
	const char *etc = arena_printf(run->arena, "%s/etc", run->paths.work);
	const char *git_dir = arena_printf(run->arena, "%s/throwaway", run->paths.work);
	if (repository_dependencies(run->repository, &run->base, dependency_names,
		    ARRAY_SIZE(dependency_names), run->scenario->workspace.mount.items, run->scenario->workspace.mount.n,
		    run->arena, &run->dependencies, &run->n_dependencies, err) < 0)
		return -1;
	if (file_make_dir(etc, 0755, err) < 0)
		return -1;
	if (repository_write_throwaway(run->repository, &run->base, git_dir, err) < 0)
		return -1;
	struct option_strings read_only = {0};
	if (find_read_only(run, &read_only, err) < 0)
		return -1;
	struct world_options options = {.root = run->result->root, .tools = tools_of(run),
		.dependencies = run->dependencies, .n_dependencies = run->n_dependencies,
		.borrowed = run->base.borrowed, .n_borrowed = run->base.n_borrowed, .git_dir = git_dir,
		.etc_dir = etc, .sight = executor_sight(&run->executor), .uid = (uid_t)run->executor.settings->uid,
		.env = &run->executor.settings->env, .read_only = &read_only, .at = run->is_workspace ? WORKSPACE_AT : NULL,
		.network = strcmp(run->executor.settings->network, "host") == 0, .cancel = &run->cancel};
	if (world_build(&options, run->arena, &run->world, err) < 0 || packages_provide(run, err) < 0)
		return -1;
	describe_world(run);
	return 0;
}

#define SETUP_OUTPUT ((size_t)4 << 10)

/* What the workspace needs before anything else can be run in it. */
static int set_up(struct run *run, struct workplace *place, struct rondo_error *err)
{
	const struct option_strings *setup = &run->scenario->workspace.setup;
	for (size_t i = 0; i < setup->n; i++) {
		AUTO_STRBUF output = STRBUF_INIT(SETUP_OUTPUT);
		struct process_result result;
		char end[64];
		struct command command = {
			.line = setup->items[i], .output = &output, .timeout_ms = run->scenario->limits.time_ms};
		if (executor_run(place->executor, &command, &result, &run->ctx, err) < 0)
			return -1;
		if (result.end == PROCESS_CANCELLED)
			return cancel_error(&run->cancel, err);
		if (result.exit_code == 0)
			continue;
		strbuf_rtrim(&output);
		return error_set(err, RONDO_ERROR_CANNOT_JUDGE, "workspace.setup: '%s' ended with %s: %s", setup->items[i],
			process_describe(&result, end, sizeof end), output.text);
	}
	return 0;
}

/* An executor for a checkout that is there, and a cache beside it. */
static int staff(struct run *run, const struct world *world, struct workplace *place, struct rondo_error *err)
{
	const char *dir = worktree_dir(place->worktree);
	const char *cache = arena_printf(run->arena, "%s.cache", dir);
	if (file_make_dir(cache, 0700, err) < 0)
		return -1;
	if (world->drop && (worktree_own(place->worktree, world->uid, world->gid, err) < 0 ||
				   file_own_tree(cache, world->uid, world->gid, err) < 0))
		return -1;
	if (executor_new(&run->executor, world, dir, cache, &run->ctx,
		    &place->executor, err) < 0)
		return -1;
	return set_up(run, place, err);
}

int site_workplace(struct run *run, const struct world *world, const char *name, const struct object *tree,
	struct workplace *ret_workplace, struct rondo_error *err)
{
	struct workplace place = {0};
	const char *dir = arena_printf(run->arena, "%s/%s", run->paths.work, name);
	if (worktree_new(run->repository, tree, dir, &place.worktree, err) < 0)
		return -1;
	if (staff(run, world, &place, err) < 0) {
		site_leave(&place);
		return -1;
	}
	*ret_workplace = place;
	return 0;
}

void site_leave(struct workplace *workplace)
{
	executor_free(workplace->executor);
	worktree_free(workplace->worktree);
	*workplace = (struct workplace){0};
}

/* One a core. Without isolation suites would meet each other's ports and files, so they take turns. */
static size_t count_benches(const struct run *run)
{
	cpu_set_t cpus;
	if (!run->has_suite)
		return 0;
	if (executor_sight(&run->executor) == EXECUTOR_SEES_HOST || sched_getaffinity(0, sizeof cpus, &cpus) < 0)
		return 1;
	int n = CPU_COUNT(&cpus);
	return n > MOST_BENCHES ? MOST_BENCHES : (size_t)n;
}

static void set_kit(struct run *run)
{
	const char **leave_out = NULL;
	size_t n = 0;
	ARENA_PUSH(run->arena, leave_out, n, ".git");
	for (size_t i = 0; i < run->n_dependencies; i++)
		ARENA_PUSH(run->arena, leave_out, n, run->dependencies[i]);
	for (size_t i = 0; i < run->base.n_borrowed; i++)
		ARENA_PUSH(run->arena, leave_out, n, run->base.borrowed[i]);
	const struct limits *limits = &run->scenario->limits;
	int64_t block_ms = run->executor.settings->timeout_ms;
	run->kit = (struct agent_kit){.desk = &run->desk,
		.benches = run->benches,
		.n_benches = run->n_benches,
		.repository = run->repository,
		.base = &run->base,
		.leave_out = leave_out,
		.n_leave_out = n,
		.log_dir = run->paths.logs,
		.dir = run->scenario->dir,
		.block_timeout_ms = block_ms ? block_ms : limits->block_ms,
		.suite_timeout_ms = limits->suite_ms ? limits->suite_ms : LEAST_SUITE_MS,
		.repair_timeout_ms = limits->repair_ms ? limits->repair_ms : REPAIR_MS,
		.repair_candidates = limits->candidates,
		.runs_code = scenario_runs_code(run->scenario)};
	if (!run->has_suite)
		return;
	run->kit.suite = &run->suite;
	run->kit.baseline = &run->baseline;
	run->kit.protection = &run->protection;
}

int site_furnish(struct run *run, struct rondo_error *err)
{
	if (build_world(run, err) < 0 || staff(run, &run->world, &run->desk, err) < 0 ||
		executor_try(run->desk.executor, &run->ctx, err) < 0)
		return -1;
	find_elsewhere(run);
	size_t n = count_benches(run);
	run->benches = arena_alloc(run->arena, n * sizeof *run->benches);
	for (size_t i = 0; i < n; i++, run->n_benches++)
		if (site_workplace(run, &run->world, arena_printf(run->arena, "bench-%zu", i), &run->base.tree,
			    &run->benches[i], err) < 0)
			return -1;
	set_kit(run);
	return 0;
}

void site_close(struct run *run)
{
	site_leave(&run->desk);
	for (size_t i = 0; i < run->n_benches; i++)
		site_leave(&run->benches[i]);
	repository_close(run->repository);
	for (size_t i = 0; i < run->n_reports; i++)
		arena_release(&run->baseline_arenas[i]);
}
