/* TAP as node 20, npm and cmocka print it; and what is read where there is none. */
#include "tests/unit/suite_fixture.h"

static void all_green(void **state)
{
	(void)state;
	AUTO_ARENA arena = ARENA_INIT;
	struct test_report report;
	read_stored("node --test", "node-green.txt", 0, &arena, &report);
	assert_true(report.complete);
	assert_counts(&report, COUNTS(1, 0, 0, 1, 0));
}

static void one_red_fails_where_the_program_threw(void **state)
{
	(void)state;
	AUTO_ARENA arena = ARENA_INIT;
	struct test_report report;
	read_stored("node --test", "node-red.txt", 1, &arena, &report);
	assert_true(report.complete);
	assert_counts(&report, COUNTS(1, 1, 0, 0, 0));
	assert_result(&report, "adds", TEST_FAILED, "too big", "calc.mjs", 1);
}

static void nested_names_directives_and_escapes(void **state)
{
	(void)state;
	static const char *const runs[][2] = {
		{"node --test", "node-mixed.txt"}, {"npm test", "npm-mixed.txt"}};
	for (size_t i = 0; i < ARRAY_SIZE(runs); i++) {
		AUTO_ARENA arena = ARENA_INIT;
		struct test_report report;
		read_stored(runs[i][0], runs[i][1], 1, &arena, &report);
		assert_true(report.complete);
		assert_int_equal(report.n, 18);
		assert_counts(&report, COUNTS(8, 7, 1, 1, 1));
		assert_result(&report, "suite > inner", TEST_FAILED, NULL, "test/calc.test.js", 14);
		assert_result(&report, "suite > deeper > leaf", TEST_PASSED, NULL, NULL, 0);
		assert_result(&report, "async > step two", TEST_FAILED,
			"The input did not match the regular expression /x/. Input: 'abc'", "test/calc.test.js",
			20);
		assert_result(&report, "adds", TEST_FAILED,
			"Expected values to be strictly equal: -1 !== 3", "test/calc.test.js", 6);
		assert_result(&report, "odd # name \\ here", TEST_PASSED, NULL, NULL, 0);
		assert_result(&report, "skipped", TEST_SKIPPED, "not today", NULL, 0);
		assert_result(&report, "todo", TEST_XFAILED, "later", NULL, 0);
	}
}

static void a_name_that_comes_again_gets_a_number(void **state)
{
	(void)state;
	AUTO_ARENA arena = ARENA_INIT;
	struct test_report report;
	read_stored("node --test", "node-mixed.txt", 1, &arena, &report);
	assert_result(&report, "same name", TEST_PASSED, NULL, NULL, 0);
	assert_result(&report, "same name (2)", TEST_FAILED, "second of the name", NULL, 0);
	assert_result(&report, "adds (2)", TEST_PASSED, NULL, NULL, 0);
}

static void a_number_never_makes_the_name_of_another_test(void **state)
{
	(void)state;
	AUTO_ARENA arena = ARENA_INIT;
	struct test_report report;
	read_text("make check",
		"ok 1 - a\n"
		"ok 2 - a (2)\n"
		"not ok 3 - a\n"
		"not ok 4 - a (2)\n"
		"1..4\n",
		1, &arena, &report);
	assert_counts(&report, COUNTS(2, 2, 0, 0, 0));
	assert_result(&report, "a (2)", TEST_PASSED, NULL, NULL, 0);
	assert_result(&report, "a (3)", TEST_FAILED, NULL, NULL, 0);
	assert_result(&report, "a (2) (2)", TEST_FAILED, NULL, NULL, 0);
}

static void a_file_that_could_not_be_run_is_an_error(void **state)
{
	(void)state;
	AUTO_ARENA arena = ARENA_INIT;
	struct test_report mixed, syntax, crashed;
	read_stored("node --test", "node-mixed.txt", 1, &arena, &mixed);
	assert_result(&mixed, "test/broken.test.js", TEST_ERROR,
		"Error: Cannot find module 'nosuchmodule'", "test/broken.test.js", 1);
	read_stored("node --test", "node-syntax.txt", 1, &arena, &syntax);
	assert_result(&syntax, "test/a.test.js", TEST_ERROR,
		"SyntaxError: missing ) after argument list", "test/a.test.js", 1);
	read_stored("node --test", "node-abort.txt", 1, &arena, &crashed);
	assert_result(&crashed, "test/a.test.js", TEST_ERROR, "killed by SIGABRT", "test/a.test.js", 3);
}

