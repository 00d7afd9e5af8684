/* What can go wrong between rondo and Daytona, and that nothing is left of it. */
#include <poll.h>
#include <pthread.h>
#include <signal.h>

#include "base/clock.h"
#include "tests/unit/daytona_fixture.h"

static int open_plain(void **state)
{
	return cloud_open(state, "start=0");
}

/* 154 and 163 */
static void test_what_daytona_says(void **state)
{
	struct cloud *cloud = *state;
	static const char *const faults[][2] = {
		{"1 POST /sandbox$ status 400 Total CPU limit exceeded. Maximum allowed: 4",
			"Failed to create Daytona sandbox: cannot create a sandbox: Daytona refuses that (HTTP "
			"400: Total CPU limit exceeded"},
		{"1 POST /sandbox$ status 401 Invalid credentials " DAYTONA_KEY,
			"Daytona does not accept the key in DAYTONA_API_KEY (HTTP 401: Invalid credentials "
			"[DAYTONA_API_KEY])"},
		{"1 POST /sandbox$ status 403 Region us is not available",
			"the key in DAYTONA_API_KEY may not do that (HTTP 403: Region"},
		{"1 POST /sandbox$ status 404 Snapshot gone",
			"there is no such thing at Daytona (HTTP 404: Snapshot gone)"},
		{"1 POST /sandbox$ status 409 Sandbox with name x already exists",
			"it is in conflict with what is there (HTTP 409: Sandbox"},
		{"1 POST /sandbox$ status 500 Internal", "Daytona's server failed (HTTP 500: Internal)"},
		{"* POST /sandbox$ later 0",
			"too many requests for this key after 5 tries (HTTP 429: Too many requests)"},
		{"1 POST /sandbox$ html 200", "answers with a page for people, not with JSON (HTTP 200)"},
		{"1 POST /sandbox$ json", "Daytona's answer is no JSON: 1:8: not JSON"},
		{"1 POST /sandbox$ forge /dev/null",
			"Failed to create Daytona sandbox: Daytona's answer names no sandbox"},
		{"1 POST /sandbox$ cut", "the answer broke off from 127.0.0.1:"},
		{"2 POST /sandbox$ reset", "no answer from 127.0.0.1:"},
		{"2 POST /sandbox$ lost", ""},
		{"1 POST /sandbox$ huge", "is larger than 4194304 bytes"},
		{"1 POST /sandbox$ state build_failed no such image",
			"the sandbox is in the state 'build_failed': no such image"},
		{"1 POST /sandbox$ state error the runner is full",
			"the sandbox is in the state 'error': the runner is full"},
		{"1 POST /sandbox$ state error no room for x" DAYTONA_KEY,
			"the sandbox is in the state 'error': no room for x[DAYTONA_API_KEY]"},
		{"1 POST /process/execute status 403 broken",
			"cannot run a command in the sandbox: the key in DAYTONA_API_KEY may not"},
	};
	for (size_t i = 0; i < ARRAY_SIZE(faults); i++) {
		cloud_fault(cloud, faults[i][0]);
		assert_no_start(cloud, faults[i][1]);
	}
	setenv("DAYTONA_API_URL", "http://127.0.0.1:1/api", 1);
	assert_no_start(cloud, "no answer from 127.0.0.1:1: Connection refused");
	unsetenv("DAYTONA_API_KEY");
	assert_no_start(cloud, "executor daytona: no key: DAYTONA_API_KEY is not set");
	setenv("DAYTONA_API_KEY", "a b", 1);
	assert_no_start(cloud, "holds a space");
}

static void test_cancelled_at_any_moment(void **state)
{
	static const char *const faults[] = {
		"1 POST /sandbox$ hang", "1 POST execute hang", "* GET /sandbox hang"};
	struct cloud *cloud = *state;
	if (!cloud_is_possible())
		skip();
	for (size_t i = 0; i < ARRAY_SIZE(faults); i++) {
		cancel_release(&cloud->cancel);
		assert_int_equal(cancel_init(&cloud->cancel, NULL, 300, &cloud->err), 0);
		cloud_fault(cloud, i == 2 ? "* GET /sandbox$ hang" : faults[i]);
		assert_int_equal(cloud_start(cloud), -1);
		assert_int_equal(cloud->err.code, RONDO_ERROR_CANCELLED);
		cloud_fault(cloud, "");
		assert_int_equal(cloud_count(cloud), 0);
	}
}

/* It began, or it did not; in both cases nobody waits for ever, and the next command runs. */
static void test_a_server_that_hangs(void **state)
{
	struct cloud *cloud = started(state);
	int64_t start_ms = clock_now_ms();
	cloud_fault(cloud, "1 POST execute hang");
	assert_int_equal(run(cloud, "echo never", 1000), -1);
	assert_non_null(strstr(cloud->err.message, "did not finish its answer within 6.0 s"));
	assert_int_equal(cloud->err.code, RONDO_ERROR_TRANSIENT);
	assert_true(clock_now_ms() - start_ms < 60000);
	assert_run(cloud, "echo on", 0, "on\n");
}

struct canceller {
	struct cancel cancel;
	const char *path; /* as the server's machine has it */
};

