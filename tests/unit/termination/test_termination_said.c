/* Conditions that listen to what is said. Numbers are those of the cases in the field's own tests
 * and of its reports. */
#include "tests/unit/termination_fixture.h"

#include "base/clock.h"
#include "base/sanitizer.h"

/* 39: test_mention_termination; 183, #6826: the task itself holds the word; 184: INDETERMINATE. */
static void text_mention_wants_a_word_of_an_agent(void **state)
{
	(void)state;
	struct termination *word = NEW_PLAIN(text_mention);
	assert_true(says(word, "coder", "TERMINATE"));
	assert_true(says(word, "coder", "done. **TERMINATE**."));
	assert_true(says(word, "coder", "“TERMINATE”"));
	assert_true(says(word, "coder", "任务完成TERMINATE。"));
	assert_false(says(word, "coder", "INDETERMINATE"));
	assert_false(says(word, "coder", "TERMINATED"));
	assert_false(says(word, "coder", "TERMINATE_ALL"));
	assert_false(says(word, "coder", "éTERMINATE"));
	assert_false(says(word, "coder", "Hello"));
	assert_false(says(word, "user", "say TERMINATE when you are done"));
	assert_fires(word, &(struct rondo_message){.source = "coder", .content = "TERMINATE"},
		RONDO_STOP_SUCCESS, "Text 'TERMINATE' mentioned");
}

static void a_word_has_its_own_edges(void **state)
{
	(void)state;
	assert_true(says(NEW(text_mention, "text=[END]"), "a", "is it[END]now"));
	assert_true(says(NEW(text_mention, "text=готово"), "a", "всё «готово»."));
	assert_false(says(NEW(text_mention, "text=готово"), "a", "неготово"));
	assert_false(says(NEW(text_mention, "text=готов"), "a", "готово"));
	assert_true(says(NEW(text_mention, "text=ok"), "a", "not okay, but ok"));
	assert_true(says(NEW(text_mention, "text=all done"), "a", "we are all done now"));
	assert_true(says(NEW(text_mention, "text=完成"), "a", "任务完成了"));
}

/* Example 000: a fix whose code prints the word must not end the chat before it has run. */
static void code_mentions_nothing(void **state)
{
	(void)state;
	struct termination *word = NEW_PLAIN(text_mention), *line = NEW(text_mention, "mode=line");
	struct termination *anywhere = NEW(text_mention, "mode=substring");
	static const char *const code[] = {"Run this:\n"
									   "```python\n"
									   "print(\"TERMINATE\")\n"
									   "```\n",
		"```\n"
		"TERMINATE\n"
		"```",
		"~~~\n"
		"TERMINATE\n"
		"~~~\n"
		"and\n"
		"```sh\n"
		"echo TERMINATE\n"
		"```\n",
		"cut off:\n"
		"```py\n"
		"print(1)\n"
		"TERMINATE",
		"- ```\n  TERMINATE\n  ```\n", "```TERMINATE\nx\n```\n"};
	for (size_t i = 0; i < ARRAY_SIZE(code); i++) {
		assert_false(says(word, "coder", code[i]));
		assert_false(says(line, "coder", code[i]));
		assert_true(says(anywhere, "coder", code[i]));
	}
	static const char *const text[] = {"```\n"
									   "TERMINATE\n"
									   "```\n"
									   "TERMINATE",
		"TERMINATE\n"
		"```\n"
		"x\n"
		"```",
		"\n"
		"```\n"
		"```\n"
		"TERMINATE\n",
		"> ```\n> x\n\nTERMINATE\n"};
	for (size_t i = 0; i < ARRAY_SIZE(text); i++) {
		assert_true(says(word, "coder", text[i]));
		assert_true(says(line, "coder", text[i]));
	}
}

/* A model that repeats itself until somebody stops it. Sanitizers look at a whole text before each
 * search in it. */
static void a_word_is_found_behind_very_many_blocks(void **state)
{
	(void)state;
	struct termination *word = NEW_PLAIN(text_mention);
	int64_t start_ms = clock_now_ms();
	AUTO_STRBUF text = STRBUF_INIT(STRBUF_TEXT);
	for (int i = 0; i < (HAVE_ASAN || HAVE_TSAN ? 2000 : 80000); i++)
		strbuf_adds(&text, "```\nTERMINATE\n```\n");
	assert_false(says(word, "coder", text.text));
	strbuf_adds(&text, "\nTERMINATE\n");
	assert_true(says(word, "coder", text.text));
	assert_true(clock_now_ms() - start_ms < 10000);
}

/* semantic-kernel PR#10771: "not approved" contains "approved". 184: PASSED against PASS, and that
 * substring is still there. */
