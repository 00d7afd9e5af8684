/* From a file to settings: every kind of option written wrong, and what is said of it. */
#include "tests/unit/unit.h"

#include "tests/unit/scenario_fixture.h"

static void refuses_what_is_no_text(void **state)
{
	(void)state;
	static const struct said rows[] = {
		{"name: [a]", "4:7: name must be a text, found a list"},
		{"name: {a: b}", "4:7: name must be a text, found a section of keys"},
		{"name:", "4:6: name must be a text, found nothing"},
		{"name: ~", "4:7: name must be a text, found nothing"},
		{"task: x", "4:1: key 'task' stands twice, first in line 1"},
		{"description: null", "4:14: description must be a text, found nothing"},
		{"name: 'null'", ""},
	};
	assert_all(WELL, rows, ARRAY_SIZE(rows));
}

static void refuses_wrong_numbers(void **state)
{
	(void)state;
	static const struct said rows[] = {
		{"version: [1]", "4:10: version must be a whole number, found a list"},
		{"version: 2", "4:10: version must be 1, found '2'"},
		{"version: one", "4:10: version must be a whole number, found 'one'"},
		{"limits: {turns: 0}", "4:17: turns must be between 1 and 1000000, found '0'"},
		{"limits: {turns: -1}", "4:17: turns must be between 1 and 1000000, found '-1'"},
		{"limits: {turns: 1.5}", "4:17: turns must be a whole number, found '1.5'"},
		{"limits: {turns: 5m}", "4:17: turns must be a whole number, found '5m'"},
		{"limits: {turns: 0x10}", "4:17: turns must be a whole number, found '0x10'"},
		{"limits: {turns: 1000001}", "4:17: turns must be between 1 and 1000000, found '1000001'"},
		{"limits: {tokens: 0}", "4:18: tokens must be at least 1, found '0'"},
		{"limits: {cost: 3EUR}", "4:16: cost must be an amount in USD such as 0.50, found '3EUR'"},
		{"limits: {cost: -1}", "4:16: cost must be at least 0, found '-1'"},
		{"limits: {cost: 0}", ""},
		{"limits: {turns: }", "4:17: turns must be a whole number, found nothing"},
		{"assert: [{exit_code: 256}, {exit_code: -1}]",
			"4:22: value must be between 0 and 255, found '256'\n"
			"4:40: value must be between 0 and 255, found '-1'"},
		{"models: {m: {provider: openai, model: x, temperature: 2.5}}",
			"4:55: temperature must be between -1 and 2, found '2.5'"},
		{"models: {m: {provider: openai, model: x, price: {input: free}}}",
			"4:57: input must be an amount in USD such as 0.50, found 'free'"},
	};
	assert_all(WELL, rows, ARRAY_SIZE(rows));
}

static void refuses_wrong_units(void **state)
{
	(void)state;
	static const struct said rows[] = {
		{"limits: {time: 0}", "4:16: time must be at least 1ms, found '0'"},
		{"limits: {time: -5m}", "4:16: time must be at least 1ms, found '-5m'"},
		{"limits: {time: soon}", "4:16: time must be a duration such as 90s or 5m, found 'soon'"},
		{"limits: {time: 5w}", "4:16: time must be a duration such as 90s or 5m, found '5w'"},
		{"limits: {time: 5 m}", "4:16: time must be a duration such as 90s or 5m, found '5 m'"},
		{"limits: {time: 99999999999999999999}",
			"4:16: time must be a duration such as 90s or 5m, found '99999999999999999999'"},
		{"limits: {block: 100ms, suite: 1.5h, repair: 90, time: 1d}", ""},
		{"executor: {type: local, timeout: {s: 5}}",
			"4:34: timeout must be a duration such as 90s or 5m, found a section of keys"},
	};
	assert_all(WELL, rows, ARRAY_SIZE(rows));
}

