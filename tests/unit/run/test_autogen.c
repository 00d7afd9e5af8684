/* What AutoGen's files mean: each as the scenario that says the same. */
#include "tests/unit/unit.h"

#include "agents/agent.h"
#include "base/json/json.h"
#include "team/team.h"
#include "tests/unit/autogen_fixture.h"

/* A dump means what a scenario means that says the same. */
static void assert_means(const char *name, const char *yaml)
{
	AUTO_DUMP dump, scenario;
	read_changed(&dump, name, "", "", &with_task);
	assert_string_equal(dump.said.text, "");
	AUTO_JSON *found = scenario_to_json(&dump.scenario);
	read_text(&scenario, yaml, &(struct scenario_settings){.task = "x", .is_resolved = true});
	assert_string_equal(scenario.said.text, "");
	AUTO_JSON *expected = scenario_to_json(&scenario.scenario);
	AUTO_FREE char *found_text = json_print_pretty(found),
				   *expected_text = json_print_pretty(expected);
	assert_string_equal(found_text, expected_text);
}

#define HELPER \
	"system_message: You are a helpful AI assistant. Solve tasks using your tools. " \
	"Reply with TERMINATE when the task has been completed., " \
	"description: An agent that provides assistance with ability to use tools."
#define SAYS(model) "{type: coder, model: " model ", edit_format: none, " HELPER "}"
#define TEAM "description: A team of agents.\n"
#define TERMINAL \
	"description: 'A computer terminal that performs no other action than running Python scripts " \
	"(provided to it " \
	"quoted in ```python code blocks), or sh shell scripts (provided to it quoted in ```sh code " \
	"blocks).'"

static void case_1_is_a_coder_and_an_executor(void **state)
{
	(void)state;
	assert_means("case_1",
		TEAM
		"models: {coding_assistant: {replay: {replies: ["
		"\"Here is the program\\n ```python\\nprint(\\\"Hello, world!\\\")\\n```\", TERMINATE]}}}\n"
		"agents:\n"
		"  coding_assistant: " SAYS(
			"coding_assistant") "\n"
								"  executor: {type: executor, reply: autogen, allow: [python, "
								"sh], " TERMINAL "}\n"
								"team: {participants: [coding_assistant, executor], termination: "
								"{text_mention: {text: TERMINATE, mode: substring}}}\n"
								"executor: {timeout: 60}\n");
}

static void a_container_is_one(void **state)
{
	(void)state;
	AUTO_DUMP dump;
	read_changed(&dump, "docker", "", "", &with_task);
	assert_string_equal(dump.said.text, "");
	AUTO_JSON *json = scenario_to_json(&dump.scenario);
	const struct json *executor = json_get(json, "executor");
	assert_string_equal(json_string(executor, "type", ""), "docker");
	assert_string_equal(json_string(executor, "image", ""), "python:3-slim");
}

static void turns_are_turns(void **state)
{
	(void)state;
	assert_means("turns",
		TEAM
		"models: {a: {replay: {replies: [Hello, again]}}, b: {replay: {replies: [World]}}}\n"
		"agents: {a: " SAYS("a") ", b: " SAYS("b") "}\n"
												   "team: {participants: [a, b], max_turns: 3}\n");
}

/* The key is not taken from the file; braces are no parameters. */
static void a_client_of_openai_is_one(void **state)
{
	(void)state;
	assert_means("openai",
		TEAM
		"models:\n"
		"  writer: {provider: openai, model: gpt-4o-mini, base_url: 'http://127.0.0.1:1/v1', "
		"temperature: 0.2, max_tokens: 100,\n"
		"           timeout: 10, retries: 4}\n"
		"  reader: {provider: openai, model: gpt-4o-mini}\n"
		"agents:\n"
		"  writer: {type: coder, model: writer, edit_format: none, system_message: 'Write "
		"{{nothing}}.', history: 5,\n"
		"           description: An agent that provides assistance with ability to use tools.}\n"
		"  reader: {type: coder, model: reader, edit_format: none, description: reads}\n"
		"team: {participants: [writer, reader], max_turns: 2}\n");
}

static void case_23_keeps_its_name_and_both_limits(void **state)
{
	(void)state;
	assert_means("case_23",
		"name: declared\ndescription: A pair.\n"
		"models: {one: {replay: {replies: ['1', '3']}}, two: {replay: {replies: ['2', '4']}}}\n"
		"agents: {one: " SAYS("one") ", two: " SAYS(
			"two") "}\n"
				   "team: {participants: [one, two], termination: {max_messages: {max: 5}}, "
				   "max_turns: 5}\n");
}

