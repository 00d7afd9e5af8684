/* The relay's connections: how they begin, what is no request, and what ends them. */
#include "tests/unit/relay_fixture.h"

#include <pthread.h>
#include <signal.h>

#define CHAT "/v1/chat/completions"
#define ASK "{\"model\":\"gpt-x\",\"messages\":[]}"
#define STREAM "{\"model\":\"gpt-x\",\"stream\":true,\"messages\":[]}"

static const char script[] = "say fine\n"
							 "scene list\nbody {\"data\":[]}\n"
							 "scene slow\nevents\nword one\nstall\n"
							 "scene silent\nstall\n";

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
		assert_true(clock_now_ms() - start_ms < 20000); /* the host says nothing for ever */
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
		assert_true(entry.usage.lost_tokens > 0 && !entry.usage_known);
		assert_int_equal(entry.is_least, i == 1); /* the host may count what it was asked */
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

/* What was taken of it before does not count as held. */
static void a_damaged_body_holds_up_no_other(void **state)
{
	(void)state;
	struct relayed relayed = {.relay = NULL};
	AUTO_STRBUF text = STRBUF_INIT(STRBUF_TEXT);
	AUTO_STRBUF answer = STRBUF_INIT(STRBUF_RECORD);
	relayed_start(&relayed, "a");
	strbuf_addf(&text,
		"POST " CHAT " HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n"
		"3e8\r\n%1000s\r\nzz\r\n",
		"");
	AUTO_CLOSE fd = client_connect(&relayed);
	client_write(fd, text.text, text.length);
	shutdown(fd, SHUT_WR);
	client_read_until(fd, NULL, &answer);
	assert_true(text_starts_with(answer.text, "HTTP/1.1 400 "));
	strbuf_reset(&answer);
	ask(&relayed, CHAT, DUMMY, ASK, &answer);
	assert_true(text_starts_with(answer.text, "HTTP/1.1 200 "));
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

/* It was served as long as there was always something to read. */
static void long_who_floods_is_let_go(void **state)
{
	(void)state;
	struct relayed relayed = {.relay = NULL};
	static const char head[] =
		"POST " CHAT " HTTP/1.1\r\nHost: x\r\nContent-Length: 104857600\r\n\r\n";
	static char bytes[1 << 16];
	relayed_start(&relayed, "list");
	AUTO_CLOSE fd = client_connect(&relayed);
	client_write(fd, head, strlen(head));
	int64_t end_ms = clock_now_ms() + ENOUGH_MS;
	while (send(fd, bytes, sizeof bytes, MSG_NOSIGNAL) > 0)
		assert_true(clock_now_ms() < end_ms);
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

static int start_server(void **state)
{
	(void)state;
	server_start(&server, script);
	return 0;
}

static int stop_server(void **state)
{
	(void)state;
	server_stop(&server);
	return 0;
}

UNIT(relay_connections)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_relay_ends_at_once),
		cmocka_unit_test(an_agent_that_has_gone_ends_its_call),
		cmocka_unit_test(requests_may_come_together),
		cmocka_unit_test(what_is_no_request_ends_the_connection),
		cmocka_unit_test(a_damaged_body_holds_up_no_other),
		cmocka_unit_test(what_is_too_large_is_refused_before_it_came),
		cmocka_unit_test(long_who_floods_is_let_go),
		cmocka_unit_test(an_old_client_is_answered_until_the_end),
		cmocka_unit_test(many_are_served_at_once),
		cmocka_unit_test(more_may_come_than_there_is_room_for),
	};
	return cmocka_run_group_tests(tests, start_server, stop_server);
}
