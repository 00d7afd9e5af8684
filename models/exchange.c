#include "models/exchange.h"

#include <string.h>
#include <strings.h>

#include "base/clock.h"
#include "base/http/sse.h"
#include "base/log.h"
#include "base/utf8.h"
#include "chat/usage.h"
#include "models/shape.h"
#include "models/telling.h"

#define LARGEST_EVENT ((size_t)32 << 20)
#define LONGEST_ANSWER ((size_t)8 << 20) /* bytes of text, hidden thoughts with it */

/* One try. */
struct attempt {
	const struct exchange *exchange;
	const struct secrets *secrets;
	const struct context *ctx;
	struct http_response response;
	struct sse sse;
	struct shape shape;
	struct strbuf body; /* what comes in no events */
	struct answer *answer;
	struct complaint *complaint;
	bool has_failed; /* while it was read */
	struct telling telling;
	struct rondo_error *err;
};

/* Whether more of the answer is there than before, in bytes. */
static size_t exchange_substance(const struct answer *answer)
{
	return answer->text.length + answer->refusal.length + answer->thought + answer->is_finished;
}

/* The answer is broken: what came of it counts for nothing, and another try may do better. */
static int exchange_broken(struct attempt *attempt, const char *what, const char *text)
{
	char quoted[200];
	complaint_quote(quoted, sizeof quoted, text, attempt->secrets);
	attempt->response.advice = (struct retry_advice){.again = true, .after_ms = -1};
	return error_set(attempt->err, RONDO_ERROR_TRANSIENT, "the answer of %s %s%s%s",
		attempt->exchange->request.url, what, *quoted ? ": " : "", quoted);
}

/* No model writes so much: one that does not come to an end would cost memory and money until the
 * time is over, and again with each further try. */
static int exchange_check_length(struct attempt *attempt)
{
	if (exchange_substance(attempt->answer) <= LONGEST_ANSWER)
		return 0;
	attempt->response.advice = (struct retry_advice){.after_ms = -1};
	return error_set(attempt->err, RONDO_ERROR_TRANSIENT,
		"the answer of %s has more than %zu MB of text", attempt->exchange->request.url,
		LONGEST_ANSWER >> 20);
}

/* One JSON text of the answer, with its event's name. */
static int exchange_take_json(
	struct attempt *attempt, const char *event, const char *text, size_t n)
{
	char what[128];
	struct rondo_error why = {.message = "it is no object"};
	AUTO_JSON *json = answer_parse(attempt->answer, text, n, &why);
	if (!json_is_object(json)) {
		utf8_format(what, sizeof what, "cannot be read (%s)", why.message);
		return exchange_broken(attempt, what, text);
	}
	if (complaint_read_object(attempt->complaint, event, json, attempt->secrets))
		return -1;
	attempt->exchange->read(attempt->answer, json);
	return attempt->answer->is_over ? 1 : 0;
}

static int exchange_take_event(void *owner, const char *name, const char *data, size_t n)
{
	struct attempt *attempt = owner;
	if (n == 0)
		return 0;
	if (strcmp(data, "[DONE]") == 0) {
		attempt->answer->is_over = true;
		return 1;
	}
	if (!complaint_is_event(name) && shape_take(&attempt->shape, data, n, attempt->answer))
		return 0;
	shape_look(&attempt->shape, attempt->answer);
	int status = exchange_take_json(attempt, name, data, n);
	shape_learn(&attempt->shape, data, n, attempt->answer);
	return status;
}

static bool exchange_is_good(const struct http_response *response)
{
	return response->status >= 200 && response->status < 300;
}

static bool exchange_is_stream(const struct http_response *response)
{
	return exchange_is_good(response) &&
		strncasecmp(response->content_type, "text/event-stream", 17) == 0;
}

static enum http_taken exchange_take(void *owner, const char *bytes, size_t n)
{
	struct attempt *attempt = owner;
	if (!exchange_is_stream(&attempt->response)) {
		strbuf_add(&attempt->body, bytes, n);
		return HTTP_USED;
	}
	size_t before = exchange_substance(attempt->answer);
	int result = sse_feed(&attempt->sse, bytes, n, attempt->err);
	if (result == 0)
		result = exchange_check_length(attempt);
	attempt->has_failed = result < 0;
	if (result != 0)
		return result < 0 ? HTTP_STOP : HTTP_ENOUGH;
	if (exchange_substance(attempt->answer) == before)
		return HTTP_ALIVE;
	telling_answer(&attempt->telling, attempt->answer);
	return HTTP_USED;
}

