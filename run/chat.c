/* The team of a fix: repair, executor, tester, round after round until the tests pass. */
#include <string.h>

#include "base/memory.h"
#include "chat/candidates.h"
#include "run/fix.h"

static const char *task_text(const struct fix_run *run, struct arena *arena)
{
	AUTO_STRBUF text = STRBUF_INIT(STRBUF_LINE);
	strbuf_addf(&text, "Make the failing tests of %s pass (%s):", run->result->name, run->suite.command);
	for (size_t i = 0; i < run->result->n_goal; i++)
		strbuf_addf(&text, "\n%s", run->result->goal[i].id);
	return arena_strdup(arena, text.text);
}

static int make_team(struct fix_run *run, struct rondo_error *err)
{
	static const struct agent_type *const types[] = {&repair_agent, &executor_agent, &tester_agent};
	static const char *const names[] = {"coder", "executor", "tester"};
	for (size_t i = 0; i < ARRAY_SIZE(types); i++)
		run->agents[i] = agent_new(types[i], names[i], &run->kit);
	struct termination *done =
		termination_new(run->arena, &tests_pass_termination, NULL, 0, NULL, 0, err);
	if (!done)
		return -1;
	return team_new(&round_robin_team, run->agents, ARRAY_SIZE(types), done, (int)run->limits.turns,
		&run->team, err);
}

/* How far the best state got, as the tester said it. */
static void take_progress(struct fix_run *run, const struct rondo_message *message)
{
	struct rondo_error err;
	struct fix_result *result = run->result;
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

/* The last edit that was proposed says what was wrong; the coder's last words say why it stopped. */
static void take_words(struct fix_run *run)
{
	struct fix_result *result = run->result;
	for (size_t i = 0; i < run->team->thread.n; i++) {
		const struct rondo_message *message = run->team->thread.messages[i];
		take_progress(run, message);
		if (message->type == RONDO_MESSAGE_EDIT)
			result->what = arena_strdup(run->arena, message->content);
		if (message->type == RONDO_MESSAGE_STOP)
			result->stop_reason = arena_strdup(run->arena, message->content);
	}
	result->turns = run->team->turn;
}

int chat_run(struct fix_run *run, struct rondo_error *err)
{
	AUTO_ARENA arena = ARENA_INIT;
	if (make_team(run, err) < 0)
		return -1;
	AUTO_JSON *report = test_report_to_json(&run->reports[0]);
	AUTO_FREE char *data = json_print(report);
	struct rondo_message task = {.type = RONDO_MESSAGE_TEXT, .source = "user",
		.content = task_text(run, &arena), .data = data};
	struct rondo_task_result result;
	int status = team_run(run->team, &task, &result, &run->ctx, err);
	take_words(run);
	if (status == 0 && !run->result->stop_reason)
		run->result->stop_reason = arena_strdup(run->arena, result.stop_reason);
	return status;
}

void chat_close(struct fix_run *run)
{
	team_free(run->team);
	for (size_t i = 0; i < ARRAY_SIZE(run->agents); i++)
		agent_free(run->agents[i]);
}
