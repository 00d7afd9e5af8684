/* What programs in a site's checkouts see, and the checkouts themselves. */
#include <string.h>

#include "base/file.h"
#include "base/hash.h"
#include "base/memory.h"
#include "base/thread.h"
#include "run/site/site.h"

#define MOST_WORKERS 8
#define WORKSPACE_AT "/workspace"

static const char *const dependency_names[] = {"node_modules", ".venv", "venv", "vendor", ".tox",
	".nox", "*/pyvenv.cfg", ".pnp.cjs", ".pnp.loader.mjs", ".yarn/cache", ".yarn/unplugged"};

/* --- What they see --- */

bool site_is_bound(const struct site *site)
{
	if (site->python.prefix && file_is_below(site->python.prefix, site->facts.root))
		return true;
	for (size_t i = 0; i < site->dependencies.n; i++) {
		const char *name = file_name(site->dependencies.items[i]);
		if (strcmp(name, ".venv") == 0 || strcmp(name, "venv") == 0)
			return true;
	}
	return false;
}

/* A path that nobody knew before, and that each language takes for a name. */
static void site_move_world(struct site *site, struct arena *arena)
{
	char random[13];
	hash_random(random, sizeof random - 1);
	world_move(&site->world, arena_printf(arena, "/place/w%s", random), arena, &site->moved);
}

static void site_describe_world(struct site *site, struct arena *arena)
{
	struct option_strings *lines = &site->facts.world;
	for (size_t i = 0; i < site->built.n; i++) {
		const struct mount *mount = &site->built.mounts[i];
		bool is_elsewhere = strcmp(mount->source, mount->target) != 0;
		if (strcmp(mount->why, "system") != 0)
			ARENA_PUSH(arena, lines->items, lines->n,
				arena_printf(arena, "%s: %s%s%s", mount->why, mount->source,
					is_elsewhere ? " at " : "", is_elsewhere ? mount->target : ""));
	}
}

/* What programs may read beside the tree: it has to be there. */
static int site_find_read_only(
	const struct run_env *env, struct option_strings *ret_paths, struct rondo_error *err)
{
	const struct option_strings *names = &env->order->executor.settings->read_only;
	for (size_t i = 0; i < names->n; i++) {
		const char *path =
			file_real_path(env->arena, order_path(env->order->scenario, names->items[i]), err);
		if (!path)
			return error_prefix(err, "executor.read_only");
		ARENA_PUSH(env->arena, ret_paths->items, ret_paths->n, path);
	}
	return 0;
}

static int site_find_dependencies(
	struct site *site, const struct run_env *env, struct rondo_error *err)
{
	const struct option_strings *mount = &env->order->scenario->workspace.mount;
	struct option_strings *found = &site->dependencies, *leave_out = &site->leave_out, names = {0};
	const char *const *generated = env->order->has_suite ? site->suite.type->generated : NULL;
	for (size_t i = 0; i < ARRAY_SIZE(dependency_names); i++)
		ARENA_PUSH(env->arena, names.items, names.n, dependency_names[i]);
	for (; generated && *generated; generated++)
		ARENA_PUSH(env->arena, names.items, names.n, *generated);
	if (repository_dependencies(site->repository, &site->base, names.items, names.n, mount->items,
			mount->n, env->arena, &found->items, &found->n, err) < 0)
		return -1;
	ARENA_PUSH(env->arena, leave_out->items, leave_out->n, ".git");
	for (size_t i = 0; i < found->n; i++)
		ARENA_PUSH(env->arena, leave_out->items, leave_out->n, found->items[i]);
	for (size_t i = 0; i < site->base.n_borrowed; i++)
		ARENA_PUSH(env->arena, leave_out->items, leave_out->n, site->base.borrowed[i]);
	return 0;
}

/* Directories of these names that git ignores. NULL: no names. */
static int site_find_built(struct site *site, const struct run_env *env, const char *const *names,
	const char ***ret_found, size_t *ret_n, struct rondo_error *err)
{
	size_t n = 0;
	while (names && names[n])
		n++;
	return n ? repository_dependencies(site->repository, &site->base, names, n, NULL, 0, env->arena,
				   ret_found, ret_n, err)
			 : 0;
}

/* Show suites what the user has built in the checkout: they build only what changed. */
static int site_build_world(struct site *site, const struct run_env *env, struct rondo_error *err)
{
	const char *const *names = env->order->has_suite ? site->suite.type->builds : NULL;
	const char **found = NULL;
	size_t n = 0;
	if (site_find_built(site, env, names, &found, &n, err) < 0)
		return -1;
	world_add_builds(&site->world, site->facts.root, found, n, env->arena, &site->built);
	return 0;
}

