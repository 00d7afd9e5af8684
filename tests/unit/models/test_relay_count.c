/* What answers of each dialect cost, as their hosts say it: whole, as events, cut anywhere. */
#include "tests/unit/unit.h"

#include "base/memory.h"
#include "models/relay/relay_parts.h"

#define EVENT(text) "data: " text "\n\n"
#define JSON_TYPE "application/json"
#define SSE_TYPE "text/event-stream; charset=utf-8"
#define WORD(text) EVENT("{\"choices\":[{\"index\":0,\"delta\":{\"content\":\"" text "\"}}]}")
#define G(text, more) \
	"{\"candidates\":[{\"content\":{\"parts\":[{\"text\":\"" text "\"}],\"role\":\"model\"}" more \
	"}],"

static const struct {
	const char *what;
	enum relay_dialect dialect;
	const char *type, *bytes;
	bool is_known;
	struct rondo_usage usage;
} cases[] = {
	{"a completion", RELAY_CHAT, JSON_TYPE,
		"{\"choices\":[{\"message\":{\"content\":\"x\"}}],\"usage\":{\"prompt_tokens\":20,"
		"\"completion_tokens\":3,\"prompt_tokens_details\":{\"cached_tokens\":8},"
		"\"completion_tokens_details\":{\"reasoning_tokens\":2}}}",
		true, {20, 3, 8, 0, 2, 0}},
	{"chunks", RELAY_CHAT, SSE_TYPE,
		WORD("one ") WORD("two ") WORD("three ")
			EVENT("{\"choices\":[],\"usage\":{\"prompt_tokens\":20,\"completion_tokens\":3}}")
				EVENT("[DONE]"),
		true, {20, 3, 0, 0, 0, 0}},
	{"chunks without a number", RELAY_CHAT, SSE_TYPE, WORD("12345678") WORD("1234") EVENT("[DONE]"),
		false, {100, 3, 0, 0, 0, 0}},
	{"chunks of a tool's arguments", RELAY_CHAT, SSE_TYPE,
		EVENT("{\"choices\":[{\"delta\":{\"tool_calls\":[{\"function\":{\"arguments\":\"a\"}}]}}]}")
			EVENT(
				"{\"choices\":[{\"delta\":{\"tool_calls\":[{\"function\":{\"arguments\":\"b\"}}]}}"
				"]}"),
		false, {100, 2, 0, 0, 0, 0}},
	{"chunks by another name", RELAY_CHAT, "text/plain",
		WORD("one")
			EVENT("{\"choices\":[],\"usage\":{\"prompt_tokens\":7,\"completion_tokens\":1}}"),
		true, {7, 1, 0, 0, 0, 0}},
	{"a response", RELAY_RESPONSES, JSON_TYPE,
		"{\"object\":\"response\",\"status\":\"completed\",\"output\":[],\"usage\":{"
		"\"input_tokens\":9,\"output_tokens\":4,\"input_tokens_details\":{\"cached_tokens\":1}}}",
		true, {9, 4, 1, 0, 0, 0}},
	{"events of a response", RELAY_RESPONSES, SSE_TYPE,
		"event: response.created\n" EVENT(
			"{\"type\":\"response.created\",\"response\":{\"object\":\"response\",\"status\":"
			"\"in_progress\",\"usage\":null}}") EVENT("{\"type\":\"response.output_text.delta\","
													  "\"delta\":\"x\"}")
			EVENT(
				"{\"type\":\"response.completed\",\"response\":{\"object\":\"response\",\"status\":"
				"\"completed\",\"usage\":{\"input_tokens\":9,\"output_tokens\":4}}}"),
		true, {9, 4, 0, 0, 0, 0}},
	{"a response that broke off", RELAY_RESPONSES, SSE_TYPE,
		EVENT("{\"type\":\"response.output_text.delta\",\"delta\":\"12345678\"}"), false,
		{100, 2, 0, 0, 0, 0}},
	{"a compacted chat", RELAY_RESPONSES, JSON_TYPE,
		"{\"object\":\"response.compaction\",\"usage\":{\"input_tokens\":9,\"output_tokens\":4}}",
		true, {9, 4, 0, 0, 0, 0}},
	{"a message", RELAY_MESSAGES, JSON_TYPE,
		"{\"type\":\"message\",\"content\":[],\"stop_reason\":\"end_turn\",\"usage\":{"
		"\"input_tokens\":5,\"cache_read_input_tokens\":4,\"cache_creation_input_tokens\":2,"
		"\"output_tokens\":7}}",
		true, {11, 7, 4, 2, 0, 0}},
	{"events of a message", RELAY_MESSAGES, SSE_TYPE,
		EVENT("{\"type\":\"message_start\",\"message\":{\"type\":\"message\",\"content\":[],"
			  "\"usage\":{\"input_tokens\":5,\"cache_read_input_tokens\":4,\"output_tokens\":1}}}")
			EVENT("{\"type\":\"ping\"}") EVENT(
				"{\"type\":\"content_block_delta\",\"delta\":{\"type\":\"text_delta\",\"text\":"
				"\"x\"}}") EVENT("{\"type\":\"message_delta\",\"delta\":{\"stop_reason\":"
								 "\"end_turn\"},\"usage\":{\"output_tokens\":7}}")
				EVENT("{\"type\":\"message_stop\"}"),
		true, {9, 7, 4, 0, 0, 0}},
	{"a message that broke off", RELAY_MESSAGES, SSE_TYPE,
		EVENT("{\"type\":\"message_start\",\"message\":{\"type\":\"message\",\"content\":[],"
			  "\"usage\":{\"input_tokens\":5,\"output_tokens\":1}}}")
			EVENT("{\"type\":\"content_block_delta\",\"delta\":{\"type\":\"text_delta\",\"text\":"
				  "\"12345678\"}}"),
		false, {5, 3, 0, 0, 0, 0}},
	{"a Gemini answer", RELAY_GEMINI, JSON_TYPE,
		G("x",
			",\"finishReason\":\"STOP\"") "\"usageMetadata\":{\"promptTokenCount\":30,"
										  "\"candidatesTokenCount\":5,\"thoughtsTokenCount\":6,"
										  "\"cachedContentTokenCount\":10,"
										  "\"toolUsePromptTokenCount\":2,\"totalTokenCount\":43}}",
		true, {32, 11, 10, 0, 6, 0}},
	{"Gemini's events, which count all so far", RELAY_GEMINI, SSE_TYPE,
		EVENT(G("one", "") "\"usageMetadata\":{\"promptTokenCount\":30,\"totalTokenCount\":30}}")
			EVENT(
				G("two", ",\"finishReason\":\"STOP\"") "\"usageMetadata\":{\"promptTokenCount\":30,"
													   "\"candidatesTokenCount\":5}}"),
		true, {30, 5, 0, 0, 0, 0}},
	{"Gemini's list", RELAY_GEMINI, JSON_TYPE,
		"[" G("one", "") "\"usageMetadata\":{\"promptTokenCount\":30}},\n" G(
			"two", ",\"finishReason\":\"STOP\"") "\"usageMetadata\":{\"promptTokenCount\":30,"
												 "\"candidatesTokenCount\":5}}\n]",
		true, {30, 5, 0, 0, 0, 0}},
	{"Gemini's events that broke off", RELAY_GEMINI, SSE_TYPE,
		EVENT(G("12345678", "") "\"usageMetadata\":{\"promptTokenCount\":30}}"), false,
		{30, 2, 0, 0, 0, 0}},
	{"a page", RELAY_CHAT, "text/html", "<html>It works!</html>", false, {100, 1, 0, 0, 0, 0}},
	{"nothing", RELAY_CHAT, JSON_TYPE, "", false, {100, 0, 0, 0, 0, 0}},
	{"half of it", RELAY_CHAT, JSON_TYPE, "{\"usage\":{\"prompt_tokens\":20,\"completion", false,
		{100, 1, 0, 0, 0, 0}},
	{"numbers that are none", RELAY_GEMINI, JSON_TYPE,
		"{\"usageMetadata\":{\"promptTokenCount\":\"30\",\"candidatesTokenCount\":5}}", false,
		{100, 1, 0, 0, 0, 0}},
	{"more from the cache than was sent", RELAY_MESSAGES, JSON_TYPE,
		"{\"type\":\"message\",\"content\":[],\"usage\":{\"input_tokens\":50,"
		"\"cache_read_input_tokens\":-40,\"output_tokens\":7}}",
		false, {100, 1, 0, 0, 0, 0}},
	{"numbers below zero", RELAY_GEMINI, JSON_TYPE,
		G("x", ",\"finishReason\":\"STOP\"") "\"usageMetadata\":{\"promptTokenCount\":30,"
											 "\"candidatesTokenCount\":-5}}",
		false, {100, 0, 0, 0, 0, 0}},
};

