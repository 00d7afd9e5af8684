/* Conditions that ask the world outside: a request to stop, a control file, a program. */
#include "tests/unit/termination_fixture.h"

#include <sys/stat.h>

#include "base/file.h"

static char dir[TOP_SIZE];
static atomic_bool requested;
static const struct termination_services services = {.dir = dir, .stop_requested = &requested};

static void put(const char *name, const char *text, size_t n)
{
	struct rondo_error err;
	assert_int_equal(file_write(arena_printf(&arena, "%s/%s", dir, name), text, n, 0644, &err), 0);
}

static void assert_stops(struct termination *condition, const char *text)
{
	struct termination_reason reason;
	struct rondo_error err;
	assert_int_equal(check_span(condition, NULL, 0, &reason, &err), 1);
	assert_string_equal(reason.text, text);
	assert_int_equal(reason.stop_kind, RONDO_STOP_STOPPED);
	assert_null(reason.message);
}

/* 45: test_external_termination. */
static void external_sees_a_request_once(void **state)
{
	(void)state;
	struct termination *condition = new_condition_of(&external_termination, &services, NULL);
	struct termination *outer = new_condition_of(&external_termination, &services, NULL);
	termination_start(condition);
	assert_false(check_nothing(condition));
	atomic_store(&requested, true);
	assert_stops(condition, "External termination requested");
	termination_reset(condition);
	assert_false(check_nothing(condition));
	termination_start(condition);
	assert_false(check_nothing(condition));
	assert_stops(outer, "External termination requested"); /* of a team around it */
	atomic_store(&requested, false);
	termination_start(condition);
	atomic_store(&requested, true);
	assert_stops(condition, "External termination requested");
	atomic_store(&requested, false);
	assert_false(check_nothing(NEW_PLAIN(external)));
}

static void external_sees_a_file_that_appears(void **state)
{
	(void)state;
	struct termination *condition =
		new_condition_of(&external_termination, &services, SETTINGS("file=stop"));
	assert_false(check_nothing(condition));
	put("stop", "", 0);
	assert_stops(condition, "External termination requested");
	termination_reset(condition);
	put("stop", "deploy at noon\r\nmore\n", 22);
	assert_stops(condition, "External termination requested: deploy at noon");
	termination_reset(condition);
	put("stop", "bad \xff bytes\0x", 13);
	assert_stops(condition, "External termination requested: bad \xef\xbf\xbd bytes");
	assert_stops(new_condition_of(&external_termination, &services,
					 SETTINGS(arena_printf(&arena, "file=%s/stop", dir))),
		"External termination requested: bad \xef\xbf\xbd bytes");
}

/* Whatever lies there is a request, and none makes it wait. */
static void external_takes_any_kind_of_file(void **state)
{
	(void)state;
	assert_int_equal(mkfifo(arena_printf(&arena, "%s/pipe", dir), 0600), 0);
	assert_stops(new_condition_of(&external_termination, &services, SETTINGS("file=pipe")),
		"External termination requested");
	assert_stops(new_condition_of(&external_termination, &services, SETTINGS("file=.")),
		"External termination requested");
	char *large = arena_alloc(&arena, 1 << 20);
	memset(large, 'x', 1 << 20);
	put("large", large, 1 << 20);
	assert_stops(new_condition_of(&external_termination, &services, SETTINGS("file=large")),
		"External termination requested");
	assert_options(&external_termination, SETTINGS("file="), "file must not be empty");
	assert_options(&external_termination, NULL, "");
}

static const struct rondo_message first = {.id = 1, .source = "user", .content = "the \"task\""};
static const struct rondo_message second = {
	.id = 2, .source = "coder", .content = "done", .data = "{\"n\":1}"};

/* A condition of a command, shown both messages. */
static int ask(const char *command, struct termination_reason *reason, struct rondo_error *err)
{
	static const struct rondo_message *const both[] = {&first, &second};
	struct termination *condition = new_condition_of(
		&command_termination, &services, SETTINGS(arena_printf(&arena, "command=%s", command)));
	return check_span(condition, both, 2, reason, err);
}

static void a_command_gets_what_was_said(void **state)
{
	(void)state;
	struct rondo_error err;
	struct termination_reason reason;
	AUTO_STRBUF text = STRBUF_INIT(STRBUF_LINE);
	assert_int_equal(ask("cat >said; echo '{\"stop\":false}'", &reason, &err), 0);
	assert_int_equal(file_read(arena_printf(&arena, "%s/said", dir), STRBUF_LINE, &text, &err), 0);
	AUTO_JSON *said = json_parse(text.text, text.length, &err);
	const struct json *message = json_first(json_get(said, "messages"));
	assert_string_equal(json_string(message, "content", ""), "the \"task\"");
	message = json_next(message);
	assert_string_equal(json_string(message, "source", ""), "coder");
	assert_int_equal(json_int(json_get(message, "data"), "n", 0), 1);
	assert_null(json_next(message));
}

