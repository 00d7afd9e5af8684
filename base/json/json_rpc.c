#include "base/json/json_rpc.h"

#include <errno.h>
#include <limits.h>
#include <math.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/memory.h"

#define SPACE " \t\r"

/* --- Bytes to lines --- */

void json_rpc_lines_feed(struct json_rpc_lines *lines, const char *bytes, size_t n)
{
	struct strbuf *text = &lines->text;
	if (lines->at) {
		memmove(text->text, text->text + lines->at, text->length - lines->at);
		strbuf_truncate(text, text->length - lines->at);
		lines->searched -= lines->at;
		lines->at = 0;
	}
	strbuf_add(text, bytes, n);
}

/* Where a line ends that is there as a whole. */
static const char *lines_newline(struct json_rpc_lines *lines)
{
	struct strbuf *text = &lines->text;
	const char *newline =
		memchr(text->text + lines->searched, '\n', text->length - lines->searched);
	lines->searched = newline ? (size_t)(newline - text->text) + 1 : text->length;
	return newline;
}

/* What is there of a line without an end: it is kept, unless it is too long by now. */
static enum json_rpc_came lines_keep(struct json_rpc_lines *lines)
{
	size_t n = lines->text.length - lines->at;
	n -= n && lines->text.text[lines->text.length - 1] == '\r';
	bool is_too_long = !lines->skips && n > lines->limit;
	lines->skips |= is_too_long;
	if (lines->skips)
		lines->at = lines->text.length;
	return is_too_long ? JSON_RPC_TOO_LONG : JSON_RPC_NOTHING;
}

enum json_rpc_came json_rpc_lines_next(
	struct json_rpc_lines *lines, const char **ret_line, size_t *ret_n)
{
	for (;;) {
		const char *newline = lines_newline(lines);
		if (!newline)
			return lines_keep(lines);
		const char *line = lines->text.text + lines->at;
		size_t n = (size_t)(newline - line);
		bool was_skipped = lines->skips;
		lines->at = lines->searched;
		lines->skips = false;
		if (was_skipped)
			continue;
		n -= n && line[n - 1] == '\r';
		if (n > lines->limit)
			return JSON_RPC_TOO_LONG;
		size_t blank = 0;
		while (blank < n && strchr(SPACE, line[blank]))
			blank++;
		if (blank == n)
			continue;
		*ret_line = line;
		*ret_n = n;
		return JSON_RPC_LINE;
	}
}

void json_rpc_lines_release(struct json_rpc_lines *lines)
{
	strbuf_release(&lines->text);
	lines->at = lines->searched = 0;
	lines->skips = false;
}

/* --- A line to a message --- */

static void message_free_tree(void *owner)
{
	json_free(owner);
}

static void message_refuse(struct json_rpc_message *message, int64_t code, const char *text)
{
	message->kind = JSON_RPC_INVALID;
	message->code = code;
	message->text = text;
}

static bool is_id(const struct json *item)
{
	return json_text(item, NULL) || json_is_number(item);
}

/* The text of a member that is an id; NULL: it is none. */
static const char *message_id(
	const struct json *object, const char *line, size_t n, const char *key, struct arena *arena)
{
	const struct json *item = json_get(object, key);
	size_t length = 0;
	if (!is_id(item))
		return NULL;
	const char *text = json_member_text(line, n, key, &length);
	return text ? arena_strndup(arena, text, length) : json_print_in(item, arena);
}

/* So, too, of a line that is no JSON, for who waits for an answer. */
static const char *message_guessed_id(const char *line, size_t n, struct arena *arena)
{
	struct rondo_error err;
	size_t length = 0;
	const char *text = json_member_text(line, n, "id", &length);
	AUTO_JSON *id = text ? json_parse(text, length, &err) : NULL;
	return is_id(id) ? arena_strndup(arena, text, length) : NULL;
}

static bool is_structured(const struct json *item)
{
	return !item || json_is_object(item) || json_is_array(item);
}

