/* Parameters: what is declared, what -p gives, and what stands for {{name}}. */
#include "tests/unit/unit.h"

#include "team/team.h"
#include "tests/unit/scenario_fixture.h"

#define BEFORE "agents: {a: executor}\nteam: {participants: [a]}\n"

static void refuses_wrong_declarations(void **state)
{
	(void)state;
	static const struct said rows[] = {
		{"task: x\n"
		 "parameters: {a: {type: integer}}",
			"4:24: type must be one of string, int, number, bool, duration, found 'integer'"},
		{"task: x\n"
		 "parameters: {a: }",
			"4:17: parameter 'a' must be a text or a section of keys, found nothing"},
		{"task: x\n"
		 "parameters: {a: [x]}",
			"4:17: parameter 'a' must be a text or a section of keys, found a list"},
		{"task: x\n"
		 "parameters: {a: {typ: int}}",
			"4:18: unknown key 'typ' in parameter 'a', did you mean 'type'?"},
		{"task: x\n"
		 "parameters: {a: {default: [x]}}",
			"4:27: default must be a text, found a list"},
		{"task: x\n"
		 "parameters: {a b: x, '': y, ä: z, A-1_b: w}",
			"4:19: 'a b' cannot name a parameter: letters, digits, _ and -\n"
			"4:26: '' cannot name a parameter: letters, digits, _ and -\n"
			"4:32: 'ä' cannot name a parameter: letters, digits, _ and -"},
		{"task: x\n"
		 "parameters: {a: {required: maybe}}",
			"4:28: required must be true or false, found 'maybe'"},
		{"task: x\n"
		 "parameters: {a: {options: {x: y}}}",
			"4:27: options must be a list of texts, found a section of keys"},
	};
	assert_all(BEFORE, rows, ARRAY_SIZE(rows));
}

static void refuses_defaults_that_are_not_of_their_type(void **state)
{
	(void)state;
	static const struct said rows[] = {
		{"task: x\n"
		 "parameters: {a: {type: int, default: x}, b: {type: bool, default: 1}, c: {type: number, "
		 "default: 1e5}}",
			"4:17: a must be a whole number, found 'x'\n"
			"4:45: b must be true or false, found '1'\n"
			"4:74: c must be a number, found '1e5'"},
		{"task: x\n"
		 "parameters:\n"
		 "  a: {type: duration, default: 5w}\n"
		 "  b: {type: int, default: -5}\n"
		 "  c: {type: number, default: -0.5}\n"
		 "  d: {type: duration, default: 5m}",
			"5:6: a must be a duration such as 90s or 5m, found '5w'"},
		{"task: x\n"
		 "parameters: {a: {options: [x, y], default: z}}",
			"4:17: a must be one of x, y, found 'z'"},
		{"task: x\n"
		 "parameters: {a: {options: [x, y], default: x}}",
			""},
	};
	assert_all(BEFORE, rows, ARRAY_SIZE(rows));
}

#define TEXT(name) "; with a backslash before it {{" name "}} is text"

/* Each where it stands (20, wrong 9). */
static void refuses_names_that_nothing_declares(void **state)
{
	(void)state;
	static const struct said rows[] = {
		{"task: '{{lang}} {{ langage }} {{moon}}'\n"
		 "parameters: {language: c}",
			"3:8: parameter 'lang' is not declared" TEXT(
				"lang") "\n"
						"3:17: parameter 'langage' is not declared, did you mean 'language'?" TEXT(
							"langage") "\n"
									   "3:31: parameter 'moon' is not declared" TEXT("moon")},
		{"task: x\n"
		 "test: {command: make, targeted: 'run {{tests}}'}",
			""},
		{"task: '{{a}}'", "3:8: parameter 'a' is not declared" TEXT("a")},
		{"task: |\n"
		 "  one {{{ b }} {{\n"
		 "    \\{{two}} {{a}}",
			"4:8: parameter 'b' is not declared" TEXT(
				"b") "\n"
					 "5:14: parameter 'a' is not declared" TEXT("a")},
		{"limits: {turns: '{{n}}'}\n"
		 "task: x",
			"3:18: parameter 'n' is not declared" TEXT("n")},
		{"task: x\n"
		 "workspace: {files: {f: '{{a}}'}}\n"
		 "protect: ['{{b}}']\n"
		 "assert: ['{{c}}', {contains: '{{d}}'}]",
			"4:25: parameter 'a' is not declared" TEXT(
				"a") "\n"
					 "5:12: parameter 'b' is not declared" TEXT(
						 "b") "\n"
							  "6:10: unknown assertion type '{{c}}'" ASSERTIONS "\n"
							  "6:31: parameter 'd' is not declared" TEXT("d")},
	};
	assert_all(BEFORE, rows, ARRAY_SIZE(rows));
}

static void leaves_other_braces_alone(void **state)
{
	(void)state;
	static const struct said rows[] = {
		{"task: '{ {a} {{ {{}} {{a b}} {{a} {a}} {{a.b}} {{ä}} }}'", ""},
	};
	assert_all(BEFORE, rows, ARRAY_SIZE(rows));
}

