/* The bytes of an answer: counted, without the key, and sent on as they come. */
#include <ctype.h>
#include <string.h>
#include <strings.h>

#include "base/memory.h"
#include "models/relay/relay_parts.h"

#define LARGEST_EVENT ((size_t)1 << 20) /* that is held until it is whole */
#define MOST_HEADERS ((size_t)32 << 10)
#define MOST_ERROR ((size_t)64 << 10)

void relay_answer_init(struct relay_answer *answer, struct relay_call *call, bool hides_usage)
{
	*answer = (struct relay_answer){.call = call,
		.headers = STRBUF_INIT(MOST_HEADERS),
		.events = STRBUF_INIT(STRBUF_RECORD),
		.held = STRBUF_INIT(STRBUF_RECORD),
		.out = STRBUF_INIT(STRBUF_RECORD),
		.error = STRBUF_INIT(MOST_ERROR),
		.hides_usage = hides_usage,
		.may_ask_anew = hides_usage};
	relay_count_init(
		&answer->count, call->route->dialect, call->connection->relay->options.secrets);
}

void relay_answer_release(struct relay_answer *answer)
{
	strbuf_release(&answer->headers);
	strbuf_release(&answer->events);
	strbuf_release(&answer->held);
	strbuf_release(&answer->out);
	strbuf_release(&answer->error);
	relay_count_release(&answer->count);
}

/* --- The head --- */

/* libcurl has unpacked what was packed all the same; what it says of the length holds no more. */
static bool relay_answer_keeps(const char *name, const char *value)
{
	static const char *const dropped[] = {"Content-Encoding", "Set-Cookie", "Set-Cookie2",
		"Strict-Transport-Security", "Public-Key-Pins"};
	for (size_t i = 0; i < ARRAY_SIZE(dropped); i++)
		if (strcasecmp(dropped[i], name) == 0)
			return false;
	for (const char *c = value; *c; c++)
		if (iscntrl((unsigned char)*c) && *c != '\t')
			return false;
	return !relay_route_is_hop(name);
}

void relay_answer_header(void *owner, const char *name, const char *value)
{
	struct relay_answer *answer = owner;
	size_t n = strlen(name) + strlen(value) + 4;
	if (!relay_answer_keeps(name, value) || answer->headers.length + n > MOST_HEADERS / 2)
		return;
	strbuf_addf(&answer->headers, "%s: ", name);
	secrets_redact(&answer->call->connection->relay->key, &answer->headers, value, strlen(value));
	strbuf_adds(&answer->headers, "\r\n");
}

static bool relay_answer_has_body(const struct relay_answer *answer)
{
	return answer->response.status != 204 && answer->response.status != 304;
}

static bool relay_answer_is_chunked(const struct relay_answer *answer)
{
	return relay_answer_has_body(answer) && answer->call->request->minor == 1;
}

static void relay_answer_begin(struct relay_answer *answer)
{
	struct relay_call *call = answer->call;
	int status = answer->response.status;
	if (answer->is_begun)
		return;
	answer->is_begun = true;
	call->keeps = call->keeps && (!relay_answer_has_body(answer) || call->request->minor == 1);
	strbuf_addf(&answer->out, "HTTP/1.1 %d %s\r\n", status, relay_refusal_phrase(status));
	strbuf_add(&answer->out, answer->headers.text, answer->headers.length);
	if (relay_answer_is_chunked(answer))
		strbuf_adds(&answer->out, "Transfer-Encoding: chunked\r\n");
	strbuf_addf(&answer->out, "Connection: %s\r\n\r\n", call->keeps ? "keep-alive" : "close");
}

/* --- The body --- */

static void relay_answer_drop(struct strbuf *sb, size_t n)
{
	if (!n)
		return;
	memmove(sb->text, sb->text + n, sb->length - n);
	strbuf_truncate(sb, sb->length - n);
}

/* What cannot hold a part of the key is due; at the end all is. */
static void relay_answer_pass(struct relay_answer *answer, bool is_end)
{
	struct relay *relay = answer->call->connection->relay;
	struct strbuf *held = &answer->held;
	AUTO_STRBUF clean = STRBUF_INIT(STRBUF_RECORD);
	size_t whole = is_end ? held->length : secrets_whole(&relay->key, held->text, held->length);
	secrets_redact(&relay->key, &clean, held->text, whole);
	relay_answer_drop(held, whole);
	if (!clean.length)
		return;
	if (relay_answer_is_chunked(answer))
		strbuf_addf(&answer->out, "%zx\r\n", clean.length);
	strbuf_add(&answer->out, clean.text, clean.length);
	if (relay_answer_is_chunked(answer))
		strbuf_adds(&answer->out, "\r\n");
}

