/* What texts that a failing test compares show of what is missing in the program. */
#include "tests/unit/unit.h"

#include "base/memory.h"
#include "repair/search.h"

static struct repair *search_of(
	struct arena *arena, const char *text, const char *test, const char *message)
{
	struct repair_file *files = arena_alloc(arena, 2 * sizeof *files);
	struct test_report report = {0};
	files[0] =
		(struct repair_file){.path = "a.py", .text = text, .n = strlen(text), .editable = true};
	files[1] = (struct repair_file){.path = "test_a.py", .text = test, .n = strlen(test)};
	test_report_add(&report, arena,
		&(struct test_result){
			.id = "test_a.py::test_a", .status = TEST_FAILED, .message = message});
	return repair_new(arena, files, 2, &report);
}

static bool proposes(
	const char *text, const char *test, const char *message, const char *description)
{
	AUTO_ARENA arena = ARENA_INIT;
	struct repair *repair = search_of(&arena, text, test, message);
	for (struct candidate candidate; repair_next(repair, &candidate);)
		if (strcmp(candidate.edit.description, description) == 0)
			return true;
	return false;
}

static void texts_differ_by_a_part(void **state)
{
	(void)state;
	static const struct {
		const char *message, *a, *b;
	} cases[] = {
		{"assert 'abc' == 'a, b, c'", "", ", "},
		{"want \"a-b\", got \"ab\"", "", "-"},
		{"Expected values to be strictly equal: 'Hello' !== 'hello'", "H", "h"},
		{"can't say 'x.y' for 'x:y'", ".", ":"},
		{"'aa' is not 'aaa'", "", "a"},
		{"'none' != 'of this, that has nothing in common'", NULL, NULL},
		{"'same' == 'same'", NULL, NULL},
		{"'one alone", NULL, NULL},
		{"", NULL, NULL},
		{"'' != 'a'", "", "a"},
		{"'begins alike' and 'begins in quite another way than that'", NULL, NULL},
	};
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		AUTO_ARENA arena = ARENA_INIT;
		struct repair *repair = search_of(&arena, "x = 1\n", "", cases[i].message);
		assert_int_equal(repair->n_differences, cases[i].b ? 1 : 0);
		if (!cases[i].b)
			continue;
		assert_string_equal(repair->differences[0].a, cases[i].a);
		assert_string_equal(repair->differences[0].b, cases[i].b);
	}
}

static void what_is_missing_comes_between(void **state)
{
	(void)state;
	static const char text[] = "def f(a, b):\n    return a + b\n";
	assert_true(proposes(text, "", "assert 'xy' == 'x.y'", "a.py:2  '+' to '+ \".\" +'"));
	assert_false(proposes(text, "", "assert 'x.' == 'x:'", "a.py:2  '+' to '+ \".\" +'"));
	assert_true(proposes(text, "def test_a():\n    assert f('x', 'y') == 'x.y'\n", "",
		"a.py:2  '+' to '+ \".\" +'"));
	assert_false(proposes(
		"def f(a):\n    return a + 1\n", "", "assert 'xy' == 'x.y'", "a.py:2  '+' to '+ \".\" +'"));
}

static void a_text_takes_on_what_is_missing(void **state)
{
	(void)state;
	static const char text[] = "def f(a):\n    return ''.join(g(a, ', ', '('))\n";
	static const char message[] = "assert 'ab' == 'a b'", test[] = "def test_a():\n    f('[]')\n";
	assert_true(proposes(text, test, message, "a.py:2  '''' to '' ''"));
	assert_true(proposes(text, test, message, "a.py:2  '', '' to '',''"));
	assert_true(proposes(text, test, message, "a.py:2  ''('' to ''[''"));
	assert_true(proposes(text, test, "assert 'a, b' == 'a; b'", "a.py:2  '', '' to ''; ''"));
}

UNIT(difference)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(texts_differ_by_a_part),
		cmocka_unit_test(what_is_missing_comes_between),
		cmocka_unit_test(a_text_takes_on_what_is_missing),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
