/*
 * rondo resume: continue a run that broke off. Its scenario is the one that it kept; stages that it
 * reached and what was said are taken from its journal; the main checkout gets the files that it
 * held last. What only lived in programs (variables of a kernel, installed packages, ignored files)
 * is gone.
 */
#include "base/file.h"
#include "run/stages.h"

static int resume_carry_out(struct order *order, struct scenario *scenario,
	const struct context *ctx, struct arena *arena, struct run_report *report,
	struct rondo_error *err)
{
	const struct json *origin = order->history->start;
	if (json_bool(origin, "is_proposal", false)) {
		error_set(err, RONDO_ERROR_USAGE, "run %s judges somebody's change: nothing of it is kept",
			file_name(order->dir));
		return error_help(err, "rondo verify again");
	}
	order->force = json_bool(origin, "force", false);
	order->env_file = arena_strdup(arena, json_string(origin, "env_file", NULL));
	if (order_recall_scenario(scenario, origin, order->dir, arena, err) < 0)
		return -1;
	return run_carry_out(order, ctx, arena, report, err);
}

int run_resume(const char *prefix, const atomic_bool *stop_requested, const struct context *ctx,
	struct arena *arena, struct run_report *report, struct rondo_error *err)
{
	*report = (struct run_report){.outcome = RUN_NOT_FIXED};
	struct journal journal;
	struct history history;
	struct scenario scenario;
	struct order order = {.dir = run_find(arena, prefix, err),
		.history = &history,
		.journal = &journal,
		.scenario = &scenario,
		.stop_requested = stop_requested};
	if (!order.dir)
		return -1;
	const char *attempt = run_journal_dir(order.dir, arena), *id = file_name(order.dir);
	if (journal_lock(&journal, attempt, err) < 0)
		return error_prefix(err, "%s", id);
	int status = history_read(&history, attempt, err);
	if (status == 0 && history.outcome) {
		error_set(err, RONDO_ERROR_USAGE, "run %s has ended: %s", id, history.outcome);
		status = error_help(err, "rondo show %s", id);
	}
	if (status == 0)
		status = resume_carry_out(&order, &scenario, ctx, arena, report, err);
	history_release(&history);
	journal_close(&journal);
	return status;
}
