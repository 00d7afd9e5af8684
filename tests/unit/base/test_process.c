/* The process runner: what it keeps, what it kills, what it says. */
#include "tests/unit/unit.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/memory.h"
#include "base/process/process.h"
#include "base/thread.h"

static struct process_result run_line(
	const char *line, struct process_options options, struct strbuf *output)
{
	const char *const argv[] = {"/bin/sh", "-c", line, NULL};
	static const char *const env[] = {"PATH=/usr/bin:/bin", NULL};
	struct process_result result;
	struct rondo_error err;
	options.argv = argv;
	options.output = output;
	if (!options.env)
		options.env = env;
	assert_int_equal(process_run(&options, &result, &err), 0);
	return result;
}

static void keeps_the_order_of_both_streams(void **state)
{
	(void)state;
	AUTO_STRBUF output = STRBUF_INIT(1024);
	struct process_result result =
		run_line("echo a; echo b >&2; echo c; exit 3", (struct process_options){0}, &output);
	assert_string_equal(output.text, "a\nb\nc\n");
	assert_int_equal(result.end, PROCESS_EXITED);
	assert_int_equal(result.exit_code, 3);
}

struct listening {
	struct strbuf heard;
	int answer; /* a descriptor: what is heard is answered by a line */
};

static void hear(void *owner, const char *text, size_t n)
{
	struct listening *listening = owner;
	strbuf_add(&listening->heard, text, n);
	strbuf_addc(&listening->heard, '|');
	assert_int_equal(write(listening->answer, "\n", 1), 1);
}

/* Whole characters, mended as in the output, which need not be kept. */
static void output_is_heard_as_it_comes(void **state)
{
	(void)state;
	int ends[2];
	char line[200];
	assert_int_equal(pipe(ends), 0);
	snprintf(line, sizeof line, "printf 'a\\303'; read x <&%d; printf '\\251b\\377'", ends[0]);
	struct listening listening = {STRBUF_INIT(1024), ends[1]};
	run_line(line,
		(struct process_options){
			.listener = {hear, &listening}, .keep_fds = ends, .n_keep_fds = 1, .timeout_ms = 10000},
		NULL);
	assert_string_equal(listening.heard.text, "a|\u00e9b\ufffd|");
	strbuf_release(&listening.heard);
	close(ends[0]);
	close(ends[1]);
}

static void keeps_partial_output_on_a_timeout(void **state)
{
	(void)state;
	AUTO_STRBUF output = STRBUF_INIT(1024);
	struct process_result result = run_line("trap '' TERM; echo before; sleep 60; echo after",
		(struct process_options){.timeout_ms = 3000}, &output);
	assert_string_equal(output.text, "before\n");
	assert_int_equal(result.end, PROCESS_TIMEOUT);
	assert_int_equal(result.exit_code, 124);
	assert_true(result.duration_ms < 30000);
}

/* As the library's caller may have it, whose children then leave no status. */
static void is_told_the_exit_code_where_sigchld_is_ignored(void **state)
{
	(void)state;
	struct sigaction ignore = {.sa_handler = SIG_IGN}, before;
	sigaction(SIGCHLD, &ignore, &before);
	struct process_result result = run_line("exit 3", (struct process_options){0}, NULL);
	sigaction(SIGCHLD, &before, NULL);
	assert_int_equal(result.end, PROCESS_EXITED);
	assert_int_equal(result.exit_code, 3);
}

static void is_not_delayed_by_a_grandchild_that_holds_the_pipe(void **state)
{
	(void)state;
	AUTO_STRBUF output = STRBUF_INIT(1024);
	struct process_result result =
		run_line("sleep 60 & echo done", (struct process_options){0}, &output);
	assert_string_equal(output.text, "done\n");
	assert_true(result.duration_ms < 30000);
}

