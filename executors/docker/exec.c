/* A line that runs in the container, at the other end of a stream. */
#include <errno.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "base/utf8.h"
#include "executors/docker/docker.h"

static void take(void *owner, enum docker_channel channel, const char *bytes, size_t n)
{
	struct docker_exec *exec = owner;
	if (channel == DOCKER_OUTPUT) {
		exec->take(exec->owner, bytes, n);
		return;
	}
	size_t room = sizeof exec->report - exec->n_report;
	memcpy((char *)&exec->report + exec->n_report, bytes, n < room ? n : room);
	exec->n_report += n < room ? n : room;
}

static struct json *describe(const struct executor *executor, const char *word, const struct command *command, struct arena *arena)
{
	const char *const words[] = {DOCKER_INSIDE, word, arena_printf(arena, "%lld", (long long)command->timeout_ms), command->line};
	struct json *json = json_object();
	json_add_bool(json, "AttachStdin", true);
	json_add_bool(json, "AttachStdout", true);
	json_add_bool(json, "AttachStderr", true);
	json_add_strings(json, "Cmd", words, sizeof words / sizeof *words);
	json_add_string(json, "WorkingDir", executor->world->tree_at);
	struct json *env = json_add_array(json, "Env");
	for (const char *const *e = command->env; e && *e; e++)
		json_add_string(env, NULL, *e);
	return json;
}

/* A new process that waits to be started. A container that is gone by now is dropped: then the next try gets another. */
static int create(struct docker_exec *exec, struct docker *docker, const struct json *body, bool *ret_gone, const struct context *ctx,
	struct rondo_error *err)
{
	AUTO_ARENA arena = ARENA_INIT;
	AUTO_DOCKER_ANSWER answer = {0};
	struct docker_request request = {
		.method = "POST", .path = arena_printf(&arena, "/containers/%s/exec", exec->container), .body = body};
	if (docker_send(&docker->api, &request, &answer, ctx->cancel, err) < 0)
		return -1;
	*ret_gone = answer.status == 404 || answer.status == 409;
	if (*ret_gone)
		docker_container_drop(docker, exec->container, "it was stopped, or removed");
	if (answer.status >= 400)
		return docker_refused(&docker->api, &answer, "cannot run a command in the container", err);
	utf8_format(exec->id, sizeof exec->id, "%s", json_string(answer.json, "Id", ""));
	return 0;
}

int docker_exec_start(struct docker_exec *exec, struct executor *executor, const char *word, const struct command *command,
	const struct context *ctx, struct rondo_error *err)
{
	AUTO_ARENA arena = ARENA_INIT;
	struct docker *docker = executor->state;
	AUTO_JSON *body = describe(executor, word, command, &arena);
	bool gone = false;
	int status = -1;
	for (int i = 0; i < 2 && status < 0; i++) {
		if (docker_container_have(executor, exec->container, ctx, err) < 0)
			return -1;
		status = create(exec, docker, body, &gone, ctx, err);
		if (status < 0 && !gone)
			return -1;
	}
	if (status < 0)
		return -1;
	exec->stream = (struct docker_stream){.take = take, .owner = exec};
	exec->n_report = 0;
	exec->fd = docker_hijack(&docker->api, arena_printf(&arena, "/exec/%s/start", docker_encode(exec->id, &arena)),
		"{\"Detach\":false,\"Tty\":false}", ctx->cancel, err);
	return exec->fd < 0 ? -1 : 0;
}

bool docker_exec_read(struct docker_exec *exec)
{
	char bytes[65536];
	ssize_t n = recv(exec->fd, bytes, sizeof bytes, MSG_DONTWAIT);
	if (n < 0 && (errno == EAGAIN || errno == EINTR))
		return true;
	if (n > 0 && docker_stream_feed(&exec->stream, bytes, (size_t)n))
		return true;
	docker_exec_release(exec);
	return false;
}

bool docker_exec_has_report(const struct docker_exec *exec)
{
	return exec->n_report == sizeof exec->report;
}

void docker_exec_kill(struct docker_exec *exec)
{
	shutdown(exec->fd, SHUT_WR);
}

void docker_exec_release(struct docker_exec *exec)
{
	if (exec->fd >= 0)
		close(exec->fd);
	exec->fd = -1;
}
