/* The docker executor on a real engine: what programs see there, what they cannot do, and how they
 * end. */
#include "tests/unit/docker_fixture.h"

static void output_comes_in_the_order_of_printing(void **state)
{
	struct fixture *fixture = *state;
	NEEDS_ENGINE(fixture);
	assert_int_equal(fixture_run(fixture, "echo one; echo two >&2; echo three; echo four >&2"), 0);
	assert_said(fixture, "one\ntwo\nthree\nfour\n");
	assert_int_equal(fixture->result.output_bytes, strlen("one\ntwo\nthree\nfour\n"));
}

static void ends_are_told_as_a_shell_tells_them(void **state)
{
	struct fixture *fixture = *state;
	NEEDS_ENGINE(fixture);
	assert_int_equal(fixture_run(fixture, "exit 7"), 7);
	assert_int_equal(fixture->result.end, PROCESS_EXITED);
	assert_int_equal(fixture_run(fixture, "kill -SEGV $$"), 128 + 11);
	assert_int_equal(fixture->result.end, PROCESS_SIGNALLED);
	assert_int_equal(fixture->result.signal, 11);
	assert_int_equal(fixture_run(fixture, "nothing-of-that-name"), 127);
	assert_int_equal(fixture_run(fixture, "cat"), 0); /* its input is nothing */
	assert_true(fixture->result.max_rss_bytes > 0);
}

static void the_tree_and_the_cache_are_the_checkouts(void **state)
{
	struct fixture *fixture = *state;
	struct stat st;
	AUTO_STRBUF text = STRBUF_INIT(100);
	NEEDS_ENGINE(fixture);
	assert_int_equal(fixture_run(fixture,
						 "pwd; echo hello >file; echo $HOME; echo kept >$XDG_CACHE_HOME/x; id -u"),
		0);
	AUTO_FREE char *expected = memory_strdup(arena_printf(&fixture->arena,
		"%s\n"
		"/home/agent\n"
		"%u\n",
		fixture->world.tree_at, fixture->world.drop ? fixture->world.uid : getuid()));
	assert_said(fixture, expected);
	assert_int_equal(file_read(fixture_at(fixture, "tree/file"), 100, &text, &fixture->err), 0);
	assert_string_equal(text.text, "hello\n");
	assert_true(file_exists(fixture_at(fixture, "cache/x")));
	assert_int_equal(stat(fixture_at(fixture, "tree/file"), &st), 0);
	assert_int_equal(st.st_uid, fixture->world.drop ? fixture->world.uid : getuid());
}

static void the_rest_is_closed(void **state)
{
	struct fixture *fixture = *state;
	NEEDS_ENGINE(fixture);
	assert_int_equal(
		fixture_run(fixture,
			"touch /bin/x 2>/dev/null || touch /x 2>/dev/null || touch /etc/x 2>/dev/null"),
		1);
	assert_int_equal(
		fixture_run(fixture,
			"touch " DOCKER_INSIDE_DIR "/x 2>/dev/null || rm -f " DOCKER_INSIDE " 2>/dev/null"),
		1);
	assert_int_equal(fixture_run(fixture, "cat " DOCKER_INSIDE), 1);
	assert_int_equal(fixture_run(fixture, "ls /sys/class/net"), 0);
	assert_said(fixture, "lo\n");
	assert_int_equal(
		fixture_run(fixture, "grep -E 'CapEff|CapBnd|NoNewPrivs|Seccomp:' /proc/self/status"), 0);
	assert_contains(fixture->output.text,
		"CapEff:\t0000000000000000\n"
		"CapBnd:\t0000000000000000\n"
		"NoNewPrivs:\t1\n");
	assert_int_equal(fixture_run(fixture, "echo x >/proc/sys/kernel/core_pattern"), 1);
}

static void the_environment_is_the_worlds_and_the_commands(void **state)
{
	struct fixture *fixture = *state;
	static const char *const env[] = {"MORE=a b", NULL};
	NEEDS_ENGINE(fixture);
	setenv("SECRET_API_KEY", "hidden", 1);
	struct command command = {.line = "env | sort", .env = env, .output = &fixture->output};
	assert_int_equal(
		executor_run(fixture->executor, &command, &fixture->result, &fixture->ctx, &fixture->err),
		0);
	assert_contains(fixture->output.text, "\nMORE=a b\n");
	assert_contains(fixture->output.text, "\nPATH=/usr/local/sbin");
	assert_contains(fixture->output.text, "\nPYTHONDONTWRITEBYTECODE=1\n");
	assert_null(strstr(fixture->output.text, "SECRET"));
}