static void a_command_stops_with_its_reason(void **state)
{
	(void)state;
	struct rondo_error err;
	struct termination_reason reason;
	int status = ask(
		"echo warning >&2; printf '{\\n \"stop\": true,\\n \"reason\": \"enough\\\\nof it\"}\\n'",
		&reason, &err);
	assert_int_equal(status, 1);
	assert_string_equal(reason.text, "enough");
	assert_ptr_equal(reason.message, &second);
	assert_int_equal(reason.stop_kind, RONDO_STOP_SUCCESS);
	assert_int_equal(ask("echo '{\"stop\":true}'", &reason, &err), 1);
	assert_string_equal(reason.text, "'echo '{\"stop\":true}'' says stop");
	assert_false(check_nothing(
		new_condition_of(&command_termination, &services, SETTINGS("command=exit 1"))));
}

static void a_command_that_does_not_answer_is_an_error(void **state)
{
	(void)state;
	static const struct {
		const char *command, *said;
	} rows[] = {
		{"exit 3", "condition command: 'exit 3' failed (exit code 3)"},
		{"echo no; echo broken >&2; exit 1",
			"condition command: 'echo no; echo broken >&2; exit 1' failed (exit code 1): broken"},
		{"kill -9 $$", "condition command: 'kill -9 $$' failed (killed by SIGKILL)"},
		{"true",
			"condition command: 'true' must print {\"stop\": true} or {\"stop\": false}, found"},
		{"echo yes",
			"condition command: 'echo yes' must print {\"stop\": true} or {\"stop\": false}, "
			"found: yes"},
		{"echo true",
			"condition command: 'echo true' must print {\"stop\": true} or {\"stop\": false}, "
			"found: true"},
		{"echo '{\"stop\":1}'",
			"condition command: 'echo '{\"stop\":1}'' must print {\"stop\": true} or {\"stop\": "
			"false}, found: {\"stop\":1}"},
		{"echo '{}'",
			"condition command: 'echo '{}'' must print {\"stop\": true} or {\"stop\": false}, "
			"found: {}"},
		{"yes", "condition command: 'yes' failed (killed because it printed too much): y\ny\ny"},
	};
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		struct rondo_error err;
		struct termination_reason reason;
		assert_int_equal(ask(rows[i].command, &reason, &err), -1);
		assert_int_equal(err.code, RONDO_ERROR_CANNOT_JUDGE);
		err.message[strlen(rows[i].said)] = '\0';
		assert_string_equal(err.message, rows[i].said);
	}
}

static void a_command_is_given_no_keys(void **state)
{
	(void)state;
	struct rondo_error err;
	struct termination_reason reason;
	setenv("RONDO_TEST_API_KEY", "secret", 1);
	setenv("RONDO_TEST_WORD", "word", 1);
	int status = ask(
		"echo \"{\\\"stop\\\":true,\\\"reason\\\":\\\"$RONDO_TEST_API_KEY-$RONDO_TEST_WORD\\\"}\"",
		&reason, &err);
	unsetenv("RONDO_TEST_API_KEY");
	unsetenv("RONDO_TEST_WORD");
	assert_int_equal(status, 1);
	assert_string_equal(reason.text, "-word");
}

static void a_command_that_hangs_is_ended(void **state)
{
	(void)state;
	struct rondo_error err;
	struct termination_reason reason;
	struct cancel cancel;
	const struct rondo_message *message = &first;
	struct termination *hasty = new_condition_of(&command_termination, &services,
		SETTINGS("command=echo why >&2; sleep 1000", "timeout=2s"));
	assert_int_equal(check_span(hasty, &message, 1, &reason, &err), -1);
	assert_string_equal(err.message,
		"condition command: 'echo why >&2; sleep 1000' did not answer within 2.0 s: why");
	assert_int_equal(cancel_init(&cancel, NULL, 0, &err), 0);
	cancel_fire(&cancel, 15);
	const struct context ctx = {.cancel = &cancel};
	struct termination *patient =
		new_condition_of(&command_termination, &services, SETTINGS("command=sleep 1000"));
	assert_int_equal(
		termination_check(patient, (struct message_span){&message, 1}, &reason, &ctx, &err), -1);
	assert_int_equal(err.code, RONDO_ERROR_CANCELLED);
	cancel_release(&cancel);
	assert_options(&command_termination, SETTINGS("command= \t"), "command must not be empty");
}

static int set_up(void **state)
{
	(void)state;
	return make_top(dir) ? 0 : -1;
}

static int tear_down(void **state)
{
	struct rondo_error err;
	return release_arena(state) | file_remove_tree(dir, &err);
}

UNIT(termination_outside)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(external_sees_a_request_once),
		cmocka_unit_test(external_sees_a_file_that_appears),
		cmocka_unit_test(external_takes_any_kind_of_file),
		cmocka_unit_test(a_command_gets_what_was_said),
		cmocka_unit_test(a_command_stops_with_its_reason),
		cmocka_unit_test(a_command_that_does_not_answer_is_an_error),
		cmocka_unit_test(a_command_is_given_no_keys),
		cmocka_unit_test(a_command_that_hangs_is_ended),
	};
	return cmocka_run_group_tests(tests, set_up, tear_down);
}
