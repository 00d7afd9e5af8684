/* rondo test: many scenarios, each on its own, as many at once as there are cores. */
#include "base/clock.h"
#include "base/file.h"
#include "base/thread.h"
#include "run/report/report.h"
#include "run/run.h"
#include "run/scenario/scenario.h"

struct crew {
	const struct run_scenarios *tests;
	const struct context *ctx;
	pthread_mutex_t lock;
	size_t next;
};

static void carry_out(struct run_case *item, const struct context *ctx)
{
	int64_t start_ms = clock_now_ms();
	struct rondo_error err;
	AUTO_STRBUF problems = STRBUF_INIT(STRBUF_TEXT);
	struct context quiet = {.cancel = ctx->cancel};
	struct scenario_options options = {.path = item->path};
	int status = run_scenario(&options, &quiet, &item->arena, &item->report, &problems, &err);
	item->exit_code = status < 0 ? run_error_exit_code(&err, ctx->cancel)
								 : run_outcome_exit_code(item->report.outcome);
	item->duration_ms = clock_now_ms() - start_ms;
	if (problems.length)
		item->why = arena_strdup(&item->arena, problems.text);
	else if (status < 0)
		item->why = arena_strdup(&item->arena, err.message);
	else if (item->exit_code)
		item->why = item->report.failed_asserts ? item->report.failed_asserts : item->report.reason;
}

static void *work(void *owner)
{
	struct crew *crew = owner;
	const struct run_scenarios *tests = crew->tests;
	while (!cancel_reason(crew->ctx->cancel)) {
		pthread_mutex_lock(&crew->lock);
		size_t i = crew->next < tests->n ? crew->next++ : tests->n;
		pthread_mutex_unlock(&crew->lock);
		if (i == tests->n)
			break;
		carry_out(&tests->cases[i], crew->ctx);
		pthread_mutex_lock(&crew->lock);
		tests->cases[i].ran = true;
		tests->done(tests->owner, &tests->cases[i]);
		pthread_mutex_unlock(&crew->lock);
	}
	return NULL;
}

int run_scenarios(struct run_scenarios *tests, const struct option_strings *paths,
	const struct context *ctx, struct arena *arena, struct rondo_error *err)
{
	struct option_strings files = {0};
	for (size_t i = 0; i < paths->n; i++)
		if (run_scenario_files(paths->items[i], arena, &files, err) < 0)
			return -1;
	tests->n = files.n;
	tests->cases = arena_alloc(arena, (files.n + 1) * sizeof *tests->cases);
	for (size_t i = 0; i < files.n; i++)
		tests->cases[i].path = files.items[i];
	struct crew crew = {.tests = tests, .ctx = ctx};
	size_t n = tests->jobs ? (size_t)tests->jobs : thread_cores();
	pthread_mutex_init(&crew.lock, NULL);
	thread_each(work, &crew, n < tests->n ? n : tests->n, 0);
	pthread_mutex_destroy(&crew.lock);
	return 0;
}

void run_scenarios_release(struct run_scenarios *tests)
{
	for (size_t i = 0; i < tests->n; i++)
		arena_release(&tests->cases[i].arena);
}

/* As the one result of a test that has the scenario's path for a name. */
static struct test_result test_result_of(const struct run_case *item, struct arena *arena)
{
	const char *why = item->why ? item->why : "";
	struct test_result result = {.id = item->path, .duration_ms = item->duration_ms};
	if (!item->ran)
		result.status = TEST_SKIPPED;
	else if (item->exit_code)
		result.status = item->exit_code == 1 ? TEST_FAILED : TEST_ERROR;
	if (item->ran && item->exit_code)
		result.message = arena_printf(arena, "exit code %d: %s", item->exit_code, why);
	return result;
}

int run_scenarios_junit(
	const struct run_scenarios *tests, const char *path, struct rondo_error *err)
{
	AUTO_ARENA arena = ARENA_INIT;
	AUTO_STRBUF text = STRBUF_INIT(STRBUF_RECORD);
	struct test_report report = {.complete = true, .format = "scenario"};
	struct junit_facts facts = {.name = "rondo", .stage = "scenarios"};
	if (clock_made_ms(&facts.date_ms, err) < 0)
		return -1;
	for (size_t i = 0; i < tests->n; i++) {
		struct test_result result = test_result_of(&tests->cases[i], &arena);
		test_report_add(&report, &arena, &result);
		report.duration_ms += result.duration_ms;
	}
	junit_write(&report, &facts, &text);
	return file_write(path, text.text, text.length, 0644, err);
}