static void message_call(const struct json *json, struct json_rpc_message *message)
{
	message->kind = json_get(json, "id") ? JSON_RPC_REQUEST : JSON_RPC_NOTIFICATION;
	message->method = json_string(json, "method", NULL);
	message->params = json_get(json, "params");
	if (!message->method)
		message_refuse(message, JSON_RPC_INVALID_REQUEST, "method is not a string");
	else if (message->kind == JSON_RPC_REQUEST && !message->id)
		message_refuse(message, JSON_RPC_INVALID_REQUEST, "id is neither a number nor a string");
	else if (!is_structured(message->params))
		message_refuse(
			message, JSON_RPC_INVALID_REQUEST, "params is neither an object nor an array");
}

static void message_answer(const struct json *json, struct json_rpc_message *message)
{
	const struct json *error = json_get(json, "error");
	message->result = json_get(json, "result");
	message->kind = error ? JSON_RPC_ERROR : JSON_RPC_RESULT;
	if (!error == !message->result) {
		message_refuse(message, JSON_RPC_INVALID_REQUEST,
			error ? "both result and error" : "there is no method, result or error");
	} else if (error && !json_is_number(json_get(error, "code"))) {
		message_refuse(message, JSON_RPC_INVALID_REQUEST, "error has no code");
	} else if (!error && !message->id) {
		message_refuse(message, JSON_RPC_INVALID_REQUEST, "a result without an id");
	} else if (error) {
		message->code = json_int(error, "code", JSON_RPC_INTERNAL_ERROR);
		message->text = json_string(error, "message", "");
		message->data = json_get(error, "data");
	}
}

void json_rpc_read(
	const char *line, size_t n, struct arena *arena, struct json_rpc_message *ret_message)
{
	struct rondo_error err;
	*ret_message = (struct json_rpc_message){.kind = JSON_RPC_INVALID};
	struct json *json = json_parse(line, n, &err);
	if (!json) {
		message_refuse(ret_message, JSON_RPC_PARSE_ERROR, arena_strdup(arena, err.message));
		ret_message->id = message_guessed_id(line, n, arena);
		return;
	}
	arena_defer(arena, message_free_tree, json);
	if (json_is_array(json)) {
		ret_message->kind = JSON_RPC_BATCH;
		ret_message->batch = json;
		return;
	}
	ret_message->id = message_id(json, line, n, "id", arena);
	if (!json_is_object(json))
		message_refuse(ret_message, JSON_RPC_INVALID_REQUEST, "not an object");
	else if (strcmp(json_string(json, "jsonrpc", ""), "2.0") != 0)
		message_refuse(ret_message, JSON_RPC_INVALID_REQUEST, "jsonrpc is not \"2.0\"");
	else if (json_get(json, "method"))
		message_call(json, ret_message);
	else
		message_answer(json, ret_message);
}

bool json_rpc_same_id(const char *a, const char *b)
{
	struct rondo_error err;
	if (!a || !b || strcmp(a, b) == 0)
		return a && b;
	AUTO_JSON *first = json_parse(a, strlen(a), &err);
	AUTO_JSON *second = json_parse(b, strlen(b), &err);
	const char *text = json_text(first, NULL), *other = json_text(second, NULL);
	if (text || other)
		return text && other && strcmp(text, other) == 0;
	/* Beyond what a double holds exactly, only the same digits are the same. */
	double number = json_real(first, NAN);
	return number == json_real(second, NAN) && fabs(number) < 0x1p53;
}

const char *json_rpc_id_in_params(const char *line, size_t n, const char *key, struct arena *arena)
{
	struct rondo_error err;
	size_t length = 0;
	const char *text = json_member_text(line, n, "params", &length);
	AUTO_JSON *params = text ? json_parse(text, length, &err) : NULL;
	return params ? message_id(params, text, length, key, arena) : NULL;
}

/* --- A message to a line --- */

static struct json *message_begin(const char *id)
{
	struct json *json = json_object();
	json_add_string(json, "jsonrpc", "2.0");
	json_add_raw(json, "id", id);
	return json;
}

static char *message_print(struct json *json)
{
	char *line = json_print(json);
	json_free(json);
	return line;
}

