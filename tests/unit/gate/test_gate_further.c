/* What the gate does beside its first run: repeats, checks, a hidden suite, the clean-up, new
 * tests. */
#include "tests/unit/gate_fixture.h"

static bool says(const char *const *lines, size_t n, const char *text)
{
	for (size_t i = 0; i < n; i++)
		if (strstr(lines[i], text))
			return true;
	return false;
}

static enum run_outcome judge_fix(struct opened *f, const char *reason)
{
	struct file_edit file = {.path = "shapes.py", .content = SHAPES_FIXED};
	return judge_files(f, &file, 1, reason);
}

static void each_run_is_in_a_directory_of_another_name(void **state)
{
	(void)state;
	struct opened f;
	open_at_base(&f, "shop", NULL);
	f.scenario.verify.repeat = 3;
	assert_int_equal(judge_fix(&f, NULL), RUN_VERIFIED);
	assert_true(says(f.report.verdict->evidence.items, f.report.verdict->evidence.n,
		"run 3, in a fresh checkout at another path: 2 of 2 passed"));
	close_opened(&f);
}

static void a_fix_that_knows_where_it_lies_is_refused(void **state)
{
	(void)state;
	static const char knowing[] =
		"import pathlib\n\n\ndef area(a, b):\n"
		"    return a * b if len(pathlib.Path().absolute().name) == 4 else 0\n\n\n"
		"def double(x):\n    return x * 2\n";
	struct opened f;
	open_at_base(&f, "shop", NULL);
	struct file_edit file = {.path = "shapes.py", .content = knowing};
	assert_int_equal(judge_files(&f, &file, 1, "it passed once, but not again"), RUN_REFUSED);
	assert_non_null(strstr(f.report.reason, "(rule runs-differ)"));
	close_opened(&f);
}

static void checks_have_to_succeed(void **state)
{
	(void)state;
	static const char *checks[] = {"grep -q 'a \\* b' shapes.py", "false"};
	struct opened f;
	open_at_base(&f, "shop", NULL);
	f.scenario.verify.checks = (struct option_strings){.items = checks, .n = 1};
	assert_int_equal(judge_fix(&f, NULL), RUN_VERIFIED);
	assert_true(says(f.report.verdict->evidence.items, f.report.verdict->evidence.n, "passed in"));
	close_opened(&f);
	open_at_base(&f, "shop", NULL);
	f.scenario.verify.checks = (struct option_strings){.items = checks, .n = 2};
	assert_int_equal(
		judge_fix(&f, "the check 'false' fails, as it does at the base (exit code 1: no output)"),
		RUN_REFUSED);
	close_opened(&f);
}

static enum run_outcome judge_hidden(const char *test, const char *reason)
{
	struct opened f;
	const char *name = "hidden/run.py";
	open_at_base(&f, "shop", NULL);
	f.scenario.verify.hidden = "PYTHONPATH=. python3 hidden/run.py";
	f.scenario.verify.hidden_files = (struct option_texts){.names = &name, .items = &test, .n = 1};
	enum run_outcome outcome = judge_fix(&f, reason);
	close_opened(&f);
	return outcome;
}

static void a_hidden_suite_has_to_pass(void **state)
{
	(void)state;
	assert_int_equal(judge_hidden("from shapes import area\n"
								  "assert area(7, 6) == 42\n",
						 NULL),
		RUN_VERIFIED);
	assert_int_equal(judge_hidden("from shapes import area\n"
								  "assert area(7, 6) == 43\n",
						 "the hidden suite does not pass"),
		RUN_REFUSED);
}

static void what_the_fix_does_not_need_is_dropped(void **state)
{
	(void)state;
	struct opened f;
	struct file_edit files[] = {
		{.path = "shapes.py",
			.content = "def area(a, b):\n"
					   "    return a * b\n\n\n"
					   "def double(x):\n"
					   "    print('double of', x)\n"
					   "    return x * 2\n"},
		{.path = "repro.py", .content = "from shapes import area\nprint(area(3, 5))\n"},
		{.path = "NOTES.md", .content = "Areas are products.\n"},
	};
	open_at_base(&f, "shop", NULL);
	assert_int_equal(judge_files(&f, files, ARRAY_SIZE(files), NULL), RUN_VERIFIED);
	assert_int_equal(f.report.verdict->dropped.n, 2);
	assert_true(says(
		f.report.verdict->dropped.items, f.report.verdict->dropped.n, "repro.py (a scratch file)"));
	assert_true(says(f.report.verdict->dropped.items, f.report.verdict->dropped.n,
		"shapes.py:6 (a debug print)"));
	assert_null(strstr(f.report.change->patch, "repro.py"));
	assert_null(strstr(f.report.change->patch, "double of"));
	assert_non_null(strstr(f.report.change->patch, "NOTES.md"));
	close_opened(&f);
}

static void what_the_fix_needs_stays_whatever_it_is_called(void **state)
{
	(void)state;
	struct opened f;
	struct file_edit files[] = {
		{.path = "shapes.py",
			.content = "from debug_area import area\n\n\n"
					   "def double(x):\n"
					   "    return x * 2\n"},
		{.path = "debug_area.py", .content = "def area(a, b):\n    return a * b\n"},
	};
	open_at_base(&f, "shop", NULL);
	assert_int_equal(judge_files(&f, files, ARRAY_SIZE(files), NULL), RUN_VERIFIED);
	assert_int_equal(f.report.verdict->dropped.n, 0);
	assert_non_null(strstr(f.report.change->patch, "debug_area.py"));
	close_opened(&f);
}

static void a_new_test_comes_along_where_it_passes(void **state)
{
	(void)state;
	struct opened f;
	struct file_edit files[] = {
		{.path = "shapes.py", .content = SHAPES_FIXED},
		{.path = "tests/test_more.py",
			.content = "from shapes import area\n\n\n"
					   "def test_more():\n"
					   "    assert area(2, 2) == 4\n"},
	};
	open_at_base(&f, "shop", NULL);
	assert_int_equal(judge_files(&f, files, ARRAY_SIZE(files), NULL), RUN_VERIFIED);
	assert_non_null(strstr(f.report.change->patch, "tests/test_more.py"));
	assert_true(says(f.report.verdict->evidence.items, f.report.verdict->evidence.n,
		"tests/test_more.py: a new test file, which passes"));
	close_opened(&f);
}

static void a_compiled_artefact_is_refused(void **state)
{
	(void)state;
	struct opened f;
	struct file_edit files[] = {
		{.path = "shapes.py", .content = SHAPES_FIXED},
		{.path = "fast.so", .content = "\177ELF and so on"},
	};
	open_at_base(&f, "shop", NULL);
	assert_int_equal(
		judge_files(&f, files, ARRAY_SIZE(files), "(rule compiled-artefact)"), RUN_REFUSED);
	close_opened(&f);
}

UNIT(gate_further)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(each_run_is_in_a_directory_of_another_name),
		cmocka_unit_test(a_fix_that_knows_where_it_lies_is_refused),
		cmocka_unit_test(checks_have_to_succeed),
		cmocka_unit_test(a_hidden_suite_has_to_pass),
		cmocka_unit_test(what_the_fix_does_not_need_is_dropped),
		cmocka_unit_test(what_the_fix_needs_stays_whatever_it_is_called),
		cmocka_unit_test(a_new_test_comes_along_where_it_passes),
		cmocka_unit_test(a_compiled_artefact_is_refused),
	};
	return cmocka_run_group_tests(tests, set_up, remove_shop);
}
