/* The runs of the suite at the base, side by side where there are two checkouts. */
#include <string.h>

#include "base/clock.h"
#include "base/file.h"
#include "base/thread.h"
#include "run/baseline/baseline.h"

#define FIRST_TIMEOUT_MS ((int64_t)600 * 1000) /* nothing is known of the suite yet */
#define SILENCE_MS ((int64_t)20 * 1000)        /* of a test, where no limit is set */
#define BUILD_LONGER 3                         /* the same where a test may run compilers */

/* On a busy machine a test is silent for longer, but a bound must remain. What got SILENCE_MS of a
 * processor is not slow by that. */
#define SLOWEST 3.0

/* Where a test does not end, the next ones may not either: less is waited for them, but several
 * times what all took that did end. */
#define NEXT_SILENCE_MS ((int64_t)2000)
#define RUNS_A_SILENCE 4

enum { HUNG_MOST = 24 }; /* tests that do not end: more are no accident */

struct baseline_job {
	struct baseline_stage *baseline;
	const struct run_env *env;
	const struct checkout *checkout;
	size_t i; /* of the report */
	int64_t silence_ms, build_silence_ms, computing_ms;
	int status;
	struct rondo_error err;
};

/* Every step-th job from the first on, one after the other. */
struct baseline_lane {
	struct baseline_job *jobs;
	size_t first, step, n;
};

static int64_t baseline_silence_ms(const struct run_env *env)
{
	const struct scenario_limits *limits = &env->order->scenario->limits;
	if (limits->silence_ms || limits->suite_ms)
		return limits->silence_ms;
	double load = thread_load(), slower = load < 1 ? 1 : load > SLOWEST ? SLOWEST : load;
	return (int64_t)(slower * (double)SILENCE_MS);
}

static int baseline_judge(struct baseline_job *job, const struct checkout *checkout)
{
	struct baseline_stage *baseline = job->baseline;
	struct arena *arena = &baseline->arenas[job->i];
	int64_t limit_ms = job->env->order->scenario->limits.suite_ms;
	struct judge_options options = {.timeout_ms = limit_ms ? limit_ms : FIRST_TIMEOUT_MS,
		.silence_ms = job->silence_ms,
		.build_silence_ms = job->build_silence_ms,
		.computing_ms = job->computing_ms,
		.leaves_hung_out = baseline->suite.n_hung,
		.shown_as = job->i == 0 ? "tester" : NULL,
		.log = arena_printf(arena, "%s/baseline-%s%zu.log", job->env->paths.logs,
			baseline->suite.runs ? "tests-" : "", job->i + 1)};
	return judge(checkout, &baseline->suite, &options, arena, &baseline->reports[job->i],
		&job->env->ctx, &job->err);
}

static void *baseline_run_lane(void *owner)
{
	struct baseline_lane *lane = owner;
	for (size_t i = lane->first; i < lane->n; i += lane->step)
		lane->jobs[i].status = baseline_judge(&lane->jobs[i], lane->jobs[i].checkout);
	return NULL;
}

/* Side by side where there are two checkouts: a suite that cannot bear that shows it now. */
static int baseline_run_jobs(
	struct baseline_job *jobs, size_t n_jobs, size_t n_lanes, struct rondo_error *err)
{
	struct baseline_lane lanes[2];
	for (size_t i = 0; i < n_lanes; i++)
		lanes[i] = (struct baseline_lane){.jobs = jobs, .first = i, .step = n_lanes, .n = n_jobs};
	thread_each(baseline_run_lane, lanes, n_lanes, sizeof *lanes);
	for (size_t i = 0; i < n_jobs; i++) {
		if (jobs[i].status == 0)
			continue;
		*err = jobs[i].err;
		return -1;
	}
	return 0;
}

/* --- Commands that do more than run tests --- */

/* Whether a run is red, and none of its tests. */
static bool baseline_is_red_beside_tests(
	const struct suite *suite, const struct test_report *report)
{
	return suite->tests_alone && report->complete && report->exit_code != 0 &&
		(!test_report_red(report) || suite_is_one_test(suite, report));
}

/* A linter or another part of the command may be red: then the tests alone are the suite, unless
 * they say nothing either. */
