/* The repair agent, turn by turn; what trying a candidate shows is made up. */
#include "tests/unit/trial_fixture.h"

#include "agents/repair/search.h"
#include "chat/event.h"
#include "chat/message.h"

static void put_base(void)
{
	put_shop(CALC("a - b", "a + b"));
}

static int set_up(void **state)
{
	(void)state;
	return make_shop(put_base);
}

/* A chat of repair with testers and executors who are made up: each edit is applied. */
struct chat {
	struct opened opened;
	struct agent *repair;
	struct message_thread thread;
	size_t shown;
	struct response response;
	struct arena arena;
	int n_searches; /* events of a turn */
	bool is_full;   /* nothing can be recorded */
};

static int record_search(void *owner, const struct rondo_event *event, struct rondo_error *err)
{
	struct chat *chat = owner;
	chat->n_searches += event->type == RONDO_EVENT_SEARCH;
	return chat->is_full ? error_set(err, RONDO_ERROR_TRANSIENT, "the disk is full") : 0;
}

static const char *report(struct chat *chat, const char *key)
{
	AUTO_JSON *json = test_report_to_json(&chat->opened.run.baseline->reports[0]);
	if (key)
		json_add_string(json_add_array(json, key), NULL, "adds");
	AUTO_FREE char *text = json_print(json);
	return arena_strdup(&chat->arena, text);
}

static void say(struct chat *chat, enum rondo_message_type type, const char *key)
{
	message_thread_append(&chat->thread,
		&(struct rondo_message){
			.type = type, .source = "tester", .content = "", .data = report(chat, key)});
}

/* Nothing was said yet but the task, and nothing is changed. */
static void begin_chat(struct chat *chat)
{
	struct rondo_error err;
	const struct site *site = chat->opened.run.site;
	agent_free(chat->repair);
	message_thread_release(&chat->thread);
	chat->shown = 0;
	chat->repair = agent_new(&repair_agent, "repair", NULL, &chat->opened.run.services);
	if (worktree_checkout(site->main.worktree, &site->base.tree, &err) < 0)
		fail_msg("%s", err.message);
	say(chat, RONDO_MESSAGE_TEXT, NULL);
}

static void open_chat(struct chat *chat)
{
	static const struct trial_engine *const engines[] = {&made_up_engine, NULL};
	*chat = (struct chat){.shown = 0};
	open_at_base(&chat->opened, "shop", NULL);
	try_by(&chat->opened, engines);
	begin_chat(chat);
}

static void close_chat(struct chat *chat)
{
	agent_free(chat->repair);
	message_thread_release(&chat->thread);
	arena_release(&chat->arena);
	close_opened(&chat->opened);
}
#define AUTO_CHAT __attribute__((cleanup(close_chat))) struct chat

static int take_turn(struct chat *chat, struct rondo_error *err)
{
	struct context ctx = {.record = {record_search, chat}};
	chat->n_searches = 0;
	return agent_on_messages(chat->repair, message_thread_since(&chat->thread, chat->shown),
		&chat->arena, &chat->response, &ctx, err);
}

/* One message comes of a turn; it is on the thread then. */
static const struct rondo_message *turn(struct chat *chat)
{
	struct rondo_error err;
	if (take_turn(chat, &err) < 0)
		fail_msg("%s", err.message);
	assert_false(chat->response.pass);
	const struct rondo_message *said =
		message_thread_append(&chat->thread, &chat->response.message);
	chat->shown = chat->thread.n;
	return said;
}

/* What others do about an edit: it is applied and reported on. */
static void react(struct chat *chat, const struct rondo_message *message, const char *key)
{
	struct edit edit;
	struct rondo_error err;
	struct worktree *worktree = chat->opened.run.site->main.worktree;
	if (edit_from_json(message_data(message), &chat->arena, &edit, &err) < 0 ||
		worktree_apply(worktree, &edit, &err) < 0)
		fail_msg("%s", err.message);
	say(chat, RONDO_MESSAGE_TEST_REPORT, key);
}

static size_t tried(const struct rondo_message *message)
{
	return (size_t)json_int(json_get(message_data(message), "search"), "tried", 0);
}

/* --- What it says --- */

static void one_message_comes_of_a_turn(void **state)
{
	(void)state;
	AUTO_CHAT chat;
	made_up = (__typeof__(made_up)){.passes = 7};
	open_chat(&chat);
	const struct rondo_message *edit = turn(&chat);
	assert_int_equal(edit->type, RONDO_MESSAGE_EDIT);
	assert_int_equal(tried(edit), 7);
	assert_int_equal(chat.n_searches, 1);
}

