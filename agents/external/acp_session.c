/* The beginning and the end of a session. */
#include <fcntl.h>
#include <inttypes.h>
#include <string.h>
#include <unistd.h>

#include "agents/external/acp.h"
#include "base/clock.h"
#include "base/memory.h"
#include "base/utf8.h"
#include "base/version.h"

enum {
	START_MS = 60000, /* for each request before the first prompt */
	CLOSE_MS = 2000,  /* from the end of its input until it is killed */
	COMPLAINT_MOST = 300,
};

#define COMPLAINTS "complaints"
#define UNAUTHORIZED (-32000)

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
	case ACP_DEAF:
		return error_set(
			err, RONDO_ERROR_CANNOT_JUDGE, "it asks, and does not listen to the answer");
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

/* Of the transports every agent has this one: a program that it starts. */
static void acp_add_server(struct json *servers, const struct external_verdicts *verdicts)
{
	const char *program = external_verdicts_program(verdicts);
	const char *const words[] = {"mcp", "--connect", external_verdicts_socket(verdicts)};
	if (!program)
		return;
	struct json *server = json_add_object(servers, NULL);
	json_add_string(server, "name", "rondo");
	json_add_string(server, "command", program);
	json_add_strings(server, "args", words, ARRAY_SIZE(words));
	json_add_array(server, "env");
}

static struct json *acp_session_params(const struct agent *agent)
{
	const struct external *external = agent->state;
	struct json *params = json_object();
	json_add_string(params, "cwd", executor_tree_at(external->box->executor));
	acp_add_server(json_add_array(params, "mcpServers"), external->box->verdicts);
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
	if (external_box_prepare(box, err) < 0 ||
		external_box_put(box, COMPLAINTS, "", &arena, &at, err) < 0)
		return -1;
	if (box->relay)
		line = external_relay_line(box->relay, line, &arena);
	AUTO_STRBUF complaints = STRBUF_INIT(STRBUF_LINE);
	strbuf_add_word(&complaints, at);
	const struct command command = {
		.line = arena_printf(&arena, "%s 2>>%s", line, complaints.text)};
	if (executor_open(box->executor, &command, &session->process, &without, err) < 0)
		return -1;
	session->relay = box->relay;
	session->verdicts = box->verdicts;
	return session->process
		? 0
		: error_set(err, RONDO_ERROR_USAGE, "this executor keeps no program running");
}

/* It has ended over a session that it cannot load, or is silent. */
static int acp_start_anew(struct acp_session *session, struct agent *agent, struct arena *arena,
	const struct context *ctx, struct rondo_error *err)
{
	acp_close(session);
	if (cancel_reason(ctx->cancel))
		return cancel_error(ctx->cancel, err);
	return acp_start(session, agent, ctx, err) < 0
		? -1
		: acp_initialize(session, agent, arena, ctx, err);
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
	bool is_lost = answer.end != ACP_ANSWERED && answer.end != ACP_REFUSED;
	if (is_lost && acp_start_anew(session, agent, &arena, ctx, err) < 0)
		return -1;
	if (!*ret_is_loaded && acp_new(session, agent, &answer, &arena, ctx, err) < 0)
		return -1;
	return acp_set_mode(session, agent, answer.result, &arena, ctx, err);
}

int acp_open(struct acp_session *session, struct agent *agent, const char *loaded,
	bool *ret_is_loaded, const struct context *ctx, struct rondo_error *err)
{
	const struct external_settings *settings = external_settings_of(agent);
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
