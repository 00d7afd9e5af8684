/* The openai type against a real server: what it sends, how it bears with servers, what it tells;
 * its limits. */
#include "tests/unit/model_fixture.h"

#include <pthread.h>

static const char script[] =
	"scene plain\nsay fine\nscene busy\nstatus 503\nheader retry-after-ms: 1\nbody {}\n"
	"scene kept\nsay one\nreply\nsay two\n"
	"scene swap\n"
	"status 400\n"
	"body {\"error\":{\"message\":\"Unsupported parameter: 'max_tokens' is not supported with this "
	"model. Use 'max_completion_tokens' "
	"instead.\",\"param\":\"max_tokens\",\"code\":\"unsupported_parameter\"}}\n" AGAIN
	"scene extra\n"
	"status 422\n"
	"body {\"detail\":[{\"loc\":[\"body\",\"stream_options\"],\"msg\":\"Extra inputs are not "
	"permitted\"}]}\n" AGAIN "scene toolarge\n"
	"status 400\n"
	"body {\"error\":{\"message\":\"max_tokens is too large: 99999\",\"param\":\"max_tokens\"}}\n"
	"scene cancel\nevents\n" CHUNK(
		"a") "stall\n"
			 "scene think\nevents\ndata "
			 "{\"choices\":[{\"delta\":{\"reasoning\":\"hmhm\"}}]}\nstall\n"
			 "scene long\n"
			 "send " EVENTS "\\r\\ndata: {\"choices\":[{\"delta\":{\"content\":\"\n"
			 "repeat 1234567 x\n"
			 "send \"}}]}\\n\\n\n"
			 "stall\n"
			 "scene limited\nstatus 429\nheader Retry-After: 100\nbody {}\n"
			 "scene bulk\n"
			 "send " EVENTS
			 "Connection: close\\r\\n\\r\\ndata: {\"choices\":[{\"delta\":{\"content\":\"\n"
			 "repeat 8000000 x\nsend \"}}]}\\n\\ndata: [DONE]\\n\\n\nclose\n"
			 "scene endless\nevents\nlong 5000000\nlong 5000000\nstall\n"
			 "scene event\nsend " EVENTS
			 "Connection: close\\r\\n\\r\\ndata: \nrepeat 34000000 x\nclose\n"
			 "scene turn\n"
			 "send " EVENTS "Connection: close\\r\\n\\r\\n\n"
			 "repeat 700000 : 100 bytes of a comment, one after the other, which no "
			 "event ever follows, and this is as long as it gets.\\n\nclose\n"
			 "scene mute\nfinish length\nsay \nscene odd\nevents\n" CHUNK("\\xff") ALL
	"scene twins\nsay a word for each of two threads that ask at the same time\n";

static const char *ask(struct client *client)
{
	struct context ctx = {0};
	struct model_reply reply = {0};
	if (model_complete(client->model, &request, &client->arena, &reply, &ctx, &client->err) < 0)
		return NULL;
	return reply.text;
}

static void what_is_sent_is_what_was_set_and_no_more(void **state)
{
	(void)state;
	static const char *const none[] = {NULL};
	static const char *const all[] = {
		"temperature=0.5", "max_tokens=100", "reasoning_effort=low", "stream=false", NULL};
	static const char *const expected[] = {
		"{\"model\":\"test\",\"messages\":[{\"role\":\"system\",\"content\":\"Be "
		"brief.\"},{\"role\":\"user\",\"content\":"
		"\"Say \\\"fine\\\".\"}],\"stream\":true,\"stream_options\":{\"include_usage\":true}}",
		"{\"model\":\"test\",\"messages\":[{\"role\":\"system\",\"content\":\"Be "
		"brief.\"},{\"role\":\"user\",\"content\":"
		"\"Say "
		"\\\"fine\\\".\"}],\"temperature\":0.5,\"max_tokens\":100,\"reasoning_effort\":\"low\"}"};
	int before = server_count(&server, "plain");
	for (int i = 0; i < 2; i++) {
		struct client client = {0};
		assert_non_null(open_scene(&client, "plain", i ? all : none));
		assert_string_equal(ask(&client), "fine");
		release(&client);
		AUTO_JSON *sent = server_request(&server, "plain", before + i + 1);
		AUTO_FREE char *body = json_print(json_get(sent, "body"));
		const struct json *headers = json_get(sent, "headers");
		assert_string_equal(body, expected[i]);
		assert_string_equal(json_string(sent, "path", ""), "/plain/chat/completions");
		assert_string_equal(json_string(headers, "authorization", ""), "Bearer " KEY);
		assert_string_equal(json_string(headers, "content-type", ""), "application/json");
	}
}

