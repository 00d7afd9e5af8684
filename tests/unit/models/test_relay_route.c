/* What agents ask for, by the base URLs that they are given, and where it goes. */
#include "tests/unit/unit.h"

#include "base/memory.h"
#include "models/relay/relay_parts.h"

#define HOST "https://h"

static const struct {
	const char *line; /* method and target */
	const char *base; /* the upstream's */
	const char *want; /* the URL, or the status */
} cases[] = {
	/* the base says where */
	{"POST /v1/chat/completions", HOST "/v1", HOST "/v1/chat/completions"},
	{"POST /chat/completions", HOST "/v1/", HOST "/v1/chat/completions"},
	{"POST //v1//chat/completions", HOST "/api/v1", HOST "/api/v1/chat/completions"},
	{"POST /v1/chat/completions", HOST "/v1/chat/completions", HOST "/v1/chat/completions"},
	{"POST /openai/v1/chat/completions", HOST "/v1beta/openai",
		HOST "/v1beta/openai/chat/completions"},
	{"POST /v1/responses", HOST "/v1", HOST "/v1/responses"},
	{"POST /responses/compact", HOST "/v1", HOST "/v1/responses/compact"},
	{"POST /v1/messages?beta=true", HOST, HOST "/v1/messages?beta=true"},
	{"POST /messages", HOST, HOST "/v1/messages"},
	{"POST /v1/messages", HOST "/v1", HOST "/v1/messages"},
	{"POST /v1/messages", HOST "/v1/messages", HOST "/v1/messages"},
	{"POST /anthropic/v1/messages/count_tokens", HOST "/anthropic",
		HOST "/anthropic/v1/messages/count_tokens"},
	{"POST /v1beta/models/gemini-3-pro:generateContent", HOST,
		HOST "/v1beta/models/gemini-3-pro:generateContent"},
	{"POST /v1beta/models/g:streamGenerateContent?alt=sse&key=dummy", HOST "/v1beta/openai",
		HOST "/v1beta/models/g:streamGenerateContent?alt=sse"},
	{"POST /models/g:countTokens", HOST "/v1", HOST "/v1beta/models/g:countTokens"},
	{"POST /v1/models/g:generateContent", HOST "/v1beta", HOST "/v1/models/g:generateContent"},
	{"GET /v1/models", HOST "/v1", HOST "/v1/models"},
	{"GET /models?client_version=1.2", HOST "/v1", HOST "/v1/models?client_version=1.2"},
	{"GET /v1/models/vendor/name", HOST "/api/v1", HOST "/api/v1/models/vendor/name"},
	{"GET /v1beta/models?pageSize=1000&Key=x", HOST, HOST "/v1beta/models?pageSize=1000"},
	/* of a host alone, the agent's path is kept */
	{"POST /v1/chat/completions", HOST, HOST "/v1/chat/completions"},
	{"POST /chat/completions", HOST "/", HOST "/chat/completions"},
	{"POST /v1beta/openai/chat/completions", HOST, HOST "/v1beta/openai/chat/completions"},
	/* what the base asks for comes along */
	{"POST /v1/responses?a=b", HOST "/openai/v1?api-version=1",
		HOST "/openai/v1/responses?api-version=1&a=b"},
	{"POST /v1/responses", HOST "?api-version=1", HOST "/v1/responses?api-version=1"},
	/* as a proxy is asked, for this port itself */
	{"POST http://127.0.0.1:8080/v1/messages", HOST, HOST "/v1/messages"},
	{"POST HTTP://LOCALHOST/v1/messages", HOST, HOST "/v1/messages"},
	/* refused */
	{"POST http://example.com/v1/messages", HOST, "403"},
	{"POST http://127.0.0.1.example.com/v1/messages", HOST, "403"},
	{"POST http://127.0.0.1@example.com/v1/messages", HOST, "403"},
	{"POST http://127.0.0.1:80@example.com/v1/messages", HOST, "403"},
	{"POST https://127.0.0.1/v1/messages", HOST, "403"},
	{"POST file:///v1/messages", HOST, "403"},
	{"CONNECT api.openai.com:443", HOST, "405"},
	{"OPTIONS *", HOST, "403"},
	{"GET /", HOST, "404"},
	{"GET /etc/passwd", HOST, "404"},
	{"POST /v1/embeddings", HOST, "404"},
	{"POST /v1/files", HOST, "404"},
	{"POST /v1/admin/messages", HOST, "404"},
	{"POST /../v1/messages", HOST, "404"},
	{"POST /v1/%6dessages", HOST, "404"},
	{"POST /v1/messages/batches", HOST, "404"},
	{"POST /v1/v1/v1/v1/v1/v1/v1/v1/v1/v1/v1/v1/messages", HOST, "404"},
	{"POST /v1beta/models/g:batchGenerateContent", HOST, "404"},
	{"POST /v1beta/models/..:generateContent", HOST, "404"},
	{"POST /v1beta/models/a%2f..%2fb:generateContent", HOST, "404"},
	{"GET /v1/models/../files", HOST, "404"},
	{"DELETE /v1/models/ft:gpt", HOST, "404"},
	{"GET /v1/messages", HOST, "405"},
	{"GET /v1/chat/completions", HOST, "405"},
	{"POST /v1/messages?k%65y=x", HOST, "400"},
};

