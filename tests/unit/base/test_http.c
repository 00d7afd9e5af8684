/* HTTP against a real server: what is handed back. */
#include "tests/unit/http_fixture.h"

static void an_answer_is_handed_back_whatever_its_status(void **state)
{
	(void)state;
	static const char *const headers[] = {"X-Test: 1", NULL};
	struct call call = {
		.http = http_new(), .request = {.headers = headers, .body = "{\"a\":1}", .body_length = 7}};
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
	/* it was kept */
	assert_int_equal(json_int(first, "connection", -1), json_int(second, "connection", -2));
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

/* Into the call's own buffer, which its first bytes must not have filled yet. */
static void take_header(void *owner, const char *name, const char *value)
{
	struct call *call = owner;
	assert_int_equal(call->n, 0);
	assert_true(call->response.status > 0);
	if (strncasecmp(name, "x-request", 9) == 0 || strcasecmp(name, "location") == 0)
		call->given += strlen(value);
}

static void headers_are_told_once_and_before_the_body(void **state)
{
	(void)state;
	static const struct {
		const char *scene;
		size_t n; /* bytes of the values */
	} rows[] = {{"told", 5}, {"moved", 24}, {"none", 0}, {"early", 0}, {"nothing", 0}};
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		struct call call = {.http = http_new(), .request.take_header = take_header};
		send_scene(&call, rows[i].scene);
		assert_int_equal(call.given, rows[i].n);
		http_free(call.http);
	}
}

static void what_is_allowed_is_read_from_the_head(void **state)
{
	(void)state;
	static const struct http_quota expected[][2] = {{{500, 499, 120}, {30000, 0, 360500}},
		{{50, 49, 0}, {-1, -1, -1}}, {{-1, -1, -1}, {-1, -1, 60000}}};
	struct call call = {.http = http_new()};
	for (size_t i = 0; i < ARRAY_SIZE(expected); i++) {
		assert_int_equal(send_scene(&call, "quota"), 0);
		const struct http_quota got[2] = {call.response.requests, call.response.tokens};
		for (size_t j = 0; j < 2; j++) {
			assert_int_equal(got[j].limit, expected[i][j].limit);
			assert_int_equal(got[j].remaining, expected[i][j].remaining);
			assert_int_equal(got[j].reset_ms, expected[i][j].reset_ms);
		}
	}
	http_free(call.http);
}

static void a_socket_of_this_machine_is_named_in_errors(void **state)
{
	(void)state;
	struct call call = {.http = http_new(), .request = {.unix_socket = "/nowhere/docker.sock"}};
	assert_int_equal(send_to(&call, "http://docker/_ping"), -1);
	http_free(call.http);
	assert_string_equal(
		call.err.message, "no answer from /nowhere/docker.sock: No such file or directory");
}

static void statuses_and_headers_say_whether_and_when_to_come_back(void **state)
{
	(void)state;
	static const struct {
		const char *scene;
		int status;
		bool again;
		int64_t after_ms;
	} cases[] = {{"seconds", 429, true, 3000}, {"ms", 429, true, 250}, {"past", 503, true, 0},
		{"negative", 503, true, -1}, {"garbage", 503, true, -1}, {"never", 503, false, -1},
		{"please", 400, true, -1}, {"busy", 529, true, -1}, {"none", 204, false, -1},
		{"moved", 307, false, -1}, {"early", 200, false, -1}};
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
	snprintf(expected, sizeof expected, "the answer of 127.0.0.1:%d is larger than 50000 bytes",
		server.port);
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

UNIT(http)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(an_answer_is_handed_back_whatever_its_status),
		cmocka_unit_test(a_body_may_be_made_as_it_is_sent_and_the_method_be_named),
		cmocka_unit_test(headers_are_told_once_and_before_the_body),
		cmocka_unit_test(what_is_allowed_is_read_from_the_head),
		cmocka_unit_test(a_socket_of_this_machine_is_named_in_errors),
		cmocka_unit_test(statuses_and_headers_say_whether_and_when_to_come_back),
		cmocka_unit_test(a_redirect_is_shown_and_not_followed),
		cmocka_unit_test(packed_answers_are_unpacked_and_wrongly_packed_ones_not_asked_for_again),
		cmocka_unit_test(an_answer_has_a_limit),
		cmocka_unit_test(whoever_has_enough_need_not_wait_for_the_rest),
	};
	return cmocka_run_group_tests(tests, start, stop);
}
