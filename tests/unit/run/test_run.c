/* Whole runs through the library: two at once in one process, and those that are stopped. */
#include "tests/unit/server_fixture.h"

#include <pthread.h>

#include "run/run.h"

static char top[TOP_SIZE];

static int set_up(void **state)
{
	(void)state;
	if (!make_top(top))
		return -1;
	setenv("HOME", top, 1);
	setenv("XDG_STATE_HOME", top, 1);
	setenv("XDG_CACHE_HOME", top, 1);
	setenv("GIT_CONFIG_NOSYSTEM", "1", 1);
	return 0;
}

static int tear_down(void **state)
{
	(void)state;
	struct rondo_error err;
	return file_remove_tree(top, &err);
}

static const char *executor_here(void)
{
	AUTO_ARENA arena = ARENA_INIT;
	struct doctor_line *lines;
	size_t n;
	run_doctor(&arena, &lines, &n);
	for (size_t i = 0; i < n; i++)
		if (strcmp(lines[i].name, "sandbox") == 0)
			return lines[i].works ? "sandbox" : "local";
	return "local";
}

struct job {
	pthread_t thread;
	char path[TOP_SIZE + 32];
	struct arena arena;
	struct run_report report;
	struct rondo_error err;
	struct cancel cancel;
	const char *executor;
	int status, messages;
};

static void count_messages(void *owner, const struct rondo_event *event)
{
	struct job *job = owner;
	job->messages += event->type == RONDO_EVENT_MESSAGE;
}

static void *fix(void *owner)
{
	struct job *job = owner;
	struct fix_options options = {0};
	options.path = job->path;
	options.executor = job->executor;
	struct context ctx = {.emit = {count_messages, job}, .cancel = &job->cancel};
	job->status = run_fix(&options, &ctx, &job->arena, &job->report, &job->err);
	return NULL;
}

static void begin(struct job *job, int number, const char *program)
{
	*job = (struct job){.executor = executor_here()};
	assert_int_equal(cancel_init(&job->cancel, NULL, 0, &job->err), 0);
	snprintf(job->path, sizeof job->path, "%s/program%d.py", top, number);
	assert_int_equal(file_write(job->path, program, strlen(program), 0644, &job->err), 0);
}

static void end(struct job *job)
{
	cancel_release(&job->cancel);
	arena_release(&job->arena);
}

#define PROGRAM "def area(a, b):\n    return a + b\n\n\nassert area(3, 5) == 15\n"

static void two_runs_at_once_in_one_process(void **state)
{
	(void)state;
	struct job jobs[2];
	for (int i = 0; i < 2; i++) {
		begin(&jobs[i], i, PROGRAM);
		assert_int_equal(pthread_create(&jobs[i].thread, NULL, fix, &jobs[i]), 0);
	}
	for (int i = 0; i < 2; i++) {
		pthread_join(jobs[i].thread, NULL);
		if (jobs[i].status < 0)
			fail_msg("%s", jobs[i].err.message);
		assert_int_equal(jobs[i].report.outcome, RUN_VERIFIED);
		assert_non_null(strstr(jobs[i].report.change->patch, "+    return a * b"));
		assert_true(jobs[i].messages >= 4);
		end(&jobs[i]);
	}
}

#define SCENARIO \
	"task: Mend it.\n" \
	"models: {m: {provider: openai, model: x, base_url: 'http://127.0.0.1:%d/mend'}}\n" \
	"agents: {coder: {type: coder, model: m}, executor: executor, tester: tester}\n" \
	"team: {participants: [coder, executor, tester], termination: tests_pass}\n" \
	"workspace: {repo: program0.py}\n"

#define REPLIES \
	"scene mend\n" \
	"say program0.py\\n```\\n<<<<<<< SEARCH\\n    return a + b\\n=======\\n    return a * " \
	"b\\n>>>>>>> REPLACE\\n```\\n\n"

