/* HTTP against a real server: what is handed back, how long is waited, what ends it. */
#include "tests/unit/server_fixture.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <pthread.h>
#include <sys/socket.h>

#include "base/clock.h"
#include "base/http.h"

static const char script[] =
	"status 407\nbody no\n"
	"scene hello\nheader Content-Type: text/x-test\nheader x-request-id: req-1\nbody one\nreply\nstatus 503\nbody two\n"
	"scene put\nbody -\nreply\nbody -\n"
	"scene moved\nstatus 307\nheader Location: http://127.0.0.1:1/else\\x1b\nbody -\n"
	"scene none\nsend HTTP/1.1 204 Nothing\\r\\n\\r\\n\n"
	"scene early\nsend HTTP/1.1 100 Continue\\r\\n\\r\\nHTTP/1.1 103 Hints\\r\\n\\r\\n\nbody one\n"
	"scene seconds\nstatus 429\nheader Retry-After: 3\nbody -\n"
	"scene ms\nstatus 429\nheader Retry-After: 3\nheader retry-after-ms: 250\nbody -\n"
	"scene past\nstatus 503\nheader Retry-After: Wed, 21 Oct 2015 07:28:00 GMT\nbody -\n"
	"scene future\nstatus 503\nheader Retry-After: Wed, 21 Oct 2099 07:28:00 GMT\nbody -\n"
	"scene negative\nstatus 503\nheader Retry-After: -5\nbody -\n"
	"scene garbage\nstatus 503\nheader Retry-After: soon\nbody -\n"
	"scene never\nstatus 503\nheader x-should-retry: false\nbody -\n"
	"scene please\nstatus 400\nheader x-should-retry: true\nbody -\n"
	"scene busy\nstatus 529\nbody -\n"
	"scene stall\nstall\n"
	"scene loris\nsplit 1\nsend HTTP/1.1 200 OK\\r\\nX: y\nstall\n"
	"scene head\nsend HTTP/1.1 200 OK\\r\\nContent-Length: 9\\r\\n\\r\\n\nstall\n"
	"scene silent\nsend HTTP/1.1 200 OK\\r\\nContent-Length: 9\\r\\n\\r\\nuse\nstall\n"
	"scene pings\nsend HTTP/1.1 200 OK\\r\\nContent-Length: 90\\r\\n\\r\\n...\nstall\n"
	"scene rest\nsend HTTP/1.1 200 OK\\r\\nContent-Length: 9\\r\\n\\r\\nEND\nstall\n"
	"scene kept\nevents\ndata END\nend\n"
	"scene stop\nsend HTTP/1.1 200 OK\\r\\nContent-Length: 9\\r\\n\\r\\nSTOP\nstall\n"
	"scene cut\nsend HTTP/1.1 200 OK\\r\\nContent-Length: 9\\r\\n\\r\\nuse\nclose\n"
	"scene chunk\nsend HTTP/1.1 200 OK\\r\\nTransfer-Encoding: chunked\\r\\n\\r\\n9\\r\\nuse\nclose\n"
	"scene reset\nsend HTTP/1.1 200 OK\\r\\nContent-Length: 9\\r\\n\\r\\nuse\nreset\n"
	"scene nothing\nclose\n"
	"scene words\nsend hello, who is there?\\r\\n\nclose\n"
	"scene gzip\nsend HTTP/1.1 200 OK\\r\\nContent-Encoding: gzip\\r\\nConnection: close\\r\\n\\r\\n\ngzip packed\nclose\n"
	"scene plain\nheader Content-Encoding: gzip\nbody plain text\n"
	"scene large\nsend HTTP/1.1 200 OK\\r\\nContent-Length: 100000\\r\\n\\r\\n\nrepeat 100000 x\n";

static struct server server;

struct call {
	struct http *http;
	struct http_request request;
	struct http_response response;
	struct rondo_error err;
	const struct cancel *cancel;
	char got[64]; /* the first bytes of the answer */
	size_t n, given;
};

static enum http_taken take(void *owner, const char *bytes, size_t n)
{
	struct call *call = owner;
	for (size_t i = 0; i < n && call->n + i < sizeof call->got - 1; i++)
		call->got[call->n + i] = bytes[i];
	call->n += n;
	if (strstr(call->got, "STOP"))
		return HTTP_STOP;
	if (strstr(call->got, "END"))
		return HTTP_ENOUGH;
	return strcmp(call->got, "...") == 0 ? HTTP_ALIVE : HTTP_USED;
}

