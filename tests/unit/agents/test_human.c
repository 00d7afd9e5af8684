/* Agents that ask a human. What AutoGen and AG2 do stands in numbered cases beside the tests. */
#include "tests/unit/human_fixture.h"

#include "base/clock.h"

struct row {
	const char *mode, *heard, *answer; /* answer NULL: nobody is asked */
	const char *does;
};

static void assert_rows(const struct agent_type *type, const struct row *rows, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		AUTO_SCENE scene;
		const char *answers[] = {rows[i].answer, NULL};
		open_scene(&scene, type);
		set(&scene, "human_input_mode", rows[i].mode);
		will_answer(answers);
		assert_int_equal(hear(&scene, rows[i].heard), 0);
		if (strcmp(did(&scene), rows[i].does) != 0 || asked.n != (rows[i].answer != NULL))
			fail_msg("%s, '%s', answer '%s': %s, asked %zu times", rows[i].mode, rows[i].heard,
				rows[i].answer ? rows[i].answer : "(not asked)", did(&scene), asked.n);
	}
}

/* Section 4's matrix. AG2's NEVER stops silently at an end; here the team's conditions say what
 * stops. Code beside the word runs: the end is heard in the next message. */
static void executors_do_what_the_matrix_says(void **state)
{
	(void)state;
	static const struct row rows[] = {
		{"ALWAYS", CODE, "", "runs"},
		{"ALWAYS", CODE, "exit", "exits"},
		{"ALWAYS", CODE, "use a loop", "use a loop"},
		{"ALWAYS", END, "", "agrees"},
		{"ALWAYS", END, "exit", "exits"},
		{"ALWAYS", END, "not yet", "not yet"},
		{"ALWAYS", PLAIN, "", "passes"},
		{"ALWAYS", PLAIN, "exit", "exits"},
		{"ALWAYS", PLAIN, "yes", "yes"},
		{"ALWAYS", CODE "\n" END, "", "runs"},
		{"always", CODE, " exit", " exit"},
		{"TERMINATE", CODE, NULL, "runs"},
		{"TERMINATE", END, "", "agrees"},
		{"TERMINATE", END, "exit", "exits"},
		{"TERMINATE", END, "not yet", "not yet"},
		{"TERMINATE", PLAIN, NULL, "passes"},
		{"terminate", CODE "\n" END, NULL, "runs"},
		{"TERMINATE", "TERMINATED", NULL, "passes"},
		{"TERMINATE", "It says:\n```text\nTERMINATE\n```", NULL, "passes"},
		{"TERMINATE", "\xe6\x88\x91\xe4\xbb\xac TERMINATE\xe3\x80\x82", "", "agrees"},
		{"NEVER", CODE, NULL, "runs"},
		{"NEVER", END, NULL, "passes"},
		{"NEVER", PLAIN, NULL, "passes"},
		{"never", CODE "\n" END, NULL, "runs"},
	};
	assert_rows(&executor_agent, rows, ARRAY_SIZE(rows));
}

/* Case 65: what the input function returns is said, by the name of the agent. */
static void users_say_what_is_answered(void **state)
{
	(void)state;
	static const struct row rows[] = {
		{"ALWAYS", PLAIN, "yes", "yes"},
		{"ALWAYS", PLAIN, "", "passes"},
		{"ALWAYS", PLAIN, "exit", "exits"},
		{"ALWAYS", END, "", "passes"},
		{"TERMINATE", PLAIN, NULL, "passes"},
		{"TERMINATE", END, "", "agrees"},
		{"TERMINATE", END, "exit", "exits"},
		{"TERMINATE", END, "go on", "go on"},
		{"TERMINATE", "```python\nprint(\"TERMINATE\")\n```", NULL, "passes"},
		{"TERMINATE", "```python\nprint(\"TERMINATE\")\n```\nTERMINATE", "", "agrees"},
		{"NEVER", END, NULL, "passes"},
	};
	AUTO_SCENE scene;
	assert_rows(&user_agent, rows, ARRAY_SIZE(rows));
	open_scene(&scene, &user_agent);
	will_answer(ANSWERS("The height of the eiffel tower is 324 meters"));
	assert_int_equal(hear(&scene, PLAIN), 0);
	assert_string_equal(asked.question, "me> ");
	assert_string_equal(scene.response.message.source, "me");
}

