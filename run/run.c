/* A run from start to branch: base, baseline, chat, gate, branch. Read `work` first. */
#include "run/stages.h"

#include <signal.h>
#include <stdarg.h>
#include <string.h>

#include "base/clock.h"
#include "base/file.h"
#include "base/hash.h"
#include "base/log.h"
#include "base/memory.h"
#include "base/utf8.h"
#include "chat/event.h"

/* Whatever was carried out is told by a message, or by the silence of a team within the team. */
static bool ends_work(const struct rondo_event *event)
{
	bool is_message = event->type == RONDO_EVENT_MESSAGE && !team_is_within(event);
	return !event->team && (is_message || event->type == RONDO_EVENT_TURN_END);
}

static int record(void *owner, const struct rondo_event *event, struct rondo_error *err)
{
	struct run *run = owner;
	AUTO_ARENA arena = ARENA_INIT;
	const char *tree = NULL;
	if (resume_has(run, event))
		return 0;
	tally_event(&run->tally, event);
	states_event(&run->states, event);
	if (event->message && event->message->type == RONDO_MESSAGE_CODE_EXECUTION)
		run->desk_is_touched = true;
	if (ends_work(event) && keep_desk(run, &tree, err) < 0)
		return -1;
	return journal_append(&run->journal, run_redact(run, event, &arena), tree, err);
}

/* What goes on, in lines for whoever looks for a fault. */
static void log_event(const struct rondo_event *event)
{
	const char *text = event->message ? event->message->content : event->text ? event->text : "";
	const char *source = event->message ? event->message->source : event->source ? event->source : "";
	log_line(event->type == RONDO_EVENT_PROGRESS ? LOG_DEBUG : LOG_INFO, "run", "%s %s%s%.*s",
		event_type_name(event->type), source, *source ? ": " : "", (int)strcspn(text, "\n"), text);
}

static void emit(void *owner, const struct rondo_event *event)
{
	struct run *run = owner;
	AUTO_ARENA arena = ARENA_INIT;
	const struct context_emit *outer = &run->outer->emit;
	const struct rondo_event *clean = run_redact(run, event, &arena);
	log_event(clean);
	if (outer->call)
		outer->call(outer->owner, clean);
}

int run_notice(struct run *run, struct rondo_error *err, const char *format, ...)
{
	struct run_result *result = run->result;
	char text[512];
	va_list args;
	va_start(args, format);
	utf8_vformat(text, sizeof text, format, args);
	va_end(args);
	const char **notices = (const char **)(uintptr_t)result->notices;
	ARENA_PUSH(run->arena, notices, result->n_notices, arena_strdup(run->arena, text));
	result->notices = notices;
	return context_event(
		&run->ctx, &(struct rondo_event){.type = RONDO_EVENT_NOTICE, .text = text}, err);
}

/* What needs no look at the repository; a mistake here leaves no run behind. */
static int take_order(struct run *run, const struct run_order *order, struct rondo_error *err)
{
	struct scenario *scenario = order->scenario;
	const char *repo = scenario->workspace.repo;
	bool given = scenario->executor.type.name;
	run->executor =
		given ? (struct executor_plan){scenario->executor.type.self,
				scenario->executor.common, scenario->executor.state, run->secrets}
		      : (struct executor_plan){&sandbox_executor, &executor_defaults, NULL, NULL};
	unsigned needs = scenario_needs(scenario);
	run->has_suite = needs & AGENT_NEEDS_SUITE;
	run->has_site = needs || repo;
	run->is_workspace = !repo;
	if (!scenario->task && !run->has_suite && !order->may_lack_task) {
		error_set(err, RONDO_ERROR_USAGE, "the chat has nothing to begin with: there is no task");
		return error_help(err, "rondo run FILE --task TEXT");
	}
	if (repo && !(run->path = file_real_path(run->arena, workspace_path(scenario, repo), err)))
		return -1;
	scenario->workspace.repo = run->path;
	scenario->output.patch = file_absolute(run->arena, scenario->output.patch);
	scenario->output.files = file_absolute(run->arena, scenario->output.files);
	scenario->output.junit = file_absolute(run->arena, scenario->output.junit);
	scenario->output.pull_request = file_absolute(run->arena, scenario->output.pull_request);
	return publish_check(run, err);
}

