/* HTTP against a real server: how long is waited, what ends a call, and how that is told. */
#include "tests/unit/http_fixture.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <pthread.h>
#include <sys/socket.h>

#include "base/clock.h"

static void patience_ends_by_our_own_clock(void **state)
{
	(void)state;
	static const struct {
		const char *scene;
		struct http_limits limits;
		const char *says;
	} cases[] = {
		{"stall", {9999, 30, 9999, 9999, 9999, 99}, "did not answer within 0.0 s"},
		{"loris", {9999, 60, 9999, 9999, 9999, 99}, "did not answer within 0.1 s"},
		{"head", {9999, 30, 9999, 9999, 9999, 99}, "did not answer within 0.0 s"},
		{"pings", {9999, 60, 1, 9999, 9999, 99}, "did not answer within 0.1 s"},
		{"silent", {9999, 9999, 30, 9999, 9999, 99},
			"fell silent in the middle of its answer, for 0.0 s"},
		{"silent", {9999, 9999, 9999, 60, 9999, 99}, "did not finish its answer within 0.1 s"},
		{"stall", {9999, 9999, 9999, 60, 9999, 99}, "did not finish its answer within 0.1 s"},
	};
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		struct call call = {.request.limits = cases[i].limits};
		char expected[128];
		int64_t start = clock_now_ms();
		assert_int_equal(send_once(&call, cases[i].scene), -1);
		assert_true(clock_now_ms() - start < 9000);
		snprintf(expected, sizeof expected, "127.0.0.1:%d %s", server.port, cases[i].says);
		assert_string_equal(call.err.message, expected);
		assert_int_equal(call.err.code, RONDO_ERROR_TRANSIENT);
		assert_true(call.response.advice.again);
	}
}

static void a_connection_that_does_not_come_about_is_not_waited_for(void **state)
{
	(void)state;
	struct sockaddr_in address = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
	socklen_t size = sizeof address;
	AUTO_CLOSE listener = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
	assert_int_equal(bind(listener, (struct sockaddr *)&address, size) | listen(listener, 0), 0);
	assert_int_equal(getsockname(listener, (struct sockaddr *)&address, &size), 0);
	/* nobody accepts: the kernel leaves those unanswered for whom the queue has no place */
	int full[4];
	for (size_t i = 0; i < ARRAY_SIZE(full); i++) {
		full[i] = socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
		connect(full[i], (struct sockaddr *)&address, size);
	}
	struct call call = {.http = http_new(), .request.limits = {60, 20000, 20000, 20000, 20000, 99}};
	char url[64];
	snprintf(url, sizeof url, "http://127.0.0.1:%d/", ntohs(address.sin_port));
	assert_int_equal(send_to(&call, url), -1);
	assert_int_equal(call.err.code, RONDO_ERROR_TRANSIENT);
	assert_true(call.response.advice.again);
	assert_int_equal(call.response.status, 0);
	assert_non_null(strstr(call.err.message, "no answer from 127.0.0.1:"));
	http_free(call.http);
	for (size_t i = 0; i < ARRAY_SIZE(full); i++)
		close(full[i]);
}

static void broken_answers_may_be_tried_again(void **state)
{
	(void)state;
	static const char *const scenes[] = {"cut", "chunk", "reset", "nothing", "plain"};
	for (size_t i = 0; i < ARRAY_SIZE(scenes); i++) {
		struct call call = {0};
		assert_int_equal(send_once(&call, scenes[i]), -1);
		assert_int_equal(call.err.code, RONDO_ERROR_TRANSIENT);
		assert_true(call.response.advice.again);
		assert_non_null(strstr(call.err.message, "127.0.0.1:"));
	}
	struct call call = {.http = http_new()};
	assert_int_equal(send_to(&call, "http://127.0.0.1:1/"), -1);
	assert_string_equal(call.err.message, "no answer from 127.0.0.1:1: Connection refused");
	assert_true(call.response.advice.again);
	http_free(call.http);
}