static void it_ends_with_what_it_found(void **state)
{
	(void)state;
	AUTO_CHAT chat;
	made_up = (__typeof__(made_up)){.fixes_one = 3};
	open_chat(&chat);
	const struct rondo_message *best = turn(&chat);
	assert_int_equal(best->type, RONDO_MESSAGE_EDIT);
	react(&chat, best, "fixed");
	made_up.fixes_one = 0;
	const struct rondo_message *end = turn(&chat);
	assert_int_equal(end->type, RONDO_MESSAGE_STOP);
	assert_non_null(strstr(end->content,
		arena_printf(&chat.arena,
			"gave up: all %zu candidates were tried, likeliest first: calc.py:",
			tried(best) + tried(end))));
	assert_non_null(strstr(
		end->content, arena_printf(&chat.arena, "; furthest: %s (1 of 2 fixed)", best->content)));
	const struct json *data = message_data(end), *partial = json_first(json_get(data, "partial"));
	struct edit edit;
	struct rondo_error err;
	assert_memory_equal(json_text(json_first(json_get(data, "suspects")), ""), "calc.py:", 8);
	assert_memory_equal(json_text(json_first(json_get(data, "parts")), ""), "calc.py:", 8);
	assert_string_equal(json_string(data, "end", ""), "exhausted");
	assert_int_equal(json_int(partial, "fixed", 0), 1);
	assert_string_equal(json_string(partial, "description", ""), best->content);
	assert_int_equal(edit_from_json(json_get(partial, "edit"), &chat.arena, &edit, &err), 0);
	assert_string_equal(edit.files[0].path, "calc.py");
}

static void who_goes_on_begins_from_the_base(void **state)
{
	(void)state;
	AUTO_CHAT chat;
	made_up = (__typeof__(made_up)){.fixes_one = 3};
	open_chat(&chat);
	chat.repair->has_successor = true;
	const struct rondo_message *end = turn(&chat);
	assert_int_equal(end->type, RONDO_MESSAGE_STOP);
	assert_non_null(strstr(end->content, " (1 of 2 fixed)"));
	assert_int_equal(json_count(json_get(message_data(end), "partial")), 1);
}

static void it_proposes_nothing_twice(void **state)
{
	(void)state;
	AUTO_CHAT chat;
	made_up = (__typeof__(made_up)){.fixes_one = 1};
	open_chat(&chat);
	const struct rondo_message *message = turn(&chat);
	assert_int_equal(message->type, RONDO_MESSAGE_EDIT);
	react(&chat, message, "broken");
	message = turn(&chat);
	assert_int_equal(message->type, RONDO_MESSAGE_EDIT);
	assert_memory_equal(message->content, "undo: ", 6);
	assert_int_equal(chat.n_searches, 0);
	react(&chat, message, NULL);
	assert_int_equal(turn(&chat)->type, RONDO_MESSAGE_STOP);
}

/* --- State --- */

/* All that counts of a message: its figures depend on time. */
static void add_said(struct strbuf *said, const struct rondo_message *message)
{
	static const char *const keys[] = {
		"files", "choice", "undo", "end", "suspects", "parts", "partial"};
	strbuf_addf(said, "%s", message->content);
	for (size_t i = 0; i < ARRAY_SIZE(keys); i++) {
		const struct json *member = json_get(message_data(message), keys[i]);
		AUTO_FREE char *text = member ? json_print(member) : NULL;
		strbuf_addf(said, " %s", text ? text : "-");
	}
	strbuf_addc(said, '\n');
}

/* Another agent takes the place of this one, with what it saved after each turn. */
static void replace(struct chat *chat, struct json *const *saves, size_t n)
{
	struct rondo_error err;
	agent_free(chat->repair);
	chat->repair = agent_new(&repair_agent, "repair", NULL, &chat->opened.run.services);
	for (size_t i = 0; i < n; i++)
		if (agent_load(chat->repair, saves[i], &chat->thread, &err) < 0)
			fail_msg("%s", err.message);
}

/* Until it gives up, where each edit makes it worse; after `cut` turns by another agent. */
static const char *chat_to_the_end(struct chat *chat, size_t cut, bool at_once)
{
	AUTO_STRBUF said = STRBUF_INIT(STRBUF_TEXT);
	struct json *saves[16];
	size_t n = 0;
	const struct rondo_message *message;
	begin_chat(chat);
	while ((message = turn(chat))->type == RONDO_MESSAGE_EDIT) {
		assert_true(n < ARRAY_SIZE(saves));
		add_said(&said, message);
		saves[n++] = agent_save(chat->repair, at_once);
		if (n == cut)
			replace(chat, at_once ? &saves[n - 1] : saves, at_once ? 1 : n);
		react(chat, message, strncmp(message->content, "undo: ", 6) == 0 ? NULL : "broken");
	}
	add_said(&said, message);
	while (n)
		json_free(saves[--n]);
	return arena_strndup(&chat->arena, said.text, said.length);
}

