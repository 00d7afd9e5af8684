/* The relay between clients and a real server: what passes, what is counted and refused. */
#include "tests/unit/relay_fixture.h"

#include "tests/unit/certificate_fixture.h"

#define CHAT "/v1/chat/completions"
#define ASK "{\"model\":\"gpt-x\",\"messages\":[]}"
#define STREAM "{\"model\":\"gpt-x\",\"stream\":true,\"messages\":[]}"
#define GEMINI \
	"{\\x22candidates\\x22:[{\\x22finishReason\\x22:\\x22STOP\\x22}],\\x22usageMetadata\\x22:" \
	"{\\x22promptTokenCount\\x22:11,\\x22candidatesTokenCount\\x22:7}}"

static const char script[] =
	"say fine\n"
	"scene gemini\nbody " GEMINI "\n"
	"scene list\nbody {\"data\":[]}\n"
	"scene echo\nsplit 3\nheader X-Key: " KEY "\nbody You said " KEY ", and " KEY "\n"
	"scene limited\nstatus 429\nheader Retry-After: 7\nheader x-ratelimit-limit-requests: 5\n"
	"header Set-Cookie: a=b\n"
	"body {\"error\":{\"message\":\"Slow down\",\"type\":\"rate_limit\"}}\n"
	"scene picky\nstatus 400\n"
	"body {\"error\":{\"message\":\"Unknown field stream_options\"}}\nreply\nsay fine\n"
	"scene wrong\nstatus 400\nbody {\"error\":{\"message\":\"no such model\"}}\n"
	"scene cut\nevents\nword one\nclose\n"
	"scene busy\nevents\nword one\n"
	"data {\"error\":{\"message\":\"Out of luck\",\"type\":\"server_error\"}}\nend\n"
	"scene empty\nsend HTTP/1.1 204 Nothing\\r\\n\\r\\n\n"
	"scene zipped\nsend HTTP/1.1 200 OK\\r\\nContent-Type: application/json\\r\\n\n"
	"send Content-Encoding: gzip\\r\\nConnection: close\\r\\n\\r\\n\n"
	"gzip {\"choices\":[],\"usage\":{\"prompt_tokens\":3,\"completion_tokens\":4}}\nclose\n"
	"scene large\nevents\nlong 3000000\nstop\ndone\nend\n";

static const struct {
	const char *what, *scene, *path, *headers, *body, *sent_key, *sent_path;
} dialects[] = {
	{"chat", "a", CHAT, DUMMY, ASK, "authorization", "/a/v1/chat/completions"},
	{"chat's stream", "a", "/chat/completions", DUMMY, STREAM, "authorization",
		"/a/v1/chat/completions"},
	{"responses", "a", "/v1/responses", DUMMY, ASK, "authorization", "/a/v1/responses"},
	{"responses' stream", "a", "/responses", DUMMY, STREAM, "authorization", "/a/v1/responses"},
	{"messages", "a", "/v1/messages?beta=true", "x-api-key: dummy\r\n", ASK, "x-api-key",
		"/a/v1/messages?beta=true"},
	{"messages' stream", "a", "/v1/messages", "x-api-key: dummy\r\n", STREAM, "x-api-key",
		"/a/v1/messages"},
	{"gemini", "gemini", "/v1beta/models/g:generateContent?key=dummy", "", "{}", "x-goog-api-key",
		"/gemini/v1beta/models/g:generateContent"},
};