static int site_make_world(struct site *site, const struct run_env *env, struct rondo_error *err)
{
	const char *etc = arena_printf(env->arena, "%s/etc", env->paths.work);
	const char *git_dir = arena_printf(env->arena, "%s/throwaway", env->paths.work);
	const struct executor_settings *settings = env->order->executor.settings;
	struct option_strings read_only = {0};
	if (site_find_dependencies(site, env, err) < 0 || file_make_dir(etc, 0755, err) < 0 ||
		repository_write_throwaway(site->repository, &site->base, git_dir, err) < 0 ||
		site_find_read_only(env, &read_only, err) < 0)
		return -1;
	struct world_options options = {.root = site->facts.root,
		.tools = setup_show_tools(
			env, env->order->has_suite ? site->suite.type->tools : executor_programs(), env->arena),
		.dependencies = site->dependencies.items,
		.n_dependencies = site->dependencies.n,
		.borrowed = site->base.borrowed,
		.n_borrowed = site->base.n_borrowed,
		.git_dir = git_dir,
		.prefix = site->python.prefix,
		.python_path = site->python.path,
		.etc_dir = etc,
		.sight = executor_sight(&env->order->executor),
		.uid = (uid_t)settings->uid,
		.env = &settings->env,
		.read_only = &read_only,
		.at = env->order->path ? NULL : WORKSPACE_AT,
		.network = strcmp(settings->network, "host") == 0,
		.cancel = env->ctx.cancel};
	if (world_build(&options, env->arena, &site->world, err) < 0 ||
		site_provide_packages(site, env, err) < 0 || setup_provide(site, env, &options, err) < 0)
		return -1;
	if (site_build_world(site, env, err) < 0)
		return -1;
	site_describe_world(site, env->arena);
	site_move_world(site, env->arena);
	return 0;
}

/* --- Checkouts --- */

/* Give a worktree its executor, and a cache beside it. */
static int site_add_executor(const struct site *site, const struct run_env *env,
	const struct world *world, struct checkout *checkout, struct rondo_error *err)
{
	const char *dir = worktree_dir(checkout->worktree);
	const char *cache = arena_printf(env->arena, "%s.cache", dir);
	if (file_make_dir(cache, 0700, err) < 0)
		return -1;
	if (world->drop &&
		(worktree_own(checkout->worktree, world->uid, world->gid, err) < 0 ||
			file_own_tree(cache, world->uid, world->gid, err) < 0))
		return -1;
	if (executor_new(
			&env->order->executor, world, dir, cache, &env->ctx, &checkout->executor, err) < 0)
		return -1;
	return setup_run_in(site, env, checkout->executor, err);
}

/* What a checkout's programs write is removed with its executor. */
static int site_show_layer(const struct site *site, const struct run_env *env,
	const struct checkout *checkout, const char *layer, struct rondo_error *err)
{
	const char *written = arena_printf(env->arena, "%s.written", worktree_dir(checkout->worktree));
	return site->layer ? executor_layer(checkout->executor, layer, written, &env->ctx, NULL, err)
					   : 0;
}

/* The first run of a suite begins with the bytecode that the user's programs have left. */
static int site_begin_with_bytecode(
	struct site *site, const struct run_env *env, struct rondo_error *err)
{
	const char *const *names = env->order->has_suite ? site->suite.type->bytecode : NULL;
	const char **found = NULL;
	size_t n = 0;
	if (site_find_built(site, env, names, &found, &n, err) < 0)
		return -1;
	executor_begin_with(site->workers[0].executor, site->facts.root, found, n);
	return 0;
}

/* Keep apart what the first run in the first worker builds. */
static int site_begin_layer(struct site *site, const struct run_env *env, struct rondo_error *err)
{
	bool is_layered;
	const char *layer = arena_printf(env->arena, "%s/layer", env->paths.work);
	if (executor_layer(site->workers[0].executor, NULL, layer, &env->ctx, &is_layered, err) < 0)
		return -1;
	site->layer = is_layered ? layer : NULL;
	return is_layered ? site_begin_with_bytecode(site, env, err) : 0;
}

int site_share_layer(const struct site *site, const struct run_env *env, struct rondo_error *err)
{
	if (site->layer)
		executor_prune_layer(site->workers[0].executor, site->layer);
	for (size_t i = 0; i < site->n_workers; i++)
		if (site_show_layer(site, env, &site->workers[i], site->layer, err) < 0)
			return -1;
	return 0;
}

void site_leave_builds_out(struct site *site, const struct run_env *env)
{
	struct option_strings none = {0};
	world_leave_builds_out(&site->world, env->arena);
	world_leave_builds_out(&site->moved, env->arena);
	site->built = site->world;
	site->facts.world = none;
	site_describe_world(site, env->arena);
	if (site->n_workers)
		executor_begin_with(site->workers[0].executor, NULL, NULL, 0);
}

