/* The chat of a run: the cast speaks until it stops; what was said says how far it came. */
#include <inttypes.h>
#include <string.h>

#include "base/memory.h"
#include "chat/candidates.h"
#include "run/stages.h"

/* Where a suite is to become green, and the scenario says nothing else. */
static const char *default_task(const struct run *run, struct arena *arena)
{
	AUTO_STRBUF text = STRBUF_INIT(STRBUF_LINE);
	if (run->suite.program)
		strbuf_addf(&text, "Make the assertions of %s hold:", run->suite.program);
	else if (run->is_workspace)
		strbuf_addf(&text, "Make the failing tests pass (%s):", run->suite.command);
	else
		strbuf_addf(&text, "Make the failing tests of %s pass (%s):", run->result->name, run->suite.command);
	for (size_t i = 0; i < run->result->n_goal; i++)
		strbuf_addf(&text, "\n%s", run->result->goal[i].id);
	return arena_strdup(arena, text.text);
}

/* How far the best state got, as the tester said it. */
static void take_progress(struct run *run, const struct rondo_message *message)
{
	struct rondo_error err;
	struct run_result *result = run->result;
	if (!message->data)
		return;
	AUTO_JSON *json = json_parse(message->data, strlen(message->data), &err);
	size_t fixed = 0;
	if (message->type == RONDO_MESSAGE_TEST_REPORT)
		fixed = json_count(json_get(json, "fixed"));
	const struct json *item = json_first(json_get(json, "progress"));
	for (; item; item = json_next(item))
		if ((size_t)json_int(item, "fixed", 0) > fixed)
			fixed = (size_t)json_int(item, "fixed", 0);
	if (fixed > result->n_fixed)
		result->n_fixed = fixed;
}

/* What the coder without a model tried. */
static void take_trial(struct run_search *search, const struct rondo_message *message)
{
	struct rondo_error err;
	AUTO_JSON *json = json_parse(message->data, strlen(message->data), &err);
	search->n_tried += (size_t)json_int(json, "tried", 0);
	search->ms += json_int(json, "ms", 0);
	search->warm = json_bool(json, "warm", false);
}

/* That all tests pass is no proof: what else passes, and what such edits are worth. */
static const char *confidence_of(const struct run_search *search)
{
	bool is_doubtful = strcmp(search->rank, "special case") == 0 || strcmp(search->rank, "removal") == 0;
	bool all_alike = search->n_others + 1 == search->n_alike;
	return is_doubtful ? "low" : search->n_others && !all_alike ? "medium" : "high";
}

/* Why it took the edit that it proposes now. */
static void take_choice(struct run *run, const struct json *json)
{
	struct run_search *search = &run->result->search;
	const struct json *choice = json_get(json, "choice"), *item = json_first(json_get(choice, "others"));
	const char **others = NULL;
	size_t n = 0;
	for (; item; item = json_next(item))
		ARENA_PUSH(run->arena, others, n, arena_strdup(run->arena, json_text(item, "")));
	search->kind = arena_strdup(run->arena, json_string(choice, "kind", NULL));
	search->rank = arena_strdup(run->arena, json_string(choice, "rank", NULL));
	search->n_asked = (size_t)json_int(choice, "asked", 0);
	search->n_alike = (size_t)json_int(choice, "alike", 0);
	search->others = others;
	search->n_others = n;
	search->confidence = search->kind && search->rank ? confidence_of(search) : NULL;
}

/* Its first line says what is changed; behind an empty one stands what a model said. One that only takes the last one back
 * says nothing: the best state may still be the one that it left. */
static void take_edit(struct run *run, const struct rondo_message *message)
{
	struct rondo_error err;
	struct run_result *result = run->result;
	AUTO_JSON *json = message->data ? json_parse(message->data, strlen(message->data), &err) : NULL;
	if (json_bool(json, "undo", false))
		return;
	const char *content = message->content;
	const char **edits = (const char **)(uintptr_t)result->edits, *gap = strstr(content, "\n\n");
	result->what = arena_strndup(run->arena, content, strcspn(content, "\n"));
	result->said = gap ? arena_strdup(run->arena, gap + 2) : NULL;
	ARENA_PUSH(run->arena, edits, result->n_edits, result->what);
	result->edits = edits;
	take_choice(run, json);
}

