/* AutoGen's files: dumps of AutoGen 0.7.5 (tests/slow/t5020/dump.py makes them), as scenarios. */
#include "tests/unit/unit.h"

#include "agents/agent.h"
#include "base/json.h"
#include "models/model.h"
#include "run/autogen.h"
#include "team/team.h"
#include "tests/unit/scenario_fixture.h"

#define DUMPS "tests/unit/data/autogen"

/* What was read of team.json, and all that is said of it. */
struct dump {
	struct arena arena;
	struct scenario scenario;
	struct problems problems;
	struct strbuf said;
};

static void dump_release(struct dump *dump)
{
	strbuf_release(&dump->said);
	arena_release(&dump->arena);
}
#define AUTO_DUMP __attribute__((cleanup(dump_release))) struct dump

static const struct scenario_settings with_task = {.task = "x"};

static void read_text(struct dump *dump, const char *text, const struct scenario_settings *settings)
{
	*dump = (struct dump){.said = STRBUF_INIT(STRBUF_TEXT)};
	dump->problems.arena = &dump->arena;
	put_file("team.json", text, strlen(text));
	scenario_init(&dump->scenario, &dump->arena);
	scenario_read(&dump->scenario, "team.json", settings, &dump->problems);
	problems_print(&dump->problems, &dump->said);
}

static const char *dump_text(const char *name, struct arena *arena)
{
	struct rondo_error err;
	AUTO_STRBUF text = STRBUF_INIT(STRBUF_TEXT);
	const char *path = arena_printf(arena, "%s/" DUMPS "/%s.json", scenario_source, name);
	assert_int_equal(file_read(path, STRBUF_TEXT, &text, &err), 0);
	return arena_strdup(arena, text.text);
}

/* The dump with one text of it replaced by another. */
static void read_changed(struct dump *dump, const char *name, const char *from, const char *to,
	const struct scenario_settings *settings)
{
	AUTO_ARENA arena = ARENA_INIT;
	const char *text = dump_text(name, &arena), *at = strstr(text, from);
	assert_non_null(at);
	read_text(dump, arena_printf(&arena, "%.*s%s%s", (int)(at - text), text, to, at + strlen(from)), settings);
}

static void assert_refused(const char *name, const char *from, const char *to, const char *said)
{
	AUTO_DUMP dump;
	read_changed(&dump, name, from, to, &with_task);
	assert_string_equal(dump.said.text, said);
}

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
	AUTO_FREE char *found_text = json_print_pretty(found), *expected_text = json_print_pretty(expected);
	assert_string_equal(found_text, expected_text);
}

/* Types that another registry's file adds. */
static bool has(const struct option_family *family, const char *type)
{
	struct rondo_error err;
	return option_type_find(family, type, &err).name;
}

#define NEEDS(family, type) \
	if (!has(&family, type)) \
	skip()

#define HELPER "system_message: You are a helpful AI assistant. Solve tasks using your tools. " \
	"Reply with TERMINATE when the task has been completed., " \
	"description: An agent that provides assistance with ability to use tools."
#define SAYS(model) "{type: coder, model: " model ", edit_format: none, " HELPER "}"
#define TEAM "description: A team of agents.\n"
#define TERMINAL "description: 'A computer terminal that performs no other action than running Python scripts (provided to it " \
	"quoted in ```python code blocks), or sh shell scripts (provided to it quoted in ```sh code blocks).'"

static void case_1_is_a_coder_and_an_executor(void **state)
{
	(void)state;
	assert_means("case_1", TEAM
		"models: {coding_assistant: {replay: {replies: ["
		"\"Here is the program\\n ```python\\nprint(\\\"Hello, world!\\\")\\n```\", TERMINATE]}}}\n"
		"agents:\n"
		"  coding_assistant: " SAYS("coding_assistant") "\n"
		"  executor: {type: executor, " TERMINAL "}\n"
		"team: {participants: [coding_assistant, executor], termination: {text_mention: {text: TERMINATE, mode: substring}}}\n"
		"executor: {timeout: 60, allow: [python, sh]}\n");
}

static void turns_are_turns(void **state)
{
	(void)state;
	assert_means("turns", TEAM
		"models: {a: {replay: {replies: [Hello, again]}}, b: {replay: {replies: [World]}}}\n"
		"agents: {a: " SAYS("a") ", b: " SAYS("b") "}\n"
		"team: {participants: [a, b], max_turns: 3}\n");
}

