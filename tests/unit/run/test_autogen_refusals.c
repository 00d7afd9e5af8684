/* What is refused of AutoGen's files, with its place; and whatever stands in place of what is
 * meant. */
#include "tests/unit/unit.h"

#include "run/scenario/autogen.h"
#include "tests/unit/autogen_fixture.h"

static void assert_refused(const char *name, const char *from, const char *to, const char *said)
{
	AUTO_DUMP dump;
	read_changed(&dump, name, from, to, &with_task);
	assert_string_equal(dump.said.text, said);
}

#define NONE(provider, where) "component '" provider "' (" where ") has no counterpart in rondo"

static void names_what_rondo_has_not(void **state)
{
	(void)state;
	assert_refused("case_1", "autogen_agentchat.agents.CodeExecutorAgent",
		"autogen_ext.agents.web_surfer.MultimodalWebSurfer",
		"team.json:75:21: " NONE(
			"autogen_ext.agents.web_surfer.MultimodalWebSurfer", "participant 2") "\n");
	assert_refused("docker", "autogen_ext.code_executors.docker.DockerCommandLineCodeExecutor",
		"autogen_ext.code_executors.azure.ACADynamicSessionsCodeExecutor",
		"team.json:84:25: " NONE("autogen_ext.code_executors.azure.ACADynamicSessionsCodeExecutor",
			"code_executor of participant 2") "\n");
	assert_refused("tools", "", "",
		"team.json:44:33: " NONE("autogen_core.tools.FunctionTool",
			"tools of workbench of participant 1") "\n"
												   "team.json:63:23: 'handoffs' of participant 1 "
												   "has no counterpart in rondo\n");
	assert_refused("context", "", "",
		"team.json:56:25: " NONE("autogen_core.model_context.HeadAndTailChatCompletionContext",
			"model_context of participant 1") "\n");
	assert_refused("writes_and_runs", "", "",
		"team.json:35:27: participant 1 writes code and runs it in one turn, which has no "
		"counterpart in rondo; an AssistantAgent "
		"before it can write it\n");
	assert_refused("selector", "", "",
		"team.json:2:15: " NONE("autogen_agentchat.teams.SelectorGroupChat", "the team") "\n");
	/* Case 47: tool calls, and the condition of one, are not there. */
	assert_refused("case_39", "TextMentionTermination", "FunctionCallTermination",
		"team.json:137:19: " NONE("autogen_agentchat.conditions.FunctionCallTermination",
			"the termination_condition") "\n");
	assert_refused("case_1", "\"autogen_ext.models.replay.ReplayChatCompletionClient\"",
		"\"os.system\"",
		"team.json:22:25: " NONE("os.system", "model_client of participant 1") "\n");
}

