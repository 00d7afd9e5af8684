/* Packages that were installed besides the tree, in a world: one read-only directory and the
 * variables that name it. */
#include <string.h>

#include "base/memory.h"
#include "executors/world.h"

/* Directories below the packages' own that come first in a variable. */
static const struct {
	const char *name, *dirs[2];
} package_paths[] = {{"PYTHONPATH", {"python"}}, {"NODE_PATH", {"node/node_modules"}},
	{"PATH", {"node/node_modules/.bin", "python/bin"}}};

/* `was`: its value so far; NULL: it had none. */
static const char *packages_assignment(const char *name, const char *const dirs[2], const char *at,
	const char *was, struct arena *arena)
{
	AUTO_STRBUF text = STRBUF_INIT(STRBUF_TEXT);
	strbuf_addf(&text, "%s=%s/%s", name, at, dirs[0]);
	if (dirs[1])
		strbuf_addf(&text, ":%s/%s", at, dirs[1]);
	if (was && *was)
		strbuf_addf(&text, ":%s", was);
	return arena_strdup(arena, text.text);
}

void world_add_packages(struct world *world, const char *dir, enum executor_sight sight,
	struct arena *arena)
{
	const char *at =
		sight == EXECUTOR_SEES_HOST ? dir : arena_printf(arena, "%s/" WORLD_PACKAGES, world->home);
	const char **env = NULL;
	size_t n = 0;
	for (const char *const *e = world->env; e && *e; e++)
		ARENA_PUSH(arena, env, n, *e);
	for (size_t i = 0; i < ARRAY_SIZE(package_paths); i++) {
		const char *name = package_paths[i].name, *was = environment_value(world->env, name);
		if (!was && strcmp(name, "PATH") == 0) /* another system has its own */
			continue;
		environment_put(
			&env, &n, packages_assignment(name, package_paths[i].dirs, at, was, arena), arena);
	}
	ARENA_PUSH(arena, env, n, NULL);
	world->env = env;
	if (sight == EXECUTOR_SEES_HOST)
		return;
	struct mount packages = {.source = arena_strdup(arena, dir),
		.target = at,
		.kind = MOUNT_READ_ONLY,
		.why = "packages of the executor"};
	world_add_mount(world, &packages, arena);
}