/* scenario.json: what is run, with every default written out. */
static int keep_scenario(const struct run *run, struct rondo_error *err)
{
	AUTO_JSON *json = scenario_to_json(run->scenario);
	AUTO_FREE char *text = json_print_pretty(json);
	const char *path = arena_printf(run->arena, "%s/scenario.json", run->paths.dir);
	return file_create(path, text, strlen(text), 0600, err);
}

static int begin_journal(struct run *run, const struct run_order *order, struct rondo_error *err)
{
	if (keep_scenario(run, err) < 0 || journal_create(&run->journal, run->paths.attempt, run->paths.id, err) < 0)
		return -1;
	AUTO_JSON *origin = resume_origin(order);
	AUTO_FREE char *data = json_print(origin);
	return context_event(
		&run->ctx, &(struct rondo_event){.type = RONDO_EVENT_RUN_START, .text = run->paths.id, .data = data}, err);
}

/* Directory, journal and token of the run. */
static int make_run(struct run *run, const struct run_order *order, struct rondo_error *err)
{
	size_t n;
	uint64_t bytes;
	int64_t time_ms = run->scenario->limits.time_ms;
	run_collect_garbage(&n, &bytes, err); /* what dead runs left; not this run's concern if it stays */
	if ((run->past ? run_paths_take(run->arena, order->dir, &run->paths, err)
		       : run_paths_make(run->arena, &run->paths, err)) < 0)
		return -1;
	run->result->id = run->paths.id;
	run->result->dir = run->paths.dir;
	if (run->past)
		time_ms = time_ms > run->past->elapsed_ms ? time_ms - run->past->elapsed_ms : 1;
	if (cancel_init(&run->cancel, run->outer->cancel, time_ms, err) < 0)
		return -1;
	run->ctx = (struct context){.record = {record, run}, .emit = {emit, run},
		.ask = run->outer->ask, .cancel = &run->cancel};
	return run->past ? resume_begin(run, err) : begin_journal(run, order, err);
}

int run_begin(struct run *run, const struct run_order *order, const struct context *outer,
	struct arena *arena, struct run_result *result, struct rondo_error *err)
{
	*result = (struct run_result){.outcome = RUN_NOT_FIXED, .coder = order->scenario->coder};
	*run = (struct run){.scenario = order->scenario, .secrets = order->secrets, .dry_run = order->dry_run,
		.stop_requested = order->stop_requested, .past = order->past, .result = result, .arena = arena,
		.outer = outer, .journal = {.fd = -1, .lock = -1}, .tally = {.arena = arena}, .states = {.arena = arena},
		.cancel = {.fd = -1, .timer = -1}};
	if (order->past) {
		run->journal = *order->journal;
		*order->journal = (struct journal){.fd = -1, .lock = -1};
	}
	return take_order(run, order, err) < 0 ? -1 : make_run(run, order, err);
}

void run_end(struct run *run)
{
	cast_release(&run->cast);
	site_close(run);
	journal_close(&run->journal);
	if (run->cancel.fd >= 0)
		cancel_release(&run->cancel);
	run_paths_release(&run->paths);
}

/* The time limit ends the chat, not the judgement of what it came to. */
static bool hit_time_limit(const struct run *run, const struct rondo_error *err)
{
	return err->code == RONDO_ERROR_CANCELLED && !cancel_reason(run->outer->cancel);
}

