/* A line that runs in the container, and the stream to it. */
#include <errno.h>
#include <string.h>
#include <sys/socket.h>

#include "base/clock.h"
#include "base/file.h"
#include "base/memory.h"
#include "base/utf8.h"
#include "executors/docker/docker.h"

#define SEND_MS ((int64_t)1800000)
#define MANY 100 /* files that are worth a progress message */

/* Take records. The report comes first. */
static void exec_take_record(struct docker_exec *exec, const char *bytes, size_t n)
{
	struct inside_report *report = &exec->report;
	if (exec->heard < sizeof exec->head) {
		size_t at = (size_t)exec->heard, room = sizeof exec->head - at;
		memcpy(exec->head + at, bytes, n < room ? n : room);
		if (n >= room && memcmp(exec->head, INSIDE_REPORT_HEAD, sizeof INSIDE_REPORT_HEAD) == 0)
			memcpy(report, exec->head + sizeof INSIDE_REPORT_HEAD, sizeof *report);
	}
	exec->heard += n;
	if (exec->answer.fd >= 0 && !exec->is_stuck)
		exec->is_stuck = exec->heard > ANSWER_MOST || file_write_all(exec->answer.fd, bytes, n) < 0;
}

static void exec_take(void *owner, enum docker_channel channel, const char *bytes, size_t n)
{
	struct docker_exec *exec = owner;
	if (channel == DOCKER_OUTPUT)
		exec->take(exec->owner, bytes, n);
	else
		exec_take_record(exec, bytes, n);
}

static struct json *exec_describe(const struct executor *executor, const struct docker_words *words)
{
	struct json *json = json_object();
	json_add_bool(json, "AttachStdin", true);
	json_add_bool(json, "AttachStdout", true);
	json_add_bool(json, "AttachStderr", true);
	json_add_strings(json, "Cmd", words->items, words->n);
	json_add_string(json, "WorkingDir", executor->world->tree_at);
	json_add_string(json, "User", words->user);
	struct json *env = json_add_array(json, "Env");
	for (const char *const *e = words->env; e && *e; e++)
		json_add_string(env, NULL, *e);
	return json;
}

/* Create a process, which is started later. */
static int exec_create(struct docker_exec *exec, struct executor *executor,
	const struct docker_words *words, bool *ret_gone, const struct context *ctx,
	struct rondo_error *err)
{
	AUTO_ARENA arena = ARENA_INIT;
	AUTO_DOCKER_ANSWER answer = {0};
	AUTO_JSON *body = exec_describe(executor, words);
	struct docker *docker = executor->state;
	struct docker_request request = {
		.method = "POST", .path = arena_printf(&arena, "/containers/%s/exec", exec->container),
			.body = body};
	*ret_gone = false;
	if (docker_send(&docker->api, &request, &answer, ctx->cancel, err) < 0)
		return -1;
	*ret_gone = answer.status == 404 || answer.status == 409;
	if (answer.status >= 400)
		return docker_refused(&docker->api, &answer, "cannot run a command in the container", err);
	utf8_format(exec->id, sizeof exec->id, "%s", json_string(answer.json, "Id", ""));
	return 0;
}

int docker_exec_begin(struct docker_exec *exec, struct executor *executor,
	const struct docker_words *words, bool *ret_gone, const struct context *ctx,
	struct rondo_error *err)
{
	AUTO_ARENA arena = ARENA_INIT;
	struct docker *docker = executor->state;
	if (exec_create(exec, executor, words, ret_gone, ctx, err) < 0)
		return -1;
	exec->stream = (struct docker_stream){.take = exec_take, .owner = exec};
	exec->fd = docker_hijack(&docker->api,
		arena_printf(&arena, "/exec/%s/start", http_quote(exec->id, &arena)),
		"{\"Detach\":false,\"Tty\":false}", ctx->cancel, err);
	return exec->fd < 0 ? -1 : 0;
}

int docker_exec_send(struct docker_exec *exec, struct remote_stream *stream,
	const struct cancel *cancel, struct rondo_error *err)
{
	char bytes[65536];
	size_t n = 0, sent = 0;
	int64_t deadline_ms = clock_now_ms() + SEND_MS;
	while (exec->fd >= 0) {
		if (sent == n) {
			n = (size_t)remote_stream_give(stream, bytes, sizeof bytes);
			sent = 0;
			if (!n)
				return 0;
		}
		ssize_t taken = send(exec->fd, bytes + sent, n - sent, MSG_NOSIGNAL | MSG_DONTWAIT);
		sent += taken > 0 ? (size_t)taken : 0;
		if (taken >= 0)
			continue;
		if (errno != EAGAIN && errno != EINTR) /* the process has ended; the caller finds out why */
			return 0;
		if (!docker_await(exec->fd, POLLOUT, cancel, deadline_ms))
			return cancel_reason(cancel) ? cancel_error(cancel, err)
						     : error_set(err, RONDO_ERROR_TRANSIENT,
							"the container does not take files");
	}
	return 0;
}

/* --- Lines --- */

static struct docker_words line_words(const struct executor *executor, const char *word,
	const struct command *command, struct arena *arena)
{
	const struct docker *docker = executor->state;
	const struct remote *remote = &docker->remote;
	struct docker_words words = {.env = command->env};
	const char *const common[] = {DOCKER_INSIDE, word,
		arena_printf(arena, "%lld", (long long)command->timeout_ms), command->line,
		executor->world->tree_at, docker_cache_at(executor, arena)};
	for (size_t i = 0; i < ARRAY_SIZE(common) - (docker->by_archive ? 0 : 2); i++)
		ARENA_PUSH(arena, words.items, words.n, common[i]);
	for (size_t i = 0; docker->by_archive && remote->kept[i]; i++)
		ARENA_PUSH(arena, words.items, words.n, remote->kept[i]);
	return words;
}

/* Send local changes before the line. */
static int line_send(struct docker_exec *exec, struct executor *executor, const struct context *ctx,
	struct rondo_error *err)
{
	struct docker *docker = executor->state;
	struct remote_stream stream;
	size_t n;
	if (remote_scan(&docker->remote, &n, err) < 0 ||
		answer_file_open(&exec->answer, executor->cache_dir, err) < 0)
		return -1;
	if (n > MANY)
		context_progress(ctx, "docker", "sending %zu files", n);
	remote_stream_init(&stream, &docker->remote);
	int status = docker_exec_send(exec, &stream, ctx->cancel, err);
	remote_stream_rewind(&stream);
	return status;
}

int docker_exec_start(struct docker_exec *exec, struct executor *executor, const char *word,
	const struct command *command, const struct context *ctx, struct rondo_error *err)
{
	AUTO_ARENA arena = ARENA_INIT;
	struct docker *docker = executor->state;
	bool gone = true;
	for (int i = 0; i < 2 && gone; i++) {
		if (docker_container_have(executor, exec->container, ctx, err) < 0)
			return -1;
		struct docker_words words = line_words(executor, word, command, &arena);
		int status = docker_exec_begin(exec, executor, &words, &gone, ctx, err);
		if (status == 0 && docker->by_archive)
			status = line_send(exec, executor, ctx, err);
		if (status == 0)
			return 0;
		docker_exec_release(exec);
		if (gone) /* try again in a new one */
			docker_container_drop(docker, exec->container, "it was stopped, or removed");
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
	answer_file_release(&exec->answer);
}
