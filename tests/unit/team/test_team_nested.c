/*
 * Teams that take part in teams. Numbers are those of the peer's cases. 5, a result without the
 * task, is here what a run within comes to: its task is not said again.
 */
#include "tests/unit/team_fixture.h"

static struct agent *inner_of(const struct team_rules *rules, const char *messages,
	const char *const *x, const char *const *y)
{
	struct agent *agents[] = {scripted_agent("x", x), y ? scripted_agent("y", y) : NULL};
	return team_agent_of("inner", team_with(agents, y ? 2 : 1, rules), messages);
}

static struct team *around(
	struct agent *inner, const struct team_rules *rules, const char *const *b)
{
	struct agent *agents[] = {inner, b ? scripted_agent("b", b) : NULL};
	return team_with(agents, b ? 2 : 1, rules);
}

static struct team *team_within(const struct team *outer)
{
	return ((const struct option_spec *)outer->participants[0]->options)->object;
}

/* 29: the last message is the team's own, with what all of them cost. Its stop is its own
 * affair. */
static void the_others_hear_the_last_message(void **state)
{
	(void)state;
	struct agent *inner = inner_of(&(struct team_rules){.termination = on_word("APPROVE")}, "last",
		LINES("x1", "x2", "x3"), LINES("y1", "APPROVE"));
	struct team *team =
		around(inner, &(struct team_rules){.termination = on_word("DONE")}, LINES("b1", "DONE"));
	struct rondo_task_result result = run(team, "task");
	expect_said(&result, "user: task; inner: APPROVE; b: b1; inner: x3; b: DONE; ");
	assert_int_equal(result.messages[1]->models_usage.prompt_tokens, 12);
	assert_int_equal(result.messages[1]->models_usage.completion_tokens, 8);
	assert_int_equal(result.usage.prompt_tokens, 4 * 3 + 3 + 3 + 3);
	assert_int_equal(script_of(team, 1)->unseen[0], 2);
	const struct message_thread *thread = &team_within(team)->thread;
	assert_int_equal(thread->n, 7);
	assert_string_equal(thread->messages[5]->content, "b1"); /* the second run's task */
	assert_string_equal(thread->messages[5]->source, "b");
}

static void or_all_of_them(void **state)
{
	(void)state;
	struct agent *inner =
		inner_of(&(struct team_rules){.max_turns = 3}, "all", LINES("x1", "x2"), LINES("y1"));
	struct team *team = around(inner, &(struct team_rules){.max_turns = 2}, LINES("b1"));
	struct rondo_task_result result = run(team, "task");
	expect_said(&result, "user: task; x: x1; y: y1; inner: x2; b: b1; ");
	assert_int_equal(result.messages[3]->models_usage.prompt_tokens, 3);
	assert_int_equal(result.usage.prompt_tokens, 12);
	assert_int_equal(script_of(team, 1)->unseen[0], 4);
}

/* A word that was said within ends the team around only where the others hear it; one said outside
 * does not end a run within. */
static void a_word_ends_the_team_that_hears_it(void **state)
{
	(void)state;
	struct agent *inner =
		inner_of(&(struct team_rules){.max_turns = 2}, "last", LINES("STOP"), LINES("y1"));
	struct team *team = around(
		inner, &(struct team_rules){.termination = on_word("STOP"), .max_turns = 2}, LINES("b1"));
	assert_string_equal(run(team, "task").stop_reason, "Maximum number of turns 2 reached.");
	inner = inner_of(&(struct team_rules){.max_turns = 2}, "all", LINES("STOP"), LINES("y1"));
	team = around(
		inner, &(struct team_rules){.termination = on_word("STOP"), .max_turns = 2}, LINES("b1"));
	assert_string_equal(run(team, "task").stop_reason, "Text 'STOP' mentioned");
	inner = inner_of(&(struct team_rules){.termination = on_word("b1")}, "last",
		LINES("x1", "x2", "-"), LINES("-"));
	team = around(inner, &(struct team_rules){.max_turns = 4}, LINES("b1", "b2"));
	struct rondo_task_result result = run(team, "task");
	expect_said(&result, "user: task; inner: x2; b: b1; b: b2; ");
}