static void questions_say_who_is_answered_and_what_enter_does(void **state)
{
	(void)state;
	static const struct {
		struct rondo_message message;
		const char *question;
	} rows[] = {
		{{.source = "coder", .content = CODE},
			"Provide feedback to coder. Press enter to run its code, or type 'exit' to end the "
			"conversation: "},
		{{.source = "coder", .content = "an edit", .type = RONDO_MESSAGE_EDIT, .data = "{}"},
			"Provide feedback to coder. Press enter to apply its edit, or type 'exit' to end the "
			"conversation: "},
		{{.source = "critic", .content = PLAIN},
			"Provide feedback to critic. Press enter to skip, or type 'exit' to end the "
			"conversation: "},
		{{.source = "critic", .content = END},
			"Please give feedback to critic. Press enter or type 'exit' to stop the "
			"conversation: "},
	};
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		AUTO_SCENE scene;
		open_scene(&scene, &executor_agent);
		set(&scene, "human_input_mode", "ALWAYS");
		will_answer(ANSWERS("exit"));
		assert_int_equal(hear_all(&scene, &rows[i].message, 1), 0);
		assert_string_equal(asked.question, rows[i].question);
	}
}

static void only_what_is_said_to_it_makes_an_executor_ask(void **state)
{
	(void)state;
	static const struct rondo_message rows[] = {
		{.source = "user", .content = CODE " TERMINATE"},
		{.source = "tester", .content = "TERMINATE", .type = RONDO_MESSAGE_TEST_REPORT},
		{.source = "other", .content = "TERMINATE", .type = RONDO_MESSAGE_CODE_EXECUTION},
	};
	AUTO_SCENE scene;
	open_scene(&scene, &executor_agent);
	set(&scene, "human_input_mode", "ALWAYS");
	assert_int_equal(hear_all(&scene, rows, ARRAY_SIZE(rows)), 0);
	assert_string_equal(did(&scene), "passes");
}

/* An end that is said behind code goes before it. */
static void the_newest_word_is_answered(void **state)
{
	(void)state;
	static const struct rondo_message rows[] = {{.source = "coder", .content = CODE},
		{.source = "critic", .content = PLAIN}, {.source = "critic", .content = END}};
	AUTO_SCENE scene;
	open_scene(&scene, &executor_agent);
	set(&scene, "human_input_mode", "TERMINATE");
	assert_int_equal(hear_all(&scene, rows, 2), 0);
	assert_string_equal(did(&scene), "runs");
	runs = 0;
	will_answer(ANSWERS(""));
	assert_int_equal(hear_all(&scene, rows, 3), 0);
	assert_string_equal(did(&scene), "agrees");
	assert_string_equal(
		scene.response.message.content, "'critic' said TERMINATE, and the user had nothing to add");
}

/* Section 9, 38: nobody's code runs but that of those who are named. */
static void sources_say_whose_code_runs(void **state)
{
	(void)state;
	static const struct {
		const char *sources, *source, *does;
	} rows[] = {{NULL, "coder", "runs"}, {NULL, "user", "passes"}, {"critic", "coder", "passes"},
		{"coder", "coder", "runs"}, {"user", "user", "runs"}, {"user", "coder", "passes"}};
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		AUTO_SCENE scene;
		open_scene(&scene, &executor_agent);
		if (rows[i].sources)
			set(&scene, "sources", rows[i].sources);
		const struct rondo_message message = {.source = rows[i].source, .content = CODE};
		assert_int_equal(hear_all(&scene, &message, 1), 0);
		assert_string_equal(did(&scene), rows[i].does);
	}
}

static void a_handoff_is_answered_to_its_sender(void **state)
{
	(void)state;
	static const struct rondo_message rows[] = {{.source = "coder",
													.content = "Transferred to me",
													.type = RONDO_MESSAGE_HANDOFF,
													.data = "{\"target\":\"me\"}"},
		{.source = "coder",
			.content = "Transferred",
			.type = RONDO_MESSAGE_HANDOFF,
			.data = "{\"target\":\"you\"}"}};
	AUTO_SCENE scene;
	open_scene(&scene, &user_agent);
	set(&scene, "human_input_mode", "TERMINATE");
	will_answer(ANSWERS("Paris", "exit"));
	assert_int_equal(hear_all(&scene, rows, 1), 0);
	assert_string_equal(asked.question, "Handoff received from coder. me> ");
	assert_int_equal(scene.response.message.type, RONDO_MESSAGE_HANDOFF);
	assert_string_equal(scene.response.message.content, "Paris");
	assert_string_equal(scene.response.message.data, "{\"target\":\"coder\"}");
	assert_int_equal(hear_all(&scene, rows, 1), 0);
	assert_string_equal(did(&scene), "exits");
	assert_int_equal(hear_all(&scene, rows + 1, 1), 0);
	assert_string_equal(did(&scene), "passes");
}

/* --- No answer --- */

