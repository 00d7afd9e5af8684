#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <poll.h>
#include <string.h>
#include <unistd.h>

#include "agents/external/acp.h"
#include "base/clock.h"
#include "base/file.h"
#include "base/memory.h"
#include "base/utf8.h"
#include "base/version.h"

enum {
	START_MS = 60000, /* for each request before the first prompt */
	SAY_MS = 10000,   /* until it takes a line */
	CANCEL_MS = 5000, /* until it answers the prompt that was cancelled */
	CLOSE_MS = 2000,  /* from the end of its input until it is killed */
	BAD_MOST = 10000, /* lines that are no message, in all */
	COMPLAINT_MOST = 300,
};

#define COMPLAINTS "complaints"
#define UNAUTHORIZED (-32000)

/* --- Lines --- */

static bool acp_say(struct acp_session *session, char *line)
{
	struct rondo_error ignored;
	AUTO_FREE char *text = line;
	bool taken = false;
	return coprocess_say(session->process, text, SAY_MS, &taken, &ignored) == 0 && taken;
}

static void acp_grant(struct acp_session *session, const struct json_rpc_message *message)
{
	struct json *result = json_object(), *outcome = json_add_object(result, "outcome");
	bool is_over = !session->turn || session->turn->is_cancelled;
	const char *option = is_over ? NULL : acp_permission(message->params);
	json_add_string(outcome, "outcome", option ? "selected" : "cancelled");
	json_add_string(outcome, "optionId", option);
	acp_say(session, json_rpc_result(message->id, result));
}

/* What the agent asks of its client: only permission. */
static void acp_serve(struct acp_session *session, const struct json_rpc_message *message)
{
	if (strcmp(message->method, "session/request_permission") == 0)
		acp_grant(session, message);
	else
		acp_say(session,
			json_rpc_error(
				message->id, JSON_RPC_NO_METHOD, "this client offers no such method", NULL));
}

/* Whether it is the answer to our last request. What answers another one, or nothing, is passed
 * over. */
static bool acp_is_answer(const struct acp_session *session, const struct json_rpc_message *message)
{
	AUTO_ARENA arena = ARENA_INIT;
	bool is_one = message->kind == JSON_RPC_RESULT || message->kind == JSON_RPC_ERROR;
	return is_one && json_rpc_same_id(message->id, acp_last_id(session, &arena));
}

/* Take a line that is no answer of ours. */
static void acp_take(struct acp_session *session, const struct json_rpc_message *message)
{
	bool is_update =
		message->kind == JSON_RPC_NOTIFICATION && strcmp(message->method, "session/update") == 0;
	if (message->kind == JSON_RPC_REQUEST)
		acp_serve(session, message);
	else if (is_update)
		acp_update(session, message->params);
	session->n_bad += message->kind == JSON_RPC_BATCH || message->kind == JSON_RPC_INVALID;
}

/* Take the lines that are there, up to the answer. */
static bool acp_take_lines(
	struct acp_session *session, struct arena *arena, struct acp_answer *answer)
{
	const char *line;
	size_t n;
	enum json_rpc_came came;
	while ((came = json_rpc_lines_next(&session->lines, &line, &n)) != JSON_RPC_NOTHING) {
		AUTO_ARENA scratch = ARENA_INIT;
		struct json_rpc_message message;
		session->n_bad += came == JSON_RPC_TOO_LONG;
		if (came == JSON_RPC_TOO_LONG)
			continue;
		json_rpc_read(line, n, &scratch, &message);
		if (!acp_is_answer(session, &message)) {
			acp_take(session, &message);
			continue;
		}
		json_rpc_read(line, n, arena, &message);
		*answer =
			(struct acp_answer){.end = message.kind == JSON_RPC_RESULT ? ACP_ANSWERED : ACP_REFUSED,
				.result = message.result,
				.code = message.code,
				.text = message.text ? message.text : ""};
		return true;
	}
	return false;
}

/* --- Requests --- */

const char *acp_last_id(const struct acp_session *session, struct arena *arena)
{
	return arena_printf(arena, "%" PRId64, session->n_requests);
}