/* Stopped from outside, or by a fault such as a model that is gone: what there is by now is kept, and said. */
static int stop_early(struct run *run, struct rondo_error *err)
{
	struct rondo_error ignored;
	struct object tree;
	if (!run->has_site || gate_harvest(run, &tree, &ignored) < 0 || !run->result->patch_path)
		return -1;
	const char *help = arena_printf(run->arena, "%s%s", err->help, *err->help ? "; " : "");
	return error_help(err, "%sthe change so far, not judged, is kept in %s", help, run->result->patch_path);
}

/* The gate has the last word; where nothing can be judged, what was written is kept. */
static int judge_or_keep(struct run *run, struct rondo_error *err)
{
	struct object tree;
	if (!run->has_site)
		return 0;
	if (!run->has_suite)
		return gate_harvest(run, &tree, err) < 0 ? -1 : publish_files(run, &tree, err);
	if (gate_run(run, &tree, err) < 0)
		return -1;
	return run->result->outcome == RUN_VERIFIED ? publish_run(run, &tree, err) : 0;
}

int run_talk(struct run *run, struct rondo_error *err)
{
	if (chat_run(run, err) < 0) {
		if (!hit_time_limit(run, err))
			return stop_early(run, err);
		run->result->stop_reason = "the time limit of the run is over (--limit time=1h)";
		run->result->stop_condition = "time_limit";
		run->result->stopped = "by time_limit (limit)";
		run->result->verdict = RONDO_VERDICT_LIMIT;
		if (!run->has_suite) {
			run->result->outcome = RUN_STOPPED;
			run->result->reason = run->result->stop_reason;
		}
	}
	run->ctx.cancel = run->outer->cancel;
	if (run_sum_up(run, err) < 0 || judge_or_keep(run, err) < 0)
		return -1;
	asserts_run(run);
	return 0;
}

/* A team that only talks needs no place to work. */
static int tell_name(struct run *run, struct rondo_error *err)
{
	AUTO_JSON *json = json_object();
	run->result->name = run->scenario->name;
	json_add_string(json, "name", run->scenario->name);
	scenario_add_participants(run->scenario, json);
	AUTO_FREE char *text = json_print(json);
	return context_event(&run->ctx, &(struct rondo_event){.type = RONDO_EVENT_BASE, .data = text}, err);
}

static int open_site(struct run *run, struct rondo_error *err)
{
	if (!run->has_site)
		return tell_name(run, err);
	if (run->is_workspace && workspace_make(run, err) < 0)
		return -1;
	return site_open(run, err);
}

/* What the team and the executor say goes before the run's limits. */
static const char *describe_limits(const struct run *run)
{
	struct limits limits = run->scenario->limits;
	const struct team_options *team = run->scenario->team.common;
	if (team->max_turns)
		limits.turns = team->max_turns;
	if (run->executor.settings->timeout_ms)
		limits.block_ms = run->executor.settings->timeout_ms;
	return limits_describe(&limits, run->arena);
}

/* What the scenario's file says in vain. */
static int tell_notices(struct run *run, struct rondo_error *err)
{
	const struct option_strings *notices = &run->scenario->notices;
	for (size_t i = 0; i < notices->n; i++)
		if (run_notice(run, err, "%s", notices->items[i]) < 0)
			return -1;
	return 0;
}

/* "coder (coder), runner (executor); stops at text_mention". */
static const char *describe_team(const struct run *run)
{
	const struct scenario *scenario = run->scenario;
	const struct team_options *team = scenario->team.common;
	AUTO_STRBUF text = STRBUF_INIT(STRBUF_LINE);
	for (size_t i = 0; i < team->participants.n; i++)
		for (size_t j = 0; j < scenario->agents.n; j++)
			if (strcmp(scenario->agents.items[j].name, team->participants.items[i].name) == 0)
				strbuf_addf(&text, "%s%s (%s)", i ? ", " : "", scenario->agents.items[j].name,
					scenario->agents.items[j].type.name);
	for (size_t i = 0; i < team->termination.n; i++)
		strbuf_addf(&text, "%s %s", i ? " or" : "; stops at", team->termination.items[i].type.name);
	return arena_strdup(run->arena, text.text);
}