/* The key is not taken from the file; braces are no parameters. */
static void a_client_of_openai_is_one(void **state)
{
	(void)state;
	assert_means("openai", TEAM
		"models:\n"
		"  writer: {provider: openai, model: gpt-4o-mini, base_url: 'http://127.0.0.1:1/v1', temperature: 0.2, max_tokens: 100,\n"
		"           timeout: 10, retries: 4}\n"
		"  reader: {provider: openai, model: gpt-4o-mini}\n"
		"agents:\n"
		"  writer: {type: coder, model: writer, edit_format: none, system_message: 'Write {{nothing}}.', history: 5,\n"
		"           description: An agent that provides assistance with ability to use tools.}\n"
		"  reader: {type: coder, model: reader, edit_format: none, description: reads}\n"
		"team: {participants: [writer, reader], max_turns: 2}\n");
}

static void case_23_keeps_its_name_and_both_limits(void **state)
{
	(void)state;
	NEEDS(termination_family, "max_messages");
	assert_means("case_23",
		"name: declared\ndescription: A pair.\n"
		"models: {one: {replay: {replies: ['1']}}, two: {replay: {replies: ['2']}}}\n"
		"agents: {one: " SAYS("one") ", two: " SAYS("two") "}\n"
		"team: {participants: [one, two], termination: {max_messages: {max: 5}}, max_turns: 5}\n");
}

static void case_41_keeps_what_replies_count(void **state)
{
	(void)state;
	NEEDS(termination_family, "token_usage");
	assert_means("case_41", TEAM
		"models:\n"
		"  a: {replay: {replies: [Hello, no more], usage: [5+0, 1+1]}}\n"
		"  b: {replay: {replies: [World], usage: [0+5]}}\n"
		"agents: {a: " SAYS("a") ", b: " SAYS("b") "}\n"
		"team: {participants: [a, b], termination: {token_usage: {total: 10, prompt: 100, completion: 100}}}\n");
}

static void case_49_composes(void **state)
{
	(void)state;
	NEEDS(termination_family, "max_messages");
	NEEDS(termination_family, "stop_message");
	NEEDS(termination_family, "token_usage");
	NEEDS(termination_family, "handoff");
	assert_means("case_49", TEAM
		"models: {a: {replay: {replies: [Hello]}}}\n"
		"agents: {a: " SAYS("a") "}\n"
		"team: {participants: [a], termination: {and: [\n"
		"  {or: [{max_messages: {max: 5}}, stop_message]},\n"
		"  {or: [{token_usage: {total: 100, prompt: 60, completion: 40}}, {handoff: {target: x}}]}]}}\n");
}

static void the_other_conditions_have_their_words(void **state)
{
	(void)state;
	NEEDS(termination_family, "source_match");
	NEEDS(termination_family, "text_message");
	NEEDS(termination_family, "timeout");
	NEEDS(termination_family, "external");
	assert_means("sources", TEAM
		"models: {a: {replay: {replies: [Hello, stop]}}, b: {replay: {replies: [World]}}}\n"
		"agents: {a: " SAYS("a") ", b: " SAYS("b") "}\n"
		"team: {participants: [a, b], termination: {and: [{source_match: {sources: [b]}}, {text_message: {source: a}}]}}\n");
	assert_means("timeout", TEAM
		"models: {a: {replay: {replies: [Hello]}}}\n"
		"agents: {a: " SAYS("a") "}\n"
		"team: {participants: [a], termination: {or: [{timeout: {after: 3.5}}, text_message]}}\n");
	assert_means("case_45", TEAM
		"models: {a: {replay: {replies: [Hello]}}, b: {replay: {replies: [World]}}}\n"
		"agents: {a: " SAYS("a") ", b: " SAYS("b") "}\n"
		"team: {participants: [a, b], termination: {or: [external, {max_messages: {max: 3}}]}}\n");
}

static void a_human_is_a_user(void **state)
{
	(void)state;
	NEEDS(agent_family, "user");
	assert_means("human", TEAM
		"models: {a: {replay: {replies: [Hello]}}}\n"
		"agents: {a: " SAYS("a") ", human: {type: user, description: A human user}}\n"
		"team: {participants: [a, human], max_turns: 2}\n");
}