static void kills_daemons_that_left_the_session(void **state)
{
	(void)state;
	char path[] = "/tmp/rondo-test-pid-XXXXXX";
	AUTO_CLOSE fd = mkstemp(path);
	AUTO_STRBUF line = STRBUF_INIT(1024), output = STRBUF_INIT(1024);
	strbuf_addf(&line,
		"setsid sh -c 'setsid sleep 60 & echo $! >%s' & while [ ! -s %s ]; do :; done; echo up",
		path, path);
	run_line(line.text, (struct process_options){0}, &output);
	char text[32] = "";
	assert_true(read(fd, text, sizeof text - 1) > 0);
	assert_int_equal(kill(atoi(text), 0), -1);
	unlink(path);
}

/* A program that cannot be asked to end, with a daemon in a session of its own; prints the numbers
 * of keeper and standby. */
#define STUBBORN \
	"trap '' TERM HUP INT; up=$(setsid sh -c 'sleep 600 >/dev/null & echo up'); " \
	"read a b c standby rest </proc/$PPID/stat; echo $PPID $standby; sleep 600; sleep 600"

struct killing {
	bool keeper, standby; /* whom to kill as soon as the program runs */
	bool is_box;
	int holders[2]; /* a pipe; all processes hold its second end */
};

static void kill_who_keeps(void *owner, const char *text, size_t n)
{
	const struct killing *killing = owner;
	int keeper = 0, standby = 0;
	AUTO_STRBUF said = STRBUF_INIT(100);
	strbuf_add(&said, text, n);
	assert_int_equal(sscanf(said.text, "%d %d", &keeper, &standby), 2);
	assert_true(keeper > 1 && standby > 1);
	if (killing->keeper)
		assert_int_equal(kill(keeper, SIGKILL), 0);
	if (killing->standby)
		assert_int_equal(kill(standby, SIGKILL), 0);
}

/* The pipe ends when the last one who holds it is dead. */
static void await_that_nobody_is_left(struct killing *killing)
{
	struct pollfd end = {.fd = killing->holders[0], .events = POLLIN};
	char byte;
	close(killing->holders[1]);
	assert_int_equal(poll(&end, 1, 20000), 1);
	assert_int_equal(read(killing->holders[0], &byte, 1), 0);
	close(killing->holders[0]);
}

static struct process_result run_and_kill(struct killing *killing, const char *line)
{
	return run_line(line,
		(struct process_options){.listener = {kill_who_keeps, killing},
			.keep_fds = &killing->holders[1],
			.n_keep_fds = 1,
			.is_box = killing->is_box,
			.timeout_ms = 60000},
		NULL);
}

static void nothing_is_left_when(struct killing killing)
{
	assert_int_equal(pipe2(killing.holders, O_CLOEXEC), 0);
	struct process_result result = run_and_kill(&killing, STUBBORN);
	assert_int_equal(result.end, PROCESS_SIGNALLED);
	assert_int_equal(result.signal, SIGKILL);
	await_that_nobody_is_left(&killing);
}

static void nothing_outlives_its_keeper(void **state)
{
	(void)state;
	nothing_is_left_when((struct killing){.keeper = true});
	nothing_is_left_when((struct killing){.keeper = true, .is_box = true});
}

static void nothing_outlives_the_standby(void **state)
{
	(void)state;
	nothing_is_left_when((struct killing){.standby = true});
	nothing_is_left_when((struct killing){.standby = true, .is_box = true});
}

/* Then the kernel kills it, but not what it started. */
static void a_program_outlives_neither_both(void **state)
{
	(void)state;
	struct killing killing = {.keeper = true, .standby = true};
	assert_int_equal(pipe2(killing.holders, O_CLOEXEC), 0);
	run_and_kill(
		&killing, "read a b c standby rest </proc/$PPID/stat; echo $PPID $standby; exec sleep 600");
	await_that_nobody_is_left(&killing);
}

