/* Scenario files: what no table can say of them, files that hold no scenario, and how they are
 * written. */
#include "tests/unit/unit.h"

#include <sys/stat.h>

#include "base/json/json.h"
#include "tests/unit/scenario_fixture.h"

static void refuses_references_to_nothing(void **state)
{
	(void)state;
	static const struct said rows[] = {
		{"task: x\n"
		 "agents: {a: executor, coder_1: repair}\n"
		 "team: {participants: [a, coder_2, moon, a]}",
			"3:26: agent 'coder_2' is not declared (agents: a, coder_1), did you mean 'coder_1'?\n"
			"3:35: agent 'moon' is not declared (agents: a, coder_1)\n"
			"3:41: 'a' is a participant already"},
		{"task: x\n"
		 "agents: {a: coder/m, b: {coder: fats}}\n"
		 "models: {fast: openai/x}\n"
		 "team: {participants: [a, b]}",
			"2:13: model 'm' is not declared (models: fast)\n"
			"2:33: model 'fats' is not declared (models: fast), did you mean 'fast'?"},
		{"task: x\n"
		 "agents: {a: coder/m}\n"
		 "team: {participants: [a]}",
			"2:13: model 'm' is not declared"},
		{"task: x\n"
		 "agents: {a: executor, b: repair, c: repair}\n"
		 "team: {type: two_agent, participants: [a, b, c]}",
			"3:7: a team of type two_agent has 2 participants, found 3"},
		{"task: x\n"
		 "agents: {a: moon}\n"
		 "team: {participants: [a]}",
			"2:13: unknown agent type 'moon'" AGENTS},
	};
	assert_all("", rows, ARRAY_SIZE(rows));
}

static void refuses_models_that_stand_on_themselves(void **state)
{
	(void)state;
	static const struct said rows[] = {
		{"models:\n"
		 "  a: {record: {model: b, file: f}}\n"
		 "  b: {record: {model: a, file: f}}\n"
		 "  c: {record: {model: c, file: f}}\n"
		 "  d: {record: {model: a, file: f}}",
			"5:6: model 'a' would ask itself\n"
			"6:6: model 'b' would ask itself\n"
			"7:6: model 'c' would ask itself"},
		{"models: {a: {record: {model: z, file: f}}}",
			"4:30: model 'z' is not declared (models: a)"},
		{"models: {a: {record: {model: openai/x, file: f}}}", ""},
	};
	assert_all(WELL, rows, ARRAY_SIZE(rows));
}

static void refuses_what_suite_and_gate_cannot_be_asked(void **state)
{
	(void)state;
	static const struct said rows[] = {
		{"test: {fail_output: ['(open']}",
			"4:21: test.fail_output: '(open' is no extended regular expression: Unmatched ( or "
			"\\("},
		{"test: {repeat: 1}", "4:16: repeat must be between 2 and 20, found '1'"},
		{"verify: {hidden: make hidden, hidden_files: {../a: b}}",
			"4:45: verify.hidden_files: '../a' leaves the tree"},
		{"verify: {hidden_copy: there}",
			"4:23: verify.hidden_copy is not used: it needs hidden: COMMAND beside it"},
		{"verify: make hidden", ""},
	};
	assert_all(WELL, rows, ARRAY_SIZE(rows));
}

static void refuses_names_of_agents_that_others_could_not_say(void **state)
{
	(void)state;
	static const struct said rows[] = {
		{"  1a: executor",
			"5:7: '1a' cannot name an agent: a letter or _, then letters, digits, _ and -, at most "
			"64 in all; not 'user'"},
		{"  user: executor",
			"5:9: 'user' cannot name an agent: a letter or _, then letters, digits, _ and -, at "
			"most 64 in all; not 'user'"},
		{"  a b: executor",
			"5:8: 'a b' cannot name an agent: a letter or _, then letters, digits, _ and -, at "
			"most 64 in all; not 'user'"},
		{"  '': executor",
			"5:7: '' cannot name an agent: a letter or _, then letters, digits, _ and -, at most "
			"64 in all; not 'user'"},
		{"  -a: executor",
			"5:7: '-a' cannot name an agent: a letter or _, then letters, digits, _ and -, at most "
			"64 in all; not 'user'"},
		{"  é: executor",
			"5:6: 'é' cannot name an agent: a letter or _, then letters, digits, _ and -, at most "
			"64 in all; not 'user'"},
		{"  a-b_1: tester", "5:3: key 'a-b_1' stands twice, first in line 4"},
	};
	assert_all("task: x\n"
			   "team: {participants: [a-b_1]}\n"
			   "agents:\n"
			   "  a-b_1: executor\n",
		rows, ARRAY_SIZE(rows));
}

