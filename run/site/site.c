#include "run/site/site.h"

#include <string.h>

#include "base/file.h"
#include "executors/world.h"
#include "run/journal/history.h"
#include "run/publication.h"
#include "run/report/field.h"
#include "team/team.h"
#include "verify/suite/runners/command_line.h"

/* --- The repository --- */

static bool site_is_in_repository(const char *path, struct arena *arena)
{
	for (char *dir = arena_strdup(arena, path), *slash; (slash = strrchr(dir, '/'));) {
		*slash = '\0';
		if (file_exists(arena_printf(arena, "%s/.git", dir)))
			return true;
	}
	return false;
}

/* The program that is worked on, relative to the root; NULL: it is a directory, or not below. */
static const char *site_program(const struct site *site)
{
	const char *root = site->facts.root;
	size_t n = strlen(root);
	if (file_is_dir(site->path))
		return NULL;
	return file_is_below(site->path, root) && site->path[n] == '/' ? site->path + n + 1 : NULL;
}

static int site_refuse_place(
	const char *what, const char *place, const char *path, struct rondo_error *err)
{
	error_set(err, RONDO_ERROR_USAGE,
		"%s of '%s' is %s, outside of the directories that may be touched", what, path, place);
	return error_help(err, "rondo mcp --root '%s'", place);
}

/* A directory may lie in a repository whose root is above it, and a file .git may name any place
 * for the data. */
static int site_check_within(
	const struct site *site, const struct run_env *env, struct rondo_error *err)
{
	const struct option_strings *within = env->order->within;
	bool has_root = !within, has_data = !within;
	const char *root = repository_root(site->repository);
	const char *data = repository_data(site->repository, env->arena);
	for (size_t i = 0; within && i < within->n; i++) {
		has_root |= file_is_below(root, within->items[i]);
		has_data |= file_is_below(data, within->items[i]);
	}
	if (!has_root)
		return site_refuse_place("the repository", root, site->path, err);
	return has_data ? 0 : site_refuse_place("the repository's data", data, site->path, err);
}

static int site_open_repository(
	struct site *site, const struct run_env *env, bool is_workspace, struct rondo_error *err)
{
	const char *store = arena_printf(env->arena, "%s/repository", env->paths.work);
	const char *path = site->path;
	bool is_file = !file_is_dir(path);
	bool inside =
		site_is_in_repository(is_file ? path : arena_printf(env->arena, "%s/x", path), env->arena);
	site->facts.has_repository = !is_workspace && (inside || !is_file);
	if (!site->facts.has_repository) {
		if (repository_open_files(path, store, &site->repository, err) < 0)
			return -1;
		if (env->order->work_dir) /* all that lies there is the user's */
			repository_fix_ignores(site->repository, NULL);
		return 0;
	}
	const char *dir =
		is_file ? arena_strndup(env->arena, path, (size_t)(file_name(path) - path)) : path;
	if (repository_open(dir, store, &site->repository, err) < 0)
		return -1;
	return site_check_within(site, env, err);
}

static enum base_mode site_base_mode(const struct order *order)
{
	const char *on_dirty = order->scenario->workspace.on_dirty;
	if (strcmp(on_dirty, "refuse") == 0)
		return BASE_REFUSE;
	return strcmp(on_dirty, "head") == 0 ? BASE_HEAD : BASE_SNAPSHOT;
}

/* The base of the run that this one continues. */
static int site_recall_base(struct site *site, const struct run_env *env, struct rondo_error *err)
{
	if (repository_take(site->repository, env->paths.packs, err) < 0 ||
		history_base(env->order->history, env->arena, &site->base, err) < 0)
		return -1;
	return repository_has_commit(site->repository, &site->base.commit, err);
}

