#include "run/baseline/baseline.h"

#include <stdio.h>
#include <string.h>

#include "base/clock.h"
#include "run/journal/history.h"
#include "run/publication.h"
#include "run/report/field.h"

/* --- Whether the suite can judge at all --- */

static void baseline_end(struct baseline_stage *baseline, const struct run_env *env,
	enum run_outcome outcome, const char *reason, const char *help)
{
	/* the reason may lie with a report, which goes before */
	baseline->ending = (struct ending){true, outcome, arena_strdup(env->arena, reason), help};
}

/* Whether it is red, and no test ran: what is red could not be loaded. */
static bool baseline_loads_nothing(const struct test_report *report)
{
	for (size_t i = 0; i < report->n; i++)
		if (report->results[i]->status != TEST_ERROR || strstr(report->results[i]->id, "::"))
			return false;
	return report->exit_code != 0;
}

/* The first run alone finds what the user has built, so a file that it lacks is nowhere. */
static bool baseline_check_report(struct baseline_stage *baseline, const struct run_env *env,
	const struct site *site, const struct test_report *report)
{
	struct lack lack;
	const char *kept = arena_printf(env->arena, "the output is kept in %s", report->log);
	const char *option, *ignored, *damaged;
	if (report == baseline->reports && report->exit_code != 0 &&
		!suite_names_tests(&baseline->suite, report) &&
		(ignored = baseline_ignored_file(site, report, env->arena)))
		baseline_end(baseline, env, RUN_ENVIRONMENT_BROKEN,
			arena_printf(env->arena,
				"the tests need %s, which is in your checkout and ignored by git", ignored),
			arena_printf(env->arena, "git add -f %s", ignored));
	else if (suite_lacks(
				 &baseline->suite, report, site->paths.items, site->paths.n, env->arena, &lack))
		baseline_end(
			baseline, env, RUN_ENVIRONMENT_BROKEN, lack.what, baseline_help(env, site, &lack));
	else if ((option = suite_refused_option(&baseline->suite, report, env->arena)))
		baseline_end(baseline, env, RUN_SUITE_BROKEN,
			arena_printf(env->arena, "the test command does not know its option %s", option), kept);
	else if (baseline_loads_nothing(report) &&
		(damaged = baseline_damaged_archive(site, report, env->arena)))
		baseline_end(baseline, env, RUN_ENVIRONMENT_BROKEN,
			arena_printf(env->arena, "the archive %s is damaged", damaged),
			arena_printf(env->arena, "rm %s, then mvn test, which fetches it", damaged));
	else if (!report->complete)
		baseline_end(baseline, env, RUN_SUITE_BROKEN,
			report->problem ? report->problem : "the suite does not run", kept);
	return !baseline->ending.is_set;
}

/* --- What it says --- */

/* No later run is read in a format in which the base printed nothing; where only the exit code was
 * known, all are open. */
static void baseline_settle_format(struct baseline_stage *baseline, const struct run_env *env)
{
	const struct test_report *report = &baseline->reports[0];
	baseline->facts.format = arena_strdup(env->arena, report->format);
	if (!baseline->suite.format && report->format && !test_report_is_exit(report))
		baseline->suite.format = baseline->facts.format;
}

static void baseline_compare_runs(struct baseline_stage *baseline, const struct run_env *env)
{
	const struct option_strings *goal = &env->order->scenario->test.goal;
	const struct test_report **reports =
		arena_alloc(env->arena, baseline->n_reports * sizeof *reports);
	for (size_t i = 0; i < baseline->n_reports; i++)
		reports[i] = &baseline->reports[i];
	baseline_make(reports, baseline->n_reports, goal, env->arena, &baseline->result);
	baseline_settle_format(baseline, env);
}

/* Of several names of tests those that no failing test has. */
static int baseline_tell_unmatched(
	const struct baseline_stage *baseline, const struct run_env *env, struct rondo_error *err)
{
	const struct option_strings *goal = &env->order->scenario->test.goal;
	const struct baseline *result = &baseline->result;
	for (size_t i = 0; i < goal->n && goal->n > 1 && result->n_goal; i++) {
		const struct option_strings one = {&goal->items[i], 1};
		bool is_met = false;
		for (size_t j = 0; j < result->n_goal && !is_met; j++)
			is_met = baseline_is_goal(&one, result->goal[j], &baseline->reports[0]);
		if (!is_met && env_notice(env, err, "no failing test matches '%s'", goal->items[i]) < 0)
			return -1;
	}
	return 0;
}

