/* What is asked in each dialect and of each provider: the request, its headers, where it goes; what
 * is told of a server that cuts. */
#include "tests/unit/model_fixture.h"

#include "base/http/http.h"
#include "models/provider.h"

static const char script[] =
	"say fine\n"
	"scene plain\nsay fine\n"
	"scene older\nstatus 400\n"
	"body "
	"{\"type\":\"error\",\"error\":{\"type\":\"invalid_request_error\",\"message\":\"max_tokens: "
	"16384 > "
	"4096, which is the maximum allowed number of output tokens for test\"}}\n" AGAIN
	"scene v1\nsay fine\n"
	"scene sealed\nheader Content-Type: application/json\n"
	"body "
	"{\"object\":\"response\",\"status\":\"completed\",\"output\":[{\"type\":\"reasoning\",\"id\":"
	"\"rs_1\",\"summary\":[],\"encrypted_content\":\"c2VhbGVk\"},{\"type\":\"message\",\"content\":"
	"[{"
	"\"text\":\"a\"}]}]}\n"
	"scene thoughtless\nstatus 400\n"
	"body {\"error\":{\"message\":\"Encrypted content is not supported with this model.\",\"type\":"
	"\"invalid_request_error\",\"param\":\"include\",\"code\":null}}\n" AGAIN
	"scene broken\nevents\n" CHUNK(
		"lost") "end\n" AGAIN "scene counted\nheader Content-Type: application/json\n"
				"body "
				"{\"choices\":[{\"message\":{\"content\":\"fine\"}}],\"usage\":{\"prompt_tokens\":"
				"100,"
				"\"completion_tokens\":50,\"prompt_tokens_details\":{\"cached_tokens\":60},"
				"\"completion_tokens_details\":{\"reasoning_tokens\":40}}}\n";

static const char *ask_of(struct client *client, const struct model_request *asked)
{
	struct context ctx = {0};
	struct model_reply reply = {0};
	if (model_complete(client->model, asked, &client->arena, &reply, &ctx, &client->err) < 0)
		return NULL;
	return reply.text;
}

/* What a model of a type sends. */
static struct json *sent_by(
	const struct model_type *type, const char *const *settings, const struct model_request *asked)
{
	struct client client = {.type = type};
	int before = server_count(&server, "plain");
	assert_non_null(open_scene(&client, "plain", settings));
	assert_string_equal(ask_of(&client, asked), "fine");
	release(&client);
	return server_request(&server, "plain", before + 1);
}

static void assert_body(struct json *sent, const char *expected)
{
	AUTO_JSON *owned = sent;
	AUTO_FREE char *body = json_print(json_get(owned, "body"));
	assert_string_equal(body, expected);
}

static const struct model_message turns[] = {{.role = MODEL_SYSTEM, .content = "Be brief."},
	{.role = MODEL_SYSTEM, .content = ""}, {.role = MODEL_USER, .content = "One"},
	{.role = MODEL_USER, .content = "Two"}, {.role = MODEL_ASSISTANT, .content = "Three"},
	{.role = MODEL_USER, .content = ""}, {.role = MODEL_USER, .content = "Four"}};
static const struct model_request chat = {.messages = turns, .n = ARRAY_SIZE(turns)};