static void refuses_workspaces_that_contradict_themselves(void **state)
{
	(void)state;
	static const struct said rows[] = {
		{"workspace: {repo: ., copy: .}",
			"4:28: workspace.copy cannot stand beside workspace.repo"},
		{"workspace: {repo: ., files: {a: b}}",
			"4:29: workspace.files cannot stand beside workspace.repo"},
		{"workspace: {copy: ., files: {a: b}}",
			"4:19: workspace.copy cannot stand beside workspace.files"},
		{"workspace: {repo: ., copy: ., files: {a: b}}",
			"4:28: workspace.copy cannot stand beside workspace.repo\n"
			"4:38: workspace.files cannot stand beside workspace.repo"},
		{"workspace: {files: {../a: b, /b: c, a/../b: c, .git/config: d, '': e, a/.GIT/x: f}}",
			"4:20: workspace.files: '../a' leaves the tree\n"
			"4:20: workspace.files: '/b' is not a path below the tree\n"
			"4:20: workspace.files: 'a/../b' leaves the tree\n"
			"4:20: workspace.files: '.git/config' leaves the tree\n"
			"4:20: workspace.files: '' is not a path below the tree\n"
			"4:20: workspace.files: 'a/.GIT/x' leaves the tree"},
	};
	assert_all(WELL, rows, ARRAY_SIZE(rows));
}

static void refuses_keys_and_expressions_that_cannot_be(void **state)
{
	(void)state;
	static const struct said rows[] = {
		{"executor: {type: local, env: {OPENAI_API_KEY: x, PATH: y}}",
			"4:30: executor.env must not hold keys: 'OPENAI_API_KEY'"},
		{"assert: [{regex: '('}, {regex: 'a{2,1}'}, {regex: '^ok$'}]",
			"4:10: assertion regex: '(' is no extended regular expression: Unmatched ( or \\(\n"
			"4:24: assertion regex: 'a{2,1}' is no extended regular expression: Invalid content of "
			"\\{\\}"},
		{"assert: regex", "4:9: assertion regex needs 'value': the text"},
	};
	assert_all(WELL, rows, ARRAY_SIZE(rows));
}

static void refuses_a_summary_by_nobody(void **state)
{
	(void)state;
	static const struct said rows[] = {
		{"output: {summary: short}",
			"4:19: summary must be one of last_message, model, found 'short'"},
		{"output: {summary: model, summary_model: m}", "4:41: model 'm' is not declared"},
		{"output: {summary_model: openai/gpt-5-mini}",
			"4:25: summary_model is not asked: it needs summary: model beside it"},
		{"output: {summary: model, summary_model: openai/gpt-5-mini}", ""},
	};
	assert_all(WELL, rows, ARRAY_SIZE(rows));
}

static void refuses_what_is_no_yaml(void **state)
{
	(void)state;
	static const struct said rows[] = {
		{"", " the file is empty"},
		{"# nothing", " the file is empty"},
		{"hello", "1:1: a scenario is a section of keys, such as team: and agents:"},
		{"- a", "1:1: a scenario is a section of keys, such as team: and agents:"},
		{"---\n", " the file is empty"},
		{"a: [b", "2:1: expected ',' or ']' in the list that begins in line 1"},
		{"a: 'b", "1:4: this quote is never closed"},
		{"\ttask: x", "1:1: a tab cannot indent; use spaces"},
		{"task: x\n"
		 "\tname: y",
			"2:1: a tab cannot indent; use spaces"},
		{"a: b: c",
			"1:5: unexpected ':'; a text that holds it needs quotes, a key begins where its "
			"neighbours begin"},
		{"a: &b c\n"
		 "d: *b",
			"1:1: unknown key 'a'\n"
			"1:1: the file needs 'agents': who may speak, by name\n"
			"1:1: the file needs 'team': who speaks when, and when to stop\n"
			"1:1: the file needs 'task': what the chat begins with (or --task TEXT)\n"
			"1:4: '&' begins an anchor, which is not read; a text that begins with '&' needs "
			"quotes\n"
			"2:1: unknown key 'd'\n"
			"2:4: '*' begins an alias, which is not read; a text that begins with '*' needs "
			"quotes"},
		{"a: !!str b",
			"1:1: unknown key 'a'\n"
			"1:1: the file needs 'agents': who may speak, by name\n"
			"1:1: the file needs 'team': who speaks when, and when to stop\n"
			"1:1: the file needs 'task': what the chat begins with (or --task TEXT)\n"
			"1:4: '!' begins a tag, which is not read; a text that begins with '!' needs quotes"},
		{"<<: {a: b}",
			"1:1: '<<' merges maps, which is not done here; write its keys out\n"
			"1:1: the file needs 'agents': who may speak, by name\n"
			"1:1: the file needs 'team': who speaks when, and when to stop\n"
			"1:1: the file needs 'task': what the chat begins with (or --task TEXT)"},
		{"%YAML 1.1\n"
		 "---\n"
		 "a: b",
			"1:1: '%' begins a directive, which is not read; a text that begins with '%' needs "
			"quotes\n"
			"3:1: unknown key 'a'\n"
			"3:1: the file needs 'agents': who may speak, by name\n"
			"3:1: the file needs 'team': who speaks when, and when to stop\n"
			"3:1: the file needs 'task': what the chat begins with (or --task TEXT)"},
		{"task: x\n"
		 "---\n"
		 "task: y",
			"1:1: the file needs 'agents': who may speak, by name\n"
			"1:1: the file needs 'team': who speaks when, and when to stop\n"
			"2:1: a second document begins here; one file holds one"},
		{"\"a\\qb\": c", "1:3: unknown escape; in double quotes a backslash is written \\\\"},
	};
	assert_all("", rows, ARRAY_SIZE(rows));
}