/* An answer that did not say that it is a stream: a whole one, events after all, or none at all. */
static int exchange_take_body(struct attempt *attempt)
{
	const char *text = attempt->body.text + strspn(attempt->body.text, " \t\r\n");
	const char *type = attempt->response.content_type;
	if (*text == '{')
		return exchange_take_json(attempt, "", text, strlen(text));
	if (text_starts_with(text, "data:") || text_starts_with(text, "event:") || *text == ':')
		return sse_feed(&attempt->sse, attempt->body.text, attempt->body.length, attempt->err);
	if (!*text)
		return exchange_broken(attempt, "is empty", "");
	char quoted[200];
	complaint_quote(quoted, sizeof quoted, text, attempt->secrets);
	error_set(attempt->err, RONDO_ERROR_USAGE,
		"%s answered with %s, which is no model's answer: %s", attempt->exchange->request.url,
		*type ? type : "a text", quoted);
	return error_help(
		attempt->err, "check 'base_url', and that no proxy or login page stands before it");
}

static int exchange_help(const struct exchange *exchange, const struct complaint *complaint,
	const struct http_response *response, struct rondo_error *err)
{
	const char *url = exchange->request.url;
	switch (complaint->status) {
	case 401:
	case 403:
		return error_help(err, "set %s to a key that %s accepts", exchange->key_name, url);
	case 402:
		return error_help(err, "see to the credit of the account that the key in %s belongs to",
			exchange->key_name);
	case 404:
		return error_help(err, "check 'model' (%s) and 'base_url'", exchange->model_name);
	case 407:
		return http_help_with_proxy(url, err);
	case 413:
		return error_help(err, "choose a model that takes more text, or a smaller task");
	default:
		break;
	}
	if (response->location[0])
		return error_help(err, "set 'base_url' to where it leads: %s", response->location);
	return err->code == RONDO_ERROR_TRANSIENT ? error_help(err, "try again later") : -1;
}

/* What the provider says in place of an answer, as our error. */
static int exchange_explain(struct attempt *attempt)
{
	const struct complaint *complaint = attempt->complaint;
	struct http_response *response = &attempt->response;
	const char *id = response->request_id;
	char status[32] = "answered with an error";
	if (exchange_is_good(response))
		response->advice = (struct retry_advice){
			http_status_may_pass(complaint->status), complaint->status == 529, -1};
	else
		utf8_format(status, sizeof status, "answered with HTTP %d", response->status);
	if (complaint->status == 402)
		response->advice.again = false;
	bool may_pass = complaint->status != 402 && http_status_may_pass(complaint->status);
	error_set(attempt->err, may_pass ? RONDO_ERROR_TRANSIENT : RONDO_ERROR_USAGE,
		"%s %s%s%s%s%s%s%s%s%s", attempt->exchange->request.url, status,
		*complaint->kind ? " (" : "", complaint->kind, *complaint->kind ? ")" : "",
		*complaint->message ? ": " : "", complaint->message, *id ? " [request " : "", id,
		*id ? "]" : "");
	return exchange_help(attempt->exchange, complaint, response, attempt->err);
}

/* A filter's complaint about the prompt is what the model said to it. */
static int exchange_refuse(struct attempt *attempt)
{
	if (!strstr(attempt->complaint->kind, "content_filter"))
		return exchange_explain(attempt);
	strbuf_adds(&attempt->answer->refusal, attempt->complaint->message);
	attempt->answer->is_finished = true;
	return 0;
}

/* All bytes are here: whether they are an answer. */
static int exchange_conclude(struct attempt *attempt)
{
	const struct http_response *response = &attempt->response;
	if (!exchange_is_good(response)) {
		complaint_read_body(
			attempt->complaint, response->status, attempt->body.text, attempt->secrets);
		return exchange_refuse(attempt);
	}
	if (!attempt->has_failed && !exchange_is_stream(response))
		attempt->has_failed = exchange_take_body(attempt) < 0 || exchange_check_length(attempt) < 0;
	if (!attempt->has_failed && !attempt->answer->is_over)
		attempt->has_failed = sse_finish(&attempt->sse, attempt->err) < 0;
	if (attempt->has_failed)
		return attempt->complaint->status ? exchange_refuse(attempt) : -1;
	if (attempt->answer->is_broken)
		return exchange_broken(attempt, "says itself that it is not whole", "");
	if (attempt->answer->is_finished ||
		(attempt->answer->is_over && exchange_substance(attempt->answer)))
		return 0;
	return exchange_broken(attempt, "ends in the middle", "");
}