static void check_dialect(size_t i)
{
	struct relayed relayed = {.relay = NULL};
	struct relay_sums sums;
	AUTO_STRBUF faults = STRBUF_INIT(STRBUF_LINE);
	AUTO_STRBUF answer = STRBUF_INIT(STRBUF_RECORD);
	AUTO_FREE char *body = NULL;
	relayed.options.upstream.price = (struct price){.input = 2, .output = 3, .known = true};
	snprintf(relayed.base_url, sizeof relayed.base_url, "http://127.0.0.1:%d/%s/v1", server.port,
		dialects[i].scene);
	relayed_start(&relayed, NULL);
	int number = server_count(&server, strcmp(dialects[i].scene, "a") == 0 ? "" : "gemini") + 1;
	ask(&relayed, dialects[i].path, dialects[i].headers, dialects[i].body, &answer);
	assert_true(text_starts_with(answer.text, "HTTP/1.1 200 OK\r\n"));
	assert_non_null(body = unchunked(answer.text));
	struct relay_entry entry = next_entry(&relayed);
	assert_int_equal(entry.status, 200);
	assert_true(entry.usage_known && !entry.is_refused && !entry.is_broken && !*entry.why);
	assert_int_equal(entry.usage.prompt_tokens, 11);
	assert_int_equal(entry.usage.completion_tokens, 7);
	assert_true(entry.usd >= (11 * 2 + 7 * 3) / 1e6 && entry.usd < 50 / 1e6);
	assert_string_equal(entry.method, "POST");
	assert_null(strchr(entry.path, '?'));
	relay_turn(relayed.relay, &sums, &faults);
	assert_int_equal(sums.requests, 1);
	assert_int_equal(sums.usage.prompt_tokens + sums.usage.completion_tokens, 18);
	relay_turn(relayed.relay, &sums, &faults);
	assert_int_equal(sums.requests + sums.usage.prompt_tokens, 0);
	AUTO_JSON *sent =
		server_request(&server, strcmp(dialects[i].scene, "a") == 0 ? "" : "gemini", number);
	const char *key = json_string(json_get(sent, "headers"), dialects[i].sent_key, "");
	assert_true(text_ends_with(key, KEY));
	AUTO_FREE char *all = json_print(sent);
	assert_null(strstr(all, "dummy"));
	assert_string_equal(json_string(sent, "path", ""), dialects[i].sent_path);
	assert_string_equal(json_string(json_get(sent, "headers"), "accept-encoding", ""), "identity");
	relay_end(relayed.relay);
}

static void each_dialect_passes_and_is_counted(void **state)
{
	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(dialects); i++)
		check_dialect(i);
}

static void lists_are_free(void **state)
{
	(void)state;
	struct relayed relayed = {.relay = NULL};
	AUTO_STRBUF answer = STRBUF_INIT(STRBUF_RECORD);
	relayed_start(&relayed, "list");
	AUTO_CLOSE fd = client_connect(&relayed);
	static const char get[] = "GET /v1/models HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n";
	client_write(fd, get, strlen(get));
	client_read_until(fd, NULL, &answer);
	AUTO_FREE char *body = unchunked(answer.text);
	assert_string_equal(body, "{\"data\":[]}");
	struct relay_entry entry = next_entry(&relayed);
	assert_int_equal(entry.usage.prompt_tokens + entry.usage.completion_tokens, 0);
	relay_end(relayed.relay);
}

static void a_host_cannot_tell_the_key(void **state)
{
	(void)state;
	struct relayed relayed = {.options.upstream.key_name = "SOME_API_KEY"};
	AUTO_STRBUF answer = STRBUF_INIT(STRBUF_RECORD);
	relayed_start(&relayed, "echo");
	ask(&relayed, CHAT, DUMMY, ASK, &answer);
	AUTO_FREE char *body = unchunked(answer.text);
	assert_string_equal(body, "You said [SOME_API_KEY], and [SOME_API_KEY]");
	assert_non_null(strstr(answer.text, "X-Key: [SOME_API_KEY]\r\n"));
	assert_null(strstr(answer.text, KEY));
	relay_end(relayed.relay);
}

