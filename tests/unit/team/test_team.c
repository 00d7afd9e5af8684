/*
 * Rounds of a team: order, what is shown, why it stops, and what survives a run. Numbers are those
 * of the peer's cases (RoundRobinGroupChat of AutoGen).
 *
 * Not here: 7 and 21, a task of an unknown type or with a string in its list: the compiler refuses
 * that. 23, a dump of the declaration: test_scenario. 25, a structured message: data of a message,
 * in test_team_state. 27, events that count: events are no messages here, and no condition sees
 * them. 33, a team that cannot hold teams: any type of team can.
 */
#include "tests/unit/team_fixture.h"

#include <malloc.h>

static void speaks_in_turns_and_shows_what_is_new(void **state)
{
	(void)state;
	struct team *team = team_of(&(struct team_rules){.termination = on_word("TERMINATE")},
		LINES("a1", "a2"), LINES("-", "b2"), LINES("c1", "TERMINATE"), NULL);
	struct rondo_task_result result = run(team, "task");
	expect_said(&result, "user: task; a: a1; c: c1; a: a2; b: b2; c: TERMINATE; ");
	assert_int_equal(script_of(team, 0)->unseen[0], 1);
	assert_int_equal(script_of(team, 0)->unseen[1], 1);
	assert_int_equal(script_of(team, 1)->unseen[1], 2);
	assert_string_equal(result.stop_reason, "Text 'TERMINATE' mentioned");
	assert_string_equal(result.stop_condition, "text_mention");
	assert_ptr_equal(result.stop_message, result.messages[5]);
	assert_int_equal(result.stop_kind, RONDO_STOP_SUCCESS);
	assert_int_equal(result.usage.prompt_tokens, 15);
}

/* 1, 3: the coder's text with code, its output, the word. The code runs for real in
 * tests/cli/t4100-teams.t. */
static void ends_with_the_word_of_the_coder(void **state)
{
	(void)state;
	struct team *team = team_of(&(struct team_rules){.termination = on_word("TERMINATE")},
		LINES("=write hello", "TERMINATE"), LINES("+"), NULL, NULL);
	struct rondo_task_result result = run(team, "Write a program that prints 'Hello, world!'");
	assert_int_equal(result.n, 4);
	assert_string_equal(result.messages[2]->content, "done");
	assert_string_equal(result.messages[3]->content, "TERMINATE");
	assert_false(result.left_unexecuted);
}

static void runs_with_a_list_of_messages_or_without_a_task(void **state)
{
	(void)state;
	struct rondo_error err;
	struct context ctx = {0};
	struct rondo_task_result result;
	struct team *team =
		team_of(&(struct team_rules){.max_turns = 1}, LINES("a1", "a2", "a3"), NULL, NULL, NULL);
	result = run(team, NULL); /* the first run may have none */
	expect_said(&result, "a: a1; ");
	assert_int_equal(script_of(team, 0)->unseen[0], 0);
	const struct rondo_message *task[] = {task_message("one"), task_message("")};
	assert_int_equal(team_run(team, (struct message_span){task, 2}, &result, &ctx, &err), 0);
	expect_said(&result, "user: one; user: ; a: a2; ");
	assert_int_equal(script_of(team, 0)->unseen[1], 2);
}

/* The task counts for conditions that count, and one that fires on it leaves nobody to speak. */
static void looks_at_the_task_first(void **state)
{
	(void)state;
	struct team *team = team_of(&(struct team_rules){.termination = after_messages(1)}, LINES("a1"),
		LINES("b1"), NULL, NULL);
	struct rondo_task_result result = run(team, "task");
	expect_said(&result, "user: task; ");
	assert_string_equal(result.stop_reason, "1 of 1");
	assert_int_equal(script_of(team, 0)->n_calls, 0);
}

/* A word of the task is nobody's word (183). */
static void the_task_may_hold_the_word(void **state)
{
	(void)state;
	struct team *team =
		team_of(&(struct team_rules){.termination = on_word("TERMINATE"), .max_turns = 1},
			LINES("a1"), NULL, NULL, NULL);
	struct rondo_task_result result = run(team, "Say TERMINATE at the end");
	expect_said(&result, "user: Say TERMINATE at the end; a: a1; ");
}

