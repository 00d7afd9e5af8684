/*
 * Anthropic's Messages. The prompt is marked for its cache in two places: behind the system text,
 * which stays, and behind the last message, up to which the next request will be the same.
 */
#include <stdlib.h>
#include <string.h>

#include "models/hosted.h"

#define MOST_TOKENS 16384 /* of a reply: it must be said */

static const char *const caches[] = {"5m", "1h", "off", NULL};

const struct option anthropic_options[] = {
	HOSTED_OPTIONS,
	OPTION("cache", ENUM, HOSTED_AT(cache),
		"how long the prompt is kept for the next request, which then costs a tenth; writing it "
		"costs a quarter more, for 1h as much again",
		.values = caches, .fallback = "5m"),
	OPTION_END,
};

/* --- What is asked --- */

static struct json *anthropic_add_text(struct json *content, const char *text)
{
	struct json *block = json_add_object(content, NULL);
	json_add_string(block, "type", "text");
	json_add_string(block, "text", text);
	return block;
}

static void anthropic_mark(const struct hosted *hosted, struct json *block)
{
	if (!block || strcmp(hosted->cache, "off") == 0)
		return;
	struct json *mark = json_add_object(block, "cache_control");
	json_add_string(mark, "type", "ephemeral");
	if (strcmp(hosted->cache, "1h") == 0)
		json_add_string(mark, "ttl", "1h");
}

/* The system text, which comes first; how many messages it took. An empty text is refused. */
static size_t anthropic_add_system(
	const struct hosted *hosted, struct json *body, const struct model_request *request)
{
	size_t n = 0;
	struct json *system = NULL, *last = NULL;
	for (; n < request->n && request->messages[n].role == MODEL_SYSTEM; n++) {
		if (!*request->messages[n].content)
			continue;
		if (!system)
			system = json_add_array(body, "system");
		last = anthropic_add_text(system, request->messages[n].content);
	}
	anthropic_mark(hosted, last);
	return n;
}

/* What one side says in a row is one message of several blocks. */
static void anthropic_add_messages(const struct hosted *hosted, struct json *body,
	const struct model_request *request, size_t from)
{
	struct json *messages = json_add_array(body, "messages"), *content = NULL, *last = NULL;
	bool was_assistant = false;
	for (size_t i = from; i < request->n; i++) {
		const struct model_message *message = &request->messages[i];
		bool is_assistant = message->role == MODEL_ASSISTANT;
		if (!*message->content)
			continue;
		if (!content || is_assistant != was_assistant) {
			struct json *turn = json_add_object(messages, NULL);
			json_add_string(turn, "role", is_assistant ? "assistant" : "user");
			content = json_add_array(turn, "content");
		}
		last = anthropic_add_text(content, message->content);
		was_assistant = is_assistant;
	}
	anthropic_mark(hosted, last);
}

static int64_t anthropic_limit(const struct hosted *hosted)
{
	int64_t wanted = hosted->max_tokens > 0 ? hosted->max_tokens : MOST_TOKENS;
	return hosted->most_tokens && hosted->most_tokens < wanted ? hosted->most_tokens : wanted;
}

static char *anthropic_make_body(const struct hosted *hosted, const struct model_request *request)
{
	AUTO_JSON *body = json_object();
	json_add_string(body, "model", hosted->model);
	json_add_int(body, "max_tokens", anthropic_limit(hosted));
	hosted_add_temperature(hosted, body);
	if (hosted->stream)
		json_add_bool(body, "stream", true);
	size_t n = anthropic_add_system(hosted, body, request);
	anthropic_add_messages(hosted, body, request, n);
	return json_print(body);
}

/* --- What is answered --- */

/* What the cache had and what it took in are counted apart from the rest of the prompt. The numbers
 * at the end are of the whole answer. */