static void several_streams_after_each_other(void **state)
{
	(void)state;
	AUTO_ARENA arena = ARENA_INIT;
	struct test_report report;
	read_stored("make check", "make-cmocka.txt", 2, &arena, &report);
	assert_true(report.complete);
	assert_counts(&report, COUNTS(2, 2, 0, 2, 0));
	assert_result(&report, "test_bad", TEST_FAILED, "0x1 != 0x2", "test_a.c", 7);
	assert_result(&report, "test_bad (2)", TEST_FAILED, "0x1 != 0x2", "test_a.c", 7);
}

static void tests_without_names_have_numbers(void **state)
{
	(void)state;
	AUTO_ARENA arena = ARENA_INIT;
	struct test_report report;
	read_text("make test", "1..2\nok 1\nnot ok 2 # TODO maybe\n", 0, &arena, &report);
	assert_result(&report, "test 1", TEST_PASSED, NULL, NULL, 0);
	assert_result(&report, "test 2", TEST_XFAILED, "maybe", NULL, 0);
}

static void tests_have_places_where_a_plan_was_kept(void **state)
{
	(void)state;
	static const struct {
		const char *output, *id, *place;
	} cases[] = {
		{"1..2\nok 1 - a (got 1)\nnot ok 2 - b\n", "b", "stream 1: 2 of 2"},
		{"ok 1 - a\nnot ok 2 - b\n1..2\n", "a", "stream 1: 1 of 2"},
		{"1..1\nok 1 - a\n1..1\nok 1 - b\n", "b", "stream 2: 1 of 1"},
		{"1..2\nok 2 - a\nok 1 - b\n", "a", NULL},
		{"1..3\nok 1 - a\nok 2 - b\n", "a", NULL},
		{"TAP version 13\n1..1\n    ok 1 - inner\nok 1 - a\n", "inner", NULL},
	};
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		AUTO_ARENA arena = ARENA_INIT;
		struct test_report report;
		read_text("make test", cases[i].output, 1, &arena, &report);
		const struct test_result *result = test_report_find(&report, cases[i].id);
		assert_non_null(result);
		assert_true(cases[i].place ? result->place && strcmp(result->place, cases[i].place) == 0
								   : !result->place);
	}
}

static void a_trailing_plan_ends_a_stream(void **state)
{
	(void)state;
	AUTO_ARENA arena = ARENA_INIT;
	struct test_report report;
	read_text("make test", "ok 1 - a\n1..1\nok 1 - b\nok 2 - c\n1..2\n", 0, &arena, &report);
	assert_true(report.complete);
	assert_int_equal(report.n, 3);
}

static void without_tap_the_exit_code_counts(void **state)
{
	(void)state;
	AUTO_ARENA arena = ARENA_INIT;
	struct test_report red, green, compile;
	read_stored("make check", "make-red.txt", 2, &arena, &red);
	assert_true(red.complete);
	assert_result(&red, "make check", TEST_ERROR, NULL, "test_calc.c", 6);
	assert_true(text_starts_with(red.results[0]->message,
		"test_calc: test_calc.c:6: main: Assertion `add(1, 2) == 3' failed. (exit code 2, "
		"output "));
	read_stored("make check", "make-green.txt", 0, &arena, &green);
	assert_result(&green, "make check", TEST_PASSED, "", "", 0);
	read_stored("make check", "make-compile.txt", 2, &arena, &compile);
	assert_result(&compile, "make check", TEST_ERROR, NULL, "calc.c", 1);
}

static void words_of_a_program_are_no_tap(void **state)
{
	(void)state;
	AUTO_ARENA arena = ARENA_INIT;
	struct test_report report;
	read_text("make test", "ok\nok, that went well\nnot okay\nok so far\n", 0, &arena, &report);
	assert_int_equal(report.n, 1);
	assert_result(&report, "make test", TEST_PASSED, NULL, NULL, 0);
}

static void version_12_needs_neither_version_nor_numbers(void **state)
{
	(void)state;
	AUTO_ARENA arena = ARENA_INIT;
	struct test_report report;
	read_text("make check",
		"ok - a\n"
		"not ok - b\n"
		"# why\n"
		"ok - c # time=12.5ms\n"
		"1..3\n",
		1, &arena, &report);
	assert_true(report.complete);
	assert_result(&report, "a", TEST_PASSED, NULL, NULL, 0);
	assert_result(&report, "b", TEST_FAILED, "why", NULL, 0);
	assert_int_equal(test_report_find(&report, "c")->duration_ms, 12);
}