/* Each run of the team around lets that within go on where it stood, be there a new task or
 * none. */
static void a_team_within_runs_each_time(void **state)
{
	(void)state;
	struct agent *inner = inner_of(
		&(struct team_rules){.max_turns = 1}, "last", LINES("x1", "x2"), LINES("y1", "y2"));
	struct team *team = around(inner, &(struct team_rules){.max_turns = 1}, NULL);
	struct rondo_task_result result = run(team, "task");
	expect_said(&result, "user: task; inner: x1; ");
	result = run(team, NULL); /* nothing is new to it: it goes on without a task */
	expect_said(&result, "inner: y1; ");
	result = run(team, "more");
	expect_said(&result, "user: more; inner: x2; ");
	assert_int_equal(team_within(team)->thread.n, 5);
	team_reset(team);
	result = run(team, "anew");
	expect_said(&result, "user: anew; inner: x1; ");
}

static void silence_within_is_a_pass(void **state)
{
	(void)state;
	struct agent *inner = inner_of(&(struct team_rules){0}, "last", LINES("-"), LINES("-"));
	struct team *team = around(inner, &(struct team_rules){0}, LINES("b1"));
	struct rondo_task_result result = run(team, "task");
	expect_said(&result, "user: task; b: b1; ");
	assert_string_equal(result.stop_condition, "silence");
}

/* --- What is told of it --- */

static int add_event(void *owner, const struct rondo_event *event, struct rondo_error *err)
{
	(void)err;
	struct strbuf *sb = owner;
	strbuf_addf(sb, "%s%s%s", event->team ? event->team : "", event->team ? " " : "",
		event_type_name(event->type));
	if (event->source)
		strbuf_addf(sb, " %s", event->source);
	if (event->text)
		strbuf_addf(sb, " (%s)", event->text);
	strbuf_addc(sb, '\n');
	return 0;
}

static void emit_event(void *owner, const struct rondo_event *event)
{
	add_event(owner, event, NULL);
}

static void what_goes_on_within_is_told_under_its_name(void **state)
{
	(void)state;
	static const char expected[] = "message user\nturn.start middle\n"
								   "middle message user\nmiddle turn.start inner\n"
								   "middle/inner message user\n"
								   "middle/inner turn.start x\n"
								   "middle/inner message x\n"
								   "middle/inner turn.end x\n"
								   "middle/inner stop (Maximum number of turns 1 reached.)\n"
								   "middle message inner\n"
								   "middle turn.end inner\n"
								   "middle turn.start z\n"
								   "middle message z\n"
								   "middle turn.end z\n"
								   "middle stop (Maximum number of turns 2 reached.)\n"
								   "message inner (within)\n"
								   "message middle\n"
								   "turn.end middle\n"
								   "stop (Maximum number of turns 1 reached.)\n";
	struct rondo_error err;
	struct rondo_task_result result;
	AUTO_STRBUF told = STRBUF_INIT(1 << 20), recorded = STRBUF_INIT(1 << 20);
	struct agent *members[] = {
		inner_of(&(struct team_rules){.max_turns = 1}, "last", LINES("x1"), NULL),
		scripted_agent("z", LINES("z1"))};
	struct agent *middle =
		team_agent_of("middle", team_with(members, 2, &(struct team_rules){.max_turns = 2}), "all");
	struct team *team = team_with(&middle, 1, &(struct team_rules){.max_turns = 1});
	struct context ctx = {.record = {add_event, &recorded}, .emit = {emit_event, &told}};
	assert_int_equal(run_in(team, "task", &result, &ctx, &err), 0);
	assert_string_equal(told.text, expected);
	assert_string_equal(recorded.text, expected);
}