static void the_connection_is_kept_between_calls(void **state)
{
	(void)state;
	struct client client = {0};
	assert_non_null(open_scene(&client, "kept", NULL));
	assert_string_equal(ask(&client), "one");
	assert_string_equal(ask(&client), "two");
	release(&client);
	AUTO_JSON *first = server_request(&server, "kept", 1);
	AUTO_JSON *second = server_request(&server, "kept", 2);
	assert_int_equal(json_int(first, "connection", -1), json_int(second, "connection", -2));
}

static void a_server_that_refuses_a_field_is_asked_without_it(void **state)
{
	(void)state;
	static const struct {
		const char *scene, *gone, *there;
	} cases[] = {
		{"swap", "max_tokens", "max_completion_tokens"}, {"extra", "stream_options", "stream"}};
	static const char *const limited[] = {"max_tokens=50", NULL};
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		struct client client = {0};
		assert_non_null(open_scene(&client, cases[i].scene, limited));
		assert_string_equal(ask(&client), "fine");
		assert_string_equal(ask(&client), "fine"); /* at once: it is remembered */
		release(&client);
		assert_int_equal(server_count(&server, cases[i].scene), 3);
		AUTO_JSON *first = server_request(&server, cases[i].scene, 1);
		AUTO_JSON *third = server_request(&server, cases[i].scene, 3);
		assert_non_null(json_get(json_get(first, "body"), cases[i].gone));
		assert_null(json_get(json_get(third, "body"), cases[i].gone));
		assert_non_null(json_get(json_get(third, "body"), cases[i].there));
	}
	struct client client = {0};
	assert_non_null(open_scene(&client, "toolarge", limited));
	assert_null(ask(&client));
	assert_int_equal(server_count(&server, "toolarge"), 1);
	release(&client);
}

static void nobody_there_is_transient(void **state)
{
	(void)state;
	static const char *const twice[] = {"retries=2", NULL};
	struct client client = {0};
	assert_non_null(open_model(&client, "http://127.0.0.1:1/v1", twice));
	assert_null(ask(&client));
	assert_string_equal(client.err.message,
		"model openai/test: no answer from 127.0.0.1:1: Connection refused (2 tries)");
	assert_string_equal(client.err.help, "try again later");
	assert_int_equal(client.err.code, RONDO_ERROR_TRANSIENT);
	release(&client);
}

static void what_cannot_work_is_refused_before_the_first_call(void **state)
{
	(void)state;
	static const struct {
		const char *base_url, *settings[2], *key, *error;
	} cases[] = {
		{"https://api.example/v1", {"api_key_env=OTHER_API_KEY"}, KEY,
			"OTHER_API_KEY is not set, and https://api.example/v1 wants a key"},
		{"https://api.example/v1", {"api_key_env=SECRET"}, KEY,
			"api_key_env must end in _API_KEY, found 'SECRET'"},
		{"api.example/v1", {NULL}, KEY,
			"base_url: 'api.example/v1' must begin with https:// or http://"},
		{"http://127.0.0.1/", {"model="}, KEY, "'model' must say which model is meant"},
		{"http://127.0.0.1/", {NULL}, "sk-1234567\r\nX-Evil: 1",
			"the key in TEST_API_KEY holds a space or a character that is not ASCII"},
	};
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		const char *key = cases[i].key;
		struct client client = {.secrets = {(const char **)(uintptr_t)key_names, &key, 1}};
		assert_null(open_model(&client, cases[i].base_url, cases[i].settings));
		assert_memory_equal(client.err.message, "model openai/test: ", 19);
		assert_string_equal(client.err.message + 19, cases[i].error);
		assert_int_equal(client.err.code, RONDO_ERROR_USAGE);
		release(&client);
	}
}