/* What is checked out or a commit that is named, with the patch on top. */
static int site_make_base(struct site *site, const struct run_env *env, struct rondo_error *err)
{
	const struct scenario_workspace *workspace = &env->order->scenario->workspace;
	struct object commit;
	if (!workspace->commit) {
		if (repository_base(
				site->repository, site_base_mode(env->order), env->arena, &site->base, err) < 0)
			return -1;
	} else if (repository_find_commit(site->repository, workspace->commit, &commit, err) < 0 ||
		repository_base_at(site->repository, &commit, env->arena, &site->base, err) < 0 ||
		repository_date_by(site->repository, &site->base.tree, err) < 0) {
		return -1;
	}
	if (!workspace->patch)
		return 0;
	return repository_base_patch(
			   site->repository, workspace->patch, strlen(workspace->patch), &site->base, err) < 0
		? error_prefix(err, "workspace.patch")
		: 0;
}

static int site_choose_base(struct site *site, const struct run_env *env, struct rondo_error *err)
{
	const struct order *order = env->order;
	if (order->history && order->history->has_site)
		return site_recall_base(site, env, err);
	if (order->proposal)
		return site_find_proposal(site, env, err);
	return site_make_base(site, env, err);
}

static int site_find_base(struct site *site, const struct run_env *env, struct rondo_error *err)
{
	if (site_choose_base(site, env, err) < 0)
		return -1;
	if (repository_list(site->repository, &site->base.tree, env->arena, &site->paths.items,
			&site->paths.n, err) < 0)
		return -1;
	if (!site->facts.has_repository && !env->order->work_dir)
		repository_fix_ignores(site->repository, &site->base.tree);
	site->facts.root = arena_strdup(env->arena, repository_root(site->repository));
	site->facts.paths = site->paths;
	site->facts.name = env->order->path ? file_name(site->facts.root) : env->order->scenario->name;
	return 0;
}

/* A program that the repository around it ignores is fixed as a file of its own. */
static int site_find_base_of(struct site *site, const struct run_env *env, struct rondo_error *err)
{
	if (site_find_base(site, env, err) < 0)
		return -1;
	const char *program = site_program(site);
	if (!program || text_in_sorted(site->paths.items, site->paths.n, program))
		return 0;
	repository_close(site->repository);
	site->repository = NULL;
	site->facts.has_repository = false;
	const char *store = arena_printf(env->arena, "%s/files", env->paths.work);
	if (repository_open_files(site->path, store, &site->repository, err) < 0)
		return -1;
	return site_find_base(site, env, err);
}

static int site_choose_branch(struct site *site, const struct run_env *env, struct rondo_error *err)
{
	const char *branch = env->order->scenario->output.branch;
	struct object made;
	if (!site->facts.has_repository) {
		if (!branch)
			return 0;
		const char *key = env_is_of_file(env) ? "output.branch" : "--branch";
		error_set(err, RONDO_ERROR_USAGE, "%s needs a repository, and '%s' lies in none", key,
			site->path);
		return error_help(err, "leave %s out: the fix is kept as files and as a patch", key);
	}
	site->branch = branch ? branch : arena_printf(env->arena, "rondo/%s", env->paths.id);
	if (publication_was_made(env, site->repository, site->branch, &made))
		return 0;
	return repository_check_branch(site->repository, site->branch, err);
}

/* --- The suite --- */

/* Where the base lies: checked out, or for a dry run in the user's own files. */
static const char *site_dir(const struct site *site)
{
	return site->main.worktree ? worktree_dir(site->main.worktree) : site->facts.root;
}

/* What the user types is meant for the directory that it was typed in, or that is named beside it;
 * what a file says, for the root. */
static const char *site_test_command(
	const struct site *site, const struct scenario *scenario, struct arena *arena)
{
	const char *dir = site_named_dir(site), *command = scenario->test.command;
	if (!*dir || strcmp(scenario->test_from, "--test") != 0)
		return command;
	return arena_printf(arena, "cd %s && %s", command_quote(dir, arena), command);
}

static int site_find_suite(struct site *site, const struct run_env *env, struct rondo_error *err)
{
	const struct scenario *scenario = env->order->scenario;
	const char *program = site_program(site), *dir = site_dir(site);
	if (scenario->test.command) {
		if (!scenario->test.command[strspn(scenario->test.command, " \t\n")])
			return error_set(
				err, RONDO_ERROR_USAGE, "%s: the test command is empty", scenario->test_from);
		suite_from_command(site_test_command(site, scenario, env->arena),
			arena_printf(env->arena, "from %s", scenario->test_from), env->arena, &site->suite);
		return 0;
	}
	if (!program)
		return site_detect_suite(site, env, dir, err);
	return suite_from_program(
		dir, program, world_typescript(env->ctx.cancel), env->arena, &site->suite, err);
}