static void version_14_holds_subtests_in_braces(void **state)
{
	(void)state;
	AUTO_ARENA arena = ARENA_INIT;
	struct test_report report;
	read_text("make check",
		"TAP version 14\n"
		"pragma +bail\n"
		"1..2\n"
		"ok 1 - outer {\n"
		"    ok 1 - in a\n"
		"    not ok 2 - in b \\# x # TODO maybe\n"
		"    1..2\n}\nok 2 - other\n",
		0, &arena, &report);
	assert_true(report.complete);
	assert_counts(&report, COUNTS(3, 0, 0, 0, 1));
	assert_result(&report, "outer > in a", TEST_PASSED, NULL, NULL, 0);
	assert_result(&report, "outer > in b # x", TEST_XFAILED, "maybe", NULL, 0);
	assert_result(&report, "other", TEST_PASSED, NULL, NULL, 0);
}

static void what_cmocka_and_check_put_into_names_is_taken_apart(void **state)
{
	(void)state;
	AUTO_ARENA arena = ARENA_INIT;
	struct test_report cmocka, check;
	read_stored("make check", "cmocka-tap.txt", 5, &arena, &cmocka);
	assert_true(cmocka.complete);
	assert_counts(&cmocka, COUNTS(5, 5, 1, 1, 0));
	assert_result(&cmocka, "test_skip", TEST_SKIPPED, NULL, NULL, 0);
	assert_result(&cmocka, "test_fix", TEST_ERROR, "Test setup failed", NULL, 0);
	assert_result(&cmocka, "test_crash", TEST_FAILED,
		"Test failed with exception: Segmentation fault(11)", NULL, 0);
	assert_result(&cmocka, "odd name > [x] \xc3\xa9::y", TEST_PASSED, NULL, NULL, 0);
	read_stored("make check", "check-tap.txt", 1, &arena, &check);
	assert_true(check.complete);
	assert_result(&check, "k/t.c:case:good", TEST_PASSED, NULL, NULL, 0);
	assert_result(&check, "k/t.c:case:crash", TEST_FAILED, "Received signal 6 (Aborted)", NULL, 0);
	assert_result(&check, "k/t.c:case:loop (2)", TEST_FAILED,
		"Assertion '_i != 1' failed: _i == 1, 1 == 1", NULL, 0);
}

static void unittest_names_its_tests(void **state)
{
	(void)state;
	AUTO_ARENA arena = ARENA_INIT;
	struct test_report report;
	read_stored("python3 -m unittest", "unittest-mixed.txt", 1, &arena, &report);
	assert_true(report.complete);
	assert_counts(&report, COUNTS(1, 4, 2, 1, 1));
	assert_result(&report, "tests.test_ut.T.test_doc", TEST_PASSED, NULL, NULL, 0);
	assert_result(&report, "tests.test_ut.T.test_bad", TEST_FAILED, "AssertionError: 1 != 2 : why",
		"tests/test_ut.py", 9);
	assert_result(
		&report, "tests.test_ut.T.test_err", TEST_FAILED, "KeyError: 'k'", "tests/test_ut.py", 12);
	assert_result(&report, "tests.test_ut.T.test_xp", TEST_FAILED, "unexpected success", NULL, 0);
	assert_result(&report, "tests.test_import", TEST_ERROR,
		"ModuleNotFoundError: No module named 'nosuchmodule'", "tests/test_import.py", 1);
	assert_result(&report, "tests.test_ut.S.setUpClass", TEST_ERROR, "OSError: no ground",
		"tests/test_ut.py", 21);
	assert_result(&report, "tests.test_sub.SubCase.test_sub", TEST_FAILED, "AssertionError: 1 == 1",
		"tests/test_sub.py", 8);
}

/* Their tests are not among those that ran. */
static void a_class_may_be_skipped_by_its_set_up(void **state)
{
	(void)state;
	AUTO_ARENA arena = ARENA_INIT;
	struct test_report report;
	read_text("python3 -m unittest",
		"setUpClass (a.S) ... skipped 'no ground'\nsetUpClass (a.S) ... skipped 'no ground'\n"
		"test_a (a.T.test_a) ... ok\n\nRan 1 test in 0.1s\n\nOK (skipped=2)\n",
		0, &arena, &report);
	assert_null(report.problem);
	assert_counts(&report, COUNTS(1, 0, 0, 1, 0));
}

static void a_module_that_skips_itself_has_not_passed(void **state)
{
	(void)state;
	AUTO_ARENA arena = ARENA_INIT;
	struct test_report report;
	read_text("python3 -m unittest",
		"tests.test_shop (unittest.loader.ModuleSkipped.tests.test_shop) ... skipped 'no rate'\n"
		"test_old (unittest.loader.ModuleSkipped) ... skipped 'no rate'\n"
		"\nRan 2 tests in 0.1s\n\nOK (skipped=2)\n",
		0, &arena, &report);
	assert_null(report.problem);
	assert_counts(&report, COUNTS(0, 0, 0, 2, 0));
	assert_result(&report, "tests.test_shop", TEST_SKIPPED, NULL, NULL, 0);
	assert_result(&report, "test_old", TEST_SKIPPED, NULL, NULL, 0);
}