/* Wait until something came, or time is over. */
static void acp_wait(struct acp_session *session, int64_t until_ms, const struct cancel *cancel)
{
	struct pollfd fds[2 + CANCEL_FDS] = {{.fd = coprocess_fd(session->process), .events = POLLIN},
		{.fd = external_relay_fd(session->relay), .events = POLLIN}};
	size_t n = 2 + cancel_poll(cancel, fds + 2);
	int64_t left_ms = until_ms - clock_now_ms();
	if (poll(fds, n, left_ms < 0 ? 0 : left_ms > 1 << 30 ? 1 << 30 : (int)left_ms) <= 0)
		return;
	if (fds[1].revents && external_relay_collect(session->relay))
		session->heard_ms = clock_now_ms();
}

/* False: it has ended, or says nothing that can be understood. */
static bool acp_hear(struct acp_session *session)
{
	AUTO_STRBUF bytes = STRBUF_INIT(STRBUF_TEXT);
	bool lives = coprocess_take(session->process, &bytes);
	if (bytes.length) {
		session->heard_ms = clock_now_ms();
		json_rpc_lines_feed(&session->lines, bytes.text, bytes.length);
	}
	return (lives || bytes.length) && session->n_bad < BAD_MOST;
}

static enum acp_end acp_end_of(
	const struct acp_session *session, int64_t deadline_ms, const struct cancel *cancel)
{
	if (cancel_reason(cancel))
		return ACP_CANCELLED;
	if (clock_now_ms() >= deadline_ms)
		return ACP_LATE;
	bool is_silent = session->idle_ms && clock_now_ms() - session->heard_ms >= session->idle_ms;
	return is_silent ? ACP_SILENT : ACP_ANSWERED;
}

static void acp_await(struct acp_session *session, int64_t deadline_ms, const struct cancel *cancel,
	struct arena *arena, struct acp_answer *answer)
{
	session->heard_ms = clock_now_ms();
	for (bool lives = true;;) {
		if (acp_take_lines(session, arena, answer))
			return;
		answer->end = lives ? acp_end_of(session, deadline_ms, cancel) : ACP_GONE;
		if (answer->end != ACP_ANSWERED)
			return;
		int64_t silent_ms = session->heard_ms + session->idle_ms;
		acp_wait(
			session, session->idle_ms && silent_ms < deadline_ms ? silent_ms : deadline_ms, cancel);
		lives = acp_hear(session);
	}
}

void acp_ask(struct acp_session *session, const char *method, struct json *params,
	int64_t deadline_ms, const struct cancel *cancel, struct arena *arena,
	struct acp_answer *ret_answer)
{
	session->n_requests++;
	*ret_answer = (struct acp_answer){.end = ACP_GONE, .text = ""};
	if (acp_say(session, json_rpc_request(acp_last_id(session, arena), method, params)))
		acp_await(session, deadline_ms, cancel, arena, ret_answer);
}

bool acp_cancel(struct acp_session *session, struct arena *arena)
{
	struct acp_answer answer = {.text = ""};
	struct json *params = json_object();
	json_add_string(params, "sessionId", session->id);
	if (session->turn)
		session->turn->is_cancelled = true;
	if (!acp_say(session, json_rpc_notification("session/cancel", params)))
		return false;
	acp_await(session, clock_now_ms() + CANCEL_MS, NULL, arena, &answer);
	return answer.end == ACP_ANSWERED || answer.end == ACP_REFUSED;
}

/* --- Its beginning --- */

const char *acp_complaint(const struct agent *agent, struct arena *arena)
{
	const struct external *external = agent->state;
	char bytes[2048], field[COMPLAINT_MOST];
	AUTO_STRBUF text = STRBUF_INIT(STRBUF_LINE), line = STRBUF_INIT(STRBUF_LINE);
	const char *path = arena_printf(arena, "%s/" COMPLAINTS, external->box->executor->cache_dir);
	AUTO_CLOSE fd = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
	off_t size = fd < 0 ? -1 : lseek(fd, 0, SEEK_END);
	off_t from = size > (off_t)sizeof bytes ? size - (off_t)sizeof bytes : 0;
	ssize_t n = size <= 0 ? -1 : pread(fd, bytes, sizeof bytes, from);
	if (n <= 0)
		return "";
	utf8_scrub(&text, bytes, (size_t)n);
	strbuf_rtrim(&text);
	const char *last = strrchr(text.text, '\n');
	utf8_show(&line, last ? last + 1 : text.text);
	utf8_format(field, sizeof field, "%s", line.text);
	return arena_strdup(arena, field);
}