static void the_environment_says_where_the_api_is(void **state)
{
	(void)state;
	struct client client = {0};
	setenv("OPENAI_BASE_URL", "http://127.0.0.1:1/elsewhere", 1);
	assert_non_null(open_model(&client, NULL, NULL));
	assert_null(ask(&client));
	assert_non_null(strstr(client.err.message, "no answer from 127.0.0.1:1"));
	release(&client);
	unsetenv("OPENAI_BASE_URL");
}

static void a_server_here_needs_no_key(void **state)
{
	(void)state;
	static const char *const keyless[] = {"api_key_env=OTHER_API_KEY", NULL};
	struct client client = {0};
	int before = server_count(&server, "plain");
	assert_non_null(open_scene(&client, "plain?a=b#c", keyless));
	assert_string_equal(ask(&client), "fine");
	release(&client);
	AUTO_JSON *sent = server_request(&server, "plain", before + 1);
	assert_null(json_get(json_get(sent, "headers"), "authorization"));
	/* the query stays behind */
	assert_string_equal(json_string(sent, "path", ""), "/plain/chat/completions?a=b");
}

struct log {
	struct strbuf text;
	struct cancel *cancel; /* fired by the first line */
};

static void note(void *owner, const struct rondo_event *event)
{
	struct log *log = owner;
	if (event->type == RONDO_EVENT_MODEL_REQUEST || event->type == RONDO_EVENT_MODEL_REPLY)
		return;
	strbuf_addf(&log->text, "%s%s: %s\n", event->type == RONDO_EVENT_NOTICE ? "notice " : "",
		event->source, event->text);
	if (log->cancel)
		cancel_fire(log->cancel, SIGTERM);
}

/* What is told while a scene goes on. */
static int listen_to(struct client *client, const char *scene, struct log *log)
{
	struct model_reply reply;
	const struct context ctx = {.emit = {note, log}, .cancel = log->cancel};
	assert_non_null(open_scene(client, scene, NULL));
	return model_complete(client->model, &request, &client->arena, &reply, &ctx, &client->err);
}

static void what_the_user_should_know_is_told(void **state)
{
	(void)state;
	static const char *const cases[][2] = {
		{"busy", "openai/test: try 2 of 5 in 0.0 s: http://127.0.0.1:"},
		{"mute",
			"notice openai/test: reasoning used up the limit of tokens before a word was written; "
			"raise max_tokens\n"},
		{"odd",
			"notice openai/test: the answer held bytes that are no text; U+FFFD stands in their "
			"place\n"}};
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		struct client client = {0};
		struct log log = {.text = STRBUF_INIT(STRBUF_TEXT)};
		listen_to(&client, cases[i][0], &log);
		assert_non_null(strstr(log.text.text, cases[i][1]));
		strbuf_release(&log.text);
		release(&client);
	}
}

/* Each of these would take minutes; the first line of progress fires the token. */
static void a_limit_of_money_that_does_not_hold_is_told_once(void **state)
{
	(void)state;
	struct client client = {0};
	struct budget budget;
	struct model_reply reply;
	struct log log = {.text = STRBUF_INIT(STRBUF_TEXT)};
	const struct context ctx = {.emit = {note, &log}};
	assert_non_null(open_scene(&client, "plain", NULL));
	budget_init(&budget, 0, 0.5);
	client.services.budget = &budget;
	assert_int_equal(model_tell_price(client.model, &ctx, &client.err), 0);
	assert_int_equal(
		model_complete(client.model, &request, &client.arena, &reply, &ctx, &client.err), 0);
	const char *notice = strstr(log.text.text,
		"notice openai/test: what openai/test costs is unknown, so the limit of 0.5 USD "
		"does not hold for it: give its 'price' in the configuration\n");
	assert_non_null(notice);
	assert_null(strstr(notice + 1, "notice "));
	strbuf_release(&log.text);
	budget_release(&budget);
	release(&client);
}

