/* What is worked on, and where: repository, base, suite, world, the desk and the benches. */
#include <sched.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/file.h"
#include "base/memory.h"
#include "executors/world.h"
#include "run/fix.h"

#define MOST_BENCHES 8

static const char *const dependency_names[] = {"node_modules", ".venv", "venv", "vendor"};

static bool is_in_repository(const char *path, struct arena *arena)
{
	for (char *dir = arena_strdup(arena, path), *slash; (slash = strrchr(dir, '/'));) {
		*slash = '\0';
		if (file_exists(arena_printf(arena, "%s/.git", dir)))
			return true;
	}
	return false;
}

/* A path of the user's, relative to the root; NULL: it is not below. */
static const char *relative(const char *path, const char *root)
{
	size_t n = strlen(root);
	return file_is_below(path, root) && path[n] == '/' ? path + n + 1 : NULL;
}

static int open_repository(struct fix_run *run, const char *path, struct rondo_error *err)
{
	const char *store = arena_printf(run->arena, "%s/repository", run->paths.work);
	bool is_file = !file_is_dir(path);
	bool inside = is_in_repository(is_file ? path : arena_printf(run->arena, "%s/x", path), run->arena);
	run->result->has_repository = inside || !is_file;
	if (!run->result->has_repository)
		return repository_open_files(path, store, &run->repository, err);
	const char *dir = is_file ? arena_strndup(run->arena, path, (size_t)(file_name(path) - path)) : path;
	return repository_open(dir, store, &run->repository, err);
}

static int find_base(struct fix_run *run, struct rondo_error *err)
{
	struct fix_result *result = run->result;
	if (repository_base(run->repository, run->options->head ? BASE_HEAD : BASE_SNAPSHOT, run->arena,
		    &run->base, err) < 0)
		return -1;
	if (repository_list(run->repository, &run->base.tree, run->arena, &run->paths_in_base,
		    &run->n_paths_in_base, err) < 0)
		return -1;
	result->root = arena_strdup(run->arena, repository_root(run->repository));
	result->name = file_name(result->root);
	result->base = arena_strdup(run->arena, run->base.commit.hex);
	result->is_snapshot = run->base.is_snapshot;
	result->branch_at = run->base.branch;
	return 0;
}

static bool is_in_base(const struct fix_run *run, const char *path)
{
	for (size_t i = 0; i < run->n_paths_in_base; i++)
		if (strcmp(run->paths_in_base[i], path) == 0)
			return true;
	return false;
}

/* A program that the repository around it ignores is fixed as a file of its own. */
static int find_base_of(struct fix_run *run, const char *path, struct rondo_error *err)
{
	if (find_base(run, err) < 0)
		return -1;
	const char *program = file_is_dir(path) ? NULL : relative(path, run->result->root);
	if (!program || is_in_base(run, program))
		return 0;
	repository_close(run->repository);
	run->repository = NULL;
	run->result->has_repository = false;
	const char *store = arena_printf(run->arena, "%s/files", run->paths.work);
	if (repository_open_files(path, store, &run->repository, err) < 0)
		return -1;
	return find_base(run, err);
}

static int check_branch(struct fix_run *run, struct rondo_error *err)
{
	const struct fix_options *options = run->options;
	if (!run->result->has_repository) {
		if (!options->branch)
			return 0;
		error_set(err, RONDO_ERROR_USAGE, "--branch needs a repository, and '%s' lies in none", options->path);
		return error_help(err, "leave --branch out: the fix is kept as files and as a patch");
	}
	run->result->branch = options->branch
				      ? options->branch
				      : arena_printf(run->arena, "rondo/%s", run->paths.id);
	return repository_check_branch(run->repository, run->result->branch, err);
}

static int find_suite(struct fix_run *run, const char *path, struct rondo_error *err)
{
	const char *program = file_is_dir(path) ? NULL : relative(path, run->result->root);
	if (run->options->test) {
		suite_from_command(run->options->test, "from --test", run->arena, &run->suite);
		return 0;
	}
	const char *dir = worktree_dir(run->desk.worktree);
	if (!program)
		return suite_detect(
			dir, run->paths_in_base, run->n_paths_in_base, run->arena, &run->suite, err);
	return suite_from_program(
		dir, program, world_typescript(&run->cancel), run->arena, &run->suite, err);
}

