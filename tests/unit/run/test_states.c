/* Which of the states that were judged is the best, and that a journal's records say the same as
 * the events did. */
#include "tests/unit/worktree_fixture.h"

#include "chat/event.h"
#include "chat/message.h"
#include "run/journal/states.h"

/* A tree that the room's commands make of the base. */
static struct object tree_of(struct fixture *f, struct room *room, const char *commands)
{
	must(f, worktree_checkout(room->worktree, &room->base.tree, &f->err));
	sh(f, "cd ../tree; %s", commands);
	return scan_of(f, room->worktree).tree;
}

static struct rondo_message report_of(
	struct fixture *f, const char *tree, int fixed, int regressions)
{
	return (struct rondo_message){.type = RONDO_MESSAGE_TEST_REPORT,
		.source = "tester",
		.content = "",
		.data = arena_printf(&f->arena,
			"{\"ok\":%s,\"state\":{\"tree\":\"%s\",\"fixed\":%d,\"regressions\":%d}}",
			regressions ? "false" : "true", tree, fixed, regressions)};
}

static void judge(
	struct fixture *f, struct states *states, struct object tree, int fixed, int regressions)
{
	struct rondo_message message = report_of(f, tree.hex, fixed, regressions);
	states_event(states,
		&(struct rondo_event){
			.type = RONDO_EVENT_MESSAGE, .message = message_copy(&f->arena, &message)});
}

static void expect_order(struct fixture *f, const struct states *states, struct room *room,
	const struct object *trees, size_t n_trees)
{
	size_t n;
	const struct judged_state *best =
		states_best(states, room->repository, &room->base.tree, &f->arena, &n);
	assert_int_equal(n, n_trees);
	for (size_t i = 0; i < n; i++)
		assert_string_equal(best[i].tree.hex, trees[i].hex);
}

static void goals_come_before_regressions_before_size(void **state)
{
	struct fixture *f = *state;
	AUTO_ROOM room = room_of(f);
	struct states states = {.arena = &f->arena};
	struct object large = tree_of(f, &room, "seq 100 >a.txt"),
				  small = tree_of(f, &room, "echo 1 >a.txt");
	struct object breaks = tree_of(f, &room, "rm a.txt"),
				  half = tree_of(f, &room, "echo half >a.txt");
	judge(f, &states, large, 2, 0);
	judge(f, &states, small, 2, 0);
	judge(f, &states, breaks, 2, 1);
	judge(f, &states, half, 1, 0);
	expect_order(f, &states, &room, (struct object[]){small, large, breaks, half}, 4);
}

static void of_equals_the_change_that_most_made_is_better_then_the_latest(void **state)
{
	struct fixture *f = *state;
	AUTO_ROOM room = room_of(f);
	struct states states = {.arena = &f->arena};
	struct object tabs = tree_of(f, &room, "printf 'a\\tb\\n' >a.txt"),
				  spaces = tree_of(f, &room, "echo 'a  b' >a.txt");
	struct object first = tree_of(f, &room, "echo xy >a.txt"),
				  last = tree_of(f, &room, "echo yz >a.txt");
	judge(f, &states, tabs, 1, 0);
	judge(f, &states, spaces, 1, 0);
	judge(f, &states, first, 1, 0);
	judge(f, &states, last, 1, 0);
	expect_order(f, &states, &room, (struct object[]){spaces, tabs, last, first}, 4);
}

static void a_tree_that_is_judged_again_counts_as_it_was_judged_last(void **state)
{
	struct fixture *f = *state;
	AUTO_ROOM room = room_of(f);
	struct states states = {.arena = &f->arena};
	struct object one = tree_of(f, &room, "echo 1 >a.txt"),
				  two = tree_of(f, &room, "echo 2 >a.txt");
	judge(f, &states, one, 2, 0);
	judge(f, &states, two, 1, 0);
	judge(f, &states, one, 0, 3);
	assert_int_equal(states.n, 2);
	expect_order(f, &states, &room, (struct object[]){two, one}, 2);
}

static void what_is_no_change_or_cannot_be_read_is_left_out(void **state)
{
	struct fixture *f = *state;
	AUTO_ROOM room = room_of(f);
	struct states states = {.arena = &f->arena};
	struct object gone = {"0123456789012345678901234567890123456789"};
	judge(f, &states, room.base.tree, 2, 0);
	judge(f, &states, gone, 2, 0);
	judge(f, &states, (struct object){"HEAD"}, 2, 0);
	assert_int_equal(states.n, 2);
	expect_order(f, &states, &room, NULL, 0);
}

static void a_binary_change_is_one(void **state)
{
	struct fixture *f = *state;
	AUTO_ROOM room = room_of(f);
	struct states states = {.arena = &f->arena};
	struct object noise = tree_of(f, &room, "head -c 5000 /dev/urandom >blob"),
				  mode = tree_of(f, &room, "chmod +x a.txt");
	judge(f, &states, noise, 1, 0);
	judge(f, &states, mode, 1, 0);
	expect_order(f, &states, &room, (struct object[]){mode, noise}, 2);
}

static void records_say_what_events_said(void **state)
{
	struct fixture *f = *state;
	AUTO_ROOM room = room_of(f);
	struct states states = {.arena = &f->arena};
	struct object tree = tree_of(f, &room, "echo 1 >a.txt");
	struct rondo_message message = report_of(f, tree.hex, 3, 0);
	AUTO_JSON *json = json_object();
	event_to_json(&(struct rondo_event){.type = RONDO_EVENT_MESSAGE, .message = &message}, json);
	AUTO_FREE char *text = json_print(json);
	AUTO_JSON *record = json_parse(text, strlen(text), &f->err);
	struct rondo_event event;
	must(f, event_from_json(record, &f->arena, &event, &f->err));
	states_event(&states, &event);
	assert_int_equal(states.n, 1);
	assert_string_equal(states.items[0].tree.hex, tree.hex);
	assert_int_equal(states.items[0].fixed, 3);
	assert_true(states.items[0].ok);
}

static void other_messages_are_passed_over(void **state)
{
	struct fixture *f = *state;
	struct states states = {.arena = &f->arena};
	struct rondo_message text = {
		.type = RONDO_MESSAGE_TEXT, .source = "coder", .content = "", .data = "{\"state\":{}}"};
	struct rondo_message report = {
		.type = RONDO_MESSAGE_TEST_REPORT, .source = "own", .content = "", .data = "{\"ok\":true}"};
	states_event(&states,
		&(struct rondo_event){
			.type = RONDO_EVENT_MESSAGE, .message = message_copy(&f->arena, &text)});
	states_event(&states,
		&(struct rondo_event){
			.type = RONDO_EVENT_MESSAGE, .message = message_copy(&f->arena, &report)});
	states_event(&states, &(struct rondo_event){.type = RONDO_EVENT_TURN_END, .data = "{}"});
	assert_int_equal(states.n, 0);
}

UNIT(states)
{
	fixture_home();
	const struct CMUnitTest tests[] = {
		FIXTURE_TEST(goals_come_before_regressions_before_size),
		FIXTURE_TEST(of_equals_the_change_that_most_made_is_better_then_the_latest),
		FIXTURE_TEST(a_tree_that_is_judged_again_counts_as_it_was_judged_last),
		FIXTURE_TEST(what_is_no_change_or_cannot_be_read_is_left_out),
		FIXTURE_TEST(a_binary_change_is_one),
		FIXTURE_TEST(records_say_what_events_said),
		FIXTURE_TEST(other_messages_are_passed_over),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
