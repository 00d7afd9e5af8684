/* Failures that no edit of the program ends: what the tests themselves lack. */
#include "tests/unit/repair_fixture.h"

static const char mended_by_nobody[] = " does not compile, and repair does not change tests";

/* A program, its tests, and what a runner says of the one that fails at a line. */
struct failure {
	const char *program, *text;
	const char *tests, *tests_text;
	int line;
	const char *id, *message;
};

/* Asserts that a search for it is hopeless for such a reason; NULL: it is not. */
static void assert_hopeless(const struct failure *failure, const char *why)
{
	AUTO_ARENA arena = ARENA_INIT;
	struct repair_file files[] = {
		{.path = failure->program,
			.text = failure->text,
			.n = strlen(failure->text),
			.editable = true},
		{.path = failure->tests, .text = failure->tests_text, .n = strlen(failure->tests_text)},
	};
	const char *output =
		arena_printf(&arena, "%s:%d:1: %s\n", failure->tests, failure->line, failure->message);
	struct test_report report = {.output = output};
	test_report_add(&report, &arena,
		&(struct test_result){.id = failure->id,
			.status = TEST_FAILED,
			.message = failure->message,
			.file = failure->tests,
			.line = failure->line});
	const char *said = repair_hopeless(repair_new(&arena, files, 2, &report), &report, &arena);
	if (!why)
		assert_null(said);
	else
		assert_string_equal(
			said, arena_printf(&arena, "%s:%d%s", failure->tests, failure->line, why));
}

static void tests_that_do_not_compile_are_known_by_the_complaint(void **state)
{
	(void)state;
	struct failure python = {"a.py", "x = 1\n", "test_a.py", "\n\nassert f(1\n", 3, "test_a.py",
		"SyntaxError: '(' was never closed"};
	assert_hopeless(&python, mended_by_nobody);
	python.id = "test_a.py::test_eval"; /* what a test reads as it runs comes from the program */
	assert_hopeless(&python, NULL);
	struct failure go = {"a.go", "package a\n", "a_test.go", "package a\n\nvar x = f(1\n", 3,
		"example.org/a", "missing ',' before newline in argument list"};
	assert_hopeless(&go, mended_by_nobody);
	go.message = "expected 3, got 4";
	assert_hopeless(&go, NULL);
}

static void a_macro_or_type_of_the_program_may_mend_tests_in_c(void **state)
{
	(void)state;
	struct failure failure = {"a.h", "int x;\n", "test.c", "\nCHECK(1)\nint x;\n", 2, "make check",
		"error: expected '=', ',', ';' before 'int'"};
	assert_hopeless(&failure, NULL);
	failure.message = "error: expected declaration or statement at end of input";
	assert_hopeless(&failure, mended_by_nobody);
}

static void a_name_that_nothing_defines_stays_so(void **state)
{
	(void)state;
	struct failure failure = {"a.py", "def f():\n    return os.name\n", "test_a.py",
		"def test_a():\n    assert os.name == f()\n", 2, "test_a.py::test_a",
		"NameError: name 'os' is not defined"};
	assert_hopeless(&failure, " names 'os', which nothing defines");
	failure.message = "NameError: name 'f' is not defined"; /* the program defines it */
	assert_hopeless(&failure, NULL);
	failure.message = "NameError: name 'name' is not defined"; /* not here: in what is called */
	assert_hopeless(&failure, NULL);
}

UNIT(hopeless)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(tests_that_do_not_compile_are_known_by_the_complaint),
		cmocka_unit_test(a_macro_or_type_of_the_program_may_mend_tests_in_c),
		cmocka_unit_test(a_name_that_nothing_defines_stays_so),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