static void read_line(const char *line, struct arena *arena, struct relay_request *request)
{
	const char *space = strchr(line, ' ');
	*request = (struct relay_request){.method = arena_strndup(arena, line, (size_t)(space - line)),
		.target = space + 1,
		.minor = 1};
}

static void each_path_leads_to_its_place(void **state)
{
	(void)state;
	size_t wrong = 0;
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		AUTO_ARENA arena = ARENA_INIT;
		struct relay_request request;
		struct relay_route route;
		struct relay_fault fault;
		read_line(cases[i].line, &arena, &request);
		const char *got = relay_route_find(&request, &arena, &route, &fault) < 0
			? arena_printf(&arena, "%d", fault.status)
			: relay_route_url(&route, cases[i].base, &arena);
		if (strcmp(got, cases[i].want) == 0)
			continue;
		print_message(
			"# %s at %s\n# want %s\n# got  %s\n", cases[i].line, cases[i].base, cases[i].want, got);
		wrong++;
	}
	assert_int_equal(wrong, 0);
}

/* Headers of one request, on a line. */
static const char *headers_of(const char *line, struct relay_header *headers, size_t n,
	const struct relay_upstream *upstream, struct arena *arena)
{
	struct relay_request request;
	struct relay_route route;
	struct relay_fault fault;
	AUTO_STRBUF all = STRBUF_INIT(STRBUF_LINE);
	read_line(line, arena, &request);
	request.headers = headers;
	request.n = n;
	assert_int_equal(relay_route_find(&request, arena, &route, &fault), 0);
	const char *const *made = relay_route_headers(&route, &request, upstream, arena);
	for (; *made; made++)
		strbuf_addf(&all, "%s|", *made);
	return arena_strdup(arena, all.text);
}

#define JSON \
	{ \
		"Content-Type", "application/json" \
	}
#define SENT "Content-Type: application/json|Accept-Encoding: identity|"

static void the_key_stands_where_the_dummy_did(void **state)
{
	(void)state;
	AUTO_ARENA arena = ARENA_INIT;
	static const struct relay_upstream host = {.key = "real"}, free_host,
									   azure = {.key = "real", .key_header = "api-key: "};
	static const struct {
		const char *line;
		struct relay_header headers[3];
		const struct relay_upstream *upstream;
		const char *want;
	} rows[] = {
		{"POST /v1/responses", {JSON, {"authorization", "Bearer x"}}, &host,
			SENT "Authorization: Bearer real|"},
		{"POST /v1/responses", {JSON, {"api-key", "x"}}, &host, SENT "Authorization: Bearer real|"},
		{"POST /v1/messages", {JSON, {"X-Api-Key", "x"}}, &host, SENT "x-api-key: real|"},
		{"POST /v1/messages", {JSON, {"Authorization", "Bearer x"}}, &host,
			SENT "Authorization: Bearer real|"},
		{"POST /v1/messages", {JSON, {"Authorization", "Bearer x"}, {"x-api-key", "y"}}, &host,
			SENT "x-api-key: real|"},
		{"POST /v1/messages", {JSON, {"Cookie", "a=b"}}, &host, SENT "x-api-key: real|"},
		{"POST /v1beta/models/g:generateContent", {JSON}, &host, SENT "x-goog-api-key: real|"},
		{"POST /v1/responses", {JSON, {"Authorization", "Bearer x"}}, &azure,
			SENT "api-key: real|"},
		{"POST /v1/responses", {JSON, {"Authorization", "Bearer x"}}, &free_host, SENT},
	};
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		struct relay_header headers[3];
		size_t n = 0;
		for (; n < 3 && rows[i].headers[n].name; n++)
			headers[n] = rows[i].headers[n];
		assert_string_equal(
			headers_of(rows[i].line, headers, n, rows[i].upstream, &arena), rows[i].want);
	}
}