/* Chat Completions does not say what a stream cost, unless asked. */
static void usage_is_asked_for_behind_the_agent_s_back(void **state)
{
	(void)state;
	struct relayed relayed = {.relay = NULL};
	AUTO_STRBUF hidden = STRBUF_INIT(STRBUF_RECORD);
	AUTO_STRBUF asked = STRBUF_INIT(STRBUF_RECORD);
	relayed_start(&relayed, "a");
	ask(&relayed, CHAT, DUMMY, STREAM, &hidden);
	ask(&relayed, CHAT, DUMMY,
		"{\"stream\":true,\"stream_options\":{\"include_usage\":true},\"messages\":[]}", &asked);
	AUTO_FREE char *without = unchunked(hidden.text), *with = unchunked(asked.text);
	assert_null(strstr(without, "usage"));
	assert_non_null(strstr(with, "usage"));
	assert_true(text_ends_with(without, "data: [DONE]\n\n"));
	assert_int_equal(next_entry(&relayed).usage.prompt_tokens, 11);
	assert_int_equal(next_entry(&relayed).usage.prompt_tokens, 11);
	relay_end(relayed.relay);
}

static void a_host_that_cannot_say_usage_is_asked_without(void **state)
{
	(void)state;
	struct relayed relayed = {.relay = NULL};
	AUTO_STRBUF answer = STRBUF_INIT(STRBUF_RECORD);
	relayed_start(&relayed, "picky");
	for (int i = 0; i < 2; i++) {
		strbuf_reset(&answer);
		ask(&relayed, CHAT, DUMMY, STREAM, &answer);
		assert_true(text_starts_with(answer.text, "HTTP/1.1 200 OK\r\n"));
		assert_int_equal(next_entry(&relayed).status, 200);
	}
	assert_int_equal(server_count(&server, "picky"), 3);
	AUTO_JSON *second = server_request(&server, "picky", 2);
	assert_null(json_get(json_get(second, "body"), "stream_options"));
	relay_end(relayed.relay);
}

static void faults_of_the_host_reach_the_agent(void **state)
{
	(void)state;
	struct relayed relayed = {.relay = NULL};
	AUTO_STRBUF answer = STRBUF_INIT(STRBUF_RECORD);
	AUTO_STRBUF faults = STRBUF_INIT(STRBUF_LINE);
	struct relay_sums sums;
	relayed_start(&relayed, "limited");
	relay_turn(relayed.relay, &sums, &faults);
	assert_string_equal(faults.text, "");
	for (int i = 0; i < 9; i++) {
		strbuf_reset(&answer);
		ask(&relayed, CHAT, DUMMY, i % 2 ? ASK : STREAM, &answer);
		assert_true(text_starts_with(answer.text, "HTTP/1.1 429 "));
		AUTO_FREE char *body = unchunked(answer.text);
		assert_string_equal(
			body, "{\"error\":{\"message\":\"Slow down\",\"type\":\"rate_limit\"}}");
		assert_non_null(strstr(answer.text, "Retry-After: 7\r\n"));
		assert_non_null(strstr(answer.text, "x-ratelimit-limit-requests: 5\r\n"));
		assert_null(strstr(answer.text, "Set-Cookie"));
		struct relay_entry entry = next_entry(&relayed);
		assert_int_equal(entry.status, 429);
		assert_int_equal(entry.usage.prompt_tokens, 0);
		assert_string_equal(entry.why, "Slow down");
	}
	relay_turn(relayed.relay, &sums, &faults);
	assert_string_equal(faults.text, "HTTP 429 from 127.0.0.1 (9 times): Slow down");
	strbuf_reset(&faults);
	strbuf_reset(&answer);
	ask(&relayed, CHAT, DUMMY, ASK, &answer);
	next_entry(&relayed);
	relay_turn(relayed.relay, &sums, &faults);
	assert_string_equal(faults.text, "HTTP 429 from 127.0.0.1: Slow down"); /* of this turn */
	relay_end(relayed.relay);
}

