/* What prove prints around the TAP of Perl's test files; how it is found, and told to run some of
 * them. */
#include "tests/unit/suite_fixture.h"

static void read_prove(
	const char *text, int exit_code, struct arena *arena, struct test_report *report)
{
	read_text("prove -l", text, exit_code, arena, report);
}

static void files_are_tests_and_name_theirs(void **state)
{
	(void)state;
	AUTO_ARENA arena = ARENA_INIT;
	struct test_report report;
	read_prove("t/cart.t .. \n"
			   "ok 1 - total\n"
			   "not ok 2 - names\n\n"
			   "#   Failed test 'names'\n"
			   "#   at t/cart.t line 9.\n"
			   "#          got: 'a'\n"
			   "#     expected: 'b'\n"
			   "# Subtest: more\n"
			   "    ok 1 - deep\n"
			   "    1..1\n"
			   "ok 3 - more\n"
			   "1..3\n"
			   "# Looks like you failed 1 test of 3.\n"
			   "Dubious, test returned 1 (wstat 256, 0x100)\n"
			   "Failed 1/3 subtests \n"
			   "t/load.t .. \n"
			   "1..1\n"
			   "ok 1 - total\n"
			   "ok\n"
			   "t/skip.t .. \n"
			   "1..0 # SKIP no net\n"
			   "skipped: no net\n\n"
			   "Test Summary Report\n"
			   "-------------------\n"
			   "t/cart.t (Wstat: 256 (exited 1) Tests: 3 Failed: 1)\n"
			   "  Failed test:  2\nFiles=3, Tests=4,  0 wallclock secs\nResult: FAIL\n",
		1, &arena, &report);
	assert_true(report.complete);
	assert_result(&report, "t/cart.t > total", TEST_PASSED, NULL, NULL, 0);
	assert_result(
		&report, "t/cart.t > names", TEST_FAILED, "got: 'a', expected: 'b'", "t/cart.t", 9);
	assert_result(&report, "t/cart.t > more > deep", TEST_PASSED, NULL, NULL, 0);
	assert_result(&report, "t/cart.t", TEST_FAILED, "the file failed", NULL, 0);
	assert_result(&report, "t/load.t > total", TEST_PASSED, NULL, NULL, 0);
	assert_result(&report, "t/load.t", TEST_PASSED, NULL, NULL, 0);
	assert_result(&report, "t/skip.t", TEST_SKIPPED, NULL, NULL, 0);
	assert_int_equal(report.n, 8);
}

/* As Test::More prints an exception within a test. */
static void tests_that_lack_a_module_are_the_environment(void **state)
{
	(void)state;
	AUTO_ARENA arena = ARENA_INIT;
	struct test_report report;
	struct suite suite;
	struct lack lack;
	static const char *const paths[] = {"lib/Moo.pm", "t/use.t"};
	suite_from_command("prove -l", "from --test", &arena, &suite);
	read_prove("t/use.t .. \n"
			   "not ok 1 - imported\n\n"
			   "#   Failed test 'imported'\n"
			   "#   at t/use.t line 6.\n"
			   "# Can't locate Sub/Quote.pm in @INC (you may need to install the Sub::Quote "
			   "module) (@INC contains: lib) at lib/Moo.pm line 5.\n"
			   "not ok 2 - refused\n\n"
			   "#   Failed test 'refused'\n"
			   "#   at t/use.t line 9.\n"
			   "#                   'Can't locate Role/Tiny.pm in @INC (you may need to install "
			   "the Role::Tiny module) (@INC contains: lib) at lib/Moo.pm line 7.\n"
			   "#     doesn't match '(?^:no role)'\n"
			   "1..2\n"
			   "# Looks like you failed 2 tests of 2.\n"
			   "Dubious, test returned 2 (wstat 512, 0x200)\n"
			   "Failed 2/2 subtests \n"
			   "t/late.t .. \n"
			   "ok 1 - early\n"
			   "Can't locate Sub/Quote.pm in @INC (you may need to install the Sub::Quote "
			   "module) (@INC contains: lib) at lib/Moo.pm line 5.\n"
			   "# Looks like your test exited with 2 just after 1.\n"
			   "Dubious, test returned 2 (wstat 512, 0x200)\n"
			   "All 1 subtests passed \n\n"
			   "Test Summary Report\n"
			   "-------------------\n"
			   "t/use.t (Wstat: 512 (exited 2) Tests: 2 Failed: 2)\n"
			   "  Failed tests:  1-2\nFiles=2, Tests=3,  0 wallclock secs\nResult: FAIL\n",
		1, &arena, &report);
	assert_int_equal(report.count[TEST_PASSED], 1);
	assert_true(suite_lacks(&suite, &report, paths, ARRAY_SIZE(paths), &arena, &lack));
	assert_string_equal(lack.what, "the Perl module 'Sub::Quote' is missing (t/use.t:6)");
	assert_string_equal(lack.mend, "cpan Sub::Quote");
}

