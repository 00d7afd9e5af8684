/* Tools that run: each in a thread of its own, told of as it goes on, and cancelled alone. */
#include <signal.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/memory.h"
#include "base/thread.h"
#include "base/utf8.h"
#include "run/mcp/mcp.h"

enum { TELL_MS = 5000, BUSY_BYTES = 1 << 20 };

/* --- Progress --- */

/* The lock is held. Whoever does not listen is not told more. */
static void calls_tell(struct mcp_call *call)
{
	AUTO_STRBUF text = STRBUF_INIT(STRBUF_LINE);
	if (!call->token || call->is_cancelled || call->server->n_bytes > BUSY_BYTES)
		return;
	call->told_at_ms = clock_now_ms();
	strbuf_adds(&text, call->stage);
	if (*call->doing)
		strbuf_addf(&text, ": %s", call->doing);
	struct json *params = json_object();
	json_add_raw(params, "progressToken", call->token);
	json_add_int(params, "progress", ++call->progress);
	json_add_string(params, "message", text.text);
	outbox_add_locked(call->server, json_rpc_notification("notifications/progress", params));
}

/* Any thread of the run's. */
static void calls_emit(void *owner, const struct rondo_event *event)
{
	struct mcp_call *call = owner;
	const char *stage = run_stage(event);
	bool is_progress = event->type == RONDO_EVENT_PROGRESS;
	pthread_mutex_lock(&call->server->lock);
	bool changes = stage && strcmp(stage, call->stage) != 0;
	if (event->type == RONDO_EVENT_RUN_START)
		utf8_format(call->run, sizeof call->run, "%s", event->text);
	if (changes)
		call->stage = stage;
	if (is_progress && event->source)
		utf8_format(call->doing, sizeof call->doing, "%s: %s", event->source, event->text);
	else if (event->type == RONDO_EVENT_TURN_START)
		utf8_format(call->doing, sizeof call->doing, "turn %d, %s", event->turn, event->source);
	else if (changes)
		utf8_format(call->doing, sizeof call->doing, "%s",
			event->type == RONDO_EVENT_BASELINE && event->text ? event->text : "");
	if (changes || (is_progress && clock_now_ms() - call->told_at_ms >= TELL_MS))
		calls_tell(call);
	pthread_mutex_unlock(&call->server->lock);
}

struct context calls_context(struct mcp_call *call)
{
	return (struct context){.emit = {calls_emit, call}, .cancel = &call->cancel};
}

/* --- One call --- */

void calls_free(struct mcp_call *call)
{
	if (call->cancel.fd >= 0)
		cancel_release(&call->cancel);
	arena_release(&call->arena);
	free(call);
}

static void calls_add_text(struct json *content, const char *text)
{
	struct json *block = json_add_object(content, NULL);
	json_add_string(block, "type", "text");
	json_add_string(block, "text", text);
}

/* What cannot be judged and what was refused are told apart: only the first is an error. */
static struct json *calls_result(struct mcp_call *call, struct mcp_result *result)
{
	struct json *answer = json_object(), *content = json_add_array(answer, "content");
	if (result->failure)
		calls_add_text(content, result->failure);
	if (result->structured) {
		AUTO_FREE char *text = json_print(result->structured);
		calls_add_text(content, text);
	}
	if (result->run)
		resources_add_links(content, result->run, &call->arena);
	json_add(answer, "structuredContent", STEAL(&result->structured));
	if (result->failure)
		json_add_bool(answer, "isError", true);
	return answer;
}

static void calls_fail(
	struct mcp_call *call, struct mcp_result *result, const struct rondo_error *err)
{
	json_free(STEAL(&result->structured));
	result->run = NULL;
	result->failure =
		arena_printf(&call->arena, "%s%s%s", err->message, *err->help ? "\nhelp: " : "", err->help);
}

