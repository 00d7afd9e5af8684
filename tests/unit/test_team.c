/* The group chat with agents that follow a script. */
#include "tests/unit/unit.h"

#include <stdio.h>

#include "base/memory.h"
#include "team/team.h"

/* What an agent says, turn by turn: "-" passes, "!" fails, "?" is a search. */
struct script {
	const char *const *lines;
	size_t at, unseen[32];
};

static struct script scripts[3];

static int follow(struct agent *agent, struct message_span unseen, struct arena *arena,
	struct response *response, const struct context *ctx, struct rondo_error *err)
{
	(void)ctx;
	struct script *script = &scripts[agent->name[0] - 'a'];
	const char *line = script->lines[script->at] ? script->lines[script->at] : "-";
	script->unseen[script->at++] = unseen.n;
	for (size_t i = 0; i < unseen.n; i++)
		assert_string_not_equal(unseen.messages[i]->source, agent->name);
	if (*line == '!')
		return error_set(err, RONDO_ERROR_INTERNAL, "broken");
	response->pass = *line == '-';
	response->message.type = *line == '?' ? RONDO_MESSAGE_CANDIDATES : RONDO_MESSAGE_TEXT;
	response->message.content = arena_strdup(arena, line);
	return 0;
}

static const struct agent_type scripted = {.name = "scripted", .summary = "follows a script", .on_messages = follow};

static struct agent *agents[3];
static struct arena arena;

static struct team *new_team(size_t n, struct termination *condition, int max_turns,
	const char *const *a, const char *const *b, const char *const *c)
{
	static const char *const names[] = {"a", "b", "c"};
	const char *const *lines[] = {a, b, c};
	struct rondo_error err;
	struct team *team;
	for (size_t i = 0; i < n; i++) {
		agents[i] = agent_new(&scripted, names[i], NULL, NULL);
		scripts[i] = (struct script){.lines = lines[i]};
	}
	struct team_rules rules = {.termination = condition, .max_turns = max_turns};
	assert_int_equal(team_new(&round_robin_team, agents, n, &rules, &team, &err), 0);
	return team;
}

static void free_team(struct team *team)
{
	for (size_t i = 0; i < team->n; i++)
		agent_free(agents[i]);
	team_free(team);
	arena_release(&arena);
}

static struct rondo_task_result run(struct team *team, const char *task)
{
	struct rondo_error err;
	struct context ctx = {0};
	struct rondo_task_result result;
	struct rondo_message message = {.source = "user", .content = task};
	const struct rondo_message *said = &message;
	assert_int_equal(team_run(team, (struct message_span){&said, task != NULL}, &result, &ctx, &err), 0);
	return result;
}

static struct termination *on_word(void)
{
	return termination_new(&arena, &text_mention_termination, NULL, NULL, NULL);
}

#define LINES(...) ((const char *const[]){__VA_ARGS__, NULL})

static void speaks_in_turns_and_shows_what_is_new(void **state)
{
	(void)state;
	struct team *team = new_team(3, on_word(), 0, LINES("a1", "a2"), LINES("-", "b2"), LINES("c1", "TERMINATE"));
	struct rondo_task_result result = run(team, "task");
	assert_int_equal(result.n, 6);
	static const char *const expected[] = {"task", "a1", "c1", "a2", "b2", "TERMINATE"};
	for (size_t i = 0; i < 6; i++)
		assert_string_equal(result.messages[i]->content, expected[i]);
	assert_int_equal(scripts[0].unseen[0], 1);
	assert_int_equal(scripts[0].unseen[1], 1);
	assert_int_equal(scripts[1].unseen[1], 2);
	assert_string_equal(result.stop_reason, "Text 'TERMINATE' mentioned");
	assert_int_equal(result.verdict, RONDO_VERDICT_SUCCESS);
	free_team(team);
}

static void goes_on_where_it_stood(void **state)
{
	(void)state;
	struct team *team = new_team(2, on_word(), 0, LINES("TERMINATE", "a2"), LINES("b1", "TERMINATE"), NULL);
	assert_int_equal(run(team, "first").n, 2);
	struct rondo_task_result second = run(team, "second");
	assert_string_equal(second.messages[1]->source, "b");
	assert_int_equal(scripts[1].unseen[0], 3);
	assert_int_equal(second.n, 4);
	free_team(team);
}