/* 11, 13: stops after three messages, and begins with the first again after a reset. */
static void stops_resets_and_begins_again(void **state)
{
	(void)state;
	struct team *team = team_of(&(struct team_rules){.termination = after_messages(3)}, LINES("."),
		LINES("."), LINES("."), LINES("."));
	struct rondo_task_result result = run(team, "task");
	expect_said(&result, "user: task; a: task; b: task; ");
	assert_string_equal(result.stop_reason, "3 of 3");
	team_reset(team);
	assert_int_equal(team->thread.n, 0);
	result = run(team, "task");
	expect_said(&result, "user: task; a: task; b: task; ");
	result = run(team, "more"); /* without a reset: on with the next, who hears all of it */
	expect_said(&result, "user: more; c: task; d: task; ");
}

/* 17: the turns are counted anew, the order goes on. The one who fails is asked again. */
static void keeps_its_place_after_max_turns(void **state)
{
	(void)state;
	struct team *team = team_of(
		&(struct team_rules){.max_turns = 3}, LINES("."), LINES("."), LINES("."), LINES("."));
	struct rondo_task_result result = run(team, "task");
	expect_said(&result, "user: task; a: task; b: task; c: task; ");
	assert_string_equal(result.stop_reason, "Maximum number of turns 3 reached.");
	assert_string_equal(result.stop_condition, "max_turns");
	assert_null(result.stop_message);
	result = run(team, NULL);
	expect_said(&result, "d: task; a: task; b: task; ");
}

static int check_flaky(struct termination *termination, struct message_span delta,
	struct termination_reason *reason, const struct context *ctx, struct rondo_error *err)
{
	(void)delta, (void)reason, (void)ctx;
	bool *failed = termination->state;
	if (*failed)
		return 0;
	*failed = true;
	return error_set(err, RONDO_ERROR_INTERNAL, "I am a flaky termination condition");
}

static const struct termination_type flaky = {
	.name = "flaky", .summary = "fails once", .state_size = sizeof(bool), .check = check_flaky};

/* 15: the error names the condition. What was said stays, and the next run goes on. */
static void an_error_of_a_condition_ends_the_run(void **state)
{
	(void)state;
	struct rondo_error err;
	struct context ctx = {0};
	struct rondo_task_result result;
	struct termination *condition = termination_new(&arena, &flaky, NULL, NULL, NULL);
	struct team *team = team_of(&(struct team_rules){.termination = condition, .max_turns = 2},
		LINES("."), LINES("."), NULL, NULL);
	assert_int_equal(run_in(team, "task", &result, &ctx, &err), -1);
	assert_string_equal(err.message, "condition flaky: I am a flaky termination condition");
	result = run(team, NULL);
	expect_said(&result, "a: task; b: task; ");
}

/* 167: an agent that fails in turn 2. The next run begins with it, and works. */
static void stays_usable_when_an_agent_fails(void **state)
{
	(void)state;
	struct rondo_error err;
	struct context ctx = {0};
	struct rondo_task_result result;
	struct team *team = team_of(&(struct team_rules){.termination = on_word("TERMINATE")},
		LINES("a1", "TERMINATE"), LINES("!", "b2"), NULL, NULL);
	assert_int_equal(run_in(team, "task", &result, &ctx, &err), -1);
	assert_string_equal(err.message, "agent 'b': broken");
	assert_int_equal(err.code, RONDO_ERROR_INTERNAL);
	result = run(team, "again");
	expect_said(&result, "user: again; b: b2; a: TERMINATE; ");
	/* what it was shown in vain, and the new task */
	assert_int_equal(script_of(team, 1)->unseen[1], 3);
	result = run(team, "and again");
	assert_string_equal(result.stop_reason, "nobody has anything more to say");
}

