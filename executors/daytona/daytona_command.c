/*
 * A command in a sandbox: local changes are sent, the helper runs the line, its changes come back.
 * The toolbox returns only text and an exit code, and nothing after a timeout, so the answer is a
 * file. A broken connection does not end the line; the helper is asked for the answer later.
 */
#include <errno.h>
#include <string.h>

#include "base/clock.h"
#include "base/file.h"
#include "base/memory.h"
#include "base/process/process_output.h"
#include "base/utf8.h"
#include "executors/daytona/daytona.h"

#define MOST_OUTPUT ((uint64_t)256 << 20)
#define AWAIT_MS ((int64_t)30000)
#define END_MS ((int64_t)60000)
#define PATIENCE_MS ((int64_t)10000) /* in addition to a command's timeout */
#define MOST_STRANGE 5
#define MANY 100 /* files that are worth a progress message */

/* A command in progress. */
struct call {
	struct executor *executor;
	struct daytona *daytona;
	const struct command *command;
	struct process_result *result;
	const struct context *ctx;
	struct arena *arena;
	bool has_request;
	int64_t start_ms;
	bool is_timed_out;
};

/* --- The helper --- */

static int call_execute(struct call *call, const char *const *words, size_t n,
	struct daytona_line *line, struct rondo_error *err)
{
	const struct daytona *daytona = call->daytona;
	line->line = daytona_helper_line(daytona, words, n, NULL, call->arena);
	line->cwd = executor_tree_at(call->executor);
	return daytona_execute(&daytona->api, &daytona->sandbox, line, call->arena, call->ctx->cancel,
		err);
}

static const char *call_dir(const struct call *call)
{
	return arena_printf(call->arena, "%s/%lld", call->daytona->place,
		(long long)call->daytona->number);
}

static const char *call_number(const struct call *call, int64_t value)
{
	return arena_printf(call->arena, "%lld", (long long)value);
}

/* Start the line. */
static int call_keep(struct call *call, struct daytona_line *line, struct rondo_error *err)
{
	const struct daytona *daytona = call->daytona;
	const struct command *command = call->command;
	const struct remote *remote = &daytona->remote;
	const char *name = call_number(call, daytona->number), **words = NULL;
	const char *const common[] = {INSIDE_KEEP, daytona->place, name,
		call_number(call, daytona->number - 1), call->has_request ? arena_printf(call->arena,
		"%s.request", name) : "",
		call_number(call, command->output_limit ? (int64_t)command->output_limit
		: (int64_t)MOST_OUTPUT),
		call_number(call, command->timeout_ms), command->line, executor_tree_at(call->executor),
		executor_cache_at(call->executor, ".", call->arena)};
	size_t n = 0;
	for (size_t i = 0; i < ARRAY_SIZE(common); i++)
		ARENA_PUSH(call->arena, words, n, common[i]);
	for (size_t i = 0; remote->kept[i]; i++)
		ARENA_PUSH(call->arena, words, n, remote->kept[i]);
	*line = (struct daytona_line){.timeout_ms = command->timeout_ms, .is_once = true,
		.env = call->executor->world->env, .more_env = command->env};
	return call_execute(call, words, n, line, err);
}

static int64_t call_time_left_ms(const struct call *call)
{
	int64_t timeout_ms = call->command->timeout_ms;
	return timeout_ms ? call->start_ms + timeout_ms + PATIENCE_MS - clock_now_ms() : INT64_MAX;
}

/* Ask until there is an answer or none will come: INSIDE_ANSWERED, INSIDE_GONE or INSIDE_NEVER; -1
 * with err set: unknown. `ends`: end the line first. */
