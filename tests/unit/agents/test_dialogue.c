/* What a coder tells its model: prompts, failures, files, and what was said. */
#include "tests/unit/coder_fixture.h"

#include "agents/briefing.h"

static void the_prompt_says_task_failures_and_files(void **state)
{
	AUTO_TEAM t;
	open_team(&t, state, (struct model_reply[]){{.text = "Let me think."}});
	set(&t, "instructions", "Speak Latin.");
	give_task(&t);
	struct response response = turn(&t);
	assert_int_equal(response.message.type, RONDO_MESSAGE_TEXT);
	assert_int_equal(script.asked[0].n, 2);
	assert_int_equal(script.asked[0].messages[0].role, MODEL_SYSTEM);
	expect_in(asked(0, 0), "You are the coder");
	expect_in(asked(0, 0), "<<<<<<< SEARCH");
	expect_in(asked(0, 0), "\nSpeak Latin.");
	const char *text = asked(0, 1);
	expect_in(text, "user: Make the failing tests pass.");
	expect_in(text, "- test_pricing.py::test_total: assert 2 == 3 (test_pricing.py:4)");
	expect_in(text, "1 failed in 0.01s");
	expect_in(text, "\npricing.py\n```py\n" PRICING "```\n");
	expect_in(text, "\ntest_pricing.py (protected)\n```py\n" TESTS "```");
	assert_true(strstr(text, "\ntest_pricing.py (protected)\n") < strstr(text, "\npricing.py\n"));
}

static void what_is_shown_of_files_has_a_limit(void **state)
{
	AUTO_TEAM t;
	open_team(&t, state, (struct model_reply[]){{.text = "Well."}});
	AUTO_STRBUF large = STRBUF_INIT(STRBUF_TEXT);
	for (int i = 0; i < 5000; i++)
		strbuf_addf(&large, "x%d = %d\n", i, i);
	strbuf_adds(&large, PRICING);
	must(t.f, file_write(at(t.f, "tree/pricing.py"), large.text, large.length, 0644, &t.f->err));
	set(&t, "context", "4K");
	give_task(&t);
	turn(&t);
	expect_in(asked(0, 1), "\n" PRICING "```");
	expect_in(asked(0, 1), " to 5005 of 5005)\n");
	assert_true(strlen(asked(0, 1)) < 8000);
}

/* Old outputs go first, then old messages, in steps; the task and the newest stay. */
static void a_chat_that_is_longer_than_the_model_can_read_is_cut(void **state)
{
	AUTO_TEAM t;
	struct model_reply replies[30] = {{0}};
	char text[600], words[400];
	open_team(&t, state, replies);
	memset(words, 'w', sizeof words);
	words[sizeof words - 1] = '\0';
	for (size_t i = 0; i < ARRAY_SIZE(replies); i++)
		replies[i] = (struct model_reply){.text = words};
	set(&t, "edit_format", "none");
	give_task(&t);
	t.model->context = 2000;
	for (size_t i = 0; i < ARRAY_SIZE(replies); i++) {
		size_t bytes = 0;
		turn(&t);
		const struct model_request *asked_now = &script.asked[i];
		for (size_t j = 0; j < asked_now->n; j++)
			bytes += strlen(asked_now->messages[j].content);
		assert_true(bytes < 2000 * 3);
		expect_in(asked(i, 1), "user: Make the failing tests pass.");
		snprintf(text, sizeof text, "exitcode: 0\nCode output: %zu %0500d", i, 0);
		said(&t, RONDO_MESSAGE_CODE_EXECUTION, "executor", arena_strdup(&t.arena, text), NULL);
		if (i)
			expect_in(asked_now->messages[asked_now->n - 1].content, "Code output: ");
	}
	expect_in(asked(29, 1), " earlier messages are left out here: together they are longer than");
	expect_not_in(asked(5, 1), "left out");
}