/* Semantics.md 73: a container keeps what was printed by then. */
static void a_deadline_stops_it_inside(void **state)
{
	struct fixture *fixture = *state;
	NEEDS_ENGINE(fixture);
	int64_t start_ms = clock_now_ms();
	assert_int_equal(
		fixture_try(
			fixture, "trap '' TERM INT HUP; echo begun; (sleep 987 & sleep 987); sleep 987", 1000),
		0);
	assert_int_equal(fixture->result.end, PROCESS_TIMEOUT);
	assert_int_equal(fixture->result.exit_code, 124);
	assert_said(fixture, "begun\n");
	assert_true(clock_now_ms() - start_ms < 5000);
	assert_int_equal(fixture_run(fixture, "ps | grep -c '[s]leep 987'"), 1);
	assert_said(fixture, "0\n");
}

static void fire(void *owner)
{
	cancel_fire(owner, SIGTERM);
}

struct trigger {
	struct fixture *fixture;
	int ends[2]; /* what the line prints comes through */
};

static void *fire_when_it_prints(void *owner)
{
	struct trigger *trigger = owner;
	char byte;
	if (read(trigger->ends[0], &byte, 1) == 1)
		fire(&trigger->fixture->cancel);
	return NULL;
}

/* Semantics.md 75: what was to come is not written. */
static void a_cancelled_one_is_stopped_inside(void **state)
{
	struct fixture *fixture = *state;
	struct trigger trigger = {.fixture = fixture};
	pthread_t thread;
	NEEDS_ENGINE(fixture);
	assert_int_equal(pipe(trigger.ends), 0);
	struct command command = {.line = "touch runs; echo x; sleep 20; touch later",
		.timeout_ms = 60000,
		.log_fd = trigger.ends[1],
		.log_limit = 100};
	assert_int_equal(pthread_create(&thread, NULL, fire_when_it_prints, &trigger), 0);
	assert_int_equal(
		executor_run(fixture->executor, &command, &fixture->result, &fixture->ctx, &fixture->err),
		0);
	close(trigger.ends[1]);
	pthread_join(thread, NULL);
	close(trigger.ends[0]);
	assert_int_equal(fixture->result.end, PROCESS_CANCELLED);
	assert_int_equal(fixture->result.exit_code, 125);
	cancel_clear(&fixture->cancel);
	assert_int_equal(fixture_run(fixture, "ls; ps | grep -c '[s]leep 20'"), 1);
	assert_said(fixture, "runs\n0\n");
}

static void leftovers_go_with_their_line(void **state)
{
	struct fixture *fixture = *state;
	NEEDS_ENGINE(fixture);
	int64_t start_ms = clock_now_ms();
	assert_int_equal(fixture_run(fixture,
						 "setsid sleep 986 & nohup setsid sh -c 'sleep 986 & sleep 986' & echo on"),
		0);
	assert_true(clock_now_ms() - start_ms < 5000);
	assert_int_equal(fixture_run(fixture, "ps | grep -c '[s]leep 986'"), 1);
}

static void what_forks_without_end_ends(void **state)
{
	struct fixture *fixture = *state;
	NEEDS_ENGINE(fixture);
	assert_int_equal(
		fixture_run(fixture, "i=0; while [ $i -lt 500 ]; do sleep 985 & i=$((i+1)); done; echo $i"),
		0);
	assert_said(fixture, "500\n");
	assert_int_equal(
		fixture_try(fixture, "f() { f | f & }; while true; do f; done 2>/dev/null", 1500), 0);
	assert_true(fixture->result.exit_code != 0);
	assert_int_equal(fixture_run(fixture, "echo lives; ls /proc | grep -c '^[0-9]'"), 0);
	assert_contains(fixture->output.text, "lives\n");
}

static void a_flood_is_cut_and_killed(void **state)
{
	struct fixture *fixture = *state;
	NEEDS_ENGINE(fixture);
	assert_int_equal(
		fixture_run(fixture, "yes xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx | head -c 1000000000"),
		128 + SIGKILL);
	assert_int_equal(fixture->result.end, PROCESS_OUTPUT_LIMIT);
	assert_true(fixture->output.length <= 1 << 20 && fixture->output.cut > 0);
	assert_int_equal(fixture_run(fixture, "echo lives"), 0);
}