static int call_await(struct call *call, bool ends, struct rondo_error *err)
{
	const char *const await[] = {INSIDE_AWAIT, call_dir(call)},
		*const end[] = {INSIDE_END, await[1]};
	int64_t end_ms = clock_now_ms() + END_MS;
	int strange = 0;
	for (;;) {
		struct daytona_line line = {.timeout_ms = AWAIT_MS};
		if (!ends && call_time_left_ms(call) <= 0) {
			call->is_timed_out = ends = true;
			end_ms = clock_now_ms() + END_MS;
		}
		if (call_execute(call, ends ? end : await, 2, &line, err) < 0)
			return -1;
		if (line.code == INSIDE_ANSWERED || line.code == INSIDE_GONE || line.code == INSIDE_NEVER)
			return line.code;
		/* The asking shell may be killed together with the line; a sandbox without a shell never
		 * has one. */
		strange += line.code != INSIDE_RUNS;
		if (strange == MOST_STRANGE)
			return INSIDE_NEVER;
		if (line.code == DAYTONA_NO_HELPER && daytona_send_helper(call->daytona, call->ctx->cancel,
			err) < 0)
			return -1;
		if (ends && clock_now_ms() > end_ms)
			return error_set(err, RONDO_ERROR_TRANSIENT,
				"the command could not be ended: exit code %d: %s", line.code, line.text);
		if (cancel_reason(call->ctx->cancel))
			return cancel_error(call->ctx->cancel, err);
	}
}

/* --- What is sent --- */

static int call_wake(struct call *call, bool *ret_started, struct rondo_error *err)
{
	struct daytona *daytona = call->daytona;
	return daytona_sandbox_revive(
		&daytona->api, daytona->sandbox.id, daytona->start_ms, ret_started, call->ctx->cancel, err);
}

/* The helper applies the request before it runs the line. */
static int call_send(struct call *call, struct rondo_error *err)
{
	struct daytona *daytona = call->daytona;
	struct remote_stream stream;
	struct rondo_error fault;
	size_t n;
	bool started = false;
	if (remote_scan(&daytona->remote, &n, err) < 0)
		return -1;
	if (n > MANY)
		context_progress(call->ctx, "daytona", "sending %zu files", n);
	call->has_request = n > 0;
	if (!n)
		return 0;
	remote_stream_init(&stream, &daytona->remote);
	struct daytona_file file = {.to = arena_printf(call->arena, "%s.request", call_dir(call)),
		.stream = &stream};
	int status = daytona_upload(&daytona->api, &daytona->sandbox, &file, call->ctx->cancel, err);
	if (status < 0 && err->code != RONDO_ERROR_CANCELLED &&
		call_wake(call, &started, &fault) == 0 && started)
		status = daytona_upload(&daytona->api, &daytona->sandbox, &file, call->ctx->cancel, err);
	return status;
}

/* Daytona stops idle sandboxes, and a long-running command counts as idle. */
static int call_allow_time(struct call *call, struct rondo_error *err)
{
	struct daytona *daytona = call->daytona;
	int64_t need_ms = call->command->timeout_ms + 60000;
	if (!daytona->idle_ms || need_ms <= daytona->idle_ms)
		return 0;
	if (daytona_sandbox_allow_idle(&daytona->api, daytona->sandbox.id, need_ms, call->ctx->cancel,
		err) < 0)
		return -1;
	daytona->idle_ms = need_ms;
	return 0;
}

/* --- The line --- */

/* Recover from a failed request; returns as call_await. INSIDE_NEVER: send the line again. */
static int call_recover(struct call *call, int status, struct rondo_error *err)
{
	struct rondo_error first = *err, fault;
	bool started = false;
	if (err->code == RONDO_ERROR_CANCELLED || status == 401 || status == 403 || status == 429)
		return -1;
	if (status == 408) {
		call->is_timed_out = true;
		return call_await(call, true, err);
	}
	if (call_wake(call, &started, &fault) < 0) {
		if (status >= 400 || fault.code == RONDO_ERROR_CANCELLED)
			*err = fault;
		return -1;
	}
	int found = call_await(call, false, &fault);
	if (found < 0)
		*err = fault;
	else if (found == INSIDE_NEVER && !started)
		*err = first;
	return found == INSIDE_NEVER && !started ? -1 : found;
}