static void the_same_failures_are_told_once(void **state)
{
	AUTO_TEAM t;
	open_team(&t, state,
		(struct model_reply[]){{.text = "a"}, {.text = "b"}, {.text = "c"}, {.text = "d"}});
	give_task(&t);
	turn(&t);
	said(&t, RONDO_MESSAGE_TEST_REPORT, "tester", "0 of 1 passed",
		report(&t, "assert 4 == 3", "in 0.02s"));
	turn(&t);
	said(&t, RONDO_MESSAGE_TEST_REPORT, "tester", "0 of 1 passed",
		report(&t, "assert 4 == 3", "in 0.03s"));
	turn(&t);
	expect_in(asked(2, 3), "tester: 0 of 1 passed\n");
	expect_in(asked(2, 3), "in 0.02s");
	expect_in(asked(2, 5), "The same tests fail in the same way as before.");
	expect_not_in(asked(2, 5), "in 0.03s");
	said(&t, RONDO_MESSAGE_TEST_REPORT, "tester", "0 of 1 passed",
		report(&t, "assert 2 == 3", "in 0.04s"));
	turn(&t);
	expect_in(asked(3, 7), "in 0.04s");
	expect_not_in(asked(3, 7), "full log");
}

/* What is told of failures is made anew: the message's own text of them is not repeated. */
static void of_a_report_the_first_paragraph_is_told_and_what_is_news(void **state)
{
	AUTO_TEAM t;
	open_team(&t, state, (struct model_reply[]){{.text = "a"}, {.text = "b"}});
	give_task(&t);
	turn(&t);
	said(&t, RONDO_MESSAGE_TEST_REPORT, "tester",
		"0 of 1 passed\n"
		"newly broken: x\n\n"
		"all that was printed\n\n"
		"full log: /log",
		"{\"exit_code\":1,\"complete\":true,\"log_at\":\"/seen/"
		"log\",\"results\":[{\"id\":\"test_a\",\"status\":\"failed\","
		"\"detail\":\"FAIL test_a\\nno price\"}]}");
	turn(&t);
	expect_in(asked(1, 3),
		"tester: 0 of 1 passed\n"
		"newly broken: x\n\n"
		"The test command exited with code 1 and printed of the first "
		"failures:\n```\ntest_a\nFAIL test_a\nno price\n```\n\nfull log: /seen/log");
	expect_not_in(asked(1, 3), "all that was printed");
}

static void failures_as_in_the_baseline_are_not_told_again(void **state)
{
	AUTO_TEAM t;
	open_team(&t, state, (struct model_reply[]){{.text = "a"}, {.text = "b"}});
	give_task(&t);
	turn(&t);
	said(&t, RONDO_MESSAGE_TEST_REPORT, "tester", "0 of 1 passed",
		report(&t, "assert 2 == 3", "in 0.02s"));
	turn(&t);
	expect_in(asked(1, 3), "The same tests fail in the same way as before.");
}

/* 8.8, 165: what a buffered context forgets is here cut down to a line; both ends, and all that was
 * said, are kept. */
static void old_outputs_are_cut_down_in_steps(void **state)
{
	AUTO_TEAM t;
	struct model_reply replies[11];
	for (size_t i = 0; i < ARRAY_SIZE(replies); i++)
		replies[i] = (struct model_reply){.text = "More."};
	open_team(&t, state, replies);
	set(&t, "history", "4");
	give_task(&t);
	turn(&t);
	for (size_t i = 0; i < 10; i++) {
		said(&t, RONDO_MESSAGE_CODE_EXECUTION, "executor",
			arena_printf(&t.arena,
				"exitcode: %zu\n"
				"long output",
				i),
			NULL);
		turn(&t);
	}
	/* 5 observations: the first is not cut down before there are 6. */
	expect_in(asked(5, 3), "exitcode: 0\nlong output");
	expect_in(asked(6, 3), "executor: exitcode: 0\n[an old output, left out]");
	expect_in(asked(6, 5), "exitcode: 1\n[an old");
	expect_in(asked(6, 7), "exitcode: 2\nlong output");
	expect_in(asked(10, 13), "exitcode: 5\n[an old");
	expect_in(asked(10, 15), "exitcode: 6\nlong output");
}