static int exchange_try_once(struct attempt *attempt)
{
	const struct exchange *exchange = attempt->exchange;
	struct http_request request = exchange->request;
	request.take = exchange_take;
	request.owner = attempt;
	*attempt->complaint = (struct complaint){0};
	attempt->sse = (struct sse)SSE_INIT(exchange_take_event, attempt, LARGEST_EVENT);
	attempt->shape = (struct shape)SHAPE_INIT;
	attempt->body = (struct strbuf)STRBUF_INIT(LARGEST_EVENT);
	if (exchange->pace &&
		pace_wait(exchange->pace, exchange->tokens, exchange->model->name, attempt->ctx,
			attempt->err) < 0)
		return -1;
	int result =
		http_send(exchange->http, &request, &attempt->response, attempt->ctx->cancel, attempt->err);
	if (exchange->pace && attempt->response.status)
		pace_learn(exchange->pace, &attempt->response);
	log_line(LOG_INFO, "model", "%s: HTTP %d %s", exchange->model->name, attempt->response.status,
		attempt->response.request_id);
	if (result == 0)
		result = exchange_conclude(attempt);
	else if (attempt->answer->is_finished && attempt->err->code != RONDO_ERROR_CANCELLED)
		result = 0; /* only what follows the answer is missing */
	sse_release(&attempt->sse);
	shape_release(&attempt->shape);
	strbuf_release(&attempt->body);
	return result;
}

/* What a broken try cost, which nobody will tell: about four bytes a token. */
static void exchange_add_lost(struct rondo_usage *lost, const struct answer *answer, size_t prompt)
{
	if (!exchange_substance(answer))
		return;
	struct rondo_usage usage = answer->usage;
	if (!answer->usage_known)
		usage = (struct rondo_usage){.prompt_tokens = (int64_t)prompt / 4,
			.completion_tokens = (int64_t)(answer->text.length + answer->thought) / 4};
	usage.lost_tokens = usage.prompt_tokens + usage.completion_tokens;
	usage_add(lost, &usage);
}

static int exchange_give_up(
	const struct retry *retry, const struct retry_advice *advice, struct rondo_error *err)
{
	char message[sizeof err->message], asked[CLOCK_DATE_SIZE], tries[32] = "";
	memcpy(message, err->message, sizeof message);
	if (retry->tries > 1)
		utf8_format(tries, sizeof tries, " (%d tries)", (int)retry->tries);
	clock_format_duration(advice->after_ms, asked);
	bool too_long = advice->again && advice->after_ms > retry->options.asked_ms;
	utf8_format(err->message, sizeof err->message, "%s%s%s%s", message, tries,
		too_long ? "; it asks to come back in " : "", too_long ? asked : "");
	if (err->code == RONDO_ERROR_TRANSIENT && !err->help[0])
		error_help(err, "try again later");
	return -1;
}

/* Forget what came of a try. */
static void exchange_begin_anew(struct attempt *attempt)
{
	answer_reset(attempt->answer);
	telling_restart(&attempt->telling);
	attempt->has_failed = false;
}

/* Until a try succeeds, or no other is worth it. */
static int exchange_try(struct attempt *attempt)
{
	const struct exchange *exchange = attempt->exchange;
	const struct context *ctx = attempt->ctx;
	struct answer *answer = attempt->answer;
	struct rondo_error *err = attempt->err;
	struct rondo_usage lost = {0};
	struct retry retry;
	char wait[CLOCK_DATE_SIZE];
	retry_init(&retry, &exchange->retry);
	while (exchange_try_once(attempt) < 0) {
		const struct retry_advice *advice = &attempt->response.advice;
		if (err->code == RONDO_ERROR_CANCELLED)
			return -1;
		int64_t delay = retry_delay(&retry, advice);
		if (delay < 0)
			return exchange_give_up(&retry, advice, err);
		clock_format_duration(delay, wait);
		context_progress(ctx, exchange->model->name, "try %d of %d in %s: %s", (int)retry.tries + 1,
			(int)retry.options.tries, wait, err->message);
		if (!retry_sleep(delay, ctx->cancel))
			return cancel_error(ctx->cancel, err);
		exchange_add_lost(&lost, answer, exchange->request.body_length);
		exchange_begin_anew(attempt);
	}
	usage_add(&answer->usage, &lost);
	return 0;
}

int exchange_run(const struct exchange *exchange, struct answer *answer,
	struct complaint *complaint, const struct context *ctx, struct rondo_error *err)
{
	const struct secrets *secrets = exchange->model->services->secrets;
	struct attempt attempt = {.exchange = exchange,
		.secrets = secrets,
		.ctx = ctx,
		.answer = answer,
		.complaint = complaint,
		.telling = TELLING_INIT(ctx, exchange->model->name, secrets),
		.err = err};
	int status = exchange_try(&attempt);
	telling_end(&attempt.telling);
	if (status < 0 || !answer->is_damaged)
		return status;
	return model_notice(exchange->model,
		"the answer held bytes that are no text; U+FFFD stands in their place", ctx, err);
}
