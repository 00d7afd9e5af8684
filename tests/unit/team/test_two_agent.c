/* AG2's chat of two: who begins, and what max_turns counts (semantics.md, section 0, row 000, and
 * the end of section 1). */
#include "tests/unit/unit.h"

#include "base/memory.h"
#include "team/team.h"

/* "-" passes; what ends in "()" is a proposal, which the runner carries out. */
static const char *const *lines;
static size_t n_executed;

static int answer(struct agent *agent, struct message_span unseen, struct arena *arena,
	struct response *response, const struct context *ctx, struct rondo_error *err)
{
	(void)agent, (void)unseen, (void)ctx, (void)err;
	const char *line = *lines ? *lines++ : "-";
	response->pass = *line == '-';
	response->message.content = arena_strdup(arena, line);
	return 0;
}

static bool executes(struct agent *agent, struct message_span unseen)
{
	(void)agent;
	return unseen.n && strstr(unseen.messages[unseen.n - 1]->content, "()");
}

static int carry_out(struct agent *agent, struct message_span unseen, struct arena *arena,
	struct response *response, const struct context *ctx, struct rondo_error *err)
{
	(void)arena, (void)ctx, (void)err;
	response->pass = !executes(agent, unseen);
	response->message.content = "ran";
	n_executed += !response->pass;
	return 0;
}

static const struct agent_type assistant = {
	.name = "assistant", .summary = "answers", .on_messages = answer};
static const struct agent_type runner = {
	.name = "runner", .summary = "runs", .on_messages = carry_out, .executes = executes};

struct chat {
	struct agent *agents[2];
	struct team *team;
	struct rondo_task_result result;
};

static void chat_release(struct chat *chat)
{
	team_free(chat->team);
	for (size_t i = 0; i < ARRAY_SIZE(chat->agents); i++)
		agent_free(chat->agents[i]);
}
#define AUTO_CHAT __attribute__((cleanup(chat_release))) struct chat

static void say_task(struct chat *chat)
{
	struct rondo_error err;
	struct context ctx = {0};
	struct rondo_message message = {.source = "user", .content = "the problem"};
	const struct rondo_message *task = &message;
	assert_int_equal(
		team_run(chat->team, (struct message_span){&task, 1}, &chat->result, &ctx, &err), 0);
}

static void hold(struct chat *chat, const struct team_rules *rules, const char *const *said)
{
	struct rondo_error err;
	lines = said;
	n_executed = 0;
	*chat = (struct chat){.agents = {agent_new(&runner, "proxy", NULL, NULL),
							  agent_new(&assistant, "coder", NULL, NULL)}};
	assert_int_equal(team_new(&two_agent_team, chat->agents, 2, rules, &chat->team, &err), 0);
	say_task(chat);
}

#define LINES(...) ((const char *const[]){__VA_ARGS__, NULL})

static void assert_sources(const struct chat *chat, const char *sources)
{
	AUTO_STRBUF found = STRBUF_INIT(STRBUF_LINE);
	for (size_t i = 0; i < chat->result.n; i++)
		strbuf_addf(&found, "%s%s", i ? " " : "", chat->result.messages[i]->source);
	assert_string_equal(found.text, sources);
}

/* Row 000: three sends, of which the first is the problem, so two executions, and the third fix is
 * not carried out. */
static void max_turns_counts_what_the_first_sends(void **state)
{
	(void)state;
	AUTO_CHAT chat;
	hold(&chat, &(struct team_rules){.max_turns = 3, .no_grace = true},
		LINES("a()", "b()", "c()", "d()"));
	assert_sources(&chat, "user coder proxy coder proxy coder");
	assert_int_equal(n_executed, 2);
	assert_string_equal(chat.result.stop_reason, "Maximum number of turns 3 reached.");
	assert_int_equal(chat.result.stop_kind, RONDO_STOP_LIMIT);
	assert_true(chat.result.left_unexecuted);
}

/* Row 000, the better behaviour: the fix that was proposed in the last turn is carried out all the
 * same. */
static void the_last_proposal_is_carried_out(void **state)
{
	(void)state;
	AUTO_CHAT chat;
	hold(&chat, &(struct team_rules){.max_turns = 3}, LINES("a()", "b()", "c()", "d()"));
	assert_sources(&chat, "user coder proxy coder proxy coder proxy");
	assert_int_equal(n_executed, 3);
	assert_string_equal(chat.result.stop_reason, "Maximum number of turns 3 reached.");
	assert_false(chat.result.left_unexecuted);
}

static void one_turn_is_the_task_and_one_answer(void **state)
{
	(void)state;
	AUTO_CHAT chat;
	hold(&chat, &(struct team_rules){.max_turns = 1}, LINES("a", "b"));
	assert_sources(&chat, "user coder");
}

/* There it sends an empty message, which counts; so no more than max_turns answers are paid for. */
static void silence_of_the_first_counts(void **state)
{
	(void)state;
	AUTO_CHAT chat;
	hold(&chat, &(struct team_rules){.max_turns = 3}, LINES("a", "b", "c", "d"));
	assert_sources(&chat, "user coder coder coder");
	assert_string_equal(chat.result.stop_reason, "Maximum number of turns 3 reached.");
}

static void nobody_says_anything(void **state)
{
	(void)state;
	AUTO_CHAT chat;
	hold(&chat, &(struct team_rules){.max_turns = 3}, LINES("-", "-"));
	assert_sources(&chat, "user");
	assert_int_equal(chat.result.stop_kind, RONDO_STOP_STALL);
}

static void after_a_reset_the_other_one_answers_first(void **state)
{
	(void)state;
	AUTO_CHAT chat;
	hold(&chat, &(struct team_rules){.max_turns = 1}, LINES("a", "b"));
	team_reset(chat.team);
	say_task(&chat);
	assert_sources(&chat, "user coder");
}

static void wants_two(void **state)
{
	(void)state;
	struct rondo_error err;
	struct team *team;
	struct agent *one = agent_new(&assistant, "one", NULL, NULL);
	assert_int_equal(team_new(&two_agent_team, &one, 1, &(struct team_rules){0}, &team, &err), -1);
	assert_string_equal(err.message, "a team of type two_agent has 2 participants, found 1");
	agent_free(one);
}

UNIT(two_agent)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(max_turns_counts_what_the_first_sends),
		cmocka_unit_test(the_last_proposal_is_carried_out),
		cmocka_unit_test(one_turn_is_the_task_and_one_answer),
		cmocka_unit_test(silence_of_the_first_counts),
		cmocka_unit_test(nobody_says_anything),
		cmocka_unit_test(after_a_reset_the_other_one_answers_first),
		cmocka_unit_test(wants_two),
	};
	return RUN_TESTS(tests);
}