static void a_file_that_does_not_compile_fails_alone(void **state)
{
	(void)state;
	AUTO_ARENA arena = ARENA_INIT;
	struct test_report report;
	read_prove("t/a.t ..... \nsyntax error at /tmp/tree/lib/A.pm line 26, near \"}\"\n"
			   "BEGIN failed--compilation aborted at t/a.t line 4.\n"
			   "Dubious, test returned 255 (wstat 65280, 0xff00)\n"
			   "No subtests run \nt/other.t .. \nok 1 - fine\n1..1\nok\n\nTest Summary Report\n",
		255, &arena, &report);
	assert_true(report.complete);
	assert_result(&report, "t/a.t", TEST_ERROR,
		"syntax error at /tmp/tree/lib/A.pm line 26, near \"}\"", "lib/A.pm", 26);
	assert_result(&report, "t/other.t", TEST_PASSED, NULL, NULL, 0);
	assert_int_equal(report.n, 3);
}

static void a_file_that_dies_midway_fails(void **state)
{
	(void)state;
	AUTO_ARENA arena = ARENA_INIT;
	struct test_report report;
	read_prove("t/a.t .. \n"
			   "ok 1 - first\n"
			   "Died at t/a.t line 7.\n"
			   "Dubious, test returned 255 (wstat 65280, 0xff00)\n"
			   "All 1 subtests passed \n\nTest Summary Report\n",
		255, &arena, &report);
	assert_true(report.complete);
	assert_result(&report, "t/a.t > first", TEST_PASSED, NULL, NULL, 0);
	assert_result(&report, "t/a.t", TEST_FAILED, "Died at t/a.t line 7.", "t/a.t", 7);
}

static void some_files_can_be_run_alone(void **state)
{
	(void)state;
	AUTO_ARENA arena = ARENA_INIT;
	struct suite suite;
	const char *const ids[] = {"t/a.t > x", "t/a.t", "t/b c.t > y > z"};
	suite_from_command("prove -l", "from --test", &arena, &suite);
	assert_string_equal(suite.type->name, "prove");
	assert_string_equal(suite_command(&suite, NULL, &arena), "prove -v --merge -l");
	assert_string_equal(
		suite_targeted(&suite, ids, 3, &arena), "prove -v --merge -l t/a.t 't/b c.t'");
	suite_from_command("prove -l t/a.t", "from --test", &arena, &suite);
	assert_null(suite_targeted(&suite, ids, 3, &arena));
	suite_from_command("cd x; prove -l", "from --test", &arena, &suite);
	assert_null(suite_targeted(&suite, ids, 3, &arena));
}

UNIT(format_prove)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(files_are_tests_and_name_theirs),
		cmocka_unit_test(tests_that_lack_a_module_are_the_environment),
		cmocka_unit_test(a_file_that_does_not_compile_fails_alone),
		cmocka_unit_test(a_file_that_dies_midway_fails),
		cmocka_unit_test(some_files_can_be_run_alone),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
