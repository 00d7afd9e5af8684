/* Teams of the public API as they run: the peers' cases, runs one after the other, state, two at
 * once. */
#include "tests/unit/api_fixture.h"

#include <pthread.h>

struct counter {
	size_t count, most;
	int resets;
};

/* AutoGen's MaxMessageTermination, as its FunctionalTermination. */
static int count_messages(void *owner, const struct rondo_message *const *delta, size_t n,
	struct rondo_reply *why, struct rondo_error *error)
{
	struct counter *self = owner;
	(void)delta, (void)why, (void)error;
	self->count += n;
	return self->count >= self->most;
}

static void counter_reset(void *owner)
{
	struct counter *self = owner;
	self->resets++;
	self->count = 0;
}

static void add_counter(struct rondo_team *team, struct counter *self)
{
	struct rondo_condition condition = {.size = sizeof condition,
		.check = count_messages,
		.on_reset = counter_reset,
		.owner = self,
		.stop_kind = RONDO_STOP_LIMIT};
	assert_ok(rondo_team_add_own_condition(team, "enough", &condition, &err));
}

/* --- Cases of the peers (semantics.md 8.1) --- */

/* 1; and 3, whose task is a message: here a task is always the text of one, from "user". */
static void a_coder_and_an_executor_until_a_word(void **state)
{
	(void)state;
	struct rondo_team *team = new_team();
	assert_ok(rondo_team_add_model(team, "said",
		"{replay: {replies: [\"Here is the program\\n ```python\\nprint(\\\"Hello, "
		"world!\\\")\\n```\", TERMINATE]}}",
		&err));
	assert_ok(rondo_team_add_agent(team, "coder", "{type: coder, model: said}", &err));
	assert_ok(rondo_team_add_agent(team, "runs", "executor", &err));
	assert_ok(rondo_team_add_condition(team, "{text_mention: TERMINATE}", &err));
	assert_ok(rondo_team_set(team, "executor.type", "local", &err));
	const struct rondo_result *result = run(team, "Write a program that prints 'Hello, world!'");
	ASSERT_SOURCES(result, "user", "coder", "runs", "coder");
	assert_string_equal(result->task->messages[2]->content,
		"exitcode: 0 (execution succeeded)\n"
		"Code output: Hello, world!\n");
	assert_string_equal(result->task->stop_reason, "Text 'TERMINATE' mentioned");
	assert_string_equal(result->task->stop_condition, "text_mention");
	assert_ptr_equal(result->task->stop_message, result->task->messages[3]);
	assert_string_equal(result->outcome, "done");
	assert_int_equal(result->exit_code, 0);
	assert_true(result->cost_usd >= 0);
	rondo_team_free(team);
}

/* 11, 13 */
static void a_reset_begins_with_the_first_again(void **state)
{
	(void)state;
	struct echo echoes[4];
	struct counter counter = {.most = 3};
	struct rondo_team *team = echo_team(echoes, 4);
	add_counter(team, &counter);
	ASSERT_SOURCES(run(team, "Write a program."), "user", "agent_1", "agent_2");
	const struct rondo_result *result = run(team, NULL);
	ASSERT_SOURCES(result, "agent_3", "agent_4", "agent_1");
	assert_string_equal(result->task->stop_reason, "Functional termination condition met");
	assert_string_equal(result->task->stop_condition, "enough");
	assert_int_equal(result->task->stop_kind, RONDO_STOP_LIMIT);
	assert_int_equal(result->exit_code, 1);
	assert_ok(rondo_team_reset(team, &err));
	assert_int_equal(echoes[0].resets, 1);
	assert_true(counter.resets >= 3);
	ASSERT_SOURCES(run(team, "Write a program."), "user", "agent_1", "agent_2");
	rondo_team_free(team);
	assert_int_equal(echoes[0].closes, 1);
}

static void a_reset_rewinds_a_replay(void **state)
{
	(void)state;
	struct rondo_team *team = rondo_team_new(&err);
	assert_ok(rondo_team_add_model(team, "said", "{replay: {replies: [Hello., DONE]}}", &err));
	assert_ok(rondo_team_add_agent(team, "greeter", "coder/said", &err));
	assert_ok(rondo_team_add_condition(team, "{text_mention: DONE}", &err));
	for (int i = 0; i < 2; i++) {
		const struct rondo_result *result = run(team, "Greet me.");
		ASSERT_SOURCES(result, "user", "greeter", "greeter");
		assert_string_equal(result->task->messages[1]->content, "Hello.");
		assert_ok(rondo_team_reset(team, &err));
	}
	rondo_team_free(team);
}

