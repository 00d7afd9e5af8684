/*
 * Whose containers and volumes are: each names the process that made it, so that what a rondo that was killed left behind can
 * be told from what others use. An owner is only taken for dead where this can be known: a process of another boot, or of this
 * boot and these process ids that is not there any more.
 */
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/file.h"
#include "executors/docker.h"

struct owner {
	char boot[64], namespace[64];
	long pid;
	unsigned long long start; /* since the boot, in ticks: ids of processes are used again */
};

static void read_line(const char *path, char *line, size_t size)
{
	AUTO_STRBUF text = STRBUF_INIT(4096);
	struct rondo_error ignored;
	if (file_read(path, 4096, &text, &ignored) == 0)
		strbuf_rtrim(&text);
	snprintf(line, size, "%s", text.length && text.length < size && !strchr(text.text, ' ') ? text.text : "?");
}

/* When a process was started; 0: it is not there. The name before that may hold anything. */
static unsigned long long start_of(long pid)
{
	AUTO_STRBUF text = STRBUF_INIT(4096);
	struct rondo_error ignored;
	char path[64];
	unsigned long long start = 0;
	snprintf(path, sizeof path, "/proc/%ld/stat", pid);
	if (file_read(path, 4096, &text, &ignored) < 0)
		return 0;
	const char *at = strrchr(text.text, ')');
	for (int field = 2; at && field < 22; field++)
		at = strchr(at + 1, ' ');
	return at && sscanf(at, "%llu", &start) == 1 ? start : 0;
}

static void read_owner(struct owner *ret_owner)
{
	struct owner owner = {.pid = getpid(), .start = start_of(getpid())};
	ssize_t n = readlink("/proc/self/ns/pid", owner.namespace, sizeof owner.namespace - 1);
	if (n <= 0)
		snprintf(owner.namespace, sizeof owner.namespace, "?");
	read_line("/proc/sys/kernel/random/boot_id", owner.boot, sizeof owner.boot);
	*ret_owner = owner;
}

const char *docker_owner(struct arena *arena)
{
	struct owner owner;
	read_owner(&owner);
	return arena_printf(arena, "%s %s %ld %llu", owner.boot, owner.namespace, owner.pid, owner.start);
}

bool docker_owner_is_dead(const char *label)
{
	struct owner here, owner = {0};
	read_owner(&here);
	if (sscanf(label, "%63s %63s %ld %llu", owner.boot, owner.namespace, &owner.pid, &owner.start) != 4)
		return false;
	if (strcmp(owner.boot, here.boot) != 0)
		return true;
	return strcmp(owner.namespace, here.namespace) == 0 && owner.pid > 0 && start_of(owner.pid) != owner.start;
}

/* Remove one; false: it is still there. */
static bool remove_thing(struct docker_api *api, const char *kind, const char *name, const struct cancel *cancel)
{
	AUTO_ARENA arena = ARENA_INIT;
	AUTO_DOCKER_ANSWER answer = {0};
	struct rondo_error ignored;
	struct docker_request request = {.method = "DELETE",
		.path = arena_printf(&arena, "/%s/%s?force=true&v=true", kind, docker_encode(name, &arena)), .total_ms = DOCKER_END_MS};
	return docker_send(api, &request, &answer, cancel, &ignored) == 0 && answer.status < 300;
}

static size_t collect(struct docker_api *api, const char *kind, const struct json *things, const char *key, const struct cancel *cancel)
{
	size_t n = 0;
	for (const struct json *thing = json_first(things); thing; thing = json_next(thing)) {
		const char *name = json_string(thing, key, NULL);
		const char *label = json_string(json_get(thing, "Labels"), DOCKER_LABEL, "");
		if (name && docker_owner_is_dead(label))
			n += remove_thing(api, kind, name, cancel);
	}
	return n;
}

/* Volumes come last, since containers hold them. */
int docker_owner_collect(struct docker_api *api, size_t *ret_n, const struct cancel *cancel, struct rondo_error *err)
{
	AUTO_ARENA arena = ARENA_INIT;
	AUTO_DOCKER_ANSWER containers = {0}, volumes = {0};
	const char *filter = docker_encode("{\"label\":[\"" DOCKER_LABEL "\"]}", &arena);
	struct docker_request request = {.method = "GET", .path = arena_printf(&arena, "/containers/json?all=1&filters=%s", filter)};
	if (docker_do(api, &request, &containers, "cannot list the containers", cancel, err) < 0)
		return -1;
	size_t n = collect(api, "containers", containers.json, "Id", cancel);
	request.path = arena_printf(&arena, "/volumes?filters=%s", filter);
	if (docker_do(api, &request, &volumes, "cannot list the volumes", cancel, err) < 0)
		return -1;
	*ret_n = n + collect(api, "volumes", json_get(volumes.json, "Volumes"), "Name", cancel);
	return 0;
}
