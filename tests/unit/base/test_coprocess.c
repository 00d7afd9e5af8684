/* Programs that are spoken with. */
#include "tests/unit/unit.h"

#include <signal.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/memory.h"
#include "base/process/coprocess.h"

enum { SOON_MS = 10000 };

static struct coprocess *start(const char *line, const struct cancel *cancel)
{
	const char *const argv[] = {"/bin/sh", "-c", line, NULL};
	static const char *const env[] = {"PATH=/usr/bin:/bin", NULL};
	struct process_options options = {.argv = argv, .env = env, .cancel = cancel};
	struct coprocess *coprocess = NULL;
	struct rondo_error err;
	assert_int_equal(coprocess_start(&options, &coprocess, &err), 0);
	return coprocess;
}

static void expect(struct coprocess *coprocess, const char *expected)
{
	AUTO_STRBUF line = STRBUF_INIT(STRBUF_TEXT);
	struct rondo_error err;
	enum coprocess_heard heard;
	assert_int_equal(coprocess_hear(coprocess, SOON_MS, &line, &heard, &err), 0);
	assert_int_equal(heard, COPROCESS_LINE);
	assert_string_equal(line.text, expected);
}

static enum coprocess_heard hear(struct coprocess *coprocess, int64_t timeout_ms)
{
	AUTO_STRBUF line = STRBUF_INIT(STRBUF_TEXT);
	struct rondo_error err;
	enum coprocess_heard heard;
	assert_int_equal(coprocess_hear(coprocess, timeout_ms, &line, &heard, &err), 0);
	return heard;
}

static void say(struct coprocess *coprocess, const char *line)
{
	struct rondo_error err;
	bool taken;
	assert_int_equal(coprocess_say(coprocess, line, SOON_MS, &taken, &err), 0);
	assert_true(taken);
}

static void answers_line_by_line(void **state)
{
	(void)state;
	struct coprocess *coprocess =
		start("while read -r line; do echo \"<$line>\"; echo and; done; echo bye", NULL);
	say(coprocess, "one");
	expect(coprocess, "<one>");
	expect(coprocess, "and");
	assert_int_equal(hear(coprocess, 0), COPROCESS_SILENT);
	say(coprocess, "two words");
	expect(coprocess, "<two words>");
	coprocess_end(coprocess);
}

static void what_was_printed_before_the_end_is_heard(void **state)
{
	(void)state;
	struct coprocess *coprocess = start("echo last; printf half", NULL);
	expect(coprocess, "last");
	assert_int_equal(hear(coprocess, SOON_MS), COPROCESS_ENDED);
	assert_int_equal(hear(coprocess, SOON_MS), COPROCESS_ENDED);
	coprocess_end(coprocess);
}

/* Both pipes are full: nobody may wait for the other. */
static void the_end_of_its_input_lets_it_end(void **state)
{
	(void)state;
	struct coprocess *coprocess =
		start("while read -r line; do echo \"<$line>\"; done; echo over; exit 3", NULL);
	say(coprocess, "one");
	coprocess_end_input(coprocess);
	expect(coprocess, "<one>");
	expect(coprocess, "over");
	assert_int_equal(hear(coprocess, SOON_MS), COPROCESS_ENDED);
	assert_int_equal(coprocess_exit_code(coprocess), 3);
	coprocess_end(coprocess);
}

static void much_is_said_and_heard_at_once(void **state)
{
	(void)state;
	size_t n = (size_t)4 << 20;
	AUTO_FREE char *line = memory_alloc(n + 1);
	memset(line, 'x', n);
	struct coprocess *coprocess = start("exec cat", NULL);
	say(coprocess, line);
	expect(coprocess, line);
	coprocess_end(coprocess);
}

static void one_that_does_not_listen_is_no_wait_for_ever(void **state)
{
	(void)state;
	struct rondo_error err;
	size_t n = (size_t)4 << 20;
	AUTO_FREE char *line = memory_alloc(n + 1);
	memset(line, 'x', n);
	struct coprocess *coprocess = start("exec sleep 60", NULL);
	bool taken = true;
	assert_int_equal(coprocess_say(coprocess, line, 50, &taken, &err), 0);
	assert_false(taken);
	coprocess_end(coprocess);
	coprocess = start("exec <&-; echo closed; exec sleep 60", NULL);
	expect(coprocess, "closed");
	taken = true;
	assert_int_equal(coprocess_say(coprocess, line, SOON_MS, &taken, &err), 0);
	assert_false(taken);
	coprocess_end(coprocess);
}

static bool is_answer(void *owner, const struct strbuf *line)
{
	return strcmp(line->text, owner) == 0;
}

static enum coprocess_heard hear_answer(struct coprocess *coprocess, int64_t timeout_ms)
{
	AUTO_STRBUF line = STRBUF_INIT(STRBUF_TEXT);
	struct rondo_error err;
	enum coprocess_heard heard;
	char answer[] = "answer";
	int status =
		coprocess_hear_answer(coprocess, timeout_ms, is_answer, answer, &line, &heard, &err);
	assert_int_equal(status, 0);
	return heard;
}

