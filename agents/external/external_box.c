/*
 * The box of an external agent: a second executor on the main checkout, in the run's world with
 * more in it: the agent's program, a home that begins empty, and a repository that says nothing to
 * coding agents.
 */
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "agents/external/external.h"
#include "base/file.h"
#include "base/memory.h"
#include "executors/world.h"

#define WHY_HOME "home of an external agent"
#define SAME_NAMES_MOST 32

/* Only these give their programs this machine's files without giving them away. */
int external_check_executor(const struct executor_type *type, struct rondo_error *err)
{
	if (type == &sandbox_executor || type == &local_executor)
		return 0;
	error_set(err, RONDO_ERROR_USAGE,
		"an external agent runs in the sandbox, and this run's executor is '%s'", type->name);
	return error_help(err, "--executor sandbox, or without a box: --executor local");
}

/* The .git of the box has no configuration of agents in its commit, either. */
static int box_write_git(struct agent *agent, struct external_box *box, struct rondo_error *err)
{
	struct arena *arena = &agent->arena;
	const struct agent_services *services = agent->services;
	struct base base = *services->base;
	const char *git = arena_printf(arena, "%s/git", box->dir);
	const char *at = arena_printf(arena, "%s/.git", box->world.tree_at);
	if (external_tree_base(agent, arena, &base.tree, err) < 0)
		return -1;
	if (strcmp(base.tree.hex, services->base->tree.hex) == 0)
		return 0;
	struct mount *mounts = arena_memdup(arena, box->world.mounts, box->world.n * sizeof *mounts);
	if (file_remove_tree(git, err) < 0 ||
		repository_write_throwaway(services->repository, &base, git, err) < 0)
		return -1;
	for (size_t i = 0; i < box->world.n; i++)
		if (strcmp(mounts[i].target, at) == 0)
			mounts[i].source = git;
	box->world.mounts = mounts;
	return 0;
}

/* What the agent reads in its home before all else. */
static int box_write_settings(const struct external_box *box, const struct known_coder *coder,
	const char *home, struct arena *arena, struct rondo_error *err)
{
	if (!coder->settings)
		return 0;
	const char *path = arena_printf(arena, "%s/%s", home, coder->settings_path);
	size_t dir = strlen(path) - strlen(file_name(path)) - 1;
	if (file_make_dir(arena_strndup(arena, path, dir), 0700, err) < 0 ||
		file_write(path, coder->settings, strlen(coder->settings), 0600, err) < 0)
		return -1;
	return box->world.drop ? file_own_tree(home, box->world.uid, box->world.gid, err) : 0;
}

static bool box_is_dir(const char *path)
{
	struct stat st;
	return lstat(path, &st) == 0 && S_ISDIR(st.st_mode);
}

/* It lies below the cache, which the agent can write to: there may be a link in its place. */
int external_box_prepare(const struct external_box *box, struct rondo_error *err)
{
	if (!box->home || box_is_dir(box->home))
		return 0;
	if (file_remove_tree(box->home, err) < 0 || file_make_dir(box->home, 0700, err) < 0)
		return -1;
	return box->world.drop ? file_own_tree(box->home, box->world.uid, box->world.gid, err) : 0;
}

/* Below its cache, whose size is watched. Nothing is written into one that was there, in a run that
 * is resumed. */
static int box_make_home(struct external_box *box, const struct known_coder *coder,
	const char *cache, struct arena *arena, struct rondo_error *err)
{
	const char *home = arena_printf(arena, "%s/home", cache);
	bool is_there = box_is_dir(home);
	box->home = home;
	if (external_box_prepare(box, err) < 0 ||
		(!is_there && box_write_settings(box, coder, home, arena, err) < 0))
		return -1;
	if (box->world.drop && file_own_tree(cache, box->world.uid, box->world.gid, err) < 0)
		return -1;
	const struct mount mount = {
		.source = home, .target = box->world.home, .kind = MOUNT_WRITABLE, .why = WHY_HOME};
	world_add_mount(&box->world, &mount, arena);
	return 0;
}

