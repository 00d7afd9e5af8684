/* What is worked on: repository, base, suite. */
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "base/memory.h"
#include "executors/world.h"
#include "run/stages.h"

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

static int open_repository(struct run *run, const char *path, struct rondo_error *err)
{
	const char *store = arena_printf(run->arena, "%s/repository", run->paths.work);
	bool is_file = !file_is_dir(path);
	bool inside = is_in_repository(is_file ? path : arena_printf(run->arena, "%s/x", path), run->arena);
	run->result->has_repository = !run->is_workspace && (inside || !is_file);
	if (!run->result->has_repository)
		return repository_open_files(path, store, &run->repository, err);
	const char *dir = is_file ? arena_strndup(run->arena, path, (size_t)(file_name(path) - path)) : path;
	return repository_open(dir, store, &run->repository, err);
}

static enum base_mode base_mode(const struct run *run)
{
	const char *on_dirty = run->scenario->workspace.on_dirty;
	if (strcmp(on_dirty, "refuse") == 0)
		return BASE_REFUSE;
	return strcmp(on_dirty, "head") == 0 ? BASE_HEAD : BASE_SNAPSHOT;
}

static int find_base(struct run *run, struct rondo_error *err)
{
	struct run_result *result = run->result;
	bool was_found = run->past && run->past->base;
	if ((was_found ? keep_restore_base(run, err)
		       : repository_base(run->repository, base_mode(run), run->arena, &run->base, err)) < 0)
		return -1;
	if (repository_list(run->repository, &run->base.tree, run->arena, &run->paths_in_base,
		    &run->n_paths_in_base, err) < 0)
		return -1;
	result->root = arena_strdup(run->arena, repository_root(run->repository));
	result->name = run->is_workspace ? run->scenario->name : file_name(result->root);
	result->base = arena_strdup(run->arena, run->base.commit.hex);
	result->is_snapshot = run->base.is_snapshot;
	result->branch_at = run->base.branch;
	return 0;
}

/* A program that the repository around it ignores is fixed as a file of its own. */
static int find_base_of(struct run *run, const char *path, struct rondo_error *err)
{
	if (find_base(run, err) < 0)
		return -1;
	const char *program = file_is_dir(path) ? NULL : relative(path, run->result->root);
	if (!program || text_in_sorted(run->paths_in_base, run->n_paths_in_base, program))
		return 0;
	repository_close(run->repository);
	run->repository = NULL;
	run->result->has_repository = false;
	const char *store = arena_printf(run->arena, "%s/files", run->paths.work);
	if (repository_open_files(path, store, &run->repository, err) < 0)
		return -1;
	return find_base(run, err);
}

static int check_branch(struct run *run, struct rondo_error *err)
{
	const char *branch = run->scenario->output.branch;
	struct object made;
	if (!run->result->has_repository) {
		if (!branch)
			return 0;
		error_set(err, RONDO_ERROR_USAGE, "--branch needs a repository, and '%s' lies in none", run->path);
		return error_help(err, "leave --branch out: the fix is kept as files and as a patch");
	}
	run->result->branch = branch ? branch : arena_printf(run->arena, "rondo/%s", run->paths.id);
	if (publish_was_done(run, &made))
		return 0;
	return repository_check_branch(run->repository, run->result->branch, err);
}

static int find_suite(struct run *run, const char *path, struct rondo_error *err)
{
	const char *program = file_is_dir(path) ? NULL : relative(path, run->result->root);
	if (run->scenario->test.command) {
		suite_from_command(run->scenario->test.command,
			arena_printf(run->arena, "from %s", run->scenario->test_from), run->arena, &run->suite);
		return 0;
	}
	const char *dir = worktree_dir(run->desk.worktree);
	if (!program)
		return suite_detect(
			dir, run->paths_in_base, run->n_paths_in_base, run->arena, &run->suite, err);
	return suite_from_program(
		dir, program, world_typescript(&run->cancel), run->arena, &run->suite, err);
}

