#include "executors/executor.h"

#include <string.h>

#include "base/file.h"
#include "base/hash.h"
#include "base/log.h"
#include "base/memory.h"
#include "executors/layer.h"

REGISTRY_DEFINE(struct executor_type, executor_types, EXECUTOR_TYPES(&EXECUTOR_SYMBOL));
OPTION_TYPES(executor_types)

#define AT(member) offsetof(struct executor_settings, member)
#define NOBODY 65534
#define NOTHING_MS 60000

static const char *const networks[] = {"none", "host", NULL};

static const struct option common_options[] = {
	{.name = "network",
		.kind = OPTION_ENUM,
		.offset = AT(network),
		.values = networks,
		.fallback = "none",
		.help = "what programs reach: nothing but themselves, or what this machine does"},
	{.name = "timeout",
		.kind = OPTION_DURATION,
		.offset = AT(timeout_ms),
		.least = 1,
		.help = "a code block; else limits.block"},
	BLOCK_RULE_OPTIONS(AT(rules)),
	{.name = "work_dir",
		.kind = OPTION_STRING,
		.offset = AT(work_dir),
		.argument = "DIR",
		.help =
			"where blocks run and their files lie, below the workspace; ./DIR in a chat without a "
			"workspace: beside the scenario, its files come in and results go there; made where "
			"it is missing"},
	{.name = "keep_code",
		.kind = OPTION_BOOL,
		.offset = AT(keep_code),
		.help = "keep the file of a block that names none, too, as tmp_code_<hash>"},
	{.name = "policies",
		.kind = OPTION_TEXTS,
		.offset = AT(policies),
		.help = "of a language: run, save (where a block names a file), or ignore"},
	{.name = "languages",
		.kind = OPTION_TEXTS,
		.offset = AT(languages),
		.help = "more languages, each with the command that runs a file in it"},
	{.name = "env",
		.kind = OPTION_TEXTS,
		.offset = AT(env),
		.help = "more of the environment; no keys"},
	{.name = "read_only",
		.kind = OPTION_STRINGS,
		.offset = AT(read_only),
		.help = "directories and files of this machine that programs may read, at their own paths"},
	{.name = "pip",
		.kind = OPTION_STRINGS,
		.offset = AT(pip),
		.help = "packages that pip installs before anything runs, and options of pip; kept for the "
				"next run"},
	{.name = "npm", .kind = OPTION_STRINGS, .offset = AT(npm), .help = "the same by npm"},
	{.name = "install_timeout",
		.kind = OPTION_DURATION,
		.offset = AT(install_ms),
		.fallback = "10m",
		.least = 1000,
		.help = "what pip and npm may take for these"},
	{.name = "uid",
		.kind = OPTION_INT,
		.offset = AT(uid),
		.least = 1,
		.most = 4294967294,
		.fallback = "65534",
		.help = "whom programs run as when root works on root's files"},
	OPTION_END,
};

const struct executor_settings executor_defaults = {.network = "none", .uid = NOBODY,
	.install_ms = (int64_t)600 * 1000};

/* In AutoGen and AG2. */
static const struct option_peer peers[] = {{"commandline-local", "local"},
	{"LocalCommandLineCodeExecutor", "local"}, {"commandline-docker", "docker"},
	{"DockerCommandLineCodeExecutor", "docker"}, {"ipython-embedded", "jupyter"},
	{"JupyterCodeExecutor", "jupyter"}, {"DockerJupyterCodeExecutor", "jupyter"},
	{"DockerJupyterExecutor", "jupyter"}, {"bubblewrap", "sandbox"}, {"podman", "docker"},
	{"DaytonaCodeExecutor", "daytona"}, {NULL, NULL}};

const struct option_family executor_family = {.noun = "executor",
	.peers = peers,
	.type_key = "type",
	.fallback = "sandbox",
	.type = executor_types_at,
	.common = common_options,
	.common_size = sizeof(struct executor_settings)};

bool executor_has_network(const struct executor *executor)
{
	return executor->type == &local_executor || strcmp(executor->settings->network, "host") == 0;
}

int executor_collect(size_t *ret_n, struct rondo_error *err)
{
	int status = 0;
	*ret_n = 0;
	for (size_t i = 0; i < executor_types_n; i++) {
		size_t n = 0;
		struct rondo_error fault;
		if (executor_types[i]->collect && executor_types[i]->collect(&n, &fault) < 0) {
			*err = fault;
			status = error_prefix(err, "executor %s", executor_types[i]->name);
		}
		*ret_n += n;
	}
	return status;
}

/* A mount's target, translated to the executor's own tree. */
static const char *executor_place_in_tree(const struct executor *executor, const char *target,
	struct arena *arena)
{
	return arena_printf(arena, "%s%s", executor->tree, target + strlen(executor->world->tree_at));
}

/* What the checkout has in its place (an LFS pointer, an empty submodule) is removed first. */
static int executor_copy_mount(struct executor *executor, const struct mount *mount,
	struct rondo_error *err)
{
	const struct world *world = executor->world;
	const char *place = executor_place_in_tree(executor, mount->target, &executor->arena);
	if (file_remove_tree(place, err) < 0 || file_copy_tree(mount->source, place, err) < 0)
		return -1;
	return world->drop ? file_own_tree(place, world->uid, world->gid, err) : 0;
}

