#include "run/setup/setup.h"

#include <stdio.h>
#include <string.h>

#include "base/clock.h"
#include "base/file.h"
#include "base/memory.h"
#include "run/setup/setup_left.h"
#include "run/site/site.h"
#include "verify/suite/runners/command_line.h"

const char *const setup_tools[16] = {"python3", "python", "pip", "pip3", "uv", "poetry", "node",
	"npm", "pnpm", "yarn", "go", "cargo", "mvn", "bundle", "composer", "cpanm"};

const char *setup_describe(const struct option_strings *commands, struct arena *arena)
{
	AUTO_STRBUF text = STRBUF_INIT(STRBUF_LINE);
	for (size_t i = 0; i < commands->n; i++)
		strbuf_addf(&text, "%s%s", i ? "; " : "", commands->items[i]);
	return arena_strdup(arena, text.text);
}

static const struct option_strings *setup_commands(const struct run_env *env)
{
	const struct scenario *scenario = env->order->scenario;
	return scenario->setup.commands.n ? &scenario->setup.commands : &scenario->proposed_setup;
}

const char *setup_plan_text(const struct run_env *env)
{
	const struct option_strings *commands = setup_commands(env);
	const char *text = setup_describe(commands, env->arena);
	bool is_proposed = !env->order->scenario->setup.commands.n;
	if (!commands->n)
		return NULL;
	return is_proposed ? arena_printf(env->arena, "proposed by rondo.yaml: %s", text) : text;
}

const char *const *setup_show_tools(
	const struct run_env *env, const char *const *tools, struct arena *arena)
{
	const struct option_strings *commands = setup_commands(env);
	const char **all = NULL;
	size_t n = 0;
	if (!commands->n)
		return tools;
	for (; tools && *tools; tools++)
		ARENA_PUSH(arena, all, n, *tools);
	for (size_t i = 0; i < commands->n; i++) {
		size_t n_simple;
		const struct simple_command *simple =
			command_line_split(commands->items[i], arena, &n_simple);
		for (size_t k = 0; k < n_simple; k++)
			if (simple[k].n && !strchr(simple[k].words[0], '/'))
				ARENA_PUSH(arena, all, n, simple[k].words[0]);
	}
	/* `pip` is Python's, `npm` is Node's, whatever else they are linked to */
	for (size_t i = 0; i < ARRAY_SIZE(setup_tools) && n; i++)
		if (strcmp(setup_tools[i], "python3") == 0 || strcmp(setup_tools[i], "node") == 0)
			ARENA_PUSH(arena, all, n, setup_tools[i]);
	ARENA_PUSH(arena, all, n, NULL);
	return all;
}

/* --- Making a layer --- */

static int setup_tell_changed(
	const struct setup_left *left, const struct run_env *env, struct rondo_error *err)
{
	if (!left->n_changed)
		return 0;
	return env_notice(env, err, "the setup changed %zu file%s that git tracks (%s): left out",
		left->n_changed, text_plural(left->n_changed), left->changed);
}

static int setup_check_size(const struct run_env *env, const char *written, struct rondo_error *err)
{
	int64_t most = env->order->scenario->setup.size;
	uint64_t bytes = file_tree_size(written);
	if (bytes <= (uint64_t)most)
		return 0;
	error_set(err, RONDO_ERROR_CANNOT_JUDGE,
		"setup: '%s' left %.1f MB, more than setup.size (%.1f)",
		setup_describe(&env->order->scenario->setup.commands, env->arena), (double)bytes / 1e6,
		(double)most / 1e6);
	return error_help(err, "-s setup.size=%lldG", (long long)(bytes >> 30) + 1);
}

/* A checkout of the base with an executor in the setup's world. */
struct setup_place {
	struct worktree *worktree;
	struct executor *executor;
	const char *written;
};

static int setup_open_place(const struct site *site, const struct run_env *env,
	struct setup_place *place, struct rondo_error *err)
{
	const struct world *world = &site->setup.world;
	const char *dir = arena_printf(env->arena, "%s/setup", env->paths.work);
	const char *cache = arena_printf(env->arena, "%s.cache", dir);
	place->written = arena_printf(env->arena, "%s.written", dir);
	if (worktree_new(site->repository, &site->base.tree, dir, &place->worktree, err) < 0 ||
		file_make_dir(cache, 0700, err) < 0)
		return -1;
	if (world->drop &&
		(worktree_own(place->worktree, world->uid, world->gid, err) < 0 ||
			file_own_tree(cache, world->uid, world->gid, err) < 0))
		return -1;
	return executor_new(&site->setup.plan, world, dir, cache, &env->ctx, &place->executor, err);
}