static void silence_is_answered_twice(void **state)
{
	AUTO_TEAM t;
	open_team(&t, state,
		(struct model_reply[]){{.text = "a"}, {.text = "b"}, {.text = "c"}, {.text = "d"}});
	t.services.end_word = "DONE";
	give_task(&t);
	for (size_t i = 0; i < 3; i++)
		assert_false(turn(&t).pass);
	expect_in(asked(0, 0), "the word that ends the chat alone on the\nlast line:\nDONE\n");
	expect_in(asked(1, 3), "Nothing has come of your last message");
	expect_in(asked(1, 3), "To change a file, write its path");
	expect_in(asked(1, 3), "\nDONE\n");
	expect_in(asked(2, 5), "Nothing has come of your last message");
	struct response response = turn(&t);
	assert_int_equal(response.message.type, RONDO_MESSAGE_STOP);
	assert_string_equal(
		response.message.content, "gave up: nothing came of 3 replies in a row; the last said: c");
	assert_true(turn(&t).pass);
	said(&t, RONDO_MESSAGE_TEXT, "user", "Go on.", NULL);
	assert_false(turn(&t).pass);
}

static void an_empty_reply_is_not_sent_back(void **state)
{
	AUTO_TEAM t;
	open_team(&t, state, (struct model_reply[]){{.text = ""}, {.text = ""}, {.text = ""}});
	give_task(&t);
	for (size_t i = 0; i < 3; i++)
		assert_false(turn(&t).pass);
	assert_int_equal(script.asked[1].n, 2);
	expect_in(asked(1, 1), "Nothing has come of your last message");
	struct response response = turn(&t);
	assert_string_equal(response.message.content,
		"gave up: nothing came of 3 replies in a row; the last was empty");
}

static void what_repair_found_is_told(void **state)
{
	AUTO_TEAM t;
	open_team(&t, state, (struct model_reply[]){{.text = "a"}});
	give_task(&t);
	said(&t, RONDO_MESSAGE_TEST_REPORT, "tester", "0 of 1 passed",
		report(&t, "assert 2 == 3", "an old run"));
	said(&t, RONDO_MESSAGE_STOP, "repair", "gave up",
		"{\"suspects\":[\"pricing.py:4\",\"pricing.py:2\"],"
		"\"partial\":[{\"fixed\":1,\"of\":2,\"description\":\"pricing.py:4  '=' to '-='\"}]}");
	turn(&t);
	const char *text = asked(0, 1);
	expect_in(text,
		"repair: gave up\n"
		"Lines it suspects, likeliest first: pricing.py:4, pricing.py:2\n"
		"pricing.py:4  '=' to '-=' fixes 1 of 2 failing tests.");
	expect_in(text, "tester: 0 of 1 passed\n[an old output, left out]");
	expect_in(text, "an old run");
}

static void prompts_can_be_overridden(void **state)
{
	AUTO_TEAM t;
	const char *names[] = {"coder"}, *items[] = {"Be brief."}, *wrong[] = {"codre"};
	open_team(&t, state, (struct model_reply[]){{.text = "a"}});
	struct option_texts *texts =
		(struct option_texts *)((char *)t.options + option_of("prompts")->offset);
	*texts = (struct option_texts){names, items, 1};
	agent_reset(t.coder);
	give_task(&t);
	turn(&t);
	assert_memory_equal(asked(0, 0), "Be brief.\nTo change a file", 25);
	*texts = (struct option_texts){wrong, items, 1};
	agent_reset(t.coder);
	struct rondo_error err;
	struct response response;
	struct context ctx = {0};
	assert_int_equal(agent_on_messages(t.coder, (struct message_span){t.said, 1}, &t.arena,
						 &response, &ctx, &err),
		-1);
	expect_in(err.message,
		"agent 'coder': there is no prompt 'codre' to override, only again, blocks, "
		"blocks_alone, blocks_kernel, chat, coder, cut_off, edit_auto");
}

