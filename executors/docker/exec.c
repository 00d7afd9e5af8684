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
	size_t room = sizeof exec->report - exec->n_report, part = n < room ? n : room;
	memcpy((char *)&exec->report + exec->n_report, bytes, part);
	exec->n_report += part;
	strbuf_add(&exec->listing, bytes + part, n - part);
}

/* The helper's command line. */
struct words {
	const char **items;
	size_t n;
	struct arena *arena;
};

static void add(struct words *words, const char *word)
{
	ARENA_PUSH(words->arena, words->items, words->n, word);
}

/* Tree and cache themselves, or a file in each. */
static void add_places(struct words *words, const struct executor *executor, const char *name)
{
	const char *slash = *name ? "/" : "";
	add(words, arena_printf(words->arena, "%s%s%s", executor->world->tree_at, slash, name));
	add(words, arena_printf(words->arena, "%s%s%s", docker_cache_at(executor, words->arena), slash, name));
}

static void add_all(struct words *words, const struct executor *executor, const char *word, const struct command *command)
{
	const struct docker *docker = executor->state;
	const char *cache = docker_cache_at(executor, words->arena);
	bool is_carried = docker->by_archive && strcmp(word, INSIDE_RUN) == 0;
	add(words, DOCKER_INSIDE);
	add(words, is_carried ? INSIDE_CARRY : word);
	if (strcmp(word, INSIDE_SEE) == 0 || strcmp(word, INSIDE_OPEN) == 0) {
		add_places(words, executor, command->line);
		return;
	}
	add(words, arena_printf(words->arena, "%lld", (long long)command->timeout_ms));
	add(words, command->line);
	if (!is_carried)
		return;
	add(words, docker->carry.has_gone ? "1" : "0");
	add(words, executor->world->tree_at);
	add(words, cache);
	for (const char *const *path = docker->carry.kept; path && *path; path++)
		add(words, *path);
}

static struct json *describe(const struct executor *executor, const char *word, const struct command *command, struct arena *arena)
{
	struct words words = {.arena = arena};
	struct json *json = json_object();
	add_all(&words, executor, word, command);
	json_add_bool(json, "AttachStdin", true);
	json_add_bool(json, "AttachStdout", true);
	json_add_bool(json, "AttachStderr", true);
	json_add_strings(json, "Cmd", words.items, words.n);
	json_add_string(json, "WorkingDir", executor->world->tree_at);
	if (strcmp(word, INSIDE_OPEN) == 0)
		json_add_string(json, "User", "0:0");
	struct json *env = json_add_array(json, "Env");
	for (const char *const *e = command->env; e && *e; e++)
		json_add_string(env, NULL, *e);
	return json;
}

/* A new process that waits to be started, and before it what it is to find. True in *ret_gone: the container is gone by now. */
static int create(struct docker_exec *exec, struct executor *executor, const char *word, const struct command *command, bool *ret_gone,
	const struct context *ctx, struct rondo_error *err)
{
	AUTO_ARENA arena = ARENA_INIT;
	AUTO_DOCKER_ANSWER answer = {0};
	struct docker *docker = executor->state;
	bool is_helpers = strcmp(word, INSIDE_SEE) == 0 || strcmp(word, INSIDE_OPEN) == 0;
	if (docker->by_archive && !is_helpers && docker_carry_send(executor, ret_gone, ctx, err) < 0)
		return -1;
	AUTO_JSON *body = describe(executor, word, command, &arena);
	struct docker_request request = {
		.method = "POST", .path = arena_printf(&arena, "/containers/%s/exec", exec->container), .body = body};
	if (docker_send(&docker->api, &request, &answer, ctx->cancel, err) < 0)
		return -1;
	*ret_gone = answer.status == 404 || answer.status == 409;
	if (answer.status >= 400)
		return docker_refused(&docker->api, &answer, "cannot run a command in the container", err);
	utf8_format(exec->id, sizeof exec->id, "%s", json_string(answer.json, "Id", ""));
	return 0;
}

int docker_exec_begin(struct docker_exec *exec, struct executor *executor, const char *word, const struct command *command, bool *ret_gone,
	const struct context *ctx, struct rondo_error *err)
{
	AUTO_ARENA arena = ARENA_INIT;
	struct docker *docker = executor->state;
	if (create(exec, executor, word, command, ret_gone, ctx, err) < 0)
		return -1;
	exec->stream = (struct docker_stream){.take = take, .owner = exec};
	exec->n_report = 0;
	exec->listing = (struct strbuf)STRBUF_INIT(STRBUF_RECORD);
	exec->fd = docker_hijack(&docker->api, arena_printf(&arena, "/exec/%s/start", docker_encode(exec->id, &arena)),
		"{\"Detach\":false,\"Tty\":false}", ctx->cancel, err);
	return exec->fd < 0 ? -1 : 0;
}

int docker_exec_start(struct docker_exec *exec, struct executor *executor, const char *word, const struct command *command,
	const struct context *ctx, struct rondo_error *err)
{
	for (int i = 0; i < 2; i++) {
		bool gone = false;
		if (docker_container_have(executor, exec->container, ctx, err) < 0)
			return -1;
		if (docker_exec_begin(exec, executor, word, command, &gone, ctx, err) == 0)
			return 0;
		if (!gone)
			return -1;
		/* The next try gets another. */
		docker_container_drop(executor->state, exec->container, "it was stopped, or removed");
	}
	return -1;
}

bool docker_exec_read(struct docker_exec *exec)
{
	char bytes[65536];
	ssize_t n = recv(exec->fd, bytes, sizeof bytes, MSG_DONTWAIT);
	if (n < 0 && (errno == EAGAIN || errno == EINTR))
		return true;
	if (n > 0 && docker_stream_feed(&exec->stream, bytes, (size_t)n))
		return true;
	docker_exec_close(exec);
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

void docker_exec_close(struct docker_exec *exec)
{
	if (exec->fd >= 0)
		close(exec->fd);
	exec->fd = -1;
}

void docker_exec_release(struct docker_exec *exec)
{
	docker_exec_close(exec);
	strbuf_release(&exec->listing);
	exec->listing = (struct strbuf)STRBUF_INIT(STRBUF_RECORD);
}