/* What the user says of how the suite is read and run. */
static void set_reading(struct run *run)
{
	const struct scenario_test *test = &run->scenario->test;
	struct suite *suite = &run->suite;
	suite->format = strcmp(test->format, "auto") == 0 ? NULL : test->format;
	suite->report = test->report;
	suite->targeted = test->targeted;
	suite->fail_output = test->fail_output.items;
	suite->n_fail_output = test->fail_output.n;
}

/* A program that is its own test may change; its assertions may not. */
static void set_protection(struct run *run)
{
	const struct option_strings *allow = &run->scenario->allow_edit;
	const char **allowed = NULL;
	size_t n = 0;
	for (size_t i = 0; i < allow->n; i++)
		ARENA_PUSH(run->arena, allowed, n, allow->items[i]);
	if (run->suite.program)
		ARENA_PUSH(run->arena, allowed, n, run->suite.program);
	run->protection = suite_protection(&run->suite);
	run->protection.globs = run->scenario->protect.items;
	run->protection.n_globs = run->scenario->protect.n;
	run->protection.allow = allowed;
	run->protection.n_allow = n;
}

static void add_suite(struct json *json, const struct suite *suite)
{
	json_add_string(json, "command", suite->command);
	json_add_string(json, "origin", suite->origin);
	json_add_string(json, "runner", suite->type->name);
	json_add_strings(json, "also", suite->also, suite->n_also);
}

static int tell_base(struct run *run, struct rondo_error *err)
{
	struct run_result *result = run->result;
	AUTO_JSON *json = json_object();
	json_add_string(json, "name", result->name);
	json_add_string(json, "root", result->root);
	json_add_string(json, "branch", run->base.branch);
	json_add_string(json, "head", run->base.head.hex);
	json_add_string(json, "base", run->base.commit.hex);
	json_add_string(json, "tree", run->base.tree.hex);
	json_add_bool(json, "snapshot", run->base.is_snapshot);
	json_add_bool(json, "repository", result->has_repository);
	json_add_int(json, "modified", (int64_t)run->base.n_modified);
	json_add_int(json, "untracked", (int64_t)run->base.n_untracked);
	json_add_int(json, "deleted", (int64_t)run->base.n_deleted);
	if (run->base.n_borrowed)
		json_add_strings(json, "borrowed", run->base.borrowed, run->base.n_borrowed);
	if (run->has_suite)
		add_suite(json, &run->suite);
	json_add_string(json, "coder", run->scenario->coder);
	json_add_string(json, "executor", run->executor.type->name);
	json_add_string(json, "network", run->executor.settings->network);
	scenario_add_participants(run->scenario, json);
	AUTO_FREE char *text = json_print(json);
	struct rondo_event event = {.type = RONDO_EVENT_BASE, .text = run->base.commit.hex, .data = text};
	if (context_event(&run->ctx, &event, err) < 0)
		return -1;
	for (size_t i = 0; i < run->base.n_notes; i++)
		if (run_notice(run, err, "%s", run->base.notes[i]) < 0)
			return -1;
	return 0;
}

/* Where nothing is judged, no suite is looked for. */
static int open_suite(struct run *run, struct rondo_error *err)
{
	struct run_result *result = run->result;
	if (!run->has_suite)
		return 0;
	if (find_suite(run, run->path, err) < 0)
		return -1;
	set_reading(run);
	set_protection(run);
	result->command = run->suite.command;
	result->origin = run->suite.origin;
	result->also = run->suite.also;
	result->n_also = run->suite.n_also;
	if (run->suite.program)
		result->name = run->suite.program;
	return 0;
}

int site_open(struct run *run, struct rondo_error *err)
{
	if (open_repository(run, run->path, err) < 0 || find_base_of(run, run->path, err) < 0 ||
		check_branch(run, err) < 0)
		return -1;
	/* The suite is looked for in the base, not in files that --head leaves out. */
	const char *desk = arena_printf(run->arena, "%s/desk", run->paths.work);
	if (worktree_new(run->repository, &run->base.tree, desk, &run->desk.worktree, err) < 0 ||
		open_suite(run, err) < 0)
		return -1;
	run->result->executor = run->executor.type->name;
	return keep_base(run, err) < 0 ? -1 : tell_base(run, err);
}