/* 17 */
static void a_limit_of_turns_keeps_who_is_next(void **state)
{
	(void)state;
	struct echo echoes[4];
	struct rondo_team *team = echo_team(echoes, 4);
	assert_ok(rondo_team_set(team, "team.max_turns", "3", &err));
	const struct rondo_result *result = run(team, "Say it.");
	ASSERT_SOURCES(result, "user", "agent_1", "agent_2", "agent_3");
	assert_string_equal(result->task->stop_reason, "Maximum number of turns 3 reached.");
	ASSERT_SOURCES(run(team, NULL), "agent_4", "agent_1", "agent_2");
	rondo_team_free(team);
}

/* 19; and a run after it goes on as if nothing had been (8.9: the peer's team is broken for
 * ever). */
static void a_cancelled_team_can_run_again(void **state)
{
	(void)state;
	struct echo echoes[4];
	struct rondo_team *team = echo_team(echoes, 4);
	assert_ok(rondo_team_set(team, "team.max_turns", "1000", &err));
	echoes[2].cancels_in_turn = 5;
	assert_int_equal(rondo_team_run(team, "Echo.", NULL, &err), -1);
	assert_int_equal(err.code, RONDO_ERROR_CANCELLED);
	assert_string_equal(err.message, "the run was cancelled");
	assert_int_equal(echoes[2].turns, 5);
	const struct rondo_result *result = run(team, NULL);
	assert_string_equal(result->task->stop_reason, "Maximum number of turns 1000 reached.");
	assert_int_equal(result->task->n, 1000);
	rondo_team_free(team);
}

/* 21 has no counterpart, for a task is a text; what is none is refused. */
static void a_task_that_is_no_text_is_refused(void **state)
{
	(void)state;
	struct echo self;
	struct rondo_team *team = echo_team(&self, 1);
	assert_refused(rondo_team_run(team, "caf\xe9", NULL, &err), "the task is no UTF-8 text");
	assert_int_equal(self.turns, 0);
	rondo_team_free(team);
}

static const char scenario[] =
	"models: {said: {replay: {replies: [one, two, three DONE]}}}\n"
	"agents: {a: {type: coder, model: said}, b: {type: coder, model: said}}\n"
	"team: {participants: [a, b], termination: {text_mention: DONE}, max_turns: 7}\n";

/* 23: what a file declares, what a text does, and what calls do is one team. */
static void a_file_a_text_and_calls_make_the_same_team(void **state)
{
	(void)state;
	struct rondo_team *teams[3];
	char *saved[3];
	for (int i = 0; i < 3; i++)
		teams[i] = new_team();
	write_file("team.yaml", scenario);
	assert_ok(rondo_team_read(teams[0], "team.yaml", &err));
	assert_ok(rondo_team_set(teams[1], NULL, scenario, &err));
	assert_ok(rondo_team_add_model(
		teams[2], "said", "{replay: {replies: [one, two, three DONE]}}", &err));
	assert_ok(rondo_team_set(teams[2], "team.max_turns", "7", &err));
	assert_ok(rondo_team_add_agent(teams[2], "a", "{type: coder, model: said}", &err));
	assert_ok(rondo_team_add_agent(teams[2], "b", "coder/said", &err));
	assert_ok(rondo_team_add_condition(teams[2], "{text_mention: DONE}", &err));
	for (int i = 0; i < 3; i++) {
		ASSERT_SOURCES(run(teams[i], "Count."), "user", "a", "b", "a");
		assert_ok(rondo_team_reset(teams[i], &err));
		saved[i] = rondo_team_save(teams[i], &err);
		assert_non_null(saved[i]);
		assert_string_equal(saved[i], saved[0]);
	}
	for (int i = 0; i < 3; i++) {
		free(saved[i]);
		rondo_team_free(teams[i]);
	}
}

/* 9 */
static void a_saved_team_goes_on_in_another_one(void **state)
{
	(void)state;
	struct echo first[3], second[3];
	struct rondo_team *team = echo_team(first, 3), *other = echo_team(second, 3);
	assert_ok(rondo_team_set(team, "team.max_turns", "4", &err));
	assert_ok(rondo_team_set(other, "team.max_turns", "4", &err));
	ASSERT_SOURCES(run(team, "Echo."), "user", "agent_1", "agent_2", "agent_3", "agent_1");
	char *saved = rondo_team_save(team, &err);
	assert_non_null(saved);
	assert_ok(rondo_team_load(other, saved, &err));
	char *again = rondo_team_save(other, &err);
	assert_string_equal(again, saved);
	ASSERT_SOURCES(run(other, "Another."), "user", "agent_2", "agent_3", "agent_1", "agent_2");
	assert_string_equal(second[1].said, "Echo."); /* agent_3's, which it had not seen */
	free(saved);
	free(again);
	rondo_team_free(team);
	rondo_team_free(other);
}