/* Neighbours of one side are one message, nothing is empty, and the cache has its two marks. */
static void messages_have_blocks_and_marks(void **state)
{
	(void)state;
	static const char *const long_kept[] = {"cache=1h", "temperature=0.5", "max_tokens=9", NULL};
	static const char *const not_kept[] = {"cache=off", "stream=false", NULL};
	assert_body(sent_by(&anthropic_model, NULL, &chat),
		"{\"model\":\"test\",\"max_tokens\":16384,\"stream\":true,\"system\":[{\"type\":\"text\","
		"\"text\":\"Be brief.\",\"cache_control\":{\"type\":\"ephemeral\"}}],\"messages\":["
		"{\"role\":\"user\",\"content\":[{\"type\":\"text\",\"text\":\"One\"},{\"type\":\"text\","
		"\"text\":"
		"\"Two\"}]},"
		"{\"role\":\"assistant\",\"content\":[{\"type\":\"text\",\"text\":\"Three\"}]},"
		"{\"role\":\"user\",\"content\":[{\"type\":\"text\",\"text\":\"Four\",\"cache_control\":{"
		"\"type\":"
		"\"ephemeral\"}}]}]}");
	assert_body(sent_by(&anthropic_model, long_kept, &request),
		"{\"model\":\"test\",\"max_tokens\":9,\"temperature\":0.5,\"stream\":true,\"system\":[{"
		"\"type\":"
		"\"text\",\"text\":\"Be "
		"brief.\",\"cache_control\":{\"type\":\"ephemeral\",\"ttl\":\"1h\"}}],"
		"\"messages\":[{\"role\":\"user\",\"content\":[{\"type\":\"text\",\"text\":\"Say "
		"\\\"fine\\\".\","
		"\"cache_control\":{\"type\":\"ephemeral\",\"ttl\":\"1h\"}}]}]}");
	assert_body(sent_by(&anthropic_model, not_kept, &request),
		"{\"model\":\"test\",\"max_tokens\":16384,\"system\":[{\"type\":\"text\",\"text\":\"Be "
		"brief.\"}],\"messages\":[{\"role\":\"user\",\"content\":[{\"type\":\"text\",\"text\":"
		"\"Say "
		"\\\"fine\\\".\"}]}]}");
}

static void responses_store_nothing(void **state)
{
	(void)state;
	static const char *const settings[] = {"reasoning_effort=low", "max_tokens=9", NULL};
	assert_body(sent_by(&openai_responses_model, settings, &request),
		"{\"model\":\"test\",\"input\":[{\"role\":\"developer\",\"content\":\"Be "
		"brief.\",\"type\":\"message\"},{\"role\":"
		"\"user\",\"content\":\"Say "
		"\\\"fine\\\".\",\"type\":\"message\"}],\"max_output_tokens\":9,\"reasoning\":{\"effort\":"
		"\"low\"},\"stream\":true,\"store\":false,\"include\":[\"reasoning.encrypted_content\"]}");
}

/* What was thought stands as it came before what was said then. */
static void sealed_thought_goes_back(void **state)
{
	(void)state;
	static const char thought[] = "{\"type\":\"reasoning\",\"id\":\"rs_1\",\"summary\":[],"
								  "\"encrypted_content\":\"c2VhbGVk\"}";
	struct client client = {.type = &openai_responses_model};
	struct context ctx = {0};
	struct model_reply reply = {0};
	assert_non_null(open_scene(&client, "sealed", NULL));
	assert_int_equal(
		model_complete(client.model, &request, &client.arena, &reply, &ctx, &client.err), 0);
	assert_string_equal(reply.text, "a");
	assert_string_equal(reply.provider_data, thought);
	const struct model_message next[] = {{.role = MODEL_USER, .content = "One"},
		{.role = MODEL_ASSISTANT, .content = reply.text, .provider_data = reply.provider_data},
		{.role = MODEL_USER, .content = "Two"}};
	const struct model_request second = {.messages = next, .n = ARRAY_SIZE(next)};
	assert_string_equal(ask_of(&client, &second), "a");
	AUTO_JSON *sent = server_request(&server, "sealed", 2);
	AUTO_FREE char *input = json_print(json_get(json_get(sent, "body"), "input"));
	assert_string_equal(input,
		arena_printf(&client.arena,
			"[{\"role\":\"user\",\"content\":\"One\",\"type\":\"message\"},%s,{\"role\":"
			"\"assistant\",\"content\":\"a\",\"type\":\"message\"}"
			","
			"{\"role\":\"user\",\"content\":\"Two\",\"type\":\"message\"}]",
			thought));
	struct client other = {.type = &openai_responses_model};
	assert_non_null(open_scene(&other, "thoughtless", NULL));
	assert_string_equal(ask_of(&other, &second), "fine");
	release(&other);
	release(&client);
	AUTO_JSON *again = server_request(&server, "thoughtless", 2);
	assert_null(json_get(json_get(again, "body"), "include"));
	assert_int_equal(json_count(json_get(json_get(again, "body"), "input")), 3);
}