/* Run the line; returns as call_await. INSIDE_NEVER: the helper could not be started, see
 * `line`. */
static int call_run(struct call *call, struct daytona_line *line, struct rondo_error *err)
{
	int state = INSIDE_NEVER;
	for (int tries = 0; tries < 3 && state == INSIDE_NEVER; tries++) {
		int status = call_keep(call, line, err);
		if (status == 0 && line->code == INSIDE_ANSWERED)
			return INSIDE_ANSWERED;
		if (status == 0 && line->code == DAYTONA_NO_HELPER) {
			if (daytona_send_helper(call->daytona, call->ctx->cancel, err) < 0)
				return -1;
			continue;
		}
		/* the waiting process was killed or never started */
		if (status == 0 && line->code != INSIDE_AGAIN)
			return call_await(call, false, err);
		/* INSIDE_AGAIN: a reused connection broke, and libcurl sent the request twice. */
		state = call_recover(call, status < 0 ? line->status : 0, err);
	}
	return state;
}

/* --- What it came to --- */

/* Fetch the answer. 0 also if it is empty. */
static int call_fetch(const struct call *call, struct answer_file *file, struct rondo_error *err)
{
	const struct daytona *daytona = call->daytona;
	const char *path = arena_printf(call->arena, "%s/" INSIDE_ANSWER, call_dir(call));
	if (answer_file_open(file, call->executor->cache_dir, err) < 0 ||
		daytona_download(&daytona->api, &daytona->sandbox, path, file->fd, ANSWER_MOST,
			call->ctx->cancel, err) < 0)
		return -1;
	return answer_file_map(file, err);
}

static int call_hand_on(const struct call *call, const struct answer *answer,
	struct rondo_error *err)
{
	const struct command *command = call->command;
	size_t n = answer->n_output, logged = n < command->log_limit ? n : (size_t)command->log_limit;
	if (command->output)
		utf8_scrub(command->output, answer->output, n);
	if (logged && file_write_all(command->log_fd, answer->output, logged) < 0)
		return error_errno(err, RONDO_ERROR_TRANSIENT, "cannot keep what the command printed");
	return 0;
}

/* The exit code is a shell's: above 128 for signals. */
static void call_conclude(const struct call *call, const struct answer *answer)
{
	const struct inside_report *report = &answer->report;
	struct process_result *result = call->result;
	bool is_late = call->is_timed_out || report->end == INSIDE_TIMEOUT;
	*result = (struct process_result){.output_bytes = answer->n_output,
		.max_rss_bytes = report->max_rss_bytes, .end = report->end == INSIDE_OVERFLOW
		? PROCESS_OUTPUT_LIMIT : is_late ? PROCESS_TIMEOUT : PROCESS_EXITED};
	process_conclude(result, report->end == INSIDE_ENDED, report->value);
	if (result->end == PROCESS_EXITED && result->exit_code > 128 && result->exit_code <= 128 + 31) {
		result->end = PROCESS_SIGNALLED;
		result->signal = result->exit_code - 128;
	}
}

static int call_read_report(const struct inside_report *report, struct rondo_error *err)
{
	errno = report->value;
	if (!report->end)
		return error_set(err, RONDO_ERROR_TRANSIENT, "the sandbox's answer is none");
	if (report->end == INSIDE_NO_FILES)
		return error_errno(err, RONDO_ERROR_TRANSIENT, "the sandbox did not take the files");
	if (report->end == INSIDE_REFUSED)
		return error_errno(err, RONDO_ERROR_CANNOT_JUDGE, "the sandbox cannot execute /bin/sh");
	return 0;
}

/* Take over the answer. If it is incomplete, the changes are unknown. */
static int call_take(struct call *call, struct rondo_error *err)
{
	__attribute__((cleanup(answer_file_release))) struct answer_file file = {.fd = -1};
	struct daytona *daytona = call->daytona;
	struct answer answer;
	if (call_fetch(call, &file, err) < 0)
		return -1;
	answer_read(file.bytes, file.n, call->arena, &answer);
	if (call_read_report(&answer.report, err) < 0 || call_hand_on(call, &answer, err) < 0)
		return -1;
	if (!answer.is_whole)
		daytona_drop(daytona, "what the command changed in it could not be told");
	else if (remote_take(&daytona->remote, &answer, call->command->output, err) < 0)
		return -1;
	call_conclude(call, &answer);
	return 0;
}