static void refuses_what_is_neither_true_nor_false(void **state)
{
	(void)state;
	static const struct said rows[] = {
		{"output: {apply: yes}", "4:17: apply must be true or false, found 'yes'"},
		{"output: {apply: True}", "4:17: apply must be true or false, found 'True'"},
		{"output: {apply: 1}", "4:17: apply must be true or false, found '1'"},
		{"output: {apply: [true]}", "4:17: apply must be true or false, found a list"},
		{"output: {apply: 'true'}", ""},
	};
	assert_all(WELL, rows, ARRAY_SIZE(rows));
}

static void refuses_words_that_are_no_choice(void **state)
{
	(void)state;
	static const struct said rows[] = {
		{"workspace: {on_dirty: snapshoot}",
			"4:23: on_dirty must be one of snapshot, head, refuse, found 'snapshoot', did you mean "
			"'snapshot'?"},
		{"workspace: {on_dirty: moon}",
			"4:23: on_dirty must be one of snapshot, head, refuse, found 'moon'"},
		{"workspace: {on_dirty: [head]}",
			"4:23: on_dirty must be one of snapshot, head, refuse, found a list"},
		{"workspace: {on_dirty: Head}",
			"4:23: on_dirty must be one of snapshot, head, refuse, found 'Head', did you mean "
			"'head'?"},
	};
	assert_all(WELL, rows, ARRAY_SIZE(rows));
}

static void refuses_what_is_no_list(void **state)
{
	(void)state;
	static const struct said rows[] = {
		{"protect: {a: b}", "4:10: protect must be a list of texts, found a section of keys"},
		{"protect:", "4:9: protect must be a list of texts, found nothing"},
		{"protect: [[a]]", "4:11: each of protect must be a text, found a list"},
		{"protect: [~, b, {c: d}]",
			"4:11: each of protect must be a text, found nothing\n"
			"4:17: each of protect must be a text, found a section of keys"},
		{"protect: a", ""},
		{"protect: []", ""},
		{"protect: ['']", ""},
	};
	assert_all(WELL, rows, ARRAY_SIZE(rows));
}

static void refuses_what_are_no_texts_by_name(void **state)
{
	(void)state;
	static const struct said rows[] = {
		{"workspace: {files: [a]}", "4:20: files must be texts by name, found a list"},
		{"workspace: {files: a}", "4:20: files must be texts by name, found 'a'"},
		{"workspace: {files: {a: [b], c: {d: e}, f: g}}",
			"4:24: 'a' in files must be a text, found a list\n"
			"4:32: 'c' in files must be a text or {file: PATH}, found a section of keys"},
		{"workspace: {files: {a: }}", "4:24: 'a' in files must be a text, found nothing"},
	};
	assert_all(WELL, rows, ARRAY_SIZE(rows));
}

static void refuses_what_is_no_section(void **state)
{
	(void)state;
	static const struct said rows[] = {
		{"limits: [a]", "4:9: limits must be a section of keys, found a list"},
		{"limits: 5m", "4:9: limits must be a section of keys, found '5m'"},
		{"limits:", "4:8: limits must be a section of keys, found nothing"},
		{"output: main", "4:9: output must be a section of keys, found 'main'"},
		{"workspace:", "4:11: workspace must be a section of keys, found nothing"},
		{"workspace: [a]", "4:12: workspace must be a section of keys, found a list"},
		{"workspace: .", ""},
		{"test: make check", ""},
		{"test: [make, check]", "4:7: test must be a section of keys, found a list"},
	};
	assert_all(WELL, rows, ARRAY_SIZE(rows));
}

static void refuses_what_are_no_sections_by_name(void **state)
{
	(void)state;
	static const struct said rows[] = {
		{"models: [a]", "4:9: models must be sections by name, found a list"},
		{"models: a", "4:9: models must be sections by name, found 'a'"},
		{"models:", "4:8: models must be sections by name, found nothing"},
		{"models: {}", ""},
		{"parameters: [a]", "4:13: parameters must be sections by name, found a list"},
		{"parameters: a", "4:13: parameters must be sections by name, found 'a'"},
	};
	assert_all(WELL, rows, ARRAY_SIZE(rows));
}

