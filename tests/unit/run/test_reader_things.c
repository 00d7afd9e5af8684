/* Things that have a type: each spelling of them, and what is said of those that are none. */
#include "tests/unit/unit.h"

#include "base/json/json.h"
#include "tests/unit/scenario_fixture.h"

#define CONDITION \
	"task: x\nagents: {a: executor, t: tester}\nteam:\n  participants: [a, t]\n  termination: "
#define AGENT "task: x\nteam: {participants: [a]}\nmodels: {m: openai/x}\nagents:\n  a: "

static char *to_json(const char *before, const char *text, struct arena *arena)
{
	static const struct scenario_settings none;
	struct scenario scenario;
	AUTO_STRBUF file = STRBUF_INIT(STRBUF_TEXT);
	strbuf_addf(&file, "%s%s\n", before, text);
	assert_read(&none, arena, file.text, &scenario, "");
	AUTO_JSON *json = scenario_to_json(&scenario);
	return json_print(json);
}

/* All rows up to NULL mean the same. */
static void assert_same(const char *before, const char *const *texts)
{
	AUTO_ARENA arena = ARENA_INIT;
	AUTO_FREE char *first = to_json(before, texts[0], &arena);
	for (size_t i = 1; texts[i]; i++) {
		AUTO_FREE char *other = to_json(before, texts[i], &arena);
		assert_string_equal(other, first);
	}
}

static void means_the_same_in_each_spelling(void **state)
{
	(void)state;
	assert_same(CONDITION,
		(const char *const[]){"text_mention", "{text_mention: }", "{text_mention: {}}",
			"[text_mention]", "{type: text_mention}", "{type: text_mention, text: TERMINATE}",
			"text_mention/TERMINATE", "{text_mention: {text: TERMINATE, mode: word}}", NULL});
	assert_same(CONDITION,
		(const char *const[]){"{text_mention: A, stop_kind: limit}",
			"{text_mention: {text: A, stop_kind: limit}}",
			"{type: text_mention, text: A, stop_kind: limit}", "{text_mention: A, verdict: limit}",
			NULL});
	assert_same(CONDITION,
		(const char *const[]){"{or: tests_pass}", "{or: [tests_pass]}",
			"{or: {conditions: tests_pass}}", "{type: or, conditions: [{type: tests_pass}]}",
			NULL});
	assert_same(AGENT,
		(const char *const[]){"openai/x/y", "coder/openai/x/y", "{coder: openai/x/y}",
			"{coder: {model: openai/x/y}}", "{type: coder, model: openai/x/y}", NULL});
	assert_same(AGENT,
		(const char *const[]){
			"executor", "{executor: }", "{executor: {}}", "{type: executor}", NULL});
	assert_same("task: x\nteam: {participants: [a]}\nagents:\n  b: executor\n  a: ",
		(const char *const[]){"{team: {participants: b}}", "{team: {team: {participants: b}}}",
			"{team: {team: {type: round_robin, participants: [b]}, messages: last}}",
			"{type: team, team: {participants: [b]}}", NULL});
	assert_same(WELL "models:\n"
					 "  m: ",
		(const char *const[]){"openai/gpt", "{openai: gpt}", "{openai: {model: gpt}}",
			"{provider: openai, model: gpt}", NULL});
	assert_same(
		WELL "executor: ", (const char *const[]){"local", "{type: local}", "{local: }", NULL});
	assert_same(WELL "assert: ",
		(const char *const[]){
			"tests_pass", "[tests_pass]", "{tests_pass: true}", "tests_pass/true", NULL});
	assert_same(WELL, (const char *const[]){"test: make", "test: {command: make}", NULL});
}

static void reads_each_spelling(void **state)
{
	(void)state;
	static const struct said rows[] = {
		{"text_mention", ""},
		{"tests_pass", ""},
		{"{text_mention: }", ""},
		{"{text_mention: DONE}", ""},
		{"{text_mention: {text: DONE, mode: line}}", ""},
		{"{type: text_mention, text: DONE}", ""},
		{"{text_mention: DONE, stop_kind: limit}", ""},
		{"{type: text_mention, stop_kind: limit}", ""},
		{"{tests_pass: {}}", ""},
		{"text_mention/DONE", ""},
		{"{or: text_mention}", ""},
		{"{or: [text_mention, {and: [tests_pass, {text_mention: A}]}]}", ""},
		{"[text_mention, tests_pass]", ""},
		{"[]", ""},
	};
	assert_all(CONDITION, rows, ARRAY_SIZE(rows));
}