static void setup_close_place(struct setup_place *place)
{
	executor_free(place->executor);
	worktree_free(place->worktree);
}

static int setup_keep(struct site *site, const struct run_env *env, const struct setup_place *place,
	const char *store, const char *key, struct rondo_error *err)
{
	const struct scenario *scenario = env->order->scenario;
	struct setup_left left = {.site = site,
		.world = &site->setup.world,
		.arena = env->arena,
		.base = worktree_dir(place->worktree),
		/* the executor removes what still has the name that it knows */
		.written = arena_printf(env->arena, "%s.kept", place->written)};
	if (rename(place->written, left.written) < 0)
		return error_errno(err, RONDO_ERROR_TRANSIENT, "cannot rename '%s'", place->written);
	setup_left_take(&left);
	if (setup_tell_changed(&left, env, err) < 0 || setup_check_size(env, left.written, err) < 0)
		return -1;
	const char *name = left.is_of_tree || setup_reads_tree(&scenario->setup.commands)
		? arena_printf(env->arena, "%s-%.16s", key, site->base.tree.hex)
		: key;
	if (setup_store_keep(store, name, left.written, left.pieces, left.n, err) < 0)
		return -1;
	setup_store_trim(store, scenario->setup.size, name);
	if (setup_store_find(store, name, env->arena, &site->setup.layer))
		return 0;
	return error_set(err, RONDO_ERROR_TRANSIENT,
		"what the setup left was removed from '%s' while it was made", store);
}

/* Where layers are refused, is_in_each is set. */
static int setup_make(struct site *site, const struct run_env *env, const char *store,
	const char *key, struct rondo_error *err)
{
	struct setup_place place = {0};
	bool is_layered = false;
	int status = setup_open_place(site, env, &place, err);
	if (status == 0)
		status = executor_layer(place.executor, NULL, place.written, &env->ctx, &is_layered, err);
	site->setup.is_in_each = !is_layered;
	if (status == 0 && is_layered)
		status = setup_run(env, place.executor, &env->order->scenario->setup.commands, err);
	if (status == 0 && is_layered)
		status = setup_keep(site, env, &place, store, key, err);
	setup_close_place(&place);
	return status;
}

/* --- Consent --- */

/* The commands of the repository become the run's. */
static int setup_accept(const struct run_env *env, struct rondo_error *err)
{
	struct scenario *scenario = env->order->scenario;
	if (scenario->setup.commands.n)
		return 0;
	scenario->setup.commands = scenario->proposed_setup;
	return run_keep_scenario(env, err);
}

static int setup_ask(const struct run_env *env, bool *ret_may, struct rondo_error *err)
{
	const struct option_strings *proposed = &env->order->scenario->proposed_setup;
	const struct context_ask *ask = &env->ctx.ask;
	const char *commands = setup_describe(proposed, env->arena), *answer = NULL;
	*ret_may = false;
	if (!ask->call)
		return env_notice(env, err,
			"rondo.yaml proposes a setup, which was not run: %s; "
			"--allow-setup runs it",
			commands);
	answer = ask->call(ask->owner,
		arena_printf(env->arena,
			"rondo.yaml proposes a setup: %s\nRun it in the sandbox, with "
			"network? [y/N] ",
			commands),
		0, env->arena, err);
	if (!answer && err->code != RONDO_ERROR_NONE)
		return -1;
	*ret_may = answer && (*answer == 'y' || *answer == 'Y');
	return *ret_may ? 0 : env_notice(env, err, "the setup of rondo.yaml was not run");
}

/* Commands that the user has not given are asked for. */
static int setup_may_run(const struct run_env *env, bool *ret_may, struct rondo_error *err)
{
	*ret_may = env->order->scenario->setup.commands.n;
	if (!*ret_may && setup_ask(env, ret_may, err) < 0)
		return -1;
	return *ret_may ? setup_accept(env, err) : 0;
}

/* --- All of it --- */

/* With network, and with what the commands need. */
static int setup_make_world(struct site *site, const struct run_env *env,
	const struct world_options *options, struct rondo_error *err)
{
	struct setup *setup = &site->setup;
	struct world_options own = *options;
	struct executor_settings *settings =
		arena_memdup(env->arena, env->order->executor.settings, sizeof *settings);
	const char *home = arena_printf(env->arena, "%s/setup.home", env->paths.work);
	settings->network = "host";
	settings->room = env->order->scenario->setup.size; /* what is left is measured afterwards */
	own.network = true;
	own.etc_dir = arena_printf(env->arena, "%s/setup.etc", env->paths.work);
	setup->plan = env->order->executor;
	setup->plan.settings = settings;
	if (file_make_dir(own.etc_dir, 0755, err) < 0 || file_make_dir(home, 0755, err) < 0 ||
		world_build(&own, env->arena, &setup->world, err) < 0)
		return -1;
	if (setup->world.drop && file_own_tree(home, setup->world.uid, setup->world.gid, err) < 0)
		return -1;
	world_open_for_setup(&setup->world, home, env->arena);
	return 0;
}