/* A program that is its own test may change; its assertions may not. */
static void set_protection(struct fix_run *run)
{
	const struct option_strings *allow = &run->options->allow_edit;
	const char **allowed = NULL;
	size_t n = 0;
	for (size_t i = 0; i < allow->n; i++)
		ARENA_PUSH(run->arena, allowed, n, allow->items[i]);
	if (run->suite.program)
		ARENA_PUSH(run->arena, allowed, n, run->suite.program);
	run->protection = (struct protection){.suite = &run->suite, .globs = run->options->protect.items,
		.n_globs = run->options->protect.n, .allow = allowed, .n_allow = n};
}

static int tell_base(struct fix_run *run, struct rondo_error *err)
{
	struct fix_result *result = run->result;
	AUTO_JSON *json = json_object();
	json_add_string(json, "name", result->name);
	json_add_string(json, "root", result->root);
	json_add_string(json, "branch", run->base.branch);
	json_add_string(json, "head", run->base.head.hex);
	json_add_string(json, "base", run->base.commit.hex);
	json_add_bool(json, "snapshot", run->base.is_snapshot);
	json_add_bool(json, "repository", result->has_repository);
	json_add_int(json, "modified", (int64_t)run->base.n_modified);
	json_add_int(json, "untracked", (int64_t)run->base.n_untracked);
	json_add_int(json, "deleted", (int64_t)run->base.n_deleted);
	json_add_string(json, "command", run->suite.command);
	json_add_string(json, "origin", run->suite.origin);
	json_add_string(json, "runner", run->suite.type->name);
	struct json *also = json_add_array(json, "also");
	for (size_t i = 0; i < run->suite.n_also; i++)
		json_add_string(also, NULL, run->suite.also[i]);
	json_add_string(json, "coder", "repair");
	json_add_string(json, "executor", run->executor_type->name);
	AUTO_FREE char *text = json_print(json);
	struct rondo_event event = {.type = RONDO_EVENT_BASE, .text = run->base.commit.hex, .data = text};
	if (context_event(&run->ctx, &event, err) < 0)
		return -1;
	for (size_t i = 0; i < run->base.n_notes; i++)
		if (fix_notice(run, err, "%s", run->base.notes[i]) < 0)
			return -1;
	return 0;
}

int site_open(struct fix_run *run, struct rondo_error *err)
{
	struct fix_result *result = run->result;
	const char *path = run->path;
	if (open_repository(run, path, err) < 0 || find_base_of(run, path, err) < 0 ||
		check_branch(run, err) < 0)
		return -1;
	/* The suite is looked for in the base, not in files that --head leaves out. */
	const char *desk = arena_printf(run->arena, "%s/desk", run->paths.work);
	if (worktree_new(run->repository, &run->base.tree, desk, &run->desk.worktree, err) < 0 ||
		find_suite(run, path, err) < 0)
		return -1;
	set_protection(run);
	result->command = run->suite.command;
	result->origin = run->suite.origin;
	result->also = run->suite.also;
	result->n_also = run->suite.n_also;
	result->executor = run->executor_type->name;
	if (run->suite.program)
		result->name = run->suite.program;
	return tell_base(run, err);
}

static void describe_world(struct fix_run *run)
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