/* --- Errors and cancellation --- */

/* What the team within was told stays told: the next run does not tell it once more. */
static void an_error_within_is_the_agents(void **state)
{
	(void)state;
	struct rondo_error err;
	struct context ctx = {0};
	struct rondo_task_result result;
	struct agent *inner =
		inner_of(&(struct team_rules){.max_turns = 2}, "last", LINES("x1"), LINES("!", "y2"));
	struct team *team = around(inner, &(struct team_rules){.max_turns = 2}, LINES("b1"));
	assert_int_equal(run_in(team, "task", &result, &ctx, &err), -1);
	assert_string_equal(err.message, "agent 'inner': agent 'y': broken");
	result = run(team, "more");
	expect_said(&result, "user: more; inner: y2; b: b1; ");
	const struct message_thread *thread = &team_within(team)->thread;
	assert_string_equal(thread->messages[0]->content, "task");
	assert_string_equal(thread->messages[2]->content, "more");
	assert_int_equal(thread->n, 4);
}

static void a_cancellation_reaches_those_within(void **state)
{
	(void)state;
	struct rondo_error err;
	struct cancel cancel;
	struct rondo_task_result result;
	assert_int_equal(cancel_init(&cancel, NULL, 0, &err), 0);
	outside = &cancel;
	struct context ctx = {.cancel = &cancel};
	struct agent *inner =
		inner_of(&(struct team_rules){.max_turns = 2}, "last", LINES("^", "x2"), LINES("y1"));
	struct team *team = around(inner, &(struct team_rules){.max_turns = 1}, NULL);
	assert_int_equal(run_in(team, "task", &result, &ctx, &err), -1);
	assert_string_equal(err.message, "agent 'inner': agent 'x': stopped by SIGINT");
	cancel_release(&cancel);
	result = run(team, NULL);
	expect_said(&result, "inner: y1; ");
	assert_string_equal(team_within(team)->thread.messages[1]->content, "x2");
}

/* --- A record that fails once, as on a full disk --- */

static size_t n_until_full;

static int record_until_full(void *owner, const struct rondo_event *event, struct rondo_error *err)
{
	(void)owner, (void)event;
	return n_until_full-- == 0 ? error_set(err, RONDO_ERROR_TRANSIENT, "disk full") : 0;
}

/* Whatever it was: the team within is told all, once, and its task is not what it says. */
static void nothing_is_lost_within_or_said_twice(void **state)
{
	(void)state;
	struct context ctx = {.record = {record_until_full, NULL}};
	for (size_t i = 1; i < 5; i++) { /* the turn, its task, the turn within, what is said there */
		struct rondo_error err;
		struct rondo_task_result result;
		struct agent *inner =
			inner_of(&(struct team_rules){.max_turns = 1}, "all", LINES("x1", "x2"), NULL);
		struct team *team = around(inner, &(struct team_rules){.max_turns = 1}, NULL);
		n_until_full = i;
		assert_int_equal(run_in(team, "task", &result, &ctx, &err), -1);
		result = run(team, "more");
		expect_said(&result, i < 4 ? "user: more; inner: x1; " : "user: more; x: x1; inner: x2; ");
		const struct team *within = team_within(team);
		const struct rondo_task_result all = {
			.messages = within->thread.messages, .n = within->thread.n};
		expect_said(&all,
			i < 4 ? "user: task; user: more; x: x1; " : "user: task; x: x1; user: more; x: x2; ");
	}
}

static void it_carries_out_what_one_within_would(void **state)
{
	(void)state;
	struct agent *inner =
		inner_of(&(struct team_rules){.max_turns = 2}, "last", LINES("-"), LINES("+"));
	struct agent *agents[] = {scripted_agent("a", LINES("=code")), inner};
	struct rondo_task_result result =
		run(team_with(agents, 2, &(struct team_rules){.max_turns = 1}), "task");
	expect_said(&result, "user: task; a: =code; inner: done; ");
	assert_false(result.left_unexecuted);
}

