/*
 * Programs on this machine with the user's rights, without isolation. Only on explicit request.
 */
#include <stdlib.h>
#include <string.h>

#include "executors/executor.h"
#include "executors/world.h"

static int local_probe(struct strbuf *found, struct rondo_error *err)
{
	(void)err;
	strbuf_adds(found, "always there, no isolation; only by --executor local");
	return 0;
}

/* The user's, unless the scenario says otherwise. */
static const char *local_home(const struct executor *executor)
{
	const struct option_texts *env = &executor->settings->env;
	const char *home = getenv("HOME");
	for (size_t i = 0; i < env->n; i++)
		if (strcmp(env->names[i], "HOME") == 0)
			home = env->items[i];
	return home ? home : "/";
}

/* The world's environment, HOME and the cache, then the command's. */
static const char **local_environment(
	const struct executor *executor, const struct command *command, struct arena *arena)
{
	const char **env = NULL;
	size_t n = 0;
	for (const char *const *e = executor->world->env; *e; e++)
		environment_put(&env, &n, *e, arena);
	environment_put(&env, &n, arena_printf(arena, "XDG_CACHE_HOME=%s", executor->cache_dir), arena);
	environment_put(&env, &n, arena_printf(arena, "HOME=%s", local_home(executor)), arena);
	for (const char *const *e = command->env; e && *e; e++)
		environment_put(&env, &n, *e, arena);
	ARENA_PUSH(arena, env, n, NULL);
	return env;
}

static int local_run(struct executor *executor, const struct command *command,
	struct process_result *result, const struct context *ctx, struct rondo_error *err)
{
	AUTO_ARENA arena = ARENA_INIT;
	const char *const by_shell[] = {"/bin/sh", "-c", command->line, NULL};
	struct process_options options = command_options(command, ctx->cancel);
	options.argv = command->words ? command->words : by_shell;
	options.env = local_environment(executor, command, &arena);
	options.cwd = executor->tree;
	if (process_run(&options, result, err) == 0)
		return 0;
	options.argv = by_shell; /* a shell runs scripts without #!, or says what is wrong */
	return command->words ? process_run(&options, result, err) : -1;
}

static int local_open(struct executor *executor, const struct command *command,
	struct coprocess **ret_coprocess, const struct context *ctx, struct rondo_error *err)
{
	AUTO_ARENA arena = ARENA_INIT;
	const char *const argv[] = {"/bin/sh", "-c", command->line, NULL};
	struct process_options options = {.argv = argv, .env = local_environment(executor, command,
		&arena), .cwd = executor->tree, .cancel = ctx->cancel};
	return coprocess_start(&options, ret_coprocess, err);
}

const struct executor_type local_executor = {
	.name = "local",
	.summary = "this machine as it is, no isolation",
	.sees = EXECUTOR_SEES_HOST,
	.probe = local_probe,
	.run = local_run,
	.open = local_open,
};