static int baseline_run_tests_alone(struct baseline_stage *baseline, const struct run_env *env,
	struct baseline_job *jobs, size_t n_lanes, struct rondo_error *err)
{
	struct suite *suite = &baseline->suite;
	struct test_report *reports = baseline->reports;
	size_t n = baseline->n_reports;
	if (!baseline_is_red_beside_tests(suite, &reports[0]))
		return 0;
	const struct test_report *whole = arena_memdup(env->arena, reports, n * sizeof *reports);
	suite->runs = suite_tests_line(suite, env->arena);
	if (baseline_run_jobs(jobs, n, n_lanes, err) < 0)
		return -1;
	if (!reports[0].n || suite_is_one_test(suite, &reports[0])) {
		memcpy(reports, whole, n * sizeof *reports);
		suite->runs = NULL;
		return 0;
	}
	baseline->red_part = arena_printf(
		env->arena, "%s ends with %d", suite_last_part(suite, whole, env->arena), whole->exit_code);
	return env_notice(env, err, "%s, and no failing test explains it: the tests alone are run: %s",
		baseline->red_part, suite->tests_alone);
}

/* --- Tests that do not end --- */

/* Note the tests in which runs were stopped. False: there is no new one, or there are too many. */
static bool baseline_note_hung(struct baseline_stage *baseline, struct arena *arena)
{
	struct option_strings *hung = &baseline->facts.hung;
	size_t before = hung->n;
	for (size_t i = 0; i < baseline->n_reports; i++) {
		const char *id = baseline->reports[i].hung;
		if (id && !option_strings_have(hung, id))
			ARENA_PUSH(arena, hung->items, hung->n, arena_strdup(arena, id));
	}
	baseline->suite.hung = hung->items;
	baseline->suite.n_hung = hung->n;
	return hung->n > before && hung->n <= HUNG_MOST;
}

/* Whether the runner can leave them out. */
static bool baseline_leaves_hung_out(const struct baseline_stage *baseline, struct arena *arena)
{
	const struct suite *suite = &baseline->suite;
	return suite_without(suite, suite->hung, suite->n_hung, arena) &&
		suite_targeted(suite, suite->hung, suite->n_hung, arena);
}

/* The first is told at once, how many there are once all are known. */
static int baseline_say_hung(struct baseline_stage *baseline, const struct run_env *env,
	bool leaves_out, struct rondo_error *err)
{
	const char *id = baseline->suite.hung[0];
	bool is_whole = suite_is_id(&baseline->suite, id);
	if (baseline->suite.n_hung > 1)
		return 0;
	baseline->judges_whole = is_whole;
	if (is_whole)
		return env_notice(env, err,
			"%s does not end: nobody knows in which test, or it is slow: %s waits longer", id,
			env_limit(env, "silence", "5m"));
	return env_notice(env, err, "%s does not end: %s", id,
		leaves_out ? "the others run without it" : "tests that come after it are not known");
}

/* How long the tests of a run may print nothing that leaves out those that did not end in `last`.
 */
static int64_t baseline_next_silence_ms(const struct test_report *last, int64_t silence_ms)
{
	int64_t ms = RUNS_A_SILENCE * last->duration_ms;
	ms = ms > NEXT_SILENCE_MS ? ms : NEXT_SILENCE_MS;
	return ms < silence_ms ? ms : silence_ms;
}

/* Where tests run side by side, run them one by one to know which does not end. */
static int baseline_name_hung(struct baseline_stage *baseline, const struct run_env *env,
	struct baseline_job *jobs, size_t n_lanes, struct rondo_error *err)
{
	size_t n = baseline->n_reports;
	struct suite *suite = &baseline->suite;
	const struct test_report *first = &baseline->reports[0];
	const char *line = suite->command;
	if (!suite->type->serial || suite->runs || !first->hung || !suite_is_id(suite, first->hung))
		return 0;
	const struct test_report *before = arena_memdup(env->arena, first, n * sizeof *first);
	suite->shown = suite_shown(suite);
	suite->command = arena_printf(env->arena, "export %s; %s", suite->type->serial, line);
	int status = baseline_run_jobs(jobs, n, n_lanes, err);
	suite->command = line;
	if (!first->hung || suite_is_id(suite, first->hung))
		memcpy(baseline->reports, before, n * sizeof *before);
	return status;
}

/* A test that does not end is a failure like others: run the others without it. Where the runner
 * cannot leave it out, what came before it is all that is known of them. */
