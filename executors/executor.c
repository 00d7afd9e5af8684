#include "executors/executor.h"

#include <string.h>

#include "base/file.h"
#include "base/log.h"
#include "base/memory.h"

#define ROW(name) &name##_executor,
const struct executor_type *const executor_types[] = {EXECUTOR_TYPES(ROW)};
const size_t executor_types_n = ARRAY_SIZE(executor_types);

const struct executor_type *executor_type_find(const char *name, struct rondo_error *err)
{
	const char *names[ARRAY_SIZE(executor_types)];
	for (size_t i = 0; i < executor_types_n; i++) {
		names[i] = executor_types[i]->name;
		if (strcmp(names[i], name) == 0)
			return executor_types[i];
	}
	const char *near = text_nearest(name, names, executor_types_n);
	error_set(err, RONDO_ERROR_USAGE, "unknown executor '%s'%s%s%s", name,
		near ? ", did you mean '" : "", near ? near : "", near ? "'?" : "");
	error_help(err, "rondo doctor shows the executors");
	return NULL;
}

/* Where a mount's target lies in the executor's own tree. */
static const char *place_in_tree(const struct executor *executor, const char *target, struct arena *arena)
{
	return arena_printf(arena, "%s%s", executor->tree, target + strlen(executor->world->tree_at));
}

static int copy_mounts(struct executor *executor, struct rondo_error *err)
{
	const struct world *world = executor->world;
	for (size_t i = 0; i < world->n; i++) {
		if (world->mounts[i].kind != MOUNT_COPIED)
			continue;
		const char *place = place_in_tree(executor, world->mounts[i].target, &executor->arena);
		if (file_exists(place))
			continue;
		if (file_copy_tree(world->mounts[i].source, place, err) < 0)
			return -1;
		if (world->drop && file_own_tree(place, world->uid, world->gid, err) < 0)
			return -1;
	}
	return 0;
}

int executor_new(const struct executor_type *type, const struct world *world, const char *tree,
	const char *cache_dir, const struct context *ctx, struct executor **ret_executor,
	struct rondo_error *err)
{
	struct executor *executor = memory_alloc(sizeof *executor);
	*executor = (struct executor){.type = type, .world = world};
	executor->tree = arena_strdup(&executor->arena, tree);
	executor->cache_dir = arena_strdup(&executor->arena, cache_dir);
	executor->state = arena_alloc(&executor->arena, type->state_size);
	if (type->options)
		option_defaults(type->options, executor->state, &executor->arena);
	if (copy_mounts(executor, err) < 0 || (type->start && type->start(executor, ctx, err) < 0)) {
		error_prefix(err, "executor %s", type->name);
		arena_release(&executor->arena);
		free(executor);
		return -1;
	}
	*ret_executor = executor;
	return 0;
}

void executor_free(struct executor *executor)
{
	if (!executor)
		return;
	if (executor->type->stop)
		executor->type->stop(executor);
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
