/* cargo test, as cargo 1.95 printed it. */
#include "tests/unit/suite_fixture.h"

static void programs_and_doc_tests_are_told_apart(void **state)
{
	(void)state;
	AUTO_ARENA arena = ARENA_INIT;
	struct test_report report;
	read_stored("cargo test", "cargo-mixed.txt", 101, &arena, &report);
	assert_string_equal(report.format, "cargo");
	assert_true(report.complete);
	assert_counts(&report, COUNTS(6, 5, 0, 1, 0));
	assert_result(&report, "src/lib.rs::tests::adds", TEST_FAILED,
		"assertion `left == right` failed: no sum, left: -1, right: 5", "src/lib.rs", 23);
	assert_result(
		&report, "src/lib.rs::tests::does_not_panic", TEST_FAILED, NULL, "src/lib.rs", 45);
	assert_result(&report, "src/lib.rs::tests::fails_by_result", TEST_FAILED,
		"Error: \"no \\\"result\\\"\"", NULL, 0);
	assert_result(&report, "src/lib.rs::tests::panics", TEST_PASSED, NULL, NULL, 0);
	assert_result(&report, "src/lib.rs::tests::skipped", TEST_SKIPPED, "not today", NULL, 0);
	assert_result(&report, "src/lib.rs::tests::größe::straße", TEST_PASSED, NULL, NULL, 0);
	assert_result(&report, "src/main.rs::in_main", TEST_PASSED, NULL, NULL, 0);
	assert_result(&report, "tests/it.rs::outside", TEST_FAILED, NULL, "tests/it.rs", 3);
}

/* They came in the other order; their lines are no part of their names. */
static void doc_tests_of_one_item_are_numbered_by_their_lines(void **state)
{
	(void)state;
	AUTO_ARENA arena = ARENA_INIT;
	struct test_report report;
	read_stored("cargo test", "cargo-mixed.txt", 101, &arena, &report);
	assert_result(&report, "doc-tests::src/lib.rs - add", TEST_FAILED, NULL, "src/lib.rs", 5);
	assert_result(&report, "doc-tests::src/lib.rs - add (2)", TEST_PASSED, NULL, NULL, 0);
}

static void one_thread_prints_between_name_and_result(void **state)
{
	(void)state;
	AUTO_ARENA arena = ARENA_INIT;
	struct test_report report;
	read_stored("cargo test --lib", "cargo-one-thread.txt", 101, &arena, &report);
	assert_true(report.complete);
	assert_counts(&report, COUNTS(3, 3, 0, 1, 0));
	assert_result(&report, "src/lib.rs::tests::zero", TEST_PASSED, NULL, NULL, 0);
}

static void what_does_not_compile_is_its_package(void **state)
{
	(void)state;
	AUTO_ARENA arena = ARENA_INIT;
	struct test_report report;
	read_stored("cargo test", "cargo-compile.txt", 101, &arena, &report);
	assert_true(report.complete);
	assert_counts(&report, COUNTS(0, 0, 1, 0, 0));
	assert_result(&report, "acme", TEST_ERROR,
		"error[E0425]: cannot find function `missing` in this scope", "src/lib.rs", 2);
}

static void a_program_that_aborts_is_red_whatever_it_printed(void **state)
{
	(void)state;
	AUTO_ARENA arena = ARENA_INIT;
	struct test_report report;
	read_stored("cargo test", "cargo-abort.txt", 101, &arena, &report);
	assert_true(report.complete);
	assert_result(
		&report, "src/lib.rs", TEST_ERROR, "(signal: 6, SIGABRT: process abort signal)", NULL, 0);
	assert_result(&report, "tests/it.rs::green", TEST_PASSED, NULL, NULL, 0);
}

#define RUN "     Running unittests src/lib.rs (target/debug/deps/a-1)\n\nrunning 2 tests\n"

#define LIBRARY \
	"     Running unittests src/lib.rs (target/debug/deps/acme-0cbcb27d618d0ea7)\n\n" \
	"running 1 test\ntest t ... ok\n\n" \
	"test result: ok. 1 passed; 0 failed; 0 ignored; 0 measured; 0 filtered out\n\n" \
	"     Running tests/own.rs (target/debug/deps/own-01ccab1c92c324b2)\nrunning 3 checks\n"
#define DOCUMENTED \
	"   Doc-tests acme\n\nrunning 0 tests\n\n" \
	"test result: ok. 0 passed; 0 failed; 0 ignored; 0 measured; 0 filtered out\n\n"