static void memory_disk_and_bytes_have_limits(void **state)
{
	struct fixture *fixture = *state;
	NEEDS_ENGINE(fixture);
	assert_int_equal(fixture_run(fixture, "dd if=/dev/zero of=/tmp/fill bs=1M count=2000"), 1);
	assert_contains(fixture->output.text, "No space left");
	assert_int_equal(fixture_run(fixture, "rm /tmp/fill; printf 'a\\0b\\377c'"), 0);
	assert_said(fixture,
		"a\\0b\xef\xbf\xbd"
		"c");
}

/* What watches over the lines is of the same user, and may be killed; but not read. */
static void who_kills_the_helper_is_killed(void **state)
{
	struct fixture *fixture = *state;
	NEEDS_ENGINE(fixture);
	assert_int_equal(fixture_run(fixture,
						 "cat /proc/$PPID/environ /proc/$PPID/mem; ls -l /proc/$PPID/fd; echo "
						 ">/proc/$PPID/fd/3"),
		1);
	assert_int_equal(
		fixture_run(fixture, "setsid sleep 984 & kill -9 $PPID; sleep 984"), 128 + SIGKILL);
	assert_contains(fixture->output.text,
		"[what watches over the programs was killed: the next command gets a new one");
	assert_int_equal(fixture_run(fixture, "ps | grep -c '[s]leep 984'"), 1);
	assert_said(fixture, "0\n");
	/* whoever of the two dies first */
	assert_int_equal(fixture_run(fixture, "kill -9 -1; sleep 984"), 128 + SIGKILL);
	assert_int_equal(fixture_run(fixture, "echo lives"), 0);
}

static void what_stops_the_helper_is_stopped_with_the_container(void **state)
{
	struct fixture *fixture = *state;
	NEEDS_ENGINE(fixture);
	int64_t start_ms = clock_now_ms();
	assert_int_equal(fixture_try(fixture, "kill -STOP $PPID; echo held; sleep 983", 500), 0);
	assert_int_equal(fixture->result.exit_code, 124);
	assert_contains(fixture->output.text, "held\n[a program in it could not be stopped");
	assert_true(clock_now_ms() - start_ms < 20000);
	assert_int_equal(fixture_run(fixture, "ps | grep -c '[s]leep 983'"), 1);
}

static void nothing_that_is_printed_is_taken_for_a_report(void **state)
{
	struct fixture *fixture = *state;
	NEEDS_ENGINE(fixture);
	assert_int_equal(fixture_run(fixture,
						 "printf "
						 "'\\002\\0\\0\\0\\0\\0\\0\\030\\001\\0\\0\\0\\0\\0\\0\\0\\0\\0\\0\\0\\0\\0"
						 "\\0\\0' >&2; exit 9"),
		9);
	assert_int_equal(fixture_run(fixture, "ls /proc/self/fd | sort -n | head -c 6"), 0);
	assert_said(fixture, "0\n1\n2\n");
}

static void expect(struct coprocess *coprocess, const char *expected)
{
	AUTO_STRBUF line = STRBUF_INIT(STRBUF_TEXT);
	struct rondo_error err;
	enum coprocess_heard heard;
	assert_int_equal(coprocess_hear(coprocess, 20000, &line, &heard, &err), 0);
	assert_int_equal(heard, COPROCESS_LINE);
	assert_string_equal(line.text, expected);
}

static void one_can_speak_with_a_line(void **state)
{
	struct fixture *fixture = *state;
	struct coprocess *coprocess;
	bool taken;
	NEEDS_MOUNT(fixture);
	struct command command = {
		.line = "echo ready; while read -r line; do echo \"<$line>\"; done; sleep 982"};
	assert_int_equal(
		executor_open(fixture->executor, &command, &coprocess, &fixture->ctx, &fixture->err), 0);
	expect(coprocess, "ready");
	assert_int_equal(coprocess_say(coprocess, "one two", 10000, &taken, &fixture->err), 0);
	assert_true(taken);
	expect(coprocess, "<one two>");
	assert_int_equal(fixture_run(fixture, "echo beside"), 0);
	assert_said(fixture, "beside\n");
	coprocess_end(coprocess);
	assert_int_equal(fixture_run(fixture, "ps | grep -c '[s]leep 982\\|[r]ead -r'"), 1);
}