/* The helper was killed. */
static void call_lose(struct call *call)
{
	daytona_drop(call->daytona, "what watches over the programs was killed");
	*call->result = (struct process_result){.end = call->is_timed_out ? PROCESS_TIMEOUT
		: PROCESS_EXITED};
	process_conclude(call->result, false, 0);
}

/* The toolbox could not start a shell, or the shell could not start the helper. */
static int call_explain(const struct call *call, const struct daytona_line *line,
	struct rondo_error *err)
{
	struct strbuf *output = call->command->output;
	if (line->code != -1)
		return error_set(err, RONDO_ERROR_CANNOT_JUDGE,
			"the sandbox does not start rondo's helper: exit code %d: %s", line->code, line->text);
	if (output)
		strbuf_addf(output,
			"%s%sThe sandbox could not start a shell for this command (exit code -1).\n",
			line->text, *line->text ? "\n" : "");
	*call->result = (struct process_result){.end = PROCESS_EXITED, .exit_code = 127};
	return 0;
}

/* End a command that was cancelled before, and take over its changes. */
static int call_end_last(const struct call *call, struct rondo_error *err)
{
	struct process_result result;
	struct command nothing = {.line = ""};
	struct call last = *call;
	last.command = &nothing;
	last.result = &result;
	if (!call->daytona->is_unfinished || !call->daytona->sandbox.id)
		return 0;
	int state = call_await(&last, true, err);
	if (state < 0 || (state == INSIDE_ANSWERED && call_take(&last, err) < 0))
		return -1;
	if (state == INSIDE_GONE)
		call_lose(&last);
	call->daytona->is_unfinished = false;
	return 0;
}

static void call_tell_new(struct daytona *daytona, struct strbuf *output)
{
	if (daytona->why_new && output)
		strbuf_addf(output,
			"[%s: the next command gets a new sandbox; its processes and all but the tree are "
			"gone, and what the last command changed in the tree]\n",
			daytona->why_new);
	daytona->why_new = NULL;
}

static int call_carry_out(struct call *call, struct rondo_error *err)
{
	struct daytona *daytona = call->daytona;
	struct daytona_line line;
	if (call_end_last(call, err) < 0 || daytona_have(call->executor, call->ctx, err) < 0 ||
		call_allow_time(call, err) < 0)
		return -1;
	daytona->number++;
	if (call_send(call, err) < 0)
		return -1;
	call_tell_new(daytona, call->command->output);
	call->start_ms = clock_now_ms();
	daytona->is_unfinished = true;
	int state = call_run(call, &line, err);
	if (state < 0 || (state == INSIDE_ANSWERED && call_take(call, err) < 0) ||
		(state == INSIDE_NEVER && call_explain(call, &line, err) < 0))
		return -1;
	if (state == INSIDE_GONE)
		call_lose(call);
	daytona->is_unfinished = false;
	call_tell_new(daytona, call->command->output);
	return 0;
}

int daytona_run(struct executor *executor, const struct command *command,
	struct process_result *result, const struct context *ctx, struct rondo_error *err)
{
	AUTO_ARENA arena = ARENA_INIT;
	int64_t start_ms = clock_now_ms();
	struct call call = {.executor = executor, .daytona = executor->state, .command = command,
		.result = result, .ctx = ctx, .arena = &arena, .start_ms = start_ms};
	if (call_carry_out(&call, err) < 0) {
		if (err->code != RONDO_ERROR_CANCELLED)
			return -1;
		*result = (struct process_result){.end = PROCESS_CANCELLED, .exit_code = 125};
	}
	result->duration_ms = clock_now_ms() - start_ms;
	return 0;
}
