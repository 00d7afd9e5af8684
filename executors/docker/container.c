/*
 * One container for an executor: a system of its own that can be written to nowhere but in the tree, the cache, /tmp and the
 * home; without rights, network and more processes or memory than it is given. Its first process is the helper, which ends when
 * the connection to its input does: so a container goes with rondo, also where rondo is killed.
 */
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#include "base/file.h"
#include "base/memory.h"
#include "base/utf8.h"
#include "executors/docker/docker.h"
#include "executors/owner.h"

#define MOST_NAMES 64
#define MOST_FILES 65536
#define MOST_PROCESSES 32768 /* of a user; how many there may be in a container is another limit */

static bool keeps(const struct docker *docker)
{
	return !docker->auto_remove || !docker->stop_container;
}

struct user {
	unsigned uid, gid;
};

/* Who programs are in there: the owner of the tree; where the engine is somebody's own, its root is that one. */
static struct user user_of(const struct executor *executor)
{
	const struct docker *docker = executor->state;
	const struct world *world = executor->world;
	if (docker->api.is_rootless)
		return (struct user){0};
	return world->drop ? (struct user){world->uid, world->gid} : (struct user){getuid(), getgid()};
}

static void add_bind(struct json *mounts, const char *source, const char *target, bool read_only)
{
	struct json *mount = json_add_object(mounts, NULL);
	json_add_string(mount, "Type", "bind");
	json_add_string(mount, "Source", source);
	json_add_string(mount, "Target", target);
	json_add_bool(mount, "ReadOnly", read_only);
}

/* What lies within the tree was copied into it; what is this machine's system is none of the container's. */
static void add_mounts(struct json *host, const struct executor *executor, struct arena *arena)
{
	const struct docker *docker = executor->state;
	const struct world *world = executor->world;
	struct json *mounts = json_add_array(host, "Mounts");
	add_bind(mounts, docker->inside, DOCKER_INSIDE_DIR, true);
	for (size_t i = 0; i < world->n; i++) {
		const struct mount *mount = &world->mounts[i];
		bool ours = !file_is_below(mount->target, world->tree_at) && strcmp(mount->why, "system") != 0;
		if (ours && mount->kind == MOUNT_READ_ONLY)
			add_bind(mounts, mount->source, mount->target, true);
	}
	if (file_is_below(world->tree_at, "/root")) /* which images close to others than root */
		add_bind(mounts, arena_printf(arena, "%s/" DOCKER_OPEN, docker->inside), "/root", false);
	add_bind(mounts, executor->tree, world->tree_at, false);
	add_bind(mounts, executor->cache_dir, arena_printf(arena, "%s/.cache", world->home), false);
}

/* Where an image has such a directory, its mode stays: so that it is the user's. Podman takes no owner. */
static void add_memory(struct json *host, const struct executor *executor, struct arena *arena)
{
	const struct docker *docker = executor->state;
	struct user user = user_of(executor);
	const char *options = arena_printf(arena, "rw,exec,nosuid,nodev,mode=1777,size=%lld", (long long)docker->tmp);
	if (!docker->api.is_podman)
		options = arena_printf(arena, "%s,uid=%u,gid=%u", options, user.uid, user.gid);
	struct json *tmpfs = json_add_object(host, "Tmpfs");
	json_add_string(tmpfs, "/tmp", options);
	json_add_string(tmpfs, executor->world->home, options);
}

static void add_ulimit(struct json *limits, const char *name, int64_t most)
{
	struct json *limit = json_add_object(limits, NULL);
	json_add_string(limit, "Name", name);
	json_add_int(limit, "Soft", most);
	json_add_int(limit, "Hard", most);
}

static int64_t own_limit(int resource, rlim_t most)
{
	struct rlimit limit;
	return getrlimit(resource, &limit) == 0 && limit.rlim_max < most ? (int64_t)limit.rlim_max : (int64_t)most;
}

/* Podman would raise what it does not find, which only root of the machine may: so it finds what is ours. */
static void add_limits(struct json *host, const struct docker *docker)
{
	struct json *limits = json_add_array(host, "Ulimits");
	add_ulimit(limits, "core", 0);
	add_ulimit(limits, "nofile", own_limit(RLIMIT_NOFILE, MOST_FILES));
	if (docker->api.is_podman)
		add_ulimit(limits, "nproc", own_limit(RLIMIT_NPROC, MOST_PROCESSES));
	json_add_int(host, "PidsLimit", docker->pids);
	if (docker->memory) {
		json_add_int(host, "Memory", docker->memory);
		json_add_int(host, "MemorySwap", docker->memory); /* none */
	}
	if (docker->cpus > 0)
		json_add_int(host, "NanoCpus", (int64_t)(docker->cpus * 1e9));
}