static void *run_file(void *owner)
{
	struct job *job = owner;
	AUTO_STRBUF problems = STRBUF_INIT(STRBUF_TEXT);
	struct scenario_options options = {.path = job->path, .executor = job->executor};
	struct context ctx = {.emit = {count_messages, job}, .cancel = &job->cancel};
	job->status = run_scenario(&options, &ctx, &job->arena, &job->report, &problems, &job->err);
	return NULL;
}

/* One program, mended twice at the same time. */
static void two_scenarios_with_a_model_at_once(void **state)
{
	(void)state;
	struct job jobs[2];
	struct server server;
	char text[1024];
	server_start(&server, REPLIES);
	for (int i = 0; i < 2; i++) {
		begin(&jobs[i], 0, PROGRAM);
		snprintf(jobs[i].path, sizeof jobs[i].path, "%s/scenario%d.yaml", top, i);
		snprintf(text, sizeof text, SCENARIO, server.port);
		assert_int_equal(file_write(jobs[i].path, text, strlen(text), 0644, &jobs[i].err), 0);
		assert_int_equal(pthread_create(&jobs[i].thread, NULL, run_file, &jobs[i]), 0);
	}
	for (int i = 0; i < 2; i++) {
		pthread_join(jobs[i].thread, NULL);
		if (jobs[i].status < 0)
			fail_msg("%s", jobs[i].err.message);
		assert_int_equal(jobs[i].report.outcome, RUN_VERIFIED);
		assert_non_null(strstr(jobs[i].report.change->patch, "+    return a * b"));
		assert_string_equal(jobs[i].report.spent.models, "m");
		assert_string_equal(jobs[i].report.spent.text, "18 tokens, cost unknown");
		end(&jobs[i]);
	}
	assert_int_equal(server_count(&server, "mend"), 2);
	server_stop(&server);
}

static void a_token_that_is_fired_stops_a_run(void **state)
{
	(void)state;
	struct job job;
	begin(&job, 2, PROGRAM);
	cancel_fire(&job.cancel, 15);
	fix(&job);
	assert_int_equal(job.status, -1);
	assert_int_equal(job.err.code, RONDO_ERROR_CANCELLED);
	assert_int_equal(run_error_exit_code(&job.err, &job.cancel), 143);
	end(&job);
}

/* A search with far more candidates than there is time for, each of which takes a while, in which
 * nobody computes: the limit leaves a busy machine room for the baseline. */
static void a_run_ends_at_its_time_limit(void **state)
{
	(void)state;
	struct job job;
	AUTO_STRBUF program = STRBUF_INIT(STRBUF_TEXT);
	strbuf_adds(&program, "import time\n\n\ndef f(x):\n");
	for (int i = 0; i < 500; i++)
		strbuf_addf(&program, "    x = x * %d + %d - x\n", i + 2, i + 3);
	strbuf_adds(
		&program, "    return x\n\n\ntime.sleep(0.5)\nassert f(3) == 'no edit gives this'\n");
	begin(&job, 3, program.text);
	struct fix_options options = {0};
	struct option_setting limits[] = {
		{"limit", "limits", "time=15s"}, {"limit", "limits", "repair=10m"}};
	options.path = job.path;
	options.executor = job.executor;
	options.settings = (struct option_settings){limits, 2};
	struct context ctx = {.cancel = &job.cancel};
	job.status = run_fix(&options, &ctx, &job.arena, &job.report, &job.err);
	if (job.status < 0)
		fail_msg("%s", job.err.message);
	assert_int_equal(job.report.outcome, RUN_NOT_FIXED);
	assert_non_null(strstr(job.report.talk->stop_reason, "time limit"));
	assert_true(job.report.duration_ms >= 15000);
	end(&job);
}

UNIT(run)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(two_runs_at_once_in_one_process),
		cmocka_unit_test(two_scenarios_with_a_model_at_once),
		cmocka_unit_test(a_token_that_is_fired_stops_a_run),
		cmocka_unit_test(a_run_ends_at_its_time_limit),
	};
	return cmocka_run_group_tests(tests, set_up, tear_down);
}
