/* tests/lib/daytona, started by a test, and an executor before it: see there for settings and
 * faults. */
#pragma once
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/file.h"
#include "base/json/json.h"
#include "base/memory.h"
#include "executors/daytona/daytona.h"
#include "executors/world.h"
#include "tests/unit/unit.h"

#define CLOUD_TEST(name, open) cmocka_unit_test_setup_teardown(name, open, cloud_close)
#define DAYTONA_KEY "dtn_0123456789"

struct cloud {
	char top[TOP_SIZE];
	int input; /* the server ends when its input does */
	pid_t pid;
	struct arena arena;
	struct world world;
	struct daytona options;
	struct executor_settings settings;
	struct cancel cancel;
	struct context ctx;
	struct executor *executor;
	struct process_result result;
	struct strbuf output;
	struct rondo_error err;
};

static inline const char *cloud_at(struct cloud *cloud, const char *name)
{
	return arena_printf(&cloud->arena, "%s/%s", cloud->top, name);
}

static inline void cloud_put(struct cloud *cloud, const char *name, const char *text)
{
	assert_int_equal(file_write(cloud_at(cloud, name), text, strlen(text), 0644, &cloud->err), 0);
}

/* What goes wrong from here on; see tests/lib/daytona. */
static inline void cloud_fault(struct cloud *cloud, const char *faults)
{
	cloud_put(cloud, "state/faults", faults);
}

static inline int cloud_serve(struct cloud *cloud, const char *settings)
{
	int in[2], out[2];
	char port[16] = "";
	if (pipe2(in, O_CLOEXEC) < 0 || pipe2(out, O_CLOEXEC) < 0)
		return -1;
	cloud->pid = fork();
	if (cloud->pid == 0) {
		prctl(PR_SET_PDEATHSIG, SIGKILL);
		dup2(in[0], 0);
		dup2(out[1], 1);
		execl("tests/lib/daytona", "daytona", cloud_at(cloud, "state"), settings, (char *)NULL);
		_exit(127);
	}
	close(in[0]);
	close(out[1]);
	cloud->input = in[1];
	for (size_t n = 0; n < sizeof port - 1 && read(out[0], port + n, 1) == 1 && port[n] != '\n';
		 n++)
		;
	close(out[0]);
	setenv(
		"DAYTONA_API_URL", arena_printf(&cloud->arena, "http://127.0.0.1:%d/api", atoi(port)), 1);
	setenv("DAYTONA_API_KEY", DAYTONA_KEY, 1);
	return atoi(port) > 0 ? 0 : -1;
}

static inline int cloud_open(void **state, const char *settings)
{
	struct cloud *cloud = memory_alloc(sizeof *cloud);
	*state = cloud;
	cloud->output = (struct strbuf)STRBUF_INIT(STRBUF_LINE);
	cloud->settings = executor_defaults;
	if (!make_top(cloud->top) || cancel_init(&cloud->cancel, NULL, 0, &cloud->err) < 0)
		return -1;
	cloud->ctx.cancel = &cloud->cancel;
	static const char *const dirs[] = {"state", "tree", "cache"};
	for (size_t i = 0; i < ARRAY_SIZE(dirs); i++)
		if (file_make_dir(cloud_at(cloud, dirs[i]), 0755, &cloud->err) < 0)
			return -1;
	static const char *const env[] = {
		"HOME=" WORLD_HOME, "XDG_CACHE_HOME=" WORLD_HOME "/.cache", "LANG=C.UTF-8", NULL};
	cloud->world =
		(struct world){.tree_at = "/srv/app", .home = WORLD_HOME, .env = env, .path = ""};
	option_defaults(daytona_executor.options, &cloud->options, &cloud->arena);
	return cloud_serve(cloud, settings);
}

static inline int cloud_start(struct cloud *cloud)
{
	struct executor_plan plan = {
		.type = &daytona_executor, .settings = &cloud->settings, .options = &cloud->options};
	return executor_new(&plan, &cloud->world, cloud_at(cloud, "tree"), cloud_at(cloud, "cache"),
		&cloud->ctx, &cloud->executor, &cloud->err);
}