/* Each provider sends its key where it is looked for, and to the path of its dialect. */
static void keys_and_paths_are_the_providers(void **state)
{
	(void)state;
	static const struct {
		const struct model_type *type;
		const char *path, *header, *value;
	} cases[] = {{&openai_model, "/plain/chat/completions", "authorization", "Bearer " KEY},
		{&openai_responses_model, "/plain/responses", "authorization", "Bearer " KEY},
		{&anthropic_model, "/plain/v1/messages", "x-api-key", KEY},
		{&anthropic_model, "/plain/v1/messages", "anthropic-version", "2023-06-01"},
		{&azure_model, "/plain/chat/completions", "api-key", KEY},
		{&ollama_model, "/plain/chat/completions", "authorization", "Bearer " KEY}};
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		AUTO_JSON *sent = sent_by(cases[i].type, NULL, &request);
		assert_string_equal(json_string(sent, "path", ""), cases[i].path);
		assert_string_equal(
			json_string(json_get(sent, "headers"), cases[i].header, ""), cases[i].value);
		bool is_bearer = strcmp(cases[i].header, "authorization") == 0;
		assert_int_equal(json_get(json_get(sent, "headers"), "authorization") != NULL, is_bearer);
	}
}

/* People write a base URL with and without the version, or the whole of it. */
static void a_base_url_is_completed(void **state)
{
	(void)state;
	static const struct {
		const struct model_type *type;
		const char *end, *path;
	} cases[] = {{&anthropic_model, "/v1", "/v1/messages"},
		{&anthropic_model, "/v1/", "/v1/messages"},
		{&anthropic_model, "/v1/messages", "/v1/messages"},
		{&openai_model, "/v1/chat/completions", "/v1/chat/completions"},
		{&azure_model, "", "/openai/v1/chat/completions"},
		{&azure_model, "/", "/openai/v1/chat/completions"},
		{&azure_model, "/v1?api-version=1", "/v1/chat/completions?api-version=1"}};
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		struct client client = {.type = cases[i].type};
		const char *url =
			arena_printf(&client.arena, "http://127.0.0.1:%d%s", server.port, cases[i].end);
		const char *scene = text_starts_with(cases[i].path, "/v1") ? "v1" : "";
		int before = server_count(&server, scene);
		assert_non_null(open_model(&client, url, NULL));
		assert_string_equal(ask_of(&client, &request), "fine");
		release(&client);
		AUTO_JSON *sent = server_request(&server, scene, before + 1);
		assert_string_equal(json_string(sent, "path", ""), cases[i].path);
	}
}

static void an_older_model_is_asked_for_less(void **state)
{
	(void)state;
	struct client client = {.type = &anthropic_model};
	assert_non_null(open_scene(&client, "older", NULL));
	assert_string_equal(ask_of(&client, &request), "fine");
	release(&client);
	AUTO_JSON *sent = server_request(&server, "older", 2);
	assert_int_equal(json_int(json_get(sent, "body"), "max_tokens", 0), 4096);
}

/* A word of the table for each preset: --model gemini/NAME works by name. */
static void each_provider_has_a_place_and_a_key(void **state)
{
	(void)state;
	struct rondo_error err;
	size_t n = 0;
	for (size_t i = 0; model_types[i]; i++) {
		const struct provider *provider = model_types[i]->provider;
		struct http_url url;
		if (!provider)
			continue;
		n++;
		assert_true(text_ends_with(provider->key_name, "_API_KEY"));
		assert_true(provider->base_url || provider->url_name);
		if (!provider->base_url)
			continue;
		assert_int_equal(http_url_read(provider->base_url, &url, &err), 0);
		assert_int_equal(url.is_local, !provider->needs_key);
	}
	assert_int_equal(n, 11);
}

