/* The relay between clients and a real server: what passes, what is counted, refused and ended. */
#include "tests/unit/relay_fixture.h"

#include <pthread.h>
#include <signal.h>
#include <sys/stat.h>

#include "models/hosted.h"
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
	"scene slow\nevents\nword one\nstall\n"
	"scene silent\nstall\n"
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
	AUTO_STRBUF answer = STRBUF_INIT(STRBUF_RECORD);
	AUTO_FREE char *body = NULL;
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
	assert_string_equal(entry.method, "POST");
	assert_null(strchr(entry.path, '?'));
	relay_turn(relayed.relay, &sums);
	assert_int_equal(sums.requests, 1);
	assert_int_equal(sums.usage.prompt_tokens + sums.usage.completion_tokens, 18);
	relay_turn(relayed.relay, &sums);
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
	relayed_start(&relayed, "limited");
	relay_describe_faults(relayed.relay, &faults);
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
	relay_describe_faults(relayed.relay, &faults);
	assert_string_equal(faults.text, "HTTP 429 from 127.0.0.1 (9 times): Slow down");
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
	relayed_start(&relayed, NULL);
	ask(&relayed, "/v1/messages", "", ASK, &answer);
	assert_true(text_starts_with(answer.text, "HTTP/1.1 502 Bad Gateway\r\n"));
	assert_non_null(strstr(answer.text,
		"{\"type\":\"error\",\"error\":{\"message\":\"rondo: no "
		"answer from 127.0.0.1:1: Connection refused\""));
	struct relay_entry entry = next_entry(&relayed);
	assert_true(entry.is_silent && entry.status == 502);
	relay_describe_faults(relayed.relay, &faults);
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

/* --- Ends --- */

static void the_relay_ends_at_once(void **state)
{
	(void)state;
	static const char *const scenes[] = {"slow", "silent"};
	for (size_t i = 0; i < 4; i++) {
		struct relayed relayed = {.relay = NULL};
		struct cancel cancel;
		AUTO_STRBUF text = STRBUF_INIT(STRBUF_LINE);
		AUTO_STRBUF answer = STRBUF_INIT(STRBUF_RECORD);
		assert_int_equal(cancel_init(&cancel, NULL, 0, &relayed.err), 0);
		relayed.options.cancel = &cancel;
		relayed_start(&relayed, scenes[i % 2]);
		AUTO_CLOSE fd = client_connect(&relayed);
		AUTO_CLOSE idle = client_connect(&relayed);
		int before = server_count(&server, scenes[i % 2]);
		post_text(&text, CHAT, DUMMY, STREAM);
		client_write(fd, text.text, text.length);
		while (server_count(&server, scenes[i % 2]) == before)
			poll(NULL, 0, 1);
		if (i % 2 == 0)
			assert_true(client_read_until(fd, "one", &answer));
		int64_t start_ms = clock_now_ms();
		if (i < 2)
			cancel_fire(&cancel, SIGINT);
		else
			relay_end(relayed.relay);
		client_read_until(fd, NULL, &answer);
		client_read_until(idle, NULL, &answer);
		assert_true(clock_now_ms() - start_ms < 5000);
		assert_null(strstr(answer.text, "\r\n0\r\n\r\n"));
		if (i < 2)
			relay_end(relayed.relay);
		assert_false(file_exists(relayed.socket));
		cancel_release(&cancel);
	}
}

static void an_agent_that_has_gone_ends_its_call(void **state)
{
	(void)state;
	static const char *const scenes[] = {"slow", "silent"};
	for (size_t k = 0; k < 2 * ARRAY_SIZE(scenes); k++) {
		size_t i = k % 2;
		struct relayed relayed = {.relay = NULL};
		struct relay_sums sums;
		AUTO_STRBUF text = STRBUF_INIT(STRBUF_LINE);
		AUTO_STRBUF answer = STRBUF_INIT(STRBUF_RECORD);
		relayed_start(&relayed, scenes[i]);
		int fd = client_connect(&relayed), before = server_count(&server, scenes[i]);
		post_text(&text, CHAT, DUMMY, STREAM);
		client_write(fd, text.text, text.length);
		while (server_count(&server, scenes[i]) == before)
			poll(NULL, 0, 1);
		if (i == 0)
			assert_true(client_read_until(fd, "one", &answer));
		if (k < 2)
			close(fd);
		else /* as its port shows that it has closed all */
			shutdown(fd, SHUT_WR);
		struct relay_entry entry = next_entry(&relayed);
		assert_string_equal(entry.why, "the agent has gone");
		assert_true(entry.is_broken);
		assert_int_equal(
			entry.usage.lost_tokens, entry.usage.prompt_tokens + entry.usage.completion_tokens);
		assert_int_equal(entry.usage.lost_tokens > 0, i == 0);
		relay_sums(relayed.relay, &sums);
		assert_int_equal(sums.faults, 0);
		if (k >= 2)
			close(fd);
		relay_end(relayed.relay);
	}
}