/* rondo, here a child of the test, is killed; then its keeper or standby, too. */
static void kill_rondo_and(bool keeper, bool standby)
{
	struct killing killing = {0};
	int told[2], numbers[2];
	char text[64] = "";
	assert_int_equal(pipe2(killing.holders, O_CLOEXEC), 0);
	assert_int_equal(pipe2(told, 0), 0);
	pid_t rondo = fork();
	if (rondo == 0) {
		char line[sizeof STUBBORN + 32];
		int kept[] = {killing.holders[1], told[1]};
		snprintf(line, sizeof line, "exec >&%d; %s", told[1], STUBBORN);
		close(killing.holders[0]);
		run_line(line, (struct process_options){.keep_fds = kept, .n_keep_fds = 2}, NULL);
		_exit(1);
	}
	close(told[1]);
	assert_true(read(told[0], text, sizeof text - 1) > 0);
	assert_int_equal(sscanf(text, "%d %d", &numbers[0], &numbers[1]), 2);
	assert_int_equal(kill(rondo, SIGKILL), 0);
	if (keeper)
		kill(numbers[0], SIGKILL);
	if (standby)
		kill(numbers[1], SIGKILL);
	await_that_nobody_is_left(&killing);
	assert_int_equal(waitpid(rondo, NULL, 0), rondo);
	close(told[0]);
}

static void nothing_outlives_rondo(void **state)
{
	(void)state;
	kill_rondo_and(false, false);
}

static void nothing_outlives_rondo_and_its_keeper(void **state)
{
	(void)state;
	kill_rondo_and(true, false);
}

static void nothing_outlives_rondo_and_the_standby(void **state)
{
	(void)state;
	kill_rondo_and(false, true);
}

struct worker {
	int number, n_right;
};

static void *run_many(void *item)
{
	struct worker *worker = item;
	for (int i = 0; i < 25; i++) {
		AUTO_STRBUF output = STRBUF_INIT(100);
		char line[100], expected[100];
		int code = worker->number * 25 + i;
		snprintf(line, sizeof line, "sleep 600 & echo %d; exit %d", code, code);
		snprintf(expected, sizeof expected, "%d\n", code);
		struct process_result result =
			run_line(line, (struct process_options){.is_box = true}, &output);
		worker->n_right += result.exit_code == code && strcmp(output.text, expected) == 0;
	}
	return NULL;
}

/* Each in our memory, for a while. */
static void many_boxes_run_at_once(void **state)
{
	(void)state;
	struct worker workers[8];
	for (int i = 0; i < 8; i++)
		workers[i] = (struct worker){.number = i};
	thread_each(run_many, workers, 8, sizeof *workers);
	for (int i = 0; i < 8; i++)
		assert_int_equal(workers[i].n_right, 25);
}

static void gives_no_environment_but_what_it_is_told(void **state)
{
	(void)state;
	setenv("SECRET_API_KEY", "hidden", 1);
	AUTO_STRBUF output = STRBUF_INIT(4096);
	run_line("/usr/bin/env", (struct process_options){0}, &output);
	assert_null(strstr(output.text, "hidden"));
	assert_non_null(strstr(output.text, "PATH=/usr/bin:/bin"));
}

static void closes_descriptors_but_those_to_keep(void **state)
{
	(void)state;
	int open_fd = open("/dev/null", O_RDONLY); /* without O_CLOEXEC */
	int kept = open("/dev/zero", O_RDONLY | O_CLOEXEC);
	AUTO_STRBUF output = STRBUF_INIT(4096), line = STRBUF_INIT(256);
	strbuf_addf(&line, "readlink /proc/self/fd/%d; readlink /proc/self/fd/%d", open_fd, kept);
	run_line(line.text, (struct process_options){.keep_fds = &kept, .n_keep_fds = 1}, &output);
	assert_string_equal(output.text, "/dev/zero\n");
	close(open_fd);
	close(kept);
}

static void reads_input_and_end_of_input(void **state)
{
	(void)state;
	AUTO_STRBUF output = STRBUF_INIT(4096);
	run_line("cat", (struct process_options){.input = "given"}, &output);
	run_line("cat", (struct process_options){0}, &output);
	assert_string_equal(output.text, "given");
}