/* What the user says of how the suite is read and run. */
static void site_set_reading(struct suite *suite, const struct scenario_test *test)
{
	suite->format = strcmp(test->format, "auto") == 0 ? NULL : test->format;
	suite->report = test->report;
	suite->targeted = test->targeted;
	suite->fail_output = test->fail_output.items;
	suite->n_fail_output = test->fail_output.n;
}

/* What the test command names, and nothing else protects, may be a program that tests itself. */
static void site_find_own_tests(struct site *site, const struct run_env *env)
{
	const char *dir = site_dir(site), **own = NULL;
	size_t n = 0;
	for (size_t i = 0; i < site->paths.n; i++) {
		AUTO_ARENA scratch = ARENA_INIT;
		const char *path = site->paths.items[i], *rule = protection_rule(&site->protection, path);
		if (rule && strcmp(rule, PROTECTED_COMMAND) == 0 &&
			program_tests_itself(dir, site->paths.items, site->paths.n, path, &scratch))
			ARENA_PUSH(env->arena, own, n, path);
	}
	if (!n)
		return;
	ARENA_PUSH(env->arena, own, n, NULL);
	site->suite.own_tests = site->protection.own_tests = own;
	suite_take_program(&site->suite, dir, env->arena);
	site->suite.origin = arena_printf(env->arena, "%s, which is its own test", site->suite.origin);
}

/* Where the user lets a program change as a whole, its tests are not protected. */
static void site_set_protection(struct site *site, const struct run_env *env)
{
	const struct scenario *scenario = env->order->scenario;
	struct protection *protection = &site->protection;
	*protection = suite_protection(&site->suite);
	protection->built_tests =
		built_tests_find(site_dir(site), site->paths.items, site->paths.n, env->arena);
	protection->test_scripts = test_scripts_find(
		site_dir(site), protection->command, site->paths.items, site->paths.n, env->arena);
	protection->globs = scenario->protect.items;
	protection->n_globs = scenario->protect.n;
	protection->allow = scenario->allow_edit.items;
	protection->n_allow = scenario->allow_edit.n;
	if (scenario->test.command) {
		compiled_sources_find(site_dir(site), protection->command, site->paths.items, site->paths.n,
			env->arena, &protection->compiled);
		site_find_own_tests(site, env);
	} else if (site->suite.program && protection_allows(protection, site->suite.program)) {
		site->suite.own_tests = protection->own_tests = NULL;
	}
}

/* A setup may install the project where it is not yet: what lacks then is no fault. */
static int site_find_python(struct site *site, const struct run_env *env, struct rondo_error *err)
{
	struct python_place *place = &site->python;
	const char *root = site->facts.root;
	bool has_setup = env->order->scenario->setup.commands.n;
	if (python_find_place(
			&site->suite, root, site->paths.items, site->paths.n, env->arena, place, err) < 0) {
		if (!has_setup)
			return -1;
		place->prefix = python_find_environment(
			root, site->paths.items, site->paths.n, NULL, env->arena, &place->why);
		place->why = NULL;
	}
	place->told = has_setup ? NULL : place->told;
	return 0;
}

static int site_open_suite(struct site *site, const struct run_env *env, struct rondo_error *err)
{
	struct site_facts *facts = &site->facts;
	if (!env->order->has_suite)
		return 0;
	if (site_find_suite(site, env, err) < 0)
		return -1;
	suite_resolve(&site->suite, site_dir(site), env->arena);
	site_set_reading(&site->suite, &env->order->scenario->test);
	site_set_protection(site, env);
	if (site_find_python(site, env, err) < 0)
		return -1;
	facts->command = suite_shown(&site->suite);
	facts->origin = site->python.why
		? arena_printf(env->arena, "%s, %s", site->suite.origin, site->python.why)
		: site->suite.origin;
	facts->runner = site->suite.type->name;
	for (size_t i = 0; i < site->suite.n_also; i++)
		ARENA_PUSH(env->arena, facts->also.items, facts->also.n, site->suite.also[i]);
	facts->is_program = site->suite.is_alone;
	if (facts->is_program)
		facts->name = site->suite.program;
	return 0;
}

