/* Approval by a command, before anything is carried out. */
#include "tests/unit/human_fixture.h"

static void open_approval(struct scene *scene, const char *command)
{
	open_scene(scene, &executor_agent);
	set(scene, "approval", command);
}

/* Cases 59 and 61. */
static void commands_approve_and_refuse(void **state)
{
	(void)state;
	static const struct {
		const char *command, *content;
	} rows[] = {
		{"echo '{\"approved\": true}'", "exitcode: 0 (execution succeeded)\nCode output: 42\n"},
		{"echo troubles >&2; echo '{\"approved\": true, \"reason\": \"fine\"}'",
			"exitcode: 0 (execution succeeded)\nCode output: 42\n"},
		{"echo '{\"approved\": false, \"reason\": \"it deletes\"}'",
			"exitcode: 1 (execution failed)\n"
			"Code output: Code execution was not approved. Reason: it deletes"},
		{"echo '{\"approved\": false}'",
			"exitcode: 1 (execution failed)\n"
			"Code output: Code execution was not approved. Reason: none was given"},
		{"test -z \"$RONDO_TEST_API_KEY\" && test -n \"$PATH\" && echo '{\"approved\": true}'",
			"exitcode: 0 (execution succeeded)\nCode output: 42\n"},
	};
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		AUTO_SCENE scene;
		open_approval(&scene, rows[i].command);
		assert_int_equal(hear(&scene, CODE), 0);
		assert_int_equal(scene.response.message.type, RONDO_MESSAGE_CODE_EXECUTION);
		assert_string_equal(scene.response.message.content, rows[i].content);
		assert_string_equal(scene.response.message.data,
			runs ? "{\"exit_code\":0,\"programs\":[\"/bin/program\"]}" : "{\"exit_code\":1}");
	}
}

static void a_broken_command_is_an_error_that_names_it(void **state)
{
	(void)state;
	static const struct {
		const char *command, *said;
	} rows[] = {
		{"echo yes", "must print {\"approved\": true} or {\"approved\": false}, found: yes"},
		{"echo '[true]'",
			"must print {\"approved\": true} or {\"approved\": false}, found: [true]"},
		{"echo '{\"approved\": \"true\"}'",
			"must print {\"approved\": true} or {\"approved\": false}, found: {\"approved\": "
			"\"true\"}"},
		{":", "must print {\"approved\": true} or {\"approved\": false}, found"},
		{"echo '{\"approved\": true}'; echo 'out of cheese' >&2; exit 3",
			"failed (exit code 3): out of cheese"},
		{"kill -9 $$", "failed (killed by SIGKILL)"},
		{"yes", "failed (killed because it printed too much): y\ny\ny"},
	};
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		AUTO_SCENE scene;
		open_approval(&scene, rows[i].command);
		assert_int_equal(hear(&scene, CODE), -1);
		assert_int_equal(scene.err.code, RONDO_ERROR_CANNOT_JUDGE);
		const char *said = arena_printf(
			&scene.arena, "agent 'me': approval: '%s' %s", rows[i].command, rows[i].said);
		assert_memory_equal(scene.err.message, said, strlen(said));
		assert_int_equal(runs, 0);
	}
}

static void a_command_that_hangs_is_ended(void **state)
{
	(void)state;
	AUTO_SCENE scene;
	struct cancel cancel;
	open_approval(&scene, "exec tail -f /dev/null");
	set(&scene, "ask_timeout", "50ms");
	assert_int_equal(hear(&scene, CODE), -1);
	assert_int_equal(scene.err.code, RONDO_ERROR_CANNOT_JUDGE);
	assert_string_equal(scene.err.message,
		"agent 'me': approval: 'exec tail -f /dev/null' did not answer within 0.1 s");
	set(&scene, "ask_timeout", "1h");
	assert_int_equal(cancel_init(&cancel, NULL, 50, &scene.err), 0);
	scene.ctx.cancel = &cancel;
	assert_int_equal(hear(&scene, CODE), -1);
	assert_int_equal(scene.err.code, RONDO_ERROR_CANCELLED);
	cancel_release(&cancel);
}