static void a_nested_team_is_an_agent(void **state)
{
	(void)state;
	NEEDS(agent_family, "team");
	NEEDS(termination_family, "max_messages");
	assert_means("nested", TEAM
		"models: {a: {replay: {replies: [Hello]}}, b: {replay: {replies: [one]}}, c: {replay: {replies: [two]}}}\n"
		"agents:\n"
		"  a: " SAYS("a") "\n"
		"  b: " SAYS("b") "\n"
		"  c: " SAYS("c") "\n"
		"  inner: {type: team, messages: all, description: A team of agents., team: {participants: [b, c], max_turns: 2}}\n"
		"team: {participants: [a, inner], termination: {max_messages: {max: 4}}}\n");
}

/* Whose code runs, is kept; and one executor serves all. */
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
	assert_int_equal(settings->allow.n, 3);
	assert_string_equal(settings->allow.items[2], "javascript");
	assert_int_equal(dump.scenario.notices.n, 3);
	assert_string_equal(dump.scenario.notices.items[2],
		"team.json:125:23: all agents share one executor: the longest timeout and all of their languages count");
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

#define NONE(provider, where) "component '" provider "' (" where ") has no counterpart in rondo"

static void names_what_rondo_has_not(void **state)
{
	(void)state;
	assert_refused("case_1", "autogen_agentchat.agents.CodeExecutorAgent", "autogen_ext.agents.web_surfer.MultimodalWebSurfer",
		"team.json:75:21: " NONE("autogen_ext.agents.web_surfer.MultimodalWebSurfer", "participant 2") "\n");
	assert_refused("docker", "", "",
		"team.json:84:25: " NONE("autogen_ext.code_executors.docker.DockerCommandLineCodeExecutor",
			"code_executor of participant 2") "; --executor sandbox takes its place\n");
	assert_refused("tools", "", "",
		"team.json:44:33: " NONE("autogen_core.tools.FunctionTool", "tools of workbench of participant 1") "\n"
		"team.json:63:23: 'handoffs' of participant 1 has no counterpart in rondo\n");
	assert_refused("context", "", "",
		"team.json:56:25: " NONE("autogen_core.model_context.HeadAndTailChatCompletionContext", "model_context of participant 1") "\n");
	assert_refused("writes_and_runs", "", "",
		"team.json:35:27: participant 1 writes code and runs it in one turn, which has no counterpart in rondo; an AssistantAgent "
		"before it can write it\n");
	assert_refused("selector", "", "",
		"team.json:2:15: " NONE("autogen_agentchat.teams.SelectorGroupChat", "the team") "\n");
	assert_refused("case_39", "TextMentionTermination", "FunctionCallTermination",
		"team.json:137:19: " NONE("autogen_agentchat.conditions.FunctionCallTermination", "the termination_condition") "\n");
	assert_refused("case_1", "\"autogen_ext.models.replay.ReplayChatCompletionClient\"", "\"os.system\"",
		"team.json:22:25: " NONE("os.system", "model_client of participant 1") "\n");
}

