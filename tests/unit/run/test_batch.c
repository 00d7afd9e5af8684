/* Lists of tasks, and what a task may spend of what all may. */
#include "tests/unit/unit.h"

#include "base/file.h"
#include "base/json/json.h"
#include "base/memory.h"
#include "run/batch/pool.h"

static struct pool pool_of(const struct batch_common *common, struct batch_progress *progress,
	struct pool_slot *slots, size_t n_slots, size_t n_waiting)
{
	return (struct pool){.common = common,
		.progress = progress,
		.slots = slots,
		.n_slots = n_slots,
		.n_waiting = n_waiting};
}

static void a_share_is_even_and_none_spends_what_another_one_holds(void **state)
{
	(void)state;
	struct batch_entry entry = {.name = "a"};
	struct batch_progress progress = {.tokens = 200, .usd = 2};
	static const struct {
		int64_t tokens, held, share;
		bool runs;
		size_t n_waiting;
		const char *why;
	} rows[] = {
		{0, 0, 0, false, 9, NULL}, {1000, 0, 400, false, 9, NULL}, /* two slots, 800 left */
		{1000, 300, 500, true, 9, NULL},
		{1000, 0, 800, false, 1, NULL}, /* nobody else will want some */
		{1000, 800, 0, true, 9, "the budget of tokens is used up"},
		{200, 0, 0, false, 9, "the budget of tokens is used up"},
		{202, 0, 0, false, 9, "the budget of tokens is used up"}, /* less than a hundredth */
	};
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		struct batch_common common = {.budget.tokens = rows[i].tokens};
		struct pool_slot slots[2] = {
			{.entry = rows[i].runs ? &entry : NULL, .held.tokens = rows[i].held}};
		struct pool pool = pool_of(&common, &progress, slots, 2, rows[i].n_waiting);
		struct batch_budget share;
		const char *why = pool_share(&pool, &share);
		assert_string_equal(why ? why : "", rows[i].why ? rows[i].why : "");
		if (!why)
			assert_int_equal(share.tokens, rows[i].share);
	}
	struct batch_common common = {.budget.usd = 5};
	struct pool_slot slots[2] = {{.entry = &entry, .held.usd = 1}};
	struct pool pool = pool_of(&common, &progress, slots, 2, 9);
	struct batch_budget share;
	assert_null(pool_share(&pool, &share));
	assert_true(share.usd > 1.99 && share.usd < 2.01);
}

static const char *line_of(struct batch_task task, const char *scenario, struct arena *arena)
{
	struct task_lines lines = {
		.text = STRBUF_INIT(STRBUF_TEXT), .arena = arena, .scenario = scenario};
	struct option_place place = {"tasks", 1, 1};
	struct problems problems = {.arena = arena};
	task_line_add(&lines, &task, &place, &problems);
	const char *text = problems.n ? problems.items[0].text : arena_strdup(arena, lines.text.text);
	strbuf_release(&lines.text);
	return text;
}

static void a_task_becomes_settings_of_fix_or_keys_of_a_scenario(void **state)
{
	(void)state;
	AUTO_ARENA arena = ARENA_INIT;
	const char *goal = "[\"test_a\", \"b \\\"c\\\"\"]", *name = "time", *limit = "5m";
	struct batch_task task = {.repository = "/r/shop",
		.test = "make check",
		.goal = {&goal, 1},
		.limits = {&name, &limit, 1}};
	assert_string_equal(line_of(task, NULL, &arena),
		"{\"name\":\"shop\",\"repository\":\"/r/shop\",\"set\":[],\"settings\":["
		"[\"test\",\"test.command\",\"make check\"],[\"goal\",\"test.goal\",\"test_a\"],"
		"[\"goal\",\"test.goal\",\"b \\\"c\\\"\"],[\"limit\",\"limits\",\"time=5m\"]],"
		"\"parameters\":[]}\n");
	assert_string_equal(line_of(task, "/s.yaml", &arena),
		"{\"name\":\"shop\",\"repository\":\"/r/shop\",\"set\":["
		"\"workspace.repo=\\\"/r/shop\\\"\",\"test.command=\\\"make check\\\"\","
		"\"test.goal=[\\\"test_a\\\",\\\"b \\\\\\\"c\\\\\\\"\\\"]\",\"limits.time=\\\"5m\\\"\"],"
		"\"parameters\":[]}\n");
}

static void names_are_names_of_directories(void **state)
{
	(void)state;
	AUTO_ARENA arena = ARENA_INIT;
	static const char *const wrong[] = {"", ".", "..", ".git", "a/b", "a b", "\xc3\xa4"};
	for (size_t i = 0; i < ARRAY_SIZE(wrong); i++) {
		struct batch_task task = {.repository = "/r", .name = wrong[i]};
		assert_non_null(strstr(line_of(task, NULL, &arena), "a task's name has letters"));
	}
	struct batch_task task = {.repository = "/r/.a b\xc3\xa4"};
	assert_non_null(strstr(line_of(task, NULL, &arena), "{\"name\":\"_a_b__\","));
	task.repository = NULL;
	assert_string_equal(line_of(task, NULL, &arena), "a task needs 'repository'");
}

static void what_may_pass_is_no_last_word(void **state)
{
	(void)state;
	static const struct {
		int code;
		bool is_final;
	} rows[] = {
		{0, true}, {1, true}, {2, true}, {3, true}, {75, false}, {130, false}, {137, false}};
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		AUTO_JSON *result = task_result_failed("x", rows[i].code, "why");
		assert_int_equal(task_result_is_final(result), rows[i].is_final);
	}
}

static void the_first_last_word_counts(void **state)
{
	(void)state;
	char dir[TOP_SIZE];
	struct rondo_error err;
	static const struct {
		int code, kept;
	} rows[] = {{75, 75}, {137, 75}, {1, 1}, {0, 1}, {75, 1}};
	assert_non_null(make_top(dir));
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		AUTO_JSON *result = task_result_failed("x", rows[i].code, "why");
		assert_int_equal(task_result_write(dir, result, &err), 0);
		AUTO_JSON *kept = task_result_read(dir);
		assert_int_equal(json_int(kept, "exit_code", -1), rows[i].kept);
	}
	file_remove_tree(dir, &err);
}

UNIT(batch)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_share_is_even_and_none_spends_what_another_one_holds),
		cmocka_unit_test(a_task_becomes_settings_of_fix_or_keys_of_a_scenario),
		cmocka_unit_test(names_are_names_of_directories),
		cmocka_unit_test(what_may_pass_is_no_last_word),
		cmocka_unit_test(the_first_last_word_counts),
	};
	return RUN_TESTS(tests);
}
