/* What rondo adds to suites of Python: tests of its own, and the choice of some tests. The real
 * runners judge it. */
#include "tests/unit/suite_fixture.h"

#include <stdlib.h>

#include "base/file.h"

static const char *targeted(const char *command, const char *id, struct arena *arena)
{
	struct suite suite;
	suite_from_command(command, "", arena, &suite);
	return suite_targeted(&suite, &id, 1, arena);
}

static void unittest_finds_some_tests_as_it_finds_all(void **state)
{
	(void)state;
	AUTO_ARENA arena = ARENA_INIT;
	assert_string_equal(targeted("python3 -m unittest", "a.T.test_a", &arena),
		"python3 -m unittest -v -k a.T.test_a");
	assert_string_equal(targeted("python3 -m unittest discover -s t", "a.T.test_a", &arena),
		"python3 -m unittest discover -v -k a.T.test_a -s t");
	assert_string_equal(targeted("python3 -m unittest", "a.T.test it's [x]*", &arena),
		"python3 -m unittest -v -k 'a.T.test it'\\''s [[]x][*]'");
	assert_string_equal(
		targeted("python3 -m unittest discover -q -s t --quiet && true -q", "a.T.test_a", &arena),
		"python3 -m unittest discover -v -k a.T.test_a -s t && true -q");
	assert_string_equal(targeted("python3 -m unittest", "a.T.setUpClass", &arena),
		"python3 -m unittest -v -k a.T.");
}

static bool make_sentinel(const char *command, const char *beside, const char *text,
	struct arena *arena, struct sentinel *sentinel)
{
	struct suite suite;
	suite_from_command(command, "", arena, &suite);
	*sentinel = (struct sentinel){.passing = "11aa22bb", .failing = "33cc44dd"};
	return suite.type->sentinel(&suite, beside, text, arena, sentinel);
}

static void a_sentinel_is_named_like_the_file_beside_it(void **state)
{
	(void)state;
	static const struct {
		const char *beside, *path;
	} cases[] = {
		{"test_a.py", "test_11aa44dd.py"},
		{"tests/unit/a_test.py", "tests/unit/11aa44dd_test.py"},
		{"tests/test_a_test.py", "tests/test_11aa44dd_test.py"},
		{"tests/conftest.py", "tests/test_11aa44dd.py"},
	};
	AUTO_ARENA arena = ARENA_INIT;
	struct sentinel sentinel;
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		assert_true(make_sentinel("pytest", cases[i].beside, "", &arena, &sentinel));
		assert_string_equal(sentinel.path, cases[i].path);
		assert_null(strstr(sentinel.path, sentinel.passing));
		assert_null(strstr(sentinel.path, sentinel.failing));
	}
}

static void a_command_that_names_its_tests_has_no_place_for_one(void **state)
{
	(void)state;
	static const char *const commands[] = {"pytest tests/test_a.py",
		"pytest tests/test_a.py::test_b", "pytest -k area", "python3 -m pytest -m slow",
		"pytest --lf", "python3 -m unittest tests.test_a", "python3 -m unittest -k area"};
	static const char *const fine[] = {"pytest tests", "python3 -m pytest -q", "cd x && pytest",
		"python3 -m unittest", "python3 -m unittest discover tests",
		"python3 -m unittest discover -s tests -p test_*.py"};
	static const char text[] = "class A(TestCase):\n";
	AUTO_ARENA arena = ARENA_INIT;
	struct sentinel sentinel;
	for (size_t i = 0; i < ARRAY_SIZE(commands); i++)
		assert_false(make_sentinel(commands[i], "test_a.py", text, &arena, &sentinel));
	for (size_t i = 0; i < ARRAY_SIZE(fine); i++)
		assert_true(make_sentinel(fine[i], "test_a.py", text, &arena, &sentinel));
}

/* Run a suite that is a sentinel alone, in a new folder. */
static void run_sentinel(
	const char *command, const char *beside_text, struct arena *arena, struct test_report *report)
{
	char dir[TOP_SIZE], output[4096];
	struct rondo_error err;
	struct sentinel sentinel;
	assert_non_null(make_top(dir));
	assert_true(make_sentinel(command, "test_a.py", beside_text, arena, &sentinel));
	const char *path = arena_printf(arena, "%s/%s", dir, sentinel.path);
	assert_int_equal(file_write(path, sentinel.text, strlen(sentinel.text), 0644, &err), 0);
	FILE *pipe = popen(arena_printf(arena, "cd %s && %s -v 2>&1", dir, command), "r");
	size_t n = fread(output, 1, sizeof output - 1, pipe);
	output[n] = '\0';
	assert_int_equal(pclose(pipe), 1 << 8);
	assert_int_equal(file_remove_tree(dir, &err), 0);
	read_text(command, output, 1, arena, report);
}

