/* Teams within teams, as a scenario declares them: what is wrong with them is told with its
 * place. */
#include "tests/unit/unit.h"

#include "tests/unit/scenario_fixture.h"

static void knows_teams_within_teams(void **state)
{
	(void)state;
	static const struct said rows[] = {
		{"task: x\n"
		 "agents: {a: executor, b: repair, c: {team: {participants: b}}, d: {sequence: [{team: "
		 "{participants: a}}]}}\n"
		 "team: {participants: [c, d]}",
			""},
		{"task: x\n"
		 "agents: {a: executor, b: {team: {participants: [a, moon], termination: {text_mention: "
		 "{text: x, sources: sun}}}}}\n"
		 "team: {participants: [b]}",
			"2:52: agent 'moon' is not declared (agents: a, b)\n"
			"2:72: agent 'sun' is not declared (agents: a, b)"},
		{"task: x\n"
		 "agents: {a: executor, b: {team: {participants: [a, a]}}, c: {team: {participants: a}}}\n"
		 "team: {participants: [b, c]}",
			"2:52: 'a' is a participant already\n"
			"2:83: 'a' is a participant of another team already"},
		{"task: x\n"
		 "agents: {a: executor, b: {team: {participants: [a, b]}}}\n"
		 "team: {participants: [b]}",
			"2:52: 'b' would take part in itself"},
		{"task: x\n"
		 "agents: {b: {team: {participants: c}}, c: {sequence: [executor, {team: {participants: "
		 "b}}]}}\n"
		 "team: {participants: b}",
			"2:87: 'b' would take part in itself"},
		{"task: x\n"
		 "agents: {a: executor, b: {team: {participants: b}}} # nobody's\n"
		 "team: {participants: a}",
			""},
		{"agents: {t: tester, b: {team: {participants: t}}}\n" /* its suite is the task */
		 "team: {participants: b}",
			""},
		{"agents: {b: team, c: {team: {}}, d: {team: {messages: all}}}\n"
		 "task: x\nteam: {participants: b}",
			"1:13: agent 'b' needs 'team': who speaks in it, and when it stops\n"
			"1:29: team needs 'participants': the agents, in the order in which they speak\n"
			"1:44: team needs 'participants': the agents, in the order in which they speak\n"
			"1:45: unknown key 'messages' in team; it is a key of agents (team)"},
	};
	assert_all("", rows, ARRAY_SIZE(rows));
}

static void limits_how_deep_teams_are(void **state)
{
	(void)state;
	AUTO_STRBUF text = STRBUF_INIT(STRBUF_TEXT);
	strbuf_adds(&text, "task: x\nteam: {participants: t9}\nagents:\n  t0: executor\n");
	for (int i = 1; i <= 9; i++)
		strbuf_addf(&text, "  t%d: {team: {participants: t%d}}\n", i, i - 1);
	assert_says("", text.text, "5:7: teams within teams are 8 deep at most");
}

UNIT(scenario_teams)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(knows_teams_within_teams),
		cmocka_unit_test(limits_how_deep_teams_are),
	};
	return RUN_SCENARIO_TESTS(tests);
}