static void *calls_run(void *owner)
{
	struct mcp_call *call = owner;
	struct mcp_server *server = call->server;
	struct mcp_result result = {0};
	struct rondo_error err = {0};
	int status = call->tool->run(call->state, call, &result, &err);
	bool is_silent = status < 0 && cancel_reason(&call->cancel);
	if (status < 0)
		calls_fail(call, &result, &err);
	char *line = protocol_result(call->id, call->is_modern, calls_result(call, &result));
	pthread_mutex_lock(&server->lock);
	if (call->is_cancelled || is_silent)
		free(line);
	else
		outbox_add_locked(server, line);
	call->is_done = true;
	pthread_cond_broadcast(&server->changed);
	pthread_mutex_unlock(&server->lock);
	return NULL;
}

/* --- All of them --- */

static size_t calls_count(const struct mcp_server *server)
{
	size_t n = 0;
	for (const struct mcp_call *call = server->calls; call; call = call->next)
		n += !call->is_done;
	return n;
}

static void calls_link(struct mcp_call *call)
{
	struct mcp_server *server = call->server;
	pthread_mutex_lock(&server->lock);
	call->next = server->calls;
	server->calls = call;
	pthread_mutex_unlock(&server->lock);
}

static void calls_unlink(struct mcp_call *call)
{
	struct mcp_call **at = &call->server->calls;
	pthread_mutex_lock(&call->server->lock);
	while (*at != call)
		at = &(*at)->next;
	*at = call->next;
	pthread_mutex_unlock(&call->server->lock);
}

int calls_start(struct mcp_call *call, struct rondo_error *err)
{
	struct mcp_server *server = call->server;
	calls_tick(server);
	pthread_mutex_lock(&server->lock);
	size_t n = calls_count(server);
	pthread_mutex_unlock(&server->lock);
	if (n >= server->offer->most_calls)
		return error_set(err, RONDO_ERROR_TRANSIENT,
			"%zu calls go on: wait until one has ended, or cancel one", n);
	if (cancel_init(&call->cancel, &server->cancel, 0, err) < 0)
		return -1;
	call->started_at_ms = call->told_at_ms = clock_now_ms();
	call->stage = "preparing";
	calls_link(call);
	if (thread_start(&call->thread, calls_run, call) == 0)
		return 0;
	calls_unlink(call);
	return error_set(err, RONDO_ERROR_TRANSIENT, "cannot start a thread");
}

static struct mcp_call *calls_find(const struct mcp_server *server, const char *id)
{
	for (struct mcp_call *call = server->calls; call; call = call->next)
		if (!call->is_done && json_rpc_same_id(call->id, id))
			return call;
	return NULL;
}

void calls_cancel(struct mcp_server *server, const char *id)
{
	pthread_mutex_lock(&server->lock);
	struct mcp_call *call = calls_find(server, id);
	if (call) {
		call->is_cancelled = true;
		cancel_fire(&call->cancel, SIGTERM);
	}
	pthread_mutex_unlock(&server->lock);
}

bool calls_have(struct mcp_server *server, const char *id)
{
	pthread_mutex_lock(&server->lock);
	bool found = calls_find(server, id);
	pthread_mutex_unlock(&server->lock);
	return found;
}

/* One that has ended and is joined; NULL: there is none. */
static struct mcp_call *calls_ended(struct mcp_server *server)
{
	pthread_mutex_lock(&server->lock);
	struct mcp_call *call = server->calls;
	while (call && !call->is_done)
		call = call->next;
	pthread_mutex_unlock(&server->lock);
	return call;
}

void calls_tick(struct mcp_server *server)
{
	for (struct mcp_call *call; (call = calls_ended(server));) {
		pthread_join(call->thread, NULL);
		calls_unlink(call);
		calls_free(call);
	}
	pthread_mutex_lock(&server->lock);
	for (struct mcp_call *call = server->calls; call; call = call->next)
		if (!call->is_done && clock_now_ms() - call->told_at_ms >= TELL_MS)
			calls_tell(call);
	pthread_mutex_unlock(&server->lock);
}

void calls_end(struct mcp_server *server)
{
	cancel_fire(&server->cancel, SIGTERM);
	pthread_mutex_lock(&server->lock);
	pthread_cond_broadcast(&server->changed); /* for who waits for the client's roots */
	while (calls_count(server))
		pthread_cond_wait(&server->changed, &server->lock);
	pthread_mutex_unlock(&server->lock);
	calls_tick(server);
}
