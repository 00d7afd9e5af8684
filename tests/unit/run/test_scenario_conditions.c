/* Conditions in scenario files: what no table can say of them. */
#include "tests/unit/unit.h"

#include "tests/unit/scenario_fixture.h"

static void refuses_a_condition_that_cannot_fire(void **state)
{
	(void)state;
	static const struct said rows[] = {
		{"task: x\n"
		 "agents: {a: executor}\n"
		 "team: {participants: [a], termination: tests_pass}",
			"3:40: tests_pass never fires: no participant is a tester"},
		{"task: x\n"
		 "agents: {a: executor, t: tester}\n"
		 "team: {participants: [a], termination: [text_mention, {or: [tests_pass]}]}",
			"3:61: tests_pass never fires: no participant is a tester"},
		{"task: x\n"
		 "agents: {a: {sequence: [executor, tester]}}\n"
		 "team: {participants: [a], termination: tests_pass}",
			""},
		{"task: x\n"
		 "agents: {t: tester, a: executor, b: {team: {participants: t}}, c: {team: {participants: "
		 "a, termination: tests_pass}}}\n"
		 "team: {participants: [b, c], termination: tests_pass}",
			"2:105: tests_pass never fires: no participant is a tester"},
	};
	assert_all("", rows, ARRAY_SIZE(rows));
}

#define CONDITION \
	"task: x\nagents: {a: executor, t: tester}\nparameters: {n: {type: int, required: true}}\n" \
	"team: {participants: [a], termination: "

static void refuses_conditions_by_what_no_table_says(void **state)
{
	(void)state;
	static const struct said rows[] = {
		{"{text_mention: ''}}", "4:40: termination text_mention: text must not be empty"},
		{"{text_mention: {text: '(', mode: regex}}}",
			"4:40: termination text_mention: '(' is no extended regular expression: Unmatched ( or "
			"\\("},
		{"[external, {and: [external, {text_mention: {text: 'a{2,1}', mode: regex}}]}]}",
			"4:68: termination text_mention: 'a{2,1}' is no extended regular expression: Invalid "
			"content of \\{\\}"},
		{"token_usage}",
			"4:40: termination token_usage: at least one of total, prompt and completion must be "
			"given"},
		{"{max_cost: 0}}", "4:40: termination max_cost: usd must be more than 0"},
		{"{external: ''}}", "4:40: termination external: file must not be empty"},
		{"{command: ' '}}", "4:40: termination command: command must not be empty"},
		{"{text_message: b}}", "4:40: agent 'b' is not declared (agents: a, t)"},
		{"{or: [{source_match: [a, user, tt]}]}}",
			"4:46: agent 'tt' is not declared (agents: a, t), did you mean 't'?"},
		{"{source_match: []}}", "4:55: sources must not be empty"},
		{"{max_messages: 0}}", "4:55: max must be between 1 and 1000000000, found '0'"},
		{"{timeout: 0}}", "4:50: after must be at least 1ms, found '0'"},
		{"{no_progress: {repeats: 1}}}", "4:64: repeats must be between 2 and 1000000, found '1'"},
		{"handoff}", "4:40: termination handoff needs 'target': to whom"},
		/* What a parameter without a value fills is not judged. */
		{"[{token_usage: '{{n}}'}, {and: [{text_mention: {text: '{{n}}', mode: regex}}]}]}", ""},
	};
	assert_all(CONDITION, rows, ARRAY_SIZE(rows));
}

UNIT(scenario_conditions)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(refuses_a_condition_that_cannot_fire),
		cmocka_unit_test(refuses_conditions_by_what_no_table_says),
	};
	return RUN_SCENARIO_TESTS(tests);
}