static void a_team_must_be_given(void **state)
{
	(void)state;
	struct rondo_error err;
	struct rondo_task_result result;
	struct agent *agent = agent_new(&team_agent, "inner", NULL, NULL);
	struct team *team = team_with(&agent, 1, &(struct team_rules){.max_turns = 1});
	assert_int_equal(run_in(team, "task", &result, &(struct context){0}, &err), -1);
	assert_string_equal(err.message, "agent 'inner': it has no team: the key 'team' must hold one");
}

/* --- State --- */

static struct team *to_save(void)
{
	struct agent *inner = inner_of(&(struct team_rules){.max_turns = 3}, "last",
		LINES("x1", "x2", "x3", "x4"), LINES("y1", "y2", "y3"));
	return around(inner, &(struct team_rules){.max_turns = 3}, LINES("b1", "b2", "b3", "b4"));
}

/* 31: saved at once or by and by, loaded into another one, which goes on alike. */
static void a_nested_team_is_saved_and_loaded(void **state)
{
	(void)state;
	struct rondo_error err;
	struct team *team = to_save(), *whole = to_save(), *parts = to_save();
	for (size_t i = 0; i < 2; i++) {
		run(team, "task");
		AUTO_JSON *part = team_save(team, false);
		assert_int_equal(team_load(parts, part, &err), 0);
	}
	AUTO_JSON *all = team_save(team, true);
	assert_int_equal(team_load(whole, all, &err), 0);
	struct rondo_task_result result = run(team, "more");
	struct rondo_task_result again = run(whole, "more"), third = run(parts, "more");
	expect_said(&again, transcript(&result));
	expect_said(&third, transcript(&result));
	assert_int_equal(team_within(whole)->thread.n, team_within(team)->thread.n);
	assert_int_equal(team_within(parts)->thread.n, team_within(team)->thread.n);
}

static void what_does_not_fit_within_is_refused_and_nothing_changes(void **state)
{
	(void)state;
	struct rondo_error err;
	static const char text[] = "{\"type\":\"team\",\"version\":1,\"all\":true,\"participants\":{"
							   "\"inner\":{\"state\":{\"heard\":1,"
							   "\"team\":{\"type\":\"team\",\"version\":7}}},\"b\":{}}}";
	struct team *team = to_save();
	run(team, "task");
	AUTO_JSON *before = team_save(team, true), *wrong = json_parse(text, strlen(text), &err);
	assert_int_equal(team_load(team, wrong, &err), -1);
	assert_string_equal(err.message,
		"state of agent 'inner': the state of the team is of version 7, and this rondo reads 1");
	AUTO_JSON *after = team_save(team, true);
	AUTO_FREE char *first = json_print(before), *second = json_print(after);
	assert_string_equal(first, second);
}

UNIT(team_nested)
{
	const struct CMUnitTest tests[] = {
		TEAM_TEST(the_others_hear_the_last_message),
		TEAM_TEST(or_all_of_them),
		TEAM_TEST(a_word_ends_the_team_that_hears_it),
		TEAM_TEST(a_team_within_runs_each_time),
		TEAM_TEST(silence_within_is_a_pass),
		TEAM_TEST(what_goes_on_within_is_told_under_its_name),
		TEAM_TEST(an_error_within_is_the_agents),
		TEAM_TEST(a_cancellation_reaches_those_within),
		TEAM_TEST(nothing_is_lost_within_or_said_twice),
		TEAM_TEST(it_carries_out_what_one_within_would),
		TEAM_TEST(a_team_must_be_given),
		TEAM_TEST(a_nested_team_is_saved_and_loaded),
		TEAM_TEST(what_does_not_fit_within_is_refused_and_nothing_changes),
	};
	return RUN_TESTS(tests);
}
