/* Requests to an agent, and what it sends meanwhile: its own requests, updates, and anything. */
#include <inttypes.h>
#include <poll.h>
#include <string.h>

#include "agents/external/acp.h"
#include "base/clock.h"
#include "base/memory.h"

enum {
	SAY_MS = 10000,   /* until it takes a line */
	CANCEL_MS = 5000, /* until it answers the prompt that was cancelled */
	BAD_MOST = 10000, /* lines that are no message, in all */
};

/* --- Lines --- */

/* The id of the last request, as JSON text in the arena. */
static const char *acp_last_id(const struct acp_session *session, struct arena *arena)
{
	return arena_printf(arena, "%" PRId64, session->n_requests);
}

static bool acp_say(struct acp_session *session, char *line)
{
	struct rondo_error ignored;
	AUTO_FREE char *text = line;
	bool taken = false;
	return coprocess_say(session->process, text, SAY_MS, &taken, &ignored) == 0 && taken;
}

static bool acp_grant(struct acp_session *session, const struct json_rpc_message *message)
{
	struct json *result = json_object(), *outcome = json_add_object(result, "outcome");
	bool is_over = !session->turn || session->turn->is_cancelled;
	const char *option = is_over ? NULL : acp_permission(message->params);
	json_add_string(outcome, "outcome", option ? "selected" : "cancelled");
	json_add_string(outcome, "optionId", option);
	return acp_say(session, json_rpc_result(message->id, result));
}

/* What the agent asks of its client: only permission. False: it has long enough not taken the
 * answer. One that has closed its input may still end its turn. */
static bool acp_serve(struct acp_session *session, const struct json_rpc_message *message)
{
	int64_t start_ms = clock_now_ms();
	bool is_taken = strcmp(message->method, "session/request_permission") == 0
		? acp_grant(session, message)
		: acp_say(session,
			  json_rpc_error(
				  message->id, JSON_RPC_NO_METHOD, "this client offers no such method", NULL));
	return is_taken || clock_now_ms() - start_ms < SAY_MS;
}

/* Whether it is the answer to our last request. What answers another one, or nothing, is passed
 * over. */
static bool acp_is_answer(const struct acp_session *session, const struct json_rpc_message *message)
{
	AUTO_ARENA arena = ARENA_INIT;
	bool is_one = message->kind == JSON_RPC_RESULT || message->kind == JSON_RPC_ERROR;
	return is_one && json_rpc_same_id(message->id, acp_last_id(session, &arena));
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

/* Take a line that is no answer of ours. Answering may have taken time: ACP_ANSWERED where there is
 * still some. */
static enum acp_end acp_take(struct acp_session *session, const struct json_rpc_message *message,
	int64_t deadline_ms, const struct cancel *cancel)
{
	bool is_update =
		message->kind == JSON_RPC_NOTIFICATION && strcmp(message->method, "session/update") == 0;
	if (is_update)
		acp_update(session, message->params);
	session->n_bad += message->kind == JSON_RPC_BATCH || message->kind == JSON_RPC_INVALID;
	if (message->kind != JSON_RPC_REQUEST)
		return ACP_ANSWERED;
	bool listens = acp_serve(session, message);
	enum acp_end end = acp_end_of(session, deadline_ms, cancel);
	return end == ACP_ANSWERED && !listens ? ACP_DEAF : end;
}

/* Take the lines that are there, up to the answer, or until there is no time for more. */
static bool acp_take_lines(struct acp_session *session, int64_t deadline_ms,
	const struct cancel *cancel, struct arena *arena, struct acp_answer *answer)
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
			answer->end = acp_take(session, &message, deadline_ms, cancel);
			if (answer->end == ACP_ANSWERED)
				continue;
			return true;
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

void acp_wait(struct acp_session *session, int64_t until_ms, const struct cancel *cancel)
{
	struct pollfd fds[2 + CANCEL_FDS] = {{.fd = coprocess_fd(session->process), .events = POLLIN},
		{.fd = external_relay_fd(session->relay), .events = POLLIN}};
	size_t n = 2 + cancel_poll(cancel, fds + 2);
	/* What it printed while it was spoken to is there already. */
	int64_t left_ms = coprocess_is_ready(session->process) ? 0 : until_ms - clock_now_ms();
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

static void acp_await(struct acp_session *session, int64_t deadline_ms, const struct cancel *cancel,
	struct arena *arena, struct acp_answer *answer)
{
	session->heard_ms = clock_now_ms();
	for (bool lives = true;;) {
		if (acp_take_lines(session, deadline_ms, cancel, arena, answer))
			return;
		int64_t judged_ms = external_verdicts_heard_ms(session->verdicts);
		session->heard_ms = judged_ms > session->heard_ms ? judged_ms : session->heard_ms;
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
