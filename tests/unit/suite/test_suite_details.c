/* What was printed of a failing test, out of output of real runners. */
#include "tests/unit/suite_fixture.h"

#include "base/utf8.h"

/* A report whose failing tests have these ids, explained by what was printed. */
static void explain(struct arena *arena, const char *text, const char *const *ids, size_t n,
	struct test_report *report)
{
	struct rondo_error err;
	AUTO_CLOSE fd = memfd_create("log", MFD_CLOEXEC);
	assert_int_equal(write(fd, text, strlen(text)), strlen(text));
	*report = (struct test_report){0};
	for (size_t i = 0; i < n; i++)
		test_report_add(report, arena, &(struct test_result){.id = ids[i], .status = TEST_FAILED});
	assert_int_equal(suite_explain(report, fd, arena, &err), 0);
}

static void expect(const char *text, const char *id, const char *detail)
{
	AUTO_ARENA arena = ARENA_INIT;
	struct test_report report;
	explain(&arena, text, &id, 1, &report);
	assert_non_null(report.results[0]->detail);
	assert_string_equal(report.results[0]->detail, detail);
}

static void the_section_explains_not_the_lists(void **state)
{
	(void)state;
	AUTO_ARENA arena = ARENA_INIT;
	expect(stored("pytest7-red.txt", &arena), "tests/test_calc.py::test_add",
		"___________________________________ test_add ___________________________________\n"
		"tests/test_calc.py:6: in test_add\n"
		"    assert add(1, 2) == 3\n"
		"E   assert -1 == 3\n"
		"E    +  where -1 = add(1, 2)");
}

static void a_rule_below_the_name_ends_nothing(void **state)
{
	(void)state;
	AUTO_ARENA arena = ARENA_INIT;
	struct test_report report;
	read_stored("python3 -m unittest", "unittest-mixed.txt", 1, &arena, &report);
	for (size_t i = 0; i < report.n; i++)
		report.results[i]->detail = NULL;
	AUTO_CLOSE fd = memfd_create("log", MFD_CLOEXEC);
	const char *text = stored("unittest-mixed.txt", &arena);
	assert_int_equal(write(fd, text, strlen(text)), strlen(text));
	struct rondo_error err;
	assert_int_equal(suite_explain(&report, fd, &arena, &err), 0);
	for (size_t i = 0; i < report.n; i++) {
		const struct test_result *result = report.results[i];
		if (!test_status_is_red(result->status) || strstr(result->id, "test_xp"))
			continue;
		assert_non_null(result->detail);
		assert_non_null(strstr(result->detail, "-----\n"));
		assert_non_null(strstr(result->detail, "Error: "));
		assert_null(strstr(result->detail, "Ran "));
	}
}

static void frames_of_the_runner_and_times_are_left_out(void **state)
{
	(void)state;
	AUTO_ARENA arena = ARENA_INIT;
	expect(stored("node-red.txt", &arena), "adds",
		"not ok 1 - adds\n"
		"  ---\n"
		"  location: '/tmp/tree/test/a.test.mjs:4:1'\n"
		"  failureType: 'testCodeFailure'\n"
		"  error: 'too big'\n  code: 'ERR_TEST_FAILURE'\n  name: 'RangeError'\n  stack: |-\n"
		"    add (file:///tmp/tree/calc.mjs:1:46)\n"
		"    TestContext.<anonymous> (file:///tmp/tree/test/a.test.mjs:4:33)\n"
		"  ...");
}

static void whatever_the_runner_it_is_found(void **state)
{
	(void)state;
	AUTO_ARENA arena = ARENA_INIT;
	expect(stored("go-red.txt", &arena), "example.com/x/TestAdd",
		"--- FAIL: TestAdd (0.00s)\n    a_test.go:7: Add(1, 2) = -1, want 3");
	expect("---- tests::area stdout ----\n"
		   "thread 'tests::area' panicked at src/lib.rs:5:3:\n"
		   "left: 1\n\n\n"
		   "failures:\n"
		   "    tests::area\n",
		"tests::area",
		"---- tests::area stdout ----\n"
		"thread 'tests::area' panicked at src/lib.rs:5:3:\n"
		"left: 1");
	expect("[ RUN      ] Area.Small\n"
		   "area.cc:5: Failure\n"
		   "Expected: 1\n"
		   "[  FAILED  ] Area.Small (0 ms)\n"
		   "[  FAILED  ] 1 test, listed below:\n[  FAILED  ] Area.Small\n\n 1 FAILED TEST\n",
		"Area.Small", "[ RUN      ] Area.Small\narea.cc:5: Failure\nExpected: 1");
}

