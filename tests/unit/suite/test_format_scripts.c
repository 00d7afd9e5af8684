/* What RSpec, Minitest, PHPUnit, busted and Bats print or write. */
#include "tests/unit/suite_fixture.h"

static void rspec_writes_json(void **state)
{
	(void)state;
	AUTO_ARENA arena = ARENA_INIT;
	struct test_report report;
	read_run("rspec", "F.*.F*\n", 1, REPORTS("rspec.json"), &arena, &report);
	assert_string_equal(report.format, "rspec");
	assert_true(report.complete);
	assert_counts(&report, COUNTS(2, 2, 0, 2, 0));
	assert_result(&report, "spec/shapes_spec.rb[1:1] shapes has an area", TEST_FAILED,
		"expected: 6 got: 5", "spec/shapes_spec.rb", 3);
	assert_result(&report, "spec/shapes_spec.rb[1:5:1] shapes more raises", TEST_FAILED,
		"ArgumentError: no", "spec/shapes_spec.rb", 8);
}

static void the_report_of_a_large_suite_is_read(void **state)
{
	(void)state;
	AUTO_ARENA arena = ARENA_INIT;
	struct test_report report;
	struct suite suite;
	struct rondo_error err = {0};
	const char *text = stored_file(DATA "rspec.json", &arena);
	size_t n = STRBUF_TEXT + 1;
	AUTO_FREE char *spaces = memory_alloc(n);
	memset(spaces, ' ', n);
	AUTO_CLOSE fd = memfd_create("report", MFD_CLOEXEC);
	AUTO_CLOSE log = memfd_create("log", MFD_CLOEXEC);
	assert_int_equal(write(fd, text, strlen(text)), strlen(text));
	assert_int_equal(write(fd, spaces, n), n);
	struct process_result result = {.exit_code = 1};
	struct suite_output output = {.log = log, .reports = &fd, .n_reports = 1, .result = &result};
	suite_from_command("rspec", "from a test", &arena, &suite);
	assert_int_equal(suite_read(&suite, &output, &arena, &report, &err), 0);
	assert_null(report.problem);
	assert_counts(&report, COUNTS(2, 2, 0, 2, 0));
}

static void a_spec_that_cannot_be_loaded(void **state)
{
	(void)state;
	AUTO_ARENA arena = ARENA_INIT;
	struct test_report report;
	read_run("bundle exec rspec", "", 1, REPORTS("rspec-load.json"), &arena, &report);
	assert_true(report.complete);
	assert_counts(&report, COUNTS(0, 0, 1, 0, 0));
	assert_result(&report, "spec/b_spec.rb", TEST_ERROR, NULL, "spec/b_spec.rb", 1);
	read_run("rspec", "rspec: no\n", 1, REPORTS(NULL), &arena, &report);
	assert_string_equal(report.format, "exit");
}

static void minitest_prints_a_line_for_each_test(void **state)
{
	(void)state;
	AUTO_ARENA arena = ARENA_INIT;
	struct test_report report;
	read_stored("rake test", "minitest-red.txt", 1, &arena, &report);
	assert_string_equal(report.format, "minitest");
	assert_true(report.complete);
	assert_counts(&report, COUNTS(1, 1, 1, 1, 0));
	assert_result(&report, "ShapesTest#test_area", TEST_FAILED, "Expected: 6 Actual: 5",
		"test/shapes_test.rb", 4);
	assert_result(&report, "ShapesTest#test_raises", TEST_ERROR, "ArgumentError: no",
		"test/shapes_test.rb", 7);
	read_text("rake test", "said A#test_b = 0.01 s = .\n", 1, &arena, &report);
	assert_false(report.complete);
	read_text("rake test",
		"said A#test_b = 0.01 s = .\n2 runs, 1 assertions, 0 failures, 0 errors, 0 skips\n", 0,
		&arena, &report);
	assert_string_equal(report.problem, "minitest counts 2 runs, and 1 lines say so");
	read_text("rake test",
		"A#test_b = 0.01 s = .\n1 runs, 1 assertions, 1 failures, 0 errors, 0 skips\n", 1, &arena,
		&report);
	assert_string_equal(
		report.problem, "minitest counts 1 failures and 0 errors, and the lines say 0 and 0");
	read_text("rake test:units test:system",
		"A#test_b = 0.01 s = F\n1 runs, 1 assertions, 1 failures, 0 errors, 0 skips\n"
		"B#test_c = 0.01 s = .\nB#test_d = 0.01 s = .\n"
		"2 runs, 2 assertions, 0 failures, 0 errors, 0 skips\n",
		1, &arena, &report);
	assert_null(report.problem);
	assert_counts(&report, COUNTS(2, 1, 0, 0, 0));
	read_text("rake test",
		"A#test_b = hello\nx = 1.5\n0.01 s = .\nA#test_c = one0.02 s = F\nA#test_d = 0.00 s = .\n"
		"3 runs, 1 assertions, 1 failures, 0 errors, 0 skips\n",
		1, &arena, &report);
	assert_null(report.problem);
	assert_counts(&report, COUNTS(2, 1, 0, 0, 0));
	assert_result(&report, "A#test_c", TEST_FAILED, NULL, NULL, 0);
}