static void anthropic_read_usage(struct answer *answer, const struct json *usage)
{
	int64_t fresh = json_int(usage, "input_tokens", -1);
	int64_t cached = json_int(usage, "cache_read_input_tokens", 0);
	answer->counts_cached |= json_get(usage, "cache_read_input_tokens") != NULL;
	if (fresh >= 0) {
		int64_t written = json_int(usage, "cache_creation_input_tokens", 0);
		answer->usage.prompt_tokens = fresh + cached + written;
		answer->usage.cached_tokens = cached;
		answer->usage.cache_written_tokens = written;
	}
	answer->usage.completion_tokens =
		json_int(usage, "output_tokens", answer->usage.completion_tokens);
}

static void anthropic_read_stop(struct answer *answer, const char *reason)
{
	static const char *const cut[] = {"max_tokens", "model_context_window_exceeded", NULL};
	answer->is_broken = strcmp(reason, "pause_turn") == 0; /* for tools that nobody offered */
	if (strcmp(reason, "refusal") == 0)
		answer->finish = MODEL_FINISH_REFUSED;
	else if (hosted_is_one_of(reason, cut))
		answer->finish = MODEL_FINISH_LENGTH;
}

/* A block, or what is added to one. Blocks of other kinds say nothing to a reader. */
static void anthropic_read_block(struct answer *answer, const struct json *block)
{
	strbuf_adds(&answer->text, json_string(block, "text", ""));
	answer->thought += strlen(json_string(block, "thinking", ""));
}

static void anthropic_read_message(struct answer *answer, const struct json *message)
{
	const struct json *block = json_first(json_get(message, "content"));
	for (; block; block = json_next(block))
		anthropic_read_block(answer, block);
	anthropic_read_usage(answer, json_get(message, "usage"));
	anthropic_read_stop(answer, json_string(message, "stop_reason", ""));
}

static void anthropic_read_end(struct answer *answer, const struct json *event)
{
	anthropic_read_usage(answer, json_get(event, "usage"));
	anthropic_read_stop(answer, json_string(json_get(event, "delta"), "stop_reason", ""));
	answer->usage_known = answer->usage.prompt_tokens > 0;
}

/* An event, or a whole message. Events of other types may come at any time. */
static void anthropic_read(struct answer *answer, const struct json *json)
{
	const char *type = json_string(json, "type", "");
	bool is_whole = strcmp(type, "message") == 0;
	if (is_whole)
		anthropic_read_message(answer, json);
	else if (strcmp(type, "message_start") == 0)
		anthropic_read_message(answer, json_get(json, "message"));
	else if (strcmp(type, "content_block_start") == 0)
		anthropic_read_block(answer, json_get(json, "content_block"));
	else if (strcmp(type, "content_block_delta") == 0)
		anthropic_read_block(answer, json_get(json, "delta"));
	else if (strcmp(type, "message_delta") == 0)
		anthropic_read_end(answer, json);
	answer->is_over = answer->is_over || strcmp(type, "message_stop") == 0;
	answer->is_finished = answer->is_over || is_whole;
	answer->usage_known = answer->usage_known || (is_whole && answer->usage.prompt_tokens > 0);
}

static double anthropic_written_price(const struct hosted *hosted, const struct price *price)
{
	return price->input * (strcmp(hosted->cache, "1h") == 0 ? 2 : 1.25);
}

/* "max_tokens: 16384 > 4096, which is the maximum ...": an older model. */
static bool anthropic_adapt(struct hosted *hosted, const struct complaint *complaint)
{
	const char *limit = strstr(complaint->message, "max_tokens: ");
	const char *most = limit ? strstr(limit, " > ") : NULL;
	long tokens = most ? strtol(most + strlen(" > "), NULL, 10) : 0;
	if (complaint->status != 400 || tokens <= 0 || tokens >= anthropic_limit(hosted))
		return false;
	hosted->most_tokens = tokens;
	return true;
}

const struct dialect anthropic_dialect = {
	.path = "/v1/messages",
	.key_header = "x-api-key: ",
	.header = "anthropic-version: 2023-06-01",
	.make_body = anthropic_make_body,
	.read = anthropic_read,
	.adapt = anthropic_adapt,
	.written_price = anthropic_written_price,
};