static void refuses_what_is_no_condition(void **state)
{
	(void)state;
	static const struct said rows[] = {
		{"text_mentoin",
			"5:16: unknown termination type 'text_mentoin', did you mean 'text_mention'?"},
		{"{text_mentoin: X}",
			"5:17: unknown termination type 'text_mentoin', did you mean 'text_mention'?"},
		{"{type: text_mentoin}",
			"5:23: unknown termination type 'text_mentoin', did you mean 'text_mention'?"},
		{"moon", "5:16: unknown termination type 'moon'" TERMINATIONS},
		{"{text: X}", "5:17: unknown termination type 'text'" TERMINATIONS},
		{"{}",
			"5:16: termination needs 'type': one of tests_pass, text_mention, text_message, "
			"stop_message, source_match, handoff, max_messages, token_usage, max_cost, timeout, "
			"no_progress, "
			"empty_message, external, command, and, or"},
		{"~", "5:16: termination must be a name or a section of keys, found nothing"},
		{"", "5:15: termination must be a name or a section of keys, found nothing"},
		{"[[a]]", "5:17: termination must be a name or a section of keys, found a list"},
		{"{type: [a]}", "5:23: type must be a name, found a list"},
		{"{type: }", "5:23: type must be a name, found nothing"},
		{"{text_mention: X, tests_pass: }",
			"5:34: 'tests_pass' is a second termination beside 'text_mention'; a section holds "
			"one"},
		{"{text_mention: X, text: Y}", "5:34: unknown key 'text' in termination text_mention"},
		{"{text_mention: [a]}",
			"5:31: termination text_mention must be a text or a section of keys, found a list"},
		{"{text_mention: {txt: X}}",
			"5:32: unknown key 'txt' in termination text_mention, did you mean 'text'?"},
		{"{text_mention: {mode: words}}",
			"5:38: mode must be one of word, line, substring, regex, found 'words', did you mean "
			"'word'?"},
		{"{text_mention: X, stop_kind: lmit}",
			"5:45: stop_kind must be one of success, limit, stall, stopped, found 'lmit', did you "
			"mean 'limit'?"},
		{"{tests_pass: 5}", "5:29: termination tests_pass takes no value; leave it empty"},
		{"or", "5:16: termination or needs 'conditions': a list of conditions"},
		{"{or: }", "5:21: termination or needs 'conditions': a list of conditions"},
		{"{or: []}", "5:21: conditions must not be empty"},
		{"{or: {}}", "5:21: termination or needs 'conditions': a list of conditions"},
		{"{type: or}", "5:16: termination or needs 'conditions': a list of conditions"},
		{"{and: [text_mention, {or: [moon, tests_pas]}]}",
			"5:43: unknown termination type 'moon'" TERMINATIONS "\n"
			"5:49: unknown termination type 'tests_pas', did you mean 'tests_pass'?"},
		{"moon/x", "5:16: unknown termination type 'moon'" TERMINATIONS},
	};
	assert_all(CONDITION, rows, ARRAY_SIZE(rows));
}

static void reads_agents(void **state)
{
	(void)state;
	static const struct said rows[] = {
		{"coder/m", ""},
		{"coder/openai/x", ""},
		{"openai/x", ""},
		{"{coder: m}", ""},
		{"{coder: openai/x}", ""},
		{"{type: coder, model: m}", ""},
		{"{coder: {model: m}, description: d}", ""},
		{"{sequence: [repair, openai/x]}", ""},
		{"{sequence: coder/m}", ""},
		{"{executor: }", ""},
		{"{executor: {}}", ""},
	};
	assert_all(AGENT, rows, ARRAY_SIZE(rows));
}

