/* The coder: what becomes of each kind of reply. */
#include "tests/unit/coder_fixture.h"

static void a_reply_with_an_edit_is_applied(void **state)
{
	AUTO_TEAM t;
	open_team(&t, state, (struct model_reply[]){{.text = GOOD_EDIT}});
	give_task(&t);
	struct response response = turn(&t);
	expect_in(response.message.content, "pricing.py\n\nIt forgets the sum.");
	assert_string_equal(response.message.source, "coder");
	assert_int_equal(response.message.models_usage.prompt_tokens, 100);
	apply(&t, &response, "1 file changed");
	assert_string_equal(content(t.f, "tree/pricing.py"), MENDED);
}

static void each_form_of_edit_is_applied(void **state)
{
	static const char *const forms[] = {"```python\n# filename: pricing.py\n" MENDED "```\n",
		"pricing.py\n```python\n" MENDED "```\n", "```python pricing.py\n" MENDED "```\n",
		"```diff\n"
		"--- a/pricing.py\n"
		"+++ b/pricing.py\n"
		"@@ -4 +4 @@\n"
		"     for item in items:\n"
		"-        result = item\n"
		"+        result += item\n```\n",
		GOOD_EDIT};
	AUTO_TEAM t;
	open_team(&t, state, NULL);
	for (size_t i = 0; i < ARRAY_SIZE(forms); i++) {
		script.replies = (struct model_reply[]){{.text = forms[i]}};
		script.at = 0;
		must(t.f, worktree_checkout(t.room.worktree, &t.room.base.tree, &t.f->err));
		agent_reset(t.coder);
		give_task(&t);
		struct response response = turn(&t);
		apply(&t, &response, "1 file changed");
		assert_string_equal(content(t.f, "tree/pricing.py"), MENDED);
	}
}

static void a_link_is_never_followed(void **state)
{
	AUTO_TEAM t;
	open_team(&t, state,
		(struct model_reply[]){{.text = "pricing.py\n"
										"```\n"
										"x\n"
										"```\n"},
			{.text = "Well."}});
	sh(t.f, "cd ../tree; echo 'a secret' >../secret; ln -sf ../secret pricing.py");
	give_task(&t);
	turn(&t);
	expect_not_in(asked(0, 1), "a secret");
	expect_in(asked(1, 3), "'pricing.py' is a link, not a file");
	assert_string_equal(content(t.f, "secret"), "a secret\n");
}

static void an_edit_that_does_not_fit_goes_back_at_once(void **state)
{
	AUTO_TEAM t;
	open_team(&t, state, (struct model_reply[]){{.text = BAD_EDIT}, {.text = GOOD_EDIT}});
	give_task(&t);
	struct response response = turn(&t);
	assert_int_equal(script.at, 2);
	assert_string_equal(asked(1, 2), BAD_EDIT);
	expect_in(asked(1, 3),
		"Nothing of your last reply was applied:\n"
		"- block 1, search 1, pricing.py: the lines to replace "
		"are not in the file. The nearest are lines ");
	expect_in(asked(1, 3), "\n    4 |         result = item\n");
	expect_in(asked(1, 3), "Copy the lines to replace");
	assert_int_equal(response.message.models_usage.prompt_tokens, 200);
	assert_int_equal(response.message.models_usage.completion_tokens, 20);
	apply(&t, &response, "1 file changed");
}

static void five_wrong_edits_in_a_row_are_the_end(void **state)
{
	AUTO_TEAM t;
	open_team(&t, state,
		(struct model_reply[]){{.text = BAD_EDIT}, {.text = "Sorry.\n\n" BAD_EDIT},
			{.text = BAD_EDIT}, {.text = BAD_EDIT}, {.text = BAD_EDIT}});
	give_task(&t);
	struct response response = turn(&t);
	assert_int_equal(script.at, 5);
	expect_in(asked(2, 5), "this time as whole files");
	expect_not_in(asked(3, 7), "the same as the one before");
	expect_in(asked(4, 9), "This reply is the same as the one before it");
	assert_int_equal(response.message.type, RONDO_MESSAGE_STOP);
	expect_in(response.message.content,
		"gave up: 5 replies in a row could not be applied; of the last: block 1, search 1");
	assert_null(strchr(response.message.content, '\n'));
	assert_int_equal(response.message.models_usage.prompt_tokens, 500);
	said(&t, RONDO_MESSAGE_TEXT, "user", "Go on.", NULL);
	assert_true(turn(&t).pass);
	assert_int_equal(script.at, 5);
}