int setup_world_key(const struct site *site, const struct run_env *env, const struct world *world,
	const char **ret_key, struct rondo_error *err)
{
	const char **environments = NULL;
	size_t n = 0;
	for (size_t i = 0; i < site->dependencies.n; i++)
		ARENA_PUSH(env->arena, environments, n,
			arena_printf(env->arena, "%s/%s", site->facts.root, site->dependencies.items[i]));
	if (site->python.prefix)
		ARENA_PUSH(env->arena, environments, n, site->python.prefix);
	struct setup_parts parts = {.commands = setup_commands(env),
		.world = world,
		.work = env->paths.work,
		.dir = worktree_dir(site->main.worktree),
		.paths = site->paths.items,
		.n_paths = site->paths.n,
		.environments = environments,
		.n_environments = n};
	return setup_key(&parts, env->arena, ret_key, err);
}

static bool setup_find(
	struct site *site, const struct run_env *env, const char *store, const char *key)
{
	struct setup_layer *layer = &site->setup.layer;
	const char *of_tree = arena_printf(env->arena, "%s-%.16s", key, site->base.tree.hex);
	return setup_store_find(store, of_tree, env->arena, layer) ||
		setup_store_find(store, key, env->arena, layer);
}

/* What it left is no part of the tree. */
static void setup_show(struct site *site, const struct run_env *env)
{
	const struct setup_layer *layer = &site->setup.layer;
	struct option_strings *leave_out = &site->leave_out, *dependencies = &site->dependencies;
	const char *tree = site->world.tree_at;
	world_add_setup(&site->world, layer->pieces, layer->n, env->arena);
	for (size_t i = 0; i < layer->n; i++) {
		const char *target = layer->pieces[i].target;
		if (!file_is_below(target, tree) || !target[strlen(tree)])
			continue;
		ARENA_PUSH(env->arena, leave_out->items, leave_out->n, target + strlen(tree) + 1);
		ARENA_PUSH(env->arena, dependencies->items, dependencies->n, target + strlen(tree) + 1);
	}
}

static int setup_tell_kept(const struct site *site, const struct run_env *env, bool was_there,
	int64_t since_ms, struct rondo_error *err)
{
	const struct setup_layer *layer = &site->setup.layer;
	const char *commands = setup_describe(setup_commands(env), env->arena);
	double mb = (double)layer->bytes / 1e6;
	return was_there
		? env_notice(env, err, "the setup was run before: %s (%.1f MB kept)", commands, mb)
		: env_notice(env, err, "the setup was run: %s (%.1f s, %.1f MB kept)", commands,
			  (double)(clock_now_ms() - since_ms) / 1e3, mb);
}

static int setup_find_or_make(struct site *site, const struct run_env *env, const char *store,
	const char *key, struct rondo_error *err)
{
	int64_t since_ms = clock_now_ms();
	bool may = true, was_there = setup_find(site, env, store, key);
	if ((was_there ? setup_accept(env, err) : setup_may_run(env, &may, err)) < 0)
		return -1;
	if (!was_there && may && setup_make(site, env, store, key, err) < 0)
		return -1;
	if (!may || site->setup.is_in_each)
		return 0;
	setup_show(site, env);
	return setup_tell_kept(site, env, was_there, since_ms, err);
}

int setup_provide(struct site *site, const struct run_env *env, const struct world_options *options,
	struct rondo_error *err)
{
	struct setup *setup = &site->setup;
	bool may;
	const char *key, *cache = setup_commands(env)->n ? run_cache_dir(env->arena, err) : "";
	if (!cache || !*cache)
		return cache ? 0 : -1;
	setup->is_in_each = !env->order->executor.type->has_layers || !site->world.has_overlays;
	if (env->order->executor.type->has_layers && setup_make_world(site, env, options, err) < 0)
		return -1;
	if (setup->is_in_each)
		return setup_may_run(env, &may, err);
	if (setup_world_key(site, env, &site->setup.world, &key, err) < 0)
		return -1;
	return setup_find_or_make(site, env, setup_store(cache, env->arena), key, err);
}
