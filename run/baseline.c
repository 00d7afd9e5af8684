/* The suite at the base, before any coder speaks: what fails, what is flaky, what depends on order or place, what cannot be judged. */
#include <stdio.h>
#include <string.h>

#include "base/file.h"
#include "base/memory.h"
#include "base/thread.h"
#include "run/report/facts.h"
#include "run/stages.h"

#define FIRST_TIMEOUT_MS ((int64_t)600 * 1000) /* nothing is known of the suite yet */

/* One run of the suite at the base. */
struct baseline_job {
	struct run *run;
	struct workplace *bench;
	size_t place;
	int status;
	struct rondo_error err;
};

/* Jobs that go on one after the other; side by side with other lanes where there are benches. */
struct baseline_lane {
	struct baseline_job *jobs;
	size_t first, step, n;
	pthread_t thread;
};

static int judge_at(struct baseline_job *job, const struct workplace *place)
{
	struct run *run = job->run;
	struct arena *arena = &run->baseline_arenas[job->place];
	struct judge_options options = {
		.timeout_ms = run->scenario->limits.suite_ms ? run->scenario->limits.suite_ms : FIRST_TIMEOUT_MS,
		.log = arena_printf(arena, "%s/baseline-%zu.log", run->paths.logs, job->place + 1)};
	return judge(place, &run->suite, &options, arena, &run->reports[job->place], &run->ctx, &job->err);
}

static void *run_lane(void *owner)
{
	struct baseline_lane *lane = owner;
	for (size_t i = lane->first; i < lane->n; i += lane->step)
		lane->jobs[i].status = judge_at(&lane->jobs[i], lane->jobs[i].bench);
	return NULL;
}

/* Side by side where there are two benches: a suite that cannot bear company shows it now. */
static int run_jobs(struct run *run, struct baseline_job *jobs, struct rondo_error *err)
{
	struct baseline_lane lanes[2];
	size_t n = run->n_benches > 1 ? 2 : 1;
	for (size_t i = 0; i < n; i++)
		lanes[i] = (struct baseline_lane){.jobs = jobs, .first = i, .step = n, .n = run->n_reports};
	bool parallel = n > 1 && thread_start(&lanes[1].thread, run_lane, &lanes[1]) == 0;
	run_lane(&lanes[0]);
	if (parallel)
		pthread_join(lanes[1].thread, NULL);
	else if (n > 1)
		run_lane(&lanes[1]);
	for (size_t i = 0; i < run->n_reports; i++) {
		if (jobs[i].status == 0)
			continue;
		*err = jobs[i].err;
		return -1;
	}
	return 0;
}

static bool is_same(const struct test_report *a, const struct test_report *b)
{
	if (a->complete != b->complete || a->n != b->n || a->exit_code != b->exit_code)
		return false;
	for (size_t i = 0; i < a->n; i++) {
		const struct test_result *other = test_report_find(b, a->results[i]->id);
		if (!other || other->status != a->results[i]->status)
			return false;
	}
	return true;
}

/* Programs installed in the checkout know its path. */
static bool is_bound(const struct run *run)
{
	for (size_t i = 0; i < run->n_dependencies; i++)
		if (strcmp(file_name(run->dependencies[i]), ".venv") == 0 || strcmp(file_name(run->dependencies[i]), "venv") == 0)
			return true;
	return false;
}

/* What differs elsewhere may be the path's doing, or that of a test that is flaky: one more run at the own path tells. */
static int settle_place(struct run *run, struct baseline_job *moved, struct rondo_error *err)
{
	run->can_move = is_same(&run->reports[0], &run->reports[moved->place]);
	if (run->can_move)
		return 0;
	moved->status = judge_at(moved, &run->benches[0]);
	if (moved->status < 0) {
		*err = moved->err;
		return -1;
	}
	if (!is_same(&run->reports[0], &run->reports[moved->place]))
		return 0;
	return run_notice(run, err, "the tests come out differently at another path, as another user: all runs are at the checkout's own");
}