/* --- Connections --- */

static void requests_may_come_together(void **state)
{
	(void)state;
	struct relayed relayed = {.relay = NULL};
	AUTO_STRBUF text = STRBUF_INIT(STRBUF_LINE);
	AUTO_STRBUF answer = STRBUF_INIT(STRBUF_RECORD);
	relayed_start(&relayed, "a");
	AUTO_CLOSE fd = client_connect(&relayed);
	strbuf_adds(&text, "GET /nowhere HTTP/1.1\r\nHost: x\r\n\r\n");
	post_text(&text, CHAT, DUMMY, ASK);
	strbuf_adds(&text,
		"POST " CHAT " HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n"
		"Expect: 100-continue\r\nConnection: close\r\n\r\n");
	client_write(fd, text.text, text.length);
	assert_true(client_read_until(fd, "HTTP/1.1 100 Continue\r\n\r\n", &answer));
	assert_true(text_starts_with(answer.text, "HTTP/1.1 404 Not Found\r\n"));
	assert_non_null(strstr(answer.text, "HTTP/1.1 200 OK\r\n"));
	strbuf_reset(&answer);
	static const char chunks[] = "2\r\n{}\r\n0\r\n\r\n";
	client_write(fd, chunks, strlen(chunks));
	client_read_until(fd, NULL, &answer);
	assert_true(text_starts_with(answer.text, "HTTP/1.1 200 OK\r\n"));
	assert_true(text_ends_with(answer.text, "\r\n0\r\n\r\n"));
	relay_end(relayed.relay);
}

static void what_is_no_request_ends_the_connection(void **state)
{
	(void)state;
	static const struct {
		const char *bytes, *want;
	} rows[] = {
		{"nonsense\r\n\r\n", "HTTP/1.1 400 "},
		{"GET / HTTP/1.1\n\n", "HTTP/1.1 400 "},
		{"CONNECT api.openai.com:443 HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n",
			"HTTP/1.1 405 "},
		{"GET http://example.com/v1/models HTTP/1.0\r\n\r\n", "HTTP/1.1 403 "},
		{"POST " CHAT " HTTP/1.1\r\nHost: x\r\nContent-Length: 2\r\nTransfer-Encoding: chunked\r\n"
		 "\r\n0\r\n\r\nGET /v1/models HTTP/1.1\r\nHost: x\r\n\r\n",
			"HTTP/1.1 400 "},
		{"POST " CHAT " HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n",
			"HTTP/1.1 400 "},
		{"POST " CHAT " HTTP/1.1\r\nHost: x\r\nContent-Length: 3\r\nConnection: close\r\n\r\n[1]",
			"HTTP/1.1 400 "},
		{"POST " CHAT " HTTP/1.1\r\nHost: x\r\nContent-Encoding: zstd\r\nContent-Length: 3\r\n\r\n"
		 "abc",
			"HTTP/1.1 415 "},
	};
	struct relayed relayed = {.relay = NULL};
	relayed_start(&relayed, "list");
	int before = server_count(&server, "list");
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		AUTO_STRBUF answer = STRBUF_INIT(STRBUF_RECORD);
		AUTO_CLOSE fd = client_connect(&relayed);
		client_write(fd, rows[i].bytes, strlen(rows[i].bytes));
		shutdown(fd, SHUT_WR);
		client_read_until(fd, NULL, &answer);
		if (!text_starts_with(answer.text, rows[i].want) || strstr(answer.text + 1, "HTTP/1.1"))
			fail_msg("row %zu: %s", i, answer.text);
		assert_non_null(strstr(answer.text, "\"message\":\"rondo: "));
		assert_true(next_entry(&relayed).is_refused);
	}
	assert_int_equal(server_count(&server, "list"), before);
	relay_end(relayed.relay);
}