static struct run_test baseline_describe_test(
	const struct test_report *report, const char *id, struct arena *arena)
{
	const struct test_result *result = test_report_find(report, id);
	struct run_test test = {.id = arena_strdup(arena, id)};
	if (result)
		test.message = arena_strdup(arena, result->message);
	if (result && result->file)
		test.place = arena_printf(arena, "%s:%d", result->file, result->line);
	return test;
}

static void baseline_fill_facts(struct baseline_stage *baseline, const struct run_env *env)
{
	const struct baseline *result = &baseline->result;
	const struct test_report *first = &baseline->reports[0];
	struct baseline_facts *facts = &baseline->facts;
	facts->n_skipped = first->count[TEST_SKIPPED];
	facts->n_tests = first->n - facts->n_skipped;
	facts->n_passed = first->count[TEST_PASSED] + first->count[TEST_XFAILED];
	facts->n_runs = baseline->n_reports;
	facts->duration_ms = first->duration_ms;
	for (size_t i = 0; i < result->n_flaky; i++)
		ARENA_PUSH(env->arena, facts->flaky.items, facts->flaky.n,
			arena_strdup(env->arena, result->flaky[i]));
	for (size_t i = 0; i < result->n_goal; i++)
		ARENA_PUSH(env->arena, facts->goal, facts->n_goal,
			baseline_describe_test(first, result->goal[i], env->arena));
	for (size_t i = 0, n = 0; i < result->n_groups; i++)
		for (size_t k = 0; k < result->groups[i].n; k++)
			facts->goal[n++].cause = result->groups[i].cause;
}

static bool baseline_flaky_was_red(const struct baseline_stage *baseline)
{
	for (size_t i = 0; i < baseline->result.n_flaky; i++)
		for (size_t j = 0; j < baseline->n_reports; j++) {
			const struct test_result *result =
				test_report_find(&baseline->reports[j], baseline->result.flaky[i]);
			if (result && test_status_is_red(result->status))
				return true;
		}
	return false;
}

#define BASELINE_NAME_TESTS \
	"--test names a command that has some, such as a build with its option for tests"

/* Where the tests are those of a directory, and the root has others. */
static const char *baseline_where_else(const struct run_env *env, const struct site *site)
{
	const char *dir = site_named_dir(site);
	struct suite all;
	struct rondo_error none;
	if (!*dir || env->order->scenario->test.command ||
		suite_detect(worktree_dir(site->main.worktree), site->paths.items, site->paths.n, "",
			env->arena, &all, &none) < 0 ||
		strcmp(suite_shown(&all), suite_shown(&site->suite)) == 0)
		return NULL;
	return arena_printf(
		env->arena, "these are the tests of %s alone; rondo fix tests all from the top", dir);
}

static bool baseline_has_named(const struct baseline_stage *baseline, const char *name)
{
	const struct option_strings one = {&name, 1};
	const struct test_report *report = &baseline->reports[0];
	for (size_t i = 0; i < report->n; i++)
		if (baseline_is_goal(&one, report->results[i]->id, report))
			return true;
	return false;
}

/* A test that passes at the base is no goal of a change, but one that is not there is a mistake. */
static int baseline_check_named(const struct baseline_stage *baseline,
	const struct option_strings *goal, struct rondo_error *err)
{
	for (size_t i = 0; i < goal->n; i++)
		if (!baseline_has_named(baseline, goal->items[i]))
			return error_set(
				err, RONDO_ERROR_USAGE, "--goal: no test at the base matches '%s'", goal->items[i]);
	return 0;
}

/* A test that was to fail at the base does not; where it is not there, its id may be meant. */
static int baseline_refuse_fixed(
	const struct baseline_stage *baseline, const char *name, struct rondo_error *err)
{
	const struct test_report *report = &baseline->reports[0];
	const char *meant = NULL;
	for (size_t i = 0; i < report->n; i++) {
		const struct test_result *result = report->results[i];
		if (strcmp(result->id, name) == 0)
			return error_set(
				err, RONDO_ERROR_USAGE, "--fixed: '%s' does not fail at the base", name);
		if (!meant && test_status_is_red(result->status) && strstr(result->id, name))
			meant = result->id;
	}
	error_set(err, RONDO_ERROR_USAGE, "--fixed: no test at the base has the id '%s'", name);
	if (meant)
		return error_help(err, "--fixed '%s', or --goal '%s' for all ids with it", meant, name);
	return -1;
}