static void expect_same_end_from_every_turn(struct chat *chat)
{
	const char *expected = chat_to_the_end(chat, 0, true);
	assert_non_null(strstr(expected, "\nundo: "));
	assert_non_null(strstr(expected, "gave up: all "));
	for (size_t cut = 1; cut <= 2; cut++) {
		assert_string_equal(chat_to_the_end(chat, cut, true), expected);
		assert_string_equal(chat_to_the_end(chat, cut, false), expected);
	}
}

/* After the undo the search goes on where it stood, or is made again. */
static void it_ends_alike_after_a_load(void **state)
{
	(void)state;
	AUTO_CHAT chat;
	open_chat(&chat);
	for (int64_t id = 1; id <= 15; id += 7) {
		made_up = (__typeof__(made_up)){.passes = id};
		expect_same_end_from_every_turn(&chat);
		made_up = (__typeof__(made_up)){.fixes_one = id};
		expect_same_end_from_every_turn(&chat);
	}
}

/* The time of a search stands still while nobody works. */
static void what_is_left_of_its_time_is_saved(void **state)
{
	(void)state;
	AUTO_CHAT chat;
	made_up = (__typeof__(made_up)){.passes = 1};
	open_chat(&chat);
	chat.opened.run.services.repair_timeout_ms = 3600000;
	turn(&chat);
	AUTO_JSON *json = agent_save(chat.repair, true);
	assert_in_range(json_int(json, "left_ms", 0), 3500000, 3600000);
}

/* What it tried cannot be recorded: then the turn is taken as if nothing had been. */
static void a_turn_that_fails_is_taken_again(void **state)
{
	(void)state;
	AUTO_CHAT chat;
	struct rondo_error err;
	made_up = (__typeof__(made_up)){.passes = 2};
	open_chat(&chat);
	chat.is_full = true;
	assert_int_equal(take_turn(&chat, &err), -1);
	AUTO_JSON *nothing = agent_save(chat.repair, true);
	assert_int_equal(json_count(nothing), 0);
	chat.is_full = false;
	assert_int_equal(turn(&chat)->type, RONDO_MESSAGE_EDIT);
}

/* --- Groups --- */

/* As if the two failing tests had two causes. */
static void divide_goal(struct chat *chat)
{
	static const char *adds[] = {"adds"}, *nothing[] = {"adds nothing"};
	static struct goal_group groups[] = {{adds, 1, "TypeError at calc.py:1", .has_place = true},
		{nothing, 1, "failures in tests/run.py", .is_new = false}};
	struct baseline *baseline = &chat->opened.run.baseline->result;
	assert_int_equal(baseline->n_goal, 2);
	baseline->groups = groups;
	baseline->n_groups = 2;
}

static void each_group_is_searched_for_in_a_turn(void **state)
{
	(void)state;
	AUTO_CHAT chat;
	made_up = (__typeof__(made_up)){.passes = 0};
	open_chat(&chat);
	divide_goal(&chat);
	const struct rondo_message *end = turn(&chat);
	assert_int_equal(end->type, RONDO_MESSAGE_STOP);
	assert_int_equal(chat.n_searches, 2);
	assert_non_null(strstr(end->content,
		arena_printf(&chat.arena, "gave up: all %zu candidates were tried", tried(end))));
}

static void after_a_group_is_fixed_the_next_is_searched_for(void **state)
{
	(void)state;
	AUTO_CHAT chat;
	made_up = (__typeof__(made_up)){.passes = 7};
	open_chat(&chat);
	divide_goal(&chat);
	const struct rondo_message *edit = turn(&chat);
	assert_int_equal(edit->type, RONDO_MESSAGE_EDIT);
	assert_int_equal(tried(edit), 7);
	assert_int_equal(chat.n_searches, 1);
	react(&chat, edit, "fixed"); /* "adds", the first group's */
	made_up.passes = 0;
	const struct rondo_message *end = turn(&chat);
	assert_int_equal(end->type, RONDO_MESSAGE_STOP);
	assert_int_equal(chat.n_searches, 1);
}

/* It may be one of the next group's, whose search would then not begin from the base. */
static void a_part_of_a_group_is_proposed_last(void **state)
{
	(void)state;
	AUTO_CHAT chat;
	made_up = (__typeof__(made_up)){.fixes_one = 3};
	open_chat(&chat);
	divide_goal(&chat);
	assert_int_equal(turn(&chat)->type, RONDO_MESSAGE_EDIT);
	assert_int_equal(chat.n_searches, 2);
}