static void phpunit_writes_junit(void **state)
{
	(void)state;
	AUTO_ARENA arena = ARENA_INIT;
	struct test_report report;
	read_run("phpunit", "", 2, REPORTS("junit-phpunit.xml"), &arena, &report);
	assert_true(report.complete);
	assert_counts(&report, COUNTS(2, 2, 1, 1, 0));
	assert_result(&report, "tests/ShapesTest.php::ShapesTest::testArea", TEST_FAILED,
		"Failed asserting that 5 is identical to 6.", "tests/ShapesTest.php", 4);
	assert_result(&report,
		"tests/ShapesTest.php::ShapesTest::testRows with data set \"named row\"", TEST_FAILED, NULL,
		"tests/ShapesTest.php", 7);
}

static void busted_and_bats_print_tap(void **state)
{
	(void)state;
	AUTO_ARENA arena = ARENA_INIT;
	struct test_report report;
	read_stored("busted", "busted-red.txt", 1, &arena, &report);
	assert_true(report.complete);
	assert_counts(&report, COUNTS(1, 2, 0, 1, 0));
	assert_result(&report, "shapes area", TEST_FAILED,
		"spec/a_spec.lua:3: Expected objects to be equal.", "spec/a_spec.lua", 3);
	read_stored("bats test", "bats-red.txt", 1, &arena, &report);
	assert_true(report.complete);
	assert_counts(&report, COUNTS(1, 1, 0, 1, 0));
	assert_result(
		&report, "red one", TEST_FAILED, "`[ $((1 + 2)) = 4 ]' failed", "test/a.bats", 4);
}

static void assert_run(const char *command, const char *format, const char *id, const char *whole,
	const char *targeted)
{
	AUTO_ARENA arena = ARENA_INIT;
	struct suite suite;
	suite_from_command(command, "from --test", &arena, &suite);
	suite.format = format;
	assert_string_equal(suite_command(&suite, "/r/x", &arena), whole);
	const char *line = suite_targeted(&suite, &id, 1, &arena);
	assert_string_equal(line ? line : "", targeted ? targeted : "");
}

static void some_tests_are_run_alone(void **state)
{
	(void)state;
	assert_run("bundle exec rspec", NULL, "spec/a_spec.rb[1:2] shapes [x] y",
		"bundle exec rspec --no-color --format progress --format json --out /r/x",
		"bundle exec rspec 'spec/a_spec.rb[1:2]'");
	assert_run("rake test", "minitest", "A::BTest#test_c?", "rake test",
		"TESTOPTS='-v '\\''--name=/^(A::BTest#test_c\\?)$/'\\''' rake test");
	assert_run("rake test", NULL, "x", "rake test", NULL);
	assert_run("vendor/bin/phpunit", NULL, "tests/ATest.php::N\\ATest::testB with data set #0",
		"vendor/bin/phpunit --log-junit /r/x",
		"vendor/bin/phpunit --filter '/^(N\\\\ATest::testB with data set \\#0)$/'");
	assert_run("busted", NULL, "shapes an area-1", "busted -o TAP",
		"busted -o TAP '--filter=^shapes an area%-1$'");
	assert_run("bats test", NULL, "adds (1+2)", "bats --tap test",
		"bats --tap -f '^(adds \\(1\\+2\\))$' test");
}

UNIT(format_scripts)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(rspec_writes_json),
		cmocka_unit_test(the_report_of_a_large_suite_is_read),
		cmocka_unit_test(a_spec_that_cannot_be_loaded),
		cmocka_unit_test(minitest_prints_a_line_for_each_test),
		cmocka_unit_test(phpunit_writes_junit),
		cmocka_unit_test(busted_and_bats_print_tap),
		cmocka_unit_test(some_tests_are_run_alone),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