/* 19: cancelled in the midst of a turn; then a run to its end. */
static void stays_usable_when_it_is_cancelled(void **state)
{
	(void)state;
	struct rondo_error err;
	struct cancel cancel;
	struct rondo_task_result result;
	struct team *team = team_of(&(struct team_rules){.max_turns = 1000}, LINES("."),
		LINES("b1", "^", "."), LINES("."), NULL);
	assert_int_equal(cancel_init(&cancel, NULL, 0, &err), 0);
	outside = &cancel;
	struct context ctx = {.cancel = &cancel};
	assert_int_equal(run_in(team, "task", &result, &ctx, &err), -1);
	assert_int_equal(err.code, RONDO_ERROR_CANCELLED);
	assert_string_equal(err.message, "agent 'b': stopped by SIGINT");
	assert_int_equal(team->thread.n, 5);
	cancel_release(&cancel);
	result = run(team, NULL);
	assert_int_equal(result.n, 1000);
	assert_string_equal(result.messages[0]->source, "b");
	assert_string_equal(result.stop_reason, "Maximum number of turns 1000 reached.");
}

static void stops_at_the_limit_of_turns_in_which_something_was_said(void **state)
{
	(void)state;
	struct team *team = team_of(
		&(struct team_rules){.max_turns = 3}, LINES("a1", "a2", "a3"), LINES("-", "-"), NULL, NULL);
	struct rondo_task_result result = run(team, "task");
	assert_string_equal(result.stop_reason, "Maximum number of turns 3 reached.");
	assert_int_equal(result.stop_kind, RONDO_STOP_LIMIT);
	assert_string_equal(result.messages[result.n - 1]->content, "a3");
}

/* Both in one turn: the condition's reason is the better one. */
static void a_condition_goes_before_max_turns(void **state)
{
	(void)state;
	struct team *team =
		team_of(&(struct team_rules){.termination = on_word("TERMINATE"), .max_turns = 1},
			LINES("TERMINATE"), NULL, NULL, NULL);
	assert_string_equal(run(team, "task").stop_reason, "Text 'TERMINATE' mentioned");
}

static void stops_when_nobody_has_anything_to_say(void **state)
{
	(void)state;
	struct team *team =
		team_of(&(struct team_rules){0}, LINES("a1", "-"), LINES("-"), LINES("-"), NULL);
	struct rondo_task_result result = run(team, "task");
	assert_string_equal(result.stop_reason, "nobody has anything more to say");
	assert_string_equal(result.stop_condition, "silence");
	assert_int_equal(result.stop_kind, RONDO_STOP_STALL);
	assert_int_equal(result.n, 2);
}

/* --- What was proposed last --- */

static struct rondo_task_result propose(const struct team_rules *rules, const char *last)
{
	struct team *team = team_of(rules, LINES("a1", last), LINES("+"), NULL, NULL);
	return run(team, "task");
}

static void code_beside_the_last_word_runs_unless_the_rules_say_no(void **state)
{
	(void)state;
	struct rondo_task_result result =
		propose(&(struct team_rules){.termination = on_word("TERMINATE")}, "=code TERMINATE");
	expect_said(&result, "user: task; a: a1; a: =code TERMINATE; b: done; ");
	assert_false(result.left_unexecuted);
	assert_string_equal(result.stop_message->content, "=code TERMINATE");
	result =
		propose(&(struct team_rules){.termination = on_word("TERMINATE"), .stop_at_once = true},
			"=code TERMINATE");
	expect_said(&result, "user: task; a: a1; a: =code TERMINATE; ");
	assert_true(result.left_unexecuted);
	assert_string_equal(result.stop_reason, "Text 'TERMINATE' mentioned");
}

static void what_a_limit_leaves_undone_runs_unless_the_rules_say_no(void **state)
{
	(void)state;
	struct rondo_task_result result = propose(&(struct team_rules){.max_turns = 2}, "=code");
	expect_said(&result, "user: task; a: a1; a: =code; b: done; ");
	assert_false(result.left_unexecuted);
	assert_string_equal(result.stop_reason, "Maximum number of turns 2 reached.");
	result = propose(&(struct team_rules){.max_turns = 2, .no_grace = true}, "=code");
	expect_said(&result, "user: task; a: a1; a: =code; ");
	assert_true(result.left_unexecuted);
	result = propose(&(struct team_rules){.max_turns = 2}, "no code");
	assert_false(result.left_unexecuted);
}