static void refuses_a_name_of_65_letters(void **state)
{
	(void)state;
	char name[66], file[256], said[256];
	memset(name, 'a', 65);
	for (size_t n = 64; n <= 65; n++) {
		name[n] = '\0';
		snprintf(file, sizeof file,
			"task: x\n"
			"agents: {%s: executor}\n"
			"team: {participants: [%s]}",
			name, name);
		snprintf(said, sizeof said,
			"2:%zu: '%s' cannot name an agent: a letter or _, then letters, digits, _ and -, at "
			"most 64 in all; not 'user'",
			n + 12, name);
		assert_says("", file, n == 64 ? "" : said);
		name[n] = 'a';
	}
}

static void assert_bytes(const char *text, size_t n, const char *said)
{
	put_file("f.yaml", text, n);
	assert_checked(said);
}

static void refuses_bytes_that_are_no_text(void **state)
{
	(void)state;
	static const char nul[] = WELL "name: a\0b\n", wide[] = "\xff\xfet\0a\0",
					  cut[] = WELL "name: \xe4\xb8";
	assert_bytes(nul, sizeof nul - 1, "4:8: a NUL byte; this is no text");
	assert_bytes(wide, sizeof wide - 1, "1:1: the file is UTF-16; save it as UTF-8");
	assert_bytes(cut, sizeof cut - 1, "4:7: byte 0xe4 is not UTF-8");
	assert_bytes("", 0, " the file is empty");
}

static void reads_what_windows_writes(void **state)
{
	(void)state;
	static const char text[] = "\xef\xbb\xbf"
							   "task: x\r\n"
							   "agents: {a: executor}\r\n"
							   "team: {participants: [a]}\r\n"
							   "naem: y\r\n";
	assert_bytes(text, sizeof text - 1, "4:1: unknown key 'naem', did you mean 'name'?");
}

static void refuses_what_would_be_large_or_deep(void **state)
{
	(void)state;
	AUTO_STRBUF lists = STRBUF_INIT(1 << 20), maps = STRBUF_INIT(1 << 20);
	put_file("f.yaml", "", 0);
	assert_int_equal(truncate("f.yaml", 50 << 20), 0);
	assert_checked(" larger than 1 MiB");
	for (size_t i = 0; i < 10000; i++) {
		strbuf_addc(&lists, '[');
		strbuf_adds(&maps, "{\"a\":");
	}
	assert_bytes(lists.text, lists.length, "1:65: nested deeper than 64");
	assert_bytes(maps.text, maps.length, "1:321: nested deeper than 64");
}

/* Each line of ten aliases would be ten times as large as the one before it. */
static void refuses_a_bomb_of_aliases(void **state)
{
	(void)state;
	static const struct said rows[] = {
		{"name: &a [x, x]\n"
		 "title: [*a, *a]",
			"4:7: '&' begins an anchor, which is not read; a text that begins with '&' needs "
			"quotes\n"
			"4:7: name must be a text, found a list\n"
			"5:1: 'title' is another word for 'name', which is given already\n"
			"5:8: name must be a text, found a list\n"
			"5:9: '*' begins an alias, which is not read; a text that begins with '*' needs "
			"quotes\n"
			"5:13: '*' begins an alias, which is not read; a text that begins with '*' needs "
			"quotes"},
	};
	assert_all(WELL, rows, ARRAY_SIZE(rows));
}