static void add_host(struct json *json, const struct executor *executor, struct arena *arena)
{
	static const char *const all[] = {"ALL"}, *const secured[] = {"no-new-privileges"};
	const struct docker *docker = executor->state;
	struct json *host = json_add_object(json, "HostConfig");
	json_add_string(host, "NetworkMode", executor->settings->network);
	json_add_bool(host, "AutoRemove", docker->auto_remove);
	json_add_bool(host, "ReadonlyRootfs", true);
	json_add_strings(host, "CapDrop", all, 1);
	json_add_strings(host, "SecurityOpt", secured, 1);
	json_add_string(host, "IpcMode", "private");
	json_add_string(host, "CgroupnsMode", "private");
	if (docker->api.maps_users)
		json_add_string(host, "UsernsMode", "host"); /* else the tree's owner would be nobody in there */
	json_add_string(json_add_object(host, "LogConfig"), "Type", "none");
	add_limits(host, docker);
	add_memory(host, executor, arena);
	add_mounts(host, executor, arena);
}

static struct json *describe(const struct executor *executor, struct arena *arena)
{
	char owner[OWNER_SIZE];
	static const char *const entry[] = {DOCKER_INSIDE}, *const no_check[] = {"NONE"};
	const struct docker *docker = executor->state;
	const struct world *world = executor->world;
	struct user user = user_of(executor);
	const char *const word[] = {docker->stop_container ? INSIDE_HOLD : INSIDE_STAY};
	struct json *json = json_object();
	json_add_string(json, "Image", docker->image);
	json_add_strings(json, "Entrypoint", entry, 1);
	json_add_strings(json, "Cmd", word, 1);
	json_add_string(json, "User", arena_printf(arena, "%u:%u", user.uid, user.gid));
	json_add_string(json, "WorkingDir", world->tree_at);
	json_add_string(json, "Hostname", strcmp(executor->settings->network, "host") == 0 ? NULL : world->host_name);
	json_add_int(json, "StopTimeout", 1);
	json_add_bool(json, "OpenStdin", docker->stop_container);
	json_add_bool(json, "StdinOnce", docker->stop_container);
	json_add_strings(json_add_object(json, "Healthcheck"), "Test", no_check, 1);
	struct json *env = json_add_array(json, "Env");
	for (const char *const *e = world->env; e && *e; e++)
		json_add_string(env, NULL, *e);
	/* What the user wants to keep is nobody's, and so never collected. */
	owner_self(owner);
	json_add_string(json_add_object(json, "Labels"), DOCKER_LABEL, keeps(docker) ? "kept" : owner);
	add_host(json, executor, arena);
	return json;
}

static int do_remove(struct docker *docker, const char *id, struct rondo_error *err)
{
	AUTO_ARENA arena = ARENA_INIT;
	AUTO_DOCKER_ANSWER answer = {0};
	struct docker_request request = {.method = "DELETE",
		.path = arena_printf(&arena, "/containers/%s?force=true&v=true", docker_encode(id, &arena)), .total_ms = DOCKER_END_MS};
	if (docker_send(&docker->api, &request, &answer, NULL, err) < 0)
		return -1;
	bool gone = answer.status < 300 || answer.status == 404 || answer.status == 409; /* 409: it is just being removed */
	return gone ? 0 : docker_refused(&docker->api, &answer, "cannot remove the container", err);
}

/* Whether a name can be had: one that a dead rondo used, or whose container was kept, is freed. */
static int free_name(struct docker *docker, const char *name, bool *ret_free, const struct context *ctx, struct rondo_error *err)
{
	AUTO_ARENA arena = ARENA_INIT;
	AUTO_DOCKER_ANSWER answer = {0};
	struct docker_request request = {.method = "GET", .path = arena_printf(&arena, "/containers/%s/json", docker_encode(name, &arena))};
	if (docker_send(&docker->api, &request, &answer, ctx->cancel, err) < 0)
		return -1;
	const char *label = json_string(json_get(json_get(answer.json, "Config"), "Labels"), DOCKER_LABEL, NULL);
	if (answer.status == 200 && !label) {
		error_set(err, RONDO_ERROR_CANNOT_JUDGE, "a container called %s is there already, and is not rondo's", name);
		return error_help(err, "docker rm -f %s, or choose another executor.container_name", name);
	}
	*ret_free = answer.status == 404 || (label && (strcmp(label, "kept") == 0 || owner_is_gone(label, true)));
	return answer.status == 200 && *ret_free ? do_remove(docker, name, err) : 0;
}