/* What a scene comes to: the head of the answer, its end, and what the entry says. */
static void check_scene(const char *scene, const char *body, const char *head, bool is_whole,
	const char *why, bool is_broken)
{
	struct relayed relayed = {.relay = NULL};
	AUTO_STRBUF answer = STRBUF_INIT(STRBUF_RECORD);
	relayed_start(&relayed, scene);
	ask(&relayed, CHAT, DUMMY, body, &answer);
	AUTO_FREE char *whole = unchunked(answer.text);
	struct relay_entry entry = next_entry(&relayed);
	if (!text_starts_with(answer.text, head) || !whole == is_whole || !strstr(entry.why, why) ||
		entry.is_broken != is_broken)
		fail_msg("%s: %s '%s' %d", scene, answer.text, entry.why, entry.is_broken);
	relay_end(relayed.relay);
}

static void what_is_odd_about_an_answer_stays_so(void **state)
{
	(void)state;
	check_scene("wrong", STREAM, "HTTP/1.1 400 ", true, "no such model", false);
	check_scene("cut", STREAM, "HTTP/1.1 200 ", false, "the answer broke off", true);
	check_scene("busy", STREAM, "HTTP/1.1 200 ", true, "Out of luck", false);
	check_scene("empty", ASK, "HTTP/1.1 204 ", false, "", false);
	check_scene("zipped", ASK, "HTTP/1.1 200 ", true, "", false);
	check_scene("large", STREAM, "HTTP/1.1 200 ", true, "", false);
}

static void a_host_that_is_not_there_is_told(void **state)
{
	(void)state;
	struct relayed relayed = {.base_url = "http://127.0.0.1:1/v1"};
	AUTO_STRBUF answer = STRBUF_INIT(STRBUF_RECORD);
	AUTO_STRBUF faults = STRBUF_INIT(STRBUF_LINE);
	struct relay_sums sums;
	relayed_start(&relayed, NULL);
	ask(&relayed, "/v1/messages", "", ASK, &answer);
	assert_true(text_starts_with(answer.text, "HTTP/1.1 502 Bad Gateway\r\n"));
	assert_non_null(strstr(answer.text,
		"{\"type\":\"error\",\"error\":{\"message\":\"rondo: no "
		"answer from 127.0.0.1:1: Connection refused\""));
	struct relay_entry entry = next_entry(&relayed);
	assert_true(entry.is_silent && entry.status == 502);
	assert_true(entry.usage_known && !entry.is_least); /* it was asked nothing */
	relay_turn(relayed.relay, &sums, &faults);
	assert_string_equal(
		faults.text, "no answer from 127.0.0.1: no answer from 127.0.0.1:1: Connection refused");
	relay_end(relayed.relay);
}

static void tls_is_checked(void **state)
{
	(void)state;
	AUTO_STRBUF answer = STRBUF_INIT(STRBUF_RECORD);
	struct relayed good = {.relay = NULL}, bad = {.relay = NULL};
	snprintf(good.base_url, sizeof good.base_url, "https://localhost:%d/v1", server.port);
	snprintf(bad.base_url, sizeof bad.base_url, "https://other.localhost:%d/v1", server.port);
	relayed_start(&good, NULL);
	ask(&good, CHAT, DUMMY, ASK, &answer);
	assert_true(text_starts_with(answer.text, "HTTP/1.1 200 OK\r\n"));
	relayed_start(&bad, NULL);
	strbuf_reset(&answer);
	ask(&bad, CHAT, DUMMY, ASK, &answer);
	/* which no second try mends */
	assert_true(text_starts_with(answer.text, "HTTP/1.1 403 "));
	assert_non_null(strstr(answer.text, "x-should-retry: false\r\n"));
	assert_true(next_entry(&bad).is_silent);
	relay_end(good.relay);
	relay_end(bad.relay);
}