static void does_not_judge_what_has_no_value(void **state)
{
	(void)state;
	static const struct said rows[] = {
		{"task: '{{a}}'\n"
		 "parameters: {a: {type: int}}",
			""},
		{"task: x\n"
		 "limits: {turns: '{{a}}', time: '{{a}}m'}\n"
		 "parameters: {a: {type: int}}",
			""},
		{"task: {file: '{{a}}.txt'}\n"
		 "parameters: {a: {}}",
			""},
		{"task: x\nworkspace: '{{a}}'\n"
		 "parameters: {a: {description: d}}",
			""},
		{"task: x\nworkspace: {repo: '{{a}}'}\n"
		 "parameters: {a: {description: d}}",
			""},
		{"workspace: {files: {f: '{{a}}'}, mount: ['{{a}}']}\n"
		 "task: x\n"
		 "assert: [{regex: '{{a}}'}]\n"
		 "models: {m: openai/{{a}}, n: {record: {model: '{{a}}', file: f}}}\n"
		 "executor: {type: local, env: {X: '{{a}}'}}\n"
		 "parameters: {a: {description: d}}",
			"6:20: expected ',' or '}' in the map that begins in line 6"},
		{"task: x\n"
		 "parameters: {a: {description: d}}\n"
		 "limits: {turns: '{{a}}', time: soon}",
			"5:32: time must be a duration such as 90s or 5m, found 'soon'"},
	};
	assert_all(BEFORE, rows, ARRAY_SIZE(rows));
}

static void assert_given(const char *text, struct option_strings given, struct scenario *scenario,
	struct arena *arena, const char *said)
{
	AUTO_STRBUF file = STRBUF_INIT(STRBUF_TEXT);
	struct scenario_settings settings = {.parameters = given};
	strbuf_addf(&file, "%s%s\n", BEFORE, text);
	assert_read(&settings, arena, file.text, scenario, said);
}

#define GIVEN(...) \
	(struct option_strings) \
	{ \
		(const char *[]){__VA_ARGS__}, \
			sizeof((const char *[]){__VA_ARGS__}) / sizeof(const char *) \
	}

static void refuses_wrong_values(void **state)
{
	(void)state;
	AUTO_ARENA arena = ARENA_INIT;
	struct scenario scenario;
	static const char text[] =
		"task: '{{n}}'\n"
		"parameters: {n: {type: int}, colour: {options: [red, blue], default: red}}";
	assert_given(text, (struct option_strings){0}, &scenario, &arena,
		"f.yaml:4:17: parameter 'n' needs a value: -p n=VALUE\n");
	assert_given(
		text, GIVEN("n=x"), &scenario, &arena, "-p n=x: n must be a whole number, found 'x'\n");
	assert_given(
		text, GIVEN("n="), &scenario, &arena, "-p n=: n must be a whole number, found ''\n");
	assert_given(text, GIVEN("n=1", "colour=green"), &scenario, &arena,
		"-p colour=green: colour must be one of red, blue, found 'green'\n");
	assert_given(text, GIVEN("n=1", "color=red"), &scenario, &arena,
		"-p color=red: parameter 'color' is not declared, did you mean 'colour'?\n");
	assert_given(
		text, GIVEN("n=1", "m"), &scenario, &arena, "-p m: a parameter is given as NAME=VALUE\n");
	assert_given(
		"task: x", GIVEN("n=1"), &scenario, &arena, "-p n=1: parameter 'n' is not declared\n");
}

static void says_once_that_a_value_is_missing(void **state)
{
	(void)state;
	AUTO_ARENA arena = ARENA_INIT;
	struct scenario scenario;
	assert_given("task: '{{n}}'\n"
				 "limits: {turns: '{{n}}'}\n"
				 "parameters: {n: {type: int}}",
		(struct option_strings){0}, &scenario, &arena,
		"f.yaml:5:17: parameter 'n' needs a value: -p n=VALUE\n");
}

static void fills_every_text(void **state)
{
	(void)state;
	AUTO_ARENA arena = ARENA_INIT;
	struct scenario scenario;
	static const char text[] =
		"task: '{{ a }}{{b}} {{a}'\n"
		"limits: {turns: '{{n}}', time: '{{n}}m'}\n"
		"protect: ['{{a}}/**']\n"
		"workspace: {files: {f: '{{b}}'}}\n"
		"parameters: {a: '{{b}}', b: {required: false}, n: {type: int, default: 7}}";
	assert_given(text, GIVEN("b=one", "b=x=y", "n=5"), &scenario, &arena, "");
	/* what a value holds is not looked at again */
	assert_string_equal(scenario.task, "{{b}}x=y {{a}");
	assert_int_equal(scenario.limits.turns, 5);
	assert_int_equal(scenario.limits.time_ms, 300000);
	assert_string_equal(scenario.protect.items[0], "{{b}}/**");
	assert_string_equal(scenario.workspace.files.items[0], "x=y");
	assert_given(text, (struct option_strings){0}, &scenario, &arena, "");
	assert_string_equal(scenario.task, "{{b}} {{a}");
	assert_int_equal(scenario.limits.turns, 7);
}

static void fills_names(void **state)
{
	(void)state;
	AUTO_ARENA arena = ARENA_INIT;
	struct scenario scenario;
	struct scenario_settings settings = {.parameters = GIVEN("who=b")};
	assert_read(&settings, &arena,
		"task: x\n"
		"agents: {a: executor, b: openai/x}\n"
		"team: {participants: ['{{who}}']}\n"
		"parameters: {who: a}\n",
		&scenario, "");
	const struct team_options *team = scenario.team.common;
	assert_string_equal(team->participants.items[0].name, "b");
}

UNIT(parameter)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(refuses_wrong_declarations),
		cmocka_unit_test(refuses_defaults_that_are_not_of_their_type),
		cmocka_unit_test(refuses_names_that_nothing_declares),
		cmocka_unit_test(leaves_other_braces_alone),
		cmocka_unit_test(does_not_judge_what_has_no_value),
		cmocka_unit_test(refuses_wrong_values),
		cmocka_unit_test(says_once_that_a_value_is_missing),
		cmocka_unit_test(fills_every_text),
		cmocka_unit_test(fills_names),
	};
	return RUN_SCENARIO_TESTS(tests);
}
