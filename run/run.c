/* A run, from its order to its end: run_carry_out reads top to bottom. */
#include <string.h>

#include "agents/trial/trial.h"
#include "base/clock.h"
#include "base/file.h"
#include "base/memory.h"
#include "run/stages.h"

int run_carry_out(struct order *order, const struct context *ctx, struct arena *arena,
	struct run_report *report, struct rondo_error *err)
{
	struct run run;
	struct secrets secrets = {0};
	bool done = false;
	if (scenario_secrets(order->scenario, order->env_file, &secrets, err) < 0)
		return -1;
	order->secrets = &secrets;
	int status = run_begin(&run, order, ctx, arena, report, err);
	if (status == 0)
		status = run_open(&run, &done, err);
	if (status == 0 && !done)
		status = run_talk(&run, NULL, err);
	return run_end(&run, status, err);
}

/* --- Its directory and journal --- */

/* scenario.json: what is run, with every default written out. */
static int run_keep_scenario(const struct run *run, struct rondo_error *err)
{
	AUTO_JSON *json = scenario_to_json(run->order.scenario);
	AUTO_FREE char *text = json_print_pretty(json);
	const char *path = arena_printf(run->env.arena, "%s/scenario.json", run->env.paths.dir);
	return file_write(path, text, strlen(text), 0600, err);
}