/* Several executors that are told the same name have it with numbers behind. */
static const char *choose_name(struct docker *docker, struct arena *arena, const struct context *ctx, struct rondo_error *err)
{
	const char *name = docker->container_name;
	bool is_free = false;
	for (int i = 2; i < MOST_NAMES; i++) {
		if (free_name(docker, name, &is_free, ctx, err) < 0)
			return NULL;
		if (is_free)
			return name;
		name = arena_printf(arena, "%s-%d", docker->container_name, i);
	}
	error_set(err, RONDO_ERROR_CANNOT_JUDGE, "%d containers are called %s", MOST_NAMES, docker->container_name);
	return NULL;
}

static int create(struct executor *executor, const struct context *ctx, struct rondo_error *err)
{
	AUTO_ARENA arena = ARENA_INIT;
	AUTO_DOCKER_ANSWER answer = {0};
	struct docker *docker = executor->state;
	const char *name = docker->container_name ? choose_name(docker, &arena, ctx, err) : "";
	AUTO_JSON *body = describe(executor, &arena);
	struct docker_request request = {.method = "POST", .body = body};
	if (!name)
		return -1;
	request.path = arena_printf(&arena, "/containers/create%s%s", *name ? "?name=" : "", docker_encode(name, &arena));
	if (docker_do(&docker->api, &request, &answer, "cannot make a container", ctx->cancel, err) < 0)
		return -1;
	utf8_format(docker->container, sizeof docker->container, "%s", json_string(answer.json, "Id", ""));
	return 0;
}

/* The input comes first, so that there is no moment at which nobody holds it. */
static int start(struct docker *docker, const struct context *ctx, struct rondo_error *err)
{
	AUTO_ARENA arena = ARENA_INIT;
	AUTO_DOCKER_ANSWER answer = {0};
	if (docker->stop_container)
		docker->held = docker_hijack(&docker->api, arena_printf(&arena, "/containers/%s/attach?stream=1&stdin=1", docker->container),
			"", ctx->cancel, err);
	if (docker->stop_container && docker->held < 0)
		return -1;
	struct docker_request request = {.method = "POST", .path = arena_printf(&arena, "/containers/%s/start", docker->container)};
	return docker_do(&docker->api, &request, &answer, "cannot start the container", ctx->cancel, err);
}

static void forget(struct docker *docker)
{
	if (docker->held >= 0)
		close(docker->held);
	docker->held = -1;
	docker->container[0] = '\0';
}

int docker_container_make(struct executor *executor, const struct context *ctx, struct rondo_error *err)
{
	struct docker *docker = executor->state;
	struct rondo_error ignored;
	if (create(executor, ctx, err) < 0)
		return -1;
	if (start(docker, ctx, err) == 0)
		return 0;
	do_remove(docker, docker->container, &ignored);
	forget(docker);
	return -1;
}

int docker_container_have(struct executor *executor, char id[DOCKER_ID_SIZE], const struct context *ctx, struct rondo_error *err)
{
	struct docker *docker = executor->state;
	pthread_mutex_lock(&docker->lock);
	int status = *docker->container ? 0 : docker_container_make(executor, ctx, err);
	memcpy(id, docker->container, DOCKER_ID_SIZE);
	pthread_mutex_unlock(&docker->lock);
	return status;
}

void docker_container_drop(struct docker *docker, const char *id, const char *why)
{
	struct rondo_error ignored;
	pthread_mutex_lock(&docker->lock);
	if (strcmp(docker->container, id) == 0) {
		do_remove(docker, id, &ignored);
		forget(docker);
		docker->why_new = why;
	}
	pthread_mutex_unlock(&docker->lock);
}

void docker_container_leave(struct docker *docker)
{
	AUTO_ARENA arena = ARENA_INIT;
	AUTO_DOCKER_ANSWER answer = {0};
	struct rondo_error ignored;
	if (!*docker->container)
		return;
	struct docker_request stop = {.method = "POST", .path = arena_printf(&arena, "/containers/%s/stop?t=0", docker->container),
		.total_ms = DOCKER_END_MS};
	if (docker->stop_container && docker->auto_remove)
		do_remove(docker, docker->container, &ignored);
	else if (docker->stop_container)
		docker_send(&docker->api, &stop, &answer, NULL, &ignored);
	forget(docker);
}
