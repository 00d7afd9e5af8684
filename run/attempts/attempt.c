/* One attempt, from its checkouts to its row: attempt_run reads top to bottom. */
#include "agents/trial/trial.h"
#include "base/clock.h"
#include "base/file.h"
#include "base/memory.h"
#include "run/attempts/attempts.h"
#include "run/mcp/asking.h"

/* --- Its directory, journal and time --- */

static int attempt_begin_journal(struct attempt *attempt, struct rondo_error *err)
{
	struct run *run = &attempt->run;
	struct journal *journal = &run->recorder.journal;
	if (journal_create(journal, run->env.paths.attempt, run->env.paths.id, err) < 0)
		return -1;
	journal->started_at_ms = attempt->all->run->recorder.journal.started_at_ms;
	AUTO_JSON *origin = order_origin(&run->order);
	AUTO_FREE char *data = json_print(origin);
	struct rondo_event event = {
		.type = RONDO_EVENT_RUN_START, .text = run->env.paths.id, .data = data};
	if (recorder_record(&run->recorder, &event, err) < 0)
		return -1;
	return file_sync_up(run->env.paths.attempt, attempt->all->run->env.paths.dir, err);
}

/* Where something was said, all of it was read by now. */
static int attempt_continue_journal(struct attempt *attempt, struct rondo_error *err)
{
	struct run *run = &attempt->run;
	const struct history *history = &attempt->history;
	run->recorder.journal.seq = history->seq;
	run->recorder.journal.started_at_ms = clock_now_ms() - history->elapsed_ms;
	return recorder_continue(&run->recorder, &run->env.paths, err);
}

/* What is left of the time of all. */
static int attempt_set_time(struct attempt *attempt, struct rondo_error *err)
{
	int64_t deadline_ms = cancel_deadline(&attempt->all->run->cancel);
	int64_t left_ms = deadline_ms - clock_now_ms();
	struct run *run = &attempt->run;
	run->started_at_ms = clock_now_ms();
	if (!deadline_ms)
		left_ms = 0;
	else if (left_ms < 1)
		left_ms = 1;
	if (cancel_init(&run->cancel, &attempt->stop, left_ms, err) < 0)
		return -1;
	run->env.ctx.cancel = &run->cancel;
	return 0;
}

static int attempt_begin(struct attempt *attempt, struct rondo_error *err)
{
	struct run *run = &attempt->run;
	const struct run_paths *paths = &run->env.paths;
	if (attempt_set_time(attempt, err) < 0 || file_make_dir(paths->logs, 0700, err) < 0 ||
		file_make_dir(paths->packs, 0700, err) < 0 || file_make_dir(paths->work, 0700, err) < 0)
		return -1;
	int status = attempt->has_history ? attempt_continue_journal(attempt, err)
									  : attempt_begin_journal(attempt, err);
	run->is_recorded = status == 0;
	return status;
}

/* --- Its checkouts and services --- */

static int attempt_furnish(struct attempt *attempt, struct rondo_error *err)
{
	struct run *run = &attempt->run;
	struct site *site = attempt->all->run->site;
	run->site = attempt->repository ? &attempt->site : site;
	if (attempt->repository &&
		site_furnish_beside(&attempt->site, site, attempt->repository, &run->env, err) < 0)
		return -1;
	if (attempt->has_history &&
		repository_take(run->site->repository, run->env.paths.packs, err) < 0)
		return -1;
	recorder_watch(&run->recorder, run->site);
	return 0;
}

/* The first attempt tries candidates in the run's own checkouts, where the tests are loaded by
 * now. */
static void attempt_serve(struct attempt *attempt)
{
	struct run *run = &attempt->run;
	const struct run *whole = attempt->all->run;
	services_add_site(&run->services, &run->env, run->site);
	asking_offer(run);
	services_add_baseline(&run->services, &run->env, run->baseline);
	run->services.judges_whole = whole->services.judges_whole;
	if (!attempt->repository)
		run->services.trials = whole->trials;
	else if (scenario_needs(&attempt->scenario) & AGENT_NEEDS_TRIALS)
		run->services.trials = run->trials = trials_new(&run->services, NULL);
}