static void refuses_what_is_no_agent(void **state)
{
	(void)state;
	static const struct said rows[] = {
		{"coder", "5:6: agent 'a' needs 'model': the model that it asks"},
		{"{coder: }", "5:14: agent 'a' needs 'model': the model that it asks"},
		{"{type: coder}", "5:6: agent 'a' needs 'model': the model that it asks"},
		{"{coder: x}", "5:14: model 'x' is not declared (models: m)"},
		{"{type: coder, model: x}", "5:27: model 'x' is not declared (models: m)"},
		{"{type: coder, model: [m]}", "5:27: model must be a name, found a list"},
		{"{type: coder, model: }", "5:27: model must be a name, found nothing"},
		{"moon", "5:6: unknown agent type 'moon'" AGENTS},
		{"codr", "5:6: unknown agent type 'codr', did you mean 'coder'?"},
		{"[a]", "5:6: agent 'a' must be a name or a section of keys, found a list"},
		{"", "5:5: agent 'a' must be a name or a section of keys, found nothing"},
		{"{}",
			"5:6: agent 'a' needs 'type': one of repair, coder, command, acp, sequence, team, "
			"executor, "
			"tester, "
			"user"},
		{"{model: m}",
			"5:6: agent 'a' needs 'type': one of repair, coder, command, acp, sequence, team, "
			"executor, "
			"tester, "
			"user"},
		{"{sequence: m/x}", "5:17: model 'm/x' is not declared: unknown model provider 'm'" MODELS},
		{"moon/x", "5:6: model 'moon/x' is not declared: unknown model provider 'moon'" MODELS},
		{"opnai/x",
			"5:6: model 'opnai/x' is not declared: unknown model provider 'opnai', did you mean "
			"'openai'?"},
		{"replay/x", "5:6: model 'replay/x' is not declared: replay needs more than a name"},
		{"{coder: record/x}",
			"5:14: model 'record/x' is not declared: record needs more than a name"},
		{"openai/", "5:6: model 'openai/' is not declared (models: m)"},
		{"tester/x", "5:6: agent tester takes no value; leave it empty"},
		{"{tester: 5}", "5:15: agent tester takes no value; leave it empty"},
		{"executor/x", "5:6: agent executor must be a section of keys, found 'x'"},
		{"{executor: , description: [a]}", "5:32: description must be a text, found a list"},
		{"{type: repair, model: m}",
			"5:21: unknown key 'model' in agent 'a'; it is a key of models, agents"},
		{"{type: coder, model: m, context: 5T}",
			"5:39: context must be a size such as 512K or 64M, found '5T'"},
		{"{type: coder, model: m, prompts: x}", "5:39: prompts must be texts by name, found 'x'"},
		{"{type: coder, model: m, history: 0}",
			"5:39: history must be between 1 and 10000, found '0'"},
		{"sequence", "5:6: agent 'a' needs 'agents': who speaks, one after the other"},
		{"{type: sequence, agents: []}", "5:31: agents must not be empty"},
		{"{sequence: [repair, moon/b, {coder: x}]}",
			"5:26: model 'moon/b' is not declared: unknown model provider 'moon'" MODELS "\n"
			"5:42: model 'x' is not declared (models: m)"},
		{"{coder: m, executor: }",
			"5:17: 'executor' is a second agent beside 'coder'; a section holds one"},
		{"m", "5:6: unknown agent type 'm'" AGENTS},
	};
	assert_all(AGENT, rows, ARRAY_SIZE(rows));
}

static void refuses_what_is_no_model(void **state)
{
	(void)state;
	static const struct said rows[] = {
		{"models: {m: opnai}", "4:13: unknown model provider 'opnai', did you mean 'openai'?"},
		{"models: {m: opnai/x}", "4:13: unknown model provider 'opnai', did you mean 'openai'?"},
		{"models: {m: moon}", "4:13: unknown model provider 'moon'" MODELS},
		{"models: {m: openai}",
			"4:13: model 'm' needs 'model': the model, as the provider names it"},
		{"models: {m: openai/}",
			"4:13: model openai must be a text or a section of keys, found nothing"},
		{"models: {m: {openai: {modle: x}}}",
			"4:22: model 'm' needs 'model': the model, as the provider names it\n"
			"4:23: unknown key 'modle' in model 'm', did you mean 'model'?"},
		{"models: {m: {type: openai, model: x}}",
			"4:13: model 'm' needs 'provider': one of openai, openai_responses, anthropic, azure, "
			"gemini, openrouter, deepseek, ollama, llamacpp, vllm, lmstudio, command, "
			"fallback, record, replay"},
		{"models: {m: {provider: openai}}",
			"4:13: model 'm' needs 'model': the model, as the provider names it"},
		{"models: {m: {provider: moon, model: x}}", "4:24: unknown model provider 'moon'" MODELS},
		{"models: {m: [a]}", "4:13: model 'm' must be a name or a section of keys, found a list"},
		{"models: {m: }", "4:13: model 'm' must be a name or a section of keys, found nothing"},
		{"models: {m: {replay: [x]}}",
			"4:22: model replay must be a section of keys, found a list"},
		{"models: {m: {replay: {replies: [a, [b]]}}}",
			"4:36: each of replies must be a text, found a list"},
		{"models: {m: {replay: {replies: {a: b}}}}",
			"4:32: replies must be a list of texts, found a section of keys"},
		{"models: {m: {record: {model: openai/x}}}",
			"4:22: model 'm' needs 'file': where they are kept, one a line"},
		{"models: {m: {openai: x, replay: {}}}",
			"4:25: 'replay' is a second model beside 'openai'; a section holds one"},
	};
	assert_all(WELL, rows, ARRAY_SIZE(rows));
}

