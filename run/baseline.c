/* The suite at the base, twice, before any coder speaks: what fails, what is flaky, what cannot be judged. */
#include <stdio.h>
#include <string.h>

#include "base/file.h"
#include "base/memory.h"
#include "base/thread.h"
#include "run/stages.h"

#define FIRST_TIMEOUT_MS ((int64_t)600 * 1000) /* nothing is known of the suite yet */

struct baseline_job {
	struct run *run;
	struct workplace *bench;
	int place;
	int status;
	struct rondo_error err;
	pthread_t thread;
};

static void *run_once(void *owner)
{
	struct baseline_job *job = owner;
	struct run *run = job->run;
	struct arena *arena = &run->baseline_arenas[job->place];
	struct judge_options options = {
		.timeout_ms = run->scenario->limits.suite_ms ? run->scenario->limits.suite_ms : FIRST_TIMEOUT_MS,
		.log = arena_printf(arena, "%s/baseline-%d.log", run->paths.logs, job->place + 1)};
	job->status = judge(
		job->bench, &run->suite, &options, arena, &run->reports[job->place], &run->ctx, &job->err);
	return NULL;
}

/* Side by side where there are two benches: a suite that cannot bear company shows it now. */
static int run_twice(struct run *run, struct rondo_error *err)
{
	struct baseline_job jobs[2];
	context_progress(&run->ctx, "tester", "running the suite twice: %s", run->suite.command);
	for (int i = 0; i < 2; i++)
		jobs[i] = (struct baseline_job){
			.run = run, .place = i, .bench = &run->benches[i < (int)run->n_benches ? i : 0]};
	bool parallel = run->n_benches > 1 &&
			thread_start(&jobs[1].thread, run_once, &jobs[1]) == 0;
	run_once(&jobs[0]);
	if (parallel)
		pthread_join(jobs[1].thread, NULL);
	else
		run_once(&jobs[1]);
	for (int i = 0; i < 2; i++) {
		if (jobs[i].status == 0)
			continue;
		*err = jobs[i].err;
		return -1;
	}
	return 0;
}

static const char *place_of(const struct test_result *result, struct arena *arena)
{
	return result->file ? arena_printf(arena, "%s:%d", result->file, result->line) : NULL;
}

static int broken(struct run *run, enum run_outcome outcome, const char *reason, const char *help)
{
	run->result->outcome = outcome;
	run->result->reason = arena_strdup(run->arena, reason); /* it may lie with a report, which goes before */
	run->result->help = help;
	return 0;
}

/* Whether the suite can judge at all; else the outcome is set. */
static bool can_judge(struct run *run)
{
	for (int i = 0; i < 2; i++) {
		const struct test_report *report = &run->reports[i];
		const char *problem = suite_environment_problem(
			&run->suite, report, run->paths_in_base, run->n_paths_in_base, run->arena);
		if (problem) {
			broken(run, RUN_ENVIRONMENT_BROKEN, problem,
				"install what is missing where the checkout's .venv, node_modules or the system has it; "
				"the report lists what the tests saw");
			return false;
		}
		if (!report->complete) {
			broken(run, RUN_SUITE_BROKEN,
				report->problem ? report->problem : "the suite does not run",
				arena_printf(run->arena, "the output is kept in %s", report->log));
			return false;
		}
	}
	return true;
}

static void fill_result(struct run *run)
{
	const struct baseline *baseline = &run->baseline;
	const struct test_report *first = &run->reports[0];
	struct run_result *result = run->result;
	result->n_skipped = first->count[TEST_SKIPPED];
	result->n_tests = first->n - result->n_skipped;
	result->n_passed_before = first->count[TEST_PASSED] + first->count[TEST_XFAILED];
	result->baseline_ms = first->duration_ms;
	const char **flaky = NULL;
	for (size_t i = 0; i < baseline->n_flaky; i++)
		ARENA_PUSH(run->arena, flaky, result->n_flaky, arena_strdup(run->arena, baseline->flaky[i]));
	result->flaky = flaky;
	result->goal = arena_alloc(run->arena, baseline->n_goal * sizeof *result->goal);
	for (size_t i = 0; i < baseline->n_goal; i++) {
		const struct test_result *test = test_report_find(first, baseline->goal[i]);
		result->goal[result->n_goal++] = (struct run_test){
			.id = arena_strdup(run->arena, baseline->goal[i]),
			.message = test ? arena_strdup(run->arena, test->message) : NULL,
			.place = test ? place_of(test, run->arena) : NULL};
	}
}

