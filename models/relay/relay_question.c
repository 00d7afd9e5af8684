#include <ctype.h>
#include <string.h>

#include "models/prices.h"
#include "models/relay/relay_parts.h"

enum {
	BYTES_A_TOKEN = 4, /* as models/ counts everywhere */
	LONG_RUN = 1024,   /* letters and digits without a pause are no words, but an image */
	IMAGE_TOKENS = 1600,
};

#define CACHE_WRITTEN 1.25 /* of the price of input, where agents keep it for five minutes */

static bool relay_question_runs(char c)
{
	return isalnum((unsigned char)c) || c == '+' || c == '/';
}

/* A file as base64 is counted by the piece, not by its bytes. A run as long as that has a letter at
 * one of the places that are looked at, and most texts have few of them. */
static int64_t relay_question_tokens(const char *body, size_t n)
{
	size_t words = n, files = 0, end = 0;
	for (size_t at = LONG_RUN; at < n; at = (end > at ? end : at) + LONG_RUN) {
		size_t start = at;
		if (!relay_question_runs(body[at]))
			continue;
		while (start > end && relay_question_runs(body[start - 1]))
			start--;
		for (end = at; end < n && relay_question_runs(body[end]);)
			end++;
		if (end - start <= LONG_RUN)
			continue;
		files++;
		words -= end - start;
	}
	return (int64_t)(words / BYTES_A_TOKEN + files * IMAGE_TOKENS);
}

static void relay_question_read_stream(
	const struct relay_route *route, const struct json *json, struct relay_question *question)
{
	const struct json *options = json_get(json, "stream_options");
	question->is_stream = route->dialect == RELAY_GEMINI
		? strstr(route->tail, ":streamGenerateContent") != NULL
		: json_bool(json, "stream", false);
	question->asks_usage = json_bool(options, "include_usage", false);
	question->says_options = options;
}

int relay_question_read(const struct relay_route *route, const char *body, size_t n,
	struct arena *arena, struct relay_question *ret_question, struct relay_fault *ret_fault)
{
	struct rondo_error err;
	struct answer mended = ANSWER_INIT;
	AUTO_JSON *json = answer_parse(&mended, body, n, &err);
	answer_release(&mended);
	if (!json_is_object(json)) {
		*ret_fault = (struct relay_fault){400, "the body is no JSON object"};
		return -1;
	}
	const char *model = route->model ? route->model : json_string(json, "model", "");
	*ret_question = (struct relay_question){
		.model = arena_strdup(arena, model), .tokens = relay_question_tokens(body, n)};
	relay_question_read_stream(route, json, ret_question);
	return 0;
}

void relay_question_ask_usage(const char *body, size_t n, struct strbuf *asking)
{
	const char *brace = memchr(body, '{', n);
	const char *rest = brace + 1, *end = body + n;
	while (rest < end && (unsigned char)*rest <= ' ') /* which our reader passes over, too */
		rest++;
	strbuf_adds(asking, "{\"stream_options\":{\"include_usage\":true}");
	if (*rest != '}')
		strbuf_addc(asking, ',');
	strbuf_add(asking, rest, (size_t)(end - rest));
}

struct price relay_question_price(const struct relay_route *route,
	const struct relay_upstream *upstream, const char *host, const char *model)
{
	struct price price = upstream->price;
	bool is_that = upstream->model && strcmp(upstream->model, model) == 0 && price.known;
	if (!is_that)
		price_find(host, model, &price); /* not known, it stays as it is */
	if (route->dialect == RELAY_MESSAGES && price.written <= 0)
		price.written = price.input * CACHE_WRITTEN;
	return price;
}