static void a_limit_stands_in_the_way(void **state)
{
	(void)state;
	struct budget budget;
	struct relayed relayed = {.options.budget = &budget};
	struct relay_sums sums;
	AUTO_STRBUF answer = STRBUF_INIT(STRBUF_RECORD);
	budget_init(&budget, 30, 0);
	relayed_start(&relayed, "list");
	snprintf(relayed.base_url, sizeof relayed.base_url, "http://127.0.0.1:%d/b", server.port);
	ask(&relayed, CHAT, DUMMY, ASK, &answer);
	assert_true(text_starts_with(answer.text, "HTTP/1.1 200 OK\r\n"));
	int before = server_count(&server, "");
	static const struct {
		const char *path, *want;
	} rows[] = {{CHAT, "HTTP/1.1 403 "}, {"/v1/messages", "HTTP/1.1 403 "},
		{"/v1/responses", "HTTP/1.1 400 "}, {"/v1beta/models/g:generateContent", "HTTP/1.1 403 "}};
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		strbuf_reset(&answer);
		ask(&relayed, rows[i].path, "",
			"{\"model\":\"m\",\"messages\":[{\"role\":\"user\",\"content\":\"Say it, and be brief, "
			"for there is little left to spend.\"}]}",
			&answer);
		assert_true(text_starts_with(answer.text, rows[i].want));
		assert_non_null(strstr(answer.text, "x-should-retry: false\r\n"));
		assert_non_null(
			strstr(answer.text, "rondo: a limit of the run is reached: 18 of 30 tokens"));
	}
	assert_int_equal(server_count(&server, ""), before);
	relay_sums(relayed.relay, &sums);
	assert_true(sums.is_exhausted);
	assert_int_equal(sums.requests, 1);
	assert_int_equal(sums.refused, 4);
	assert_int_equal(sums.faults, 0);
	relay_end(relayed.relay);
	budget_release(&budget);
}

static void money_is_counted(void **state)
{
	(void)state;
	struct budget budget;
	struct relayed relayed = {.options.budget = &budget,
		.options.upstream.price = {.input = 1000, .output = 1000, .known = true}};
	struct relay_sums sums;
	int64_t unknown;
	AUTO_STRBUF answer = STRBUF_INIT(STRBUF_RECORD);
	budget_init(&budget, 0, 0.02);
	relayed_start(&relayed, "a");
	ask(&relayed, CHAT, DUMMY, ASK, &answer);
	assert_true(text_starts_with(answer.text, "HTTP/1.1 200 OK\r\n"));
	relay_sums(relayed.relay, &sums);
	assert_true(sums.usd > 0.0179 && sums.usd < 0.0181 && !sums.n_unknown_cost);
	assert_true(budget_spent(&budget, &unknown) > 0.0179 && unknown == 0);
	strbuf_reset(&answer);
	ask(&relayed, CHAT, DUMMY, ASK, &answer);
	assert_non_null(strstr(answer.text, "of 0.02 USD are spent"));
	relay_end(relayed.relay);
	budget_release(&budget);
}

static int start_server(void **state)
{
	char path[TOP_SIZE + 32];
	(void)state;
	server_start(&server, script);
	snprintf(path, sizeof path, "%s/trusted", server.dir);
	FILE *trusted = fopen(path, "we");
	certificate_write(server.dir, "localhost", "localhost", -60, 3600, trusted);
	certificate_write(server.dir, "other.localhost", "else.localhost", -60, 3600, trusted);
	fclose(trusted);
	setenv("SSL_CERT_FILE", path, 1);
	return 0;
}

static int stop_server(void **state)
{
	(void)state;
	server_stop(&server);
	return 0;
}

UNIT(relay)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(each_dialect_passes_and_is_counted),
		cmocka_unit_test(lists_are_free),
		cmocka_unit_test(a_host_cannot_tell_the_key),
		cmocka_unit_test(usage_is_asked_for_behind_the_agent_s_back),
		cmocka_unit_test(a_host_that_cannot_say_usage_is_asked_without),
		cmocka_unit_test(faults_of_the_host_reach_the_agent),
		cmocka_unit_test(what_is_odd_about_an_answer_stays_so),
		cmocka_unit_test(a_host_that_is_not_there_is_told),
		cmocka_unit_test(tls_is_checked),
		cmocka_unit_test(a_limit_stands_in_the_way),
		cmocka_unit_test(money_is_counted),
	};
	return cmocka_run_group_tests(tests, start_server, stop_server);
}