static int send_to(struct call *call, const char *url)
{
	static const struct http_limits patient = {.connect_ms = 20000, .first_ms = 20000, .idle_ms = 20000, .total_ms = 20000,
		.rest_ms = 20000, .body = 50000};
	memset(call->got, 0, sizeof call->got);
	call->n = 0;
	call->request.url = url;
	call->request.take = take;
	call->request.owner = call;
	if (!call->request.limits.body)
		call->request.limits = patient;
	return http_send(call->http, &call->request, &call->response, call->cancel, &call->err);
}

static int send_scene(struct call *call, const char *scene)
{
	char url[128];
	snprintf(url, sizeof url, "http://127.0.0.1:%d/%s/x", server.port, scene);
	return send_to(call, url);
}

/* One scene with a handle of its own. */
static int send_once(struct call *call, const char *scene)
{
	call->http = http_new();
	int result = send_scene(call, scene);
	http_free(call->http);
	return result;
}

static void an_answer_is_handed_back_whatever_its_status(void **state)
{
	(void)state;
	static const char *const headers[] = {"X-Test: 1", NULL};
	struct call call = {.http = http_new(),
		.request = {.headers = headers, .body = "{\"a\":1}", .body_length = 7}};
	assert_int_equal(send_scene(&call, "hello"), 0);
	assert_int_equal(call.response.status, 200);
	assert_string_equal(call.got, "one");
	assert_string_equal(call.response.content_type, "text/x-test");
	assert_string_equal(call.response.request_id, "req-1");
	assert_false(call.response.advice.again);
	assert_int_equal(send_scene(&call, "hello"), 0);
	assert_int_equal(call.response.status, 503);
	assert_string_equal(call.got, "two");
	assert_string_equal(call.response.request_id, "");
	assert_true(call.response.advice.again);
	assert_int_equal(send_to(&call, "http://127.0.0.1:1/"), -1);
	assert_int_equal(call.response.status, 0);
	assert_string_equal(call.response.content_type, "");
	http_free(call.http);
	AUTO_JSON *first = server_request(&server, "hello", 1);
	AUTO_JSON *second = server_request(&server, "hello", 2);
	assert_string_equal(json_string(first, "method", ""), "POST");
	assert_string_equal(json_string(json_get(first, "headers"), "x-test", ""), "1");
	assert_int_equal(json_int(json_get(first, "body"), "a", 0), 1);
	assert_int_equal(json_int(first, "connection", -1), json_int(second, "connection", -2)); /* it was kept */
}

/* "abc", a byte at a time. */
static ssize_t give(void *owner, char *bytes, size_t n)
{
	struct call *call = owner;
	(void)n;
	if (call->given == 3)
		return 0;
	*bytes = (char)('a' + call->given++);
	return 1;
}

static void a_body_may_be_made_as_it_is_sent_and_the_method_be_named(void **state)
{
	(void)state;
	struct call call = {.http = http_new(), .request = {.give = give, .method = "PUT"}};
	assert_int_equal(send_scene(&call, "put"), 0);
	call.request = (struct http_request){.method = "DELETE"};
	assert_int_equal(send_scene(&call, "put"), 0);
	http_free(call.http);
	AUTO_JSON *put = server_request(&server, "put", 1);
	AUTO_JSON *delete = server_request(&server, "put", 2);
	assert_string_equal(json_string(put, "method", ""), "PUT");
	assert_string_equal(json_string(put, "body", ""), "abc");
	assert_string_equal(json_string(delete, "method", ""), "DELETE");
}

static void a_socket_of_this_machine_is_named_in_errors(void **state)
{
	(void)state;
	struct call call = {.http = http_new(), .request = {.unix_socket = "/nowhere/docker.sock"}};
	assert_int_equal(send_to(&call, "http://docker/_ping"), -1);
	http_free(call.http);
	assert_string_equal(call.err.message, "no answer from /nowhere/docker.sock: No such file or directory");
}

static void statuses_and_headers_say_whether_and_when_to_come_back(void **state)
{
	(void)state;
	static const struct {
		const char *scene;
		int status;
		bool again;
		int64_t after_ms;
	} cases[] = {
		{"seconds", 429, true, 3000}, {"ms", 429, true, 250}, {"past", 503, true, 0}, {"negative", 503, true, -1},
		{"garbage", 503, true, -1}, {"never", 503, false, -1}, {"please", 400, true, -1}, {"busy", 529, true, -1},
		{"none", 204, false, -1}, {"moved", 307, false, -1}, {"early", 200, false, -1}};
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		struct call call = {0};
		assert_int_equal(send_once(&call, cases[i].scene), 0);
		assert_int_equal(call.response.status, cases[i].status);
		assert_int_equal(call.response.advice.again, cases[i].again);
		assert_int_equal(call.response.advice.after_ms, cases[i].after_ms);
		assert_int_equal(call.response.advice.overloaded, cases[i].status == 529);
	}
	struct call call = {0};
	assert_int_equal(send_once(&call, "future"), 0);
	assert_true(call.response.advice.after_ms > INT64_C(365) * 86400 * 1000);
}

