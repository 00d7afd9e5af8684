/* The executor "daytona" before a server that follows the published API, with real sandboxes: tests/lib/daytona. */
#include "tests/unit/daytona_fixture.h"

#include <sys/stat.h>

static bool has_sandbox;

static int open_plain(void **state)
{
	return cloud_open(state, "start=0");
}

static int open_slow(void **state)
{
	return cloud_open(state, "start=0.3");
}

static int open_stuck(void **state)
{
	return cloud_open(state, "start=60");
}

static int open_old(void **state)
{
	return cloud_open(state, "proxy=no");
}

static int open_locked(void **state)
{
	return cloud_open(state, "root=ro");
}

static int open_small(void **state)
{
	return cloud_open(state, "space=4194304");
}

/* A minute is a moment: what idles, stops soon. */
static int open_hasty(void **state)
{
	return cloud_open(state, "minute=0.2");
}

static struct cloud *started(void **state)
{
	struct cloud *cloud = *state;
	if (!has_sandbox)
		skip();
	if (!cloud->executor && cloud_start(cloud) < 0)
		fail_msg("%s", cloud->err.message);
	return cloud;
}

static int run(struct cloud *cloud, const char *line, int64_t timeout_ms)
{
	struct command command = {.line = line, .output = &cloud->output, .timeout_ms = timeout_ms, .output_limit = 1 << 20};
	strbuf_reset(&cloud->output);
	return executor_run(cloud->executor, &command, &cloud->result, &cloud->ctx, &cloud->err);
}

static void assert_run(struct cloud *cloud, const char *line, int exit_code, const char *output)
{
	if (run(cloud, line, 20000) < 0)
		fail_msg("%s", cloud->err.message);
	assert_string_equal(cloud->output.text, output);
	assert_int_equal(cloud->result.exit_code, exit_code);
}

static void assert_text(struct cloud *cloud, const char *name, const char *expected)
{
	AUTO_STRBUF text = STRBUF_INIT(1000);
	if (file_read(cloud_at(cloud, name), 1000, &text, &cloud->err) < 0)
		fail_msg("%s", cloud->err.message);
	assert_string_equal(text.text, expected);
}

/* The start fails with that, and leaves nothing. */
static void assert_no_start(struct cloud *cloud, const char *message)
{
	if (!has_sandbox)
		skip();
	if (cloud_start(cloud) == 0)
		fail_msg("it started, in place of '%s'", message);
	if (!strstr(cloud->err.message, message))
		fail_msg("'%s' is not in '%s'", message, cloud->err.message);
	assert_null(strstr(cloud->err.message, DAYTONA_KEY));
	assert_int_equal(cloud_count(cloud), 0);
}

/* --- Commands --- */

static void test_both_trees_are_one(void **state)
{
	struct cloud *cloud = *state;
	cloud_put(cloud, "tree/a b", "one");
	cloud_put(cloud, "tree/it's", "two");
	cloud_put(cloud, "tree/run.sh", "#!/bin/sh\necho it runs\n");
	chmod(cloud_at(cloud, "tree/run.sh"), 0755);
	started(state);
	assert_run(cloud, "pwd; cat 'a b' \"it's\"; ./run.sh", 0, "/srv/app\nonetwoit runs\n");
	assert_run(cloud, "printf three >'a b'; mkdir -p d/e; echo x >d/e/f; rm \"it's\"; ln -s 'a b' l; chmod +x 'a b'", 0, "");
	assert_text(cloud, "tree/a b", "three");
	assert_text(cloud, "tree/d/e/f", "x\n");
	assert_text(cloud, "tree/l", "three");
	assert_false(file_exists(cloud_at(cloud, "tree/it's")));
	assert_int_equal(access(cloud_at(cloud, "tree/a b"), X_OK), 0);
	cloud_put(cloud, "tree/a b", "four");
	unlink(cloud_at(cloud, "tree/d/e/f"));
	assert_run(cloud, "cat l; ls d/e; touch -d 2001-01-01 'a b'; printf five >'a b'; touch -d 2001-01-01 'a b'", 0, "four");
	assert_text(cloud, "tree/a b", "five");
}