static void assert_sentinel_holds(const struct test_report *report)
{
	assert_true(report->complete);
	assert_counts(report, COUNTS(1, 1, 0, 0, 0));
	for (size_t i = 0; i < report->n; i++)
		assert_non_null(strstr(report->results[i]->id,
			report->results[i]->status == TEST_PASSED ? "11aa22bb" : "33cc44dd"));
}

static void one_of_its_tests_passes_and_one_fails(void **state)
{
	(void)state;
	static const struct {
		const char *command, *text;
	} cases[] = {
		{"python3 -m pytest -p no:cacheprovider", "def test_a():\n    pass\n"},
		{"python3 -m pytest -p no:cacheprovider", "class A(TestCase):\n    pass\n"},
		{"python3 -m unittest", "class A(TestCase):\n    pass\n"},
	};
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		AUTO_ARENA arena = ARENA_INIT;
		struct test_report report;
		run_sentinel(cases[i].command, cases[i].text, &arena, &report);
		assert_sentinel_holds(&report);
	}
}

static void names_with_spaces_and_brackets_are_read_whole(void **state)
{
	(void)state;
	AUTO_ARENA arena = ARENA_INIT;
	struct test_report report;
	read_stored("python3 -m unittest", "unittest-names.txt", 1, &arena, &report);
	assert_true(report.complete);
	assert_result(&report, "test_x.T.test_odd name > x::y/z [\xc3\xa9]'\"", TEST_FAILED,
		"AssertionError: False is not true", "test_x.py", 8);
	assert_result(&report, "test_x.T.test_odd (paren)", TEST_PASSED, NULL, NULL, 0);
	assert_result(
		&report, "test_x.T.test_bad", TEST_FAILED, "AssertionError: 1 != 2", "test_x.py", 4);
	assert_result(&report, "test_x.S.setUpClass", TEST_ERROR, "OSError: x", NULL, 0);
}

static void more_tests_than_were_run_are_not_believed(void **state)
{
	(void)state;
	AUTO_ARENA arena = ARENA_INIT;
	struct test_report report;
	read_text("python3 -m unittest",
		"test_b (x.Y.test_b) ... ok\n"
		"test_a (x.Y.test_a) ... ok\n"
		"Ran 1 test in 0.1s\n\n"
		"OK\n",
		0, &arena, &report);
	assert_false(report.complete);
	assert_string_equal(report.problem, "unittest ran 1 tests, but 2 are named in its output");
	read_text("python3 -m unittest a && python3 -m unittest b",
		"test_a (a.Y.test_a) ... ok\n"
		"Ran 1 test in 0.1s\n\n"
		"OK\n"
		"test_a (b.Y.test_a) ... ok\n"
		"Ran 1 test in 0.1s\n\n"
		"OK\n",
		0, &arena, &report);
	assert_true(report.complete);
	assert_int_equal(report.n, 2);
}

/* --- pytest's lines and its JUnit file --- */

/* Both of one run, the file with a text in it replaced. */
static void read_both(const char *lines, const char *old, const char *new, struct arena *arena,
	struct test_report *report)
{
	struct rondo_error err;
	struct suite suite;
	const char *xml = stored("pytest9-both.xml", arena), *at = strstr(xml, old);
	assert_non_null(at);
	xml = arena_printf(arena, "%.*s%s%s", (int)(at - xml), xml, new, at + strlen(old));
	AUTO_CLOSE log = memfd_create("log", MFD_CLOEXEC);
	AUTO_CLOSE file = memfd_create("report", MFD_CLOEXEC);
	assert_int_equal(write(log, lines, strlen(lines)), strlen(lines));
	assert_int_equal(write(file, xml, strlen(xml)), strlen(xml));
	suite_from_command("pytest", "", arena, &suite);
	struct process_result result = {.exit_code = 1, .output_bytes = strlen(lines)};
	struct suite_output output = {
		.log = log, .reports = &file, .n_reports = 1, .dir = "/tmp/tree", .result = &result};
	assert_int_equal(suite_read(&suite, &output, arena, report, &err), 0);
}

static void pytest_is_read_by_both_of_its_reports(void **state)
{
	(void)state;
	AUTO_ARENA arena = ARENA_INIT;
	struct test_report report;
	read_both(stored("pytest9-both.txt", &arena), "time=", "time=", &arena, &report);
	assert_true(report.complete);
	assert_counts(&report, COUNTS(2, 2, 1, 1, 0));
	assert_result(&report, "test_b.py::test_red", TEST_FAILED, "assert 1 == 2", "test_b.py", 9);
	assert_true(test_report_find(&report, "test_b.py::test_slow")->duration_ms >= 50);
}