static int attempt_open(struct attempt *attempt, struct rondo_error *err)
{
	struct run *run = &attempt->run;
	run->baseline = attempt->all->run->baseline;
	if (attempt_begin(attempt, err) < 0 || attempt_furnish(attempt, err) < 0)
		return -1;
	attempt_serve(attempt);
	return run_start_agents(run, err);
}

/* --- What it came to --- */

static void attempt_describe(struct attempt *attempt)
{
	struct run *run = &attempt->run;
	struct run_report *report = &attempt->report;
	struct run_attempt *row = &attempt->row;
	report_compose(run, report);
	row->outcome = attempt->status < 0 ? RUN_ERROR_WORD : run_outcome_word(report->outcome);
	row->reason =
		attempt->status < 0 ? arena_strdup(&attempt->arena, attempt->err.message) : report->reason;
	if (attempt->status < 0 && cancel_reason(&attempt->stop)) {
		row->outcome = run->has_begun ? "stopped" : "not started";
		row->reason = NULL;
	}
	row->tree = run->verdict ? run->verdict->tree.hex : NULL;
	row->n_fixed = report->n_fixed;
	row->n_lines = report->change ? report->change->n_lines : 0;
	row->turns = run->talk ? run->talk->facts.turns : 0;
	row->duration_ms = run->has_begun ? report->duration_ms : 0;
	attempts_add_up(&run->recorder.tally, &row->tokens, &row->cost_usd);
}

/* What a run that is continued needs of it. */
static int attempt_keep_verdict(struct attempt *attempt, struct rondo_error *err)
{
	const struct run *run = &attempt->run;
	struct rondo_event event = {
		.type = RONDO_EVENT_RUN_END, .text = run_outcome_word(attempt->report.outcome)};
	return context_event(&(struct context){.record = run->env.ctx.record}, &event, err);
}

/* The gate is left when the others know of it: a second fix is not judged where one is enough. */
static void attempt_judge(struct attempt *attempt)
{
	struct run *run = &attempt->run;
	if (!attempts_enter_gate(attempt)) {
		attempt->status = cancel_error(&attempt->stop, &attempt->err);
		return;
	}
	attempt->status = run_reach_verdict(run, &attempt->err);
	if (attempt->status == 0) {
		run_check_asserts(run);
		attempt_describe(attempt);
		attempt->status = attempt_keep_verdict(attempt, &attempt->err);
	}
	if (attempt->status == 0)
		attempts_settle(attempt);
	attempts_leave_gate(attempt);
}

void attempt_run(struct attempt *attempt)
{
	struct rondo_error ignored;
	struct run *run = &attempt->run;
	struct rondo_error *err = &attempt->err;
	attempt->status = attempts_await_repair(attempt) ? attempt_open(attempt, err)
													 : cancel_error(&attempt->stop, err);
	if (attempt->status == 0)
		attempt->status = run_hear(run, NULL, err);
	if (attempt->status == 0)
		attempt_judge(attempt);
	if (attempt->status < 0) {
		attempt_describe(attempt);
		attempts_settle(attempt);
	}
	attempt_leave(attempt);
	if (attempt->status == 0)
		file_remove_tree(arena_printf(&attempt->arena, "%s/agents", run->env.paths.dir), &ignored);
}

void attempt_leave(struct attempt *attempt)
{
	struct run *run = &attempt->run;
	components_release(&run->components);
	run->components.scenario = NULL;
	run->components.n_models = run->components.n_agents = 0;
	trials_free(run->trials);
	run->trials = NULL;
	if (attempt->repository)
		site_leave_beside(&attempt->site);
	journal_close(&run->recorder.journal);
	if (run->cancel.fd >= 0)
		cancel_release(&run->cancel);
	run->cancel.fd = -1;
}