static void stops_at_the_limit_of_turns_and_not_for_searches(void **state)
{
	(void)state;
	struct team *team = new_team(2, NULL, 3, LINES("a1", "?", "?", "a4"), LINES("-", "-", "b3", "b4"), NULL);
	struct rondo_task_result result = run(team, "task");
	assert_string_equal(result.stop_reason, "Maximum number of turns 3 reached.");
	assert_int_equal(result.verdict, RONDO_VERDICT_LIMIT);
	assert_string_equal(result.messages[result.n - 1]->content, "a4");
	free_team(team);
}

static void stops_when_nobody_has_anything_to_say(void **state)
{
	(void)state;
	struct team *team = new_team(3, NULL, 0, LINES("a1", "-"), LINES("-", "-"), LINES("-", "-"));
	struct rondo_task_result result = run(team, "task");
	assert_string_equal(result.stop_reason, "nobody has anything more to say");
	assert_int_equal(result.verdict, RONDO_VERDICT_STALL);
	assert_int_equal(result.n, 2);
	free_team(team);
}

static void stays_usable_when_an_agent_fails(void **state)
{
	(void)state;
	struct rondo_error err;
	struct context ctx = {0};
	struct rondo_task_result result;
	const struct rondo_message *task = &(struct rondo_message){.source = "user", .content = "task"};
	struct team *team = new_team(2, on_word(), 0, LINES("a1", "TERMINATE"), LINES("!", "b2"), NULL);
	assert_int_equal(team_run(team, (struct message_span){&task, 1}, &result, &ctx, &err), -1);
	assert_string_equal(err.message, "agent 'b': broken");
	result = run(team, "again");
	assert_string_equal(result.stop_reason, "Text 'TERMINATE' mentioned");
	free_team(team);
}

static int refuse_record(void *owner, const struct rondo_event *event, struct rondo_error *err)
{
	int *left = owner;
	if (event->type == RONDO_EVENT_MESSAGE && --*left < 0)
		return error_set(err, RONDO_ERROR_TRANSIENT, "disk full");
	return 0;
}

static void says_nothing_that_could_not_be_recorded(void **state)
{
	(void)state;
	int left = 2;
	struct rondo_error err;
	struct context ctx = {.record = {refuse_record, &left}};
	struct rondo_task_result result;
	const struct rondo_message *task = &(struct rondo_message){.source = "user", .content = "task"};
	struct team *team = new_team(2, NULL, 9, LINES("a1"), LINES("b1"), NULL);
	assert_int_equal(team_run(team, (struct message_span){&task, 1}, &result, &ctx, &err), -1);
	assert_int_equal(err.code, RONDO_ERROR_TRANSIENT);
	assert_int_equal(team->thread.n, 2);
	free_team(team);
}

static void refuses_wrong_teams(void **state)
{
	(void)state;
	struct rondo_error err;
	struct team *team;
	struct team_rules rules = {.max_turns = 1};
	struct agent *twins[] = {agent_new(&scripted, "a", NULL, NULL), agent_new(&scripted, "a", NULL, NULL)};
	assert_int_equal(team_new(&round_robin_team, twins, 0, &rules, &team, &err), -1);
	assert_string_equal(err.message, "a team needs at least one participant");
	assert_int_equal(team_new(&round_robin_team, twins, 2, &rules, &team, &err), -1);
	assert_string_equal(err.message, "two participants have the name 'a'");
	agent_free(twins[0]);
	agent_free(twins[1]);
}

static void reset_forgets_everything(void **state)
{
	(void)state;
	struct team *team = new_team(2, on_word(), 0, LINES("TERMINATE", "TERMINATE"), LINES("b1"), NULL);
	run(team, "first");
	team_reset(team);
	assert_int_equal(team->thread.n, 0);
	assert_string_equal(run(team, "second").messages[1]->source, "a");
	free_team(team);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(speaks_in_turns_and_shows_what_is_new),
		cmocka_unit_test(goes_on_where_it_stood),
		cmocka_unit_test(stops_at_the_limit_of_turns_and_not_for_searches),
		cmocka_unit_test(stops_when_nobody_has_anything_to_say),
		cmocka_unit_test(stays_usable_when_an_agent_fails),
		cmocka_unit_test(says_nothing_that_could_not_be_recorded),
		cmocka_unit_test(refuses_wrong_teams),
		cmocka_unit_test(reset_forgets_everything),
	};
	return RUN_TESTS(tests);
}