static void case_41_keeps_what_replies_count(void **state)
{
	(void)state;
	assert_means("case_41",
		TEAM "models:\n"
			 "  a: {replay: {replies: [Hello, no more], usage: [5+0, 1+1]}}\n"
			 "  b: {replay: {replies: [World], usage: [0+5]}}\n"
			 "agents: {a: " SAYS("a") ", b: " SAYS(
				 "b") "}\n"
					  "team: {participants: [a, b], termination: {token_usage: {total: 10, prompt: "
					  "100, completion: 100}}}\n");
}

static void case_49_composes(void **state)
{
	(void)state;
	assert_means("case_49",
		TEAM "models: {a: {replay: {replies: [Hello]}}}\n"
			 "agents: {a: " SAYS("a") "}\n"
									  "team: {participants: [a], termination: {and: [\n"
									  "  {or: [{max_messages: {max: 5}}, stop_message]},\n"
									  "  {or: [{token_usage: {total: 100, prompt: 60, completion: "
									  "40}}, {handoff: {target: x}}]}]}}\n");
}

static void the_other_conditions_have_their_words(void **state)
{
	(void)state;
	assert_means("sources",
		TEAM "models: {a: {replay: {replies: [Hello, stop]}}, b: {replay: {replies: [World]}}}\n"
			 "agents: {a: " SAYS("a") ", b: " SAYS(
				 "b") "}\n"
					  "team: {participants: [a, b], termination: {and: [{source_match: {sources: "
					  "[b]}}, {text_message: {source: a}}]}}\n");
	assert_means("timeout",
		TEAM "models: {a: {replay: {replies: [Hello]}}}\n"
			 "agents: {a: " SAYS("a") "}\n"
									  "team: {participants: [a], termination: {or: [{timeout: "
									  "{after: 3.5}}, text_message]}}\n");
	assert_means("case_45",
		TEAM
		"models: {a: {replay: {replies: [Hello]}}, b: {replay: {replies: [World]}}}\n"
		"agents: {a: " SAYS("a") ", b: " SAYS("b") "}\n"
												   "team: {participants: [a, b], termination: {or: "
												   "[external, {max_messages: {max: 3}}]}}\n");
}

static void a_human_is_a_user(void **state)
{
	(void)state;
	assert_means("human",
		TEAM "models: {a: {replay: {replies: [Hello]}}}\n"
			 "agents: {a: " SAYS("a") ", human: {type: user, description: A human user}}\n"
									  "team: {participants: [a, human], max_turns: 2}\n");
}

static void a_nested_team_is_an_agent(void **state)
{
	(void)state;
	assert_means("nested",
		TEAM "models: {a: {replay: {replies: [Hello]}}, b: {replay: {replies: [one]}}, c: {replay: "
			 "{replies: [two]}}}\n"
			 "agents:\n"
			 "  a: " SAYS(
				 "a") "\n"
					  "  b: " SAYS(
						  "b") "\n"
							   "  c: " SAYS(
								   "c") "\n"
										"  inner: {type: team, messages: all, description: A team "
										"of agents., team: {participants: [b, c], max_turns: 2}}\n"
										"team: {participants: [a, inner], termination: "
										"{max_messages: {max: 4}}}\n");
}

/* Whose code runs, is kept, and in which languages; and one executor serves all (20, wrong 5). */
static void executors_are_one(void **state)
{
	(void)state;
	struct rondo_error err;
	const struct option *options = option_type_find(&agent_family, "executor", &err).options;
	if (!options || !option_find(options, "sources", "key", &err))
		skip();
	AUTO_DUMP dump;
	read_changed(&dump, "executors", "", "", &with_task);
	assert_string_equal(dump.said.text, "");
	const struct executor_settings *settings = dump.scenario.executor.common;
	assert_int_equal(settings->timeout_ms, 90000);
	assert_int_equal(settings->rules.allow.n, 0);
	const struct option_spec *second = scenario_find(&dump.scenario.agents, "second");
	const struct option_strings *allow = scenario_member(second, OPTION_STRINGS, "allow");
	assert_int_equal(allow->n, 2);
	assert_string_equal(allow->items[1], "javascript");
	assert_int_equal(dump.scenario.notices.n, 3);
	assert_string_equal(dump.scenario.notices.items[2],
		"team.json:133:23: all agents share one executor: the longest timeout counts");
}