/* Whether programs cannot write to the files of checkouts: what they write goes into layers. */
static bool site_links(const struct site *site)
{
	return site->layer && !site->setup.is_in_each;
}

static int site_fill_checkout(const struct site *site, const struct run_env *env,
	const struct world *world, const char *layer, struct checkout *checkout,
	struct rondo_error *err)
{
	if (site_add_executor(site, env, world, checkout, err) == 0 &&
		(world != &site->built || site_show_layer(site, env, checkout, layer, err) == 0))
		return 0;
	site_leave(checkout);
	return -1;
}

static int site_checkout_on(const struct site *site, const struct run_env *env,
	const struct world *world, const char *layer, const char *name, const struct object *tree,
	struct checkout *ret_checkout, struct rondo_error *err)
{
	struct checkout checkout = {0};
	const char *dir = arena_printf(env->arena, "%s/%s", env->paths.work, name);
	int status = world == &site->built && site_links(site)
		? worktree_new_beside(site->workers[0].worktree, tree, dir, &checkout.worktree, err)
		: worktree_new(site->repository, tree, dir, &checkout.worktree, err);
	if (status < 0)
		return -1;
	if (site_fill_checkout(site, env, world, layer, &checkout, err) < 0)
		return -1;
	*ret_checkout = checkout;
	return 0;
}

int site_checkout(const struct site *site, const struct run_env *env, const struct world *world,
	const char *name, const struct object *tree, struct checkout *ret_checkout,
	struct rondo_error *err)
{
	return site_checkout_on(site, env, world, site->layer, name, tree, ret_checkout, err);
}

void site_leave(struct checkout *checkout)
{
	executor_free(checkout->executor);
	worktree_free(checkout->worktree);
	*checkout = (struct checkout){0};
}

/* One a core. Without isolation suites would meet each other's ports and files, so they take
 * turns. */
static size_t site_count_workers(const struct order *order)
{
	size_t n = thread_cores();
	if (!order->has_suite)
		return 0;
	if (executor_sight(&order->executor) == EXECUTOR_SEES_HOST)
		return 1;
	return n > MOST_WORKERS ? MOST_WORKERS : n;
}

int site_furnish(struct site *site, const struct run_env *env, struct rondo_error *err)
{
	if (site_make_world(site, env, err) < 0 ||
		site_add_executor(site, env, &site->world, &site->main, err) < 0 ||
		executor_try(site->main.executor, &env->ctx, err) < 0)
		return -1;
	size_t n = site_count_workers(env->order);
	site->workers = arena_alloc(env->arena, n * sizeof *site->workers);
	for (size_t i = 0; i < n; i++) {
		/* the layer is not whole before the baseline has run */
		if (site_checkout_on(site, env, &site->built, NULL,
				arena_printf(env->arena, "worker-%zu", i), &site->base.tree, &site->workers[i],
				err) < 0)
			return -1;
		site->n_workers++;
		if (i == 0 && site_begin_layer(site, env, err) < 0)
			return -1;
	}
	return 0;
}

/* The first worker of its repository: others are made beside it. */
static int site_add_first(struct site *site, const struct run_env *env, const struct world *world,
	const char *name, struct checkout *checkout, struct rondo_error *err)
{
	const char *dir = arena_printf(env->arena, "%s/%s", env->paths.work, name);
	if (worktree_new(site->repository, &site->base.tree, dir, &checkout->worktree, err) < 0)
		return -1;
	return site_fill_checkout(site, env, world, site->layer, checkout, err);
}

int site_furnish_beside(struct site *site, const struct site *other, struct repository *repository,
	const struct run_env *env, struct rondo_error *err)
{
	*site = *other;
	site->repository = repository;
	site->main = (struct checkout){0};
	site->workers = arena_alloc(env->arena, sizeof *site->workers);
	site->n_workers = 1;
	if (site_add_first(site, env, &site->world, "main", &site->main, err) < 0)
		return -1;
	return site_add_first(site, env, &site->built, "worker-0", &site->workers[0], err);
}

void site_leave_beside(struct site *site)
{
	site_leave(&site->main);
	for (size_t i = 0; i < site->n_workers; i++)
		site_leave(&site->workers[i]);
	site->n_workers = 0;
}

int site_tree(const struct site *site, struct arena *arena, struct object *ret_tree,
	struct option_strings *refused, struct rondo_error *err)
{
	return worktree_tree(site->main.worktree, site->leave_out.items, site->leave_out.n, arena,
		ret_tree, &refused->items, &refused->n, err);
}

void site_close(struct site *site)
{
	site_leave(&site->main);
	for (size_t i = 0; i < site->n_workers; i++)
		site_leave(&site->workers[i]);
	setup_layer_release(&site->setup.layer);
	repository_close(site->repository);
}