static void refuses_what_is_no_executor(void **state)
{
	(void)state;
	static const struct said rows[] = {
		{"executor: moon", "4:11: unknown executor type 'moon'" EXECUTORS},
		{"executor: sandbx", "4:11: unknown executor type 'sandbx', did you mean 'sandbox'?"},
		{"executor: {type: moon}", "4:18: unknown executor type 'moon'" EXECUTORS},
		{"executor: [local]", "4:11: executor must be a name or a section of keys, found a list"},
		{"executor:", "4:10: executor must be a name or a section of keys, found nothing"},
		{"executor: {local: 5}", "4:19: executor local takes no value; leave it empty"},
		{"executor: local/x", "4:11: executor local takes no value; leave it empty"},
		{"executor: {local: {network: hosts}}",
			"4:29: network must be one of none, host, found 'hosts', did you mean 'host'?"},
		{"executor: {type: local, uid: 0}",
			"4:30: uid must be between 1 and 4294967294, found '0'"},
		{"executor: {sandbox: , local: }",
			"4:23: 'local' is a second executor beside 'sandbox'; a section holds one"},
		{"executor: {network: host}", ""},
		{"executor: {}", ""},
	};
	assert_all(WELL, rows, ARRAY_SIZE(rows));
}

static void refuses_what_is_no_assertion(void **state)
{
	(void)state;
	static const struct said rows[] = {
		{"assert: tests_pass", ""},
		{"assert:", "4:8: assertion must be a name or a section of keys, found nothing"},
		{"assert: [moon, {moon: 1}, [a], ~]",
			"4:10: unknown assertion type 'moon'" ASSERTIONS "\n"
			"4:17: unknown assertion type 'moon'" ASSERTIONS "\n"
			"4:27: assertion must be a name or a section of keys, found a list\n"
			"4:32: assertion must be a name or a section of keys, found nothing"},
		{"assert: [contains, {type: contains}, {value: x}]",
			"4:10: assertion contains needs 'value': the text\n"
			"4:20: assertion contains needs 'value': the text\n"
			"4:39: unknown assertion type 'value'" ASSERTIONS},
		{"assert: {contains: a, regex: b}",
			"4:23: 'regex' is a second assertion beside 'contains'; a section holds one"},
		{"assert: [{file_equals: {path: a}}, {file_equals: a}]",
			"4:24: assertion file_equals needs 'value': its whole text\n"
			"4:50: assertion file_equals must be a section of keys, found 'a'"},
		{"assert: [{tests_pass: maybe}, {stop_reason: }]",
			"4:23: value must be true or false, found 'maybe'\n"
			"4:45: assertion stop_reason needs 'value': a part of why the chat stopped"},
	};
	assert_all(WELL, rows, ARRAY_SIZE(rows));
}

UNIT(reader_things)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(means_the_same_in_each_spelling),
		cmocka_unit_test(reads_each_spelling),
		cmocka_unit_test(refuses_what_is_no_condition),
		cmocka_unit_test(reads_agents),
		cmocka_unit_test(refuses_what_is_no_agent),
		cmocka_unit_test(refuses_what_is_no_model),
		cmocka_unit_test(refuses_what_is_no_executor),
		cmocka_unit_test(refuses_what_is_no_assertion),
	};
	return RUN_SCENARIO_TESTS(tests);
}