static int build_world(struct fix_run *run, struct rondo_error *err)
{
	const char *etc = arena_printf(run->arena, "%s/etc", run->paths.work);
	const char *git_dir = arena_printf(run->arena, "%s/throwaway", run->paths.work);
	if (repository_dependencies(run->repository, &run->base, dependency_names,
		    ARRAY_SIZE(dependency_names), run->options->mount.items, run->options->mount.n,
		    run->arena, &run->dependencies, &run->n_dependencies, err) < 0)
		return -1;
	if (file_make_dir(etc, 0755, err) < 0)
		return -1;
	if (repository_write_throwaway(run->repository, &run->base, git_dir, err) < 0)
		return -1;
	struct world_options options = {.root = run->result->root, .tools = run->suite.type->tools,
		.dependencies = run->dependencies, .n_dependencies = run->n_dependencies,
		.borrowed = run->base.borrowed, .n_borrowed = run->base.n_borrowed, .git_dir = git_dir,
		.etc_dir = etc, .executor = run->executor_type, .uid = (uid_t)run->options->executor_uid,
		.cancel = &run->cancel};
	if (world_build(&options, run->arena, &run->world, err) < 0)
		return -1;
	describe_world(run);
	return 0;
}

/* An executor for a checkout that is there, and a cache beside it. */
static int staff(struct fix_run *run, struct workplace *place, struct rondo_error *err)
{
	const struct world *world = &run->world;
	const char *dir = worktree_dir(place->worktree);
	const char *cache = arena_printf(run->arena, "%s.cache", dir);
	if (file_make_dir(cache, 0700, err) < 0)
		return -1;
	if (world->drop && (worktree_own(place->worktree, world->uid, world->gid, err) < 0 ||
				   file_own_tree(cache, world->uid, world->gid, err) < 0))
		return -1;
	return executor_new(run->executor_type, world, dir, cache, &run->ctx, &place->executor, err);
}

int site_workplace(struct fix_run *run, const char *name, const struct object *tree,
	struct workplace *ret_workplace, struct rondo_error *err)
{
	struct workplace place = {0};
	const char *dir = arena_printf(run->arena, "%s/%s", run->paths.work, name);
	if (worktree_new(run->repository, tree, dir, &place.worktree, err) < 0)
		return -1;
	if (staff(run, &place, err) < 0) {
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
static size_t count_benches(const struct fix_run *run)
{
	cpu_set_t cpus;
	if (run->executor_type == &local_executor || sched_getaffinity(0, sizeof cpus, &cpus) < 0)
		return 1;
	int n = CPU_COUNT(&cpus);
	return n > MOST_BENCHES ? MOST_BENCHES : (size_t)n;
}

static void set_kit(struct fix_run *run)
{
	const char **leave_out = NULL;
	size_t n = 0;
	ARENA_PUSH(run->arena, leave_out, n, ".git");
	for (size_t i = 0; i < run->n_dependencies; i++)
		ARENA_PUSH(run->arena, leave_out, n, run->dependencies[i]);
	for (size_t i = 0; i < run->base.n_borrowed; i++)
		ARENA_PUSH(run->arena, leave_out, n, run->base.borrowed[i]);
	run->kit = (struct agent_kit){.desk = &run->desk, .benches = run->benches,
		.n_benches = run->n_benches, .repository = run->repository, .base = &run->base,
		.suite = &run->suite, .baseline = &run->baseline, .protection = &run->protection,
		.leave_out = leave_out, .n_leave_out = n, .log_dir = run->paths.logs,
		.block_timeout_ms = run->limits.block_ms, .suite_timeout_ms = run->limits.suite_ms,
		.repair_timeout_ms = run->limits.repair_ms};
}

int site_furnish(struct fix_run *run, struct rondo_error *err)
{
	if (build_world(run, err) < 0 || staff(run, &run->desk, err) < 0)
		return -1;
	size_t n = count_benches(run);
	run->benches = arena_alloc(run->arena, n * sizeof *run->benches);
	for (size_t i = 0; i < n; i++, run->n_benches++)
		if (site_workplace(run, arena_printf(run->arena, "bench-%zu", i), &run->base.tree,
			    &run->benches[i], err) < 0)
			return -1;
	set_kit(run);
	return 0;
}

void site_close(struct fix_run *run)
{
	site_leave(&run->desk);
	for (size_t i = 0; i < run->n_benches; i++)
		site_leave(&run->benches[i]);
	repository_close(run->repository);
	for (size_t i = 0; i < ARRAY_SIZE(run->baseline_arenas); i++)
		arena_release(&run->baseline_arenas[i]);
}
