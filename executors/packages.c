/* Packages that were installed besides the tree, in a world: one read-only directory and the
 * variables that name it. */
#include <string.h>

#include "base/memory.h"
#include "executors/world.h"

/* The assignment with a path put first; `was` is the old assignment or NULL. */
static const char *packages_with_path(const char *name, const char *path, const char *was,
	struct arena *arena)
{
	const char *rest = was ? strchr(was, '=') + 1 : "";
	return arena_printf(arena, "%s=%s%s%s", name, path, *rest ? ":" : "", rest);
}

static const char *packages_value_of(const char *const *env, const char *name)
{
	size_t n = strlen(name);
	for (; env && *env; env++)
		if (text_starts_with(*env, name) && (*env)[n] == '=')
			return *env;
	return NULL;
}

void world_add_packages(struct world *world, const char *dir, enum executor_sight sight,
	struct arena *arena)
{
	const char *at = sight == EXECUTOR_SEES_HOST ? dir : arena_printf(arena, "%s/" WORLD_PACKAGES,
		world->home);
	const char *const paths[][2] = {{"PYTHONPATH", "python"}, {"NODE_PATH", "node/node_modules"},
		{"PATH", "python/bin"}, {"PATH", "node/node_modules/.bin"}};
	const char **env = NULL;
	size_t n = 0;
	for (const char *const *e = world->env; e && *e; e++)
		ARENA_PUSH(arena, env, n, *e);
	ARENA_PUSH(arena, env, n, NULL);
	for (size_t i = 0; i < ARRAY_SIZE(paths); i++) {
		const char *name = paths[i][0], *was = packages_value_of(env, name);
		const char *now =
			packages_with_path(name, arena_printf(arena, "%s/%s", at, paths[i][1]), was, arena);
		if (!was && strcmp(name, "PATH") == 0) /* another system has its own */
			continue;
		for (size_t j = 0; was && j < n; j++)
			env[j] = env[j] == was ? now : env[j];
		if (was)
			continue;
		env[n - 1] = now;
		ARENA_PUSH(arena, env, n, NULL);
	}
	world->env = env;
	if (sight == EXECUTOR_SEES_HOST)
		return;
	struct mount packages = {.source = arena_strdup(arena, dir),
		.target = at,
		.kind = MOUNT_READ_ONLY,
		.why = "packages of the executor"};
	world_add_mount(world, &packages, arena);
}
