#include "verify/judge/judge.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/mman.h>

#include "base/clock.h"
#include "base/memory.h"
#include "verify/judge/reports.h"
#include "verify/judge/silence.h"

#define LARGEST_LOG ((uint64_t)256 << 20)

/* The time that the whole suite took distinguishes a change that never ends from a slow one. */
#define LEAST_GOAL_MS 1000
#define SUITES_A_GOAL 3
#define BUILD_MS 60000 /* where nothing was built at the base: nobody knows how long that takes */

/* A build before the tests may take long; a test that does not end is told by its silence. */
#define LEAST_SILENCE_MS 5000
#define LEAST_START_MS 2500 /* where none has begun: several times that counts then */
#define TESTS_A_SILENCE 3   /* the slowest */

/* Raw output goes to a file and is read from there as a stream, however large it is. */
static int judge_open_log(const char *path, struct rondo_error *err)
{
	int fd = path ? open(path, O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, 0600)
				  : memfd_create("suite-output", MFD_CLOEXEC);
	if (fd < 0)
		error_errno(err, RONDO_ERROR_TRANSIENT, "cannot keep the suite's output in '%s'",
			path ? path : "memory");
	return fd;
}

/* The command for the wanted tests alone, or NULL. */
static const char *judge_targeted_line(
	const struct suite *suite, const struct judge_options *options, struct arena *arena)
{
	return options->ids ? suite_targeted(suite, options->ids, options->n_ids, arena) : NULL;
}

/* A suite that is one test has none that could run alone. */
static bool judge_tells_tests_apart(const struct baseline *baseline)
{
	return !test_report_is_exit(baseline->first);
}

int64_t judge_silence_ms(const struct test_report *report)
{
	int64_t slowest_ms = 0;
	for (size_t i = 0; i < report->n; i++)
		if (report->results[i]->duration_ms > slowest_ms)
			slowest_ms = report->results[i]->duration_ms;
	int64_t ms = TESTS_A_SILENCE * (slowest_ms ? slowest_ms : report->duration_ms);
	int64_t least_ms = report->hung && !slowest_ms ? LEAST_START_MS : LEAST_SILENCE_MS;
	return ms > least_ms ? ms : least_ms;
}

bool judge_was_built(const struct test_report *report)
{
	static const char *const complaints[] = {
		"error:", "error[E", "undefined reference", "SyntaxError", "syntax error"};
	const char *output = report->output ? report->output : "";
	bool is_one = test_report_is_exit(report);
	if (!test_report_red(report) || report->count[TEST_PASSED])
		return true;
	for (size_t i = 0; is_one && i < ARRAY_SIZE(complaints); i++)
		if (strstr(output, complaints[i]))
			return false;
	return (is_one && !report->hung) || report->count[TEST_FAILED];
}

int64_t judge_goal_ms(int64_t took_ms)
{
	return SUITES_A_GOAL * took_ms > LEAST_GOAL_MS ? SUITES_A_GOAL * took_ms : LEAST_GOAL_MS;
}

struct judge_options judge_goal_options(
	const struct suite *suite, const struct baseline *baseline, struct arena *arena)
{
	int64_t limit_ms = judge_goal_ms(baseline->first->duration_ms);
	int64_t least_ms = judge_was_built(baseline->first) ? 0 : BUILD_MS;
	struct judge_options options = {.ids = baseline->goal,
		.n_ids = baseline->n_goal,
		.timeout_ms = limit_ms > least_ms ? limit_ms : least_ms,
		.silence_ms = suite->silence_ms};
	bool can = suite->n_parts || judge_targeted_line(suite, &options, arena);
	if (!judge_tells_tests_apart(baseline) || !can)
		options.ids = NULL;
	return options;
}

const char *judge_line(const struct suite *suite, const struct judge_options *options,
	const char *report, struct arena *arena)
{
	struct suite asked = *suite;
	const char *line = judge_targeted_line(suite, options, arena);
	if (!line && options->n_without)
		line = suite_without(suite, options->without, options->n_without, arena);
	asked.command = line ? line : suite->command;
	return suite_command(&asked, report, arena);
}

int judge_read(const struct checkout *checkout, const struct suite *suite, int log,
	const struct executor_place *place, const char *report, const struct process_result *result,
	bool is_silence_its_end, struct arena *arena, struct test_report *ret_report,
	struct rondo_error *err)
{
	AUTO_REPORTS reports = {.n = 0};
	const char *glob = suite->report;
	reports_open_path(&reports, arena_printf(arena, "%s/%s", place->cache, report));
	if (glob && reports_open_glob(&reports, place->tree, glob, err) < 0)
		return -1;
	struct suite_output output = {.log = log,
		.silent_ms = silence_of(log),
		.reports = reports.fds,
		.n_reports = reports.n,
		.dir = executor_tree_at(checkout->executor),
		.is_silence_its_end = is_silence_its_end,
		.result = result};
	return suite_read(suite, &output, arena, ret_report, err);
}