static void suggests_keys_at_every_depth(void **state)
{
	(void)state;
	static const struct said rows[] = {
		{"agent: {}", "4:1: unknown key 'agent', did you mean 'agents'?"},
		{"zebra: 1", "4:1: unknown key 'zebra'"},
		{"limits: {turn: 4}", "4:10: unknown key 'turn' in limits, did you mean 'turns'?"},
		{"limits: {max_turn: 4}",
			"4:10: unknown key 'max_turn' in limits, did you mean 'max_turns'?"},
		{"workspace: {file: {}}", "4:13: unknown key 'file' in workspace, did you mean 'files'?"},
		{"executor: {type: local, netwrk: host}",
			"4:25: unknown key 'netwrk' in executor, did you mean 'network'?"},
		{"executor: {local: {netwrk: host}}",
			"4:20: unknown key 'netwrk' in executor, did you mean 'network'?"},
		{"executor: {local: , netwrk: host}",
			"4:21: unknown key 'netwrk' in executor, did you mean 'network'?"},
		{"models: {m: {provider: openai, modle: x, model: y}}",
			"4:32: unknown key 'modle' in model 'm', did you mean 'model'?"},
		{"models: {m: {openai: {model: y, price: {inptu: 1}}}}",
			"4:41: unknown key 'inptu' in price, did you mean 'input'?"},
		{"assert: [{contains: {vlaue: x, value: y}}]",
			"4:22: unknown key 'vlaue' in assertion contains, did you mean 'value'?"},
		{"parameters: {p: {default: x, typ: int}}",
			"4:30: unknown key 'typ' in parameter 'p', did you mean 'type'?"},
		{"batch: [one, two]", "4:8: batch must be a section of keys, found a list"},
		{"batch: {tasks: [{repo: x, tset: y}]}",
			"4:27: unknown key 'tset' in task, did you mean 'test'?"},
		{"? {a: b}\n"
		 ": c",
			"4:3: a key must be a text, not a list or a map"},
	};
	assert_all(WELL, rows, ARRAY_SIZE(rows));
}

#define COMMANDS_REMOVED \
	" was removed: the text of a block does not show what it calls; limit what blocks can reach " \
	"(a sandbox without " \
	"network, 'paths'), or have each one approved ('approval: COMMAND' or 'human_input_mode: " \
	"ALWAYS' of an agent of " \
	"type executor)"

static void says_what_replaces_a_removed_key(void **state)
{
	(void)state;
	static const struct said rows[] = {
		{"executor: {commands: [ls]}", "4:12: key 'commands' in executor" COMMANDS_REMOVED},
		{"executor: {local: {commands: [ls]}}",
			"4:20: key 'commands' in executor" COMMANDS_REMOVED},
		{"limits: {commands: 1}", "4:10: unknown key 'commands' in limits; it is a key of setup"},
		{"commands: [ls]", "4:1: unknown key 'commands'; it is a key of setup"},
	};
	static const struct said of_agent[] = {
		{"task: x\n"
		 "agents: {a: {type: executor, commands: [ls]}, u: {user: {commands: [ls]}}}\n"
		 "team: {participants: [a]}",
			"2:30: key 'commands' in agent 'a'" COMMANDS_REMOVED "\n"
			"2:58: unknown key 'commands' in agent 'u'; it is a key of setup"},
	};
	assert_all(WELL, rows, ARRAY_SIZE(rows));
	assert_all("", of_agent, ARRAY_SIZE(of_agent));
}

static void refuses_another_word_for_a_key_that_is_there(void **state)
{
	(void)state;
	static const struct said rows[] = {
		{"limits: {turns: 4, max_turns: 5}",
			"4:20: 'max_turns' is another word for 'turns', which is given already"},
		{"limits: {max_turns: 4, turns: 5}",
			"4:24: 'turns' is another word for 'max_turns', which is given already"},
		{"name: a\n"
		 "title: b",
			"5:1: 'title' is another word for 'name', which is given already"},
		{"name: a\n"
		 "name: b",
			"5:1: key 'name' stands twice, first in line 4"},
		{"limits: {max_turns: 4}\n"
		 "title: b",
			""},
	};
	assert_all(WELL, rows, ARRAY_SIZE(rows));
}