static void tells_what_is_no_component(void **state)
{
	(void)state;
	assert_refused("turns", "\"component_version\": 2", "\"component_version\": 1",
		"team.json:16:30: component 'autogen_agentchat.agents.AssistantAgent' is of version 1; rondo reads version 2, that of "
		"AutoGen 0.7.5\n");
	assert_refused("turns", "\"component_version\": 1", "\"component_version\": [1]",
		"team.json:5:24: component_version must be a number, found a list\n");
	assert_refused("turns", "\"provider\": \"autogen_agentchat.agents.AssistantAgent\",", "",
		"team.json:12:7: participant 1 must be a component: {provider: ..., config: ...}, found a section of keys\n");
	static const struct said rows[] = {
		{"{\"provider\": \"autogen_agentchat.teams.RoundRobinGroupChat\", \"config\": [1]}",
			"1:71: the config of the team must be a section of keys, found a list\n"},
		{"{\"provider\": \"autogen_agentchat.teams.RoundRobinGroupChat\"}", "1:1: the team needs 'config'\n"},
		{"{\"provider\": \"autogen_agentchat.teams.RoundRobinGroupChat\", \"config\": {}}", "1:71: the team needs 'participants'\n"},
		{"{\"provider\": \"autogen_agentchat.teams.RoundRobinGroupChat\", \"config\": {\"participants\": 3}}",
			"1:88: participants must be a list, found '3'\n"},
		{"{\"provider\": \"autogen_agentchat.teams.RoundRobinGroupChat\", \"config\": {\"participants\": []}}",
			"1:88: a team needs at least one participant\n"},
		{"{\"provider\": \"autogen_agentchat.teams.RoundRobinGroupChat\", \"config\": {\"participants\": [\"a\"]}}",
			"1:89: participant 1 must be a component: {provider: ..., config: ...}, found 'a'\n"},
		{"{\"provider\": 7, \"config\": {}}", "1:14: " NONE("7", "the team") "\n"},
		{"{\"provider\": null, \"config\": {}}",
			"1:1: the team must be a component: {provider: ..., config: ...}, found a section of keys\n"},
	};
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		AUTO_DUMP dump;
		read_text(&dump, rows[i].text, &with_task);
		AUTO_STRBUF expected = STRBUF_INIT(STRBUF_LINE);
		strbuf_addf(&expected, "team.json:%s", rows[i].said);
		assert_string_equal(dump.said.text, expected.text);
	}
}

/* Behind the component stands the reader: what it says has the component's places. */
static void wrong_values_have_their_places(void **state)
{
	(void)state;
	assert_refused("turns", "\"max_turns\": 3", "\"max_turns\": 0",
		"team.json:136:18: max_turns must be between 1 and 1000000, found '0'\n");
	assert_refused("turns", "\"name\": \"b\"", "\"name\": \"a\"", "team.json:82:19: two participants have the name 'a'\n");
	assert_refused("turns", "\"name\": \"b\",", "", "team.json:81:19: participant 2 needs 'name'\n");
	assert_refused("turns", "\"name\": \"b\"", "\"name\": \"user\"",
		"team.json:74:7: 'user' cannot name an agent: a letter or _, then letters, digits, _ and -, at most 64 in all; not 'user'\n");
	assert_refused("turns", "\"max_turns\"", "\"max_turn\"",
		"team.json:136:5: unknown key 'max_turn' in the config of the team, did you mean 'max_turns'?\n");
	assert_refused("openai", "\"max_retries\": 3", "\"max_retries\": \"often\"",
		"team.json:35:30: max_retries must be a whole number, found 'often'\n");
	assert_refused("openai", "\"buffer_size\": 5", "\"buffer_size\": 0",
		"team.json:61:30: history must be between 1 and 10000, found '0'\n");
	assert_refused("turns", "\"Hello\"", "{\"content\": [{\"name\": \"add\"}]}",
		"team.json:30:29: a reply without a text (model_client of participant 1) has no counterpart in rondo\n");
	assert_refused("case_1", "[\n            \"python\",\n            \"sh\"\n          ]", "[]",
		"team.json:109:34: supported_languages of participant 2 is empty: it could run nothing\n");
}

/* A text of a dump is a text: no file is read for it, and no parameter put in. */
static void texts_name_no_files(void **state)
{
	(void)state;
	assert_refused("openai", "\"Write {{nothing}}.\"", "{\"file\": \"/etc/passwd\"}",
		"team.json:65:29: instructions must be a text, found a section of keys\n");
}

/* Whoever checks needs no task, whoever runs does. */
static void a_task_comes_from_outside(void **state)
{
	(void)state;
	AUTO_DUMP run, check, set;
	read_changed(&run, "turns", "", "", &(struct scenario_settings){0});
	assert_string_equal(
		run.said.text, "team.json:1:1: the file needs 'task': what the chat begins with (or --task TEXT)\n");
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
	read_changed(&dump, "docker", "", "", &(struct scenario_settings){.task = "x", .executor = "local"});
	assert_string_equal(dump.said.text, "");
	assert_int_equal(((const struct executor_settings *)dump.scenario.executor.common)->timeout_ms, 30000);
}