/* Run the command, and end it where it is silent for too long. */
static int judge_run(const struct checkout *checkout, const struct suite *suite,
	const struct judge_options *options, const struct command *command,
	struct process_result *result, bool *ret_fired, const struct context *ctx,
	struct rondo_error *err)
{
	struct silence silence;
	struct context own = *ctx;
	bool is_told_at_once = executor_sees(checkout->executor) != EXECUTOR_SEES_ITSELF;
	*ret_fired = false;
	if (!options->silence_ms && !options->shown_as)
		return executor_run(checkout->executor, command, result, ctx, err);
	silence = (struct silence){.suite = suite,
		.log = command->log_fd,
		.limit_ms = options->silence_ms,
		.build_limit_ms =
			options->build_silence_ms ? options->build_silence_ms : options->silence_ms,
		.computing_ms = options->computing_ms,
		.is_told_at_once = is_told_at_once,
		.shown_to = ctx,
		.shown_as = options->shown_as,
		.n_tests = options->n_tests};
	if (silence_begin(&silence, ctx->cancel, err) < 0)
		return -1;
	own.cancel = &silence.cancel;
	int status = executor_run(checkout->executor, command, result, &own, err);
	bool fired = silence_end(&silence);
	*ret_fired =
		status == 0 && fired && result->end == PROCESS_CANCELLED && !cancel_reason(ctx->cancel);
	if (*ret_fired) {
		result->end = PROCESS_TIMEOUT;
		result->exit_code = 124;
	}
	return status;
}

static int judge_once(const struct checkout *checkout, const struct suite *suite,
	const struct judge_options *options, struct arena *arena, struct test_report *report,
	const struct context *ctx, struct rondo_error *err)
{
	AUTO_CLOSE log = judge_open_log(options->log, err);
	const char *glob = suite->report;
	const char *name = executor_cache_name("report", arena);
	if (log < 0 || (glob && reports_remove(checkout->executor->tree, glob, err) < 0))
		return -1;
	struct process_result result;
	bool fired;
	struct command command = {.line = judge_line(suite, options,
								  executor_cache_at(checkout->executor, name, arena), arena),
		.env = suite->type->env,
		.timeout_ms = options->timeout_ms,
		.output_limit = LARGEST_LOG,
		.log_fd = log,
		.log_limit = LARGEST_LOG};
	if (judge_run(checkout, suite, options, &command, &result, &fired, ctx, err) < 0)
		return -1;
	if (result.end == PROCESS_CANCELLED)
		return cancel_error(ctx->cancel, err);
	errno = result.log_error;
	if (errno)
		return error_errno(err, RONDO_ERROR_TRANSIENT, "cannot keep what the tests printed");
	struct executor_place place = executor_wrote(checkout->executor, arena);
	if (judge_read(checkout, suite, log, &place, name, &result, fired, arena, report, err) < 0)
		return -1;
	report->log = arena_strdup(arena, options->log);
	if (options->baseline)
		baseline_put_first(options->baseline, report, arena);
	return options->log ? suite_explain(report, log, arena, err) : 0;
}

/* --- Tests that do not end at the base --- */

static bool judge_knows_hung(const struct suite *suite, struct arena *arena)
{
	return suite->n_hung && suite_without(suite, suite->hung, suite->n_hung, arena) &&
		suite_targeted(suite, suite->hung, suite->n_hung, arena);
}

/* Whether a test came to its end in a run of such tests alone. */
static bool judge_has_ended(const struct test_report *report, const char *id)
{
	const struct test_result *result = test_report_find(report, id);
	return report->complete || (result && result->status != TEST_ERROR);
}

/* As the run of such tests alone tells it. */
static void judge_add_hung(struct test_report *report, const struct test_report *alone,
	const char *id, struct arena *arena)
{
	const struct test_result *result = test_report_find(alone, id);
	bool is_told = result && test_result_hangs(result);
	test_report_add(report, arena,
		&(struct test_result){
			.id = id, .status = TEST_ERROR, .message = is_told ? result->message : HUNG});
	report->exit_code = report->exit_code ? report->exit_code : 124;
}

static int judge_hung_first(const struct checkout *checkout, const struct suite *suite,
	const struct judge_options *options, struct arena *arena, struct test_report *report,
	const struct context *ctx, struct rondo_error *err)
{
	struct judge_options alone = {.ids = suite->hung, .n_ids = suite->n_hung}, rest = *options;
	struct test_report hung = {0};
	const char **without = arena_alloc(arena, suite->n_hung * sizeof *without);
	alone.timeout_ms = options->timeout_ms;
	alone.silence_ms = suite->silence_ms;
	if (!options->leaves_hung_out &&
		judge_once(checkout, suite, &alone, arena, &hung, ctx, err) < 0)
		return -1;
	for (size_t i = 0; i < suite->n_hung; i++)
		if (!judge_has_ended(&hung, suite->hung[i]))
			without[rest.n_without++] = suite->hung[i];
	rest.without = without;
	if (judge_once(checkout, suite, &rest, arena, report, ctx, err) < 0)
		return -1;
	if (rest.n_without && !report->n) {
		report->complete = true; /* there are no others */
		report->problem = NULL;
	}
	for (size_t i = 0; i < rest.n_without; i++)
		judge_add_hung(report, &hung, without[i], arena);
	return 0;
}

