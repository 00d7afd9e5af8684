/* How a run begins and ends: its directory, its journal and its report. */
#include <string.h>

#include "agents/trial/trial.h"
#include "base/clock.h"
#include "base/file.h"
#include "base/memory.h"
#include "run/attempts/attempts.h"
#include "run/stages.h"

/* --- Its directory and journal --- */

int run_keep_scenario(const struct run_env *env, struct rondo_error *err)
{
	AUTO_JSON *json = scenario_to_json(env->order->scenario);
	AUTO_FREE char *text = json_print_pretty(json);
	const char *path = arena_printf(env->arena, "%s/scenario.json", env->paths.dir);
	return file_write(path, text, strlen(text), 0600, err);
}

static int run_begin_journal(struct run *run, struct rondo_error *err)
{
	const struct run_paths *paths = &run->env.paths;
	if (run_keep_scenario(&run->env, err) < 0 ||
		journal_create(&run->recorder.journal, paths->attempt, paths->id, err) < 0)
		return -1;
	AUTO_JSON *origin = order_origin(&run->order);
	AUTO_FREE char *data = json_print(origin);
	struct rondo_event event = {.type = RONDO_EVENT_RUN_START, .text = paths->id, .data = data};
	return context_event(&run->env.ctx, &event, err) < 0 ? -1 : run_paths_sync(paths, err);
}

/* The journal of a run that broke off becomes this run's. Where something was said, all of it is
 * read before it is written to. */
static int run_continue_journal(struct run *run, struct rondo_error *err)
{
	const struct history *history = run->order.history;
	struct recorder *recorder = &run->recorder;
	run->has_begun = history->chat != NULL;
	recorder->journal.seq = history->seq;
	recorder->journal.started_at_ms = clock_now_ms() - history->elapsed_ms;
	recorder->is_rebuilding = history->chat != NULL;
	return history->chat ? 0 : recorder_continue(recorder, &run->env.paths, err);
}

static int64_t run_time_left_ms(const struct order *order)
{
	int64_t time_ms = order->scenario->limits.time_ms;
	if (!order->history)
		return time_ms;
	return time_ms > order->history->elapsed_ms ? time_ms - order->history->elapsed_ms : 1;
}

static int run_make_directory(struct run *run, struct rondo_error *err)
{
	size_t n;
	uint64_t bytes;
	struct run_env *env = &run->env;
	const struct order *order = &run->order;
	if (order->dry_run)
		return run_paths_make_work(env->arena, &env->paths, err);
	/* what dead runs left; not this run's concern if it stays */
	run_collect_garbage(&n, &bytes, err);
	if (order->history)
		return run_paths_take(env->arena, order->dir, &env->paths, err);
	return run_paths_make(env->arena, run_is_many(run), &env->paths, &run->recorder.journal, err);
}

/* The journal, from here on; a dry run has none. */
static int run_open_journal(struct run *run, struct rondo_error *err)
{
	if (run->order.dry_run)
		return 0;
	run->recorder.packs = run->env.paths.packs;
	run->recorder.journal.attempt = run_is_many(run) ? 0 : 1;
	run->env.ctx.record = (struct context_record){recorder_record, &run->recorder};
	if ((run->order.history ? run_continue_journal(run, err) : run_begin_journal(run, err)) < 0)
		return -1;
	run->is_recorded = true;
	return 0;
}

int run_begin(struct run *run, const struct order *order, const struct context *outer,
	struct arena *arena, struct run_report *report, struct rondo_error *err)
{
	*report = (struct run_report){.outcome = RUN_NOT_FIXED};
	*run = (struct run){.order = *order,
		.outer = outer,
		.report = report,
		.started_at_ms = clock_now_ms(),
		.cancel = {.fd = -1, .timer = -1},
		.recorder = {.journal = {.fd = -1, .lock = -1},
			.secrets = order->secrets,
			.history = order->history,
			.emit = outer->emit,
			.tally = {.arena = arena},
			.states = {.arena = arena}}};
	run->env = (struct run_env){.order = &run->order,
		.arena = arena,
		.notices = &report->notices,
		.ctx = {
			.emit = {recorder_emit, &run->recorder}, .ask = outer->ask, .cancel = &run->cancel}};
	if (order->history) {
		run->recorder.journal = *order->journal;
		*order->journal = (struct journal){.fd = -1, .lock = -1};
	}
	if (order_check(&run->order, arena, err) < 0 || run_make_directory(run, err) < 0 ||
		cancel_init(&run->cancel, outer->cancel, run_time_left_ms(&run->order), err) < 0)
		return -1;
	return run_open_journal(run, err);
}

/* --- Its end --- */

int run_write_report(struct run *run, int status, struct rondo_error *err)
{
	struct rondo_error late = *err;
	struct run_report *report = run->report;
	report_compose(run, report);
	const char *word = status < 0 ? RUN_ERROR_WORD : run_outcome_word(report->outcome);
	struct rondo_event event = {.type = RONDO_EVENT_RUN_END, .text = word};
	if (report_write(run, status < 0 ? err : NULL, &late) == 0 &&
		context_event(&run->env.ctx, &event, &late) == 0) {
		if (status == 0)
			file_remove_tree(arena_printf(run->env.arena, "%s/blobs", run->env.paths.dir), &late);
		return status;
	}
	if (status == 0)
		*err = late;
	return -1;
}

/* What was paid for is not lost. */
static void run_offer_resume(const struct run *run, struct rondo_error *err)
{
	bool may_pass = err->code == RONDO_ERROR_TRANSIENT || err->code == RONDO_ERROR_CANCELLED;
	if (!run->has_begun || !may_pass)
		return;
	const char *help = arena_printf(run->env.arena, "%s%s", err->help, *err->help ? "; " : "");
	error_help(err, "%srondo resume continues it", help);
}

/* A run that could not begin, or was refused before anybody spoke. */
static bool run_is_void(const struct run *run, int status, const struct rondo_error *err)
{
	bool is_new = !run->has_begun && !run->order.history;
	return status < 0 && is_new && (!run->is_recorded || err->code == RONDO_ERROR_USAGE);
}

void run_release(struct run *run)
{
	attempts_release(run->attempts);
	components_release(&run->components);
	trials_free(run->trials);
	if (run->site)
		site_close(run->site);
	if (run->baseline)
		baseline_close(run->baseline);
	journal_close(&run->recorder.journal);
	if (run->cancel.fd >= 0)
		cancel_release(&run->cancel);
	run_paths_release(&run->env.paths);
}

int run_end(struct run *run, int status, struct rondo_error *err)
{
	struct rondo_error ignored;
	const char *dir = run->env.paths.dir;
	/* a journal that cannot be read is not changed */
	if (run->is_recorded && !run->recorder.is_rebuilding)
		status = run_write_report(run, status, err);
	else
		report_compose(run, run->report);
	if (status < 0)
		run_offer_resume(run, err);
	if (dir && run_is_void(run, status, err)) {
		file_remove_tree(dir, &ignored);
		run->report->dir = NULL;
	}
	run_release(run);
	if (dir && status == 0)
		file_remove_tree(arena_printf(run->env.arena, "%s/agents", dir), &ignored);
	return status;
}
