/* JSON-RPC: lines of bytes that are cut anywhere, messages of lines, and lines of messages. */
#include "tests/unit/unit.h"

#include <fcntl.h>
#include <signal.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/json/json_rpc.h"
#include "base/memory.h"
#include "base/thread.h"

enum { SOON_MS = 10000 };

/* --- Lines --- */

static void feed(struct json_rpc_lines *lines, const char *text)
{
	json_rpc_lines_feed(lines, text, strlen(text));
}

/* NULL: nothing whole is there. "": a line that is too long. */
static void expect_line(struct json_rpc_lines *lines, const char *expected)
{
	const char *line = NULL;
	size_t n = 0;
	enum json_rpc_came came = json_rpc_lines_next(lines, &line, &n);
	if (!expected) {
		assert_int_equal(came, JSON_RPC_NOTHING);
	} else if (!*expected) {
		assert_int_equal(came, JSON_RPC_TOO_LONG);
	} else {
		assert_int_equal(came, JSON_RPC_LINE);
		assert_int_equal(n, strlen(expected));
		assert_memory_equal(line, expected, n);
	}
}

static void gives_whole_lines(void **state)
{
	(void)state;
	struct json_rpc_lines lines = JSON_RPC_LINES_INIT(100);
	expect_line(&lines, NULL);
	feed(&lines, "on");
	expect_line(&lines, NULL);
	feed(&lines, "e\r\n\n \t\r\ntwo\nthr");
	expect_line(&lines, "one");
	expect_line(&lines, "two");
	expect_line(&lines, NULL);
	feed(&lines, "ee\n");
	expect_line(&lines, "three");
	expect_line(&lines, NULL);
	json_rpc_lines_release(&lines);
}

static void passes_over_a_line_that_is_too_long(void **state)
{
	(void)state;
	struct json_rpc_lines lines = JSON_RPC_LINES_INIT(5);
	feed(&lines, "12345\n123456\n12345");
	expect_line(&lines, "12345");
	expect_line(&lines, "");
	expect_line(&lines, NULL);
	feed(&lines, "67");
	expect_line(&lines, "");
	feed(&lines, "89");
	expect_line(&lines, NULL);
	feed(&lines, "0\nnext\n");
	expect_line(&lines, "next");
	expect_line(&lines, NULL);
	json_rpc_lines_release(&lines);
}

static void keeps_no_more_than_the_limit(void **state)
{
	(void)state;
	static char piece[65536];
	struct json_rpc_lines lines = JSON_RPC_LINES_INIT((size_t)1 << 20);
	const char *line;
	size_t n, too_long = 0;
	memset(piece, 'x', sizeof piece);
	for (size_t i = 0; i < 1600; i++) { /* 100 MB */
		json_rpc_lines_feed(&lines, piece, sizeof piece);
		too_long += json_rpc_lines_next(&lines, &line, &n) == JSON_RPC_TOO_LONG;
		assert_true(lines.text.capacity <= (size_t)4 << 20);
	}
	assert_int_equal(too_long, 1);
	feed(&lines, "\n{}\n");
	expect_line(&lines, "{}");
	json_rpc_lines_release(&lines);
}

/* --- Messages --- */

static struct json_rpc_message read_text(struct arena *arena, const char *line)
{
	struct json_rpc_message message;
	json_rpc_read(line, strlen(line), arena, &message);
	return message;
}