static bool relay_answer_flush(struct relay_answer *answer)
{
	struct relay_connection *connection = answer->call->connection;
	if (!answer->has_gone && answer->out.length)
		answer->has_gone = !relay_connection_send(connection, answer->out.text, answer->out.length);
	strbuf_reset(&answer->out);
	return !answer->has_gone;
}

/* Whether an event says nothing but what the call cost. */
static bool relay_answer_is_usage(const char *event, size_t n)
{
	struct rondo_error err;
	static const char mark[] = "data:";
	const char *data = memmem(event, n, mark, strlen(mark));
	if (!data || !memmem(event, n, "\"usage\"", 7))
		return false;
	data += strlen(mark);
	size_t line = (size_t)(event + n - data);
	const char *end = memchr(data, '\n', line);
	AUTO_JSON *json = json_parse(data, end ? (size_t)(end - data) : line, &err);
	const struct json *choices = json_get(json, "choices");
	return json_is_array(choices) && !json_count(choices) &&
		json_is_object(json_get(json, "usage"));
}

/* The length of the first event with its empty line; 0: it is not whole. */
static size_t relay_answer_event(const char *text, size_t n)
{
	const char *lf = memmem(text, n, "\n\n", 2), *crlf = memmem(text, n, "\r\n\r\n", 4);
	if (lf && (!crlf || lf < crlf))
		return (size_t)(lf - text) + 2;
	return crlf ? (size_t)(crlf - text) + 4 : 0;
}

/* Pass on whole events without the one that only says what the call cost. */
static void relay_answer_events(struct relay_answer *answer, const char *bytes, size_t n)
{
	struct strbuf *events = &answer->events;
	size_t at = 0;
	strbuf_add(events, bytes, n);
	for (size_t size; (size = relay_answer_event(events->text + at, events->length - at));
		 at += size)
		if (!relay_answer_is_usage(events->text + at, size))
			strbuf_add(&answer->held, events->text + at, size);
	relay_answer_drop(events, at);
	if (events->length < LARGEST_EVENT)
		return;
	answer->hides_usage = false;
	strbuf_add(&answer->held, events->text, events->length);
	strbuf_reset(events);
}

bool relay_answer_is_good(const struct relay_answer *answer)
{
	return answer->response.status >= 200 && answer->response.status < 300;
}

enum http_taken relay_answer_take(void *owner, const char *bytes, size_t n)
{
	struct relay_answer *answer = owner;
	if (!answer->is_begun)
		relay_count_begin(&answer->count, answer->response.content_type);
	if (relay_answer_is_good(answer) && answer->call->route->is_call)
		relay_count_feed(&answer->count, bytes, n);
	else if (!relay_answer_is_good(answer))
		strbuf_add(&answer->error, bytes, n);
	bool waits = answer->may_ask_anew && !relay_answer_is_good(answer);
	if (waits && answer->error.length < MOST_ERROR / 2)
		return HTTP_USED;
	if (waits) { /* it is no error of a model's host */
		strbuf_add(&answer->held, answer->error.text, answer->error.length - n);
		answer->may_ask_anew = false;
	}
	relay_answer_begin(answer);
	if (answer->hides_usage && relay_answer_is_good(answer) && answer->count.is_stream)
		relay_answer_events(answer, bytes, n);
	else
		strbuf_add(&answer->held, bytes, n);
	relay_answer_pass(answer, false);
	return relay_answer_flush(answer) ? HTTP_USED : HTTP_STOP;
}

bool relay_answer_finish(struct relay_answer *answer)
{
	bool waits = !answer->is_begun && answer->may_ask_anew;
	if (waits)
		strbuf_add(&answer->held, answer->error.text, answer->error.length);
	relay_answer_begin(answer);
	strbuf_add(&answer->held, answer->events.text, answer->events.length);
	relay_answer_pass(answer, true);
	if (relay_answer_is_chunked(answer))
		strbuf_adds(&answer->out, "0\r\n\r\n");
	return relay_answer_flush(answer);
}