/* The last edit that was proposed says what was wrong; the coder's last words say why it stopped. */
static void take_words(struct run *run)
{
	struct run_result *result = run->result;
	struct message_span said = message_thread_since(&run->cast.team->thread, run->cast.team->progress.first);
	for (size_t i = 0; i < said.n; i++) {
		const struct rondo_message *message = said.messages[i];
		take_progress(run, message);
		if (message->type == RONDO_MESSAGE_EDIT)
			take_edit(run, message);
		if (message->type == RONDO_MESSAGE_CANDIDATE_RESULTS && message->data)
			take_trial(&run->result->search, message);
		if (message->type == RONDO_MESSAGE_STOP)
			result->stop_reason = arena_strndup(run->arena, message->content, strcspn(message->content, "\n"));
	}
	const struct team *team = run->cast.team;
	result->turns = team->progress.counted_turns;
	result->n_messages = team->thread.n - team->progress.first;
	result->n_rounds = ((size_t)team->progress.turn + team->n - 1) / team->n;
}

/* Which condition, which message, whose. */
static void take_stop(struct run *run)
{
	struct run_result *result = run->result;
	const struct rondo_task_result *from = &run->task_result;
	const struct rondo_message *message = from->stop_message;
	result->verdict = from->verdict;
	result->left_unexecuted = from->left_unexecuted;
	result->stop_condition = arena_strdup(run->arena, from->stop_condition);
	AUTO_STRBUF text = STRBUF_INIT(STRBUF_LINE);
	strbuf_addf(&text, "by %s", from->stop_condition);
	if (from->verdict != RONDO_VERDICT_SUCCESS)
		strbuf_addf(&text, " (%s)", run_verdict_word(from->verdict));
	if (message) {
		result->stop_message = message->id;
		result->stop_source = arena_strdup(run->arena, message->source);
		strbuf_addf(&text, " at message %" PRId64 " of %s", message->id, message->source);
	}
	strbuf_addf(&text, ", after %zu message%s in %zu round%s", result->n_messages,
		result->n_messages == 1 ? "" : "s", result->n_rounds, result->n_rounds == 1 ? "" : "s");
	result->stopped = arena_strdup(run->arena, text.text);
}

/* The task says what is wanted; behind it stands what fails at the base. Where something was said before, there may be none. */
static bool has_task(const struct run *run, struct arena *arena, struct rondo_message *ret_task)
{
	bool is_first = run->cast.team->thread.n == 0;
	const char *task = run->task || !is_first ? run->task : run->scenario->task;
	*ret_task = (struct rondo_message){.type = RONDO_MESSAGE_TEXT, .source = "user", .content = task};
	if (!run->has_suite || !is_first)
		return task;
	if (!task)
		ret_task->content = default_task(run, arena);
	AUTO_JSON *report = test_report_to_json(&run->reports[0]);
	AUTO_FREE char *data = json_print(report);
	ret_task->data = arena_strdup(arena, data);
	return true;
}

/* Whether what a chat that stopped came to is what was wanted; with a suite the gate says that. */
static void conclude(struct run *run)
{
	struct run_result *result = run->result;
	if (!result->stop_reason)
		result->stop_reason = arena_strdup(run->arena, run->task_result.stop_reason);
	take_stop(run);
	if (run->has_suite)
		return;
	result->outcome = result->verdict == RONDO_VERDICT_SUCCESS ? RUN_DONE : RUN_STOPPED;
	result->reason = result->stop_reason;
}

