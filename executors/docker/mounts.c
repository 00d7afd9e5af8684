/*
 * What a container is shown: tree, cache, the helper and what the world gives to read. Mounted,
 * where the engine sees this machine's files; else each is a volume of the container's own, which
 * is filled before it starts and goes with it.
 */
#include <string.h>
#include <unistd.h>

#include "base/file.h"
#include "base/memory.h"
#include "executors/docker/docker.h"

#define NOBODY 65534

/* The owner of the tree; where the engine is somebody's own, its root is that one. */
struct docker_user docker_user_of(const struct executor *executor)
{
	const struct docker *docker = executor->state;
	const struct world *world = executor->world;
	if (docker->api.is_rootless)
		return (struct docker_user){0};
	return world->drop ? (struct docker_user){world->uid, world->gid}
		: (struct docker_user){getuid(), getgid()};
}

const char *docker_cache_at(const struct executor *executor, struct arena *arena)
{
	return arena_printf(arena, "%s/.cache", executor->world->home);
}

struct docker_user docker_other_user(const struct executor *executor)
{
	unsigned id = docker_user_of(executor).uid ? 0 : NOBODY;
	return (struct docker_user){id, id};
}

/* What lies within the tree was copied into it; what is this machine's system is none of the
 * container's. */
bool docker_mounts_has(const struct world *world, const struct mount *mount)
{
	bool ours = !file_is_below(mount->target, world->tree_at) && strcmp(mount->why, "system") != 0;
	return ours && mount->kind == MOUNT_READ_ONLY;
}

/* Images close it to others than root. */
static bool opens_root(const struct world *world)
{
	return file_is_below(world->tree_at, "/root");
}

static void add_bind(struct json *mounts, const char *source, const char *target, bool read_only)
{
	struct json *mount = json_add_object(mounts, NULL);
	json_add_string(mount, "Type", "bind");
	json_add_string(mount, "Source", source);
	json_add_string(mount, "Target", target);
	json_add_bool(mount, "ReadOnly", read_only);
}

static void add_binds(struct json *mounts, const struct executor *executor, struct arena *arena)
{
	const struct docker *docker = executor->state;
	const struct world *world = executor->world;
	add_bind(mounts, docker->inside, DOCKER_INSIDE_DIR, true);
	for (size_t i = 0; i < world->n; i++)
		if (docker_mounts_has(world, &world->mounts[i]))
			add_bind(mounts, world->mounts[i].source, world->mounts[i].target, true);
	if (opens_root(world))
		add_bind(mounts, arena_printf(arena, "%s/" DOCKER_OPEN, docker->inside), "/root", false);
	add_bind(mounts, executor->tree, world->tree_at, false);
	add_bind(mounts, executor->cache_dir, docker_cache_at(executor, arena), false);
}

/* Without a name: so it is removed with its container, whoever does that. */
static void add_volume(struct json *mounts, const struct docker *docker, const char *target)
{
	struct json *mount = json_add_object(mounts, NULL);
	json_add_string(mount, "Type", "volume");
	json_add_string(mount, "Target", target);
	struct json *options = json_add_object(mount, "VolumeOptions");
	json_add_bool(options, "NoCopy", true);
	docker_owner_label(options, docker);
}

static void add_volumes(struct json *mounts, const struct executor *executor, struct arena *arena)
{
	const struct docker *docker = executor->state;
	const struct world *world = executor->world;
	add_volume(mounts, docker, DOCKER_INSIDE_DIR);
	for (size_t i = 0; i < world->n; i++)
		if (docker_mounts_has(world, &world->mounts[i]))
			add_volume(mounts, docker, world->mounts[i].target);
	if (opens_root(world))
		add_volume(mounts, docker, "/root");
	add_volume(mounts, docker, world->tree_at);
	add_volume(mounts, docker, docker_cache_at(executor, arena));
}

/* Where an image has such a directory, its mode stays: so that it is the user's. Podman takes no
 * owner. */
static void add_memory(struct json *host, const struct executor *executor, struct arena *arena)
{
	const struct docker *docker = executor->state;
	struct docker_user user = docker_user_of(executor);
	const char *options = arena_printf(arena, "rw,exec,nosuid,nodev,mode=1777,size=%lld",
		(long long)docker->tmp);
	if (!docker->api.is_podman)
		options = arena_printf(arena, "%s,uid=%u,gid=%u", options, user.uid, user.gid);
	struct json *tmpfs = json_add_object(host, "Tmpfs");
	json_add_string(tmpfs, "/tmp", options);
	json_add_string(tmpfs, executor->world->home, options);
}

void docker_mounts_add(struct json *host, const struct executor *executor, struct arena *arena)
{
	const struct docker *docker = executor->state;
	struct json *mounts = json_add_array(host, "Mounts");
	add_memory(host, executor, arena);
	if (docker->by_archive)
		add_volumes(mounts, executor, arena);
	else
		add_binds(mounts, executor, arena);
}