/* 4 MB there and back at once: nobody may wait for the other. */
static void much_is_said_and_heard_at_once(void **state)
{
	struct fixture *fixture = *state;
	struct coprocess *coprocess;
	size_t n = (size_t)4 << 20;
	bool taken;
	NEEDS_MOUNT(fixture);
	AUTO_FREE char *line = memory_alloc(n + 1);
	memset(line, 'x', n);
	struct command command = {.line = "cat"};
	assert_int_equal(
		executor_open(fixture->executor, &command, &coprocess, &fixture->ctx, &fixture->err), 0);
	assert_int_equal(coprocess_say(coprocess, line, 30000, &taken, &fixture->err), 0);
	assert_true(taken);
	expect(coprocess, line);
	coprocess_end(coprocess);
}

static void a_coprocess_that_ended_says_so(void **state)
{
	struct fixture *fixture = *state;
	struct coprocess *coprocess;
	AUTO_STRBUF line = STRBUF_INIT(STRBUF_TEXT);
	enum coprocess_heard heard;
	NEEDS_MOUNT(fixture);
	struct command command = {.line = "echo last"};
	assert_int_equal(
		executor_open(fixture->executor, &command, &coprocess, &fixture->ctx, &fixture->err), 0);
	expect(coprocess, "last");
	assert_int_equal(coprocess_hear(coprocess, 20000, &line, &heard, &fixture->err), 0);
	assert_int_equal(heard, COPROCESS_ENDED);
	coprocess_end(coprocess);
}

static void run_block(
	struct fixture *fixture, const char *language, const char *filename, const char *code)
{
	struct code_block block = {.language = language, .filename = filename, .code = code};
	struct block_order order = {.blocks = &block, .n = 1, .timeout_ms = 5000};
	assert_int_equal(executor_execute_code_blocks(fixture->executor, &order, &fixture->arena,
						 &fixture->code, &fixture->ctx, &fixture->err),
		0);
}

/* Semantics.md 69, 71, 77, 83, 91. */
static void blocks_are_run_as_anywhere(void **state)
{
	struct fixture *fixture = *state;
	const char **left;
	size_t n;
	NEEDS_ENGINE(fixture);
	run_block(fixture, "sh", NULL, "echo 'hello world!'");
	assert_int_equal(fixture->code.exit_code, 0);
	assert_string_equal(fixture->code.output, "hello world!\n");
	run_block(fixture, "sh", "/tmp/test.sh", "echo no");
	assert_int_equal(fixture->code.exit_code, 1);
	run_block(fixture, "sh", "a/named.sh", "echo named; exit 3");
	assert_int_equal(fixture->code.exit_code, 3);
	assert_string_equal(fixture->code.files[0], "a/named.sh");
	assert_true(file_exists(fixture_at(fixture, "tree/a/named.sh")));
	run_block(fixture, "sh", NULL, "sleep 981");
	assert_int_equal(fixture->code.exit_code, 124);
	assert_contains(fixture->code.output, "Timeout");
	assert_int_equal(file_find(fixture_at(fixture, "cache"), "tmp_code*", &fixture->arena, &left,
						 &n, &fixture->err),
		0);
	assert_int_equal(n, 0);
}

/* A link that a block planted leads no later block's text out of the tree. */
static void planted_links_lead_nowhere(void **state)
{
	struct fixture *fixture = *state;
	AUTO_STRBUF text = STRBUF_INIT(100);
	NEEDS_ENGINE(fixture);
	assert_int_equal(file_write(fixture_at(fixture, "canary"), "sings", 5, 0666, &fixture->err), 0);
	fixture_run(
		fixture, arena_printf(&fixture->arena, "ln -s %s next.sh", fixture_at(fixture, "canary")));
	run_block(fixture, "sh", "next.sh", "echo over");
	assert_int_equal(file_read(fixture_at(fixture, "canary"), 100, &text, &fixture->err), 0);
	assert_string_equal(text.text, "sings");
}

static void limit_memory(void **state)
{
	struct fixture *fixture = *state;
	NEEDS_ENGINE(fixture);
	fixture->options.memory = 32 << 20;
	assert_int_equal(fixture_open(fixture), 0);
	int code = fixture_run(fixture, "head -c 200000000 /dev/zero | tail -c 200000000 | wc -c");
	assert_true(code != 0 || !strstr(fixture->output.text, "200000000"));
	assert_int_equal(fixture_run(fixture, "echo lives"), 0);
}