/* Whoever sends it still sees why it is refused. */
static void what_is_too_large_is_refused_before_it_came(void **state)
{
	(void)state;
	struct relayed relayed = {.relay = NULL};
	AUTO_STRBUF answer = STRBUF_INIT(STRBUF_RECORD);
	static const char head[] =
		"POST " CHAT " HTTP/1.1\r\nHost: x\r\nContent-Length: 104857600\r\n\r\n";
	static char bytes[1 << 20];
	relayed_start(&relayed, "list");
	AUTO_CLOSE fd = client_connect(&relayed);
	client_write(fd, head, strlen(head));
	for (int i = 0; i < 4; i++)
		client_write(fd, bytes, sizeof bytes);
	shutdown(fd, SHUT_WR);
	client_read_until(fd, NULL, &answer);
	assert_true(text_starts_with(answer.text, "HTTP/1.1 413 "));
	assert_true(next_entry(&relayed).is_refused);
	relay_end(relayed.relay);
}

static void an_old_client_is_answered_until_the_end(void **state)
{
	(void)state;
	struct relayed relayed = {.relay = NULL};
	AUTO_STRBUF answer = STRBUF_INIT(STRBUF_RECORD);
	relayed_start(&relayed, "list");
	AUTO_CLOSE fd = client_connect(&relayed);
	static const char get[] = "GET /v1/models HTTP/1.0\r\n\r\n";
	client_write(fd, get, strlen(get));
	client_read_until(fd, NULL, &answer);
	assert_true(text_ends_with(answer.text, "Connection: close\r\n\r\n{\"data\":[]}"));
	relay_end(relayed.relay);
}

enum { CLIENTS = 20, EACH = 5 };

static void *ask_often(void *relayed)
{
	for (int i = 0; i < EACH; i++) {
		AUTO_STRBUF answer = STRBUF_INIT(STRBUF_RECORD);
		ask(relayed, i % 2 ? "/v1/messages" : CHAT, DUMMY, i % 3 ? STREAM : ASK, &answer);
		AUTO_FREE char *body = unchunked(answer.text);
		if (!body || !text_starts_with(answer.text, "HTTP/1.1 200 "))
			return relayed;
	}
	return NULL;
}

static void many_are_served_at_once(void **state)
{
	(void)state;
	struct relayed relayed = {.relay = NULL};
	struct relay_sums sums;
	pthread_t threads[CLIENTS];
	relayed_start(&relayed, "a");
	for (size_t i = 0; i < CLIENTS; i++)
		assert_int_equal(pthread_create(&threads[i], NULL, ask_often, &relayed), 0);
	for (size_t i = 0; i < CLIENTS; i++) {
		void *broken;
		pthread_join(threads[i], &broken);
		assert_null(broken);
	}
	relay_sums(relayed.relay, &sums);
	assert_int_equal(sums.requests, CLIENTS * EACH);
	assert_int_equal(sums.usage.prompt_tokens, CLIENTS * EACH * 11);
	assert_int_equal(sums.usage.completion_tokens, CLIENTS * EACH * 7);
	relay_end(relayed.relay);
}

/* Connections that nobody uses make room. */
static void more_may_come_than_there_is_room_for(void **state)
{
	(void)state;
	struct relayed relayed = {.relay = NULL};
	int fds[200];
	char byte;
	relayed_start(&relayed, "list");
	for (size_t i = 0; i < ARRAY_SIZE(fds); i++)
		fds[i] = client_connect(&relayed);
	AUTO_STRBUF answer = STRBUF_INIT(STRBUF_RECORD);
	static const char get[] = "GET /v1/models HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n";
	client_write(fds[199], get, strlen(get));
	assert_true(client_read_until(fds[199], NULL, &answer));
	assert_true(text_starts_with(answer.text, "HTTP/1.1 200 OK\r\n"));
	assert_int_equal(recv(fds[0], &byte, 1, 0), 0);
	for (size_t i = 0; i < ARRAY_SIZE(fds); i++)
		close(fds[i]);
	relay_end(relayed.relay);
}

/* --- The start --- */

