/* What a run spent on models, as its events tell it (semantics.md 9.42: what is unknown is never
 * nothing). */
#include "tests/unit/unit.h"

#include "run/report/tally.h"

static void begin_turn(struct tally *tally, const char *speaker)
{
	tally_event(
		tally, &(struct rondo_event){.type = RONDO_EVENT_TURN_START, .turn = 1, .source = speaker});
}

static void end_turn(struct tally *tally)
{
	tally_event(tally, &(struct rondo_event){.type = RONDO_EVENT_TURN_END, .turn = 1});
}

/* `reply` NULL: the call never comes back. */
static void call(struct tally *tally, const char *model, const struct model_reply *reply)
{
	struct rondo_event event = {
		.type = RONDO_EVENT_MODEL_REQUEST, .source = model, .data = "{\"request\":\"1\"}"};
	tally_event(tally, &event);
	event.type = RONDO_EVENT_MODEL_REPLY;
	event.value = reply;
	if (reply)
		tally_event(tally, &event);
}

static void assert_row(
	const struct run_spending *row, const char *name, bool with_cost, const char *described)
{
	AUTO_STRBUF text = STRBUF_INIT(STRBUF_LINE);
	run_spending_describe(row, with_cost, &text);
	assert_string_equal(row->name, name);
	assert_string_equal(text.text, described);
}

#define USAGE (&(struct model_reply){.usage = {100, 7}, .usage_known = true})

static void an_agent_may_ask_several_models_and_a_model_answer_several_agents(void **state)
{
	(void)state;
	AUTO_ARENA arena = ARENA_INIT;
	struct tally tally = {.arena = &arena};
	begin_turn(&tally, "coder");
	call(&tally, "small", USAGE);
	call(&tally, "large", USAGE);
	end_turn(&tally);
	begin_turn(&tally, "executor");
	end_turn(&tally);
	begin_turn(&tally, "reviewer");
	call(&tally, "small", USAGE);
	end_turn(&tally);
	assert_int_equal(tally.n_agents, 2);
	assert_int_equal(tally.n_models, 2);
	assert_row(&tally.agents[0], "coder", false, "2 calls, 200 tokens in, 14 out");
	assert_row(&tally.agents[1], "reviewer", false, "1 call, 100 tokens in, 7 out");
	assert_row(&tally.models[0], "small", true, "2 calls, 200 tokens in, 14 out, cost unknown");
	assert_string_equal(tally.last_model, "small");
}

static void a_cost_stands_where_price_and_tokens_are_known(void **state)
{
	(void)state;
	AUTO_ARENA arena = ARENA_INIT;
	struct tally tally = {.arena = &arena};
	struct model priced = {.name = "priced", .price = {.input = 10, .output = 1000, .known = true}};
	struct model lossy = {.name = "lossy", .price = priced.price}, nameless = {.name = "nameless"};
	struct model *models[] = {&nameless, &lossy, &priced};
	begin_turn(&tally, "coder");
	call(&tally, "priced", USAGE);
	call(&tally, "lossy", USAGE);
	call(&tally, "lossy", NULL);
	call(&tally, "lossy", &(struct model_reply){.text = ""});
	call(&tally, "nameless", USAGE);
	tally_price(&tally, models, 3);
	assert_row(&tally.models[0], "priced", true, "1 call, 100 tokens in, 7 out, 0.008 USD");
	assert_row(
		&tally.models[1], "lossy", true, "3 calls, at least 100 tokens in, 7 out, cost unknown");
	assert_row(&tally.models[2], "nameless", true, "1 call, 100 tokens in, 7 out, cost unknown");
	assert_row(&tally.agents[0], "coder", false, "5 calls, at least 300 tokens in, 21 out");
}

static void what_is_asked_outside_of_turns_is_nobodys(void **state)
{
	(void)state;
	AUTO_ARENA arena = ARENA_INIT;
	struct tally tally = {.arena = &arena};
	begin_turn(&tally, "coder");
	tally_event(&tally, &(struct rondo_event){.type = RONDO_EVENT_STOP, .text = "enough"});
	call(&tally, "small", USAGE);
	assert_int_equal(tally.n_agents, 0);
	assert_row(&tally.models[0], "small", true, "1 call, 100 tokens in, 7 out, cost unknown");
}

UNIT(tally)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(an_agent_may_ask_several_models_and_a_model_answer_several_agents),
		cmocka_unit_test(a_cost_stands_where_price_and_tokens_are_known),
		cmocka_unit_test(what_is_asked_outside_of_turns_is_nobodys),
	};
	return RUN_TESTS(tests);
}