static void tells_what_has_no_effect(void **state)
{
	(void)state;
	AUTO_DUMP dump, key, none;
	read_changed(&dump, "openai", "\"**********\"", "\"sk-in-clear\"", &with_task);
	assert_int_equal(dump.scenario.notices.n, 2);
	assert_string_equal(
		dump.scenario.notices.items[0], "team.json:30:23: seed of model_client of participant 1 is not used");
	assert_string_equal(dump.scenario.notices.items[1],
		"team.json:33:26: api_key is not used, and better not kept in a file: the key comes from the environment");
	AUTO_JSON *json = scenario_to_json(&dump.scenario);
	AUTO_FREE char *text = json_print(json);
	assert_null(strstr(text, "sk-in-clear"));
	read_changed(&key, "openai", "", "", &with_task);
	assert_int_equal(key.scenario.notices.n, 1);
	read_changed(&none, "turns", "", "", &with_task);
	assert_int_equal(none.scenario.notices.n, 0);
}

static void a_scenario_is_no_component(void **state)
{
	(void)state;
	AUTO_DUMP dump;
	read_text(&dump, WELL "provider: x\n", &with_task);
	assert_string_equal(dump.said.text, "team.json:4:1: unknown key 'provider'\n");
}

/* --- Whatever stands in place of a value --- */

/* The k-th node below, in the order of the file; NULL behind the last. */
static struct yaml_node *node_at(struct yaml_node *node, size_t *k)
{
	if (!(*k)--)
		return node;
	for (struct yaml_node *child = node->first; child; child = child->next) {
		struct yaml_node *found = node_at(child, k);
		if (found)
			return found;
	}
	return NULL;
}

static void replace(struct yaml_node *node, const struct yaml_node *by)
{
	struct yaml_node was = *node;
	*node = *by;
	node->key = was.key;
	node->next = was.next;
	node->line = was.line;
	node->column = was.column;
	node->origin = was.origin;
}

/* Made into a scenario and read; a tree there is where nothing is wrong, and only there. False behind the last node. */
static bool survives(const char *text, size_t k, const struct yaml_node *by)
{
	AUTO_ARENA arena = ARENA_INIT;
	struct problems problems = {.arena = &arena};
	struct scenario scenario;
	struct yaml_node *root = yaml_read(text, strlen(text), "team.json", &arena, &problems);
	struct yaml_node *node = node_at(root, &k);
	if (!node)
		return false;
	replace(node, by);
	if (!autogen_is_component(root))
		return true;
	struct autogen autogen = {.reader = {.arena = &arena, .problems = &problems}};
	root = autogen_scenario(&autogen, root);
	assert_int_equal(!root, problems.n > 0);
	scenario_init(&scenario, &arena);
	if (root)
		reader_read(&autogen.reader, scenario_keys, &scenario, root, NULL);
	return true;
}

static void anything_may_stand_anywhere(void **state)
{
	(void)state;
	AUTO_ARENA arena = ARENA_INIT;
	struct yaml_node inner = {.kind = YAML_MAP, .origin = "team.json"};
	const struct yaml_node values[] = {
		{.kind = YAML_SCALAR, .text = "null", .plain = true}, {.kind = YAML_SCALAR, .text = "7", .plain = true},
		{.kind = YAML_SCALAR, .text = ""}, {.kind = YAML_LIST}, {.kind = YAML_MAP},
		{.kind = YAML_LIST, .first = &inner, .last = &inner}};
	static const char *const names[] = {"case_1", "openai", "case_49", "executors", "nested", "tools"};
	for (size_t i = 0; i < ARRAY_SIZE(names); i++) {
		const char *text = dump_text(names[i], &arena);
		for (size_t j = 0; j < ARRAY_SIZE(values); j++)
			for (size_t k = 0; survives(text, k, &values[j]);)
				k++;
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(case_1_is_a_coder_and_an_executor),
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
		cmocka_unit_test(names_what_rondo_has_not),
		cmocka_unit_test(tells_what_is_no_component),
		cmocka_unit_test(wrong_values_have_their_places),
		cmocka_unit_test(texts_name_no_files),
		cmocka_unit_test(a_task_comes_from_outside),
		cmocka_unit_test(another_executor_takes_the_place_of_docker),
		cmocka_unit_test(tells_what_has_no_effect),
		cmocka_unit_test(a_scenario_is_no_component),
		cmocka_unit_test(anything_may_stand_anywhere),
	};
	return RUN_SCENARIO_TESTS(tests);
}