static void refuses_what_is_no_file(void **state)
{
	(void)state;
	unlink("f.yaml");
	assert_checked(" cannot be read: No such file or directory");
	assert_int_equal(mkfifo("f.yaml", 0600), 0);
	assert_checked(" is a pipe, a socket or a device, not a file");
}

static void tells_all_of_a_file_in_the_order_of_its_lines(void **state)
{
	(void)state;
	assert_says("",
		"task: '{{who}}'\n"
		"agents: {a: executer, b: coder/m}\n"
		"team: {participants: [a, c], max_turns: 0}\n"
		"limit: {}",
		"1:8: parameter 'who' is not declared; with a backslash before it {{who}} is text\n"
		"2:13: unknown agent type 'executer', did you mean 'executor'?\n"
		"2:26: model 'm' is not declared\n"
		"3:26: agent 'c' is not declared (agents: a, b)\n"
		"3:41: max_turns must be between 1 and 1000000, found '0'\n"
		"4:1: unknown key 'limit', did you mean 'limits'?");
}

static char *to_json(
	const char *path, const struct scenario_settings *settings, struct arena *arena)
{
	struct problems problems = {.arena = arena};
	struct scenario scenario;
	AUTO_STRBUF said = STRBUF_INIT(STRBUF_TEXT);
	scenario_init(&scenario, arena);
	scenario_read(&scenario, path, settings, &problems);
	problems_print(&problems, &said);
	assert_string_equal(said.text, "");
	AUTO_JSON *json = scenario_to_json(&scenario);
	return json_print(json);
}

/* What the run's directory keeps of a scenario is a scenario that means the same. */
static void assert_comes_back(const char *path)
{
	AUTO_ARENA arena = ARENA_INIT;
	static const char *values[] = {
		"task={{n}} {{moon}}", "n=5", "who=a", "model=openai/x", "where=true"};
	struct scenario_settings settings = {0};
	if (strcmp(file_name(path), "parameters.yaml") == 0)
		settings.parameters = (struct option_strings){values, ARRAY_SIZE(values)};
	AUTO_FREE char *first = to_json(path, &settings, &arena);
	put_file("again.json", first, strlen(first));
	AUTO_FREE char *second =
		to_json("again.json", &(struct scenario_settings){.is_resolved = true}, &arena);
	assert_string_equal(second, first);
}

static void comes_back_as_it_was_written(void **state)
{
	(void)state;
	static const char *const dirs[] = {"tests/scenarios/good", "scenarios"};
	size_t n = 0;
	for (size_t i = 0; i < ARRAY_SIZE(dirs); i++) {
		AUTO_ARENA arena = ARENA_INIT;
		struct option_strings files = {0};
		struct rondo_error err;
		const char *dir = arena_printf(&arena, "%s/%s", scenario_source, dirs[i]);
		if (file_is_dir(dir))
			assert_int_equal(run_scenario_files(dir, &arena, &files, &err), 0);
		for (size_t j = 0; j < files.n; j++, n++)
			assert_comes_back(files.items[j]);
	}
	assert_true(n >= 11);
}

UNIT(scenario)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(refuses_references_to_nothing),
		cmocka_unit_test(refuses_models_that_stand_on_themselves),
		cmocka_unit_test(refuses_what_suite_and_gate_cannot_be_asked),
		cmocka_unit_test(refuses_names_of_agents_that_others_could_not_say),
		cmocka_unit_test(refuses_workspaces_that_contradict_themselves),
		cmocka_unit_test(refuses_keys_and_expressions_that_cannot_be),
		cmocka_unit_test(refuses_a_summary_by_nobody),
		cmocka_unit_test(refuses_what_is_no_yaml),
		cmocka_unit_test(refuses_a_name_of_65_letters),
		cmocka_unit_test(refuses_bytes_that_are_no_text),
		cmocka_unit_test(reads_what_windows_writes),
		cmocka_unit_test(refuses_what_would_be_large_or_deep),
		cmocka_unit_test(refuses_a_bomb_of_aliases),
		cmocka_unit_test(refuses_what_is_no_file),
		cmocka_unit_test(tells_all_of_a_file_in_the_order_of_its_lines),
		cmocka_unit_test(comes_back_as_it_was_written),
	};
	return RUN_SCENARIO_TESTS(tests);
}