static void kills_what_prints_too_much(void **state)
{
	(void)state;
	AUTO_STRBUF output = STRBUF_INIT(1000);
	struct process_result result =
		run_line("yes", (struct process_options){.output_limit = 1 << 20}, &output);
	assert_int_equal(result.end, PROCESS_OUTPUT_LIMIT);
	assert_true(result.output_bytes > 1 << 20);
	assert_int_equal(output.length, 1000);
	strbuf_mark_cut(&output);
	assert_non_null(strstr(output.text, "bytes cut ...]"));
}

static void makes_output_valid_text(void **state)
{
	(void)state;
	AUTO_STRBUF output = STRBUF_INIT(1000);
	run_line("printf 'a\\377\\0b\\303'; printf '\\251'", (struct process_options){0}, &output);
	assert_string_equal(output.text, "a\xef\xbf\xbd\\0b\xc3\xa9");
}

static void joins_a_character_that_two_reads_split(void **state)
{
	(void)state;
	AUTO_STRBUF output = STRBUF_INIT(1 << 20);
	run_line("head -c 65535 /dev/zero | tr '\\0' x; printf '\\303'; printf '\\251'",
		(struct process_options){0}, &output);
	assert_int_equal(output.length, 65537);
	assert_string_equal(output.text + 65535, "\xc3\xa9");
}

static void logs_raw_bytes_up_to_the_limit(void **state)
{
	(void)state;
	char path[] = "/tmp/rondo-test-log-XXXXXX";
	AUTO_CLOSE fd = mkstemp(path);
	unlink(path);
	struct process_result result = run_line(
		"printf 'abc\\377defgh'", (struct process_options){.log_fd = fd, .log_limit = 5}, NULL);
	char bytes[16];
	assert_int_equal(pread(fd, bytes, sizeof bytes, 0), 5);
	assert_memory_equal(bytes,
		"abc\xff"
		"d",
		5);
	assert_int_equal(result.output_bytes, 9);
}

static void says_that_a_log_has_no_room(void **state)
{
	(void)state;
	AUTO_CLOSE full = open("/dev/full", O_WRONLY | O_CLOEXEC);
	struct process_result result =
		run_line("echo x", (struct process_options){.log_fd = full, .log_limit = 5}, NULL);
	assert_int_equal(result.log_error, ENOSPC);
	assert_int_equal(result.exit_code, 0);
	assert_int_equal(result.output_bytes, 2);
}

static void says_which_signal(void **state)
{
	(void)state;
	char text[64];
	struct process_result result = run_line("kill -SEGV $$", (struct process_options){0}, NULL);
	assert_int_equal(result.end, PROCESS_SIGNALLED);
	assert_int_equal(result.exit_code, 128 + SIGSEGV);
	assert_string_equal(process_describe(&result, text, sizeof text), "killed by SIGSEGV");
}

static void stops_when_cancelled(void **state)
{
	(void)state;
	struct cancel parent, child;
	struct rondo_error err;
	assert_int_equal(cancel_init(&parent, NULL, 0, &err), 0);
	assert_int_equal(cancel_init(&child, &parent, 0, &err), 0);
	cancel_fire(&parent, SIGTERM);
	struct process_result result =
		run_line("sleep 60", (struct process_options){.cancel = &child}, NULL);
	assert_int_equal(result.end, PROCESS_CANCELLED);
	cancel_release(&child);
	cancel_release(&parent);
}

static void names_what_cannot_be_executed(void **state)
{
	(void)state;
	const char *const argv[] = {"/no/such/program", NULL};
	struct process_result result;
	struct rondo_error err;
	assert_int_equal(process_run(&(struct process_options){.argv = argv}, &result, &err), -1);
	assert_string_equal(
		err.message, "cannot execute '/no/such/program': No such file or directory");
	assert_int_equal(err.code, RONDO_ERROR_CANNOT_JUDGE);
}

static int fail_to_prepare(void *payload, const char **what)
{
	(void)payload;
	*what = "dance";
	return open("/no/such/file", O_RDONLY);
}

static void names_what_could_not_be_prepared(void **state)
{
	(void)state;
	const char *const argv[] = {"/bin/true", NULL};
	struct process_result result;
	struct rondo_error err;
	struct process_options options = {.argv = argv, .prepare = fail_to_prepare};
	assert_int_equal(process_run(&options, &result, &err), -1);
	assert_string_equal(err.message, "cannot dance: No such file or directory");
}