static void nobody_to_ask_is_an_error_unless_there_is_a_default(void **state)
{
	(void)state;
	AUTO_SCENE scene;
	open_scene(&scene, &executor_agent);
	set(&scene, "human_input_mode", "ALWAYS");
	scene.ctx.ask.call = NULL;
	assert_int_equal(hear(&scene, CODE), -1);
	assert_int_equal(scene.err.code, RONDO_ERROR_USAGE);
	set(&scene, "default_answer", "");
	assert_int_equal(hear(&scene, CODE), 0);
	assert_string_equal(did(&scene), "runs");
}

static char notice[256];

static void take_notice(void *owner, const struct rondo_event *event)
{
	(void)owner;
	if (event->type == RONDO_EVENT_NOTICE)
		snprintf(notice, sizeof notice, "%s", event->text);
}

/* Section 9, 19. */
static void the_default_is_taken_when_the_time_is_over(void **state)
{
	(void)state;
	AUTO_SCENE scene;
	open_scene(&scene, &executor_agent);
	scene.ctx.emit.call = take_notice;
	set(&scene, "human_input_mode", "ALWAYS");
	set(&scene, "ask_timeout", "1h");
	will_answer(ANSWERS(late, late));
	assert_int_equal(hear(&scene, CODE), -1);
	assert_int_equal(scene.err.code, RONDO_ERROR_TRANSIENT);
	assert_string_equal(scene.err.message, "agent 'me': nobody answered within 1 h 0 min");
	assert_non_null(strstr(scene.err.help, "default_answer"));
	set(&scene, "default_answer", "wait for me");
	assert_int_equal(hear(&scene, CODE), 0);
	assert_string_equal(did(&scene), "wait for me");
	assert_string_equal(
		notice, "nobody answered 'me' within 1 h 0 min: the answer is 'wait for me', its default");
	assert_in_range(asked.deadline_ms, clock_now_ms() + 3500000, clock_now_ms() + 3600000);
}

static void the_end_of_the_input_is_the_default_or_else_exit(void **state)
{
	(void)state;
	AUTO_SCENE scene;
	open_scene(&scene, &user_agent);
	will_answer(ANSWERS(ended, ended));
	assert_int_equal(hear(&scene, PLAIN), 0);
	assert_string_equal(did(&scene), "exits");
	set(&scene, "default_answer", "go on");
	assert_int_equal(hear(&scene, PLAIN), 0);
	assert_string_equal(did(&scene), "go on");
}

/* Case 67, and section 9, 18: stopped while it waits. */
static void a_wait_for_an_answer_can_be_cancelled(void **state)
{
	(void)state;
	AUTO_SCENE scene;
	struct cancel cancel;
	open_scene(&scene, &user_agent);
	set(&scene, "default_answer", "go on");
	set(&scene, "ask_timeout", "1h");
	assert_int_equal(cancel_init(&cancel, NULL, 60000, &scene.err), 0);
	scene.ctx.cancel = &cancel;
	will_answer(ANSWERS(stopped));
	asked.cancel = &cancel;
	assert_int_equal(hear(&scene, PLAIN), -1);
	assert_int_equal(scene.err.code, RONDO_ERROR_CANCELLED);
	assert_string_equal(scene.err.message, "agent 'me': stopped by SIGINT");
	/* which comes before that of the answer */
	assert_int_equal(asked.deadline_ms, cancel.deadline_ms);
	cancel_release(&cancel);
}

static void a_question_that_fails_is_an_error(void **state)
{
	(void)state;
	AUTO_SCENE scene;
	open_scene(&scene, &user_agent);
	set(&scene, "default_answer", "go on");
	will_answer(ANSWERS(failing));
	assert_int_equal(hear(&scene, PLAIN), -1);
	assert_string_equal(scene.err.message, "agent 'me': the line is dead");
}

UNIT(human)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(executors_do_what_the_matrix_says),
		cmocka_unit_test(users_say_what_is_answered),
		cmocka_unit_test(questions_say_who_is_answered_and_what_enter_does),
		cmocka_unit_test(only_what_is_said_to_it_makes_an_executor_ask),
		cmocka_unit_test(the_newest_word_is_answered),
		cmocka_unit_test(sources_say_whose_code_runs),
		cmocka_unit_test(a_handoff_is_answered_to_its_sender),
		cmocka_unit_test(nobody_to_ask_is_an_error_unless_there_is_a_default),
		cmocka_unit_test(the_default_is_taken_when_the_time_is_over),
		cmocka_unit_test(the_end_of_the_input_is_the_default_or_else_exit),
		cmocka_unit_test(a_wait_for_an_answer_can_be_cancelled),
		cmocka_unit_test(a_question_that_fails_is_an_error),
	};
	return RUN_HUMAN_TESTS(tests);
}