static void what_a_test_prints_is_not_its_status(void **state)
{
	(void)state;
	AUTO_ARENA arena = ARENA_INIT;
	struct test_report report;
	read_text("python3 -m unittest -v",
		"test_a (t.T.test_a) ... link state ERROR\nlink ... FAIL\nok\n"
		"test_b (t.T.test_b) ... all is ok\nFAIL\n"
		"test_c (t.T.test_c) ... it may be skipped 'later'\nnoiseok\n"
		"test_d (t.T.test_d) ... noiseFAIL\n"
		"test_e (t.T.test_e)\nFAIL: where this is printed ... \nok\n"
		"class is set up, ok\n"
		"test_f (t.T.test_f) ... unexpected success\n"
		"\n=====\nFAIL: test_b (t.T.test_b)\n-----\nAssertionError: no\n\n"
		"=====\nFAIL: test_d (t.T.test_d)\n-----\nAssertionError: no\n\n"
		"-----\nRan 6 tests in 0.1s\n\nFAILED (failures=2, unexpected successes=1)\n",
		1, &arena, &report);
	assert_null(report.problem);
	assert_counts(&report, COUNTS(3, 3, 0, 0, 0));
	assert_result(&report, "t.T.test_a", TEST_PASSED, NULL, NULL, 0);
	assert_result(&report, "t.T.test_c", TEST_PASSED, NULL, NULL, 0);
	assert_result(&report, "t.T.test_e", TEST_PASSED, NULL, NULL, 0);
	assert_result(&report, "t.T.test_f", TEST_FAILED, "unexpected success", NULL, 0);
}

static void unittest_of_an_older_python(void **state)
{
	(void)state;
	AUTO_ARENA arena = ARENA_INIT;
	struct test_report report;
	read_text("python3 -m unittest -v", "test_a (pkg.Case) ... ok\nRan 1 test in 0.1s\n\nOK\n", 0,
		&arena, &report);
	assert_true(report.complete);
	assert_result(&report, "pkg.Case.test_a", TEST_PASSED, NULL, NULL, 0);
}

static void unittest_without_names_or_end_is_not_complete(void **state)
{
	(void)state;
	AUTO_ARENA arena = ARENA_INIT;
	struct test_report none, quiet, cut;
	read_stored("python3 -m unittest", "unittest-none.txt", 0, &arena, &none);
	assert_string_equal(none.problem, "unittest found no tests");
	read_text("python3 -m unittest",
		".s.x\nRan 4 tests in 0.1s\n\nOK (skipped=1, expected failures=1)\n", 0, &arena, &quiet);
	assert_true(quiet.complete && quiet.names_only_red);
	assert_counts(&quiet, COUNTS(2, 0, 0, 0, 0));
	read_text("python3 -m unittest", "test_a (x.Y.test_a) ... ok\n", 3, &arena, &cut);
	assert_false(cut.complete);
}

UNIT(suite_tap)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(all_green),
		cmocka_unit_test(one_red_fails_where_the_program_threw),
		cmocka_unit_test(nested_names_directives_and_escapes),
		cmocka_unit_test(a_name_that_comes_again_gets_a_number),
		cmocka_unit_test(a_number_never_makes_the_name_of_another_test),
		cmocka_unit_test(a_file_that_could_not_be_run_is_an_error),
		cmocka_unit_test(several_streams_after_each_other),
		cmocka_unit_test(tests_without_names_have_numbers),
		cmocka_unit_test(tests_have_places_where_a_plan_was_kept),
		cmocka_unit_test(a_trailing_plan_ends_a_stream),
		cmocka_unit_test(without_tap_the_exit_code_counts),
		cmocka_unit_test(words_of_a_program_are_no_tap),
		cmocka_unit_test(version_12_needs_neither_version_nor_numbers),
		cmocka_unit_test(version_14_holds_subtests_in_braces),
		cmocka_unit_test(what_cmocka_and_check_put_into_names_is_taken_apart),
		cmocka_unit_test(unittest_names_its_tests),
		cmocka_unit_test(a_class_may_be_skipped_by_its_set_up),
		cmocka_unit_test(a_module_that_skips_itself_has_not_passed),
		cmocka_unit_test(what_a_test_prints_is_not_its_status),
		cmocka_unit_test(unittest_of_an_older_python),
		cmocka_unit_test(unittest_without_names_or_end_is_not_complete),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