static void text_mention_has_modes(void **state)
{
	(void)state;
	struct termination *line = NEW(text_mention, "text=approved", "mode=line");
	assert_true(says(NEW(text_mention, "text=PASS", "mode=substring"), "reviewer", "2 PASSED"));
	assert_false(says(NEW(text_mention, "text=PASS"), "reviewer", "2 PASSED"));
	assert_false(says(line, "reviewer", "not approved"));
	assert_false(says(line, "reviewer", "approved?"));
	assert_true(says(line, "reviewer", "approved"));
	assert_true(says(line, "reviewer", "I say:\r\n  approved \t\r\nand mean it"));
	struct termination *regex = NEW(text_mention, "text=^(VERIFIED|DONE)[.!]?$", "mode=regex");
	assert_true(says(regex, "a", "well\nDONE!\nbye"));
	assert_false(says(regex, "a", "DONE?"));
	assert_true(says(regex, "a", "```\nDONE\n```"));
}

/* 185 and #4807: a program's output ends nothing unless its speaker is named; nor does what a
 * tester quotes. */
static void what_programs_print_mentions_nothing_unless_asked(void **state)
{
	(void)state;
	const struct rondo_message printed = {.type = RONDO_MESSAGE_CODE_EXECUTION,
		.source = "executor",
		.content = "exitcode: 0 (execution succeeded)\nCode output: TERMINATE"};
	const struct rondo_message report = {
		.type = RONDO_MESSAGE_TEST_REPORT, .source = "tester", .content = "TERMINATE"};
	static const char *const modes[] = {"mode=word", "mode=substring", "mode=regex"};
	for (size_t i = 0; i < ARRAY_SIZE(modes); i++) {
		assert_false(fires_on(NEW(text_mention, modes[i]), &printed));
		assert_false(fires_on(NEW(text_mention, modes[i]), &report));
		assert_false(fires_on(NEW(text_mention, modes[i], "sources=coder"), &printed));
		assert_true(
			fires_on(NEW(text_mention, modes[i], "sources=coder", "sources=executor"), &printed));
		assert_true(fires_on(NEW(text_mention, modes[i], "sources=tester"), &report));
	}
}

/* PR#5106. */
static void sources_are_the_only_ones_that_are_heard(void **state)
{
	(void)state;
	struct termination *of_two = NEW(text_mention, "sources=coder", "sources=user");
	assert_true(says(of_two, "user", "TERMINATE"));
	assert_true(says(of_two, "coder", "TERMINATE"));
	assert_false(says(of_two, "reviewer", "TERMINATE"));
	assert_false(says(of_two, "coder2", "TERMINATE"));
}

static void text_mention_refuses_what_cannot_be_looked_for(void **state)
{
	(void)state;
	assert_options(&text_mention_termination, SETTINGS("text="), "text must not be empty");
	assert_options(&text_mention_termination, SETTINGS("text=(", "mode=regex"),
		"'(' is no extended regular expression: Unmatched ( or \\(");
	assert_options(&text_mention_termination, SETTINGS("text=("), "");
	assert_false(says(NEW(text_mention, "text=(", "mode=regex"), "a", "("));
	assert_false(says(NEW(text_mention, "text="), "a", "b"));
}

/* 37: test_text_message_termination. */
static void text_message_wants_an_answer(void **state)
{
	(void)state;
	struct termination *any = NEW_PLAIN(text_message), *of_user = NEW(text_message, "source=user");
	struct termination *of_executor = NEW(text_message, "source=executor");
	const struct rondo_message stop = {
		.type = RONDO_MESSAGE_STOP, .source = "a", .content = "Hello"};
	const struct rondo_message printed = {
		.type = RONDO_MESSAGE_CODE_EXECUTION, .source = "executor", .content = "6.5"};
	assert_false(fires_on(any, &stop));
	assert_true(says(any, "a", "Hello"));
	assert_false(says(any, "user", "the task"));
	assert_true(says(of_user, "user", "the task"));
	assert_false(says(of_user, "a", "Hello"));
	assert_true(fires_on(of_executor, &printed));
	assert_fires(any, &(struct rondo_message){.source = "a", .content = "Hello"},
		RONDO_STOP_SUCCESS, "Text message received from 'a'");
}

static void stop_message_wants_its_type(void **state)
{
	(void)state;
	struct termination *condition = NEW_PLAIN(stop_message);
	assert_false(says(condition, "a", "stop"));
	assert_fires(condition,
		&(struct rondo_message){.type = RONDO_MESSAGE_STOP, .source = "a", .content = ""},
		RONDO_STOP_SUCCESS, "Stop message received");
}

static void source_match_wants_one_of_its_sources(void **state)
{
	(void)state;
	struct termination *condition = NEW(source_match, "sources=b", "sources=c");
	assert_false(says(condition, "a", "x"));
	assert_false(says(condition, "user", "b"));
	assert_true(says(condition, "c", "x"));
	assert_fires(condition,
		&(struct rondo_message){.type = RONDO_MESSAGE_EDIT, .source = "b", .content = "x"},
		RONDO_STOP_SUCCESS, "'b' answered");
	assert_true(says(NEW(source_match, "sources=user"), "user", "the task"));
}