static void refuses_files_that_hold_no_text(void **state)
{
	(void)state;
	put_file("bytes.txt",
		"a\xff"
		"b",
		3);
	put_file("good.txt", "x", 1);
	static const struct said rows[] = {
		{"{file: nope.txt}", "3:14: cannot open './nope.txt': No such file or directory"},
		{"{file: .}", "3:14: './.' is a directory"},
		{"{file: [a]}", "3:14: file must be a path, found a list"},
		{"{file: }", "3:14: file must be a path, found nothing"},
		{"{fil: a}", "3:7: task must be a text or {file: PATH}, found a section of keys"},
		{"{file: a, b: c}", "3:7: task must be a text or {file: PATH}, found a section of keys"},
		{"{}", "3:7: task must be a text or {file: PATH}, found a section of keys"},
		{"{file: bytes.txt}", "3:14: './bytes.txt' is no UTF-8 text"},
		{"{file: good.txt}", ""},
	};
	assert_all("agents: {a: executor}\n"
			   "team: {type: round_robin, participants: [a]}\n"
			   "task: ",
		rows, ARRAY_SIZE(rows));
}

static void needs_what_is_required(void **state)
{
	(void)state;
	static const struct said rows[] = {
		{"task: x\n"
		 "agents: {a: executor}",
			"1:1: the file needs 'team': who speaks when, and when to stop"},
		{"task: x\n"
		 "team: {type: round_robin, participants: [a]}",
			"1:1: the file needs 'agents': who may speak, by name\n"
			"2:42: agent 'a' is not declared"},
		{"name: x",
			"1:1: the file needs 'agents': who may speak, by name\n"
			"1:1: the file needs 'team': who speaks when, and when to stop\n"
			"1:1: the file needs 'task': what the chat begins with (or --task TEXT)"},
		{"task: x\n"
		 "agents: {a: executor}\n"
		 "team: {type: round_robin}",
			"3:7: team needs 'participants': the agents, in the order in which they speak"},
		{"task: x\n"
		 "agents: {}\n"
		 "team: {participants: []}",
			"2:9: agents must not be empty\n"
			"3:22: participants must not be empty"},
		{"task: x\n"
		 "agents:\n"
		 "team:",
			"2:8: agents must be sections by name, found nothing\n"
			"3:6: team must be a name or a section of keys, found nothing"},
		{"task: x\n"
		 "agents: [executor]\n"
		 "team: [a]",
			"2:9: agents must be sections by name, found a list\n"
			"3:7: team must be a name or a section of keys, found a list"},
		{"agents: {a: executor}\n"
		 "team: {participants: [a]}",
			"1:1: the file needs 'task': what the chat begins with (or --task TEXT)"},
	};
	assert_all("", rows, ARRAY_SIZE(rows));
}

UNIT(reader)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(refuses_what_is_no_text),
		cmocka_unit_test(refuses_wrong_numbers),
		cmocka_unit_test(refuses_wrong_units),
		cmocka_unit_test(refuses_what_is_neither_true_nor_false),
		cmocka_unit_test(refuses_words_that_are_no_choice),
		cmocka_unit_test(refuses_what_is_no_list),
		cmocka_unit_test(refuses_what_are_no_texts_by_name),
		cmocka_unit_test(refuses_what_is_no_section),
		cmocka_unit_test(refuses_what_are_no_sections_by_name),
		cmocka_unit_test(suggests_keys_at_every_depth),
		cmocka_unit_test(says_what_replaces_a_removed_key),
		cmocka_unit_test(refuses_another_word_for_a_key_that_is_there),
		cmocka_unit_test(refuses_files_that_hold_no_text),
		cmocka_unit_test(needs_what_is_required),
	};
	return RUN_SCENARIO_TESTS(tests);
}