static void a_reply_that_was_cut_off_is_never_applied(void **state)
{
	AUTO_TEAM t;
	open_team(&t, state,
		(struct model_reply[]){
			{.text = GOOD_EDIT, .finish = MODEL_FINISH_LENGTH}, {.text = GOOD_EDIT}});
	give_task(&t);
	struct response response = turn(&t);
	expect_in(asked(1, 3), "cut off by the limit of tokens");
	apply(&t, &response, "1 file changed");
	script = (struct script){.arena = script.arena,
		.replies = (struct model_reply[]){{.text = GOOD_EDIT, .finish = MODEL_FINISH_LENGTH},
			{.text = GOOD_EDIT, .finish = MODEL_FINISH_LENGTH},
			{.text = GOOD_EDIT, .finish = MODEL_FINISH_LENGTH}}};
	said(&t, RONDO_MESSAGE_TEXT, "user", "Again.", NULL);
	response = turn(&t);
	assert_int_equal(response.message.type, RONDO_MESSAGE_STOP);
	assert_string_equal(
		response.message.content, "gave up: the limit of tokens cut off 3 replies in a row");
}

static void thoughts_are_neither_applied_nor_run(void **state)
{
	static const char *const thoughts[] = {"<think>\nMaybe:\n\n" BAD_EDIT
										   "```sh\nls\n```\nNo.\n</think>\n\n",
		"\n<thinking>" BAD_EDIT "</thinking>", "It may be the sum.\n\n" BAD_EDIT "\n</think>\n"};
	AUTO_TEAM t;
	open_team(&t, state, NULL);
	for (size_t i = 0; i < ARRAY_SIZE(thoughts); i++) {
		script.replies = (struct model_reply[]){
			{.text = arena_printf(&t.arena, "%s%s", thoughts[i], GOOD_EDIT)}};
		script.at = 0;
		must(t.f, worktree_checkout(t.room.worktree, &t.room.base.tree, &t.f->err));
		agent_reset(t.coder);
		give_task(&t);
		struct response response = turn(&t);
		expect_not_in(response.message.content, "think");
		apply(&t, &response, "1 file changed");
		assert_string_equal(content(t.f, "tree/pricing.py"), MENDED);
	}
}

/* Some take a block that is run for an edit, some look for ever. */
static void a_look_that_changes_nothing_is_told(void **state)
{
	static const char ran[] = "exitcode: 0 (execution succeeded)\nCode output: ";
	AUTO_TEAM t;
	open_team(&t, state,
		(struct model_reply[]){{.text = "```sh\nls\n```\n"}, {.text = "```sh\nls -l\n```\n"},
			{.text = "```sh\nls -l\n```\n"}, {.text = "```sh\npwd\n```\n"},
			{.text = "```sh\nid\n```\n"}, {.text = "```sh\nw\n```\n"}, {.text = GOOD_EDIT}});
	give_task(&t);
	for (size_t i = 0; i < 6; i++) {
		turn(&t);
		said(&t, RONDO_MESSAGE_CODE_EXECUTION, "executor", ran,
			i == 4 ? "{\"exit_code\":0,\"files\":[\"x.py\"]}" : "{\"exit_code\":0}");
	}
	turn(&t);
	expect_in(asked(1, 3), "No file has changed by that");
	expect_not_in(asked(2, 5), "Reply with the edit");
	expect_in(asked(3, 7), "This reply is the same as the one before it");
	expect_in(asked(3, 7), "Reply with the edit");
	expect_in(asked(3, 7), "To change a file");
	expect_not_in(asked(5, 11), "No file has changed");
	expect_in(asked(6, 13), "No file has changed by that");
}

static void who_looks_for_long_is_told_to_edit(void **state)
{
	AUTO_TEAM t;
	struct model_reply replies[12] = {{.text = NULL}};
	open_team(&t, state, replies);
	give_task(&t);
	for (size_t i = 0; i < ARRAY_SIZE(replies); i++) {
		replies[i] =
			(struct model_reply){.text = arena_printf(&t.arena, "```sh\ncat %zu\n```\n", i)};
		turn(&t);
		if (i == 5 || i == 10)
			expect_in(asked(i, 2 * i + 1), "You have looked for a while now without an edit");
		else
			expect_not_in(asked(i, 2 * i + (i > 0)), "You have looked");
		said(&t, RONDO_MESSAGE_CODE_EXECUTION, "executor", "exitcode: 1", "{\"exit_code\":1}");
	}
}

static void a_refusal_is_told(void **state)
{
	AUTO_TEAM t;
	open_team(
		&t, state, (struct model_reply[]){{.text = "I will not.", .finish = MODEL_FINISH_REFUSED}});
	give_task(&t);
	struct response response = turn(&t);
	assert_int_equal(response.message.type, RONDO_MESSAGE_TEXT);
	assert_string_equal(response.message.content, "the model refused: I will not.");
}

static void without_budget_it_passes(void **state)
{
	AUTO_TEAM t;
	open_team(&t, state, (struct model_reply[]){{.text = BAD_EDIT}, {.text = GOOD_EDIT}});
	t.budget.most_tokens = 1;
	give_task(&t);
	assert_true(turn(&t).pass);
	assert_int_equal(script.at, 0);
}