static void a_redirect_is_shown_and_not_followed(void **state)
{
	(void)state;
	struct call call = {0};
	assert_int_equal(send_once(&call, "moved"), 0);
	assert_string_equal(call.response.location, "http://127.0.0.1:1/else\\e");
}

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
		{"silent", {9999, 9999, 30, 9999, 9999, 99}, "fell silent in the middle of its answer, for 0.0 s"},
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
	int full[4]; /* nobody accepts: the kernel leaves those unanswered for whom the queue has no place */
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

static void packed_answers_are_unpacked_and_wrongly_packed_ones_not_asked_for_again(void **state)
{
	(void)state;
	struct call call = {.http = http_new()};
	assert_int_equal(send_scene(&call, "gzip"), 0);
	assert_string_equal(call.got, "packed");
	assert_int_equal(send_scene(&call, "plain"), -1);
	assert_int_equal(send_scene(&call, "plain"), 0);
	assert_string_equal(call.got, "plain text");
	http_free(call.http);
	AUTO_JSON *first = server_request(&server, "gzip", 1);
	assert_non_null(strstr(json_string(json_get(first, "headers"), "accept-encoding", ""), "gzip"));
}

static void an_answer_has_a_limit(void **state)
{
	(void)state;
	struct call call = {0};
	char expected[128];
	assert_int_equal(send_once(&call, "large"), -1);
	snprintf(expected, sizeof expected, "the answer of 127.0.0.1:%d is larger than 50000 bytes", server.port);
	assert_string_equal(call.err.message, expected);
	assert_false(call.response.advice.again);
}

static void whoever_has_enough_need_not_wait_for_the_rest(void **state)
{
	(void)state;
	struct call call = {.http = http_new(), .request.limits = {9999, 9999, 9999, 9999, 10, 99}};
	assert_int_equal(send_scene(&call, "rest"), 0);
	assert_string_equal(call.got, "END");
	assert_int_equal(send_scene(&call, "stop"), 0);
	assert_string_equal(call.got, "STOP");
	call.request.limits.rest_ms = 9999;
	assert_int_equal(send_scene(&call, "kept"), 0);
	assert_int_equal(send_scene(&call, "kept"), 0);
	http_free(call.http);
	AUTO_JSON *first = server_request(&server, "kept", 1);
	AUTO_JSON *second = server_request(&server, "kept", 2);
	assert_int_equal(json_int(first, "connection", -1), json_int(second, "connection", -2));
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
	assert_true(clock_now_ms() - start < 5000);
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
	snprintf(proxy, sizeof proxy, "http://127.0.0.1:%d", server.port);
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
	assert_string_equal(call.err.help, "set https_proxy, http_proxy or no_proxy to what leads to example.invalid");
	http_free(call.http);
	unsetenv("http_proxy");
	unsetenv("https_proxy");
}

static int start(void **state)
{
	(void)state;
	server_start(&server, script);
	return 0;
}

static int stop(void **state)
{
	(void)state;
	server_stop(&server);
	return 0;
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(an_answer_is_handed_back_whatever_its_status),
		cmocka_unit_test(a_body_may_be_made_as_it_is_sent_and_the_method_be_named),
		cmocka_unit_test(a_socket_of_this_machine_is_named_in_errors),
		cmocka_unit_test(statuses_and_headers_say_whether_and_when_to_come_back),
		cmocka_unit_test(a_redirect_is_shown_and_not_followed),
		cmocka_unit_test(patience_ends_by_our_own_clock),
		cmocka_unit_test(a_connection_that_does_not_come_about_is_not_waited_for),
		cmocka_unit_test(broken_answers_may_be_tried_again),
		cmocka_unit_test(what_speaks_no_http_is_not_tried_again),
		cmocka_unit_test(packed_answers_are_unpacked_and_wrongly_packed_ones_not_asked_for_again),
		cmocka_unit_test(an_answer_has_a_limit),
		cmocka_unit_test(whoever_has_enough_need_not_wait_for_the_rest),
		cmocka_unit_test(cancelling_ends_a_call_at_once),
		cmocka_unit_test(a_deadline_on_the_token_ends_it_too),
		cmocka_unit_test(a_proxy_is_used_for_others_only_and_named_where_it_refuses),
	};
	return cmocka_run_group_tests(tests, start, stop);
}