static void *cancel_once_there(void *owner)
{
	struct canceller *canceller = owner;
	while (!file_exists(canceller->path))
		poll(NULL, 0, 5);
	cancel_fire(&canceller->cancel, SIGTERM);
	return NULL;
}

/* 75: a command that was cancelled is ended before the next one. */
static void test_cancelled_command(void **state)
{
	struct cloud *cloud = started(state);
	const struct daytona *daytona = cloud->executor->state;
	struct canceller soon = {
		.path = cloud_at(cloud,
			arena_printf(
				&cloud->arena, "state/sandboxes/%s/root/srv/app/begun", daytona->sandbox.id))};
	pthread_t thread;
	assert_int_equal(cancel_init(&soon.cancel, NULL, 0, &cloud->err), 0);
	cloud->ctx.cancel = &soon.cancel;
	assert_int_equal(pthread_create(&thread, NULL, cancel_once_there, &soon), 0);
	assert_int_equal(run(cloud, "echo 1 >kept; touch begun; sleep 100", 60000), 0);
	pthread_join(thread, NULL);
	assert_int_equal(cloud->result.end, PROCESS_CANCELLED);
	assert_int_equal(cloud->result.exit_code, 125);
	cancel_release(&soon.cancel);
	cloud->ctx.cancel = &cloud->cancel;
	assert_run(cloud, "cat /proc/[0-9]*/comm | grep -c sleep; cat kept", 0, "0\n1\n");
	assert_text(cloud, "tree/kept", "1\n");
}

static void test_connections_that_break(void **state)
{
	struct cloud *cloud = *state;
	cloud_put(cloud, "tree/a", "one");
	started(state);
	cloud_fault(cloud, "1 POST bulk-upload reset\n1 GET download reset\n");
	assert_run(cloud, "cat a; echo two >a", 0, "one");
	assert_text(cloud, "tree/a", "two\n");
	/* What runs goes on, and only once. */
	cloud_fault(cloud, "1 POST execute break 0.3\n");
	assert_run(cloud, "echo x >>times; sleep 1; echo done; exit 5", 5, "done\n");
	assert_text(cloud, "tree/times", "x\n");
	cloud_fault(cloud, "1 POST execute lost\n");
	assert_run(cloud, "echo x >>times; echo again", 0, "again\n");
	assert_text(cloud, "tree/times", "x\nx\n");
	cloud_fault(cloud, "1 POST execute status 502 Bad Gateway\n");
	assert_int_equal(run(cloud, "echo x >>times", 20000), -1);
	assert_non_null(strstr(cloud->err.message,
		"executor daytona: cannot run a command in the sandbox: Daytona's server failed (HTTP "
		"502"));
	assert_run(cloud, "cat times", 0, "x\nx\n");
}

#define END "r 0 0 16 0 \0\1\0\0\0\0\0\0\0\0\1\0\0\0\0\0\0"

/* The next answer is this. */
static void forge(struct cloud *cloud, const char *bytes, size_t n)
{
	const char *path = cloud_at(cloud, "state/answer");
	assert_int_equal(file_write(path, bytes, n, 0644, &cloud->err), 0);
	cloud_fault(cloud, arena_printf(&cloud->arena, "1 GET download forge %s", path));
}

static void test_forged_answers(void **state)
{
	struct cloud *cloud = started(state);
	static const char strange[] = END "f 0 0 1 0 ../a\0xl 0 0 12 0 b\0/etc/passwd\0. 0 0 0 0 \0",
					  cut[] = END "o 0 0 3 0 \0outf 0 0 1 0 a\0xf 0 0 9 0 b\0x";
	static const char *const none[] = {"", "<html>", "r 0 0 16 0 ", "f 0 0 1 0 a"};
	forge(cloud, strange, sizeof strange - 1);
	assert_run(cloud, "true", 0,
		"\n[../a stays in the sandbox: it has a strange name]"
		"\n[b stays in the sandbox: it is a link that leads out of the tree]\n");
	for (size_t i = 0; i < ARRAY_SIZE(none); i++) {
		forge(cloud, none[i], strlen(none[i]) + (i > 1));
		assert_int_equal(run(cloud, "true", 20000), -1);
		assert_false(file_exists(cloud_at(cloud, "tree/a")));
	}
	assert_run(cloud, "true", 0, "");
	/* Of one that breaks off nothing is taken over: nobody knows what else there is. */
	forge(cloud, cut, sizeof cut - 1);
	assert_int_equal(run(cloud, "true", 20000), 0);
	assert_non_null(strstr(cloud->output.text,
		"out[what the command changed in it could not be told: the next command"));
	assert_false(file_exists(cloud_at(cloud, "tree/a")));
	assert_run(cloud, "echo on", 0, "on\n");
}

UNIT(daytona_faults)
{
	const struct CMUnitTest tests[] = {
		CLOUD_TEST(test_what_daytona_says, open_plain),
		CLOUD_TEST(test_cancelled_at_any_moment, open_plain),
		CLOUD_TEST(test_a_server_that_hangs, open_plain),
		CLOUD_TEST(test_cancelled_command, open_plain),
		CLOUD_TEST(test_connections_that_break, open_plain),
		CLOUD_TEST(test_forged_answers, open_plain),
	};
	return RUN_TESTS(tests);
}
