/*
 * The runs of a team of the API. What it was told becomes a scenario, a components and a site once;
 * each run is one more chat on them. Where that cannot be opened all of it is given up, but for
 * what the team knows, and the next run starts over.
 */
#include <string.h>

#include "base/file.h"
#include "base/memory.h"
#include "chat/message.h"
#include "chat/usage.h"
#include "run/api/team.h"
#include "run/scenario/config.h"

/* --- From what was told to a scenario --- */

/* An agent or a condition of the caller's as the reader would have left it. */
static struct option_spec own_spec(struct arena *arena, const struct option_family *family,
	const char *name, const void *type, const void *own)
{
	return (struct option_spec){.name = name,
		.type = {.name = name, .self = type},
		.state = arena_memdup(arena, &own, sizeof own),
		.common = arena_alloc(arena, family->common_size),
		.place = {.origin = arena_printf(arena, "%s '%s'", family->noun, name)}};
}

static void add_own_agents(struct rondo_team *team)
{
	struct option_specs *agents = &team->scenario.agents;
	for (size_t i = 0; i < team->n_agents; i++) {
		const struct own_agent *own = team->agents[i];
		struct option_spec spec =
			own_spec(&team->made, &agent_family, own->name, &own_agent_type, own);
		spec.type.name = own_agent_type.name;
		ARENA_PUSH(&team->made, agents->items, agents->n, spec);
	}
}

static void add_own_conditions(struct rondo_team *team)
{
	struct team_options *options = team->scenario.team.common;
	struct option_specs *conditions = &options->termination;
	for (size_t i = 0; i < team->n_conditions; i++) {
		const struct own_condition *own = team->conditions[i];
		ARENA_PUSH(&team->made, conditions->items, conditions->n,
			own_spec(&team->made, &termination_family, own->type.name, &own->type, own));
	}
	ARENA_PUSH(&team->made, conditions->items, conditions->n,
		own_spec(&team->made, &termination_family, stop_requested_type.name, &stop_requested_type,
			team));
}

static int make_scenario(struct rondo_team *team, struct rondo_error *err)
{
	struct scenario *scenario = &team->scenario;
	struct problems problems = {.arena = &team->made};
	if (team->fix) {
		struct fix_options options = {.path = team->fix, .tree = team->root};
		return order_fix_scenario(scenario, &options, &team->made, err);
	}
	scenario_init(scenario, &team->made);
	config_read(scenario, NULL, NULL, &problems);
	if (team->path)
		scenario_lies_at(scenario, team->path);
	scenario_take(scenario, team->root, &(struct scenario_settings){0}, &problems);
	scenario->test_from = team->path ? file_name(team->path) : "the caller";
	if (!scenario->name)
		scenario->name = team->path ? file_name(team->path) : "team";
	add_own_agents(team);
	if (!problems.n && !scenario->team.common)
		return error_set(err, RONDO_ERROR_USAGE, "the team has no agents: rondo_team_add_agent");
	if (!problems.n)
		scenario_check(scenario, NULL, &problems);
	return problems_error(&problems, err);
}

/* --- Making and opening --- */

static int make_run(struct rondo_team *team, struct rondo_error *err)
{
	struct order order = {
		.scenario = &team->scenario, .secrets = &team->secrets, .may_lack_task = true};
	team->ctx = (struct context){.emit = {own_observe, team}, .cancel = &team->cancel};
	if (team->answerer.call)
		team->ctx.ask = (struct context_ask){own_answer, team};
	int status = run_begin(&team->run, &order, &team->ctx, &team->made, &team->report, err);
	if (status == 0)
		status = run_make_team(&team->run, err);
	if (status == 0 && team->kept)
		status = api_load(team, team->kept, err);
	return status < 0 ? run_end(&team->run, status, err) : 0;
}

/* What lives only as long as what was made. */
static void forget_made(struct rondo_team *team)
{
	team->stage = TEAM_TOLD;
	team->told = (struct rondo_result){0};
	team->secrets = (struct secrets){0};
	team->n_chats = 0;
	team->is_done = false;
	arena_release(&team->talk);
	arena_release(&team->made);
}