/* The first half of what it may try is the first group's. */
static void groups_share_the_candidates(void **state)
{
	(void)state;
	AUTO_CHAT chat;
	made_up = (__typeof__(made_up)){.passes = 0};
	open_chat(&chat);
	divide_goal(&chat);
	chat.opened.run.services.repair_candidates = 40;
	const struct rondo_message *end = turn(&chat);
	assert_int_equal(tried(end), 40);
	assert_int_equal(chat.n_searches, 2);
	assert_string_equal(json_string(message_data(end), "end", ""), "candidates");
}

static void groups_end_alike_after_a_load(void **state)
{
	(void)state;
	AUTO_CHAT chat;
	open_chat(&chat);
	divide_goal(&chat);
	for (int64_t id = 1; id <= 15; id += 7) {
		made_up = (__typeof__(made_up)){.passes = id};
		expect_same_end_from_every_turn(&chat);
	}
}

/* --- The order, which must not depend on how many are tried at a time --- */

/* The first ones, taken by batches of that size, where each 7th candidate fixes something. */
static const char *order_of(struct chat *chat, size_t batch)
{
	AUTO_STRBUF order = STRBUF_INIT(STRBUF_TEXT);
	AUTO_ARENA arena = ARENA_INIT;
	struct search search = {.n_taken = 0};
	struct partials partials = {.n = 0};
	struct rondo_error err;
	const struct search_start start = {.report = chat->thread.messages[0]};
	if (search_begin(&search, &chat->opened.run.services, &start, &err) < 0)
		fail_msg("%s", err.message);
	while (search_take(&search, batch, SIZE_MAX)) {
		struct candidate_results results = {.tried = search.batch.n};
		for (size_t i = 0; i < search.batch.n; i++) {
			const struct candidate *candidate = &search.batch.items[i];
			struct candidate_result result = {.id = candidate->id, .fixed = candidate->id % 7 == 0};
			strbuf_addf(&order, "%s\n", candidate->edit.description);
			ARENA_PUSH(&arena, results.progress, results.n, result);
		}
		search_learn(&search, &results, &partials, &arena);
	}
	search_release(&search);
	return arena_strndup(&chat->arena, order.text, order.length);
}

static void the_order_does_not_depend_on_the_batches(void **state)
{
	(void)state;
	AUTO_CHAT chat;
	open_chat(&chat);
	const char *expected = order_of(&chat, 1000);
	assert_true(strlen(expected) > 1000);
	assert_string_equal(order_of(&chat, 1), expected);
	assert_string_equal(order_of(&chat, 5), expected);
	assert_string_equal(order_of(&chat, 64), expected);
}

/* What the second batch begins with, after the second candidate ran out of time. */
static int64_t next_after_slow(struct chat *chat, size_t fixed)
{
	AUTO_ARENA arena = ARENA_INIT;
	struct search search = {.n_taken = 0};
	struct partials partials = {.n = 0};
	struct rondo_error err;
	const struct search_start start = {.report = chat->thread.messages[0]};
	if (search_begin(&search, &chat->opened.run.services, &start, &err) < 0)
		fail_msg("%s", err.message);
	assert_true(search_take(&search, 4, SIZE_MAX));
	struct candidate_result slow = {.id = search.batch.items[1].id, .fixed = fixed, .slow = true};
	search_learn(&search, &(struct candidate_results){.tried = 4, .progress = &slow, .n = 1},
		&partials, &arena);
	assert_true(search_take(&search, 4, SIZE_MAX));
	const struct candidate *last = &search.batch.items[search.batch.n - 1];
	int64_t id = last->patience ? last->id : 0;
	search_release(&search);
	return id;
}

static void what_fixed_some_in_its_time_is_tried_again_at_once(void **state)
{
	(void)state;
	AUTO_CHAT chat;
	open_chat(&chat);
	assert_int_equal(next_after_slow(&chat, 0), 0);
	assert_int_equal(next_after_slow(&chat, 1), 2);
}

UNIT(repair_agent)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(one_message_comes_of_a_turn),
		cmocka_unit_test(it_ends_with_what_it_found),
		cmocka_unit_test(who_goes_on_begins_from_the_base),
		cmocka_unit_test(it_proposes_nothing_twice),
		cmocka_unit_test(it_ends_alike_after_a_load),
		cmocka_unit_test(what_is_left_of_its_time_is_saved),
		cmocka_unit_test(a_turn_that_fails_is_taken_again),
		cmocka_unit_test(each_group_is_searched_for_in_a_turn),
		cmocka_unit_test(after_a_group_is_fixed_the_next_is_searched_for),
		cmocka_unit_test(a_part_of_a_group_is_proposed_last),
		cmocka_unit_test(groups_share_the_candidates),
		cmocka_unit_test(groups_end_alike_after_a_load),
		cmocka_unit_test(the_order_does_not_depend_on_the_batches),
		cmocka_unit_test(what_fixed_some_in_its_time_is_tried_again_at_once),
	};
	return cmocka_run_group_tests(tests, set_up, remove_shop);
}
