/* A command in the container, from its start to its result, whatever happens to it, the container
 * or the engine. */
#include <errno.h>
#include <poll.h>
#include <string.h>
#include <sys/socket.h>

#include "base/clock.h"
#include "base/memory.h"
#include "base/process/process_output.h"
#include "executors/docker/docker.h"

static void run_keep(void *owner, const char *bytes, size_t n)
{
	process_output_take(owner, bytes, n);
}

/* Wait for the end of the stream. False: the line was told to end and does not, or it ended and the
 * stream is stuck. */
static bool run_watch(struct docker_exec *exec, struct process_output *kept, int64_t timeout_ms)
{
	const struct cancel *cancel = kept->options->cancel;
	int64_t deadline_ms = timeout_ms ? clock_now_ms() + timeout_ms : 0, grace_ms = 0;
	uint64_t heard = 0;
	while (exec->fd >= 0) {
		enum process_end why =
			grace_ms ? PROCESS_EXITED : process_reason_to_kill(kept, deadline_ms);
		if (why != PROCESS_EXITED) {
			kept->result->end = why;
			docker_exec_kill(exec);
		}
		if (!grace_ms && why != PROCESS_EXITED)
			grace_ms = clock_now_ms() + DOCKER_GRACE_MS;
		if (exec->report.end && heard != exec->heard) {
			heard = exec->heard;
			grace_ms = clock_now_ms() + (exec->answer.fd < 0 ? DOCKER_GRACE_MS : DOCKER_TELL_MS);
		}
		if (grace_ms && clock_now_ms() >= grace_ms)
			return false;
		struct pollfd fds[1 + CANCEL_FDS] = {{.fd = exec->fd, .events = POLLIN}};
		size_t n = 1 + (grace_ms ? 0 : cancel_poll(cancel, fds + 1));
		if (poll(fds, n, process_time_left(grace_ms ? grace_ms : deadline_ms)) > 0 &&
			fds[0].revents)
			docker_exec_read(exec);
	}
	return true;
}

/* What happened to a container whose helper died without a report. */
static const char *run_find_reason(struct docker *docker, const char *id, struct rondo_error *err)
{
	AUTO_ARENA arena = ARENA_INIT;
	AUTO_DOCKER_ANSWER answer = {0};
	struct docker_request inspect = {.method = "GET",
		.path = arena_printf(&arena, "/containers/%s/json", id),
		.total_ms = DOCKER_END_MS};
	if (docker_send(&docker->api, &inspect, &answer, NULL, err) < 0)
		return NULL;
	const struct json *state = json_get(answer.json, "State");
	if (answer.status >= 400)
		return "somebody removed the container";
	if (json_bool(state, "OOMKilled", false))
		return "the container had no memory left (executor.memory)";
	return json_bool(state, "Running", false) ? "what watches over the programs was killed"
											  : "the container was stopped";
}

/* The engine's exit code of a helper that did not report; -1: unknown. */
static int64_t run_engine_code(struct docker *docker, const struct docker_exec *exec)
{
	AUTO_ARENA arena = ARENA_INIT;
	AUTO_DOCKER_ANSWER answer = {0};
	struct rondo_error ignored;
	struct docker_request inspect = {.method = "GET",
		.path = arena_printf(&arena, "/exec/%s/json", http_quote(exec->id, &arena)),
		.total_ms = DOCKER_END_MS};
	return docker_send(&docker->api, &inspect, &answer, NULL, &ignored) < 0
		? -1
		: json_int(answer.json, "ExitCode", -1);
}

/* There is no report: the helper could not be started, was killed, or the engine is gone. An engine
 * that shuts down kills containers first; then a new one cannot be made. */