static void a_program_without_libtest_is_one_test(void **state)
{
	(void)state;
	AUTO_ARENA arena = ARENA_INIT;
	struct test_report report;
	read_text("cargo test", LIBRARY DOCUMENTED, 0, &arena, &report);
	assert_null(report.problem);
	assert_counts(&report, COUNTS(2, 0, 0, 0, 0));
	assert_result(&report, "tests/own.rs", TEST_PASSED, NULL, NULL, 0);
	read_text("cargo test",
		LIBRARY
		"add is wrong\nerror: test failed, to rerun pass `--test own`\n\nCaused by:\n  process "
		"didn't exit successfully: `/t/own-01` (exit status: 1)\n" DOCUMENTED
		"error: 1 target failed:\n    `--test own`\n",
		101, &arena, &report);
	assert_null(report.problem);
	assert_counts(&report, COUNTS(1, 0, 1, 0, 0));
	assert_result(&report, "tests/own.rs", TEST_ERROR, NULL, NULL, 0);
	/* It was killed, and cargo with it. */
	read_text("cargo test", LIBRARY, 101, &arena, &report);
	assert_result(&report, "tests/own.rs", TEST_ERROR, NULL, NULL, 0);
	/* Tests have begun, and nothing says what became of them. */
	read_text("cargo test", LIBRARY "running 3 tests\n" DOCUMENTED, 0, &arena, &report);
	assert_string_equal(report.problem, "the tests of tests/own.rs came to no result");
}

static void a_result_that_does_not_fit_its_tests_is_refused(void **state)
{
	(void)state;
	AUTO_ARENA arena = ARENA_INIT;
	struct test_report report;
	read_text("cargo test",
		RUN "test a ... ok\n"
			"test b ... ok\n"
			"test result: ok. 1 passed; 1 failed; 0 ignored; 0 measured\n",
		0, &arena, &report);
	assert_false(report.complete);
	assert_non_null(strstr(report.problem, "disagree"));
	read_text("cargo test", RUN "test a ... ok\n", 0, &arena, &report);
	assert_false(report.complete);
}

/* A red test printed the lines of a green run. */
static void a_printed_result_is_none(void **state)
{
	(void)state;
	AUTO_ARENA arena = ARENA_INIT;
	struct test_report report;
	read_text("cargo test",
		RUN "test a ... FAILED\ntest b ... ok\n\nfailures:\n\n---- a stdout ----\ntest a ... ok\n"
			"test result: ok. 2 passed; 0 failed; 0 ignored; 0 measured\n\nfailures:\n    a\n\n"
			"test result: FAILED. 1 passed; 1 failed; 0 ignored; 0 measured\n",
		101, &arena, &report);
	assert_true(report.complete);
	assert_counts(&report, COUNTS(1, 1, 0, 0, 0));
}

static void packages_of_one_workspace_are_told_apart_by_their_crates(void **state)
{
	(void)state;
	AUTO_ARENA arena = ARENA_INIT;
	struct test_report report;
	static const char end[] = "test t ... ok\n"
							  "test result: ok. 1 passed; 0 failed; 0 ignored; 0 measured\n";
	read_text("cargo test",
		arena_printf(&arena,
			"     Running unittests src/lib.rs (target/debug/deps/a_b-1)\n"
			"running 1 test\n"
			"%s"
			"     Running unittests src/lib.rs (target/debug/deps/c-2)\n"
			"running 1 test\n"
			"%s",
			end, end),
		0, &arena, &report);
	assert_result(&report, "a_b:src/lib.rs::t", TEST_PASSED, NULL, NULL, 0);
	assert_result(&report, "c:src/lib.rs::t", TEST_PASSED, NULL, NULL, 0);
}

/* Not one that the crate stands in brackets behind, with a blank. */
static void a_target_of_another_form_is_named_by_its_crate(void **state)
{
	(void)state;
	AUTO_ARENA arena = ARENA_INIT;
	struct test_report report;
	read_text("cargo test",
		"     Running unittests src/ä(target/debug/deps/a-1)\n"
		"running 1 test\n"
		"test t ... ok\n"
		"test result: ok. 1 passed; 0 failed; 0 ignored; 0 measured\n",
		0, &arena, &report);
	assert_result(&report, "a::t", TEST_PASSED, NULL, NULL, 0);
}

static void why_a_test_is_ignored_follows_a_comma(void **state)
{
	(void)state;
	AUTO_ARENA arena = ARENA_INIT;
	struct test_report report;
	read_text("cargo test",
		RUN "test a ... ignored,ä b\ntest b ... ignored,\n"
			"test result: ok. 0 passed; 0 failed; 2 ignored; 0 measured\n",
		0, &arena, &report);
	assert_result(&report, "src/lib.rs::a", TEST_SKIPPED, "ä b", NULL, 0);
	assert_result(&report, "src/lib.rs::b", TEST_SKIPPED, NULL, NULL, 0);
}