char *json_rpc_request(const char *id, const char *method, struct json *params)
{
	struct json *json = message_begin(id);
	json_add_string(json, "method", method);
	json_add(json, "params", params);
	return message_print(json);
}

char *json_rpc_notification(const char *method, struct json *params)
{
	return json_rpc_request(NULL, method, params);
}

char *json_rpc_result(const char *id, struct json *result)
{
	struct json *json = message_begin(id);
	json_add(json, "result", result ? result : json_object());
	return message_print(json);
}

char *json_rpc_error(const char *id, int64_t code, const char *text, struct json *data)
{
	struct json *json = message_begin(id ? id : "null");
	struct json *error = json_add_object(json, "error");
	json_add_int(error, "code", code);
	json_add_string(error, "message", text);
	json_add(error, "data", data);
	return message_print(json);
}

/* --- Descriptors --- */

/* Wait for a descriptor, at most up to the deadline (below 0: there is none). 1: it is ready; 0:
 * time is over; -1 when cancelled. */
static int wait_for(
	int fd, short events, int64_t deadline_ms, const struct cancel *cancel, struct rondo_error *err)
{
	for (;;) {
		struct pollfd fds[1 + CANCEL_FDS] = {{.fd = fd, .events = events}};
		size_t n = 1 + cancel_poll(cancel, fds + 1);
		int64_t left = deadline_ms < 0 ? -1 : deadline_ms - clock_now_ms();
		left = deadline_ms >= 0 && left < 0 ? 0 : left > INT_MAX ? INT_MAX : left;
		int ready = poll(fds, n, (int)left);
		if (cancel_reason(cancel))
			return cancel_error(cancel, err);
		if (ready > 0 && fds[0].revents)
			return 1;
		if (ready == 0)
			return 0;
	}
}

int json_rpc_hear(struct json_rpc_lines *lines, int fd, int64_t timeout_ms,
	const struct cancel *cancel, const char **ret_line, size_t *ret_n, enum json_rpc_came *ret_came,
	struct rondo_error *err)
{
	int64_t deadline_ms = timeout_ms < 0 ? -1 : clock_now_ms() + timeout_ms;
	char bytes[65536];
	for (;;) {
		*ret_came = json_rpc_lines_next(lines, ret_line, ret_n);
		if (*ret_came != JSON_RPC_NOTHING)
			return 0;
		int ready = wait_for(fd, POLLIN, deadline_ms, cancel, err);
		if (ready <= 0)
			return ready;
		ssize_t n = read(fd, bytes, sizeof bytes);
		if (n > 0) {
			json_rpc_lines_feed(lines, bytes, (size_t)n);
		} else if (n == 0 || (errno != EINTR && errno != EAGAIN)) {
			*ret_came = JSON_RPC_ENDED;
			return 0;
		}
	}
}

/* A pipe that is ready takes so much without waiting, and so does a socket. */
static ssize_t write_some(int fd, const char *bytes, size_t n)
{
	return write(fd, bytes, n < PIPE_BUF ? n : PIPE_BUF);
}

int json_rpc_say(int fd, const char *line, int64_t timeout_ms, const struct cancel *cancel,
	bool *ret_taken, struct rondo_error *err)
{
	int64_t deadline_ms = timeout_ms < 0 ? -1 : clock_now_ms() + timeout_ms;
	size_t length = strlen(line);
	*ret_taken = false;
	for (size_t sent = 0; sent <= length;) {
		int ready = wait_for(fd, POLLOUT, deadline_ms, cancel, err);
		if (ready <= 0)
			return ready;
		ssize_t n =
			sent < length ? write_some(fd, line + sent, length - sent) : write_some(fd, "\n", 1);
		if (n < 0 && errno != EINTR && errno != EAGAIN)
			return 0;
		if (n > 0) {
			sent += (size_t)n;
			deadline_ms = timeout_ms < 0 ? -1 : clock_now_ms() + timeout_ms; /* it listens */
		}
	}
	*ret_taken = true;
	return 0;
}