static void test_nothing_is_sent_twice(void **state)
{
	struct cloud *cloud = *state;
	cloud_put(cloud, "tree/a", "one");
	started(state);
	assert_run(cloud, "echo more >>a", 0, "");
	AUTO_STRBUF before = STRBUF_INIT(STRBUF_RECORD);
	assert_int_equal(truncate(cloud_at(cloud, "state/log"), 0), 0);
	assert_run(cloud, "cat a", 0, "onemore\n");
	assert_null(cloud_request(cloud, "POST", "/files/bulk-upload"));
}

static void test_ends_of_commands(void **state)
{
	struct cloud *cloud = started(state);
	assert_run(cloud, "echo out; echo err >&2; exit 3", 3, "out\nerr\n");
	assert_run(cloud, "kill -SEGV $$", 139, "");
	assert_int_equal(cloud->result.end, PROCESS_SIGNALLED);
	assert_run(cloud, "nonesuch 2>/dev/null", 127, "");
	assert_run(cloud, "printf 'a\\0b\\377c'", 0, "a\\0b\xef\xbf\xbd" "c");
	assert_run(cloud, "read x; echo \"[$x]\"; test -t 0 || echo no terminal", 0, "[]\nno terminal\n");
	assert_run(cloud, "echo $HOME $XDG_CACHE_HOME; env | grep -c API_KEY", 1, "/home/agent /home/agent/.cache\n0\n");
	assert_run(cloud, "kill -9 $PPID; sleep 0.2; echo not reached", 137, "");
}

/* 161 in the mean: what a command leaves is gone when it ends. */
static void test_all_descendants_are_killed(void **state)
{
	struct cloud *cloud = started(state);
	assert_run(cloud, "(sleep 1000 &) ; setsid env -i sleep 1001 & nohup sh -c 'trap \"\" TERM; sleep 1002' >/dev/null 2>&1 & echo on",
		0, "on\n");
	assert_run(cloud, "cat /proc/[0-9]*/comm | grep -c sleep", 1, "0\n");
	assert_run(cloud, "i=0; while [ $i -lt 300 ]; do sleep 1000 & i=$((i+1)); done; echo $i", 0, "300\n");
	assert_run(cloud, "cat /proc/[0-9]*/comm | grep -c sleep", 1, "0\n");
}

/* 73 and 157: HTTP 408 is exit code 124, with what was printed and changed until then. */
static void test_timeout(void **state)
{
	struct cloud *cloud = started(state);
	assert_int_equal(run(cloud, "echo begun; echo 1 >kept; sleep 100", 1000), 0);
	assert_int_equal(cloud->result.end, PROCESS_TIMEOUT);
	assert_int_equal(cloud->result.exit_code, 124);
	assert_string_equal(cloud->output.text, "begun\n");
	assert_text(cloud, "tree/kept", "1\n");
	assert_run(cloud, "cat /proc/[0-9]*/comm | grep -c sleep; cat kept", 0, "0\n1\n");
}

static void test_157_the_timeout_is_forwarded(void **state)
{
	struct cloud *cloud = started(state);
	static const int seconds[] = {60, 30, 45};
	for (size_t i = 0; i < ARRAY_SIZE(seconds); i++) {
		assert_int_equal(run(cloud, "true", seconds[i] * 1000), 0);
		AUTO_JSON *request = cloud_request(cloud, "POST", "/process/execute");
		assert_int_equal(json_int(json_get(request, "body"), "timeout", 0), seconds[i]);
		assert_string_equal(json_string(json_get(request, "body"), "cwd", ""), "/srv/app");
	}
}

static void test_limits(void **state)
{
	struct cloud *cloud = started(state);
	assert_int_equal(run(cloud, "trap '' PIPE; while :; do echo yes; done", 20000), 0);
	assert_int_equal(cloud->result.end, PROCESS_OUTPUT_LIMIT);
	assert_true(cloud->result.duration_ms < 15000);
	assert_run(cloud, "head -c 68000000 /dev/zero >large; mkfifo fifo; ln -s /etc/passwd out; echo x >small", 0,
		"\n[fifo stays in the sandbox: it is no file, directory or link]\n[large stays in the sandbox: it is too large]"
		"\n[./out stays in the sandbox: it is a link that leads out of the tree]\n");
	assert_text(cloud, "tree/small", "x\n");
	assert_false(file_exists(cloud_at(cloud, "tree/large")));
	assert_run(cloud, "stat -c %s large", 0, "68000000\n");
}