static void reads_each_kind(void **state)
{
	(void)state;
	AUTO_ARENA arena = ARENA_INIT;
	struct json_rpc_message message =
		read_text(&arena, "{\"jsonrpc\":\"2.0\",\"id\":7,\"method\":\"a/b\",\"params\":{\"x\":1}}");
	assert_int_equal(message.kind, JSON_RPC_REQUEST);
	assert_string_equal(message.id, "7");
	assert_string_equal(message.method, "a/b");
	assert_int_equal(json_int(message.params, "x", 0), 1);

	message = read_text(&arena, "{\"jsonrpc\":\"2.0\",\"method\":\"note\"}");
	assert_int_equal(message.kind, JSON_RPC_NOTIFICATION);
	assert_null(message.id);
	assert_null(message.params);

	message = read_text(&arena, "{\"jsonrpc\":\"2.0\",\"id\":\"a\",\"result\":null}");
	assert_int_equal(message.kind, JSON_RPC_RESULT);
	assert_string_equal(message.id, "\"a\"");
	assert_non_null(message.result);

	message = read_text(&arena,
		"{\"jsonrpc\":\"2.0\",\"id\":0,\"error\":{\"code\":-32601,\"message\":\"no\",\"data\":[]}"
		"}");
	assert_int_equal(message.kind, JSON_RPC_ERROR);
	assert_string_equal(message.id, "0");
	assert_int_equal(message.code, -32601);
	assert_string_equal(message.text, "no");
	assert_true(json_is_array(message.data));

	message = read_text(&arena, "{\"jsonrpc\":\"2.0\",\"id\":null,\"error\":{\"code\":401}}");
	assert_int_equal(message.kind, JSON_RPC_ERROR);
	assert_null(message.id);
	assert_int_equal(message.code, 401);
	assert_string_equal(message.text, "");

	message = read_text(&arena, "[{\"jsonrpc\":\"2.0\",\"method\":\"m\"}]");
	assert_int_equal(message.kind, JSON_RPC_BATCH);
	assert_int_equal(json_count(message.batch), 1);
}

static void keeps_ids_as_they_were_sent(void **state)
{
	(void)state;
	static const char *const ids[] = {"0", "-1", "1.0", "1e2", "12345678901234567890", "\"\"",
		"\"a\\u0062\\n\"", "\"}, {\\\"id\\\": 5\""};
	for (size_t i = 0; i < ARRAY_SIZE(ids); i++) {
		AUTO_ARENA arena = ARENA_INIT;
		const char *line = arena_printf(&arena,
			"{ \"params\" : {\"id\": [1, {\"id\":2}]} ,\"jsonrpc\":\"2.0\", \"id\"\t: %s\r, "
			"\"method\":\"m\"}",
			ids[i]);
		struct json_rpc_message message = read_text(&arena, line);
		assert_int_equal(message.kind, JSON_RPC_REQUEST);
		assert_string_equal(message.id, ids[i]);
		AUTO_FREE char *answer = json_rpc_result(message.id, NULL);
		assert_string_equal(
			answer, arena_printf(&arena, "{\"jsonrpc\":\"2.0\",\"id\":%s,\"result\":{}}", ids[i]));
	}
}

static void finds_an_id_under_an_escaped_key(void **state)
{
	(void)state;
	AUTO_ARENA arena = ARENA_INIT;
	struct json_rpc_message message =
		read_text(&arena, "{\"jsonrpc\":\"2.0\",\"i\\u0064\":3,\"method\":\"m\"}");
	assert_int_equal(message.kind, JSON_RPC_REQUEST);
	assert_string_equal(message.id, "3");
}

static void refuses_what_is_no_message(void **state)
{
	(void)state;
	static const struct {
		const char *line, *text, *id;
		int code;
	} rows[] = {
		{"{\"jsonrpc\":\"2.0\",", "1:18: not JSON", NULL, -32700},
		{"{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"\xff\"}", "1:35: invalid UTF-8", "1", -32700},
		{"{\"jsonrpc\":\"2.0\",\"id\":[1],\"method\":\"\\u0000\"}", "1:37: NUL in a string", NULL,
			-32700},
		{"{\"method\":\"\\u0000\",\"id\": \"a\"", "1:12: NUL in a string", "\"a\"", -32700},
		{"{\"id\"", "1:6: not JSON", NULL, -32700},
		{"{\"id\":}", "1:7: not JSON", NULL, -32700},
		{"7", "not an object", NULL, -32600},
		{"\"text\"", "not an object", NULL, -32600},
		{"{}", "jsonrpc is not \"2.0\"", NULL, -32600},
		{"{\"jsonrpc\":2.0,\"id\":1,\"method\":\"m\"}", "jsonrpc is not \"2.0\"", "1", -32600},
		{"{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":5}", "method is not a string", "1", -32600},
		{"{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"m\",\"params\":3}",
			"params is neither an object nor an array", "1", -32600},
		{"{\"jsonrpc\":\"2.0\",\"id\":null,\"method\":\"m\"}",
			"id is neither a number nor a string", NULL, -32600},
		{"{\"jsonrpc\":\"2.0\",\"id\":[1],\"method\":\"m\"}", "id is neither a number nor a string",
			NULL, -32600},
		{"{\"jsonrpc\":\"2.0\",\"id\":1}", "there is no method, result or error", "1", -32600},
		{"{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":1,\"error\":{\"code\":1}}",
			"both result and error", "1", -32600},
		{"{\"jsonrpc\":\"2.0\",\"id\":1,\"error\":\"no\"}", "error has no code", "1", -32600},
		{"{\"jsonrpc\":\"2.0\",\"result\":1}", "a result without an id", NULL, -32600},
	};
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		AUTO_ARENA arena = ARENA_INIT;
		struct json_rpc_message message = read_text(&arena, rows[i].line);
		assert_int_equal(message.kind, JSON_RPC_INVALID);
		assert_int_equal(message.code, rows[i].code);
		assert_string_equal(message.text, rows[i].text);
		assert_string_equal(message.id ? message.id : "none", rows[i].id ? rows[i].id : "none");
	}
}

