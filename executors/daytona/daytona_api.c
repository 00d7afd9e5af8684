/* Requests to Daytona, and what its errors mean. */
#include <ctype.h>
#include <string.h>

#include "base/clock.h"
#include "base/file.h"
#include "base/memory.h"
#include "base/utf8.h"
#include "executors/daytona/daytona.h"

#define LARGEST_ANSWER ((size_t)4 << 20)

/* A request and its answer. */
struct exchange {
	const struct daytona_call *call;
	struct http_response response;
	struct strbuf body;
	bool is_stuck; /* the descriptor cannot be written */
};

static enum http_taken daytona_take(void *owner, const char *bytes, size_t n)
{
	struct exchange *exchange = owner;
	bool to_fd = exchange->call->fd > 0 && exchange->response.status == 200;
	if (!to_fd)
		strbuf_add(&exchange->body, bytes, n);
	else if (file_write_all(exchange->call->fd, bytes, n) < 0)
		exchange->is_stuck = true;
	return exchange->is_stuck ? HTTP_STOP : HTTP_USED;
}

static ssize_t daytona_give(void *owner, char *bytes, size_t n)
{
	const struct exchange *exchange = owner;
	return exchange->call->give(exchange->call->owner, bytes, n);
}

/* The server's message on one line, as it is shown: without keys, also one that an escape makes. */
static void daytona_quote_answer(
	const struct daytona_api *api, const struct strbuf *body, char *field, size_t size)
{
	struct rondo_error ignored;
	AUTO_STRBUF plain = STRBUF_INIT(STRBUF_LINE);
	AUTO_STRBUF shown = STRBUF_INIT(STRBUF_LINE);
	AUTO_JSON *json = json_parse(body->text, body->length, &ignored);
	const struct json *list = json_get(json, "message");
	const char *text = json_string(
		json, "message", json_text(json_first(list), json_string(json, "error", "")));
	utf8_show(&shown, text);
	secrets_redact(api->secrets, &plain, shown.text, shown.length);
	for (char *c = plain.text; *c; c++)
		if (isspace((unsigned char)*c))
			*c = ' ';
	utf8_format(field, size, "%s", plain.text);
}

static bool daytona_is_page(const struct exchange *exchange)
{
	const char *text = exchange->body.text + strspn(exchange->body.text, " \t\r\n");
	return *text == '<' || strstr(exchange->response.content_type, "text/html");
}

static int daytona_explain_page(const struct daytona_api *api, int status, struct rondo_error *err)
{
	error_set(err, status >= 500 ? RONDO_ERROR_TRANSIENT : RONDO_ERROR_USAGE,
		"%s answers with a page for people, not with JSON (HTTP %d)", api->url, status);
	return error_help(err,
		"set DAYTONA_API_URL or the option api_url to the API itself, such as "
		"https://app.daytona.io/api");
}

/* What a status means, and what mends it. */
static const struct {
	int status;
	enum rondo_error_code code;
	const char *meaning, *help;
} meanings[] = {
	{400, RONDO_ERROR_USAGE, "Daytona refuses that", ""},
	{401, RONDO_ERROR_USAGE, "Daytona does not accept the key in DAYTONA_API_KEY",
		"make a key at https://app.daytona.io/dashboard/keys and set DAYTONA_API_KEY to it"},
	{403, RONDO_ERROR_USAGE, "the key in DAYTONA_API_KEY may not do that",
		"give the key the right to write and delete sandboxes, or choose another 'target'"},
	{404, RONDO_ERROR_USAGE, "there is no such thing at Daytona",
		"check DAYTONA_API_URL, 'snapshot' and 'target'"},
	{408, RONDO_ERROR_TRANSIENT, "it took Daytona too long", ""},
	{409, RONDO_ERROR_TRANSIENT, "it is in conflict with what is there", ""},
	{429, RONDO_ERROR_TRANSIENT, "too many requests for this key",
		"try again later, or ask Daytona for a higher limit"},
};

static int daytona_explain(const struct daytona_api *api, const struct exchange *exchange,
	int64_t tries, struct rondo_error *err)
{
	char said[400], after[64] = "";
	int status = exchange->response.status;
	const char *meaning = "Daytona's server failed", *help = "";
	enum rondo_error_code code = RONDO_ERROR_TRANSIENT;
	if (daytona_is_page(exchange))
		return daytona_explain_page(api, status, err);
	for (size_t i = 0; i < ARRAY_SIZE(meanings); i++)
		if (meanings[i].status == status) {
			meaning = meanings[i].meaning;
			help = meanings[i].help;
			code = meanings[i].code;
		}
	daytona_quote_answer(api, &exchange->body, said, sizeof said);
	if (tries > 1)
		snprintf(after, sizeof after, " after %d tries", (int)tries);
	error_set(err, code, "%s%s (HTTP %d%s%s)", meaning, after, status, *said ? ": " : "", said);
	return *help ? error_help(err, "%s", help) : -1;
}