static int run_begin_journal(struct run *run, struct rondo_error *err)
{
	const struct run_paths *paths = &run->env.paths;
	if (run_keep_scenario(run, err) < 0 ||
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
	return run_paths_make(env->arena, &env->paths, &run->recorder.journal, err);
}

/* The journal, from here on; a dry run has none. */
static int run_open_journal(struct run *run, struct rondo_error *err)
{
	if (run->order.dry_run)
		return 0;
	run->recorder.packs = run->env.paths.packs;
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

/* --- The team, its site and its baseline --- */

int run_make_team(struct run *run, struct rondo_error *err)
{
	struct history *history = run->order.history;
	struct components *components = &run->components;
	if (components_make(components, run->order.scenario, &run->services, run->order.secrets,
			history ? &history->replies : NULL, err) < 0)
		return -1;
	components->conditions_kit.stop_requested = run->order.stop_requested;
	if (talk_check_humans(&run->env, components, err) < 0)
		return -1;
	if (history && history->chat &&
		(history_recall(history, components, &run->recorder.tally, &run->recorder.states, err) <
				0 ||
			recorder_continue(&run->recorder, &run->env.paths, err) < 0))
		return -1;
	return talk_announce_humans(&run->env, components, err);
}

static int run_reach_site(struct run *run, struct rondo_error *err)
{
	run->site = arena_alloc(run->env.arena, sizeof *run->site);
	if (!run->order.has_site)
		return site_without(run->site, &run->env, err);
	if (site_open(run->site, &run->env, err) < 0)
		return -1;
	recorder_watch(&run->recorder, run->site);
	return 0;
}

/* What the scenario's file says in vain. */
static int run_tell_notices(struct run *run, struct rondo_error *err)
{
	const struct option_strings *notices = &run->order.scenario->notices;
	for (size_t i = 0; i < notices->n; i++)
		if (env_notice(&run->env, err, "%s", notices->items[i]) < 0)
			return -1;
	return 0;
}

static int run_start_agents(struct run *run, struct rondo_error *err)
{
	for (size_t i = 0; i < run->components.n_agents; i++)
		if (agent_start(run->components.agents[i], &run->env.ctx, err) < 0)
			return -1;
	return 0;
}

/* Where candidates will be tried, tests are loaded while those of the goal run alone. */
static int run_load_trials(struct run *run, struct rondo_error *err)
{
	bool are_wanted = scenario_needs(run->order.scenario) & AGENT_NEEDS_TRIALS;
	run->services.trials = run->trials = trials_new(&run->services, NULL);
	if (!are_wanted || run->baseline->ending.is_set || run->baseline->is_recalled)
		return 0;
	return trials_load(run->trials, &run->env.ctx, err);
}

static int run_reach_baseline(struct run *run, struct rondo_error *err)
{
	struct baseline_stage *baseline = arena_alloc(run->env.arena, sizeof *baseline);
	run->baseline = baseline;
	if (baseline_run(baseline, &run->env, run->site, err) < 0)
		return -1;
	services_add_baseline(&run->services, &run->env, baseline);
	if (run_load_trials(run, err) < 0 ||
		baseline_settle(baseline, &run->env, &run->services, err) < 0)
		return -1;
	run->services.judges_whole = baseline->judges_whole;
	return 0;
}

int run_open(struct run *run, bool *ret_done, struct rondo_error *err)
{
	*ret_done = run->order.dry_run;
	if (run_reach_site(run, err) < 0 || run_tell_notices(run, err) < 0)
		return -1;
	if (run->order.dry_run)
		return 0;
	if (!run->components.team && run_make_team(run, err) < 0)
		return -1;
	if (run->order.has_site) {
		if (site_furnish(run->site, &run->env, err) < 0)
			return -1;
		services_add_site(&run->services, &run->env, run->site);
	}
	if (run_start_agents(run, err) < 0)
		return -1;
	if (run->order.has_suite && run_reach_baseline(run, err) < 0)
		return -1;
	*ret_done = run->baseline && run->baseline->ending.is_set;
	if (*ret_done && run->baseline->ending.outcome == RUN_NOTHING_FAILS)
		run_check_asserts(run);
	return 0;
}

/* --- Talk, verdict, publication --- */

/* The time limit ends the chat, not the judgement of what it came to. */
static bool run_hit_time_limit(const struct run *run, const struct rondo_error *err)
{
	return err->code == RONDO_ERROR_CANCELLED && !cancel_reason(run->outer->cancel);
}

static int run_reach_talk(struct run *run, const char *task, struct rondo_error *err)
{
	bool continues = run->order.history && run->order.history->chat && !run->has_talked;
	struct talk_order wanted = {.task = task, .continues = continues};
	struct talk *talk = arena_alloc(run->env.arena, sizeof *talk);
	run->talk = talk;
	run->has_begun = run->has_talked = true;
	if (continues && run->order.has_site && recorder_restore(&run->recorder, run->site, err) < 0)
		return -1;
	if (talk_run(talk, &run->env, run->site, run->baseline, &run->components, &wanted, err) < 0) {
		if (!run_hit_time_limit(run, err))
			return -1;
		talk_cut_off(talk, run->order.has_suite);
	}
	run->env.ctx.cancel = run->outer->cancel;
	return 0;
}

/* Stopped from outside, or by a fault such as a model that is gone: what there is by now is kept,
 * and said. */
static int run_keep_unjudged(struct run *run, struct rondo_error *err)
{
	struct rondo_error ignored;
	struct verdict_stage kept = {.is_changed = false};
	if (!run->order.has_site ||
		verdict_keep_unjudged(&kept, &run->env, run->site, run->baseline, &ignored) < 0 ||
		!kept.is_changed)
		return -1;
	run->unjudged = arena_memdup(run->env.arena, &kept.change, sizeof kept.change);
	const char *help = arena_printf(run->env.arena, "%s%s", err->help, *err->help ? "; " : "");
	return error_help(
		err, "%sthe change so far, not judged, is kept in %s", help, kept.change.path);
}

static int run_reach_verdict(struct run *run, struct rondo_error *err)
{
	struct verdict_stage *verdict = arena_alloc(run->env.arena, sizeof *verdict);
	if (verdict_reach(verdict, &run->env, run->site, run->baseline, &run->recorder.states,
			&run->talk->facts, &run->services, err) < 0)
		return -1;
	run->verdict = verdict;
	return 0;
}

static int run_publish(struct run *run, struct rondo_error *err)
{
	struct run_report so_far;
	struct publication *publication = arena_alloc(run->env.arena, sizeof *publication);
	run->publication = publication;
	report_compose(run, &so_far);
	return publication_make(publication, &run->env, run->site, &run->verdict->tree, &so_far, err);
}

/* Nothing can be judged: what was written is kept. */
static int run_keep_files(struct run *run, struct rondo_error *err)
{
	struct verdict_stage kept = {.is_changed = false};
	struct publication *publication = arena_alloc(run->env.arena, sizeof *publication);
	if (verdict_keep_unjudged(&kept, &run->env, run->site, NULL, err) < 0 ||
		publication_keep_files(publication, &run->env, run->site, &kept.tree, err) < 0)
		return -1;
	if (kept.is_changed)
		run->unjudged = arena_memdup(run->env.arena, &kept.change, sizeof kept.change);
	run->publication = publication;
	return 0;
}

static int run_use_talk(struct run *run, struct rondo_error *err)
{
	if (!run->order.has_site)
		return 0;
	if (!run->order.has_suite)
		return run_keep_files(run, err);
	if (run_reach_verdict(run, err) < 0)
		return -1;
	return run->verdict->ending.outcome == RUN_VERIFIED ? run_publish(run, err) : 0;
}

int run_talk(struct run *run, const char *task, struct rondo_error *err)
{
	if (run_reach_talk(run, task, err) < 0)
		return run_keep_unjudged(run, err);
	if (talk_sum_up(run->talk, &run->env, &run->components, run->recorder.tally.last_model,
			&run->cancel, err) < 0 ||
		run_use_talk(run, err) < 0)
		return -1;
	run_check_asserts(run);
	return 0;
}

int run_again(struct run *run, int number, struct rondo_error *err)
{
	const char *branch = run->order.scenario->output.branch;
	cancel_release(&run->cancel);
	if (cancel_init(&run->cancel, run->outer->cancel, run->order.scenario->limits.time_ms, err) < 0)
		return -1;
	run->env.ctx.cancel = &run->cancel;
	run->started_at_ms = clock_now_ms();
	run->talk = NULL;
	run->verdict = NULL;
	run->publication = NULL;
	run->unjudged = NULL;
	run->asserts = (struct run_asserts){0};
	if (number == 1 || !run->site->facts.has_repository)
		return 0;
	run->site->branch = branch
		? arena_printf(run->env.arena, "%s-%d", branch, number)
		: arena_printf(run->env.arena, "rondo/%s-%d", run->env.paths.id, number);
	return repository_check_branch(run->site->repository, run->site->branch, err);
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
	return status;
}
