/*
 * What a container is shown: tree, cache, helper and read-only directories of the world. They are
 * mounted if the engine sees this machine's files; otherwise each is a volume that is filled and
 * goes with the container.
 */
#include <string.h>
#include <unistd.h>

#include "base/file.h"
#include "base/memory.h"
#include "executors/docker/docker.h"

#define NOBODY 65534

/* The owner of the tree. In a rootless engine root is the user who started it. */
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

/* Mounts within the tree were copied into it, and the container has a system of its own. */
bool docker_mounts_has(const struct world *world, const struct mount *mount)
{
	bool ours = !file_is_below(mount->target, world->tree_at) && strcmp(mount->why, "system") != 0;
	return ours && mount->kind == MOUNT_READ_ONLY;
}

/* In images only root may enter /root. */
static bool mounts_opens_root(const struct world *world)
{
	return file_is_below(world->tree_at, "/root");
}

static void mounts_add_bind(struct json *mounts, const char *source, const char *target,
	bool read_only)
{
	struct json *mount = json_add_object(mounts, NULL);
	json_add_string(mount, "Type", "bind");
	json_add_string(mount, "Source", source);
	json_add_string(mount, "Target", target);
	json_add_bool(mount, "ReadOnly", read_only);
}

static void mounts_add_binds(struct json *mounts, const struct executor *executor,
	struct arena *arena)
{
	const struct docker *docker = executor->state;
	const struct world *world = executor->world;
	mounts_add_bind(mounts, docker->inside, DOCKER_INSIDE_DIR, true);
	for (size_t i = 0; i < world->n; i++)
		if (docker_mounts_has(world, &world->mounts[i]))
			mounts_add_bind(mounts, world->mounts[i].source, world->mounts[i].target, true);
	if (mounts_opens_root(world))
		mounts_add_bind(mounts, arena_printf(arena, "%s/" DOCKER_OPEN, docker->inside), "/root",
			false);
	mounts_add_bind(mounts, executor->tree, world->tree_at, false);
	mounts_add_bind(mounts, executor->cache_dir, docker_cache_at(executor, arena), false);
}

/* Without a name, so that it is removed with its container. */
static void mounts_add_volume(struct json *mounts, const struct docker *docker, const char *target)
{
	struct json *mount = json_add_object(mounts, NULL);
	json_add_string(mount, "Type", "volume");
	json_add_string(mount, "Target", target);
	struct json *options = json_add_object(mount, "VolumeOptions");
	json_add_bool(options, "NoCopy", true);
	docker_owner_label(options, docker);
}

static void mounts_add_volumes(struct json *mounts, const struct executor *executor,
	struct arena *arena)
{
	const struct docker *docker = executor->state;
	const struct world *world = executor->world;
	mounts_add_volume(mounts, docker, DOCKER_INSIDE_DIR);
	for (size_t i = 0; i < world->n; i++)
		if (docker_mounts_has(world, &world->mounts[i]))
			mounts_add_volume(mounts, docker, world->mounts[i].target);
	if (mounts_opens_root(world))
		mounts_add_volume(mounts, docker, "/root");
	mounts_add_volume(mounts, docker, world->tree_at);
	mounts_add_volume(mounts, docker, docker_cache_at(executor, arena));
}

/* The mode of a directory in the image is kept, so it needs an owner. Podman does not take one. */
static void mounts_add_memory(struct json *host, const struct executor *executor,
	struct arena *arena)
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
	mounts_add_memory(host, executor, arena);
	if (docker->by_archive)
		mounts_add_volumes(mounts, executor, arena);
	else
		mounts_add_binds(mounts, executor, arena);
}