static int baseline_run_without_hung(struct baseline_stage *baseline, const struct run_env *env,
	struct baseline_job *jobs, size_t n_lanes, struct rondo_error *err)
{
	size_t n = baseline->n_reports;
	int64_t silence_ms = jobs[0].silence_ms;
	struct test_report *first = &baseline->reports[0];
	int64_t suite_ms = first->duration_ms; /* that run may have built what later ones find */
	if (baseline_name_hung(baseline, env, jobs, n_lanes, err) < 0)
		return -1;
	baseline->suite.silence_ms = judge_silence_ms(first);
	while (baseline_note_hung(baseline, env->arena)) {
		bool leaves_out = baseline_leaves_hung_out(baseline, env->arena);
		if (baseline_say_hung(baseline, env, leaves_out, err) < 0)
			return -1;
		for (size_t i = 0; i < n; i++) {
			jobs[i].silence_ms = baseline_next_silence_ms(first, silence_ms);
			jobs[i].build_silence_ms = jobs[i].computing_ms = 0;
			if (leaves_out || !baseline->reports[i].hung)
				continue;
			baseline->reports[i].complete = true;
			baseline->reports[i].problem = NULL;
		}
		if (leaves_out && baseline_run_jobs(jobs, n, n_lanes, err) < 0)
			return -1;
		baseline->suite.silence_ms = judge_silence_ms(first);
		first->duration_ms = suite_ms =
			first->duration_ms > suite_ms ? first->duration_ms : suite_ms;
	}
	size_t n_hung = baseline->suite.n_hung;
	return n_hung < 2 ? 0 : env_notice(env, err, "%zu tests do not end", n_hung);
}

/* --- What the user has built --- */

static bool baseline_is_same(const struct test_report *a, const struct test_report *b)
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

/* Where a cache of builds seems to be damaged, runs without it tell. */
static int baseline_run_without_builds(struct baseline_stage *baseline, const struct run_env *env,
	struct site *site, struct baseline_job *jobs, size_t n_lanes, struct rondo_error *err)
{
	const char *line = baseline_damage(&baseline->reports[0], env->arena);
	const struct world world = site->world, built = site->built, moved = site->moved;
	if (!line)
		return 0;
	const struct test_report before = baseline->reports[0];
	site_leave_builds_out(site, env);
	if (baseline_run_jobs(jobs, baseline->n_reports, n_lanes, err) < 0)
		return -1;
	baseline->leaves_builds_out = !baseline_is_same(&before, &baseline->reports[0]);
	if (baseline->leaves_builds_out)
		return env_notice(env, err, "what was built here before is damaged and left out: %s", line);
	site->world = world;
	site->built = built;
	site->moved = moved;
	return 0;
}

int baseline_run_all(struct baseline_stage *baseline, const struct run_env *env, struct site *site,
	struct rondo_error *err)
{
	size_t n = baseline->n_reports, n_lanes = site->n_workers > 1 ? 2 : 1;
	struct baseline_job *jobs = arena_alloc(env->arena, n * sizeof *jobs);
	int64_t silence_ms = baseline_silence_ms(env);
	bool is_set = env->order->scenario->limits.silence_ms;
	context_progress(&env->ctx, "tester", "running the suite %s: %s",
		n == 2 ? "twice" : "several times", suite_shown(&baseline->suite));
	for (size_t i = 0; i < n; i++)
		jobs[i] = (struct baseline_job){.baseline = baseline,
			.env = env,
			.i = i,
			.checkout = &site->workers[i % n_lanes],
			.silence_ms = silence_ms,
			.build_silence_ms = is_set ? 0 : BUILD_LONGER * silence_ms,
			.computing_ms = is_set || !silence_ms ? 0 : SILENCE_MS};
	int64_t since_ms = clock_date_ms();
	if (baseline_run_jobs(jobs, n, n_lanes, err) < 0 ||
		baseline_run_without_builds(baseline, env, site, jobs, n_lanes, err) < 0 ||
		baseline_run_tests_alone(baseline, env, jobs, n_lanes, err) < 0 ||
		baseline_run_without_hung(baseline, env, jobs, n_lanes, err) < 0 ||
		site_share_layer(site, env, err) < 0)
		return -1;
	baseline->suite.changing = changing_learn(baseline->reports, n, since_ms, env->arena);
	return 0;
}
