#include "tests/unit/unit.h"

#include "base/memory.h"
#include "chat/coverage.h"

static struct coverage coverage_of(struct arena *arena, const char *text)
{
	struct rondo_error err;
	struct coverage coverage;
	AUTO_JSON *json = json_parse(text, strlen(text), &err);
	if (!json)
		fail_msg("%s", err.message);
	coverage_from_json(json, arena, &coverage);
	return coverage;
}

static void lines_are_the_same_after_a_journey(void **state)
{
	(void)state;
	AUTO_ARENA arena = ARENA_INIT;
	struct coverage_line lines[] = {
		{"a.py", 2, 1, 0, 0}, {"a.py", 3, 2, 9, 1}, {"sub/b.py", 7, 1, 4, 0}};
	struct coverage coverage = {lines, ARRAY_SIZE(lines), .n_goal = 2, .n_others = 9, .n_also = 3};
	AUTO_JSON *json = coverage_to_json(&coverage);
	AUTO_FREE char *text = json_print(json);
	assert_string_equal(text,
		"{\"lines\":{\"a.py\":[[2,1,0,0],[3,2,9,1]],\"sub/"
		"b.py\":[[7,1,4,0]]},\"n_goal\":2,\"n_others\":9,\"n_also\":3}");
	struct coverage back = coverage_of(&arena, text);
	assert_int_equal(back.n, 3);
	assert_int_equal(back.n_goal, 2);
	assert_int_equal(back.n_others, 9);
	assert_int_equal(back.n_also, 3);
	for (size_t i = 0; i < back.n; i++) {
		assert_string_equal(back.lines[i].path, lines[i].path);
		assert_int_equal(back.lines[i].line, lines[i].line);
		assert_int_equal(back.lines[i].goal, lines[i].goal);
		assert_int_equal(back.lines[i].others, lines[i].others);
		assert_int_equal(back.lines[i].also, lines[i].also);
	}
}

static void lines_that_no_test_of_the_goal_ran_are_left_out(void **state)
{
	(void)state;
	AUTO_ARENA arena = ARENA_INIT;
	struct coverage coverage = coverage_of(
		&arena, "{\"lines\": {\"a.py\": [[1, 0, 3], [2, 1, 3]]}, \"n_goal\": 1, \"n_others\": 3}");
	assert_int_equal(coverage.n, 1);
	assert_int_equal(coverage.lines[0].line, 2);
}

/* It is said by a process that runs the candidate's code. */
static void what_is_no_line_is_passed_over(void **state)
{
	(void)state;
	static const char *const texts[] = {"{}", "[]", "7", "{\"lines\": null}",
		"{\"lines\": [[1, 1, 1]]}", "{\"lines\": {\"a\": 5}}",
		"{\"lines\": {\"a\": [5, [], \"x\", {}, [0, 1, 1], [-1, 1, 1], [1, -1, 1], [4294967296, 1, "
		"1], [1e300, 1, 1], [\"1\", 1]]}}"};
	for (size_t i = 0; i < ARRAY_SIZE(texts); i++) {
		AUTO_ARENA arena = ARENA_INIT;
		assert_int_equal(coverage_of(&arena, texts[i]).n, 0);
	}
	AUTO_ARENA arena = ARENA_INIT;
	assert_int_equal(
		coverage_of(&arena, "{\"lines\": {\"a\": [[3, 1]]}, \"n_goal\": -4, \"n_others\": \"x\"}")
			.lines[0]
			.others,
		0);
}

UNIT(coverage)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(lines_are_the_same_after_a_journey),
		cmocka_unit_test(lines_that_no_test_of_the_goal_ran_are_left_out),
		cmocka_unit_test(what_is_no_line_is_passed_over),
	};
	return RUN_TESTS(tests);
}