/* What the last one left goes with the next start; a container of others stays. */
static void names_are_kept_and_freed(void **state)
{
	struct fixture *fixture = *state;
	struct docker *docker;
	NEEDS_ENGINE(fixture);
	fixture->options.container_name = "rondo-test-name";
	fixture->options.stop_container = false;
	assert_int_equal(fixture_open(fixture), 0);
	docker = fixture->executor->state;
	AUTO_FREE char *first = memory_strdup(docker->container);
	executor_free(fixture->executor);
	fixture->executor = NULL;
	fixture->options.stop_container = true;
	assert_int_equal(fixture_open(fixture), 0);
	docker = fixture->executor->state;
	assert_string_not_equal(first, docker->container);
	struct executor *one = fixture->executor;
	assert_int_equal(fixture_open(fixture), 0); /* two at once: the second has a number */
	executor_free(one);
}

/* Semantics.md 85. */
static void stopped_twice_is_stopped(void **state)
{
	struct fixture *fixture = *state;
	NEEDS_ENGINE(fixture);
	assert_int_equal(fixture_run(fixture, "echo works"), 0);
	assert_said(fixture, "works\n");
	docker_executor.stop(fixture->executor);
	docker_executor.stop(fixture->executor);
}

/* Semantics.md 89: there is nothing to ask for its directory before it has started. */
static void what_does_not_start_is_no_executor(void **state)
{
	struct fixture *fixture = *state;
	fixture->options.socket = fixture_at(fixture, "no-socket");
	assert_int_equal(fixture_open(fixture), -1);
	assert_null(fixture->executor);
	assert_contains(fixture->err.message, "no container engine");
}

/* Semantics.md 85: what ran between two containers. */
static void a_container_that_was_removed_is_made_again(void **state)
{
	struct fixture *fixture = *state;
	NEEDS_ENGINE(fixture);
	struct docker *docker = fixture->executor->state;
	AUTO_DOCKER_ANSWER answer = {0};
	struct docker_request request = {.method = "DELETE",
		.path =
			arena_printf(&fixture->arena, "/containers/%s?force=true&v=true", docker->container)};
	assert_int_equal(fixture_run(fixture, "echo one"), 0);
	assert_int_equal(docker_do(&docker->api, &request, &answer, "", NULL, &fixture->err), 0);
	assert_int_equal(fixture_run(fixture, "echo two"), 0);
	assert_contains(fixture->output.text, "[it was stopped, or removed: ");
	assert_contains(fixture->output.text, "two\n");
}

static void an_image_that_is_not_there(void **state)
{
	struct fixture *fixture = *state;
	NEEDS_ENGINE(fixture);
	fixture->options.image = "rondo-test-none:1";
	assert_int_equal(fixture_open(fixture), -1);
	assert_string_equal(fixture->err.message,
		"executor docker: the image rondo-test-none:1 is not there, and executor.pull is never");
	assert_string_equal(fixture->err.help, "docker pull rondo-test-none:1");
}

#define ON_ENGINE(test) cmocka_unit_test_setup_teardown(test, fixture_new, fixture_end)
#define PREPARED(test) cmocka_unit_test_setup_teardown(test, fixture_prepare, fixture_end)

UNIT(docker)
{
	const struct CMUnitTest tests[] = {
		ON_ENGINE(output_comes_in_the_order_of_printing),
		ON_ENGINE(ends_are_told_as_a_shell_tells_them),
		ON_ENGINE(the_tree_and_the_cache_are_the_checkouts),
		ON_ENGINE(the_rest_is_closed),
		ON_ENGINE(the_environment_is_the_worlds_and_the_commands),
		ON_ENGINE(a_deadline_stops_it_inside),
		ON_ENGINE(a_cancelled_one_is_stopped_inside),
		ON_ENGINE(leftovers_go_with_their_line),
		ON_ENGINE(what_forks_without_end_ends),
		ON_ENGINE(a_flood_is_cut_and_killed),
		ON_ENGINE(memory_disk_and_bytes_have_limits),
		ON_ENGINE(who_kills_the_helper_is_killed),
		ON_ENGINE(what_stops_the_helper_is_stopped_with_the_container),
		ON_ENGINE(nothing_that_is_printed_is_taken_for_a_report),
		ON_ENGINE(one_can_speak_with_a_line),
		ON_ENGINE(much_is_said_and_heard_at_once),
		ON_ENGINE(a_coprocess_that_ended_says_so),
		ON_ENGINE(blocks_are_run_as_anywhere),
		ON_ENGINE(planted_links_lead_nowhere),
		ON_ENGINE(a_container_that_was_removed_is_made_again),
		ON_ENGINE(stopped_twice_is_stopped),
		PREPARED(what_does_not_start_is_no_executor),
		PREPARED(limit_memory),
		PREPARED(names_are_kept_and_freed),
		PREPARED(an_image_that_is_not_there),
	};
	return RUN_TESTS(tests);
}