static void cancelling_ends_a_reply_and_a_wait_at_once(void **state)
{
	(void)state;
	static const char *const cases[][2] = {{"cancel", "openai/test: writing, 1 character\n"},
		{"think", "openai/test: thinking, 4 characters\n"},
		{"long", "openai/test: writing, 1,234,567 characters\n"},
		{"limited", "openai/test: try 2 of 5 in 1 min 40 s: http://127.0.0.1:"}};
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		struct cancel cancel;
		struct client client = {0};
		assert_int_equal(cancel_init(&cancel, NULL, 0, &client.err), 0);
		struct log log = {.text = STRBUF_INIT(STRBUF_TEXT), .cancel = &cancel};
		assert_int_equal(listen_to(&client, cases[i][0], &log), -1);
		assert_memory_equal(log.text.text, cases[i][1], strlen(cases[i][1]));
		assert_string_equal(client.err.message, "model openai/test: stopped by SIGTERM");
		assert_int_equal(client.err.code, RONDO_ERROR_CANCELLED);
		assert_int_equal(server_count(&server, cases[i][0]), 1);
		cancel_release(&cancel);
		strbuf_release(&log.text);
		release(&client);
	}
}

static void size_has_a_limit(void **state)
{
	(void)state;
	struct client client = {0};
	assert_non_null(open_scene(&client, "bulk", NULL));
	const char *text = ask(&client);
	assert_int_equal(strlen(text), 8000000);
	release(&client);
	static const char *const cases[][2] = {{"endless", "has more than 8 MB of text"},
		{"event", "an event of the stream is larger than 33554432 bytes"},
		{"turn", "is larger than 67108864 bytes"}};
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		client = (struct client){0};
		assert_non_null(open_scene(&client, cases[i][0], NULL));
		assert_null(ask(&client));
		assert_non_null(strstr(client.err.message, cases[i][1]));
		assert_int_equal(client.err.code, RONDO_ERROR_TRANSIENT);
		assert_int_equal(server_count(&server, cases[i][0]), 1);
		release(&client);
	}
}

static void *ask_often(void *unused)
{
	(void)unused;
	struct client client = {0};
	struct context ctx = {0};
	struct model_reply reply;
	size_t good = 0;
	if (open_scene(&client, "twins", NULL))
		for (size_t i = 0; i < 20; i++)
			good += model_complete(
						client.model, &request, &client.arena, &reply, &ctx, &client.err) == 0;
	release(&client);
	return (void *)good;
}

static void two_models_at_once_do_not_meet(void **state)
{
	(void)state;
	pthread_t threads[2];
	for (size_t i = 0; i < 2; i++)
		assert_int_equal(pthread_create(&threads[i], NULL, ask_often, NULL), 0);
	for (size_t i = 0; i < 2; i++) {
		void *good = NULL;
		pthread_join(threads[i], &good);
		assert_int_equal((size_t)good, 20);
	}
}

UNIT(openai)
{
	server_start(&server, script);
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(what_is_sent_is_what_was_set_and_no_more),
		cmocka_unit_test(the_connection_is_kept_between_calls),
		cmocka_unit_test(a_server_that_refuses_a_field_is_asked_without_it),
		cmocka_unit_test(nobody_there_is_transient),
		cmocka_unit_test(what_cannot_work_is_refused_before_the_first_call),
		cmocka_unit_test(the_environment_says_where_the_api_is),
		cmocka_unit_test(a_server_here_needs_no_key),
		cmocka_unit_test(what_the_user_should_know_is_told),
		cmocka_unit_test(a_limit_of_money_that_does_not_hold_is_told_once),
		cmocka_unit_test(cancelling_ends_a_reply_and_a_wait_at_once),
		cmocka_unit_test(size_has_a_limit),
		cmocka_unit_test(two_models_at_once_do_not_meet),
	};
	int result = RUN_TESTS(tests);
	server_stop(&server);
	return result;
}