/* Of somebody's change nothing is demanded but what the user names: what fails may fail. */
static int baseline_choose_goal(
	struct baseline_stage *baseline, const struct run_env *env, struct rondo_error *err)
{
	const struct proposal *proposal = env->order->proposal;
	struct baseline *all = &baseline->result, chosen;
	const struct option_strings *fixed = proposal ? &proposal->fixed : NULL;
	const struct option_strings *goal = &env->order->scenario->test.goal;
	if (!proposal)
		return 0;
	if (goal->n && !fixed->n)
		return baseline_check_named(baseline, goal, err);
	baseline_narrow(all, fixed->items, fixed->n, NULL, 0, env->arena, &chosen);
	for (size_t i = 0; i < fixed->n; i++)
		if (!text_in(chosen.goal, chosen.n_goal, fixed->items[i]))
			return baseline_refuse_fixed(baseline, fixed->items[i], err);
	*all = chosen;
	return 0;
}

/* Nothing is left to fix: green, only flaky, or no failing test is among the goal's. */
static void baseline_end_without_goal(
	struct baseline_stage *baseline, const struct run_env *env, const struct site *site)
{
	const struct option_strings *goal = &env->order->scenario->test.goal;
	const char *where_else = baseline_where_else(env, site);
	if (baseline->result.n_red && goal->n && !env->order->proposal)
		baseline_end(baseline, env, RUN_NOTHING_FAILS,
			arena_printf(env->arena, "no failing test matches --goal '%s'%s", goal->items[0],
				goal->n > 1 ? ", nor the others" : ""),
			NULL);
	else if (env->order->proposal && baseline->reports[0].n &&
		(baseline->result.n_red || !baseline->result.exit_was_red))
		return; /* a change may be judged where nothing fails */
	else if (baseline_flaky_was_red(baseline))
		baseline_end(baseline, env, RUN_ONLY_FLAKY, "only tests that differ from run to run fail",
			"make them give the same result every time");
	else if (baseline->result.exit_was_red)
		baseline_end(baseline, env, RUN_SUITE_BROKEN,
			"the runner reports no failing test, but its exit code is not 0",
			arena_printf(env->arena, "the output is kept in %s", baseline->reports[0].log));
	else if (baseline->red_part)
		baseline_end(baseline, env, RUN_SUITE_BROKEN,
			arena_printf(env->arena, "the tests pass; %s", baseline->red_part),
			arena_printf(env->arena, "rondo makes tests pass; %s shows what the other part says",
				baseline->suite.command));
	else if (!baseline->reports[0].n)
		baseline_end(baseline, env, RUN_SUITE_BROKEN, "no tests were run",
			where_else ? where_else : BASELINE_NAME_TESTS);
	else
		baseline_end(baseline, env, RUN_NOTHING_FAILS, "nothing to fix", where_else);
}

/* The reports, of runs made now or before the run broke off. */
static int baseline_get_reports(struct baseline_stage *baseline, const struct run_env *env,
	struct site *site, struct rondo_error *err)
{
	size_t n = (size_t)env->order->scenario->test.repeat;
	baseline->reports = arena_alloc(env->arena, n * sizeof *baseline->reports);
	baseline->arenas = arena_alloc(env->arena, n * sizeof *baseline->arenas);
	if (baseline->is_recalled) {
		if (site_share_layer(site, env, err) < 0 ||
			baseline_recall(baseline, env, baseline_path(env), n, err) < 0)
			return -1;
		if (baseline->leaves_builds_out)
			site_leave_builds_out(site, env);
		return 0;
	}
	if (env->order->scenario->test.cached_baseline &&
		baseline_take_cached(baseline, env, site, n, err) < 0)
		return -1;
	if (baseline->is_cached) {
		if (baseline->leaves_builds_out)
			site_leave_builds_out(site, env);
		return site_share_layer(site, env, err);
	}
	baseline->n_reports = n;
	return baseline_run_all(baseline, env, site, err);
}