static void tells_what_is_no_component(void **state)
{
	(void)state;
	assert_refused("turns", "\"component_version\": 2", "\"component_version\": 1",
		"team.json:16:30: component 'autogen_agentchat.agents.AssistantAgent' is of version 1; "
		"rondo reads version 2, that of "
		"AutoGen 0.7.5\n");
	assert_refused("turns", "\"component_version\": 1", "\"component_version\": [1]",
		"team.json:5:24: component_version must be a number, found a list\n");
	assert_refused("turns", "\"provider\": \"autogen_agentchat.agents.AssistantAgent\",", "",
		"team.json:12:7: participant 1 must be a component: {provider: ..., config: ...}, found a "
		"section of keys\n");
	static const struct said rows[] = {
		{"{\"provider\": \"autogen_agentchat.teams.RoundRobinGroupChat\", \"config\": [1]}",
			"1:71: the config of the team must be a section of keys, found a list\n"},
		{"{\"provider\": \"autogen_agentchat.teams.RoundRobinGroupChat\"}",
			"1:1: the team needs 'config'\n"},
		{"{\"provider\": \"autogen_agentchat.teams.RoundRobinGroupChat\", \"config\": {}}",
			"1:71: the team needs 'participants'\n"},
		{"{\"provider\": \"autogen_agentchat.teams.RoundRobinGroupChat\", \"config\": "
		 "{\"participants\": 3}}",
			"1:88: participants must be a list, found '3'\n"},
		{"{\"provider\": \"autogen_agentchat.teams.RoundRobinGroupChat\", \"config\": "
		 "{\"participants\": []}}",
			"1:88: a team needs at least one participant\n"},
		{"{\"provider\": \"autogen_agentchat.teams.RoundRobinGroupChat\", \"config\": "
		 "{\"participants\": [\"a\"]}}",
			"1:89: participant 1 must be a component: {provider: ..., config: ...}, found 'a'\n"},
		{"{\"provider\": 7, \"config\": {}}", "1:14: " NONE("7", "the team") "\n"},
		{"{\"provider\": null, \"config\": {}}",
			"1:1: the team must be a component: {provider: ..., config: ...}, found a section of "
			"keys\n"},
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
	assert_refused("turns", "\"name\": \"b\"", "\"name\": \"a\"",
		"team.json:82:19: two participants have the name 'a'\n");
	assert_refused(
		"turns", "\"name\": \"b\",", "", "team.json:81:19: participant 2 needs 'name'\n");
	assert_refused("turns", "\"name\": \"b\"", "\"name\": \"user\"",
		"team.json:74:7: 'user' cannot name an agent: a letter or _, then letters, digits, _ and "
		"-, at most 64 in all; not 'user'\n");
	assert_refused("turns", "\"max_turns\"", "\"max_turn\"",
		"team.json:136:5: unknown key 'max_turn' in the config of the team, did you mean "
		"'max_turns'?\n");
	assert_refused("openai", "\"max_retries\": 3", "\"max_retries\": \"often\"",
		"team.json:35:30: max_retries must be a whole number, found 'often'\n");
	assert_refused("openai", "\"buffer_size\": 5", "\"buffer_size\": 0",
		"team.json:61:30: history must be between 1 and 10000, found '0'\n");
	assert_refused("turns", "\"Hello\"", "{\"content\": [{\"name\": \"add\"}]}",
		"team.json:30:29: a reply without a text (model_client of participant 1) has no "
		"counterpart in rondo\n");
	assert_refused("executors",
		"[\n"
		"            \"coder\"\n"
		"          ]",
		"[]", "team.json:97:22: sources of participant 2 is empty\n");
	assert_refused("case_1", "[\n            \"python\",\n            \"sh\"\n          ]", "[]",
		"team.json:109:34: supported_languages of participant 2 is empty: it could run nothing\n");
}

/* What is told beyond the thousandth is told, too. */
static void a_thousand_faults_are_faults(void **state)
{
	(void)state;
	AUTO_DUMP dump;
	AUTO_STRBUF text = STRBUF_INIT(STRBUF_TEXT);
	strbuf_adds(&text, "{\"provider\": \"os.system\"");
	for (size_t i = 0; i < 1200; i++)
		strbuf_adds(&text, ", \"label\": 1");
	strbuf_adds(&text, "}");
	read_text(&dump, text.text, &with_task);
	assert_int_equal(dump.problems.n, 1000);
	assert_int_equal(dump.scenario.agents.n, 0);
}

/* A text of a dump is a text: no file is read for it, and no parameter put in. */
static void texts_name_no_files(void **state)
{
	(void)state;
	assert_refused("openai", "\"Write {{nothing}}.\"", "{\"file\": \"/etc/passwd\"}",
		"team.json:65:29: instructions must be a text, found a section of keys\n");
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
	node->place = was.place;
}

/* Made into a scenario and read; a tree there is where nothing is wrong, and only there. False
 * behind the last node. */
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
	struct yaml_node inner = {.kind = YAML_MAP, .place.origin = "team.json"};
	const struct yaml_node values[] = {{.kind = YAML_SCALAR, .text = "null", .plain = true},
		{.kind = YAML_SCALAR, .text = "7", .plain = true}, {.kind = YAML_SCALAR, .text = ""},
		{.kind = YAML_LIST}, {.kind = YAML_MAP},
		{.kind = YAML_LIST, .first = &inner, .last = &inner}};
	static const char *const names[] = {
		"case_1", "openai", "case_49", "executors", "nested", "tools"};
	for (size_t i = 0; i < ARRAY_SIZE(names); i++) {
		const char *text = dump_text(names[i], &arena);
		for (size_t j = 0; j < ARRAY_SIZE(values); j++)
			for (size_t k = 0; survives(text, k, &values[j]);)
				k++;
	}
}

UNIT(autogen_refusals)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(names_what_rondo_has_not),
		cmocka_unit_test(tells_what_is_no_component),
		cmocka_unit_test(wrong_values_have_their_places),
		cmocka_unit_test(a_thousand_faults_are_faults),
		cmocka_unit_test(texts_name_no_files),
		cmocka_unit_test(a_scenario_is_no_component),
		cmocka_unit_test(anything_may_stand_anywhere),
	};
	return RUN_SCENARIO_TESTS(tests);
}
