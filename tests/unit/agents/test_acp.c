/* A session by the Agent Client Protocol with an agent that is no process. */
#include "tests/unit/unit.h"

#include <malloc.h>
#include <stdio.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include "agents/external/acp.h"
#include "base/clock.h"

enum { SOON_MS = 10000 };

/* It has answered before it is asked, and says nothing more. */
struct hasty {
	int fd; /* readable: there is something that nobody has read */
	const char *answer;
	bool ends;
	int n_written;
};

static bool hasty_read(void *owner, struct strbuf *heard)
{
	const struct hasty *hasty = owner;
	eventfd_t count;
	eventfd_read(hasty->fd, &count);
	strbuf_adds(heard, hasty->answer);
	return !hasty->ends;
}

static ssize_t hasty_write(void *owner, const char *bytes, size_t n)
{
	struct hasty *hasty = owner;
	(void)bytes;
	hasty->n_written++;
	return (ssize_t)n;
}

static int hasty_exit_code(void *owner)
{
	(void)owner;
	return 0;
}

static void hasty_end(void *owner)
{
	close(((struct hasty *)owner)->fd);
}

static enum acp_end ask_until(const char *text, bool ends, int64_t deadline_ms, int *n_written)
{
	AUTO_ARENA arena = ARENA_INIT;
	struct acp_answer answer;
	struct hasty hasty = {.fd = eventfd(1, EFD_CLOEXEC), .answer = text, .ends = ends};
	int out = eventfd(0, EFD_CLOEXEC);
	const struct coprocess_line line = {
		hasty.fd, out, hasty_read, hasty_write, hasty_exit_code, hasty_end, &hasty, NULL};
	struct acp_session session = {
		.process = coprocess_on(&line, NULL), .lines = JSON_RPC_LINES_INIT(JSON_RPC_LIMIT)};
	acp_ask(&session, "x", NULL, deadline_ms, NULL, &arena, &answer);
	coprocess_end(session.process);
	json_rpc_lines_release(&session.lines);
	close(out);
	*n_written = hasty.n_written;
	return answer.end;
}

static enum acp_end ask(const char *text, bool ends)
{
	int ignored;
	return ask_until(text, ends, clock_now_ms() + SOON_MS, &ignored);
}

/* Found by the fuzzer: it was waited for until the deadline. */
static void what_it_says_while_it_is_asked_is_heard(void **state)
{
	(void)state;
	int64_t start_ms = clock_now_ms();
	assert_int_equal(ask("{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{}}\n", false), ACP_ANSWERED);
	assert_int_equal(ask("{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{}}\n", true), ACP_ANSWERED);
	assert_int_equal(ask("", true), ACP_GONE);
	assert_int_equal(ask("{\"jsonrpc\":\"2.0\",\"method\":\"x\"}\n", true), ACP_GONE);
	assert_true(clock_now_ms() - start_ms < SOON_MS);
}

/* Each answer may wait for it. */
static void what_it_asks_does_not_put_off_the_deadline(void **state)
{
	(void)state;
	static const char text[] = "{\"jsonrpc\":\"2.0\",\"id\":7,\"method\":\"x\"}\n"
							   "{\"jsonrpc\":\"2.0\",\"id\":8,\"method\":\"x\"}\n"
							   "{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{}}\n";
	int n_written;
	assert_int_equal(ask_until(text, false, clock_now_ms() + SOON_MS, &n_written), ACP_ANSWERED);
	assert_int_equal(n_written, 3);
	assert_int_equal(ask_until(text, false, clock_now_ms() - 1, &n_written), ACP_LATE);
	assert_in_range(n_written, 1, 2);
}

static size_t memory_used(void)
{
	struct mallinfo2 used = mallinfo2();
	return used.uordblks + used.hblkhd;
}

/* The title changes each time. */
static void what_it_says_without_end_takes_no_more_memory(void **state)
{
	(void)state;
	AUTO_ARENA arena = ARENA_INIT;
	const struct context ctx = {0};
	struct acp_turn turn = {
		.arena = &arena, .ctx = &ctx, .name = "coder", .text = STRBUF_INIT(1000)};
	struct acp_session session = {.id = "s", .turn = &turn};
	size_t before = memory_used();
	for (int i = 0; i < 100000; i++) {
		char text[256];
		struct rondo_error err;
		int n = snprintf(text, sizeof text,
			"{\"sessionId\":\"s\",\"update\":{\"sessionUpdate\":\"tool_call_update\","
			"\"toolCallId\":\"t%d\",\"title\":\"part %d\",\"status\":\"failed\"}}",
			i % 3, i);
		AUTO_JSON *params = json_parse(text, (size_t)n, &err);
		acp_update(&session, params);
	}
	assert_true(memory_used() < before + (1 << 20));
	assert_int_equal(turn.n_steps, 3);
	assert_string_equal(turn.steps[0].id, "t0");
	assert_string_equal(turn.steps[0].title, "part 99999");
	assert_string_equal(turn.steps[0].status, "failed");
}

UNIT(acp)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(what_it_says_while_it_is_asked_is_heard),
		cmocka_unit_test(what_it_asks_does_not_put_off_the_deadline),
		cmocka_unit_test(what_it_says_without_end_takes_no_more_memory),
	};
	return RUN_TESTS(tests);
}