static void a_test_has_a_name(void **state)
{
	(void)state;
	AUTO_ARENA arena = ARENA_INIT;
	struct test_report report;
	read_text("cargo test",
		RUN "test ... ok\ntest has been running for over 60 seconds\n"
			"test a ... ok\ntest b ... ok\n"
			"test result: ok. 2 passed; 0 failed; 0 ignored; 0 measured\n",
		0, &arena, &report);
	assert_null(report.problem);
	assert_counts(&report, COUNTS(2, 0, 0, 0, 0));
}

static const char *command(const char *line, struct arena *arena)
{
	struct suite suite;
	suite_from_command(line, "from a test", arena, &suite);
	return suite_command(&suite, "/tmp/report", arena);
}

static void every_program_is_run_and_named(void **state)
{
	(void)state;
	AUTO_ARENA arena = ARENA_INIT;
	assert_string_equal(command("cargo test -q --lib", &arena), "cargo test --no-fail-fast --lib");
	assert_string_equal(
		command("cd a && cargo test", &arena), "cd a || exit; cargo test --no-fail-fast");
	assert_string_equal(command("cargo test --no-fail-fast", &arena), "cargo test --no-fail-fast");
}

static void some_tests_are_run_by_their_paths(void **state)
{
	(void)state;
	AUTO_ARENA arena = ARENA_INIT;
	struct suite suite;
	suite_from_command("cargo test", "from a test", &arena, &suite);
	const char *const ids[] = {
		"src/lib.rs::tests::größe", "tests/it.rs::outside", "doc-tests::src/lib.rs - add (2)"};
	assert_string_equal(suite_targeted(&suite, ids, 2, &arena),
		"cargo test --no-fail-fast --lib --test it -- --exact 'tests::größe' outside");
	assert_string_equal(suite_targeted(&suite, ids + 1, 2, &arena),
		"cargo test --no-fail-fast -- outside 'src/lib.rs - add'");
	assert_string_equal(suite_targeted(&suite, ids + 2, 1, &arena),
		"cargo test --no-fail-fast --doc -- 'src/lib.rs - add'");
	const char *const others[] = {"a:src/lib.rs::x", "src/main.rs::y", "tests/it/main.rs::z"};
	assert_string_equal(
		suite_targeted(&suite, others, 1, &arena), "cargo test --no-fail-fast --lib -- --exact x");
	assert_string_equal(
		suite_targeted(&suite, others, 2, &arena), "cargo test --no-fail-fast -- --exact x y");
	assert_string_equal(suite_targeted(&suite, others + 2, 1, &arena),
		"cargo test --no-fail-fast --test it -- --exact z");
	suite_from_command("cargo test --tests", "from a test", &arena, &suite);
	assert_string_equal(suite_targeted(&suite, others, 1, &arena),
		"cargo test --no-fail-fast --tests -- --exact x");
	const char *const unbuilt[] = {"acme"};
	assert_null(suite_targeted(&suite, unbuilt, 1, &arena));
}

/* Doc-tests are built one by one: they are left out where there are others. */
static void test_programs_can_be_started_by_another_one(void **state)
{
	(void)state;
	AUTO_ARENA arena = ARENA_INIT;
	struct suite suite;
	suite_from_command("cargo test", "from a test", &arena, &suite);
#define RUNNER "--config 'target.\"cfg(all())\".runner=[\"note\", \"cargo\"]'"
	assert_string_equal(suite_noted(&suite, "cargo test -- a", "note", &arena),
		"cargo test --tests " RUNNER " -- a");
	assert_string_equal(suite_noted(&suite, "cd a && cargo test --lib", "note", &arena),
		"cd a && cargo test " RUNNER " --lib");
	assert_string_equal(suite_noted(&suite, "cargo test --doc -- 'a b'", "note", &arena),
		"cargo test " RUNNER " --doc -- 'a b' --test-threads=1");
	assert_string_equal(suite_noted(&suite, "cargo test --doc", "note", &arena),
		"cargo test " RUNNER " --doc -- --test-threads=1");
	assert_null(suite_noted(&suite, "cargo test --message-format json", "note", &arena));
	assert_null(suite_noted(&suite, "make test", "note", &arena));
}