static void every_prompt_is_there(void **state)
{
	(void)state;
	static const char *const names[] = {"coder", "chat", "blocks", "blocks_alone", "blocks_kernel",
		"edit_auto", "edit_whole", "edit_search_replace", "edit_diff", "retry", "retry_whole",
		"cut_off", "ending", "nudge", "summary", "functions", "again", "looks", "unchanged",
		"external", "external_reader", "external_verdict"};
	assert_int_equal(prompts_n, ARRAY_SIZE(names));
	for (size_t i = 0; i < ARRAY_SIZE(names); i++) {
		const char *text = prompt_text(names[i], NULL);
		assert_non_null(text);
		assert_true(text_ends_with(text, "\n"));
	}
	for (size_t i = 1; i < prompts_n; i++)
		assert_true(strcmp(prompts[i - 1].name, prompts[i].name) < 0);
	assert_null(prompt_text("nosuch", NULL));
}

static void output_of_many_lines_is_condensed(void **state)
{
	(void)state;
	AUTO_STRBUF output = STRBUF_INIT(STRBUF_TEXT);
	AUTO_STRBUF text = STRBUF_INIT(STRBUF_TEXT);
	for (int i = 0; i < 10000; i++)
		strbuf_addf(&output, i == 5000 ? "test_x FAILED here\n" : "line %d\n", i);
	condense(&text, output.text);
	assert_true(text.length < 10500);
	assert_memory_equal(text.text, "line 0\n", 7);
	assert_true(text_ends_with(text.text, "line 9999\n"));
	expect_in(text.text, "line 4999\ntest_x FAILED here\nline 5001\n");
	expect_in(text.text, " bytes left out ...]\nline 4");
	strbuf_reset(&output);
	strbuf_reset(&text);
	for (int i = 0; i < 20000; i++)
		strbuf_adds(&output, "\xc3\xa9");
	condense(&text, output.text);
	assert_true(text.length < 10500);
	assert_int_equal(text.text[text.length - 1], '\xa9');
}

/* 20,000 bytes, in which a line of 1,200 tells of a failure and ends `behind` bytes from the
 * end. */
static void fill_with_long_line(struct strbuf *output, int behind)
{
	strbuf_reset(output);
	while (output->length < 20000 - 1200 - (size_t)behind)
		strbuf_adds(output, output->length % 50 == 49 ? "\n" : ".");
	strbuf_addf(output, "\n%0600d Error: it is here %0550d its end\n", 0, 0);
	while (output->length < 20000)
		strbuf_adds(output, output->length % 50 == 49 ? "\n" : ".");
}

/* Wherever the tail begins in it. */
static void a_failure_in_a_long_line_is_shown_once(void **state)
{
	(void)state;
	AUTO_STRBUF output = STRBUF_INIT(STRBUF_TEXT);
	AUTO_STRBUF text = STRBUF_INIT(STRBUF_TEXT);
	for (int behind = 3500; behind < 5500; behind += 25) {
		fill_with_long_line(&output, behind);
		strbuf_reset(&text);
		condense(&text, output.text);
		const char *shown = strstr(text.text, "it is here"), *end = strstr(text.text, "its end");
		assert_non_null(shown);
		assert_null(strstr(shown + 1, "it is here"));
		assert_non_null(end);
		assert_null(strstr(end + 1, "its end"));
		assert_true(text.length < 10500);
	}
}

UNIT(dialogue)
{
	fixture_home();
	const struct CMUnitTest tests[] = {
		FIXTURE_TEST(the_prompt_says_task_failures_and_files),
		FIXTURE_TEST(what_is_shown_of_files_has_a_limit),
		FIXTURE_TEST(a_chat_that_is_longer_than_the_model_can_read_is_cut),
		FIXTURE_TEST(the_same_failures_are_told_once),
		FIXTURE_TEST(of_a_report_the_first_paragraph_is_told_and_what_is_news),
		FIXTURE_TEST(failures_as_in_the_baseline_are_not_told_again),
		FIXTURE_TEST(old_outputs_are_cut_down_in_steps),
		FIXTURE_TEST(silence_is_answered_twice),
		FIXTURE_TEST(an_empty_reply_is_not_sent_back),
		FIXTURE_TEST(what_repair_found_is_told),
		FIXTURE_TEST(prompts_can_be_overridden),
		cmocka_unit_test(every_prompt_is_there),
		cmocka_unit_test(output_of_many_lines_is_condensed),
		cmocka_unit_test(a_failure_in_a_long_line_is_shown_once),
	};
	return RUN_TESTS(tests);
}
