/* One request, passed on to the upstream: budget first, then the call, then what it came to. */
#include <signal.h>
#include <string.h>

#include "base/clock.h"
#include "base/memory.h"
#include "base/utf8.h"
#include "models/relay/relay_parts.h"

/* Agents have limits of their own, which are to fire first: these only end what nobody waits
 * for. */
static const struct http_limits relay_call_limits = {.connect_ms = 20000,
	.first_ms = 1200000,
	.idle_ms = 900000,
	.total_ms = 7200000,
	.rest_ms = 1000,
	.body = (size_t)256 << 20};

static struct relay *relay_call_relay(const struct relay_call *call)
{
	return call->connection->relay;
}

static void relay_call_note(struct relay_call *call, int status, const char *why)
{
	const struct secrets *secrets = relay_call_relay(call)->options.secrets;
	AUTO_STRBUF plain = STRBUF_INIT(STRBUF_LINE);
	secrets_redact(&relay_call_relay(call)->key, &plain, why, strlen(why));
	complaint_quote(call->entry.why, sizeof call->entry.why, plain.text, secrets);
	call->entry.status = status;
}

/* The status of what no second try mends, as agents take it: codex tries again after 403. */
static int relay_call_final(const struct relay_call *call)
{
	return call->route->dialect == RELAY_RESPONSES ? 400 : 403;
}

/* --- An answer of the relay's own --- */

static void relay_call_answer(struct relay_call *call, int status, const char *why)
{
	AUTO_STRBUF head = STRBUF_INIT(STRBUF_TEXT);
	AUTO_FREE char *body = relay_refusal_body(call->route->dialect, status, why);
	strbuf_addf(&head,
		"HTTP/1.1 %d %s\r\nContent-Type: application/json\r\nContent-Length: %zu\r\n%s"
		"Connection: %s\r\n\r\n%s",
		status, relay_refusal_phrase(status), strlen(body),
		status < 500 ? "x-should-retry: false\r\n" : "", call->keeps ? "keep-alive" : "close",
		body);
	if (!relay_connection_send(call->connection, head.text, head.length))
		call->keeps = false;
}

/* The request is over. */
static void relay_call_end(struct relay_call *call, double usd)
{
	call->entry.usd = usd;
	call->entry.duration_ms = clock_now_ms() - call->start_ms;
	relay_tell(relay_call_relay(call), &call->entry);
}

void relay_call_refuse(struct relay_call *call, int status, const char *why)
{
	relay_call_note(call, status, why);
	call->entry.is_refused = true;
	call->entry.usage_known = true;
	relay_call_end(call, 0);
	relay_call_answer(call, status, why);
}

/* --- The call --- */

/* Whether an error says that the host does not know what the relay has put in. */
static bool relay_call_is_about_options(const struct relay_answer *answer)
{
	int status = answer->response.status;
	return answer->may_ask_anew && (status == 400 || status == 422) &&
		strstr(answer->error.text, "stream_options");
}

static int relay_call_send(struct relay_call *call, struct relay_answer *answer, const char *url,
	const char *const *headers, const struct strbuf *body, struct rondo_error *err)
{
	struct relay *relay = relay_call_relay(call);
	struct http_request request = {.url = url,
		.method = call->request->method,
		.headers = headers,
		.body = strcmp(call->request->method, "POST") == 0 ? body->text : NULL,
		.body_length = body->length,
		.limits = relay_call_limits,
		.take = relay_answer_take,
		.take_header = relay_answer_header,
		.owner = answer};
	struct http *http = relay_take_http(relay);
	atomic_store(&call->connection->is_busy, true);
	relay_wake(relay);
	int result = http_send(http, &request, &answer->response, &call->connection->cancel, err);
	atomic_store(&call->connection->is_busy, false);
	relay_put_http(relay, http);
	return result;
}

/* No whole answer came. */
static void relay_call_fail(
	struct relay_call *call, struct relay_answer *answer, const struct rondo_error *err)
{
	bool is_over = err->code == RONDO_ERROR_CANCELLED;
	bool has_gone = is_over && !cancel_reason(&relay_call_relay(call)->cancel);
	int status = err->code == RONDO_ERROR_TRANSIENT ? 502 : relay_call_final(call);
	call->entry.is_broken = answer->is_begun || is_over;
	call->entry.is_silent = !answer->is_begun && !is_over;
	relay_call_note(call,
		answer->is_begun ? answer->response.status
			: is_over    ? 0
						 : status,
		has_gone ? "the agent has gone" : err->message);
	call->keeps = call->keeps && call->entry.is_silent;
}

/* An answer came, whatever it says. */
static void relay_call_conclude(struct relay_call *call, struct relay_answer *answer)
{
	struct complaint complaint = answer->count.complaint;
	int status = answer->response.status;
	if (status >= 400)
		complaint_read_body(&complaint, status, answer->error.text, NULL);
	relay_call_note(call, status, answer->has_gone ? "the agent has gone" : complaint.message);
	call->entry.is_broken = answer->has_gone || answer->count.answer.is_broken;
}