static void pytest_reports_that_disagree_are_not_believed(void **state)
{
	(void)state;
	AUTO_ARENA arena = ARENA_INIT;
	struct test_report report;
	const char *lines = stored("pytest9-both.txt", &arena);
	read_both(lines, "<failure", "<properties/><!--", &arena, &report);
	assert_false(report.complete);
	assert_true(text_starts_with(report.problem, "pytest's JUnit report is damaged: "));
	read_both(lines, "<testcase classname=\"test_b\" name=\"test_slow\"",
		"<testcase classname=\"test_b\" name=\"test_red\"", &arena, &report);
	assert_string_equal(report.problem,
		"the runner's two reports disagree: 6 results in its output, 5 in its JUnit file");
	static const char red[] = "test_b.py::test_red FAILED";
	const char *at = strstr(lines, red);
	assert_non_null(at);
	lines = arena_printf(
		&arena, "%.*stest_b.py::test_red PASSED%s", (int)(at - lines), lines, at + strlen(red));
	lines = arena_printf(&arena, "%.*s=== 3 passed in 0.1s ===\n",
		(int)(strstr(lines, "=== FAILURES") - lines), lines);
	read_both(lines, "time=", "time=", &arena, &report);
	assert_string_equal(report.problem,
		"the runner's two reports disagree: 'test_b.py::test_red' is passed in its output, failed "
		"in its JUnit file");
}

static void a_test_of_another_file_has_the_name_of_where_it_runs(void **state)
{
	(void)state;
	AUTO_ARENA arena = ARENA_INIT;
	struct test_report report;
	const char *lines = stored("pytest9-both.txt", &arena);
	read_both(lines, "name=\"test_slow\" file=\"test_b.py\"",
		"name=\"test_slow\" file=\"others/test_a.py\"", &arena, &report);
	assert_true(report.complete);
	assert_true(test_report_find(&report, "test_b.py::test_slow")->duration_ms >= 50);
	read_both(lines, "name=\"test_skip\" file=\"test_b.py\"",
		"name=\"test_skip\" file=\"others/test_a.py\"", &arena, &report);
	assert_true(report.complete);
	read_both(lines, "&quot;q&quot;]\" file=\"test_b.py\"",
		"&quot;q&quot;]\" file=\"others/test_a.py\"", &arena, &report);
	assert_true(report.complete);
}

static void a_file_names_what_quiet_lines_do_not(void **state)
{
	(void)state;
	AUTO_ARENA arena = ARENA_INIT;
	struct test_report report;
	read_both("..F\n=== short test summary info ===\nFAILED test_b.py::test_red - assert 1 == 2\n"
			  "=== 1 failed, 2 passed in 0.1s ===\n",
		"time=", "time=", &arena, &report);
	assert_true(report.complete);
	assert_counts(&report, COUNTS(2, 2, 1, 1, 0));
}

static const char *structured(const char *command, struct arena *arena)
{
	struct suite suite;
	suite_from_command(command, "", arena, &suite);
	return suite_command(&suite, "/cache/report-1", arena);
}

static void a_file_is_asked_of_one_run_of_pytest(void **state)
{
	(void)state;
	AUTO_ARENA arena = ARENA_INIT;
	static const char *const several[] = {"pytest a && pytest b",
		"for f in a b; do cd $f; pytest; done", "pytest --junitxml=mine.xml"};
	assert_string_equal(structured("cd x && pytest", &arena),
		"cd x || exit; export PYTEST_ADDOPTS=\"$PYTEST_ADDOPTS\"' -o junit_family=xunit1 "
		"--junitxml=/cache/report-1'; pytest");
	for (size_t i = 0; i < ARRAY_SIZE(several); i++)
		assert_string_equal(structured(several[i], &arena), several[i]);
}

UNIT(suite_python)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(unittest_finds_some_tests_as_it_finds_all),
		cmocka_unit_test(a_sentinel_is_named_like_the_file_beside_it),
		cmocka_unit_test(a_command_that_names_its_tests_has_no_place_for_one),
		cmocka_unit_test(one_of_its_tests_passes_and_one_fails),
		cmocka_unit_test(names_with_spaces_and_brackets_are_read_whole),
		cmocka_unit_test(pytest_is_read_by_both_of_its_reports),
		cmocka_unit_test(pytest_reports_that_disagree_are_not_believed),
		cmocka_unit_test(a_test_of_another_file_has_the_name_of_where_it_runs),
		cmocka_unit_test(a_file_names_what_quiet_lines_do_not),
		cmocka_unit_test(a_file_is_asked_of_one_run_of_pytest),
		cmocka_unit_test(more_tests_than_were_run_are_not_believed),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