/* It runs where the scenario lies. */
static void the_command_is_told_what_is_to_be_run(void **state)
{
	(void)state;
	static const struct rondo_message rows[] = {{.id = 1, .source = "user", .content = "Count."},
		{.id = 2,
			.source = "coder",
			.content = "```python\n"
					   "# filename: a.py\n"
					   "print(6 * 7)\n"
					   "```\n"}};
	AUTO_SCENE scene;
	AUTO_STRBUF text = STRBUF_INIT(STRBUF_TEXT);
	open_approval(&scene, "cat >asked; echo '{\"approved\": true}'");
	assert_int_equal(hear_all(&scene, rows, 2), 0);
	assert_int_equal(
		file_read(arena_printf(&scene.arena, "%s/asked", top), STRBUF_TEXT, &text, &scene.err), 0);
	AUTO_JSON *json = json_parse(text.text, text.length, &scene.err);
	const struct json *block = json_first(json_get(json, "blocks"));
	assert_string_equal(json_string(json, "agent", ""), "me");
	assert_string_equal(json_string(block, "language", ""), "python");
	assert_string_equal(json_string(block, "filename", ""), "a.py");
	assert_string_equal(json_string(block, "code", ""), "# filename: a.py\nprint(6 * 7)\n");
	assert_int_equal(json_count(json_get(json, "messages")), 2);
	assert_null(json_get(json, "edit"));
}

static void the_command_is_told_what_is_to_be_changed(void **state)
{
	(void)state;
	static const struct rondo_message edit = {.source = "coder",
		.content = "a.py:1",
		.type = RONDO_MESSAGE_EDIT,
		.data = "{\"description\":\"a.py:1\",\"files\":[]}"};
	AUTO_SCENE scene;
	open_approval(&scene,
		"grep -q '\"edit\":{\"description\":\"a.py:1\"' && echo '{\"approved\": false, \"reason\": "
		"\"no\"}'");
	assert_int_equal(hear_all(&scene, &edit, 1), 0);
	assert_string_equal(scene.response.message.content,
		"exitcode: 1 (execution failed)\nCode output: The edit was not approved. Reason: no");
}

static void count_asked(struct scene *scene, size_t expected)
{
	AUTO_STRBUF text = STRBUF_INIT(STRBUF_TEXT);
	assert_int_equal(
		file_read(arena_printf(&scene->arena, "%s/count", top), STRBUF_TEXT, &text, &scene->err),
		0);
	assert_int_equal(text.length, expected);
}

/* Section 9, 39. */
static void what_was_approved_once_can_be_remembered(void **state)
{
	(void)state;
	AUTO_SCENE scene;
	open_approval(&scene,
		"printf x >>count; grep -q 'print(6' && echo '{\"approved\": true}' || echo "
		"'{\"approved\": false}'");
	set(&scene, "approval_remember", "true");
	assert_int_equal(hear(&scene, CODE), 0);
	assert_int_equal(hear(&scene, "Again:\n" CODE), 0);
	assert_int_equal(runs, 2);
	count_asked(&scene, 1);
	assert_int_equal(hear(&scene, "```python\nprint(7)\n```"), 0);
	assert_int_equal(hear(&scene, "```python\nprint(7)\n```"), 0);
	assert_int_equal(runs, 2);
	count_asked(&scene, 3); /* a refusal is asked about again */
	agent_reset(scene.agent);
	assert_int_equal(hear(&scene, CODE), 0);
	count_asked(&scene, 4);
}

static void the_human_goes_before_the_command(void **state)
{
	(void)state;
	AUTO_SCENE scene;
	open_approval(&scene, "echo '{\"approved\": false, \"reason\": \"policy\"}'");
	set(&scene, "human_input_mode", "ALWAYS");
	will_answer(ANSWERS("", "wait"));
	assert_int_equal(hear(&scene, CODE), 0);
	assert_non_null(strstr(scene.response.message.content, "Reason: policy"));
	assert_int_equal(hear(&scene, CODE), 0);
	assert_string_equal(did(&scene), "wait");
}

UNIT(approval)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(commands_approve_and_refuse),
		cmocka_unit_test(a_broken_command_is_an_error_that_names_it),
		cmocka_unit_test(a_command_that_hangs_is_ended),
		cmocka_unit_test(the_command_is_told_what_is_to_be_run),
		cmocka_unit_test(the_command_is_told_what_is_to_be_changed),
		cmocka_unit_test(what_was_approved_once_can_be_remembered),
		cmocka_unit_test(the_human_goes_before_the_command),
	};
	return RUN_HUMAN_TESTS(tests);
}
