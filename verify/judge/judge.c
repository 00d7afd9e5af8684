#include "verify/judge/judge.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/mman.h>

#include "base/memory.h"
#include "verify/judge/reports.h"

#define LARGEST_LOG ((uint64_t)256 << 20)

/* The time that the whole suite took distinguishes a change that never ends from a slow one. */
#define LEAST_GOAL_MS 600
#define SUITES_A_GOAL 5

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
	const char *format = baseline->first->format;
	return !format || strcmp(format, "exit") != 0;
}

struct judge_options judge_goal_options(
	const struct suite *suite, const struct baseline *baseline, struct arena *arena)
{
	int64_t suites_ms = SUITES_A_GOAL * baseline->first->duration_ms;
	struct judge_options options = {.ids = baseline->goal,
		.n_ids = baseline->n_goal,
		.timeout_ms = suites_ms > LEAST_GOAL_MS ? suites_ms : LEAST_GOAL_MS};
	if (!judge_tells_tests_apart(baseline) || !judge_targeted_line(suite, &options, arena))
		options.ids = NULL;
	return options;
}

const char *judge_line(const struct suite *suite, const struct judge_options *options,
	const char *report, struct arena *arena)
{
	struct suite asked = *suite;
	const char *targeted = judge_targeted_line(suite, options, arena);
	asked.command = targeted ? targeted : suite->command;
	return suite_command(&asked, report, arena);
}

int judge_read(const struct checkout *checkout, const struct suite *suite, int log,
	const struct executor_place *place, const char *report, const struct process_result *result,
	struct arena *arena, struct test_report *ret_report, struct rondo_error *err)
{
	AUTO_REPORTS reports = {.n = 0};
	const char *glob = suite_report_glob(suite);
	reports_open_path(&reports, arena_printf(arena, "%s/%s", place->cache, report));
	if (glob && reports_open_glob(&reports, place->tree, glob, err) < 0)
		return -1;
	struct suite_output output = {.log = log,
		.reports = reports.fds,
		.n_reports = reports.n,
		.dir = executor_tree_at(checkout->executor),
		.result = result};
	return suite_read(suite, &output, arena, ret_report, err);
}

int judge(const struct checkout *checkout, const struct suite *suite,
	const struct judge_options *options, struct arena *arena, struct test_report *report,
	const struct context *ctx, struct rondo_error *err)
{
	AUTO_CLOSE log = judge_open_log(options->log, err);
	const char *glob = suite_report_glob(suite);
	const char *name = executor_cache_name("report", arena);
	if (log < 0 || (glob && reports_remove(checkout->executor->tree, glob, err) < 0))
		return -1;
	struct process_result result;
	struct command command = {.line = judge_line(suite, options,
								  executor_cache_at(checkout->executor, name, arena), arena),
		.env = suite->type->env,
		.timeout_ms = options->timeout_ms,
		.output_limit = LARGEST_LOG,
		.log_fd = log,
		.log_limit = LARGEST_LOG};
	if (executor_run(checkout->executor, &command, &result, ctx, err) < 0)
		return -1;
	if (result.end == PROCESS_CANCELLED)
		return cancel_error(ctx->cancel, err);
	struct executor_place place = executor_wrote(checkout->executor, arena);
	if (judge_read(checkout, suite, log, &place, name, &result, arena, report, err) < 0)
		return -1;
	report->log = arena_strdup(arena, options->log);
	if (options->baseline)
		baseline_put_first(options->baseline, report, arena);
	return options->log ? suite_explain(report, log, arena, err) : 0;
}

struct protection suite_protection(const struct suite *suite)
{
	return (struct protection){.command = suite->command,
		.own_tests = suite->own_tests,
		.tests = suite->type->tests,
		.configuration = suite->type->configuration};
}