static void what_speaks_no_http_is_not_tried_again(void **state)
{
	(void)state;
	struct call call = {0};
	assert_int_equal(send_once(&call, "words"), -1);
	assert_int_equal(call.err.code, RONDO_ERROR_USAGE);
	assert_false(call.response.advice.again);
}

static void *run_stalled(void *owner)
{
	struct call *call = owner;
	return (void *)(intptr_t)send_once(call, "stall");
}

static void cancelling_ends_a_call_at_once(void **state)
{
	(void)state;
	struct cancel run, call_token;
	struct rondo_error err;
	pthread_t thread;
	void *result;
	int seen = server_count(&server, "stall");
	assert_int_equal(cancel_init(&run, NULL, 0, &err), 0);
	assert_int_equal(cancel_init(&call_token, &run, 60000, &err), 0);
	struct call call = {.cancel = &call_token};
	pthread_create(&thread, NULL, run_stalled, &call);
	while (server_count(&server, "stall") == seen) /* until the request is under way */
		sched_yield();
	int64_t start = clock_now_ms();
	cancel_fire(&run, SIGINT);
	pthread_join(thread, &result);
	assert_true(clock_now_ms() - start < 30000);
	assert_int_equal((intptr_t)result, -1);
	assert_int_equal(call.err.code, RONDO_ERROR_CANCELLED);
	assert_string_equal(call.err.message, "stopped by SIGINT");
	assert_false(call.response.advice.again);
	cancel_release(&call_token);
	cancel_release(&run);
}

static void a_deadline_on_the_token_ends_it_too(void **state)
{
	(void)state;
	struct cancel cancel;
	struct rondo_error err;
	assert_int_equal(cancel_init(&cancel, NULL, 20, &err), 0);
	struct call call = {.cancel = &cancel};
	assert_int_equal(send_once(&call, "stall"), -1);
	assert_string_equal(call.err.message, "the time limit of the run is over");
	cancel_release(&cancel);
}

static void a_proxy_is_used_for_others_only_and_named_where_it_refuses(void **state)
{
	(void)state;
	char proxy[64];
	snprintf(proxy, sizeof proxy, "http://user:secret@127.0.0.1:%d/", server.port);
	setenv("http_proxy", proxy, 1);
	setenv("https_proxy", proxy, 1);
	struct call call = {.http = http_new()};
	assert_int_equal(send_scene(&call, "gzip"), 0);
	assert_int_equal(send_to(&call, "http://example.invalid/"), 0);
	assert_int_equal(call.response.status, 407);
	assert_int_equal(send_to(&call, "https://example.invalid/"), -1);
	assert_int_equal(call.err.code, RONDO_ERROR_USAGE);
	assert_false(call.response.advice.again);
	assert_non_null(strstr(call.err.message, "no answer from example.invalid:443: "));
	char help[160];
	snprintf(help, sizeof help,
		"the proxy is 127.0.0.1:%d, by https_proxy: set that, or no_proxy, to what leads to "
		"example.invalid",
		server.port);
	assert_string_equal(call.err.help, help);
	http_free(call.http);
	unsetenv("http_proxy");
	unsetenv("https_proxy");
}

UNIT(http_ends)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(patience_ends_by_our_own_clock),
		cmocka_unit_test(a_connection_that_does_not_come_about_is_not_waited_for),
		cmocka_unit_test(broken_answers_may_be_tried_again),
		cmocka_unit_test(what_speaks_no_http_is_not_tried_again),
		cmocka_unit_test(cancelling_ends_a_call_at_once),
		cmocka_unit_test(a_deadline_on_the_token_ends_it_too),
		cmocka_unit_test(a_proxy_is_used_for_others_only_and_named_where_it_refuses),
	};
	return cmocka_run_group_tests(tests, start, stop);
}