/* --- Kept for a run that goes on --- */

static const char *report_path(const struct run *run, int place)
{
	return arena_printf(run->arena, "%s/blobs/baseline-%d.json", run->paths.dir, place + 1);
}

static int keep_reports(struct run *run, struct rondo_error *err)
{
	if (file_make_dir(arena_printf(run->arena, "%s/blobs", run->paths.dir), 0700, err) < 0)
		return -1;
	for (int i = 0; i < 2; i++) {
		AUTO_JSON *json = test_report_to_json(&run->reports[i]);
		AUTO_FREE char *text = json_print(json);
		if (file_write(report_path(run, i), text, strlen(text), 0600, err) < 0)
			return -1;
	}
	return 0;
}

static int take_reports(struct run *run, struct rondo_error *err)
{
	for (int i = 0; i < 2; i++) {
		AUTO_STRBUF text = STRBUF_INIT(STRBUF_RECORD);
		if (file_read(report_path(run, i), STRBUF_RECORD, &text, err) < 0)
			return -1;
		AUTO_JSON *json = json_parse(text.text, text.length, err);
		if (!json || test_report_from_json(json, &run->baseline_arenas[i], &run->reports[i], err) < 0)
			return error_prefix(err, "%s", report_path(run, i));
	}
	return 0;
}

/* --- What they come to --- */

static int tell(struct run *run, struct rondo_error *err)
{
	const struct run_result *result = run->result;
	AUTO_JSON *json = json_object();
	json_add_int(json, "tests", (int64_t)result->n_tests);
	json_add_int(json, "passed", (int64_t)result->n_passed_before);
	json_add_int(json, "skipped", (int64_t)result->n_skipped);
	json_add_int(json, "duration_ms", result->baseline_ms);
	report_add_goal(json, result);
	AUTO_FREE char *data = json_print(json);
	char text[96];
	snprintf(text, sizeof text, "%zu of %zu passed, twice", result->n_passed_before, result->n_tests);
	return context_event(
		&run->ctx, &(struct rondo_event){.type = RONDO_EVENT_BASELINE, .text = text, .data = data}, err);
}

/* Whether a test that differs from run to run was red in one of them. */
static bool flaky_was_red(const struct run *run)
{
	for (size_t i = 0; i < run->baseline.n_flaky; i++)
		for (size_t j = 0; j < ARRAY_SIZE(run->reports); j++) {
			const struct test_result *result =
				test_report_find(&run->reports[j], run->baseline.flaky[i]);
			if (result && test_status_is_red(result->status))
				return true;
		}
	return false;
}

/* Nothing is left to fix: green, only flaky, or no failing test is among the goal's. */
static bool nothing_to_do(struct run *run)
{
	const struct baseline *baseline = &run->baseline;
	struct run_result *result = run->result;
	if (baseline->n_goal)
		return false;
	result->n_passed_after = result->n_passed_before;
	if (baseline->n_red && run->scenario->test.goal)
		broken(run, RUN_NOTHING_FAILS,
			arena_printf(run->arena, "no failing test matches --goal '%s'", run->scenario->test.goal), NULL);
	else if (flaky_was_red(run))
		broken(run, RUN_ONLY_FLAKY, "only tests that differ from run to run fail",
			"make them give the same result every time; rondo show lists them");
	else if (baseline->exit_was_red)
		broken(run, RUN_SUITE_BROKEN, "the runner reports no failing test, but its exit code is not 0",
			arena_printf(run->arena, "the output is kept in %s", run->reports[0].log));
	else
		broken(run, RUN_NOTHING_FAILS, "nothing to fix", NULL);
	return true;
}

int baseline_run(struct run *run, bool *ret_done, struct rondo_error *err)
{
	bool was_run = run->past && run->past->baseline;
	if ((was_run ? take_reports(run, err) : run_twice(run, err)) < 0)
		return -1;
	*ret_done = true;
	if (!can_judge(run))
		return 0;
	const struct test_report *reports[] = {&run->reports[0], &run->reports[1]};
	baseline_make(reports, 2, run->scenario->test.goal, run->arena, &run->baseline);
	fill_result(run);
	if ((!was_run && keep_reports(run, err) < 0) || tell(run, err) < 0)
		return -1;
	if (nothing_to_do(run))
		return 0;
	int64_t needed = 5 * run->reports[0].duration_ms;
	if (!run->scenario->limits.suite_ms && needed > run->kit.suite_timeout_ms)
		run->kit.suite_timeout_ms = needed;
	*ret_done = false;
	return 0;
}