/* What it cost, as the host says or as it seems. Errors cost nothing; a host that was asked and did
 * not come to answer may count what it was asked, and what it thought. */
static void relay_call_count(struct relay_call *call, struct relay_answer *answer,
	const struct relay_question *question, bool is_whole)
{
	struct relay_entry *entry = &call->entry;
	const struct http_response *response = &answer->response;
	entry->usage_known = true;
	if (!call->route->is_call || response->status >= 400)
		return;
	entry->is_least = !is_whole && !answer->is_begun && response->is_sent;
	if (entry->is_least) {
		entry->usage.prompt_tokens = question->tokens;
		entry->usage_known = false;
	} else if (answer->is_begun && relay_answer_is_good(answer)) {
		entry->usage = relay_count_finish(&answer->count, question->tokens, &entry->usage_known);
	}
}

/* Before the end of the answer is sent: whoever sees it finds it counted. */
static void relay_call_settle(
	struct relay_call *call, const struct budget_hold *hold, const struct price *price)
{
	static const struct price nothing = {.known = true};
	struct rondo_usage *usage = &call->entry.usage;
	if (usage->prompt_tokens + usage->completion_tokens == 0)
		price = &nothing;
	if (!call->entry.usage_known && (call->entry.is_broken || call->entry.is_least))
		usage->lost_tokens = usage->prompt_tokens + usage->completion_tokens;
	double usd = price->known ? price_of(price, usage) : -1;
	if (call->route->is_call)
		budget_settle_at(
			relay_call_relay(call)->options.budget, hold, usage, usd, call->entry.is_least);
	relay_call_end(call, usd);
}

/* Send it, and a second time where the host does not know what the relay has put in. */
static void relay_call_try(struct relay_call *call, const struct relay_question *question,
	const struct budget_hold *hold, const struct price *price, struct arena *arena)
{
	struct relay *relay = relay_call_relay(call);
	struct rondo_error err;
	struct relay_answer answer;
	AUTO_STRBUF asking = STRBUF_INIT(RELAY_MOST_BODY + STRBUF_LINE);
	const struct relay_upstream *upstream = &relay->options.upstream;
	const char *url = relay_route_url(call->route, upstream->base_url, arena);
	const char *const *headers = relay_route_headers(call->route, call->request, upstream, arena);
	bool asks = call->route->dialect == RELAY_CHAT && question->is_stream &&
		!question->says_options && !atomic_load(&relay->refuses_options);
	if (asks)
		relay_question_ask_usage(call->body->text, call->body->length, &asking);
	relay_answer_init(&answer, call, asks);
	int result = relay_call_send(call, &answer, url, headers, asks ? &asking : call->body, &err);
	if (result == 0 && relay_call_is_about_options(&answer)) {
		atomic_store(&relay->refuses_options, true);
		relay_answer_release(&answer);
		relay_answer_init(&answer, call, false);
		result = relay_call_send(call, &answer, url, headers, call->body, &err);
	}
	relay_call_count(call, &answer, question, result == 0);
	if (result < 0)
		relay_call_fail(call, &answer, &err);
	else
		relay_call_conclude(call, &answer);
	relay_call_settle(call, hold, price);
	if (call->entry.is_silent)
		relay_call_answer(call, call->entry.status, err.message);
	else if (result == 0 && !relay_answer_finish(&answer))
		call->keeps = false;
	relay_answer_release(&answer);
}

/* A limit stands in the way. The words say which. */
static void relay_call_refuse_cost(struct relay_call *call)
{
	char reason[192], why[256];
	budget_is_exhausted(relay_call_relay(call)->options.budget, reason, sizeof reason);
	utf8_format(why, sizeof why, "a limit of the run is reached: %s", reason);
	relay_tell_exhausted(relay_call_relay(call));
	relay_call_refuse(call, relay_call_final(call), why);
}

void relay_call_pass(struct relay_call *call, struct arena *arena)
{
	struct relay *relay = relay_call_relay(call);
	struct relay_question question = {.model = ""};
	struct relay_fault fault;
	struct budget_hold hold = {0};
	if (strcmp(call->request->method, "POST") == 0 &&
		relay_question_read(
			call->route, call->body->text, call->body->length, arena, &question, &fault) < 0) {
		relay_call_refuse(call, fault.status, fault.why);
		return;
	}
	complaint_quote(
		call->entry.model, sizeof call->entry.model, question.model, relay->options.secrets);
	struct price price =
		relay_question_price(call->route, &relay->options.upstream, relay->host, question.model);
	const struct rondo_usage about = {.prompt_tokens = question.tokens};
	if (call->route->is_call && !budget_reserve(relay->options.budget, &about, &price, &hold)) {
		relay_call_refuse_cost(call);
		return;
	}
	relay_call_try(call, &question, &hold, &price, arena);
}