/* Why it could not begin. */
static int acp_fail(struct acp_session *session, const struct agent *agent, const char *method,
	const struct acp_answer *answer, struct rondo_error *err)
{
	AUTO_ARENA arena = ARENA_INIT;
	const char *complaint = acp_complaint(agent, &arena), *login = session->coder->login;
	const char *before = *complaint ? ": " : "";
	char text[CLOCK_DATE_SIZE];
	switch (answer->end) {
	case ACP_CANCELLED:
	case ACP_ANSWERED:
		return error_set(err, RONDO_ERROR_CANNOT_JUDGE, "its answer to %s cannot be used", method);
	case ACP_REFUSED:
		if (answer->code == UNAUTHORIZED) {
			error_set(
				err, RONDO_ERROR_USAGE, "it wants to know who asks (%s: %s)", method, answer->text);
			return error_help(err, "name a model whose key rondo has: --model PROVIDER/NAME%s%s%s",
				login ? " (outside of rondo, '" : "", login ? login : "",
				login ? "' logs in)" : "");
		}
		return error_set(err, RONDO_ERROR_CANNOT_JUDGE, "it refused %s: %s (%" PRId64 ")", method,
			answer->text, answer->code);
	case ACP_SILENT:
	case ACP_LATE:
		clock_format_duration(session->idle_ms, text);
		return error_set(err, RONDO_ERROR_CANNOT_JUDGE, "it did not answer %s within %s%s%s",
			method, text, before, complaint);
	case ACP_GONE:
		break;
	}
	return error_set(err, RONDO_ERROR_CANNOT_JUDGE,
		"it ended before it answered %s (exit code %d)%s%s", method,
		coprocess_exit_code(session->process), before, complaint);
}

/* A request before the first prompt. */
static int acp_begin(struct acp_session *session, const struct agent *agent, const char *method,
	struct json *params, struct acp_answer *answer, struct arena *arena, const struct context *ctx,
	struct rondo_error *err)
{
	acp_ask(session, method, params, clock_now_ms() + START_MS, ctx->cancel, arena, answer);
	if (answer->end == ACP_ANSWERED)
		return 0;
	if (answer->end == ACP_CANCELLED)
		return cancel_error(ctx->cancel, err);
	return acp_fail(session, agent, method, answer, err);
}

static int acp_initialize(struct acp_session *session, const struct agent *agent,
	struct arena *arena, const struct context *ctx, struct rondo_error *err)
{
	struct acp_answer answer;
	struct json *params = json_object(), *can, *files, *info;
	json_add_int(params, "protocolVersion", ACP_VERSION);
	can = json_add_object(params, "clientCapabilities");
	files = json_add_object(can, "fs");
	json_add_bool(files, "readTextFile", false);
	json_add_bool(files, "writeTextFile", false);
	json_add_bool(can, "terminal", false);
	info = json_add_object(params, "clientInfo");
	json_add_string(info, "name", "rondo");
	json_add_string(info, "version", version_text);
	if (acp_begin(session, agent, "initialize", params, &answer, arena, ctx, err) < 0)
		return -1;
	int64_t version = json_int(answer.result, "protocolVersion", -1);
	session->can_load =
		json_bool(json_get(answer.result, "agentCapabilities"), "loadSession", false);
	if (version == ACP_VERSION)
		return 0;
	return error_set(err, RONDO_ERROR_CANNOT_JUDGE,
		"it speaks version %" PRId64 " of the Agent Client Protocol, and rondo speaks version %d",
		version, ACP_VERSION);
}

static struct json *acp_session_params(const struct agent *agent)
{
	const struct external *external = agent->state;
	struct json *params = json_object();
	json_add_string(params, "cwd", executor_tree_at(external->box->executor));
	json_add_array(params, "mcpServers");
	return params;
}

/* An agent that cannot gets a new one. */
static bool acp_load(struct acp_session *session, struct agent *agent, const char *id,
	struct acp_answer *answer, struct arena *arena, const struct context *ctx)
{
	struct rondo_error ignored;
	struct json *params = acp_session_params(agent);
	json_add_string(params, "sessionId", id);
	if (acp_begin(session, agent, "session/load", params, answer, arena, ctx, &ignored) < 0)
		return false;
	session->id = arena_strdup(&agent->arena, id);
	return true;
}