/* 35: test_handoff_termination. */
static void handoff_wants_its_target(void **state)
{
	(void)state;
	struct rondo_error err;
	struct termination_reason reason;
	struct termination *condition = NEW(handoff, "target=target");
	const struct rondo_message text = {
		.source = "a", .content = "target", .data = "{\"target\":\"target\"}"};
	const struct rondo_message other = {
		.type = RONDO_MESSAGE_HANDOFF, .source = "a", .content = "", .data = "{\"target\":\"x\"}"};
	const struct rondo_message broken = {
		.type = RONDO_MESSAGE_HANDOFF, .source = "a", .content = "", .data = "{"};
	const struct rondo_message bare = {
		.type = RONDO_MESSAGE_HANDOFF, .source = "a", .content = "target"};
	const struct rondo_message right = {.type = RONDO_MESSAGE_HANDOFF,
		.source = "a",
		.content = "",
		.data = "{\"target\":\"target\"}"};
	assert_false(check_nothing(condition));
	assert_false(fires_on(condition, &text));
	assert_false(fires_on(condition, &other));
	assert_false(fires_on(condition, &broken));
	assert_false(fires_on(condition, &bare));
	const struct rondo_message *const both[] = {&text, &right};
	assert_int_equal(check_span(condition, both, 2, &reason, &err), 1);
	assert_ptr_equal(reason.message, &right);
	assert_string_equal(reason.text, "Handoff to target from a detected.");
}

/* #254, #1406: blank messages burn money. AG2 has the rule only in the example's lambda, and asks a
 * human at it. */
static void empty_message_is_a_stall(void **state)
{
	(void)state;
	struct termination *condition = NEW_PLAIN(empty_message);
	assert_false(says(condition, "a", " . "));
	assert_false(says(condition, "user", ""));
	assert_true(says(condition, "a", ""));
	assert_false(fires_on(condition,
		&(struct rondo_message){
			.type = RONDO_MESSAGE_CODE_EXECUTION, .source = "e", .content = ""}));
	assert_fires(condition,
		&(struct rondo_message){.source = "a",
			.content = " \r\n"
					   "\t"},
		RONDO_STOP_STALL, "Empty message received from 'a'");
}

/* It is on no thread, so other conditions do not count it. */
static void an_answer_of_nothing_is_heard_where_it_matters(void **state)
{
	(void)state;
	struct termination_reason reason;
	struct rondo_error err;
	const struct context ctx = {0};
	struct termination *most = NEW(max_messages, "max=1");
	struct termination *any =
		new_combination(&or_termination, most, NEW_PLAIN(empty_message), NULL);
	assert_int_equal(termination_hear_empty(most, "e", &reason, &ctx, &err), 0);
	assert_int_equal(termination_hear_empty(any, "e", &reason, &ctx, &err), 1);
	assert_string_equal(reason.text, "Empty message received from 'e'");
	assert_null(reason.message);
	assert_false(most->fired);
	struct termination *both = new_combination(
		&and_termination, NEW_PLAIN(empty_message), NEW(text_mention, "text=X"), NULL);
	assert_int_equal(termination_hear_empty(both, "e", &reason, &ctx, &err), 0);
	assert_true(says(both, "a", "X"));
}

static void tests_pass_believes_the_report_not_the_words(void **state)
{
	(void)state;
	struct termination *condition = NEW_PLAIN(tests_pass);
	struct rondo_message said = {
		.source = "coder", .content = "TESTS PASS", .data = "{\"ok\":true}"};
	struct rondo_message red = {.type = RONDO_MESSAGE_TEST_REPORT,
		.source = "tester",
		.content = "TESTS PASS",
		.data = "{\"ok\":false}"};
	struct rondo_message green = {.type = RONDO_MESSAGE_TEST_REPORT,
		.source = "tester",
		.content = "",
		.data = "{\"ok\":true}"};
	assert_false(fires_on(condition, &said));
	assert_false(fires_on(condition, &red));
	assert_fires(condition, &green, RONDO_STOP_SUCCESS, "tests pass, says 'tester'");
}

UNIT(termination_said)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(text_mention_wants_a_word_of_an_agent),
		cmocka_unit_test(a_word_has_its_own_edges),
		cmocka_unit_test(code_mentions_nothing),
		cmocka_unit_test(a_word_is_found_behind_very_many_blocks),
		cmocka_unit_test(text_mention_has_modes),
		cmocka_unit_test(what_programs_print_mentions_nothing_unless_asked),
		cmocka_unit_test(sources_are_the_only_ones_that_are_heard),
		cmocka_unit_test(text_mention_refuses_what_cannot_be_looked_for),
		cmocka_unit_test(text_message_wants_an_answer),
		cmocka_unit_test(stop_message_wants_its_type),
		cmocka_unit_test(source_match_wants_one_of_its_sources),
		cmocka_unit_test(handoff_wants_its_target),
		cmocka_unit_test(empty_message_is_a_stall),
		cmocka_unit_test(an_answer_of_nothing_is_heard_where_it_matters),
		cmocka_unit_test(tests_pass_believes_the_report_not_the_words),
	};
	return RUN_TERMINATION_TESTS(tests);
}