static int run_explain_silence(struct executor *executor, const struct docker_exec *exec,
	struct process_output *kept, const struct context *ctx, struct rondo_error *err)
{
	char id[DOCKER_ID_SIZE];
	struct docker *docker = executor->state;
	int64_t code = run_engine_code(docker, exec);
	const char *reason = run_find_reason(docker, exec->container, err);
	if (!reason)
		return error_prefix(err, "the engine went away during a command");
	docker_container_drop(docker, exec->container, reason);
	if (code != 126 && code != 127) {
		bool works = kept->result->end == PROCESS_CANCELLED ||
			docker_container_have(executor, id, ctx, err) == 0;
		return works ? 0 : error_prefix(err, "the engine went away during a command");
	}
	struct strbuf *output = kept->options->output;
	error_set(err, RONDO_ERROR_CANNOT_JUDGE, "the container starts no program: %.600s",
		output && output->length ? output->text : "the engine does not say why");
	return -1;
}

static int run_read_report(struct docker *docker, const struct docker_exec *exec,
	struct process_result *result, struct rondo_error *err)
{
	const struct inside_report *report = &exec->report;
	errno = report->value;
	if (report->end == INSIDE_REFUSED) {
		error_errno(
			err, RONDO_ERROR_CANNOT_JUDGE, "the image %s cannot execute /bin/sh", docker->image);
		return error_help(err, "choose an image that has a shell by executor.image");
	}
	if (report->end == INSIDE_NO_FILES) {
		error_errno(err, RONDO_ERROR_TRANSIENT, "cannot send files into the container");
		return report->value == ENOSPC ? error_help(err, DOCKER_MAKE_ROOM) : -1;
	}
	if (report->end == INSIDE_TIMEOUT && result->end == PROCESS_EXITED)
		result->end = PROCESS_TIMEOUT;
	result->max_rss_bytes = report->max_rss_bytes;
	process_conclude(result, report->end == INSIDE_ENDED, report->value);
	return 0;
}

/* Take over what the line changed in a container with its own tree. If that is unknown, the
 * container is removed. */
static int run_take_changes(
	struct docker *docker, struct docker_exec *exec, struct strbuf *output, struct rondo_error *err)
{
	AUTO_ARENA arena = ARENA_INIT;
	struct answer answer = {0};
	int status = exec->is_stuck ? 0 : answer_file_map(&exec->answer, err);
	if (status == 0 && exec->answer.n)
		answer_read(exec->answer.bytes, exec->answer.n, &arena, &answer);
	if (answer.is_whole)
		status = remote_take(&docker->remote, &answer, output, err);
	if (status < 0 || !answer.is_whole)
		docker_container_drop(
			docker, exec->container, "what the command changed in it could not be told");
	return status;
}

/* Say in the output that the container was replaced. */
static void run_tell_new(struct docker *docker, struct strbuf *output)
{
	pthread_mutex_lock(&docker->lock);
	if (docker->why_new && output)
		strbuf_addf(output,
			"[%s: the next command gets a new one; its processes, /tmp and home are gone%s]\n",
			docker->why_new,
			docker->by_archive ? ", and what the last command changed in the tree" : "");
	docker->why_new = NULL;
	pthread_mutex_unlock(&docker->lock);
}

/* Conclude by the helper's report, or explain why there is none. */
static int run_conclude(struct executor *executor, struct docker_exec *exec,
	struct process_output *kept, bool over, const struct context *ctx, struct rondo_error *err)
{
	struct docker *docker = executor->state;
	if (!over)
		docker_container_drop(docker, exec->container, "a program in it could not be stopped");
	if (!exec->report.end) {
		if (over && run_explain_silence(executor, exec, kept, ctx, err) < 0)
			return -1;
		process_conclude(kept->result, false, 0);
		return 0;
	}
	if (run_read_report(docker, exec, kept->result, err) < 0)
		return -1;
	if (!over || !docker->by_archive)
		return 0;
	int status = run_take_changes(docker, exec, kept->options->output, err);
	return kept->result->end == PROCESS_CANCELLED ? 0 : status;
}