static void an_answer_is_found_among_other_lines(void **state)
{
	(void)state;
	struct coprocess *coprocess = start("echo noise; echo; echo answer; echo more; sleep 60", NULL);
	assert_int_equal(hear_answer(coprocess, SOON_MS), COPROCESS_LINE);
	expect(coprocess, "more");
	coprocess_end(coprocess);
	coprocess = start("echo noise", NULL);
	assert_int_equal(hear_answer(coprocess, SOON_MS), COPROCESS_ENDED);
	coprocess_end(coprocess);
}

/* Each of its lines comes soon, and none is the answer. */
static void one_that_prints_for_ever_is_no_wait_for_ever(void **state)
{
	(void)state;
	struct coprocess *coprocess = start("exec yes", NULL);
	int64_t start_ms = clock_now_ms();
	expect(coprocess, "y");
	assert_int_equal(hear_answer(coprocess, 200), COPROCESS_SILENT);
	assert_in_range(clock_now_ms() - start_ms, 200, SOON_MS);
	coprocess_end(coprocess);
}

static void a_program_that_is_not_there_has_ended(void **state)
{
	(void)state;
	const char *const argv[] = {"/nowhere/program", NULL};
	struct coprocess *coprocess = NULL;
	struct rondo_error err;
	assert_int_equal(coprocess_start(&(struct process_options){.argv = argv}, &coprocess, &err), 0);
	assert_int_equal(hear(coprocess, SOON_MS), COPROCESS_ENDED);
	coprocess_end(coprocess);
}

static void cancelling_ends_the_wait(void **state)
{
	(void)state;
	struct cancel cancel;
	struct rondo_error err;
	enum coprocess_heard heard;
	AUTO_STRBUF line = STRBUF_INIT(100);
	assert_int_equal(cancel_init(&cancel, NULL, 20, &err), 0);
	struct coprocess *coprocess = start("exec sleep 60", &cancel);
	assert_int_equal(coprocess_hear(coprocess, SOON_MS, &line, &heard, &err), -1);
	assert_int_equal(err.code, RONDO_ERROR_CANCELLED);
	coprocess_end(coprocess);
	cancel_release(&cancel);
}

static void its_end_leaves_nobody(void **state)
{
	(void)state;
	AUTO_STRBUF line = STRBUF_INIT(100);
	struct rondo_error err;
	enum coprocess_heard heard;
	struct coprocess *coprocess = start("trap '' TERM HUP; setsid sleep 60 & echo $!; wait", NULL);
	assert_int_equal(coprocess_hear(coprocess, SOON_MS, &line, &heard, &err), 0);
	coprocess_end(coprocess);
	assert_int_equal(kill(atoi(line.text), 0), -1);
}

static enum process_end take_exception(void *payload, pid_t pid)
{
	(void)payload, (void)pid;
	return PROCESS_PROCESSES;
}

static void is_ended_where_it_takes_too_much(void **state)
{
	(void)state;
	const char *const argv[] = {"/bin/cat", NULL};
	struct process_options options = {.argv = argv, .inspect = take_exception};
	struct coprocess *coprocess;
	struct rondo_error err;
	enum coprocess_heard heard;
	AUTO_STRBUF line = STRBUF_INIT(100);
	assert_int_equal(coprocess_start(&options, &coprocess, &err), 0);
	assert_int_equal(coprocess_hear(coprocess, 10000, &line, &heard, &err), 0);
	assert_int_equal(heard, COPROCESS_ENDED);
	assert_int_equal(coprocess_exit_code(coprocess), 128 + SIGKILL);
	coprocess_end(coprocess);
}

/* The standby kills it, and tells. */
static void is_killed_with_its_keeper(void **state)
{
	(void)state;
	const char *const argv[] = {"/bin/sh", "-c", "echo $PPID; cat", NULL};
	const char *const env[] = {"PATH=/usr/bin:/bin", NULL};
	struct process_options options = {.argv = argv, .env = env};
	struct coprocess *coprocess;
	struct rondo_error err;
	enum coprocess_heard heard;
	AUTO_STRBUF line = STRBUF_INIT(100);
	assert_int_equal(coprocess_start(&options, &coprocess, &err), 0);
	assert_int_equal(coprocess_hear(coprocess, 10000, &line, &heard, &err), 0);
	assert_int_equal(heard, COPROCESS_LINE);
	assert_int_equal(kill(atoi(line.text), SIGKILL), 0);
	assert_int_equal(coprocess_hear(coprocess, 10000, &line, &heard, &err), 0);
	assert_int_equal(heard, COPROCESS_ENDED);
	assert_int_equal(coprocess_exit_code(coprocess), 128 + SIGKILL);
	coprocess_end(coprocess);
}

UNIT(coprocess)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(answers_line_by_line),
		cmocka_unit_test(what_was_printed_before_the_end_is_heard),
		cmocka_unit_test(the_end_of_its_input_lets_it_end),
		cmocka_unit_test(much_is_said_and_heard_at_once),
		cmocka_unit_test(one_that_does_not_listen_is_no_wait_for_ever),
		cmocka_unit_test(an_answer_is_found_among_other_lines),
		cmocka_unit_test(one_that_prints_for_ever_is_no_wait_for_ever),
		cmocka_unit_test(a_program_that_is_not_there_has_ended),
		cmocka_unit_test(cancelling_ends_the_wait),
		cmocka_unit_test(its_end_leaves_nobody),
		cmocka_unit_test(is_ended_where_it_takes_too_much),
		cmocka_unit_test(is_killed_with_its_keeper),
	};
	return RUN_TESTS(tests);
}
