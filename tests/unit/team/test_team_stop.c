/* How conditions stop a team: at which message, for which reason, and in the midst of a turn.
 * Numbers as in test_termination_said.c. */
#include "tests/unit/termination_fixture.h"

#include <poll.h>

#include "team/team.h"

#define PATIENCE_MS 20000 /* what waits longer was not cut short */

/* What an agent does, turn by turn: "~" waits until it is cancelled, "*" asks from outside for a
 * stop; else it is said. */
static const char *const *lines;
static size_t at;
static atomic_bool requested;
static const struct termination_services services = {.stop_requested = &requested};

static int wait_for_cancel(const struct context *ctx, struct rondo_error *err)
{
	struct pollfd fds[CANCEL_FDS];
	size_t n = cancel_poll(ctx->cancel, fds);
	assert_true(poll(fds, n, PATIENCE_MS) > 0);
	return cancel_error(ctx->cancel, err);
}

static int follow(struct agent *agent, struct message_span unseen, struct arena *memory,
	struct response *response, const struct context *ctx, struct rondo_error *err)
{
	(void)agent, (void)unseen;
	const char *line = lines[at] ? lines[at++] : "-";
	if (*line == '~')
		return wait_for_cancel(ctx, err);
	if (*line == '*')
		atomic_store(&requested, true);
	response->pass = *line == '-';
	response->message.content = arena_strdup(memory, line);
	return 0;
}

static const struct agent_type scripted = {
	.name = "scripted", .summary = "follows a script", .on_messages = follow};

struct scene {
	struct agent *agents[2];
	struct team *team;
	struct rondo_task_result result;
	struct rondo_error err;
};

static void open_scene(
	struct scene *scene, struct termination *condition, int max_turns, const char *const *script)
{
	lines = script;
	at = 0;
	atomic_store(&requested, false);
	*scene = (struct scene){
		.agents = {agent_new(&scripted, "a", NULL, NULL), agent_new(&scripted, "b", NULL, NULL)}};
	const struct team_rules rules = {.termination = condition, .max_turns = max_turns};
	assert_int_equal(
		team_new(&round_robin_team, scene->agents, 2, &rules, &scene->team, &scene->err), 0);
}

static int run(struct scene *scene, const char *task, const struct cancel *cancel)
{
	const struct context ctx = {.cancel = cancel};
	const struct rondo_message *said = &(struct rondo_message){.source = "user", .content = task};
	return team_run(
		scene->team, (struct message_span){&said, task != NULL}, &scene->result, &ctx, &scene->err);
}

static void close_scene(struct scene *scene)
{
	team_free(scene->team);
	agent_free(scene->agents[0]);
	agent_free(scene->agents[1]);
}

static void assert_stopped(
	const struct scene *scene, size_t n, const char *reason, const char *condition, int64_t message)
{
	const struct rondo_task_result *result = &scene->result;
	assert_int_equal(result->n, n);
	assert_string_equal(result->stop_reason, reason);
	assert_string_equal(result->stop_condition, condition);
	assert_int_equal(result->stop_message ? result->stop_message->id : 0, message);
}

#define SCRIPT(...) ((const char *const[]){__VA_ARGS__, NULL})

/* 1, 183: the task is no reason, unless it is asked for. 5, #706: which condition, which
 * message. */
static void a_task_that_holds_the_word_goes_on(void **state)
{
	(void)state;
	struct scene scene;
	open_scene(&scene, NEW_PLAIN(text_mention), 0, SCRIPT("one", "two", "TERMINATE"));
	assert_int_equal(run(&scene, "Say TERMINATE when it is done", NULL), 0);
	assert_stopped(&scene, 4, "Text 'TERMINATE' mentioned", "text_mention", 4);
	assert_string_equal(scene.result.stop_message->source, "a");
	close_scene(&scene);
	open_scene(&scene, NEW(text_mention, "sources=user"), 0, SCRIPT("one"));
	assert_int_equal(run(&scene, "TERMINATE", NULL), 0);
	assert_stopped(&scene, 1, "Text 'TERMINATE' mentioned", "text_mention", 1);
	close_scene(&scene);
}