static void azure_must_be_told_where_it_is(void **state)
{
	(void)state;
	struct client client = {.type = &azure_model};
	assert_null(open_model(&client, NULL, NULL));
	assert_string_equal(client.err.message,
		"model azure/test: AZURE_OPENAI_ENDPOINT is not set, and nothing else says where azure is");
	assert_string_equal(client.err.help, "set AZURE_OPENAI_ENDPOINT, or the model's 'base_url'");
	release(&client);
}

static struct model_reply reply_of(
	struct client *client, const struct model_type *type, const char *scene)
{
	const struct context ctx = {0};
	struct model_reply reply;
	*client = (struct client){.type = type};
	assert_non_null(open_scene(client, scene, NULL));
	assert_int_equal(
		model_complete(client->model, &request, &client->arena, &reply, &ctx, &client->err), 0);
	return reply;
}

/* What a cache had and took in, what was thought and what was lost are parts of the sums. */
static void every_token_is_accounted_for(void **state)
{
	(void)state;
	struct client client;
	struct model_reply reply = reply_of(&client, &openai_model, "counted");
	assert_int_equal(reply.usage.prompt_tokens, 100);
	assert_int_equal(reply.usage.cached_tokens, 60);
	assert_int_equal(reply.usage.reasoning_tokens, 40);
	assert_true(reply.counts_cached);
	release(&client);
	reply = reply_of(&client, &anthropic_model, "plain");
	assert_int_equal(reply.usage.prompt_tokens, 11);
	assert_int_equal(reply.usage.cached_tokens, 4);
	assert_int_equal(reply.usage.cache_written_tokens, 2);
	release(&client);
	reply = reply_of(&client, &openai_model, "broken");
	assert_int_equal(reply.usage.lost_tokens,
		reply.usage.prompt_tokens + reply.usage.completion_tokens - 18);
	assert_true(reply.usage.lost_tokens > 1);
	release(&client);
}

static void count_notice(void *owner, const struct rondo_event *event)
{
	if (event->type == RONDO_EVENT_NOTICE && strstr(event->text, "cut what it was sent"))
		++*(int *)owner;
}

/* Ollama leaves the beginning of a long chat out and answers the rest: it is told, once. */
static void a_server_that_cuts_the_chat_is_told(void **state)
{
	(void)state;
	static char text[20000];
	memset(text, 'x', sizeof text - 1);
	const struct model_message long_message = {.role = MODEL_USER, .content = text};
	const struct model_request cases[] = {request, {.messages = &long_message, .n = 1}};
	const struct model_type *const types[] = {&ollama_model, &llamacpp_model};
	for (size_t i = 0; i < 4; i++) {
		struct client client = {.type = types[i / 2]};
		struct model_reply reply;
		int n = 0;
		const struct context ctx = {.emit = {count_notice, &n}};
		assert_non_null(open_scene(&client, "plain", NULL));
		for (int j = 0; j < 2; j++)
			assert_int_equal(model_complete(client.model, &cases[i % 2], &client.arena, &reply,
								 &ctx, &client.err),
				0);
		assert_int_equal(n, i == 1 ? 1 : 0);
		release(&client);
	}
}

UNIT(dialects)
{
	server_start(&server, script);
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(messages_have_blocks_and_marks),
		cmocka_unit_test(responses_store_nothing),
		cmocka_unit_test(sealed_thought_goes_back),
		cmocka_unit_test(keys_and_paths_are_the_providers),
		cmocka_unit_test(a_base_url_is_completed),
		cmocka_unit_test(an_older_model_is_asked_for_less),
		cmocka_unit_test(each_provider_has_a_place_and_a_key),
		cmocka_unit_test(azure_must_be_told_where_it_is),
		cmocka_unit_test(every_token_is_accounted_for),
		cmocka_unit_test(a_server_that_cuts_the_chat_is_told),
	};
	int result = RUN_TESTS(tests);
	server_stop(&server);
	return result;
}
