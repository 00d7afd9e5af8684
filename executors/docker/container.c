/*
 * One container per executor: writable only in the tree, the cache, /tmp and the home; without
 * capabilities or a network, and with limits on processes and memory. Its first process is the
 * helper, which ends when its standard input closes, so that the container goes with rondo even if
 * rondo is killed.
 */
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#include "base/file.h"
#include "base/memory.h"
#include "base/utf8.h"
#include "executors/docker/docker.h"

#define MOST_NAMES 64
#define MOST_FILES 65536
#define MOST_PROCESSES 32768 /* of a user; containers have a limit of their own */

static void container_add_ulimit(struct json *limits, const char *name, int64_t most)
{
	struct json *limit = json_add_object(limits, NULL);
	json_add_string(limit, "Name", name);
	json_add_int(limit, "Soft", most);
	json_add_int(limit, "Hard", most);
}

static int64_t container_own_limit(int resource, rlim_t most)
{
	struct rlimit limit;
	return getrlimit(resource, &limit) == 0 && limit.rlim_max < most ? (int64_t)limit.rlim_max
		: (int64_t)most;
}

/* Podman raises limits that are not given, which only root may do; so they are given. */
static void container_add_limits(struct json *host, const struct docker *docker)
{
	struct json *limits = json_add_array(host, "Ulimits");
	container_add_ulimit(limits, "core", 0);
	container_add_ulimit(limits, "nofile", container_own_limit(RLIMIT_NOFILE, MOST_FILES));
	if (docker->api.is_podman)
		container_add_ulimit(limits, "nproc", container_own_limit(RLIMIT_NPROC, MOST_PROCESSES));
	json_add_int(host, "PidsLimit", docker->pids);
	if (docker->memory) {
		json_add_int(host, "Memory", docker->memory);
		json_add_int(host, "MemorySwap", docker->memory); /* none */
	}
	if (docker->cpus > 0)
		json_add_int(host, "NanoCpus", (int64_t)(docker->cpus * 1e9));
}

static void container_add_host(struct json *json, const struct executor *executor,
	struct arena *arena)
{
	static const char *const all[] = {"ALL"}, *const secured[] = {"no-new-privileges"};
	const struct docker *docker = executor->state;
	struct json *host = json_add_object(json, "HostConfig");
	json_add_string(host, "NetworkMode", executor->settings->network);
	struct json *extra = docker->extra_hosts.n ? json_add_array(host, "ExtraHosts") : NULL;
	for (size_t i = 0; i < docker->extra_hosts.n; i++)
		json_add_string(extra, NULL, arena_printf(arena, "%s:%s", docker->extra_hosts.names[i],
			docker->extra_hosts.items[i]));
	json_add_bool(host, "AutoRemove", docker->auto_remove);
	json_add_bool(host, "ReadonlyRootfs", true);
	json_add_strings(host, "CapDrop", all, 1);
	json_add_strings(host, "SecurityOpt", secured, 1);
	json_add_string(host, "IpcMode", "private");
	json_add_string(host, "CgroupnsMode", "private");
	if (docker->api.maps_users && !docker->by_archive)
		json_add_string(host, "UsernsMode", "host");
			/* otherwise the tree's owner would be nobody inside */
	json_add_string(json_add_object(host, "LogConfig"), "Type", "none");
	container_add_limits(host, docker);
	docker_mounts_add(host, executor, arena);
}

static void container_add_git_trust(struct json *env)
{
	static const char *const lines[] = {"GIT_CONFIG_COUNT=1", "GIT_CONFIG_KEY_0=safe.directory",
		"GIT_CONFIG_VALUE_0=*"};
	for (size_t i = 0; i < ARRAY_SIZE(lines); i++)
		json_add_string(env, NULL, lines[i]);
}

static struct json *container_describe(const struct executor *executor, struct arena *arena)
{
	static const char *const entry[] = {DOCKER_INSIDE}, *const no_check[] = {"NONE"};
	const struct docker *docker = executor->state;
	const struct world *world = executor->world;
	struct docker_user user = docker_user_of(executor);
	const char *const word[] = {docker->stop_container ? INSIDE_HOLD : INSIDE_STAY};
	struct json *json = json_object();
	json_add_string(json, "Image", docker->image);
	json_add_strings(json, "Entrypoint", entry, 1);
	json_add_strings(json, "Cmd", word, 1);
	json_add_string(json, "User", arena_printf(arena, "%u:%u", user.uid, user.gid));
	json_add_string(json, "WorkingDir", world->tree_at);
	json_add_string(json, "Hostname", strcmp(executor->settings->network, "host") == 0 ? NULL
		: world->host_name);
	json_add_int(json, "StopTimeout", 1);
	json_add_bool(json, "OpenStdin", docker->stop_container);
	json_add_bool(json, "StdinOnce", docker->stop_container);
	json_add_strings(json_add_object(json, "Healthcheck"), "Test", no_check, 1);
	struct json *env = json_add_array(json, "Env");
	for (const char *const *e = world->env; e && *e; e++)
		json_add_string(env, NULL, *e);
	if (docker->by_archive) /* git checks the owner of the tree, whose top belongs to root */
		container_add_git_trust(env);
	docker_owner_label(json, docker);
	container_add_host(json, executor, arena);
	return json;
}