/* Section 1: the task counts as a message; a condition's reason comes before max_turns. 9: a limit
 * is no success. */
static void limits_say_which_one_was_reached(void **state)
{
	(void)state;
	struct scene scene;
	open_scene(&scene, NEW(max_messages, "max=1"), 0, SCRIPT("one"));
	assert_int_equal(run(&scene, "task", NULL), 0);
	assert_stopped(&scene, 1, "Maximum number of messages 1 reached, current message count: 1",
		"max_messages", 1);
	close_scene(&scene);
	open_scene(&scene, NEW(max_messages, "max=3"), 2, SCRIPT("one", "two", "three"));
	for (int64_t last = 3; last <= 6; last += 3) {
		at = 0;
		assert_int_equal(run(&scene, "task", NULL), 0);
		assert_stopped(&scene, 3, "Maximum number of messages 3 reached, current message count: 3",
			"max_messages", last);
		assert_int_equal(scene.result.stop_kind, RONDO_STOP_LIMIT);
	}
	close_scene(&scene);
	open_scene(&scene, NEW(max_messages, "max=4"), 2, SCRIPT("one", "two", "three"));
	assert_int_equal(run(&scene, "task", NULL), 0);
	assert_stopped(&scene, 3, "Maximum number of turns 2 reached.", "max_turns", 0);
	close_scene(&scene);
}

/* 8, #254: the loop of thanks. */
static void a_loop_of_thanks_is_a_stall(void **state)
{
	(void)state;
	struct scene scene;
	open_scene(&scene, NEW_PLAIN(no_progress), 0,
		SCRIPT("Thank you", "Welcome", "Thank you", "Welcome", "Thank you", "Welcome"));
	assert_int_equal(run(&scene, "task", NULL), 0);
	assert_stopped(&scene, 6, "no progress: 'a' said the same 3 times in a row", "no_progress", 6);
	assert_int_equal(scene.result.stop_kind, RONDO_STOP_STALL);
	close_scene(&scene);
}

/* Section 1: graceful, at the end of the turn; the next run is another one. */
static void a_request_stops_at_the_end_of_the_turn(void **state)
{
	(void)state;
	struct scene scene;
	open_scene(&scene, new_condition_of(&external_termination, &services, NULL), 0,
		SCRIPT("one", "*", "three", "-", "-"));
	assert_int_equal(run(&scene, "task", NULL), 0);
	assert_stopped(&scene, 3, "External termination requested", "external", 0);
	assert_int_equal(scene.result.stop_kind, RONDO_STOP_STOPPED);
	assert_int_equal(run(&scene, NULL, NULL), 0);
	assert_stopped(&scene, 1, "nobody has anything more to say", "silence", 0);
	close_scene(&scene);
	open_scene(&scene, new_condition_of(&external_termination, &services, NULL), 0, SCRIPT("one"));
	atomic_store(&requested, true);
	assert_int_equal(run(&scene, "task", NULL), 0);
	assert_stopped(&scene, 1, "External termination requested", "external", 0);
	close_scene(&scene);
}

/* AutoGen's timeout interrupts no turn. The one that was cut comes first in the next run. */
static void a_timeout_cuts_a_turn_short(void **state)
{
	(void)state;
	struct scene scene;
	open_scene(&scene, NEW(timeout, "after=1500ms"), 0, SCRIPT("one", "~", "two", "~"));
	assert_int_equal(run(&scene, "task", NULL), 0);
	assert_stopped(&scene, 2, "Timeout of 1.5 seconds reached", "timeout", 0);
	assert_int_equal(scene.result.stop_kind, RONDO_STOP_LIMIT);
	assert_true(scene.result.duration_ms >= 1500 && scene.result.duration_ms < PATIENCE_MS);
	assert_int_equal(run(&scene, NULL, NULL), 0);
	assert_stopped(&scene, 1, "Timeout of 1.5 seconds reached", "timeout", 0);
	assert_string_equal(scene.result.messages[0]->source, "b");
	assert_true(scene.result.duration_ms >= 1500);
	close_scene(&scene);
}