/* --- Recording it --- */

static void site_fill_facts(struct site *site, const struct run_env *env)
{
	const struct base *base = &site->base;
	struct site_facts *facts = &site->facts;
	facts->branch = base->branch;
	facts->head = arena_strdup(env->arena, base->head.hex);
	facts->base = arena_strdup(env->arena, base->commit.hex);
	facts->tree = arena_strdup(env->arena, base->tree.hex);
	facts->is_snapshot = base->is_snapshot;
	facts->n_modified = base->n_modified;
	facts->n_untracked = base->n_untracked;
	facts->n_deleted = base->n_deleted;
	for (size_t i = 0; i < base->n_borrowed; i++)
		ARENA_PUSH(env->arena, facts->borrowed.items, facts->borrowed.n, base->borrowed[i]);
	facts->setup = setup_plan_text(env);
	facts->coder = env->order->scenario->coder;
	facts->executor = env->order->executor.type->name;
	facts->network = env->order->executor.settings->network;
}

/* In the order in which they speak. */
static void site_add_participants(
	struct site_facts *facts, const struct scenario *scenario, struct arena *arena)
{
	const struct team_options *team = scenario->team.common;
	const struct team_type *type = scenario->team.type.self;
	for (size_t i = 0; team && i < team->participants.n; i++) {
		const char *name =
			team->participants.items[(type->first_speaker + i) % team->participants.n].name;
		ARENA_PUSH(arena, facts->participants, facts->n_participants,
			((struct run_participant){name, scenario_human_input_mode(scenario, name)}));
	}
}

static int site_record(struct site *site, const struct run_env *env, struct rondo_error *err)
{
	site_add_participants(&site->facts, env->order->scenario, env->arena);
	return env_event(env, RONDO_EVENT_BASE, site->facts.base, site_fields, &site->facts, err);
}

int site_without(struct site *site, const struct run_env *env, struct rondo_error *err)
{
	site->facts.name = env->order->scenario->name;
	return site_record(site, env, err);
}

/* A dry run needs no checkout where the user's files are the base: the suite is looked for in them.
 * With --head and uncommitted work they differ; where there are notes, some are not as the base has
 * them. */
static bool site_is_base(const struct base *base)
{
	bool is_clean = !base->n_modified && !base->n_untracked && !base->n_deleted;
	return (base->is_snapshot || is_clean) && !base->n_notes;
}

int site_open(struct site *site, const struct run_env *env, struct rondo_error *err)
{
	site->path = env->order->path;
	if (!site->path && site_make_workspace(env, env->order->scenario, &site->path, err) < 0)
		return -1;
	if (site_open_repository(site, env, !env->order->path, err) < 0 ||
		site_find_base_of(site, env, err) < 0 || site_choose_branch(site, env, err) < 0)
		return -1;
	/* The suite is looked for in the base, not in files that --head leaves out. */
	const char *dir = arena_printf(env->arena, "%s/main", env->paths.work);
	if (!(env->order->dry_run && site_is_base(&site->base)) &&
		(site_check_space(site, env, err) < 0 ||
			worktree_new(site->repository, &site->base.tree, dir, &site->main.worktree, err) < 0))
		return -1;
	if (site_open_suite(site, env, err) < 0)
		return -1;
	site_fill_facts(site, env);
	if (!env->order->dry_run && !(env->order->history && env->order->history->has_site) &&
		repository_keep_base(site->repository, &site->base, env->paths.packs, err) < 0)
		return -1;
	if (site_record(site, env, err) < 0 || site_tell_space(site, env, err) < 0)
		return -1;
	if (site->python.told && env_notice(env, err, "%s", site->python.told) < 0)
		return -1;
	for (size_t i = 0; i < site->base.n_notes; i++)
		if (env_notice(env, err, "%s", site->base.notes[i]) < 0)
			return -1;
	return 0;
}