static void a_socket_may_be_anywhere(void **state)
{
	(void)state;
	struct relay_options options = {.upstream.base_url = "http://127.0.0.1:1"};
	struct relay *relay, *second;
	struct rondo_error err;
	struct stat st;
	char deep[TOP_SIZE + 256], path[TOP_SIZE + 300];
	snprintf(deep, sizeof deep, "%s/%0120d", server.dir, 0);
	snprintf(path, sizeof path, "%s/s", deep);
	options.socket = path;
	assert_int_equal(relay_start(&options, &relay, &err), 0);
	assert_int_equal(stat(deep, &st), 0);
	assert_int_equal(st.st_mode & 07777, 0700);
	assert_int_equal(stat(path, &st), 0);
	assert_int_equal(st.st_mode & 07777, 0600);
	assert_int_equal(relay_start(&options, &second, &err), -1);
	assert_non_null(strstr(err.message, "Address already in use"));
	assert_true(file_exists(path)); /* the first one's is left alone */
	relay_end(relay);
	assert_false(file_exists(path));
	options.socket = "/nowhere/at/all";
	assert_int_equal(relay_start(&options, &relay, &err), -1);
	assert_non_null(strstr(err.message, "cannot make '/nowhere/at/'"));
	options.socket = path;
	options.upstream.base_url = "ftp://x";
	assert_int_equal(relay_start(&options, &relay, &err), -1);
	assert_int_equal(err.code, RONDO_ERROR_USAGE);
	relay_end(NULL);
}

static struct model *model_of(const struct model_type *type, const char *base_url,
	const struct secrets *secrets, struct model_services *services, struct arena *arena)
{
	static const struct price price = {.input = 3, .known = true};
	struct rondo_error err;
	struct hosted *options = arena_alloc(arena, type->state_size);
	*services = (struct model_services){.secrets = secrets};
	option_defaults(type->options, options, arena);
	if (type->provider) {
		options->model = "m";
		options->base_url = base_url;
	}
	struct model *model = model_new(type, "own", options, &price, services, &err);
	if (!model)
		fail_msg("%s", err.message);
	return model;
}

static void a_model_s_host_can_be_asked_by_agents(void **state)
{
	(void)state;
	AUTO_ARENA arena = ARENA_INIT;
	static const char *names[] = {"OPENAI_API_KEY", "AZURE_OPENAI_API_KEY"}, *values[] = {KEY, KEY};
	const struct secrets secrets = {.names = names, .values = values, .n = 2};
	struct model_services services;
	struct relay_upstream upstream;
	struct rondo_error err;
	struct model *openai = model_of(&openai_model, NULL, &secrets, &services, &arena);
	assert_int_equal(relay_upstream_of(openai, &upstream, &err), 0);
	assert_string_equal(upstream.base_url, "https://api.openai.com/v1");
	assert_string_equal(upstream.key, KEY);
	assert_string_equal(upstream.key_name, "OPENAI_API_KEY");
	assert_null(upstream.key_header);
	assert_true(upstream.price.known && upstream.price.input == 3);
	struct model *azure = model_of(&azure_model, "https://x.example/", &secrets, &services, &arena);
	assert_int_equal(relay_upstream_of(azure, &upstream, &err), 0);
	assert_string_equal(upstream.base_url, "https://x.example/openai/v1");
	assert_string_equal(upstream.key_header, "api-key: ");
	struct model replay = {.type = &replay_model, .name = "said"};
	assert_int_equal(relay_upstream_of(&replay, &upstream, &err), -1);
	assert_non_null(strstr(err.message, "model said is of the type replay"));
	model_free(openai);
	model_free(azure);
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
		cmocka_unit_test(the_relay_ends_at_once),
		cmocka_unit_test(an_agent_that_has_gone_ends_its_call),
		cmocka_unit_test(requests_may_come_together),
		cmocka_unit_test(what_is_no_request_ends_the_connection),
		cmocka_unit_test(what_is_too_large_is_refused_before_it_came),
		cmocka_unit_test(an_old_client_is_answered_until_the_end),
		cmocka_unit_test(many_are_served_at_once),
		cmocka_unit_test(more_may_come_than_there_is_room_for),
		cmocka_unit_test(a_socket_may_be_anywhere),
		cmocka_unit_test(a_model_s_host_can_be_asked_by_agents),
	};
	return cmocka_run_group_tests(tests, start_server, stop_server);
}