static void tests_of_one_name_get_their_pieces_in_order(void **state)
{
	(void)state;
	AUTO_ARENA arena = ARENA_INIT;
	struct test_report report;
	static const char *const ids[] = {"test_bad", "test_bad (2)"};
	explain(&arena, stored("make-cmocka.txt", &arena), ids, 2, &report);
	for (size_t i = 0; i < 2; i++)
		assert_string_equal(report.results[i]->detail,
			"not ok 2 - test_bad\n# 0x1 != 0x2\n# test_a.c:7: error: Failure!");
}

static void the_longest_name_in_a_line_is_meant(void **state)
{
	(void)state;
	AUTO_ARENA arena = ARENA_INIT;
	struct test_report report;
	static const char *const ids[] = {"a.py::test_x", "a.py::test_x[1.5-a/b]"};
	explain(&arena,
		"____ test_x[1.5-a/b] ____\n"
		"E   first\n"
		"____ test_x ____\n"
		"E   second\n",
		ids, 2, &report);
	assert_string_equal(report.results[0]->detail, "____ test_x ____\nE   second");
	assert_string_equal(report.results[1]->detail, "____ test_x[1.5-a/b] ____\nE   first");
}

/* What a test of CTest's prints may look like another runner's. */
static void all_that_a_test_of_ctest_printed_is_its_detail(void **state)
{
	(void)state;
	const char *red =
		"  9/12 Test  #9: shop_red ...***Failed    0.00 sec\nTAP version 13\nok 1 - a\n"
		"not ok 2 - b\n-----------------\n# got 3\n";
	AUTO_ARENA arena = ARENA_INIT;
	expect(arena_printf(&arena,
			   "      Start  8: shop\n  8/12 Test  #8: shop ...   Passed    0.00 sec\n"
			   "      Start  9: shop_red\n%s\n      Start 10: till\n"
			   " 10/12 Test #10: till ...   Passed    0.00 sec\n\n"
			   "92%% tests passed, 1 tests failed out of 12\n\n"
			   "The following tests FAILED:\n\t  9 - shop_red (Failed)\n",
			   red),
		"shop_red", arena_strndup(&arena, red, strlen(red) - 1));
}

static void what_is_not_named_has_no_detail(void **state)
{
	(void)state;
	AUTO_ARENA arena = ARENA_INIT;
	struct test_report report;
	static const char *const ids[] = {"make check", "", "one line"};
	explain(&arena,
		"FAIL: one line\n"
		"ok 2\n"
		"make: *** [Makefile:2: check] Error 1\n",
		ids, 3, &report);
	for (size_t i = 0; i < 3; i++)
		assert_null(report.results[i]->detail);
}

static void a_long_piece_keeps_its_ends(void **state)
{
	(void)state;
	AUTO_ARENA arena = ARENA_INIT;
	AUTO_STRBUF text = STRBUF_INIT(STRBUF_TEXT);
	struct test_report report;
	const char *id = "t.py::test_x";
	strbuf_adds(&text, "____ test_x ____\n");
	for (int i = 0; i < 10000; i++)
		strbuf_addf(&text, "\u00e4\u00f6 line %d\n", i);
	explain(&arena, text.text, &id, 1, &report);
	const char *detail = report.results[0]->detail;
	assert_true(strlen(detail) < 4200);
	assert_non_null(strstr(detail, "test_x"));
	assert_true(text_ends_with(detail, "line 9999"));
	assert_int_equal(utf8_valid_length(detail, strlen(detail)), strlen(detail));
}

UNIT(suite_details)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_section_explains_not_the_lists),
		cmocka_unit_test(a_rule_below_the_name_ends_nothing),
		cmocka_unit_test(frames_of_the_runner_and_times_are_left_out),
		cmocka_unit_test(whatever_the_runner_it_is_found),
		cmocka_unit_test(tests_of_one_name_get_their_pieces_in_order),
		cmocka_unit_test(the_longest_name_in_a_line_is_meant),
		cmocka_unit_test(all_that_a_test_of_ctest_printed_is_its_detail),
		cmocka_unit_test(what_is_not_named_has_no_detail),
		cmocka_unit_test(a_long_piece_keeps_its_ends),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