static int executor_copy_mounts(struct executor *executor, bool only_files, struct rondo_error *err)
{
	for (size_t i = 0; i < executor->world->n; i++) {
		const struct mount *mount = &executor->world->mounts[i];
		if (mount->kind != MOUNT_COPIED || (only_files && file_is_dir(mount->source)))
			continue;
		if (executor_copy_mount(executor, mount, err) < 0)
			return -1;
	}
	return 0;
}

int executor_check(
	const struct executor_plan *plan, const char **ret_option, struct rondo_error *err)
{
	return plan->type->check ? plan->type->check(plan, ret_option, err) : 0;
}

enum executor_sight executor_sight(const struct executor_plan *plan)
{
	const struct executor_type *type = plan->type;
	return type->inner ? type->inner(plan->options)->sees : type->sees;
}

enum executor_sight executor_sees(const struct executor *executor)
{
	return executor_sight(&(struct executor_plan){.type = executor->type,
		.options = executor->state});
}

const char *executor_tree_at(const struct executor *executor)
{
	return executor_sees(executor) == EXECUTOR_SEES_HOST ? executor->tree
		: executor->world->tree_at;
}

const char *executor_cache_at(const struct executor *executor, const char *name,
	struct arena *arena)
{
	if (executor_sees(executor) == EXECUTOR_SEES_HOST)
		return arena_printf(arena, "%s/%s", executor->cache_dir, name);
	return arena_printf(arena, "%s/.cache/%s", executor->world->home, name);
}

const char *executor_cache_name(const char *prefix, struct arena *arena)
{
	char random[33];
	hash_random(random, sizeof random - 1);
	return arena_printf(arena, "%s-%s", prefix, random);
}

int executor_restore(struct executor *executor, struct rondo_error *err)
{
	return executor_copy_mounts(executor, true, err);
}

int executor_new(const struct executor_plan *plan, const struct world *world, const char *tree,
	const char *cache_dir, const struct context *ctx, struct executor **ret_executor,
	struct rondo_error *err)
{
	const struct executor_type *type = plan->type;
	struct executor *executor = memory_alloc(sizeof *executor);
	*executor = (struct executor){
		.type = type, .settings = plan->settings, .world = world, .secrets = plan->secrets};
	executor->tree = arena_strdup(&executor->arena, tree);
	executor->cache_dir = arena_strdup(&executor->arena, cache_dir);
	executor->state = arena_alloc(&executor->arena, type->state_size);
	if (plan->options)
		memcpy(executor->state, plan->options, type->state_size);
	else if (type->options)
		option_defaults(type->options, executor->state, &executor->arena);
	const struct executor_plan whole = {
		.type = type, .settings = plan->settings, .options = executor->state};
	const char *ignored;
	bool copies = !type->inner; /* otherwise the inner executor does it */
	if (executor_check(&whole, &ignored, err) < 0 ||
		(copies && executor_copy_mounts(executor, false, err) < 0) ||
		(type->start && type->start(executor, ctx, err) < 0)) {
		error_prefix(err, "executor %s", type->name);
		arena_release(&executor->arena);
		free(executor);
		return -1;
	}
	*ret_executor = executor;
	return 0;
}

int executor_run_nothing(struct executor *executor, const struct context *ctx,
	struct rondo_error *err)
{
	struct process_result result;
	struct command command = {.line = "true", .timeout_ms = NOTHING_MS};
	if (executor->type->run(executor, &command, &result, ctx, err) < 0)
		return -1;
	return result.end == PROCESS_CANCELLED ? cancel_error(ctx->cancel, err) : 0;
}

int executor_try(struct executor *executor, const struct context *ctx, struct rondo_error *err)
{
	if (executor->type->attempt && executor->type->attempt(executor, ctx, err) < 0)
		return error_prefix(err, "executor %s", executor->type->name);
	return 0;
}

void executor_free(struct executor *executor)
{
	if (!executor)
		return;
	if (executor->type->stop)
		executor->type->stop(executor);
	layer_remove(executor);
	arena_release(&executor->arena);
	free(executor);
}

int executor_run(struct executor *executor, const struct command *command,
	struct process_result *result, const struct context *ctx, struct rondo_error *err)
{
	if (executor->type->run(executor, command, result, ctx, err) < 0)
		return error_prefix(err, "executor %s", executor->type->name);
	char text[64];
	log_line(LOG_DEBUG, executor->type->name, "%s in %d ms: %s",
		process_describe(result, text, sizeof text), (int)result->duration_ms, command->line);
	return 0;
}

int executor_open(struct executor *executor, const struct command *command,
	struct coprocess **ret_coprocess, const struct context *ctx, struct rondo_error *err)
{
	*ret_coprocess = NULL;
	if (executor->type->open && executor->type->open(executor, command, ret_coprocess, ctx,
		err) < 0)
		return error_prefix(err, "executor %s", executor->type->name);
	return 0;
}