/* Whichever comes first in the list: the deadline is everybody's. */
static void a_timeout_cuts_a_command_short(void **state)
{
	(void)state;
	for (int first = 0; first < 2; first++) {
		struct scene scene;
		struct termination *timeout = NEW(timeout, "after=100ms"),
						   *command = NEW(command, "command=sleep 1000");
		struct termination *any = new_combination(
			&or_termination, first ? timeout : command, first ? command : timeout, NULL);
		open_scene(&scene, any, 0, SCRIPT("one"));
		assert_int_equal(run(&scene, "task", NULL), 0);
		assert_stopped(&scene, 1, "Timeout of 0.1 seconds reached", "timeout", 0);
		close_scene(&scene);
	}
}

/* One that has fired before the command was cut has stopped the chat. */
static void a_command_that_is_cut_hides_no_reason(void **state)
{
	(void)state;
	struct scene scene;
	struct termination *said = NEW(text_mention, "text=TERMINATE");
	struct termination *command = NEW(command, "command=sleep 1000");
	struct termination *late = NEW(timeout, "after=1500ms");
	struct termination *any = new_combination(&or_termination, command, late, NULL);
	open_scene(&scene, new_combination(&or_termination, said, any, NULL), 0, SCRIPT("TERMINATE"));
	assert_int_equal(run(&scene, NULL, NULL), 0);
	assert_stopped(&scene, 1, "Text 'TERMINATE' mentioned", "text_mention", 1);
	assert_int_equal(scene.result.stop_kind, RONDO_STOP_SUCCESS);
	close_scene(&scene);
}

static void a_condition_that_fails_ends_the_run_and_no_other(void **state)
{
	(void)state;
	struct scene scene;
	open_scene(&scene, NEW(command, "command=cat >/dev/null; false"), 0, SCRIPT("-"));
	assert_int_equal(run(&scene, "task", NULL), -1);
	assert_string_equal(
		scene.err.message, "condition command: 'cat >/dev/null; false' failed (exit code 1)");
	assert_int_equal(scene.err.code, RONDO_ERROR_CANNOT_JUDGE);
	assert_int_equal(run(&scene, NULL, NULL), 0);
	assert_stopped(&scene, 0, "nobody has anything more to say", "silence", 0);
	close_scene(&scene);
}

/* 12: whoever cancels from outside is not told of a timeout. */
static void a_cancellation_from_outside_is_no_timeout(void **state)
{
	(void)state;
	struct scene scene;
	struct cancel cancel;
	open_scene(&scene, NEW(timeout, "after=1h"), 0, SCRIPT("~"));
	assert_int_equal(cancel_init(&cancel, NULL, 40, &scene.err), 0);
	assert_int_equal(run(&scene, "task", &cancel), -1);
	assert_int_equal(scene.err.code, RONDO_ERROR_CANCELLED);
	cancel_release(&cancel);
	close_scene(&scene);
}

UNIT(team_stop)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_task_that_holds_the_word_goes_on),
		cmocka_unit_test(limits_say_which_one_was_reached),
		cmocka_unit_test(a_loop_of_thanks_is_a_stall),
		cmocka_unit_test(a_request_stops_at_the_end_of_the_turn),
		cmocka_unit_test(a_timeout_cuts_a_turn_short),
		cmocka_unit_test(a_timeout_cuts_a_command_short),
		cmocka_unit_test(a_command_that_is_cut_hides_no_reason),
		cmocka_unit_test(a_condition_that_fails_ends_the_run_and_no_other),
		cmocka_unit_test(a_cancellation_from_outside_is_no_timeout),
	};
	return RUN_TERMINATION_TESTS(tests);
}