static struct rondo_usage count_of(size_t i, size_t step, bool *ret_known)
{
	struct relay_count count;
	size_t n = strlen(cases[i].bytes);
	relay_count_init(&count, cases[i].dialect, NULL);
	relay_count_begin(&count, cases[i].type);
	for (size_t at = 0; at < n; at += step)
		relay_count_feed(&count, cases[i].bytes + at, step < n - at ? step : n - at);
	struct rondo_usage usage = relay_count_finish(&count, 100, ret_known);
	relay_count_release(&count);
	return usage;
}

static void each_answer_is_counted(void **state)
{
	(void)state;
	static const size_t steps[] = {1, 5, 100000};
	size_t wrong = 0;
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++)
		for (size_t k = 0; k < ARRAY_SIZE(steps); k++) {
			bool is_known;
			struct rondo_usage usage = count_of(i, steps[k], &is_known);
			if (is_known == cases[i].is_known && memcmp(&usage, &cases[i].usage, sizeof usage) == 0)
				continue;
			print_message(
				"# %s, by %zu: got %d %ld + %ld, of cache %ld, written %ld, thought %ld\n",
				cases[i].what, steps[k], is_known, (long)usage.prompt_tokens,
				(long)usage.completion_tokens, (long)usage.cached_tokens,
				(long)usage.cache_written_tokens, (long)usage.reasoning_tokens);
			wrong++;
		}
	assert_int_equal(wrong, 0);
}

