/* Which lines the tests run, as the suite's own runner tells it: for engines that do not know. */
#include <sys/mman.h>
#include <unistd.h>

#include "agents/trial/trial_engine.h"
#include "base/clock.h"
#include "base/log.h"
#include "verify/suite/cover.h"

enum {
	COVER_MS = 15000,
	COVER_PART = 2, /* of the time that is left for the search */
	LARGEST_PRINT = 64 << 20,
};

int64_t trial_cover_limit_ms(const struct trial *trial, int64_t most_ms)
{
	int64_t part_ms =
		trial->deadline_ms ? (trial->deadline_ms - clock_now_ms()) / COVER_PART : most_ms;
	return part_ms < 1 ? 1 : part_ms < most_ms ? part_ms : most_ms;
}

int trial_cover(struct trial_worker *worker, struct arena *arena, struct coverage *ret_coverage,
	bool *ret_answered, struct rondo_error *err)
{
	const struct suite *suite = worker->services->suite;
	const struct baseline *baseline = worker->services->baseline;
	struct executor *executor = worker->checkout->executor;
	struct process_result result;
	int64_t limit_ms = trial_cover_limit_ms(worker->trial, COVER_MS);
	const struct cover_tests tests = {.limit_ms = limit_ms,
		.goal = baseline->goal,
		.n_goal = baseline->n_goal,
		.others = baseline->green,
		.n_others = baseline->n_green};
	const char *line = suite_cover(suite, &tests, arena);
	*ret_answered = false;
	if (!line)
		return 0;
	AUTO_CLOSE printed = memfd_create("coverage", MFD_CLOEXEC);
	if (printed < 0)
		return error_errno(err, RONDO_ERROR_TRANSIENT, "cannot keep what tests run in memory");
	struct command command = {.line = line,
		.env = suite->type->env,
		.timeout_ms = limit_ms,
		.output_limit = LARGEST_PRINT,
		.log_fd = printed,
		.log_limit = LARGEST_PRINT};
	const struct context *ctx = worker->trial->ctx;
	if (executor_run(executor, &command, &result, ctx, err) < 0)
		return -1;
	if (result.end == PROCESS_CANCELLED)
		return cancel_error(ctx->cancel, err);
	if (cover_read(printed, executor_tree_at(executor), arena, ret_coverage, err) < 0)
		return -1;
	*ret_answered = true;
	log_line(LOG_DEBUG, "trial", "%zu lines that %zu tests of the goal run, %zu others, in %d ms",
		ret_coverage->n, ret_coverage->n_goal, ret_coverage->n_others, (int)result.duration_ms);
	return 0;
}