/* 31 */
static struct rondo_team *nested_team(struct echo *echoes)
{
	struct rondo_team *team = echo_team(echoes, 1);
	assert_ok(
		rondo_team_add_model(team, "said", "{replay: {replies: [one, two, three, four]}}", &err));
	assert_ok(rondo_team_set(team, "agents.a", "coder/said", &err));
	assert_ok(rondo_team_set(team, "agents.b", "coder/said", &err));
	assert_ok(
		rondo_team_add_agent(team, "inner", "{team: {participants: [a, b], max_turns: 2}}", &err));
	assert_ok(rondo_team_set(team, "team.max_turns", "2", &err));
	return team;
}

static void a_saved_team_within_a_team_goes_on(void **state)
{
	(void)state;
	struct echo first[1], second[1];
	struct rondo_team *team = nested_team(first), *other = nested_team(second);
	const struct rondo_result *result = run(team, "Count.");
	ASSERT_SOURCES(result, "user", "agent_1", "inner");
	assert_string_equal(result->task->messages[2]->content, "two");
	char *saved = rondo_team_save(team, &err);
	assert_ok(rondo_team_load(other, saved, &err));
	char *again = rondo_team_save(other, &err);
	assert_string_equal(saved, again);
	ASSERT_SOURCES(run(other, "More."), "user", "agent_1", "inner");
	free(saved), free(again);
	rondo_team_free(team);
	rondo_team_free(other);
}

static void a_state_that_does_not_fit_changes_nothing(void **state)
{
	(void)state;
	struct echo first[2], second[3];
	struct rondo_team *team = echo_team(first, 2), *other = echo_team(second, 3);
	assert_ok(rondo_team_set(team, "team.max_turns", "3", &err));
	run(team, "Echo.");
	char *before = rondo_team_save(team, &err), *alien = rondo_team_save(other, &err);
	assert_refused(rondo_team_load(team, alien, &err),
		"the state is of a team with 'agent_3', which is no participant here");
	assert_refused(rondo_team_load(team, "{}", &err), "this is no state of a team");
	assert_int_equal(rondo_team_load(team, "{", &err), -1);
	assert_int_equal(strncmp(err.message, "the state: ", 11), 0);
	char *broken = strdup(before), *at = strstr(broken, "{\"text\":\"Echo.\"}");
	assert_non_null(at);
	memcpy(at, "{\"text\":\"poison\"", 16);
	char *rest = strstr(before, "{\"text\":\"Echo.\"}") + 16,
		 *poisoned = calloc(1, strlen(before) + 2);
	snprintf(poisoned, strlen(before) + 2, "%.*s}%s", (int)(at - broken) + 16, broken, rest);
	assert_int_equal(rondo_team_load(team, poisoned, &err), -1);
	assert_string_equal(err.message, "state of agent 'agent_1': it is poison");
	char *after = rondo_team_save(team, &err);
	assert_string_equal(after, before);
	free(before), free(alien), free(broken), free(poisoned), free(after);
	rondo_team_free(team);
	rondo_team_free(other);
}

/* 167 */
static void a_team_whose_agent_failed_works_normally(void **state)
{
	(void)state;
	struct echo echoes[2];
	struct rondo_team *team = echo_team(echoes, 2);
	const struct rondo_result *result = NULL;
	assert_ok(rondo_team_set(team, "team.max_turns", "3", &err));
	echoes[1].fails_in_turn = 1;
	assert_int_equal(rondo_team_run(team, "Echo.", &result, &err), -1);
	assert_null(result);
	assert_int_equal(err.code, RONDO_ERROR_TRANSIENT);
	assert_string_equal(err.message, "agent 'agent_2': I am flaky");
	ASSERT_SOURCES(run(team, "Again."), "user", "agent_2", "agent_1", "agent_2");
	assert_ok(rondo_team_reset(team, &err));
	ASSERT_SOURCES(run(team, "Once more."), "user", "agent_1", "agent_2", "agent_1");
	rondo_team_free(team);
}

/* --- Two at once --- */

struct job {
	pthread_t thread;
	struct echo echoes[2];
	int messages, failures;
};