/* The keeper looks, in a copy of this memory. */
struct looking {
	int begun; /* readable once the program has begun */
	int n;     /* looks since then */
};

/* Ends the program at the third look. */
static enum process_end take_exception(void *payload, pid_t pid)
{
	struct looking *looking = payload;
	struct pollfd begun = {.fd = looking->begun, .events = POLLIN};
	bool has_begun = poll(&begun, 1, 0) == 1;
	return pid > 0 && has_begun && ++looking->n == 3 ? PROCESS_MEMORY : PROCESS_EXITED;
}

static enum process_end take_no_exception(void *payload, pid_t pid)
{
	(void)payload, (void)pid;
	return PROCESS_EXITED;
}

static void ends_what_is_found_to_take_too_much(void **state)
{
	(void)state;
	char text[64];
	int ends[2];
	char line[100];
	AUTO_STRBUF output = STRBUF_INIT(100);
	assert_int_equal(pipe(ends), 0);
	struct looking looking = {.begun = ends[0]};
	snprintf(line, sizeof line, "echo before; echo >&%d; setsid sleep 60", ends[1]);
	struct process_result result = run_line(line,
		(struct process_options){
			.inspect = take_exception, .payload = &looking, .keep_fds = ends, .n_keep_fds = 2},
		&output);
	close(ends[0]);
	close(ends[1]);
	assert_int_equal(result.end, PROCESS_MEMORY);
	assert_int_equal(result.exit_code, 128 + SIGKILL);
	assert_string_equal(
		process_describe(&result, text, sizeof text), "killed because it took too much memory");
	assert_string_equal(output.text, "before\n");
	assert_int_equal(looking.n, 0);
}

static void a_program_that_is_looked_at_ends_as_any(void **state)
{
	(void)state;
	struct process_result result =
		run_line("sleep 0.2; exit 3", (struct process_options){.inspect = take_no_exception}, NULL);
	assert_int_equal(result.end, PROCESS_EXITED);
	assert_int_equal(result.exit_code, 3);
}

UNIT(process)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(keeps_the_order_of_both_streams),
		cmocka_unit_test(output_is_heard_as_it_comes),
		cmocka_unit_test(keeps_partial_output_on_a_timeout),
		cmocka_unit_test(is_told_the_exit_code_where_sigchld_is_ignored),
		cmocka_unit_test(is_not_delayed_by_a_grandchild_that_holds_the_pipe),
		cmocka_unit_test(kills_daemons_that_left_the_session),
		cmocka_unit_test(nothing_outlives_its_keeper),
		cmocka_unit_test(nothing_outlives_the_standby),
		cmocka_unit_test(a_program_outlives_neither_both),
		cmocka_unit_test(nothing_outlives_rondo),
		cmocka_unit_test(nothing_outlives_rondo_and_its_keeper),
		cmocka_unit_test(nothing_outlives_rondo_and_the_standby),
		cmocka_unit_test(many_boxes_run_at_once),
		cmocka_unit_test(gives_no_environment_but_what_it_is_told),
		cmocka_unit_test(closes_descriptors_but_those_to_keep),
		cmocka_unit_test(reads_input_and_end_of_input),
		cmocka_unit_test(kills_what_prints_too_much),
		cmocka_unit_test(makes_output_valid_text),
		cmocka_unit_test(joins_a_character_that_two_reads_split),
		cmocka_unit_test(logs_raw_bytes_up_to_the_limit),
		cmocka_unit_test(says_that_a_log_has_no_room),
		cmocka_unit_test(says_which_signal),
		cmocka_unit_test(stops_when_cancelled),
		cmocka_unit_test(names_what_cannot_be_executed),
		cmocka_unit_test(names_what_could_not_be_prepared),
		cmocka_unit_test(ends_what_is_found_to_take_too_much),
		cmocka_unit_test(a_program_that_is_looked_at_ends_as_any),
	};
	return RUN_TESTS(tests);
}
