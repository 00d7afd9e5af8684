/* -s a.b=v and --task: what the command line sets in a scenario. */
#include "tests/unit/unit.h"

#include "team/team.h"
#include "tests/unit/scenario_fixture.h"

static void assert_set(const char *setting, const char *said)
{
	AUTO_ARENA arena = ARENA_INIT;
	struct scenario scenario;
	struct scenario_settings settings = {.overrides = {&setting, 1}};
	assert_read(&settings, &arena, WELL, &scenario, said);
}

static void sets_single_keys(void **state)
{
	(void)state;
	AUTO_ARENA arena = ARENA_INIT;
	struct scenario scenario;
	static const char *overrides[] = {"team.max_turns=4", "limits.time=90", "task='a: b=c'",
		"protect=[x, y]", "protect=[z]", "team.termination={text_mention: DONE}",
		"workspace.files={a.txt: b}"};
	struct scenario_settings settings = {.overrides = {overrides, ARRAY_SIZE(overrides)}};
	assert_read(&settings, &arena, WELL, &scenario, "");
	const struct team_options *team = scenario.team.common;
	assert_int_equal(team->max_turns, 4);
	assert_int_equal(team->termination.n, 1);
	assert_int_equal(scenario.limits.time_ms, 90000);
	assert_string_equal(scenario.task, "a: b=c");
	assert_int_equal(scenario.protect.n, 1);
	assert_string_equal(scenario.protect.items[0], "z");
	assert_string_equal(scenario.workspace.files.names[0], "a.txt");
}

static void refuses_wrong_settings(void **state)
{
	(void)state;
	assert_set("team", "-s team: a setting is given as KEY.KEY=VALUE\n");
	assert_set("=4", "-s =4: a setting is given as KEY.KEY=VALUE\n");
	assert_set("a..b=4", "-s a..b=4: a setting is given as KEY.KEY=VALUE\n");
	assert_set(".a=4", "-s .a=4: a setting is given as KEY.KEY=VALUE\n");
	assert_set("a.=4", "-s a.=4: a setting is given as KEY.KEY=VALUE\n");
	assert_set("team.max_turns=0",
		"-s team.max_turns=0: max_turns must be between 1 and 1000000, found '0'\n");
	assert_set("team.max_turn=4",
		"-s team.max_turn=4: unknown key 'max_turn' in team, did you mean 'max_turns'?\n");
	assert_set("limit.turns=4", "-s limit.turns=4: unknown key 'limit', did you mean 'limits'?\n");
	assert_set("task.a=4", "-s task.a=4: task is no section of keys\n");
	assert_set(
		"team.participants.0=t", "-s team.participants.0=t: participants is no section of keys\n");
	assert_set("team.participants=[z]",
		"-s team.participants=[z]: agent 'z' is not declared (agents: a, t)\n");
	assert_set("name=[", "-s name=[:1:2: expected a value\n");
	assert_set("executor=moon", "-s executor=moon: unknown executor type 'moon'" EXECUTORS "\n");
}

/* "executor: jupyter" is a section without its keys. */
static void opens_what_is_one_word(void **state)
{
	(void)state;
	AUTO_ARENA arena = ARENA_INIT;
	struct scenario scenario;
	static const char *overrides[] = {"executor.in=local", "models.m.base_url=http://a", "name="};
	struct scenario_settings settings = {.overrides = {overrides, ARRAY_SIZE(overrides)}};
	static const char text[] = WELL "name: x\nexecutor: jupyter\nmodels: {m: openai/gpt}\n";
	assert_read(&settings, &arena, text, &scenario, "");
	assert_string_equal(scenario.executor.type.name, "jupyter");
	assert_string_equal(scenario.name, "");
	overrides[0] = "executor.image=x";
	settings.executor = "docker";
	assert_read(&settings, &arena, text, &scenario, "");
	assert_string_equal(scenario.executor.type.name, "docker");
}

static void takes_the_task_of_the_command_line(void **state)
{
	(void)state;
	AUTO_ARENA arena = ARENA_INIT;
	struct scenario scenario;
	struct scenario_settings settings = {.task = "other"};
	assert_read(&settings, &arena, WELL, &scenario, "");
	assert_string_equal(scenario.task, "other");
	assert_read(&settings, &arena,
		"agents: {a: executor}\n"
		"team: {participants: [a]}\n",
		&scenario, "");
	assert_string_equal(scenario.task, "other");
}

UNIT(override)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(sets_single_keys),
		cmocka_unit_test(refuses_wrong_settings),
		cmocka_unit_test(opens_what_is_one_word),
		cmocka_unit_test(takes_the_task_of_the_command_line),
	};
	return RUN_SCENARIO_TESTS(tests);
}