static void a_budget_that_ends_in_a_turn_is_told(void **state)
{
	AUTO_TEAM t;
	open_team(&t, state, (struct model_reply[]){{.text = BAD_EDIT}, {.text = GOOD_EDIT}});
	script.exhausts = &t.budget;
	give_task(&t);
	struct response response = turn(&t);
	assert_int_equal(script.at, 1);
	assert_int_equal(response.message.type, RONDO_MESSAGE_TEXT);
	expect_in(response.message.content, "the budget was used up");
	assert_int_equal(response.message.models_usage.prompt_tokens, 100);
}

static void a_green_suite_needs_no_model(void **state)
{
	AUTO_TEAM t;
	open_team(&t, state, (struct model_reply[]){{.text = GOOD_EDIT}});
	give_task(&t);
	turn(&t);
	said(&t, RONDO_MESSAGE_TEST_REPORT, "tester", "TESTS PASS  1 of 1 passed",
		"{\"ok\":true,\"results\":[]}");
	assert_true(turn(&t).pass);
	assert_int_equal(script.at, 1);
}

static void without_edits_replies_are_text(void **state)
{
	AUTO_TEAM t;
	open_team(&t, state, (struct model_reply[]){{.text = GOOD_EDIT}});
	set(&t, "edit_format", "none");
	said(&t, RONDO_MESSAGE_TEXT, "user", "Write a program.", NULL);
	struct response response = turn(&t);
	assert_int_equal(response.message.type, RONDO_MESSAGE_TEXT);
	assert_string_equal(response.message.content, GOOD_EDIT);
	expect_not_in(asked(0, 0), "SEARCH");
	expect_not_in(asked(0, 0), "executor");
	assert_string_equal(asked(0, 1), "user: Write a program.");
}

/* What it is told at the beginning, before an executor of a type with these settings. */
static const char *told(
	struct team *t, const struct executor_type *type, const struct executor_settings *settings)
{
	struct executor executor = {.type = type, .settings = settings};
	t->main_checkout.executor = &executor;
	t->services.runs_code = true;
	script.at = 0;
	agent_reset(t->coder);
	t->shown = 0;
	turn(t);
	t->main_checkout.executor = NULL;
	return asked(0, 0);
}

static void it_is_told_what_is_true_of_the_executor(void **state)
{
	AUTO_TEAM t;
	const char *python[] = {"python"}, *commands[] = {"python3 -O"};
	const struct executor_settings settings = {
		.network = "none", .languages = {python, commands, 1}};
	open_team(&t, state, (struct model_reply[]){{.text = "Well."}});
	set(&t, "edit_format", "none");
	said(&t, RONDO_MESSAGE_TEXT, "user", "Write a program.", NULL);
	for (size_t i = 0; i < executor_types_n; i++) {
		const char *text = told(&t, executor_types[i], &executor_defaults);
		bool lasts = executor_types[i] == &jupyter_executor;
		expect_in(text, "An executor runs the code");
		expect_in(text,
			lasts ? "\nBlocks in Python run in one kernel"
				  : "\nEach block is a program of its own");
		expect_not_in(text, lasts ? "Each block is a program of its own" : "kernel");
	}
	expect_in(told(&t, &jupyter_executor, &settings), "\nEach block is a program of its own");
}

static void a_coder_needs_a_model(void **state)
{
	(void)state;
	AUTO_ARENA arena = ARENA_INIT;
	struct rondo_error err;
	struct response response;
	struct context ctx = {0};
	struct agent *agent = agent_new(&coder_agent, "c", NULL, NULL);
	assert_int_equal(
		agent_on_messages(agent, (struct message_span){0}, &arena, &response, &ctx, &err), -1);
	assert_string_equal(err.message, "agent 'c': it has no model: the key 'model' must name one");
	agent_free(agent);
}

UNIT(coder)
{
	fixture_home();
	const struct CMUnitTest tests[] = {
		FIXTURE_TEST(a_reply_with_an_edit_is_applied),
		FIXTURE_TEST(each_form_of_edit_is_applied),
		FIXTURE_TEST(a_link_is_never_followed),
		FIXTURE_TEST(an_edit_that_does_not_fit_goes_back_at_once),
		FIXTURE_TEST(five_wrong_edits_in_a_row_are_the_end),
		FIXTURE_TEST(a_reply_that_was_cut_off_is_never_applied),
		FIXTURE_TEST(thoughts_are_neither_applied_nor_run),
		FIXTURE_TEST(a_look_that_changes_nothing_is_told),
		FIXTURE_TEST(who_looks_for_long_is_told_to_edit),
		FIXTURE_TEST(a_refusal_is_told),
		FIXTURE_TEST(without_budget_it_passes),
		FIXTURE_TEST(a_budget_that_ends_in_a_turn_is_told),
		FIXTURE_TEST(a_green_suite_needs_no_model),
		FIXTURE_TEST(without_edits_replies_are_text),
		FIXTURE_TEST(it_is_told_what_is_true_of_the_executor),
		cmocka_unit_test(a_coder_needs_a_model),
	};
	return RUN_TESTS(tests);
}