static void an_error_within_a_stream_is_noticed(void **state)
{
	(void)state;
	struct relay_count count;
	bool is_known;
	static const char event[] = "event: error\n" EVENT(
		"{\"type\":\"error\",\"error\":{\"type\":\"overloaded_error\",\"message\":\"Busy\"}}");
	relay_count_init(&count, RELAY_MESSAGES, NULL);
	relay_count_begin(&count, SSE_TYPE);
	relay_count_feed(&count, event, strlen(event));
	relay_count_finish(&count, 1, &is_known);
	assert_int_equal(count.complaint.status, 529);
	assert_string_equal(count.complaint.message, "Busy");
	relay_count_release(&count);
}

static void a_price_is_the_model_s(void **state)
{
	(void)state;
	static const struct relay_route chat = {.dialect = RELAY_CHAT},
									messages = {.dialect = RELAY_MESSAGES};
	struct relay_upstream upstream = {
		.model = "own", .price = {.input = 3, .output = 4, .known = true}};
	const char *host = "api.anthropic.com";
	assert_true(relay_question_price(&chat, &upstream, host, "own").input == 3);
	assert_true(relay_question_price(&chat, &upstream, host, "claude-opus-4-5").input == 5);
	assert_true(relay_question_price(&chat, &upstream, host, "unheard-of").input == 3);
	assert_true(
		relay_question_price(&messages, &upstream, host, "claude-opus-4-5").written == 6.25);
	upstream.price.known = false;
	assert_false(relay_question_price(&chat, &upstream, host, "unheard-of").known);
}

UNIT(relay_count)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(each_answer_is_counted),
		cmocka_unit_test(an_error_within_a_stream_is_noticed),
		cmocka_unit_test(a_price_is_the_model_s),
	};
	return RUN_TESTS(tests);
}