static void what_belongs_to_the_connection_stays_behind(void **state)
{
	(void)state;
	AUTO_ARENA arena = ARENA_INIT;
	static const struct relay_upstream host;
	struct relay_header headers[] = {{"Host", "127.0.0.1"}, {"Connection", "close, X-Own"},
		{"X-Own", "1"}, {"Content-Length", "2"}, {"Accept-Encoding", "gzip"}, {"TE", "trailers"},
		{"Upgrade", "websocket"}, {"Expect", "100-continue"}, {"Empty", ""}, {"Proxy-Foo", "x"},
		{"Proxy-Authorization", "Basic x"}, {"User-Agent", "agent/1"}, {"anthropic-beta", "a,b"}};
	assert_string_equal(
		headers_of("POST /v1/messages", headers, ARRAY_SIZE(headers), &host, &arena),
		"Proxy-Foo: x|User-Agent: agent/1|anthropic-beta: a,b|Accept-Encoding: identity|"
		"Content-Type: application/json|");
}

static void refusals_speak_the_dialect(void **state)
{
	(void)state;
	static const struct {
		enum relay_dialect dialect;
		const char *want;
	} rows[] = {
		{RELAY_CHAT,
			"{\"error\":{\"message\":\"rondo: no\",\"type\":\"permission_error\","
			"\"code\":\"rondo_relay\"}}"},
		{RELAY_MESSAGES,
			"{\"type\":\"error\",\"error\":{\"message\":\"rondo: no\","
			"\"type\":\"permission_error\"}}"},
		{RELAY_GEMINI,
			"{\"error\":{\"message\":\"rondo: no\",\"code\":403,"
			"\"status\":\"PERMISSION_DENIED\"}}"},
	};
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		AUTO_FREE char *body = relay_refusal_body(rows[i].dialect, 403, "no");
		assert_string_equal(body, rows[i].want);
	}
}

/* What is put into a question leaves it a question. */
static void usage_is_asked_for_in_any_form(void **state)
{
	(void)state;
	static const struct relay_route route = {.dialect = RELAY_CHAT, .tail = "/chat/completions"};
	static const char *const bodies[] = {
		"{}", " { } ", "{\n\t\"model\": \"m\"}", "{\017}", "{\"a\":{\"stream_options\":1}}"};
	for (size_t i = 0; i < ARRAY_SIZE(bodies); i++) {
		AUTO_ARENA arena = ARENA_INIT;
		AUTO_STRBUF asking = STRBUF_INIT(STRBUF_TEXT);
		struct relay_question question;
		struct relay_fault fault;
		size_t n = strlen(bodies[i]);
		assert_int_equal(relay_question_read(&route, bodies[i], n, &arena, &question, &fault), 0);
		assert_false(question.says_options);
		relay_question_ask_usage(bodies[i], n, &asking);
		assert_int_equal(
			relay_question_read(&route, asking.text, asking.length, &arena, &question, &fault), 0);
		assert_true(question.says_options && question.asks_usage);
	}
}

static void an_image_is_no_text(void **state)
{
	(void)state;
	AUTO_ARENA arena = ARENA_INIT;
	AUTO_STRBUF body = STRBUF_INIT(STRBUF_TEXT);
	static const struct relay_route route = {.dialect = RELAY_CHAT, .tail = "/chat/completions"};
	struct relay_question question;
	struct relay_fault fault;
	strbuf_adds(&body, "{\"model\":\"m\",\"stream\":true,\"x\":\"\\u0000 \\ud800 ");
	for (size_t i = 0; i < 4000; i++)
		strbuf_adds(&body, "one ");
	strbuf_adds(&body, "\",\"y\":\"");
	for (size_t i = 0; i < 1000000; i++)
		strbuf_addc(&body, 'A');
	strbuf_adds(&body, "\"}");
	assert_int_equal(
		relay_question_read(&route, body.text, body.length, &arena, &question, &fault), 0);
	assert_string_equal(question.model, "m");
	assert_true(question.is_stream && !question.asks_usage && !question.says_options);
	assert_in_range(question.tokens, 5500, 5700);
	assert_int_equal(relay_question_read(&route, "[1]", 3, &arena, &question, &fault), -1);
	assert_int_equal(relay_question_read(&route, "{\"model\":\"a\",\"model\":\"b\"}", 25, &arena,
						 &question, &fault),
		-1);
}

UNIT(relay_route)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(each_path_leads_to_its_place),
		cmocka_unit_test(the_key_stands_where_the_dummy_did),
		cmocka_unit_test(what_belongs_to_the_connection_stays_behind),
		cmocka_unit_test(refusals_speak_the_dialect),
		cmocka_unit_test(usage_is_asked_for_in_any_form),
		cmocka_unit_test(an_image_is_no_text),
	};
	return RUN_TESTS(tests);
}
