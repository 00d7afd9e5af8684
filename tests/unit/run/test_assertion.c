/* What a scenario asserts, held against what came of it: when it holds, and what is said where it
 * does not. */
#include "tests/unit/unit.h"

#include "run/scenario/assertion.h"
#include "tests/unit/scenario_fixture.h"

static const struct rondo_message task = {.source = "user", .content = "say DONE"};
static const struct rondo_message first = {.source = "t", .content = "line one\nline two"};
static const struct rondo_message last = {.source = "a", .content = "exit code 3"};
static const struct rondo_message *const said[] = {&task, &first, &last};
static const struct assertion_facts facts = {.messages = {said, 3},
	.stop_reason = "Text 'DONE' mentioned",
	.last_exit_code = 3,
	.tests_pass = true};

/* What does not hold, for assertions as they stand in a file. */
static void assert_why(
	const char *text, const struct assertion_facts *against, const char *expected)
{
	AUTO_ARENA arena = ARENA_INIT;
	struct scenario scenario;
	AUTO_STRBUF file = STRBUF_INIT(STRBUF_TEXT), why = STRBUF_INIT(STRBUF_TEXT);
	static const struct scenario_settings none;
	strbuf_addf(&file, "%sassert: %s\n", WELL, text);
	assert_read(&none, &arena, file.text, &scenario, "");
	assert_int_equal(assertions_check(&scenario.asserts, against, &why), scenario.asserts.n);
	assert_string_equal(why.text, expected);
}

static void contains_what_somebody_but_the_task_said(void **state)
{
	(void)state;
	assert_why("[contains/line, {contains: 'one\n\n"
			   "  line'}, {type: contains, value: exit, sources: a}]",
		&facts, "");
	assert_why("contains/DONE", &facts, "contains: nobody said 'DONE'\n");
	assert_why("{type: contains, value: DONE, sources: [user]}", &facts, "");
	assert_why(
		"{type: contains, value: exit, sources: [t]}", &facts, "contains: nobody said 'exit'\n");
	assert_why("contains/x", &(struct assertion_facts){.last_exit_code = -1},
		"contains: nobody said 'x'\n");
	assert_why("[not_contains/DONE, {not_contains: {value: exit, sources: [t]}}]", &facts, "");
	assert_why("not_contains/line", &facts, "not_contains: t said 'line'\n");
}

static void matches_line_by_line(void **state)
{
	(void)state;
	assert_why("[{regex: '^line (one|two)$'}, {regex: 'code [0-9]+'}]", &facts, "");
	assert_why("{regex: 'one.line'}", &facts, "regex: nothing that was said matches 'one.line'\n");
	assert_why("{type: regex, value: '^say', sources: user}", &facts, "");
}

static void compares_the_last_exit_code(void **state)
{
	(void)state;
	assert_why("exit_code/3", &facts, "");
	assert_why("exit_code/0", &facts, "exit_code: the last code that ran exited with 3, not 0\n");
	assert_why(
		"exit_code/0", &(struct assertion_facts){.last_exit_code = -1}, "exit_code: no code ran\n");
}

static void compares_whole_files(void **state)
{
	(void)state;
	static const struct assertion_facts here = {.files = ".", .last_exit_code = -1};
	put_file("a.txt", "text\n", 5);
	put_file("nul.txt", "a\0b", 3);
	assert_why("{file_equals: {path: a.txt, value: \"text\\n\"}}", &here, "");
	assert_why(
		"[{file_equals: {path: a.txt, value: text}}, {file_equals: {path: no.txt, value: ''}}]",
		&here,
		"file_equals: file 'a.txt' has another text\nfile_equals: there is no file 'no.txt'\n");
	assert_why("{file_equals: {path: nul.txt, value: a}}", &here,
		"file_equals: file 'nul.txt' has another text\n");
}

static void knows_whether_the_tests_pass_and_why_it_stopped(void **state)
{
	(void)state;
	static const struct assertion_facts red = {.stop_reason = NULL};
	assert_why("[tests_pass, stop_reason/DONE]", &facts, "");
	assert_why("tests_pass/false", &facts, "tests_pass: the tests pass\n");
	assert_why("[tests_pass, stop_reason/DONE]", &red,
		"tests_pass: the tests do not pass\nstop_reason: it stopped because '', not 'DONE'\n");
}

UNIT(assertion)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(contains_what_somebody_but_the_task_said),
		cmocka_unit_test(matches_line_by_line),
		cmocka_unit_test(compares_the_last_exit_code),
		cmocka_unit_test(compares_whole_files),
		cmocka_unit_test(knows_whether_the_tests_pass_and_why_it_stopped),
	};
	return RUN_SCENARIO_TESTS(tests);
}