void chat_take_costs(struct run *run)
{
	struct run_result *result = run->result;
	struct cast *cast = &run->cast;
	AUTO_STRBUF spent = STRBUF_INIT(STRBUF_LINE);
	tally_price(&run->tally, cast->models, cast->n_models);
	result->by_agent = run->tally.agents;
	result->n_by_agent = run->tally.n_agents;
	result->by_model = run->tally.models;
	result->n_by_model = run->tally.n_models;
	result->models = NULL;
	for (size_t i = 0; i < cast->n_models; i++) {
		const struct model *model = cast->models[i];
		if (!model->calls)
			continue;
		result->models = result->models ? arena_printf(run->arena, "%s, %s", result->models, model->name)
						: arena_strdup(run->arena, model->name);
	}
	if (!cast->budget.calls)
		return;
	budget_describe(&cast->budget, &spent);
	result->spent = arena_strdup(run->arena, spent.text);
	result->calls = cast->budget.calls;
	result->usage = cast->budget.usage;
	result->cost_usd = cast->budget.calls_of_unknown_cost ? -1 : cast->budget.usd;
}

/* Who would wait for an answer that nobody can give. */
static int find_human(const struct run *run, const struct agent *agent, struct rondo_error *err)
{
	if (run->ctx.ask.call || agent_human(agent)->default_answer)
		return 0;
	error_set(err, RONDO_ERROR_USAGE,
		"agent '%s' asks a human, and standard input is no terminal, or --json or --quiet is given", agent->name);
	return error_help(err,
		"run it at a terminal; or give it an answer by -s agents.%s.default_answer=TEXT, or -s agents.%s.human_input_mode=NEVER",
		agent->name, agent->name);
}

static int announce_human(struct run *run, const struct agent *agent, struct rondo_error *err)
{
	const struct human *human = agent_human(agent);
	bool each_turn = agent_asks_first(agent);
	if (!run->ctx.ask.call)
		return run_notice(run, err, "agent '%s' asks nobody: each answer is '%s', its default", agent->name,
			human->default_answer);
	return run_notice(run, err, "agent '%s' asks you%s%s", agent->name,
		each_turn ? ", each turn" : " when an agent says ", each_turn ? "" : human->terminate_on);
}

int chat_prepare(struct run *run, struct rondo_error *err)
{
	struct past *past = run->past;
	const struct cast *cast = &run->cast;
	if (cast_make(&run->cast, run->scenario, &run->kit, run->secrets, past ? &past->replies : NULL, err) < 0)
		return -1;
	run->cast.conditions_kit.stop_requested = run->stop_requested;
	for (size_t i = 0; i < cast->n_agents; i++)
		if (agent_human(cast->agents[i]) && find_human(run, cast->agents[i], err) < 0)
			return -1;
	if (past && past->chat && resume_chat(run, err) < 0)
		return -1;
	for (size_t i = 0; i < cast->n_agents; i++)
		if (agent_human(cast->agents[i]) && announce_human(run, cast->agents[i], err) < 0)
			return -1;
	return 0;
}

int chat_start(struct run *run, struct rondo_error *err)
{
	for (size_t i = 0; i < run->cast.n_agents; i++)
		if (agent_start(run->cast.agents[i], &run->ctx, err) < 0)
			return -1;
	return 0;
}

int chat_run(struct run *run, struct rondo_error *err)
{
	AUTO_ARENA arena = ARENA_INIT;
	struct rondo_message message;
	const struct rondo_message *task = &message;
	bool was_begun = run->past && run->past->chat;
	size_t n = was_begun ? 0 : has_task(run, &arena, &message);
	run->has_begun = true;
	run->task_result = (struct rondo_task_result){0};
	if (was_begun && run->has_site && keep_restore_desk(run, err) < 0)
		return -1;
	int status = was_begun ? team_resume(run->cast.team, &run->task_result, &run->ctx, err)
			       : team_run(run->cast.team, (struct message_span){&task, n}, &run->task_result, &run->ctx, err);
	take_words(run);
	chat_take_costs(run);
	if (status == 0)
		conclude(run);
	return status;
}