static inline void cloud_stop(struct cloud *cloud)
{
	executor_free(cloud->executor);
	cloud->executor = NULL;
}

static inline int cloud_close(void **state)
{
	struct cloud *cloud = *state;
	cloud_stop(cloud);
	close(cloud->input);
	waitpid(cloud->pid, NULL, 0);
	cancel_release(&cloud->cancel);
	file_remove_tree(cloud->top, &cloud->err);
	strbuf_release(&cloud->output);
	arena_release(&cloud->arena);
	free(cloud);
	return 0;
}

/* How many sandboxes there are. */
static inline size_t cloud_count(struct cloud *cloud)
{
	AUTO_FREE char *line = memory_strdup(
		arena_printf(&cloud->arena, "ls %s | wc -l", cloud_at(cloud, "state/sandboxes")));
	AUTO_STRBUF output = STRBUF_INIT(100);
	struct process_result result;
	const char *const argv[] = {"/bin/sh", "-c", line, NULL};
	struct process_options options = {.argv = argv, .output = &output};
	assert_int_equal(process_run(&options, &result, &cloud->err), 0);
	return (size_t)atoi(output.text);
}

/* The last request of a method to a path with that end; the caller's. NULL: there was none. */
static inline struct json *cloud_request(struct cloud *cloud, const char *method, const char *end)
{
	struct json *found = NULL;
	AUTO_STRBUF log = STRBUF_INIT(STRBUF_RECORD);
	assert_int_equal(file_read(cloud_at(cloud, "state/log"), STRBUF_RECORD, &log, &cloud->err), 0);
	for (const char *line = log.text; *line;) {
		size_t n = strcspn(line, "\n");
		struct json *request = json_parse(line, n, &cloud->err);
		bool fits = strcmp(json_string(request, "method", ""), method) == 0 &&
			text_ends_with(json_string(request, "path", ""), end);
		if (fits) {
			json_free(found);
			found = request;
		} else {
			json_free(request);
		}
		line += n + (line[n] == '\n');
	}
	return found;
}

/* Whether this machine can have sandboxes at all. */
static inline bool cloud_is_possible(void)
{
	static int is_possible = -1;
	AUTO_STRBUF found = STRBUF_INIT(1000);
	struct rondo_error err;
	if (is_possible < 0)
		is_possible = sandbox_executor.probe(&found, &err) == 0;
	return is_possible;
}

static inline struct cloud *started(void **state)
{
	struct cloud *cloud = *state;
	if (!cloud_is_possible())
		skip();
	if (!cloud->executor && cloud_start(cloud) < 0)
		fail_msg("%s", cloud->err.message);
	return cloud;
}

static inline int run(struct cloud *cloud, const char *line, int64_t timeout_ms)
{
	struct command command = {
		.line = line, .output = &cloud->output, .timeout_ms = timeout_ms, .output_limit = 1 << 20};
	strbuf_reset(&cloud->output);
	return executor_run(cloud->executor, &command, &cloud->result, &cloud->ctx, &cloud->err);
}

static inline void assert_run(
	struct cloud *cloud, const char *line, int exit_code, const char *output)
{
	if (run(cloud, line, 20000) < 0)
		fail_msg("%s", cloud->err.message);
	assert_string_equal(cloud->output.text, output);
	assert_int_equal(cloud->result.exit_code, exit_code);
}

static inline void assert_text(struct cloud *cloud, const char *name, const char *expected)
{
	AUTO_STRBUF text = STRBUF_INIT(1000);
	if (file_read(cloud_at(cloud, name), 1000, &text, &cloud->err) < 0)
		fail_msg("%s", cloud->err.message);
	assert_string_equal(text.text, expected);
}

/* The start fails with that, and leaves nothing. */
static inline void assert_no_start(struct cloud *cloud, const char *message)
{
	if (!cloud_is_possible())
		skip();
	if (cloud_start(cloud) == 0)
		fail_msg("it started, in place of '%s'", message);
	if (!strstr(cloud->err.message, message))
		fail_msg("'%s' is not in '%s'", message, cloud->err.message);
	assert_null(strstr(cloud->err.message, DAYTONA_KEY));
	assert_int_equal(cloud_count(cloud), 0);
}