static void tells_ids_apart(void **state)
{
	(void)state;
	static const struct {
		const char *a, *b;
		bool same;
	} rows[] = {
		{"1", "1", true},
		{"1", "1.0", true},
		{"1", "2", false},
		{"1", "\"1\"", false},
		{"\"1\"", "1", false},
		{"\"ab\"", "\"a\\u0062\"", true},
		{"\"ab\"", "\"ac\"", false},
		{"12345678901234567890", "12345678901234567890", true},
		{"12345678901234567890", "12345678901234567891", false},
		{NULL, "1", false},
		{NULL, NULL, false},
	};
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++)
		assert_int_equal(json_rpc_same_id(rows[i].a, rows[i].b), rows[i].same);
}

static void finds_an_id_in_params(void **state)
{
	(void)state;
	static const char line[] = "{\"jsonrpc\":\"2.0\",\"method\":\"notifications/cancelled\","
							   "\"params\":{\"reason\":\"}\",\"requestId\":12345678901234567890}}";
	AUTO_ARENA arena = ARENA_INIT;
	assert_string_equal(
		json_rpc_id_in_params(line, sizeof line - 1, "requestId", &arena), "12345678901234567890");
	assert_null(json_rpc_id_in_params(line, sizeof line - 1, "other", &arena));
	assert_null(json_rpc_id_in_params("{}", 2, "requestId", &arena));
	assert_null(json_rpc_id_in_params("[1]", 3, "requestId", &arena));
}

static void makes_lines(void **state)
{
	(void)state;
	struct json *params = json_object();
	json_add_string(params, "text", "two\nlines");
	AUTO_FREE char *request = json_rpc_request("5", "do", params);
	assert_string_equal(request,
		"{\"jsonrpc\":\"2.0\",\"id\":5,\"method\":\"do\",\"params\":{\"text\":\"two\\nlines\"}}");
	AUTO_FREE char *note = json_rpc_notification("done", NULL);
	assert_string_equal(note, "{\"jsonrpc\":\"2.0\",\"method\":\"done\"}");
	AUTO_FREE char *error = json_rpc_error(NULL, JSON_RPC_PARSE_ERROR, "bad \xff", NULL);
	assert_string_equal(error,
		"{\"jsonrpc\":\"2.0\",\"id\":null,\"error\":{\"code\":-32700,\"message\":\"bad "
		"\xef\xbf\xbd\"}}");
}

/* --- Descriptors --- */

static void *say_large(void *owner)
{
	const int *fd = owner;
	struct rondo_error err;
	bool taken = false;
	AUTO_FREE char *line = memory_alloc((1 << 20) + 1);
	memset(line, 'x', 1 << 20);
	json_rpc_say(*fd, line, SOON_MS, NULL, &taken, &err);
	close(*fd);
	return taken ? owner : NULL;
}