int baseline_run(struct baseline_stage *baseline, const struct run_env *env, struct site *site,
	struct rondo_error *err)
{
	baseline->suite = site->suite;
	baseline->is_recalled = env->order->history && env->order->history->has_baseline;
	if (baseline_get_reports(baseline, env, site, err) < 0 ||
		publication_junit(env, site->facts.name, "before", &baseline->reports[0], err) < 0)
		return -1;
	for (size_t i = 0; i < baseline->n_reports; i++)
		if (!baseline_check_report(baseline, env, site, &baseline->reports[i]))
			return 0;
	if (baseline->cache && !baseline->is_cached && baseline_cache(baseline, env, err) < 0)
		return -1;
	baseline_compare_runs(baseline, env);
	if (baseline_tell_unmatched(baseline, env, err) < 0 ||
		baseline_choose_goal(baseline, env, err) < 0 ||
		baseline_set_unreachable_apart(baseline, env, site, err) < 0)
		return -1;
	if (baseline->ending.is_set)
		return 0;
	if (baseline_divide(baseline, env, site, err) < 0)
		return -1;
	baseline->can_judge = true;
	baseline_fill_facts(baseline, env);
	if (!baseline->result.n_goal)
		baseline_end_without_goal(baseline, env, site);
	return 0;
}

/* --- Tests by themselves --- */

/* Goal tests that pass where they are run alone depend on what runs before them: then only whole
 * runs are believed. */
static int baseline_run_alone(struct baseline_stage *baseline, const struct run_env *env,
	const struct agent_services *services, struct rondo_error *err)
{
	struct option_strings *alone = &baseline->facts.order_dependent;
	struct test_report report = {0};
	struct judge_options options = services_goal_options(services, env->arena);
	const char **ids = NULL;
	size_t n = 0;
	for (size_t i = 0; i < options.n_ids && options.ids; i++)
		if (!option_strings_have(&baseline->facts.hung, options.ids[i]))
			ARENA_PUSH(env->arena, ids, n, options.ids[i]);
	if (!n)
		return 0;
	options.ids = ids;
	options.n_ids = n;
	if (judge(&services->test_checkouts[0], &baseline->suite, &options, env->arena, &report,
			&env->ctx, err) < 0)
		return -1;
	for (size_t i = 0; i < n; i++) {
		const struct test_result *test = test_report_find(&report, ids[i]);
		if (!report.complete || !test)
			baseline->judges_whole = true;
		else if (!test_status_is_red(test->status))
			ARENA_PUSH(env->arena, alone->items, alone->n, ids[i]);
	}
	baseline->judges_whole = baseline->judges_whole || alone->n;
	return 0;
}

static int baseline_record(
	struct baseline_stage *baseline, const struct run_env *env, struct rondo_error *err)
{
	struct baseline_facts *facts = &baseline->facts;
	char text[128], age[CLOCK_DATE_SIZE];
	clock_format_duration(clock_date_ms() - baseline->cached_ms, age);
	snprintf(text, sizeof text, "%zu of %zu passed, %s%s%s%s", facts->n_passed, facts->n_tests,
		baseline->n_reports == 2 ? "twice" : "each time", baseline->is_cached ? ", cached " : "",
		baseline->is_cached ? age : "", baseline->is_cached ? " ago" : "");
	if (env_event(env, RONDO_EVENT_BASELINE, text, baseline_fields, facts, err) < 0)
		return -1;
	if (!facts->n_goal || !facts->order_dependent.n)
		return 0;
	return env_notice(env, err,
		"%s passes by itself and fails in the suite: it depends on what runs before it%s",
		facts->order_dependent.items[0], facts->order_dependent.n > 1 ? ", as others do" : "");
}

/* The first report is what later runs are compared with. The others have had their say. */
static void baseline_forget_repeats(struct baseline_stage *baseline)
{
	for (size_t i = 1; i < baseline->n_reports; i++) {
		arena_release(&baseline->arenas[i]);
		baseline->reports[i] = (struct test_report){0};
	}
}

int baseline_settle(struct baseline_stage *baseline, const struct run_env *env,
	const struct agent_services *services, struct rondo_error *err)
{
	if (!baseline->can_judge)
		return 0;
	if (!baseline->is_recalled && baseline->result.n_goal &&
		baseline_run_alone(baseline, env, services, err) < 0)
		return -1;
	if (!baseline->is_recalled && baseline_keep(baseline, baseline_path(env), err) < 0)
		return -1;
	baseline_forget_repeats(baseline);
	return baseline_record(baseline, env, err);
}

void baseline_close(struct baseline_stage *baseline)
{
	for (size_t i = 0; i < baseline->n_reports; i++)
		arena_release(&baseline->arenas[i]);
}
