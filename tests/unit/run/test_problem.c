#include "tests/unit/unit.h"

#include <stdio.h>

#include "base/utf8.h"
#include "run/scenario/problem.h"

static void assert_prints(const struct problems *problems, const char *text)
{
	AUTO_STRBUF sb = STRBUF_INIT(1 << 20);
	problems_print(problems, &sb);
	assert_string_equal(sb.text, text);
}

static void prints_by_place_whatever_came_first(void **state)
{
	(void)state;
	AUTO_ARENA arena = ARENA_INIT;
	struct problems problems = {.arena = &arena};
	problems_add(&problems, (struct option_place){"b.yaml", 12, 5}, "unknown key '%s'", "max_turn");
	problems_add(&problems, (struct option_place){"a.yaml", 2, 1}, "one");
	problems_add(&problems, (struct option_place){"b.yaml", 3, 9}, "two");
	problems_add(&problems, (struct option_place){"b.yaml", 3, 10}, "three");
	problems_add(&problems, (struct option_place){"b.yaml", 3, 9}, "four");
	problems_add(&problems, place_whole("-s team.max_turns=x"), "not a number");
	problems_add(&problems, place_whole("b.yaml"), "five");
	assert_prints(&problems,
		"b.yaml: five\n"
		"b.yaml:3:9: two\n"
		"b.yaml:3:9: four\n"
		"b.yaml:3:10: three\n"
		"b.yaml:12:5: unknown key 'max_turn'\n"
		"a.yaml:2:1: one\n"
		"-s team.max_turns=x: not a number\n");
}

static void prints_nothing_where_there_is_none(void **state)
{
	(void)state;
	assert_prints(&(struct problems){0}, "");
}

static void keeps_to_a_line_and_steers_no_terminal(void **state)
{
	(void)state;
	AUTO_ARENA arena = ARENA_INIT;
	struct problems problems = {.arena = &arena};
	problems_add(&problems,
		(struct option_place){"a\n"
							  "b\033[2J.yaml",
			1, 1},
		"key '%s' stands twice",
		"x\n\n"
		"\033]0;y\007\xc3\xa9");
	assert_prints(
		&problems, "a\\nb\\e[2J.yaml:1:1: key 'x\\n\\n\\e]0;y\\x07\xc3\xa9' stands twice\n");
}

static void cuts_a_long_text_between_characters(void **state)
{
	(void)state;
	AUTO_ARENA arena = ARENA_INIT;
	struct problems problems = {.arena = &arena};
	char key[3001] = "";
	for (size_t i = 0; i < 1000; i++)
		memcpy(key + 3 * i, "\xe4\xb8\xad", 3);
	problems_add(&problems, (struct option_place){"f", 1, 1}, "'%s'", key);
	const char *text = problems.items[0].text;
	assert_in_range(strlen(text), 1018, 1023);
	assert_true(text_ends_with(text, "\xe4\xb8\xad..."));
	assert_int_equal(utf8_valid_length(text, strlen(text)), strlen(text));
}

static void counts_what_is_beyond_the_thousandth(void **state)
{
	(void)state;
	AUTO_ARENA arena = ARENA_INIT;
	struct problems problems = {.arena = &arena};
	for (int i = 1; i <= 1023; i++)
		problems_add(&problems, (struct option_place){"f", i, 1}, "wrong");
	AUTO_STRBUF sb = STRBUF_INIT(1 << 20);
	problems_print(&problems, &sb);
	assert_int_equal(problems.n, 1000);
	assert_true(text_ends_with(sb.text, "f:1000:1: wrong\n... and 23 more\n"));
}

static void becomes_an_error_of_whole_lines(void **state)
{
	(void)state;
	AUTO_ARENA arena = ARENA_INIT;
	struct rondo_error err;
	struct problems problems = {.arena = &arena};
	assert_int_equal(problems_error(&problems, &err), 0);
	for (int i = 1; i <= 100; i++)
		problems_add(&problems, (struct option_place){"file", i, 1}, "this is wrong");
	assert_int_equal(problems_error(&problems, &err), -1);
	size_t lines = 1;
	for (const char *at = err.message; (at = strchr(at, '\n')); at++)
		lines++;
	char last[64];
	snprintf(last, sizeof last, "this is wrong\n... and %zu more", 100 - (lines - 1));
	assert_in_range(lines, 20, 99);
	assert_true(text_ends_with(err.message, last));
	assert_int_equal(err.code, RONDO_ERROR_USAGE);
}

UNIT(problem)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(prints_by_place_whatever_came_first),
		cmocka_unit_test(prints_nothing_where_there_is_none),
		cmocka_unit_test(keeps_to_a_line_and_steers_no_terminal),
		cmocka_unit_test(cuts_a_long_text_between_characters),
		cmocka_unit_test(counts_what_is_beyond_the_thousandth),
		cmocka_unit_test(becomes_an_error_of_whole_lines),
	};
	return RUN_TESTS(tests);
}