static void speaks_through_a_pipe(void **state)
{
	(void)state;
	int fds[2];
	pthread_t thread;
	const char *line;
	size_t n;
	enum json_rpc_came came;
	struct rondo_error err;
	void *taken;
	struct json_rpc_lines lines = JSON_RPC_LINES_INIT(JSON_RPC_LIMIT);
	assert_int_equal(pipe2(fds, O_CLOEXEC), 0);
	assert_int_equal(thread_start(&thread, say_large, &fds[1]), 0);
	assert_int_equal(json_rpc_hear(&lines, fds[0], SOON_MS, NULL, &line, &n, &came, &err), 0);
	assert_int_equal(came, JSON_RPC_LINE);
	assert_int_equal(n, 1 << 20);
	assert_int_equal(json_rpc_hear(&lines, fds[0], SOON_MS, NULL, &line, &n, &came, &err), 0);
	assert_int_equal(came, JSON_RPC_ENDED);
	pthread_join(thread, &taken);
	assert_non_null(taken);
	close(fds[0]);
	json_rpc_lines_release(&lines);
}

static void gives_up_where_nobody_listens(void **state)
{
	(void)state;
	int fds[2];
	bool taken = true;
	struct rondo_error err;
	struct cancel cancel;
	AUTO_FREE char *line = memory_alloc((1 << 20) + 1);
	memset(line, 'x', 1 << 20);
	assert_int_equal(pipe2(fds, O_CLOEXEC), 0);
	assert_int_equal(json_rpc_say(fds[1], line, 1, NULL, &taken, &err), 0);
	assert_false(taken);
	assert_int_equal(cancel_init(&cancel, NULL, 0, &err), 0);
	cancel_fire(&cancel, SIGTERM);
	assert_int_equal(json_rpc_say(fds[1], line, SOON_MS, &cancel, &taken, &err), -1);
	assert_int_equal(err.code, RONDO_ERROR_CANCELLED);
	cancel_release(&cancel);
	signal(SIGPIPE, SIG_IGN);
	close(fds[0]);
	assert_int_equal(json_rpc_say(fds[1], line, SOON_MS, NULL, &taken, &err), 0);
	assert_false(taken);
	close(fds[1]);
}

static void waits_for_a_line_and_no_longer(void **state)
{
	(void)state;
	int fds[2];
	const char *line;
	size_t n;
	enum json_rpc_came came;
	struct rondo_error err;
	struct cancel cancel;
	struct json_rpc_lines lines = JSON_RPC_LINES_INIT(JSON_RPC_LIMIT);
	assert_int_equal(pipe2(fds, O_CLOEXEC), 0);
	assert_int_equal(write(fds[1], "half a line", 11), 11);
	assert_int_equal(json_rpc_hear(&lines, fds[0], 1, NULL, &line, &n, &came, &err), 0);
	assert_int_equal(came, JSON_RPC_NOTHING);
	assert_int_equal(cancel_init(&cancel, NULL, 0, &err), 0);
	cancel_fire(&cancel, SIGTERM);
	assert_int_equal(json_rpc_hear(&lines, fds[0], -1, &cancel, &line, &n, &came, &err), -1);
	cancel_release(&cancel);
	close(fds[1]);
	assert_int_equal(json_rpc_hear(&lines, fds[0], -1, NULL, &line, &n, &came, &err), 0);
	assert_int_equal(came, JSON_RPC_ENDED);
	close(fds[0]);
	json_rpc_lines_release(&lines);
}

UNIT(json_rpc)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(gives_whole_lines),
		cmocka_unit_test(passes_over_a_line_that_is_too_long),
		cmocka_unit_test(keeps_no_more_than_the_limit),
		cmocka_unit_test(reads_each_kind),
		cmocka_unit_test(keeps_ids_as_they_were_sent),
		cmocka_unit_test(finds_an_id_under_an_escaped_key),
		cmocka_unit_test(refuses_what_is_no_message),
		cmocka_unit_test(tells_ids_apart),
		cmocka_unit_test(finds_an_id_in_params),
		cmocka_unit_test(makes_lines),
		cmocka_unit_test(speaks_through_a_pipe),
		cmocka_unit_test(gives_up_where_nobody_listens),
		cmocka_unit_test(waits_for_a_line_and_no_longer),
	};
	return RUN_TESTS(tests);
}