static void nextest_is_asked_for_junit(void **state)
{
	(void)state;
	AUTO_ARENA arena = ARENA_INIT;
	struct suite suite;
	suite_from_command("cargo nextest run -p shop", "from a test", &arena, &suite);
	assert_non_null(strstr(suite_command(&suite, "/c/r", &arena),
		"printf '[profile.default.junit]\\npath = \"rondo.xml\"\\n' >/c/r.toml; "
		"cargo nextest run -p shop --no-fail-fast --tool-config-file rondo:/c/r.toml\n"));
	/* the program and the path within it cannot be told apart */
	const char *const ids[] = {"shop::a::adds"};
	suite.command = suite_targeted(&suite, ids, 1, &arena);
	assert_string_equal(
		suite.command, "cargo nextest run -p shop -E 'test(=a::adds) | test(=adds)'");
	assert_non_null(strstr(suite_command(&suite, "/c/r", &arena),
		"| test(=adds)' --no-fail-fast --tool-config-file rondo:/c/r.toml"));
	suite_from_command("cargo nextest run -- --ignored", "from a test", &arena, &suite);
	assert_null(strstr(suite_command(&suite, "/c/r", &arena), "--tool-config-file"));
}

static void nextest_is_read_from_its_file(void **state)
{
	(void)state;
	AUTO_ARENA arena = ARENA_INIT;
	struct test_report report;
	const char *printed = "        FAIL [   0.272s] (2/2) b::it twice\n  stdout ---\n\n    running "
						  "1 test\n    test twice ... FAILED\n";
	read_run("cargo nextest run", printed, 100, REPORTS("nextest.xml"), &arena, &report);
	assert_true(report.complete);
	assert_counts(&report, COUNTS(1, 1, 0, 0, 0));
	assert_result(&report, "b::tests::none", TEST_PASSED, NULL, NULL, 0);
	assert_result(&report, "b::it::twice", TEST_FAILED,
		"thread 'twice' (31755) panicked at b/tests/it.rs:3:5", "b/tests/it.rs", 3);
	read_text("cargo nextest run", "error: no such command: `nextest`\n", 101, &arena, &report);
	assert_string_equal(report.problem, "cargo nextest wrote no JUnit report");
	read_text("cargo nextest run",
		"error: expected `;`, found `}`\n --> src/lib.rs:2:10\n"
		"error: could not compile `a` (lib) due to 1 previous error\n",
		101, &arena, &report);
	assert_true(report.complete);
	assert_result(&report, "a", TEST_ERROR, NULL, "src/lib.rs", 2);
}

static void a_sentinel_stands_in_the_folder_of_test_programs(void **state)
{
	(void)state;
	AUTO_ARENA arena = ARENA_INIT;
	struct sentinel sentinel = {.passing = "a1", .failing = "b2"};
	assert_true(cargo_suite.sentinel(NULL, "crates/a/tests/it.rs", "", &arena, &sentinel));
	assert_string_equal(sentinel.path, "crates/a/tests/ta1.rs");
	assert_non_null(strstr(sentinel.text, "fn ta1()"));
	assert_non_null(strstr(sentinel.text, "fn tb2()"));
	assert_false(cargo_suite.sentinel(NULL, "src/lib.rs", "", &arena, &sentinel));
}

UNIT(format_cargo)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(programs_and_doc_tests_are_told_apart),
		cmocka_unit_test(doc_tests_of_one_item_are_numbered_by_their_lines),
		cmocka_unit_test(one_thread_prints_between_name_and_result),
		cmocka_unit_test(what_does_not_compile_is_its_package),
		cmocka_unit_test(a_program_that_aborts_is_red_whatever_it_printed),
		cmocka_unit_test(a_program_without_libtest_is_one_test),
		cmocka_unit_test(a_result_that_does_not_fit_its_tests_is_refused),
		cmocka_unit_test(a_printed_result_is_none),
		cmocka_unit_test(packages_of_one_workspace_are_told_apart_by_their_crates),
		cmocka_unit_test(a_target_of_another_form_is_named_by_its_crate),
		cmocka_unit_test(why_a_test_is_ignored_follows_a_comma),
		cmocka_unit_test(a_test_has_a_name),
		cmocka_unit_test(every_program_is_run_and_named),
		cmocka_unit_test(some_tests_are_run_by_their_paths),
		cmocka_unit_test(test_programs_can_be_started_by_another_one),
		cmocka_unit_test(nextest_is_asked_for_junit),
		cmocka_unit_test(nextest_is_read_from_its_file),
		cmocka_unit_test(a_sentinel_stands_in_the_folder_of_test_programs),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