/* Whether a name is available. A container of that name that a dead rondo left, or that was kept,
 * is removed. */
static int container_free_name(struct docker *docker, const char *name, bool *ret_free,
	const struct context *ctx, struct rondo_error *err)
{
	AUTO_ARENA arena = ARENA_INIT;
	AUTO_DOCKER_ANSWER answer = {0};
	struct docker_request request = {.method = "GET",
		.path = arena_printf(&arena, "/containers/%s/json", http_quote(name, &arena))};
	if (docker_send(&docker->api, &request, &answer, ctx->cancel, err) < 0)
		return -1;
	const struct json *labels = json_get(json_get(answer.json, "Config"), "Labels");
	const char *label = json_string(labels, DOCKER_LABEL, NULL);
	if (answer.status == 200 && !label) {
		error_set(err, RONDO_ERROR_CANNOT_JUDGE,
			"a container called %s is there already, and is not rondo's", name);
		return error_help(err, "docker rm -f %s, or choose another executor.container_name", name);
	}
	*ret_free = answer.status == 404 ||
		(label && (strcmp(label, DOCKER_KEPT) == 0 || docker_owner_is_gone(labels)));
	return answer.status == 200 && *ret_free ? docker_owner_remove(&docker->api, "containers", name,
		NULL, err) : 0;
}

/* If several executors are given the same name, numbers are appended. */
static const char *container_choose_name(struct docker *docker, struct arena *arena,
	const struct context *ctx, struct rondo_error *err)
{
	const char *name = docker->container_name;
	bool is_free = false;
	for (int i = 2; i < MOST_NAMES; i++) {
		if (container_free_name(docker, name, &is_free, ctx, err) < 0)
			return NULL;
		if (is_free)
			return name;
		name = arena_printf(arena, "%s-%d", docker->container_name, i);
	}
	error_set(err, RONDO_ERROR_CANNOT_JUDGE, "%d containers are called %s", MOST_NAMES,
		docker->container_name);
	return NULL;
}

static int container_create(struct executor *executor, const struct context *ctx,
	struct rondo_error *err)
{
	AUTO_ARENA arena = ARENA_INIT;
	AUTO_DOCKER_ANSWER answer = {0};
	struct docker *docker = executor->state;
	const char *name = docker->container_name ? container_choose_name(docker, &arena, ctx, err)
		: "";
	AUTO_JSON *body = container_describe(executor, &arena);
	struct docker_request request = {.method = "POST", .body = body};
	if (!name)
		return -1;
	request.path = arena_printf(&arena, "/containers/create%s%s", *name ? "?name=" : "",
		http_quote(name, &arena));
	if (docker_do(&docker->api, &request, &answer, "cannot make a container", ctx->cancel, err) < 0)
		return -1;
	utf8_format(docker->container, sizeof docker->container, "%s",
		json_string(answer.json, "Id", ""));
	return 0;
}

/* Attach to standard input first, so that the container never runs without it. */
static int container_start(struct docker *docker, const struct context *ctx,
	struct rondo_error *err)
{
	AUTO_ARENA arena = ARENA_INIT;
	AUTO_DOCKER_ANSWER answer = {0};
	if (docker->stop_container)
		docker->held = docker_hijack(&docker->api,
			arena_printf(&arena, "/containers/%s/attach?stream=1&stdin=1", docker->container),
			"", ctx->cancel, err);
	if (docker->stop_container && docker->held < 0)
		return -1;
	struct docker_request request = {.method = "POST",
		.path = arena_printf(&arena, "/containers/%s/start", docker->container)};
	return docker_do(&docker->api, &request, &answer, "cannot start the container", ctx->cancel,
		err);
}

static void container_forget(struct docker *docker)
{
	if (docker->held >= 0)
		close(docker->held);
	docker->held = -1;
	docker->container[0] = '\0';
}

int docker_container_make(struct executor *executor, const struct context *ctx,
	struct rondo_error *err)
{
	struct docker *docker = executor->state;
	struct rondo_error ignored;
	if (container_create(executor, ctx, err) < 0)
		return -1;
	if (docker->by_archive) {
		remote_release(&docker->remote);
		remote_init(&docker->remote, executor, "container", NULL);
	}
	if ((!docker->by_archive || docker_helper_put(executor, ctx, err) == 0) &&
		container_start(docker, ctx, err) == 0 &&
		(!docker->by_archive || docker_helper_fill(executor, ctx, err) == 0))
		return 0;
	docker_owner_remove(&docker->api, "containers", docker->container, NULL, &ignored);
	container_forget(docker);
	return -1;
}

int docker_container_have(struct executor *executor, char id[DOCKER_ID_SIZE],
	const struct context *ctx, struct rondo_error *err)
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
		docker_owner_remove(&docker->api, "containers", id, NULL, &ignored);
		container_forget(docker);
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
	struct docker_request stop = {.method = "POST",
		.path = arena_printf(&arena, "/containers/%s/stop?t=0", docker->container),
		.total_ms = DOCKER_END_MS};
	if (docker->stop_container && docker->auto_remove)
		docker_owner_remove(&docker->api, "containers", docker->container, NULL, &ignored);
	else if (docker->stop_container)
		docker_send(&docker->api, &stop, &answer, NULL, &ignored);
	container_forget(docker);
}