int api_make(struct rondo_team *team, struct rondo_error *err)
{
	if (team->stage != TEAM_TOLD)
		return 0;
	int status = make_scenario(team, err);
	if (status == 0)
		add_own_conditions(team);
	if (status == 0)
		status = scenario_secrets(&team->scenario, NULL, &team->secrets, err);
	if (status == 0)
		status = make_run(team, err);
	if (status < 0) {
		forget_made(team);
		return -1;
	}
	free(STEAL(&team->kept));
	team->stage = TEAM_MADE;
	return 0;
}

static int open_run(struct rondo_team *team, struct rondo_error *err)
{
	if (run_open(&team->run, &team->is_done, err) < 0) {
		team->kept = team->run.components.team->thread.n ? api_save(team) : NULL;
		run_end(&team->run, -1, err);
		forget_made(team);
		return -1;
	}
	team->opened = team->report;
	team->stage = TEAM_OPEN;
	return 0;
}

void api_close(struct rondo_team *team)
{
	struct rondo_error ignored;
	if (team->stage == TEAM_TOLD)
		return;
	if (!team->n_chats) /* there is nothing to tell of it */
		file_remove_tree(team->run.env.paths.dir, &ignored);
	run_release(&team->run);
	forget_made(team);
}

/* --- One run --- */

/* What the last chat came to, also where its time limit cut it off. */
static void tell_task(struct rondo_team *team)
{
	const struct team *inner = team->run.components.team;
	const struct talk_facts *talk = &team->run.talk->facts;
	team->task = team->run.talk->result;
	if (team->task.stop_reason)
		return;
	struct message_span said = message_thread_since(&inner->thread, inner->progress.first);
	team->task = (struct rondo_task_result){.messages = said.messages,
		.n = said.n,
		.stop_reason = talk->stop_reason,
		.stop_condition = talk->stop.condition,
		.stop_kind = talk->stop.stop_kind,
		.duration_ms = team->report.duration_ms};
	for (size_t i = 0; i < said.n; i++)
		usage_add(&team->task.usage, &said.messages[i]->models_usage);
}

static const char *report_text_of(struct rondo_team *team)
{
	AUTO_STRBUF text = STRBUF_INIT(STRBUF_RECORD);
	AUTO_FREE char *json = run_report_json(&team->report, NULL, NULL);
	secrets_redact(&team->secrets, &text, json, strlen(json));
	return arena_strndup(&team->talk, text.text, text.length);
}

static void tell_result(struct rondo_team *team)
{
	const struct run_report *report = &team->report;
	struct rondo_result told = {.outcome = run_outcome_word(report->outcome),
		.exit_code = run_outcome_exit_code(report->outcome),
		.reason = report->reason,
		.run = report->id,
		.dir = report->dir,
		.cost_usd = report->spent.cost_usd};
	if (report->talk) {
		tell_task(team);
		told.task = &team->task;
		told.summary = report->talk->summary;
	}
	if (report->publication) {
		told.branch = report->publication->branch;
		told.commit = report->publication->commit;
		told.files = report->publication->files;
	}
	if (report->change) {
		told.patch = report->change->patch;
		told.patch_length = report->change->patch_length;
	}
	told.report = report_text_of(team);
	team->told = told;
}

/* As the run was when it was opened, with an arena of its own. */
static void begin_chat(struct rondo_team *team)
{
	team->told = (struct rondo_result){0};
	arena_release(&team->talk);
	team->report = team->opened;
	team->run.env.arena = &team->talk;
}

/* The limit of time goes from here, whenever the team was made. */
static int get_ready(struct rondo_team *team, struct rondo_error *err)
{
	bool is_open = team->stage == TEAM_OPEN;
	if (is_open)
		begin_chat(team);
	if (run_again(&team->run, team->n_chats + 1, err) < 0)
		return -1;
	if (!is_open) {
		if (open_run(team, err) < 0)
			return -1;
		begin_chat(team);
	}
	team->n_chats++;
	return 0;
}

int api_talk(struct rondo_team *team, const char *task, struct rondo_error *err)
{
	int status = 0;
	if (cancel_reason(&team->cancel))
		return cancel_error(&team->cancel, err);
	if (api_make(team, err) < 0 || get_ready(team, err) < 0)
		return -1;
	if (!team->is_done)
		status = run_talk(&team->run, task, err);
	status = run_write_report(&team->run, status, err);
	if (status == 0)
		tell_result(team);
	return status;
}
