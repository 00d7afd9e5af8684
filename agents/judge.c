/* The place that runs a suite, once, and is believed. Tester, baseline and gate come here. */
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/mman.h>

#include "agents/judging.h"
#include "agents/reports.h"
#include "base/memory.h"

#define LARGEST_LOG ((uint64_t)256 << 20)

/* A change that never ends is told from a slow one by the time that the whole suite took. */
#define LEAST_GOAL_MS 600
#define SUITES_A_GOAL 5

/* Raw output goes to a file and is read from there as a stream, however large it is. */
static int open_log(const char *path, struct rondo_error *err)
{
	int fd = path ? open(path, O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, 0600)
		      : memfd_create("suite-output", MFD_CLOEXEC);
	if (fd < 0)
		error_errno(err, RONDO_ERROR_TRANSIENT, "cannot keep the suite's output in '%s'",
			path ? path : "memory");
	return fd;
}

/* The command for the wanted tests alone, or NULL. */
static const char *targeted_line(
	const struct suite *suite, const struct judge_options *options, struct arena *arena)
{
	return options->ids ? suite_targeted(suite, options->ids, options->n_ids, arena) : NULL;
}

/* A suite that is one test has none that could run alone. */
static bool tells_tests_apart(const struct agent_kit *kit)
{
	const char *format = kit->baseline->first->format;
	return !format || strcmp(format, "exit") != 0;
}

struct judge_options judge_goal_options(const struct agent_kit *kit, struct arena *arena)
{
	const struct baseline *baseline = kit->baseline;
	int64_t suites_ms = SUITES_A_GOAL * baseline->first->duration_ms;
	struct judge_options options = {.ids = baseline->goal, .n_ids = baseline->n_goal,
		.timeout_ms = suites_ms > LEAST_GOAL_MS ? suites_ms : LEAST_GOAL_MS};
	if (kit->judges_whole || !tells_tests_apart(kit) || !targeted_line(kit->suite, &options, arena))
		options.ids = NULL;
	return options;
}

const char *judge_line(const struct workplace *workplace, const struct suite *suite, const struct judge_options *options,
	const char *report, struct arena *arena)
{
	struct suite asked = *suite;
	const char *targeted = targeted_line(suite, options, arena);
	asked.command = targeted ? targeted : suite->command;
	return suite_command(&asked, executor_cache_at(workplace->executor, report, arena), arena);
}

int judge_read(const struct workplace *workplace, const struct suite *suite, int log, const char *report,
	const struct process_result *result, struct arena *arena, struct test_report *ret_report, struct rondo_error *err)
{
	AUTO_REPORTS reports = {.n = 0};
	const char *path = arena_printf(arena, "%s/%s", workplace->executor->cache_dir, report);
	const char *glob = suite_report_glob(suite);
	reports_open_path(&reports, path);
	if (glob && reports_open_glob(&reports, workplace->executor->tree, glob, err) < 0)
		return -1;
	struct suite_output output = {.log = log, .reports = reports.fds, .n_reports = reports.n,
		.dir = executor_tree_at(workplace->executor), .result = result};
	return suite_read(suite, &output, arena, ret_report, err);
}

int judge(const struct workplace *workplace, const struct suite *suite,
	const struct judge_options *options, struct arena *arena, struct test_report *report,
	const struct context *ctx, struct rondo_error *err)
{
	AUTO_CLOSE log = open_log(options->log, err);
	const char *glob = suite_report_glob(suite);
	const char *name = executor_cache_name("report", arena);
	if (log < 0 || (glob && reports_remove(workplace->executor->tree, glob, err) < 0))
		return -1;
	struct process_result result;
	struct command command = {.line = judge_line(workplace, suite, options, name, arena), .env = suite->type->env,
		.timeout_ms = options->timeout_ms, .output_limit = LARGEST_LOG, .log_fd = log,
		.log_limit = LARGEST_LOG};
	if (executor_run(workplace->executor, &command, &result, ctx, err) < 0)
		return -1;
	if (result.end == PROCESS_CANCELLED)
		return cancel_error(ctx->cancel, err);
	if (judge_read(workplace, suite, log, name, &result, arena, report, err) < 0)
		return -1;
	report->log = arena_strdup(arena, options->log);
	if (options->baseline)
		baseline_put_first(options->baseline, report, arena);
	return options->log ? suite_explain(report, log, arena, err) : 0;
}

struct protection suite_protection(const struct suite *suite)
{
	return (struct protection){.command = suite->command, .own_tests = suite->own_tests,
		.tests = suite->type->tests, .configuration = suite->type->configuration};
}

struct keeping {
	const struct protection *protection;
	struct arena *arena;
	const char **paths;
	size_t n;
};

static bool keep_protected(void *owner, const char *path)
{
	struct keeping *keeping = owner;
	if (!keeping->protection || !protection_rule(keeping->protection, path))
		return false;
	ARENA_PUSH(keeping->arena, keeping->paths, keeping->n, arena_strdup(keeping->arena, path));
	return true;
}

int judge_prepare(const struct agent_kit *kit, struct workplace *workplace, struct arena *arena,
	struct prepared *ret_prepared, struct rondo_error *err)
{
	struct object desk, judged;
	const char **refused;
	size_t n_refused;
	struct keeping keeping = {.protection = kit->protection, .arena = arena};
	if (worktree_tree(kit->desk->worktree, kit->leave_out, kit->n_leave_out, arena, &desk, &refused,
		    &n_refused, err) < 0)
		return -1;
	if (repository_merge_tree(
		    kit->repository, &kit->base->tree, &desk, keep_protected, &keeping, &judged, err) < 0)
		return -1;
	if (worktree_checkout(workplace->worktree, &judged, err) < 0 ||
		executor_restore(workplace->executor, err) < 0)
		return -1;
	*ret_prepared = (struct prepared){
		.desk = desk, .judged = judged, .left_out = keeping.paths, .n_left_out = keeping.n};
	return 0;
}