static int run_line(struct executor *executor, const struct command *command,
	struct process_output *kept, const struct context *ctx, struct rondo_error *err)
{
	struct docker *docker = executor->state;
	struct docker_exec exec = DOCKER_EXEC_INIT;
	exec.take = run_keep;
	exec.owner = kept;
	if (docker_exec_start(&exec, executor, INSIDE_RUN, command, ctx, err) < 0)
		return -1;
	run_tell_new(docker, command->output);
	bool over = run_watch(&exec, kept, command->timeout_ms);
	docker_exec_close(&exec);
	process_output_end(kept);
	int status = run_conclude(executor, &exec, kept, over, ctx, err);
	docker_exec_release(&exec);
	return status;
}

int docker_run(struct executor *executor, const struct command *command,
	struct process_result *ret_result, const struct context *ctx, struct rondo_error *err)
{
	int64_t start_ms = clock_now_ms();
	struct process_result result = {.end = PROCESS_EXITED};
	struct process_options options = command_options(command, ctx->cancel);
	struct process_output kept = PROCESS_OUTPUT_INIT(&options, &result);
	if (cancel_reason(ctx->cancel)) {
		result.end = PROCESS_CANCELLED;
		process_conclude(&result, false, 0);
	} else {
		if (run_line(executor, command, &kept, ctx, err) < 0)
			return -1;
		run_tell_new(executor->state, command->output);
	}
	result.duration_ms = clock_now_ms() - start_ms;
	*ret_result = result;
	return 0;
}

/* --- One that is spoken with --- */

struct spoken {
	struct docker *docker;
	struct docker_exec exec;
};

static void run_hear(void *owner, const char *bytes, size_t n)
{
	strbuf_add(owner, bytes, n);
}

static bool spoken_read(void *owner, struct strbuf *heard)
{
	struct spoken *spoken = owner;
	spoken->exec.owner = heard;
	return docker_exec_read(&spoken->exec);
}

static ssize_t spoken_write(void *owner, const char *bytes, size_t n)
{
	return send(((struct spoken *)owner)->exec.fd, bytes, n, MSG_NOSIGNAL | MSG_DONTWAIT);
}

static int spoken_exit_code(void *owner)
{
	const struct docker_exec *exec = &((struct spoken *)owner)->exec;
	struct process_result result = {.end = PROCESS_EXITED};
	bool ended = exec->report.end == INSIDE_ENDED;
	process_conclude(&result, ended, ended ? exec->report.value : 0);
	return result.exit_code;
}

static void spoken_end(void *owner)
{
	struct spoken *spoken = owner;
	AUTO_STRBUF forgotten = STRBUF_INIT(STRBUF_LINE);
	struct process_result result = {.end = PROCESS_EXITED};
	struct process_options options = {0};
	struct process_output nothing = PROCESS_OUTPUT_INIT(&options, &result);
	spoken->exec.owner = &forgotten;
	if (spoken->exec.fd >= 0)
		docker_exec_kill(&spoken->exec);
	if (!run_watch(&spoken->exec, &nothing, DOCKER_GRACE_MS))
		docker_container_drop(
			spoken->docker, spoken->exec.container, "a program in it could not be stopped");
	docker_exec_release(&spoken->exec);
	free(spoken);
}

int docker_open(struct executor *executor, const struct command *command,
	struct coprocess **ret_coprocess, const struct context *ctx, struct rondo_error *err)
{
	struct command line = {.line = command->line, .env = command->env};
	struct docker *docker = executor->state;
	if (docker->by_archive) /* it would not see later changes of the tree */
		return 0;
	struct spoken *spoken = memory_alloc(sizeof *spoken);
	*spoken = (struct spoken){.docker = docker, .exec = DOCKER_EXEC_INIT};
	spoken->exec.take = run_hear;
	if (docker_exec_start(&spoken->exec, executor, INSIDE_SPEAK, &line, ctx, err) < 0) {
		free(spoken);
		return -1;
	}
	*ret_coprocess = coprocess_on(&(struct coprocess_line){.in = spoken->exec.fd,
									  .out = spoken->exec.fd,
									  .read = spoken_read,
									  .write = spoken_write,
									  .exit_code = spoken_exit_code,
									  .end = spoken_end,
									  .owner = spoken},
		ctx->cancel);
	return 0;
}