/* A full disk is the command's doing: a result, and the next one runs. */
static void test_a_full_disk(void **state)
{
	struct cloud *cloud = started(state);
	assert_run(cloud, "head -c 8000000 /dev/urandom >large; echo said", 0, "said\n\n[. stays in the sandbox: the disk is full]\n");
	assert_run(cloud, "head -c 8000000 /dev/zero >/tmp/x 2>/dev/null || echo full", 0, "full\n");
	assert_run(cloud, "rm /tmp/x; echo on >small", 0, "");
	assert_text(cloud, "tree/small", "on\n");
}

static void test_blocks(void **state)
{
	struct cloud *cloud = started(state);
	struct code_result result;
	const struct code_block blocks[] = {{.language = "python", .code = "print('python')\n"},
		{.language = "bash", .code = "echo bash\n", .filename = "b.sh"}, {.language = "sh", .code = "echo sh\n"},
		{.language = "js", .code = "console.log('js')\n"}, {.language = "ts", .code = "const a: string = 'ts'; console.log(a)\n"},
		{.language = "python", .code = "raise SystemExit(4)\n"}, {.language = "sh", .code = "echo never\n"}};
	assert_int_equal(executor_execute_code_blocks(
				 cloud->executor, blocks, ARRAY_SIZE(blocks), 30000, &cloud->arena, &result, &cloud->ctx, &cloud->err),
		0);
	assert_string_equal(result.output, "python\nbash\nsh\njs\nts\n");
	assert_int_equal(result.exit_code, 4);
	assert_int_equal(result.n_files, 1);
	/* 159 */
	static const char *const commands[][2] = {{"ts", "ts-node --transpile-only --skipProject"}, {"js", "'node "}};
	for (size_t i = 0; i < ARRAY_SIZE(commands); i++) {
		struct code_block block = {.language = commands[i][0], .code = "console.log(1)\n"};
		assert_int_equal(executor_execute_code_blocks(
					 cloud->executor, &block, 1, 30000, &cloud->arena, &result, &cloud->ctx, &cloud->err),
			0);
		assert_string_equal(result.output, "1\n");
		AUTO_JSON *request = cloud_request(cloud, "POST", "/process/execute");
		const char *command = json_string(json_get(request, "body"), "command", "");
		assert_non_null(strstr(command, commands[i][1]));
		assert_non_null(strstr(command, arena_printf(&cloud->arena, ".%s'", commands[i][0])));
	}
}

/* --- Sandboxes --- */

static void test_151_155_what_is_asked_for(void **state)
{
	struct cloud *cloud = *state;
	cloud->options.target = "eu";
	cloud->settings.env = (struct option_texts){(const char *[]){"COLOUR"}, (const char *[]){"red"}, 1};
	started(state);
	AUTO_JSON *request = cloud_request(cloud, "POST", "/api/sandbox");
	const struct json *body = json_get(request, "body"), *labels = json_get(body, "labels");
	const char *name = json_string(body, "name", "");
	assert_true(text_starts_with(name, "rondo-") && strlen(name) == 14 && strspn(name + 6, "0123456789abcdef") == 8);
	assert_int_equal(json_int(body, "autoStopInterval", 0), 15);
	assert_int_equal(json_int(body, "autoDeleteInterval", 0), 60);
	assert_true(json_bool(body, "networkBlockAll", false));
	assert_string_equal(json_string(body, "target", ""), "eu");
	assert_string_equal(json_string(json_get(body, "env"), "COLOUR", ""), "red");
	assert_string_equal(json_string(labels, "code-toolbox-language", ""), "python");
	assert_string_equal(json_string(labels, "rondo", ""), name + 6);
	assert_null(json_get(body, "snapshot"));
	assert_null(json_get(body, "buildInfo"));
	assert_null(json_get(body, "cpu"));
	assert_string_equal(json_string(json_get(request, "headers"), "authorization", ""), "Bearer " DAYTONA_KEY);
}

