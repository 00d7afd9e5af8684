/* Collecting what docker executors of dead rondos left: labels of containers and volumes name the
 * process and the machine that created them, since an engine may serve several. */
#include <string.h>

#include "executors/docker/docker.h"
#include "executors/owner.h"

#define MACHINE DOCKER_LABEL ".machine"

/* What the user keeps has no owner, and is never collected. */
void docker_owner_label(struct json *json, const struct docker *docker)
{
	char owner[OWNER_SIZE], machine[OWNER_MACHINE_SIZE];
	bool is_kept = !docker->auto_remove || !docker->stop_container;
	struct json *labels = json_add_object(json, "Labels");
	owner_self(owner);
	owner_machine(machine);
	json_add_string(labels, DOCKER_LABEL, is_kept ? DOCKER_KEPT : owner);
	json_add_string(labels, MACHINE, machine);
}

bool docker_owner_is_gone(const struct json *labels)
{
	char machine[OWNER_MACHINE_SIZE];
	owner_machine(machine);
	bool is_ours = *machine && strcmp(json_string(labels, MACHINE, ""), machine) == 0;
	return owner_is_gone(json_string(labels, DOCKER_LABEL, ""), is_ours);
}

int docker_owner_remove(struct docker_api *api, const char *kind, const char *name,
	const struct cancel *cancel, struct rondo_error *err)
{
	AUTO_ARENA arena = ARENA_INIT;
	AUTO_DOCKER_ANSWER answer = {0};
	struct docker_request request = {.method = "DELETE",
		.path = arena_printf(&arena, "/%s/%s?force=true&v=true", kind, http_quote(name, &arena)),
		.total_ms = DOCKER_END_MS};
	if (docker_send(api, &request, &answer, cancel, err) < 0)
		return -1;
	/* 409: it is being removed */
	bool gone = answer.status < 300 || answer.status == 404 || answer.status == 409;
	return gone ? 0 : docker_refused(api, &answer, "cannot remove the container", err);
}

static size_t docker_owner_remove_gone(struct docker_api *api, const char *kind,
	const struct json *things, const char *key, const struct cancel *cancel)
{
	struct rondo_error ignored;
	size_t n = 0;
	for (const struct json *thing = json_first(things); thing; thing = json_next(thing)) {
		const char *name = json_string(thing, key, NULL);
		if (name && docker_owner_is_gone(json_get(thing, "Labels")))
			n += docker_owner_remove(api, kind, name, cancel, &ignored) == 0;
	}
	return n;
}

/* Volumes come last, because containers use them. */
int docker_owner_collect(struct docker_api *api, size_t *ret_n, const struct cancel *cancel,
	struct rondo_error *err)
{
	AUTO_ARENA arena = ARENA_INIT;
	AUTO_DOCKER_ANSWER containers = {0}, volumes = {0};
	const char *filter = http_quote("{\"label\":[\"" DOCKER_LABEL "\"]}", &arena);
	struct docker_request request = {.method = "GET",
		.path = arena_printf(&arena, "/containers/json?all=1&filters=%s", filter)};
	if (docker_do(api, &request, &containers, "cannot list the containers", cancel, err) < 0)
		return -1;
	size_t n = docker_owner_remove_gone(api, "containers", containers.json, "Id", cancel);
	request.path = arena_printf(&arena, "/volumes?filters=%s", filter);
	if (docker_do(api, &request, &volumes, "cannot list the volumes", cancel, err) < 0)
		return -1;
	*ret_n = n + docker_owner_remove_gone(api, "volumes", json_get(volumes.json, "Volumes"), "Name",
		cancel);
	return 0;
}