static int run_all(struct run *run, struct rondo_error *err)
{
	struct workplace moved = {0};
	bool is_local = executor_sight(&run->executor) == EXECUTOR_SEES_HOST, tries = !is_local && !is_bound(run);
	struct baseline_job *jobs = arena_alloc(run->arena, run->n_reports * sizeof *jobs);
	context_progress(&run->ctx, "tester", "running the suite %s: %s", run->n_reports == 2 ? "twice" : "several times",
		run->suite.command);
	if (tries && site_workplace(run, &run->elsewhere, "baseline", &run->base.tree, &moved, err) < 0)
		return -1;
	for (size_t i = 0; i < run->n_reports; i++)
		jobs[i] = (struct baseline_job){.run = run, .place = i,
			.bench = tries && i == 1 ? &moved : &run->benches[i % (run->n_benches > 1 ? 2 : 1)]};
	int status = run_jobs(run, jobs, err);
	site_leave(&moved);
	run->can_move = is_local; /* then each checkout is seen where it lies */
	return status == 0 && tries ? settle_place(run, &jobs[1], err) : status;
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
	for (size_t i = 0; i < run->n_reports; i++) {
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

/* Nothing that comes later is read in a format in which the base printed nothing; where nothing could be told apart, all is open. */
static void settle_format(struct run *run)
{
	const char *format = run->reports[0].format;
	run->result->format = arena_strdup(run->arena, format);
	if (!run->suite.format && format && strcmp(format, "exit") != 0)
		run->suite.format = run->result->format;
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

/* --- Tests by themselves --- */

/* Goal tests that pass where they are run alone depend on what runs before them: then only whole runs are believed. */
static int run_alone(struct run *run, struct rondo_error *err)
{
	const struct baseline *baseline = &run->baseline;
	struct run_result *result = run->result;
	struct test_report report = {0};
	struct judge_options options = judge_goal_options(&run->kit, run->arena);
	const char **alone = NULL;
	if (!options.ids)
		return 0;
	if (judge(&run->benches[0], &run->suite, &options, run->arena, &report, &run->ctx, err) < 0)
		return -1;
	for (size_t i = 0; i < baseline->n_goal; i++) {
		const struct test_result *test = test_report_find(&report, baseline->goal[i]);
		if (!report.complete || !test)
			run->kit.judges_whole = true;
		else if (!test_status_is_red(test->status))
			ARENA_PUSH(run->arena, alone, result->n_order_dependent, baseline->goal[i]);
	}
	result->order_dependent = alone;
	run->kit.judges_whole = run->kit.judges_whole || result->n_order_dependent;
	return 0;
}

static int tell_order(struct run *run, struct rondo_error *err)
{
	const struct run_result *result = run->result;
	if (!result->n_order_dependent)
		return 0;
	return run_notice(run, err, "%s passes by itself and fails in the suite: it depends on what runs before it%s",
		result->order_dependent[0], result->n_order_dependent > 1 ? ", as others do" : "");
}

/* Agents may begin what they will need while tests run alone. */
static int prepare_agents(struct run *run, struct rondo_error *err)
{
	const struct team *team = run->cast.team;
	bool wants_trials = scenario_needs(run->scenario) & AGENT_NEEDS_TRIALS;
	for (size_t i = 0; team && wants_trials && i < team->n; i++) {
		struct agent *agent = team->participants[i];
		if (agent->type->prepare && agent->type->prepare(agent, &run->ctx, err) < 0)
			return -1;
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
	facts_add(json, goal_facts, result);
	AUTO_FREE char *data = json_print(json);
	char text[96];
	snprintf(text, sizeof text, "%zu of %zu passed, %s", result->n_passed_before, result->n_tests,
		run->n_reports == 2 ? "twice" : "each time");
	return context_event(
		&run->ctx, &(struct rondo_event){.type = RONDO_EVENT_BASELINE, .text = text, .data = data}, err);
}

/* Whether a test that differs from run to run was red in one of them. */
static bool flaky_was_red(const struct run *run)
{
	for (size_t i = 0; i < run->baseline.n_flaky; i++)
		for (size_t j = 0; j < run->n_reports; j++) {
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

/* The reports, of runs made now or before the run broke off. */
static int get_reports(struct run *run, bool was_run, struct rondo_error *err)
{
	size_t n = (size_t)run->scenario->test.repeat;
	run->reports = arena_alloc(run->arena, n * sizeof *run->reports);
	run->baseline_arenas = arena_alloc(run->arena, n * sizeof *run->baseline_arenas);
	if (was_run)
		return baseline_take(run, err);
	run->n_reports = n;
	return run_all(run, err);
}

static void make_baseline(struct run *run)
{
	const struct test_report **reports = arena_alloc(run->arena, run->n_reports * sizeof *reports);
	for (size_t i = 0; i < run->n_reports; i++)
		reports[i] = &run->reports[i];
	baseline_make(reports, run->n_reports, run->scenario->test.goal, run->arena, &run->baseline);
	settle_format(run);
}

static void set_timeout(struct run *run)
{
	int64_t needed = 5 * run->reports[0].duration_ms;
	if (!run->scenario->limits.suite_ms && needed > run->kit.suite_timeout_ms)
		run->kit.suite_timeout_ms = needed;
}

int baseline_run(struct run *run, bool *ret_done, struct rondo_error *err)
{
	bool was_run = run->past && run->past->baseline;
	const char *problem;
	if (get_reports(run, was_run, err) < 0 || publish_junit(run, "before", &run->reports[0], err) < 0)
		return -1;
	*ret_done = true;
	if (!can_judge(run))
		return 0;
	make_baseline(run);
	if (unreachable_set_apart(run, &problem, err) < 0)
		return -1;
	if (problem)
		return broken(run, RUN_ENVIRONMENT_BROKEN, problem,
			"the sandbox has no network: executor: {network: host} in a configuration, where you want it");
	fill_result(run);
	set_timeout(run);
	if (!was_run && run->baseline.n_goal && (prepare_agents(run, err) < 0 || run_alone(run, err) < 0))
		return -1;
	if (!was_run && baseline_keep(run, err) < 0)
		return -1;
	if (tell(run, err) < 0)
		return -1;
	*ret_done = nothing_to_do(run);
	return *ret_done ? 0 : tell_order(run, err);
}