/* What is loaded means what was dumped, as AutoGen's own test wants it (case 23). */
static void comes_back_as_it_was_read(void **state)
{
	(void)state;
	static const char *const names[] = {"case_1", "case_39", "turns", "openai"};
	for (size_t i = 0; i < ARRAY_SIZE(names); i++) {
		AUTO_DUMP dump, again;
		read_changed(&dump, names[i], "", "", &with_task);
		AUTO_JSON *json = scenario_to_json(&dump.scenario);
		AUTO_FREE char *text = json_print_pretty(json);
		read_text(&again, text, &(struct scenario_settings){.is_resolved = true});
		assert_string_equal(again.said.text, "");
		AUTO_JSON *json_again = scenario_to_json(&again.scenario);
		AUTO_FREE char *text_again = json_print_pretty(json_again);
		assert_string_equal(text_again, text);
	}
}

/* Whoever checks needs no task, whoever runs does. */
static void a_task_comes_from_outside(void **state)
{
	(void)state;
	AUTO_DUMP run, check, set;
	read_changed(&run, "turns", "", "", &(struct scenario_settings){0});
	assert_string_equal(run.said.text,
		"team.json:1:1: the file needs 'task': what the chat begins with (or --task TEXT)\n");
	read_changed(&check, "turns", "", "", &(struct scenario_settings){.may_lack_values = true});
	assert_string_equal(check.said.text, "");
	const char *overrides[] = {"task=x", "team.max_turns=9"};
	read_changed(&set, "turns", "", "", &(struct scenario_settings){.overrides = {overrides, 2}});
	assert_string_equal(set.said.text, "");
	assert_int_equal(((const struct team_options *)set.scenario.team.common)->max_turns, 9);
}

static void another_executor_takes_the_place_of_docker(void **state)
{
	(void)state;
	AUTO_DUMP dump;
	read_changed(
		&dump, "docker", "", "", &(struct scenario_settings){.task = "x", .executor = "local"});
	assert_string_equal(dump.said.text, "");
	assert_int_equal(
		((const struct executor_settings *)dump.scenario.executor.common)->timeout_ms, 30000);
}

static void tells_what_has_no_effect(void **state)
{
	(void)state;
	AUTO_DUMP dump, key, none;
	read_changed(&dump, "openai", "\"**********\"", "\"sk-in-clear\"", &with_task);
	assert_int_equal(dump.scenario.notices.n, 2);
	assert_string_equal(dump.scenario.notices.items[0],
		"team.json:30:23: seed of model_client of participant 1 is not used");
	assert_string_equal(dump.scenario.notices.items[1],
		"team.json:33:26: api_key is not used, and better not kept in a file: the key comes from "
		"the environment");
	AUTO_JSON *json = scenario_to_json(&dump.scenario);
	AUTO_FREE char *text = json_print(json);
	assert_null(strstr(text, "sk-in-clear"));
	read_changed(&key, "openai", "", "", &with_task);
	assert_int_equal(key.scenario.notices.n, 1);
	read_changed(&none, "turns", "", "", &with_task);
	assert_int_equal(none.scenario.notices.n, 0);
}

UNIT(autogen)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(case_1_is_a_coder_and_an_executor),
		cmocka_unit_test(a_container_is_one),
		cmocka_unit_test(turns_are_turns),
		cmocka_unit_test(a_client_of_openai_is_one),
		cmocka_unit_test(case_23_keeps_its_name_and_both_limits),
		cmocka_unit_test(case_41_keeps_what_replies_count),
		cmocka_unit_test(case_49_composes),
		cmocka_unit_test(the_other_conditions_have_their_words),
		cmocka_unit_test(a_human_is_a_user),
		cmocka_unit_test(a_nested_team_is_an_agent),
		cmocka_unit_test(executors_are_one),
		cmocka_unit_test(comes_back_as_it_was_read),
		cmocka_unit_test(a_task_comes_from_outside),
		cmocka_unit_test(another_executor_takes_the_place_of_docker),
		cmocka_unit_test(tells_what_has_no_effect),
	};
	return RUN_SCENARIO_TESTS(tests);
}