static int daytona_parse(const struct daytona_api *api, const struct exchange *exchange,
	struct json **ret_json, struct rondo_error *err)
{
	struct rondo_error fault;
	if (!exchange->body.length) {
		*ret_json = NULL;
		return 0;
	}
	struct json *json = json_parse(exchange->body.text, exchange->body.length, &fault);
	if (!json && daytona_is_page(exchange))
		return daytona_explain_page(api, exchange->response.status, err);
	if (!json)
		return error_set(err, RONDO_ERROR_TRANSIENT, "Daytona's answer is no JSON: %s",
			fault.message);
	*ret_json = json;
	return 0;
}

static int daytona_send(const struct daytona_api *api, struct daytona_call *call, const char *body,
	struct exchange *exchange, const struct cancel *cancel, struct rondo_error *err)
{
	AUTO_STRBUF key = STRBUF_INIT(STRBUF_LINE);
	AUTO_STRBUF type = STRBUF_INIT(256);
	strbuf_addf(&key, "Authorization: Bearer %s", api->key);
	strbuf_addf(&type, "Content-Type: %s", call->type ? call->type : "application/json");
	const char *headers[] = {key.text, "Accept: application/json", "X-Daytona-Source: rondo",
		body || call->give ? type.text : NULL, NULL};
	struct http_request request = {.url = call->url, .method = call->method, .headers = headers,
		.body = body, .body_length = body ? strlen(body) : 0, .give = call->give ? daytona_give
		: NULL, .take = daytona_take, .owner = exchange, .limits = HTTP_LIMITS};
	request.limits.total_ms = call->limit_ms;
	request.limits.first_ms = call->give ? 60000 : call->limit_ms;
	request.limits.idle_ms = 30000;
	request.limits.body = call->fd > 0 ? call->most_bytes : LARGEST_ANSWER;
	if (call->rewind)
		call->rewind(call->owner);
	strbuf_reset(&exchange->body);
	exchange->response = (struct http_response){0};
	int status = http_send(api->http, &request, &exchange->response, cancel, err);
	call->status = status < 0 ? 0 : exchange->response.status;
	if (exchange->is_stuck)
		return error_errno(err, RONDO_ERROR_TRANSIENT, "cannot keep what Daytona sends");
	return status;
}

/* 408 and 409 are not tried again: a command's time is over; a name is taken, or a state does not
 * change. */
static struct retry_advice daytona_advise(const struct daytona_call *call,
	const struct http_response *response, const struct rondo_error *err)
{
	struct retry_advice advice = response->advice;
	bool is_refused = response->status == 429 || response->status == 503;
	if (call->status == 0 && err->code == RONDO_ERROR_CANCELLED)
		advice.again = false;
	else if (call->is_once)
		advice.again = is_refused && call->status;
	else if (call->status)
		advice.again = is_refused || call->status >= 500;
	return advice;
}

/* A descriptor is truncated before each try. */
static int daytona_try_until_done(const struct daytona_api *api, struct daytona_call *call,
	const char *body, struct exchange *exchange, const struct cancel *cancel,
	struct rondo_error *err)
{
	struct retry retry;
	int64_t total_ms = call->patience_ms ? call->patience_ms : 120000;
	retry_init(&retry, &(struct retry_options){.tries = 5, .base_ms = 500, .cap_ms = 10000,
		.asked_ms = 60000, .total_ms = total_ms});
	for (;;) {
		if (call->fd > 0 && (ftruncate(call->fd, 0) < 0 || lseek(call->fd, 0, SEEK_SET) < 0))
			return error_errno(err, RONDO_ERROR_TRANSIENT, "cannot keep what Daytona sends");
		int status = daytona_send(api, call, body, exchange, cancel, err);
		if (status == 0 && call->status / 100 == 2)
			return 0;
		struct retry_advice advice = daytona_advise(call, &exchange->response, err);
		int64_t delay_ms = retry_delay(&retry, &advice);
		if (status == 0 && delay_ms < 0)
			return daytona_explain(api, exchange, retry.tries, err);
		if (delay_ms < 0)
			return -1;
		if (!retry_sleep(delay_ms, cancel))
			return cancel_error(cancel, err);
	}
}

int daytona_call(const struct daytona_api *api, struct daytona_call *call, struct json **ret_json,
	const struct cancel *cancel, struct rondo_error *err)
{
	AUTO_FREE char *body = call->body ? json_print(call->body) : NULL;
	struct exchange exchange = {.call = call, .body = STRBUF_INIT(LARGEST_ANSWER)};
	int status = daytona_try_until_done(api, call, body, &exchange, cancel, err);
	if (status == 0 && ret_json)
		status = daytona_parse(api, &exchange, ret_json, err);
	strbuf_release(&exchange.body);
	return status < 0 && err->code != RONDO_ERROR_CANCELLED ? error_prefix(err, "cannot %s",
		call->doing) : status;
}