static void box_assign(struct agent *agent, struct external_box *box,
	const struct external_program *program, const char *const *env, const char *model,
	const char *url)
{
	for (; env && *env; env++)
		world_assign(&box->world, known_coder_fill(program->coder, *env, model, url, &agent->arena),
			&agent->arena);
}

static void box_set_environment(struct agent *agent, struct external_box *box,
	const struct external_program *program, const char *model, const char *url)
{
	const struct external_settings *settings = external_settings_of(agent);
	bool is_named = model && strcmp(model, "*") != 0;
	box_assign(agent, box, program, program->coder->env, model, url);
	if (is_named)
		box_assign(agent, box, program, program->coder->model_env, model, url);
	for (size_t i = 0; i < settings->env.n; i++)
		world_assign(&box->world,
			arena_printf(&agent->arena, "%s=%s", settings->env.names[i], settings->env.items[i]),
			&agent->arena);
}

/* What lives from one turn to the next has a checkout of its own: else it could go on to write
 * where others have their turns. */
static int box_check_out(struct agent *agent, struct external_box *box, struct rondo_error *err)
{
	const char *dir = arena_printf(&agent->arena, "%s/tree", box->dir);
	struct object base;
	if (external_tree_base(agent, &agent->arena, &base, err) < 0 ||
		file_remove_tree(dir, err) < 0 || file_make_dir(box->dir, 0700, err) < 0 ||
		worktree_new(agent->services->repository, &base, dir, &box->worktree, err) < 0)
		return -1;
	return box->world.drop ? worktree_own(box->worktree, box->world.uid, box->world.gid, err) : 0;
}

static int box_start(struct agent *agent, struct external_box *box, const char *cache,
	const struct context *ctx, struct rondo_error *err)
{
	const struct executor *main = agent->services->main_checkout->executor;
	const char *tree = box->worktree ? worktree_dir(box->worktree) : main->tree;
	const struct executor_plan plan = {.type = main->type,
		.settings = main->settings,
		.options = main->state,
		.secrets = main->secrets};
	return executor_new(&plan, &box->world, tree, cache, ctx, &box->executor, err);
}

/* Where its model is, in its environment and in its command. */
static void box_fill(
	struct agent *agent, struct external_box *box, const struct external_program *program)
{
	const char *url = box->relay ? external_relay_url(box->relay) : "";
	const char *model = box->relay ? external_relay_model(box->relay) : NULL;
	box_set_environment(agent, box, program, model, url);
	box->line = known_coder_fill(program->coder, box->line, model, url, &agent->arena);
}

static int box_find_program(struct agent *agent, struct external_box *box,
	const struct external_program *program, const struct context *ctx, struct rondo_error *err)
{
	const struct known_coder *coder = program->coder;
	if (external_line_find(
			agent, &box->world, program->command, ctx->cancel, &agent->arena, &box->line, err) == 0)
		return 0;
	if (coder != &known_coder_any)
		error_prefix(err, "%s", coder->title);
	return program->install ? error_help(err, "%s", program->install) : -1;
}

/* Whether there is a model, where it cannot do without. */
static int box_check_model(
	const struct agent *agent, const struct known_coder *coder, struct rondo_error *err)
{
	const struct external_settings *settings = external_settings_of(agent);
	if (settings->model.name || !(coder->needs_model || coder->provider))
		return 0;
	error_set(err, RONDO_ERROR_USAGE, "%s asks a model, and none is named", coder->title);
	return coder->provider ? error_help(err, "model: %s/*, or one by its name", coder->provider)
						   : error_help(err, "--model openai/NAME, or another provider's");
}