static void test_155_an_image_and_resources(void **state)
{
	struct cloud *cloud = *state;
	cloud->options.image = "python:3.12-slim";
	cloud->options.resources = (struct daytona_resources){.cpu = 2, .memory = 4};
	cloud->options.name = "mine";
	started(state);
	AUTO_JSON *request = cloud_request(cloud, "POST", "/api/sandbox");
	const struct json *body = json_get(request, "body");
	assert_string_equal(json_string(json_get(body, "buildInfo"), "dockerfileContent", ""), "FROM python:3.12-slim\n");
	assert_int_equal(json_int(body, "cpu", 0), 2);
	assert_int_equal(json_int(body, "memory", 0), 4);
	assert_null(json_get(body, "disk"));
	assert_string_equal(json_string(body, "name", ""), "mine");
}

static void test_153_snapshot_or_image(void **state)
{
	struct cloud *cloud = *state;
	cloud->options.snapshot = "s";
	cloud->options.image = "i";
	assert_no_start(cloud, "executor daytona: Cannot specify both 'snapshot' and 'image'.");
	cloud->options.image = NULL;
	cloud->options.resources.cpu = 1;
	assert_no_start(cloud, "Cannot specify Sandbox resources when using a snapshot");
}

/* 154 and 163 */
static void test_what_daytona_says(void **state)
{
	struct cloud *cloud = *state;
	static const char *const faults[][2] = {
		{"1 POST /sandbox$ status 400 Total CPU limit exceeded. Maximum allowed: 4",
			"Failed to create Daytona sandbox: cannot create a sandbox: Daytona refuses that (HTTP 400: Total CPU limit exceeded"},
		{"1 POST /sandbox$ status 401 Invalid credentials " DAYTONA_KEY,
			"Daytona does not accept the key in DAYTONA_API_KEY (HTTP 401: Invalid credentials [DAYTONA_API_KEY])"},
		{"1 POST /sandbox$ status 403 Region us is not available", "the key in DAYTONA_API_KEY may not do that (HTTP 403: Region"},
		{"1 POST /sandbox$ status 404 Snapshot gone", "there is no such thing at Daytona (HTTP 404: Snapshot gone)"},
		{"1 POST /sandbox$ status 409 Sandbox with name x already exists", "it is in conflict with what is there (HTTP 409: Sandbox"},
		{"1 POST /sandbox$ status 500 Internal", "Daytona's server failed (HTTP 500: Internal)"},
		{"* POST /sandbox$ later 0", "too many requests for this key after 5 tries (HTTP 429: Too many requests)"},
		{"1 POST /sandbox$ html 200", "answers with a page for people, not with JSON (HTTP 200)"},
		{"1 POST /sandbox$ json", "Daytona's answer is no JSON: 1:8: not JSON"},
		{"1 POST /sandbox$ cut", "the answer broke off from 127.0.0.1:"},
		{"2 POST /sandbox$ reset", "no answer from 127.0.0.1:"},
		{"2 POST /sandbox$ lost", ""},
		{"1 POST /sandbox$ huge", "is larger than 4194304 bytes"},
		{"1 POST /sandbox$ state build_failed no such image", "the sandbox is in the state 'build_failed': no such image"},
		{"1 POST /sandbox$ state error the runner is full", "the sandbox is in the state 'error': the runner is full"},
		{"1 POST /process/execute status 403 broken", "cannot run a command in the sandbox: the key in DAYTONA_API_KEY may not"},
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

static void test_a_start_takes_its_states(void **state)
{
	struct cloud *cloud = *state;
	cloud_fault(cloud, "2 GET /sandbox/ status 503 busy\n1 POST /sandbox$ later 0\n");
	cloud->options.image = "debian";
	started(state);
	assert_run(cloud, "echo there", 0, "there\n");
	cloud_stop(cloud);
	assert_int_equal(cloud_count(cloud), 0);
}

static void test_a_start_that_takes_too_long(void **state)
{
	struct cloud *cloud = *state;
	cloud->options.image = "debian";
	cloud->options.start_ms = 1000;
	assert_no_start(cloud, "the sandbox has not started in 1 s; its state is 'pending_build' (start_timeout)");
}

static void test_cancelled_at_any_moment(void **state)
{
	static const char *const faults[] = {"1 POST /sandbox$ hang", "1 POST execute hang", "* GET /sandbox hang"};
	struct cloud *cloud = *state;
	if (!has_sandbox)
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

/* A command that was cancelled is ended before the next one. */
static void test_cancelled_command(void **state)
{
	struct cloud *cloud = started(state);
	struct cancel soon;
	assert_int_equal(cancel_init(&soon, NULL, 700, &cloud->err), 0);
	cloud->ctx.cancel = &soon;
	assert_int_equal(run(cloud, "echo 1 >kept; sleep 100", 30000), 0);
	assert_int_equal(cloud->result.end, PROCESS_CANCELLED);
	assert_int_equal(cloud->result.exit_code, 125);
	cancel_release(&soon);
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
	assert_non_null(strstr(cloud->err.message, "executor daytona: cannot run a command in the sandbox: Daytona's server failed (HTTP 502"));
	assert_run(cloud, "cat times", 0, "x\nx\n");
}

static void test_forged_answers(void **state)
{
	struct cloud *cloud = started(state);
	static const char *const answers[] = {"", "rondo 1 0 yes 5\nabc", "<html>", "rondo 1 0 yes 0\nf t 81a4 1 ./a\nx"};
	cloud_put(cloud, "state/answer", "rondo 1 0 yes 0\nf t 81a4 1 ./../a\nxl t ./b\n/etc/passwd\nend\n");
	cloud_fault(cloud, arena_printf(&cloud->arena, "1 GET download forge %s", cloud_at(cloud, "state/answer")));
	assert_run(cloud, "true", 0, "\n[./../a stays in the sandbox: it has a strange name]"
				     "\n[./b stays in the sandbox: it is a link that leads out of the tree]\n");
	for (size_t i = 0; i < ARRAY_SIZE(answers); i++) {
		cloud_put(cloud, "state/answer", answers[i]);
		cloud_fault(cloud, arena_printf(&cloud->arena, "1 GET download forge %s", cloud_at(cloud, "state/answer")));
		assert_int_equal(run(cloud, "true", 20000), -1);
		assert_false(file_exists(cloud_at(cloud, "tree/a")));
	}
	assert_run(cloud, "echo on", 0, "on\n");
}

static void test_a_sandbox_that_stopped_runs_again(void **state)
{
	struct cloud *cloud = *state;
	cloud_put(cloud, "tree/a", "one");
	cloud->options.delete_ms = 3600000 * 24;
	started(state);
	assert_run(cloud, "echo two >>a", 0, "");
	AUTO_JSON *asked = cloud_request(cloud, "POST", "/api/sandbox");
	for (const char *now = ""; strcmp(now, "stopped") != 0;) { /* it idles for 15 minutes of 200 ms */
		AUTO_JSON *found = NULL;
		struct daytona *daytona = cloud->executor->state;
		struct daytona_call call = {.doing = "look", .method = "GET", .limit_ms = 5000,
			.url = arena_printf(&cloud->arena, "%s/sandbox/%s", daytona->api.url, daytona->sandbox.id)};
		assert_int_equal(daytona_call(&daytona->api, &call, &found, NULL, &cloud->err), 0);
		now = arena_strdup(&cloud->arena, json_string(found, "state", ""));
	}
	assert_run(cloud, "cat a", 0, "onetwo\n");
}

static void test_a_sandbox_that_is_gone(void **state)
{
	struct cloud *cloud = started(state);
	struct daytona *daytona = cloud->executor->state;
	assert_int_equal(daytona_sandbox_delete(&daytona->api, daytona->sandbox.id, &cloud->err), 0);
	assert_int_equal(daytona_sandbox_delete(&daytona->api, daytona->sandbox.id, &cloud->err), 0);
	assert_int_equal(run(cloud, "true", 5000), -1);
	assert_non_null(strstr(cloud->err.message, "there is no such thing at Daytona (HTTP 404: Sandbox with ID"));
}

/* Where the paths of this machine cannot be made, the tree lies in a directory of the sandbox's user. */
static void test_a_place_of_its_own(void **state)
{
	struct cloud *cloud = *state;
	cloud_put(cloud, "tree/a", "one");
	started(state);
	const char *at = executor_tree_at(cloud->executor);
	assert_true(text_starts_with(at, "/home/daytona/rondo-") && text_ends_with(at, "/tree"));
	assert_run(cloud, "cat a; echo 2 >a; test \"$HOME/.cache\" = \"$XDG_CACHE_HOME\" && test -w \"$HOME\"", 0, "one");
	assert_text(cloud, "tree/a", "2\n");
	test_blocks(state);
}

static void test_the_way_through_the_api(void **state)
{
	struct cloud *cloud = started(state);
	assert_run(cloud, "echo here", 0, "here\n");
	AUTO_JSON *request = cloud_request(cloud, "POST", "/toolbox/process/execute");
	assert_true(text_starts_with(json_string(request, "path", ""), "/api/toolbox/"));
}

/* A process that was killed leaves one; what is another's stays. */
static void test_161_orphans(void **state)
{
	struct cloud *cloud = *state;
	size_t n;
	if (!has_sandbox)
		skip();
	pid_t child = fork();
	if (child == 0)
		_exit(cloud_start(cloud) < 0);
	int status;
	assert_int_equal(waitpid(child, &status, 0), child);
	assert_int_equal(status, 0);
	assert_int_equal(cloud_count(cloud), 1);
	started(state);
	assert_int_equal(cloud_count(cloud), 1);
	assert_int_equal(daytona_executor.collect(&n, &cloud->err), 0);
	assert_int_equal(n, 0);
	child = fork();
	if (child == 0)
		_exit(cloud_start(cloud) < 0);
	assert_int_equal(waitpid(child, &status, 0), child);
	assert_int_equal(daytona_executor.collect(&n, &cloud->err), 0);
	assert_int_equal(n, 1);
	assert_int_equal(cloud_count(cloud), 1);
	unsetenv("DAYTONA_API_KEY");
	assert_int_equal(daytona_executor.collect(&n, &cloud->err), 0);
	assert_int_equal(n, 0);
}

static void test_probe(void **state)
{
	struct cloud *cloud = *state;
	AUTO_STRBUF found = STRBUF_INIT(1000);
	assert_int_equal(daytona_executor.probe(&found, &cloud->err), 0);
	assert_non_null(strstr(found.text, "the key in DAYTONA_API_KEY is accepted"));
	setenv("DAYTONA_API_KEY", "wrong", 1);
	assert_int_equal(daytona_executor.probe(&found, &cloud->err), -1);
	assert_non_null(strstr(cloud->err.message, "does not accept the key"));
	assert_non_null(strstr(cloud->err.help, "make a key"));
	unsetenv("DAYTONA_API_KEY");
	assert_int_equal(daytona_executor.probe(&found, &cloud->err), -1);
	assert_string_equal(cloud->err.message, "no key: DAYTONA_API_KEY is not set");
}

#define TEST(name, open) cmocka_unit_test_setup_teardown(name, open, cloud_close)

int main(void)
{
	AUTO_STRBUF found = STRBUF_INIT(1000);
	struct rondo_error err;
	has_sandbox = sandbox_executor.probe(&found, &err) == 0;
	if (!has_sandbox)
		print_message("%s\n", err.message);
	const struct CMUnitTest tests[] = {
		TEST(test_both_trees_are_one, open_plain),
		TEST(test_nothing_is_sent_twice, open_plain),
		TEST(test_ends_of_commands, open_plain),
		TEST(test_all_descendants_are_killed, open_plain),
		TEST(test_timeout, open_plain),
		TEST(test_157_the_timeout_is_forwarded, open_plain),
		TEST(test_limits, open_plain),
		TEST(test_a_full_disk, open_small),
		TEST(test_blocks, open_plain),
		TEST(test_151_155_what_is_asked_for, open_plain),
		TEST(test_155_an_image_and_resources, open_plain),
		TEST(test_153_snapshot_or_image, open_plain),
		TEST(test_what_daytona_says, open_plain),
		TEST(test_a_start_takes_its_states, open_slow),
		TEST(test_a_start_that_takes_too_long, open_stuck),
		TEST(test_cancelled_at_any_moment, open_plain),
		TEST(test_cancelled_command, open_plain),
		TEST(test_connections_that_break, open_plain),
		TEST(test_forged_answers, open_plain),
		TEST(test_a_sandbox_that_stopped_runs_again, open_hasty),
		TEST(test_a_sandbox_that_is_gone, open_plain),
		TEST(test_a_place_of_its_own, open_locked),
		TEST(test_the_way_through_the_api, open_old),
		TEST(test_161_orphans, open_plain),
		TEST(test_probe, open_plain),
	};
	return RUN_TESTS(tests);
}