/* The order is as if it had not run out of it. */
static void the_execution_in_grace_is_no_turn_of_the_order(void **state)
{
	(void)state;
	struct team *team = team_of(
		&(struct team_rules){.max_turns = 1}, LINES("=code", "a2"), LINES("b1"), LINES("+"), NULL);
	struct rondo_task_result result = run(team, "task");
	expect_said(&result, "user: task; a: =code; c: done; ");
	result = run(team, NULL);
	expect_said(&result, "b: b1; ");
}

/* --- The rest --- */

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
	struct team *team =
		team_of(&(struct team_rules){.max_turns = 9}, LINES("a1"), LINES("b1"), NULL, NULL);
	assert_int_equal(run_in(team, "task", &result, &ctx, &err), -1);
	assert_int_equal(err.code, RONDO_ERROR_TRANSIENT);
	assert_int_equal(team->thread.n, 2);
}

static void refuses_wrong_teams(void **state)
{
	(void)state;
	struct rondo_error err;
	struct team *team;
	struct team_rules rules = {.max_turns = 1};
	struct agent *twins[] = {scripted_agent("a", LINES("x")), scripted_agent("a", LINES("x"))};
	assert_int_equal(team_new(&round_robin_team, twins, 0, &rules, &team, &err), -1);
	assert_string_equal(err.message, "a team needs at least one participant");
	assert_int_equal(err.code, RONDO_ERROR_USAGE);
	assert_int_equal(team_new(&round_robin_team, twins, 2, &rules, &team, &err), -1);
	assert_string_equal(err.message, "two participants have the name 'a'");
	agent_free(twins[0]);
	agent_free(twins[1]);
}

/* What a turn needs is gone when it is over: beside the thread nothing grows. */
static void ten_thousand_turns_cost_the_thread_alone(void **state)
{
	(void)state;
	struct team *team =
		team_of(&(struct team_rules){.max_turns = 100}, LINES("."), LINES("."), NULL, NULL);
	run(team, "a message of some length, as they are");
	size_t before = mallinfo2().uordblks, said = 0, n = team->thread.n;
	team->rules.max_turns = 10000;
	run(team, NULL);
	for (size_t i = n; i < team->thread.n; i++)
		said += sizeof(struct rondo_message) + strlen(team->thread.messages[i]->content) + 64;
	/* 0 under sanitizers, which have an allocator of their own */
	size_t grown = mallinfo2().uordblks - before;
	if (grown > said * 2)
		fail_msg("%zu bytes for %zu of messages", grown, said);
	assert_int_equal(team->thread.n, n + 10000);
}

UNIT(team)
{
	const struct CMUnitTest tests[] = {
		TEAM_TEST(speaks_in_turns_and_shows_what_is_new),
		TEAM_TEST(ends_with_the_word_of_the_coder),
		TEAM_TEST(runs_with_a_list_of_messages_or_without_a_task),
		TEAM_TEST(looks_at_the_task_first),
		TEAM_TEST(the_task_may_hold_the_word),
		TEAM_TEST(stops_resets_and_begins_again),
		TEAM_TEST(keeps_its_place_after_max_turns),
		TEAM_TEST(an_error_of_a_condition_ends_the_run),
		TEAM_TEST(stays_usable_when_an_agent_fails),
		TEAM_TEST(stays_usable_when_it_is_cancelled),
		TEAM_TEST(stops_at_the_limit_of_turns_in_which_something_was_said),
		TEAM_TEST(a_condition_goes_before_max_turns),
		TEAM_TEST(stops_when_nobody_has_anything_to_say),
		TEAM_TEST(code_beside_the_last_word_runs_unless_the_rules_say_no),
		TEAM_TEST(what_a_limit_leaves_undone_runs_unless_the_rules_say_no),
		TEAM_TEST(the_execution_in_grace_is_no_turn_of_the_order),
		TEAM_TEST(says_nothing_that_could_not_be_recorded),
		TEAM_TEST(refuses_wrong_teams),
		TEAM_TEST(ten_thousand_turns_cost_the_thread_alone),
	};
	return RUN_TESTS(tests);
}
