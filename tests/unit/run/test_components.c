/* From what a scenario declares to models, agents, conditions and a team that speak. */
#include "tests/unit/unit.h"

#include "base/json/json.h"
#include "run/components.h"
#include "tests/unit/scenario_fixture.h"

struct stage {
	struct arena arena;
	struct scenario scenario;
	struct secrets secrets;
	struct agent_services services;
	struct components components;
	struct rondo_error err;
	int status;
};

static void stage_release(struct stage *stage)
{
	components_release(&stage->components);
	arena_release(&stage->arena);
}
#define AUTO_STAGE __attribute__((cleanup(stage_release))) struct stage

static void set_up_components(struct stage *stage, const char *text)
{
	static const struct scenario_settings none;
	*stage = (struct stage){0};
	assert_read(&none, &stage->arena, text, &stage->scenario, "");
	setenv("OPENAI_API_KEY", "sk-of-the-test", 1);
	secrets_from_environment(&stage->secrets, &stage->arena);
	stage->status = components_make(
		&stage->components, &stage->scenario, &stage->services, &stage->secrets, NULL, &stage->err);
}

static void makes_a_team_in_its_order(void **state)
{
	(void)state;
	AUTO_STAGE stage;
	set_up_components(&stage,
		"task: x\n"
		"models: {said: {replay: {replies: [one, TERMINATE]}}, unused: {replay: {replies: [x]}}}\n"
		"agents: {b: {type: coder, model: said, edit_format: none}, a: executor, unused: "
		"coder/unused}\n"
		"team: {participants: [b, a], termination: [text_mention, {or: [text_mention/STOP]}], "
		"max_turns: 7}\n");
	assert_int_equal(stage.status, 0);
	const struct team *team = stage.components.team;
	assert_int_equal(team->n, 2);
	assert_string_equal(team->participants[0]->name, "b");
	assert_string_equal(team->participants[1]->name, "a");
	assert_int_equal(team->rules.max_turns, 7);
	assert_string_equal(team->rules.termination->type->name, "or");
	assert_int_equal(stage.components.n_models, 1); /* nobody speaks through the other one */
}

static void what_is_said_twice_is_made_once(void **state)
{
	(void)state;
	AUTO_STAGE stage;
	set_up_components(&stage,
		"task: x\n"
		"models: {said: {replay: {replies: [one]}}, kept: {record: {model: said, file: "
		"kept.jsonl}}}\n"
		"agents: {a: coder/said, b: coder/kept, c: openai/x, d: openai/x}\n"
		"team: {participants: [a, b, c, d]}\n");
	assert_int_equal(stage.status, 0);
	assert_int_equal(stage.components.n_models, 3);
	assert_int_equal(stage.components.team->rules.max_turns, 40); /* limits.turns */
	assert_null(stage.components.team->rules.termination);
}

static void agents_within_agents_are_known_by_their_models(void **state)
{
	(void)state;
	AUTO_STAGE stage;
	set_up_components(&stage,
		"task: x\nmodels: {said: {replay: {replies: [one]}}}\n"
		"agents: {a: {sequence: [repair, coder/said, openai/x]}}\nteam: {participants: [a]}\n");
	assert_int_equal(stage.status, 0);
	assert_int_equal(stage.components.n_agents, 4);
	assert_string_equal(stage.components.agents[0]->name, "repair");
	assert_string_equal(stage.components.agents[1]->name, "said");
	assert_string_equal(stage.components.agents[2]->name, "openai/x");
}

static void makes_the_teams_within(void **state)
{
	(void)state;
	AUTO_STAGE stage;
	set_up_components(&stage,
		"task: x\nmodels: {said: {replay: {replies: [one]}}}\nlimits: {turns: 9}\n"
		"agents: {a: coder/said, b: executor, c: executor, d: executor,\n"
		"         inner: {team: {participants: [a, b], termination: text_mention/X, max_turns: "
		"3}},\n"
		"         outer: {sequence: [repair, {team: {participants: [inner, c], on_stop: "
		"stop_at_once}}]}}\n"
		"team: {participants: [outer, d], termination: text_mention/X}\n");
	assert_int_equal(stage.status, 0);
	assert_int_equal(stage.components.n_teams, 3);
	const struct team *inner = stage.components.teams[0], *middle = stage.components.teams[1],
					  *team = stage.components.team;
	assert_ptr_equal(team, stage.components.teams[2]);
	assert_int_equal(inner->n, 2);
	assert_string_equal(inner->participants[0]->name, "a");
	assert_int_equal(inner->rules.max_turns, 3);
	assert_int_equal(middle->rules.max_turns, 9);
	assert_true(middle->rules.stop_at_once);
	assert_string_equal(middle->participants[0]->name, "inner");
	assert_ptr_equal(inner->rules.budget, team->rules.budget);
	assert_ptr_not_equal(inner->rules.termination, team->rules.termination);
	assert_int_equal(stage.components.n_agents, 8);
}

static void refuse(const char *text, const char *message)
{
	AUTO_STAGE stage;
	set_up_components(&stage, text);
	assert_int_equal(stage.status, -1);
	assert_string_equal(stage.err.message, message);
	assert_int_equal(stage.err.code, RONDO_ERROR_USAGE);
}

static void tells_which_agent_a_model_fails(void **state)
{
	(void)state;
	refuse("task: x\nmodels: {m: {provider: openai, model: x, api_key_env: NOBODYS_API_KEY}}\n"
		   "agents: {a: {sequence: [repair, coder/m]}}\nteam: {participants: [a]}\n",
		"agent 'a': agent 'm': model m: NOBODYS_API_KEY is not set, and https://api.openai.com/v1 "
		"wants a key");
}

/* A relay's by the price of the model that the agent named, which the journal does not know. */
static void what_was_spent_before_a_resume_counts(void **state)
{
	(void)state;
	AUTO_STAGE stage;
	static const struct {
		const char *data;
		double usd;
		int64_t unknown;
	} rows[] = {
		{"{\"path\":\"/v1/messages\",\"usd\":0.5}", 0.5, 0},
		{"{\"path\":\"/v1/messages\",\"usd\":0}", 0.5, 0},
		{"{\"path\":\"/v1/messages\"}", 0.5, 1},
		{"{\"path\":\"/v1/messages\",\"usd\":0.25,\"at_least\":true}", 0.75, 2},
		{"{}", 2.75, 2},
	};
	const struct model_reply reply = {
		.text = "", .usage = {.prompt_tokens = 1000000}, .usage_known = true};
	set_up_components(&stage,
		"task: x\nmodels: {m: {provider: replay, replies: [x], price: {input: 2, output: 2}}}\n"
		"agents: {a: coder/m}\nteam: {participants: [a]}\n");
	assert_int_equal(stage.status, 0);
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		int64_t unknown;
		AUTO_JSON *data = json_parse(rows[i].data, strlen(rows[i].data), &stage.err);
		assert_int_equal(components_recall(&stage.components, "m", data, &reply, &stage.err), 0);
		assert_true(budget_spent(stage.components.budget, &unknown) == rows[i].usd);
		assert_int_equal(unknown, rows[i].unknown);
	}
}

UNIT(components)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(makes_a_team_in_its_order),
		cmocka_unit_test(what_is_said_twice_is_made_once),
		cmocka_unit_test(agents_within_agents_are_known_by_their_models),
		cmocka_unit_test(makes_the_teams_within),
		cmocka_unit_test(tells_which_agent_a_model_fails),
		cmocka_unit_test(what_was_spent_before_a_resume_counts),
	};
	return RUN_SCENARIO_TESTS(tests);
}