/* Its home, its repository and its model, and the executor in which it sees them. */
static int box_furnish(struct agent *agent, struct external_box *box,
	const struct external_program *program, const struct context *ctx, struct rondo_error *err)
{
	struct arena *arena = &agent->arena;
	const struct external_settings *settings = external_settings_of(agent);
	const struct executor *main = agent->services->main_checkout->executor;
	const char *cache = arena_printf(arena, "%s/cache", box->dir);
	if (file_make_dir(cache, 0700, err) < 0)
		return -1;
	if (executor_sees(main) != EXECUTOR_SEES_HOST &&
		(box_make_home(box, program->coder, cache, arena, err) < 0 ||
			box_write_git(agent, box, err) < 0))
		return -1;
	if (settings->model.object && external_relay_start(agent, box, err) < 0)
		return -1;
	if (external_verdicts_start(agent, box, err) < 0)
		return -1;
	box_fill(agent, box, program);
	if (program->stays && box_check_out(agent, box, err) < 0)
		return -1;
	return box_start(agent, box, cache, ctx, err);
}

/* A name that is that of a file, too. */
static const char *box_name(const struct agent *agent, struct arena *arena)
{
	char *name = arena_strdup(arena, agent->name);
	for (char *at = name; *at; at++)
		if (*at == '/' || *at == '.')
			*at = '-';
	return name;
}

/* Agents within others may have the same name: the second one has another directory, and the same
 * one again in a run that is resumed. */
static int box_make_dir(struct agent *agent, struct external_box *box, struct rondo_error *err)
{
	struct arena *arena = &agent->arena;
	const char *name = box_name(agent, arena);
	for (int i = 1; i <= SAME_NAMES_MOST; i++) {
		box->dir =
			arena_printf(arena, i > 1 ? "%s/%s-%d" : "%s/%s", agent->services->agents_dir, name, i);
		if (file_make_dir(box->dir, 0700, err) < 0)
			return -1;
		box->lock = open(box->dir, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
		if (box->lock >= 0 && file_lock(box->lock, 0) == 0)
			return 0;
		if (box->lock >= 0)
			close(box->lock);
		box->lock = -1;
	}
	return error_set(err, RONDO_ERROR_USAGE, "more than %d external agents are called '%s'",
		SAME_NAMES_MOST, agent->name);
}

int external_box_open(struct agent *agent, const struct external_program *program,
	struct external_box **ret_box, const struct context *ctx, struct rondo_error *err)
{
	const struct agent_services *services = agent->services;
	struct arena *arena = &agent->arena;
	const struct executor *main = services->main_checkout->executor;
	struct external_box *box = arena_alloc(arena, sizeof *box);
	box->world = *main->world;
	box->lock = -1;
	if (external_check_executor(main->type, err) < 0 ||
		box_check_model(agent, program->coder, err) < 0 ||
		box_find_program(agent, box, program, ctx, err) < 0 || box_make_dir(agent, box, err) < 0)
		return -1;
	if (box_furnish(agent, box, program, ctx, err) < 0) {
		external_box_close(box);
		return -1;
	}
	*ret_box = box;
	return 0;
}

void external_box_close(struct external_box *box)
{
	if (!box)
		return;
	executor_free(box->executor);
	external_relay_end(box->relay);
	external_verdicts_close(box->verdicts);
	worktree_free(box->worktree);
	if (box->lock >= 0)
		close(box->lock);
}

int external_box_put(struct external_box *box, const char *name, const char *text,
	struct arena *arena, const char **ret_at, struct rondo_error *err)
{
	const struct executor *executor = box->executor;
	const char *path = arena_printf(arena, "%s/%s", executor->cache_dir, name);
	if (file_remove_tree(path, err) < 0 || file_create(path, text, strlen(text), 0644, err) < 0)
		return -1;
	*ret_at = executor_cache_at(executor, name, arena);
	return box->world.drop ? file_own_tree(path, box->world.uid, box->world.gid, err) : 0;
}