static int judge_one(const struct checkout *checkout, const struct suite *suite,
	const struct judge_options *options, struct arena *arena, struct test_report *report,
	const struct context *ctx, struct rondo_error *err)
{
	return !options->ids && judge_knows_hung(suite, arena)
		? judge_hung_first(checkout, suite, options, arena, report, ctx, err)
		: judge_once(checkout, suite, options, arena, report, ctx, err);
}

/* --- Several suites as one --- */

/* The name of the i-th format in "pytest,exit"; NULL: open. */
static const char *judge_part_format(const char *formats, size_t i, struct arena *arena)
{
	for (; formats && i; i--)
		formats = strchr(formats, ',') ? strchr(formats, ',') + 1 : formats;
	const char *format = arena_strndup(arena, formats, formats ? strcspn(formats, ",") : 0);
	return !format || strcmp(format, TEST_FORMAT_EXIT) == 0 ? NULL : format;
}

/* A part with what is known of the whole. */
static struct suite judge_part(const struct suite *suite, size_t i, struct arena *arena)
{
	struct suite part = suite->parts[i];
	part.format = judge_part_format(suite->format, i, arena);
	part.fail_output = suite->fail_output;
	part.n_fail_output = suite->n_fail_output;
	part.changing = suite->changing;
	part.silence_ms = suite->silence_ms;
	part.hung =
		suite_part_ids(suite, &suite->parts[i], suite->hung, suite->n_hung, arena, &part.n_hung);
	return part;
}

/* How a part is run. False: it has none of the wanted tests. */
static bool judge_part_options(const struct suite *suite, const struct suite *part,
	const struct judge_options *whole, int64_t spent_ms, struct arena *arena,
	struct judge_options *ret_options)
{
	*ret_options = *whole;
	ret_options->n_tests = 0;
	ret_options->timeout_ms = whole->timeout_ms > spent_ms ? whole->timeout_ms - spent_ms : 1;
	if (!whole->ids)
		return true;
	ret_options->ids =
		suite_part_ids(suite, part, whole->ids, whole->n_ids, arena, &ret_options->n_ids);
	bool is_whole = ret_options->n_ids && suite_is_id(part, ret_options->ids[0]);
	if (is_whole || !judge_targeted_line(part, ret_options, arena))
		ret_options->ids = NULL;
	return ret_options->n_ids;
}

/* Add a part's report to that of all. */
static void judge_take_part(const struct suite *part, const struct test_report *report,
	struct arena *arena, struct test_report *all)
{
	for (size_t i = 0; i < report->n; i++) {
		struct test_result result = *report->results[i];
		if (result.place)
			result.place = arena_printf(arena, "%s: %s", suite_shown(part), result.place);
		test_report_add(all, arena, &result);
	}
	if (!all->exit_code)
		all->exit_code = report->exit_code;
	if (!report->complete && !all->problem)
		all->problem = arena_printf(arena, "%s: %s", suite_shown(part), report->problem);
	all->complete = all->complete && report->complete;
	all->names_only_red = all->names_only_red || report->names_only_red;
	all->duration_ms += report->duration_ms;
	all->format =
		all->format ? arena_printf(arena, "%s,%s", all->format, report->format) : report->format;
	all->output = arena_printf(arena, "%s$ %s\n%s\n", all->output, suite_shown(part),
		report->output ? report->output : "");
}

/* The parts come one after the other, each with a log of its own. */
static int judge_parts(const struct checkout *checkout, const struct suite *suite,
	const struct judge_options *options, struct arena *arena, struct test_report *report,
	const struct context *ctx, struct rondo_error *err)
{
	struct test_report all = {.complete = true, .output = "", .log = options->log};
	for (size_t i = 0; i < suite->n_parts; i++) {
		struct test_report one = {0};
		struct judge_options own;
		struct suite part = judge_part(suite, i, arena);
		if (!judge_part_options(suite, &suite->parts[i], options, all.duration_ms, arena, &own))
			continue;
		if (own.log && i)
			own.log = arena_printf(arena, "%s.%zu", own.log, i + 1);
		if (judge_one(checkout, &part, &own, arena, &one, ctx, err) < 0)
			return -1;
		judge_take_part(&part, &one, arena, &all);
	}
	if (options->baseline)
		baseline_put_first(options->baseline, &all, arena);
	*report = all;
	return 0;
}

int judge(const struct checkout *checkout, const struct suite *suite,
	const struct judge_options *options, struct arena *arena, struct test_report *report,
	const struct context *ctx, struct rondo_error *err)
{
	return suite->n_parts ? judge_parts(checkout, suite, options, arena, report, ctx, err)
						  : judge_one(checkout, suite, options, arena, report, ctx, err);
}

struct protection suite_protection(const struct suite *suite)
{
	return (struct protection){.command = suite_shown(suite),
		.own_tests = suite->own_tests,
		.tests = suite->type->tests,
		.configuration = suite->type->configuration};
}
