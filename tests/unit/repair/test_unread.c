/* A file of the tests that cannot be read: no edit of the program mends it. */
#include "tests/unit/repair_fixture.h"

/* Whether all that fails is such a file, by what a runner printed. */
static bool is_unread(
	const char *program, const char *tests, const char *text, int line, const char *output)
{
	AUTO_ARENA arena = ARENA_INIT;
	struct repair_file files[] = {
		{.path = program, .text = "x = 1\n", .n = 6, .editable = true},
		{.path = tests, .text = text, .n = strlen(text)},
	};
	struct test_report report = {.output = output};
	test_report_add(&report, &arena,
		&(struct test_result){.id = "t", .status = TEST_FAILED, .file = tests, .line = line});
	const struct test_result *found = repair_unread(repair_new(&arena, files, 2, &report), &report);
	assert_true(!found || found == report.results[0]);
	return found;
}

static void what_cannot_be_read_is_known_by_its_complaint(void **state)
{
	(void)state;
	assert_true(is_unread("a.py", "test_a.py", "\n\nassert f(1\n", 3,
		"  File \"test_a.py\", line 3\nSyntaxError: '(' was never closed\n"));
	assert_false(is_unread("a.py", "test_a.py", "\n\nassert f(1)\n", 3,
		"  File \"test_a.py\", line 3\nAssertionError\n"));
	assert_true(is_unread("a.go", "a_test.go", "package a\n\nvar x = f(1\n", 3,
		"./a_test.go:3:12: missing ',' before newline in argument list\n"));
}

static void what_an_edit_elsewhere_may_mend_is_searched_for(void **state)
{
	(void)state;
	assert_false(is_unread("a.go", "a_test.go", "package a\n\nvar x = f(1)\n", 3,
		"    a_test.go:3: expected 3, got 4\n"));
	assert_false(is_unread("a.h", "test.c", "\nCHECK(1)\nint x;\n", 2,
		"test.c:2:9: error: expected '=', ',', ';' before 'int'\n"));
	assert_true(is_unread("a.h", "test.c", "\nint main(void)\n{\n", 3,
		"test.c:3:1: error: expected declaration or statement at end of input\n"));
}

static void a_file_that_is_searched_is_mended(void **state)
{
	(void)state;
	assert_false(is_unread("a.py", "test_a.py", "\n\nimport a\n", 3,
		"  File \"test_a.py\", line 3, in <module>\n\n\n\n\n\n\n\n\n"
		"  File \"a.py\", line 1\nSyntaxError: invalid syntax\n"));
}

UNIT(unread)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(what_cannot_be_read_is_known_by_its_complaint),
		cmocka_unit_test(what_an_edit_elsewhere_may_mend_is_searched_for),
		cmocka_unit_test(a_file_that_is_searched_is_mended),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