static void *run_job(void *owner)
{
	struct job *job = owner;
	struct rondo_error error;
	const struct rondo_result *result;
	struct rondo_team *team = rondo_team_new(&error);
	struct rondo_agent agent = {.size = sizeof agent, .on_messages = echo};
	for (int i = 0; i < 2; i++) {
		agent.owner = &job->echoes[i];
		job->failures += rondo_team_add_own_agent(team, i ? "b" : "a", &agent, &error) < 0;
	}
	job->failures += rondo_team_set(team, "team.max_turns", "20", &error) < 0;
	for (int i = 0; i < 5; i++) {
		int status = rondo_team_run(team, "Echo.", &result, &error);
		job->failures += status < 0;
		job->messages += status < 0 ? 0 : (int)result->task->n;
	}
	rondo_team_free(team);
	return NULL;
}

static void two_teams_in_two_threads(void **state)
{
	(void)state;
	struct job jobs[2] = {0};
	for (int i = 0; i < 2; i++)
		assert_int_equal(pthread_create(&jobs[i].thread, NULL, run_job, &jobs[i]), 0);
	for (int i = 0; i < 2; i++) {
		pthread_join(jobs[i].thread, NULL);
		assert_int_equal(jobs[i].failures, 0);
		assert_int_equal(jobs[i].messages, 5 * 21);
	}
}

/* --- Small things --- */

static int say_nothing(void *owner, const struct rondo_message *const *unseen, size_t n,
	struct rondo_reply *reply, struct rondo_error *error)
{
	struct rondo_message message = {.type = RONDO_MESSAGE_HANDOFF, .content = "to \xff"};
	(void)unseen, (void)n;
	if (*(int *)owner)
		return -1;
	assert_int_equal(rondo_reply_message(reply, &message, error), -1);
	message.data = "{";
	assert_int_equal(rondo_reply_message(reply, &message, error), -1);
	message.data = "{\"target\":\"b\"}";
	message.models_usage.prompt_tokens = -10;
	assert_int_equal(rondo_reply_message(reply, &message, error), -1);
	assert_string_equal(error->message, "nobody can have counted the message's models_usage");
	message.models_usage = (struct rondo_usage){.prompt_tokens = 10, .completion_tokens = 2};
	return rondo_reply_message(reply, &message, error);
}

static void an_agents_message_is_checked(void **state)
{
	(void)state;
	int fails = 0;
	struct rondo_team *team = new_team();
	struct rondo_agent agent = {.size = sizeof agent, .on_messages = say_nothing, .owner = &fails};
	assert_ok(rondo_team_add_own_agent(team, "a", &agent, &err));
	assert_ok(rondo_team_set(team, "team.max_turns", "1", &err));
	const struct rondo_result *result = run(team, NULL); /* the first run without a task is legal */
	ASSERT_SOURCES(result, "a");
	assert_int_equal(result->task->messages[0]->type, RONDO_MESSAGE_HANDOFF);
	assert_string_equal(result->task->messages[0]->content, "to \xef\xbf\xbd");
	assert_int_equal(result->task->usage.prompt_tokens, 10);
	fails = 1;
	assert_int_equal(rondo_team_run(team, NULL, NULL, &err), -1);
	assert_string_equal(err.message, "agent 'a': it failed, and did not say why");
	rondo_team_free(team);
}

static void an_event_is_a_line_of_json(void **state)
{
	(void)state;
	struct rondo_event event = {.type = RONDO_EVENT_NOTICE, .text = "two\nlines"};
	char *line = rondo_event_json(&event);
	assert_string_equal(line, "{\"type\":\"notice\",\"text\":\"two\\nlines\"}");
	free(line);
	rondo_team_free(NULL);
	rondo_result_free(NULL);
}

UNIT(api)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_coder_and_an_executor_until_a_word),
		cmocka_unit_test(a_reset_begins_with_the_first_again),
		cmocka_unit_test(a_reset_rewinds_a_replay),
		cmocka_unit_test(a_limit_of_turns_keeps_who_is_next),
		cmocka_unit_test(a_cancelled_team_can_run_again),
		cmocka_unit_test(a_task_that_is_no_text_is_refused),
		cmocka_unit_test(a_file_a_text_and_calls_make_the_same_team),
		cmocka_unit_test(a_saved_team_goes_on_in_another_one),
		cmocka_unit_test(a_saved_team_within_a_team_goes_on),
		cmocka_unit_test(a_state_that_does_not_fit_changes_nothing),
		cmocka_unit_test(a_team_whose_agent_failed_works_normally),
		cmocka_unit_test(two_teams_in_two_threads),
		cmocka_unit_test(an_agents_message_is_checked),
		cmocka_unit_test(an_event_is_a_line_of_json),
	};
	return RUN_API_TESTS(tests);
}