int run_open(struct run *run, bool *ret_done, struct rondo_error *err)
{
	if (open_site(run, err) < 0 || tell_notices(run, err) < 0)
		return -1;
	if (run->dry_run) {
		*ret_done = true;
		run->result->outcome = RUN_DRY_RUN;
		run->result->limits = describe_limits(run);
		run->result->team = describe_team(run);
		return 0;
	}
	if (!run->cast.team && chat_prepare(run, err) < 0)
		return -1;
	if ((run->has_site && site_furnish(run, err) < 0) || chat_start(run, err) < 0)
		return -1;
	if (run->has_suite && baseline_run(run, ret_done, err) < 0)
		return -1;
	if (run->result->outcome == RUN_NOTHING_FAILS)
		asserts_run(run);
	return 0;
}

int run_again(struct run *run, int number, struct rondo_error *err)
{
	const char *branch = run->scenario->output.branch;
	run->ctx.cancel = &run->cancel;
	cancel_release(&run->cancel);
	if (cancel_init(&run->cancel, run->outer->cancel, run->scenario->limits.time_ms, err) < 0)
		return -1;
	if (number == 1 || !run->result->has_repository)
		return 0;
	run->result->branch = branch ? arena_printf(run->arena, "%s-%d", branch, number)
				     : arena_printf(run->arena, "rondo/%s-%d", run->paths.id, number);
	return repository_check_branch(run->repository, run->result->branch, err);
}

static int work(struct run *run, struct rondo_error *err)
{
	bool done = false;
	if (run_open(run, &done, err) < 0)
		return -1;
	return done ? 0 : run_talk(run, err);
}

int run_conclude(struct run *run, int status, struct rondo_error *err)
{
	struct rondo_error late = *err;
	const char *word = status < 0 ? "error" : run_outcome_word(run->result->outcome);
	struct rondo_event event = {.type = RONDO_EVENT_RUN_END, .text = word};
	if (report_write(run, status < 0 ? err : NULL, &late) == 0 && context_event(&run->ctx, &event, &late) == 0) {
		if (status == 0)
			file_remove_tree(arena_printf(run->arena, "%s/blobs", run->paths.dir), &late);
		return status;
	}
	if (status == 0)
		*err = late;
	return -1;
}

/* What was paid for is not lost. */
static void offer_resume(const struct run *run, struct rondo_error *err)
{
	bool may_pass = err->code == RONDO_ERROR_TRANSIENT || err->code == RONDO_ERROR_CANCELLED;
	if (!run->has_begun || !may_pass)
		return;
	const char *help = arena_printf(run->arena, "%s%s", err->help, *err->help ? "; " : "");
	error_help(err, "%srondo resume goes on from here", help);
}

int run_finish(struct run *run, bool begun, int status, struct rondo_error *err)
{
	bool is_void = run->dry_run || (status < 0 && err->code == RONDO_ERROR_USAGE && !run->has_begun && !run->past);
	if (begun && !run->is_rebuilding) /* of a journal that cannot be taken up, nothing is changed */
		status = run_conclude(run, status, err);
	if (status < 0)
		offer_resume(run, err);
	if (run->paths.dir && is_void) {
		struct rondo_error ignored;
		file_remove_tree(run->paths.dir, &ignored);
		run->result->dir = NULL;
	}
	run_end(run);
	return status;
}

int run_carry_out(const struct run_order *order, const struct context *ctx, struct arena *arena,
	struct run_result *result, struct rondo_error *err)
{
	int64_t start_ms = clock_now_ms();
	struct run run;
	int status = run_begin(&run, order, ctx, arena, result, err);
	bool begun = status == 0;
	if (begun)
		status = work(&run, err);
	result->duration_ms = clock_now_ms() - start_ms;
	return run_finish(&run, begun, status, err);
}