static int acp_new(struct acp_session *session, struct agent *agent, struct acp_answer *answer,
	struct arena *arena, const struct context *ctx, struct rondo_error *err)
{
	if (acp_begin(
			session, agent, "session/new", acp_session_params(agent), answer, arena, ctx, err) < 0)
		return -1;
	const char *id = json_string(answer->result, "sessionId", NULL);
	if (!id)
		return error_set(
			err, RONDO_ERROR_CANNOT_JUDGE, "its answer to session/new names no session");
	session->id = arena_strdup(&agent->arena, id);
	return 0;
}

/* The mode that never asks; where that is refused, what is asked is granted all the same. */
static int acp_set_mode(struct acp_session *session, const struct agent *agent,
	const struct json *result, struct arena *arena, const struct context *ctx,
	struct rondo_error *err)
{
	struct rondo_error refusal;
	struct acp_answer answer;
	const char *mode = acp_mode(session, result);
	if (!mode)
		return 0;
	struct json *params = json_object();
	json_add_string(params, "sessionId", session->id);
	json_add_string(params, "modeId", mode);
	if (acp_begin(session, agent, "session/set_mode", params, &answer, arena, ctx, &refusal) == 0 ||
		answer.end == ACP_REFUSED)
		return 0;
	*err = refusal;
	return -1;
}

static int acp_begin_session(struct acp_session *session, struct agent *agent, const char *loaded,
	bool *ret_is_loaded, const struct context *ctx, struct rondo_error *err)
{
	AUTO_ARENA arena = ARENA_INIT;
	struct acp_answer answer = {.text = ""};
	if (acp_initialize(session, agent, &arena, ctx, err) < 0)
		return -1;
	*ret_is_loaded =
		loaded && session->can_load && acp_load(session, agent, loaded, &answer, &arena, ctx);
	if (!*ret_is_loaded && acp_new(session, agent, &answer, &arena, ctx, err) < 0)
		return -1;
	return acp_set_mode(session, agent, answer.result, &arena, ctx, err);
}

/* Its complaints go into a file, since only its output speaks the protocol. */
static int acp_start(struct acp_session *session, struct agent *agent, const struct context *ctx,
	struct rondo_error *err)
{
	AUTO_ARENA arena = ARENA_INIT;
	const struct external *external = agent->state;
	struct external_box *box = external->box;
	struct context without = *ctx;
	const char *at, *line = box->line;
	without.cancel = NULL; /* it outlives the turn, whose token waits elsewhere */
	if (external_box_put(box, COMPLAINTS, "", &arena, &at, err) < 0)
		return -1;
	if (box->relay)
		line = external_relay_line(box->relay, line, &arena);
	const struct command command = {.line = arena_printf(&arena, "%s 2>>'%s'", line, at)};
	if (executor_open(box->executor, &command, &session->process, &without, err) < 0)
		return -1;
	session->relay = box->relay;
	return session->process
		? 0
		: error_set(err, RONDO_ERROR_USAGE, "this executor keeps no program running");
}

int acp_open(struct acp_session *session, struct agent *agent, const char *loaded,
	bool *ret_is_loaded, const struct context *ctx, struct rondo_error *err)
{
	const struct external_settings *settings = agent->state;
	*session = (struct acp_session){.lines = JSON_RPC_LINES_INIT(JSON_RPC_LIMIT),
		.coder = session->coder,
		.mode = session->mode,
		.idle_ms =
			settings->idle_ms && settings->idle_ms < START_MS ? settings->idle_ms : START_MS};
	if (acp_start(session, agent, ctx, err) < 0)
		return -1;
	if (acp_begin_session(session, agent, loaded, ret_is_loaded, ctx, err) < 0) {
		acp_close(session);
		return -1;
	}
	session->idle_ms = settings->idle_ms;
	return 0;
}

void acp_close(struct acp_session *session)
{
	if (!session->process)
		return;
	int64_t deadline_ms = clock_now_ms() + CLOSE_MS;
	AUTO_STRBUF ignored = STRBUF_INIT(STRBUF_LINE);
	coprocess_end_input(session->process);
	while (clock_now_ms() < deadline_ms && coprocess_take(session->process, &ignored)) {
		acp_wait(session, deadline_ms, NULL);
		strbuf_reset(&ignored);
	}
	coprocess_end(session->process);
	session->process = NULL;
	json_rpc_lines_release(&session->lines);
}
