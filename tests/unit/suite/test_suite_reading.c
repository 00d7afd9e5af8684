/* Output of any kind and size: how lines are made of it, and what ends a run early. */
#include "tests/unit/suite_fixture.h"

#include <dirent.h>
#include <signal.h>

static void read_result(
	const char *text, struct process_result result, struct arena *arena, struct test_report *report)
{
	struct suite suite;
	suite_from_command("pytest", "", arena, &suite);
	read_bytes(&suite, text, strlen(text), &result, arena, report);
}

static const char green[] = "a.py::x PASSED\n=== 1 passed in 0.1s ===\n";

static void lines_are_cleaned(void **state)
{
	(void)state;
	static const char *const outputs[] = {
		"a.py::x PASSED\r\n=== 1 passed in 0.1s ===\r\n",
		"\033[1ma.py::x\033[0m \033[32mPASSED\033]0;title\a\n\033[32m1 passed in 0.1s",
		"downloading 10%\rdownloading 99%\ra.py::x PASSED\n=== 1 passed in 0.1s ===\n",
		"\xff\xfe\n\xc3(\na.py::x PASSED\n=== 1 passed in 0.1s ===\n",
	};
	for (size_t i = 0; i < ARRAY_SIZE(outputs); i++) {
		AUTO_ARENA arena = ARENA_INIT;
		struct test_report report;
		read_result(outputs[i], (struct process_result){0}, &arena, &report);
		assert_true(report.complete);
		assert_int_equal(report.n, 1);
		assert_result(&report, "a.py::x", TEST_PASSED, NULL, NULL, 0);
	}
}

static void a_program_that_counts_is_not_the_end(void **state)
{
	(void)state;
	AUTO_ARENA arena = ARENA_INIT;
	struct test_report report;
	read_result("a.py::x PASSED\na.py::y 3 files read in 2s\n",
		(struct process_result){.exit_code = 1}, &arena, &report);
	assert_false(report.complete);
	assert_string_equal(report.problem, "pytest ended in the middle of a.py::y (exit code 1)");
}

static void invalid_bytes_in_names_become_text(void **state)
{
	(void)state;
	AUTO_ARENA arena = ARENA_INIT;
	struct test_report report;
	read_result("a.py::x[\xff] FAILED\n=== 1 failed in 0.1s ===\n",
		(struct process_result){.exit_code = 1}, &arena, &report);
	assert_result(&report, "a.py::x[\xef\xbf\xbd]", TEST_FAILED, NULL, NULL, 0);
}

static void a_run_that_was_ended_is_not_complete(void **state)
{
	(void)state;
	static const struct {
		struct process_result result;
		const char *problem;
	} cases[] = {
		{{.end = PROCESS_TIMEOUT, .exit_code = 124, .duration_ms = 60000}, "timed out after 60 s"},
		{{.end = PROCESS_SIGNALLED, .exit_code = 137, .signal = SIGKILL}, "killed by SIGKILL"},
		{{.end = PROCESS_OUTPUT_LIMIT, .output_bytes = 9}, "printed too much: 9 bytes"},
		{{.end = PROCESS_CANCELLED, .exit_code = 125}, "cancelled"},
		{{.output_bytes = 999}, "printed 999 bytes, of which only 40 were kept"},
	};
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		AUTO_ARENA arena = ARENA_INIT;
		struct test_report report;
		read_result(green, cases[i].result, &arena, &report);
		assert_false(report.complete);
		assert_string_equal(report.problem, cases[i].problem);
		assert_int_equal(report.n, cases[i].result.end != PROCESS_OUTPUT_LIMIT);
	}
}

static void a_crash_is_a_failure_of_the_command(void **state)
{
	(void)state;
	AUTO_ARENA arena = ARENA_INIT;
	struct suite suite;
	struct test_report report;
	suite_from_command("./run", "", &arena, &suite);
	struct process_result result = {.end = PROCESS_SIGNALLED, .signal = SIGSEGV, .exit_code = 139};
	read_bytes(&suite, "start\n", 6, &result, &arena, &report);
	assert_true(report.complete);
	assert_result(&report, "./run", TEST_ERROR, NULL, NULL, 0);
	assert_true(text_starts_with(report.results[0]->message, "killed by SIGSEGV, output "));
}

static void any_command_is_one_test(void **state)
{
	(void)state;
	AUTO_ARENA arena = ARENA_INIT;
	struct test_report report;
	read_text("./run", "all fine\n", 0, &arena, &report);
	assert_result(&report, "./run", TEST_PASSED, "", "", 0);
	read_text("./run", "one\nerror: src/a.c:12: no\nmore\n", 3, &arena, &report);
	assert_result(&report, "./run", TEST_ERROR, NULL, "src/a.c", 12);
	assert_true(text_starts_with(
		report.results[0]->message, "error: src/a.c:12: no (exit code 3, output "));
	read_text("./run", "", 3, &arena, &report);
	assert_result(&report, "./run", TEST_ERROR, "exit code 3", NULL, 0);
	read_text("./run", "sh: 1: ./run: not found\n", 127, &arena, &report);
	assert_false(report.complete);
	assert_string_equal(
		report.problem, "the test command could not be started: sh: 1: ./run: not found");
}

static void a_line_that_says_why_is_kept_in_letters_of_any_case(void **state)
{
	(void)state;
	static const char *const words[] = {"error", "Fail", "ASSERT", "panic", "Expected", "fatal",
		"Exception", "not found", "no such", "cannot", "undefined", "got 3", "want 3"};
	for (size_t i = 0; i < ARRAY_SIZE(words); i++) {
		AUTO_ARENA arena = ARENA_INIT;
		struct test_report report;
		read_text("./run",
			arena_printf(&arena,
				"one\n"
				"said: %s\n"
				"two\n",
				words[i]),
			3, &arena, &report);
		assert_true(text_starts_with(
			report.results[0]->message, arena_printf(&arena, "said: %s (", words[i])));
	}
}

static void lines_that_are_too_long_are_cut_and_the_next_is_read(void **state)
{
	(void)state;
	AUTO_ARENA arena = ARENA_INIT;
	size_t length = 1000000;
	AUTO_FREE char *text = memory_alloc(length + sizeof green);
	memset(text, 'x', length);
	text[length - 1] = '\n';
	memcpy(text + length, green, sizeof green);
	struct test_report report;
	read_result(text, (struct process_result){0}, &arena, &report);
	assert_true(report.complete);
	assert_int_equal(report.n, 1);
	memset(text, '\xc3', length - 1);
	read_result(text, (struct process_result){0}, &arena, &report);
	assert_true(report.complete);
}

static void the_output_is_kept_as_head_and_tail(void **state)
{
	(void)state;
	AUTO_ARENA arena = ARENA_INIT;
	AUTO_STRBUF sb = STRBUF_INIT(STRBUF_TEXT);
	strbuf_adds(&sb, "first\n");
	for (int i = 0; i < 5000; i++)
		strbuf_adds(&sb, "\xc3\xa4\xe2\x82\xac\xf0\x9f\x98\x80");
	strbuf_adds(&sb, "\nlast\n");
	struct test_report report;
	read_result(sb.text, (struct process_result){0}, &arena, &report);
	assert_true(text_starts_with(report.output, "first\n"));
	assert_true(text_ends_with(report.output, "\nlast\n"));
	assert_non_null(strstr(report.output, "bytes cut"));
	assert_null(strstr(report.output, "\xef\xbf\xbd"));
	assert_true(strlen(report.output) < 10100);
	read_result("short\033[0m\n", (struct process_result){0}, &arena, &report);
	assert_string_equal(report.output, "short\n");
}

/* --- Options --- */

static const char *refused(const char *command, const char *text, struct arena *arena)
{
	struct suite suite;
	struct test_report report;
	suite_from_command(command, "", arena, &suite);
	read_text(command, text, 2, arena, &report);
	return suite_refused_option(&suite, &report, arena);
}

static void an_option_that_the_runner_refuses_is_found(void **state)
{
	(void)state;
	AUTO_ARENA arena = ARENA_INIT;
	assert_string_equal(
		refused("tap --fast t.js", "Error: invalid argument: --fast\n", &arena), "--fast");
	assert_string_equal(
		refused("node --test --fast=1", "node: bad option: --fast=1\n", &arena), "--fast");
	assert_string_equal(
		refused("jest --fast", "Unrecognized CLI Parameter:\n  Unrecognized option \"fast\".\n",
			&arena),
		"--fast");
	assert_string_equal(refused("make -Z check", "make: invalid option -- 'Z'\n", &arena), "-Z");
	assert_null(refused("tap t.js", "Error: invalid argument: --fast\n", &arena));
	assert_null(refused("make && ./tool --fast", "tool: unknown option --fast\n", &arena));
	assert_null(refused("sh t --fast", "1..1\nnot ok 1 - invalid argument: fast\n", &arena));
}

/* --- Hostile input --- */

static const char *command_of(const char *name)
{
	return text_starts_with(name, "pytest")  ? "pytest"
		: text_starts_with(name, "node")     ? "node --test"
		: text_starts_with(name, "npm")      ? "npm test"
		: text_starts_with(name, "unittest") ? "python3 -m unittest"
		: text_starts_with(name, "make")     ? "make check"
											 : "go test";
}

static void read_as_all(const char *name, const char *bytes, size_t n, struct arena *arena)
{
	struct rondo_error err = {0};
	struct process_result result = {.exit_code = 1};
	struct test_report report;
	struct suite suite;
	suite_from_command(command_of(name), "", arena, &suite);
	if (text_starts_with(name, "program"))
		assert_int_equal(suite_from_program(DATA, strstr(name, "py") ? "program.py" : "program.js",
							 NULL, arena, &suite, &err),
			0);
	read_bytes(&suite, bytes, n, &result, arena, &report);
	assert_true(report.complete || report.problem);
	struct lack lack;
	suite_lacks(&suite, &report, NULL, 0, arena, &lack);
}

static void damage(const char *name, const char *text)
{
	size_t n = strlen(text);
	uint32_t random = 1;
	AUTO_FREE char *bytes = memory_alloc(n + 1);
	for (size_t cut = 0; cut < n; cut += 97) {
		AUTO_ARENA arena = ARENA_INIT;
		read_as_all(name, text, cut, &arena);
		memcpy(bytes, text, n);
		for (int i = 0; i < 20; i++) {
			random = random * 1664525 + 1013904223;
			bytes[(random >> 8) % n] = (char)(random >> 24);
		}
		read_as_all(name, bytes, n, &arena);
	}
}

static void damaged_output_of_every_kind_is_read(void **state)
{
	(void)state;
	DIR *dir = opendir(DATA);
	assert_non_null(dir);
	size_t n = 0;
	for (struct dirent *entry; (entry = readdir(dir));) {
		AUTO_ARENA arena = ARENA_INIT;
		if (!text_ends_with(entry->d_name, ".txt"))
			continue;
		damage(entry->d_name, stored(entry->d_name, &arena));
		n++;
	}
	closedir(dir);
	assert_true(n > 40);
}

static void ids_and_places_begin_at_the_root_of_the_tree(void **state)
{
	(void)state;
	AUTO_ARENA arena = ARENA_INIT;
	struct test_report report;
	struct suite suite;
	read_text("cd app && ./suite",
		"1..3\nnot ok 1 - a\n# Failed: lib/a.c:3\nok 2 - app/b\nnot ok 3 - /tmp/tree/app/c.t\n", 1,
		&arena, &report);
	assert_result(&report, "app/a", TEST_FAILED, NULL, "app/lib/a.c", 3);
	assert_result(&report, "app/b", TEST_PASSED, NULL, NULL, 0);
	assert_result(&report, "app/c.t", TEST_FAILED, NULL, NULL, 0);
	assert_int_equal(report.n, 3);
	read_text("cd app && ./suite", "../lib/b.c:7: error: no\n", 1, &arena, &report);
	assert_result(&report, "cd app && ./suite", TEST_ERROR, NULL, "lib/b.c", 7);
	const char *const ids[] = {"app/a.py::x", "b.py::y"};
	suite_from_command("cd app && pytest", "", &arena, &suite);
	assert_string_equal(suite_targeted(&suite, ids, 2, &arena), "pytest a.py::x b.py::y");
	suite.targeted = "sh app/run {{tests}}";
	assert_string_equal(
		suite_targeted(&suite, ids, 1, &arena), "cd \"$OLDPWD\" || exit; sh app/run a.py::x");
}

static void what_a_test_prints_shows_no_other_format(void **state)
{
	(void)state;
	AUTO_ARENA arena = ARENA_INIT;
	struct test_report report;
	read_text(
		"npm test", "  a\n    ✔ b\nnot ok 1\n    ✔ c\n\n  2 passing (3ms)\n", 0, &arena, &report);
	assert_string_equal(report.format, "mocha");
	assert_null(report.problem);
	assert_counts(&report, COUNTS(2, 0, 0, 0, 0));
	read_text("npm test", "not ok 1\n", 0, &arena, &report);
	assert_string_equal(report.format, "tap");
	assert_string_equal(report.problem, "the TAP output ends before its plan");
}

static void a_run_may_say_how_many_tests_it_has(void **state)
{
	(void)state;
	static const struct {
		const char *text;
		size_t n;
	} rows[] = {
		{"== test session starts ==\ncollected 509 items\n\n1/7 x", 509},
		{"1..19\nok 1 - collected 3 items\n", 19},
		{" 3/12 Test  #3: parse ......   Passed\n 10/12 Test #10: dump\n", 12},
		{"running 4 tests\ntest a ... ok\nrunning 1 test\n", 5},
		{"13/12 of a dozen\nok\n", 0},
	};
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		AUTO_CLOSE fd = memfd_create("log", MFD_CLOEXEC);
		assert_true(write(fd, rows[i].text, strlen(rows[i].text)) > 0);
		assert_int_equal(suite_announced(fd), rows[i].n);
	}
}

UNIT(suite_reading)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(lines_are_cleaned),
		cmocka_unit_test(a_program_that_counts_is_not_the_end),
		cmocka_unit_test(invalid_bytes_in_names_become_text),
		cmocka_unit_test(a_run_that_was_ended_is_not_complete),
		cmocka_unit_test(a_crash_is_a_failure_of_the_command),
		cmocka_unit_test(any_command_is_one_test),
		cmocka_unit_test(a_line_that_says_why_is_kept_in_letters_of_any_case),
		cmocka_unit_test(lines_that_are_too_long_are_cut_and_the_next_is_read),
		cmocka_unit_test(the_output_is_kept_as_head_and_tail),
		cmocka_unit_test(an_option_that_the_runner_refuses_is_found),
		cmocka_unit_test(ids_and_places_begin_at_the_root_of_the_tree),
		cmocka_unit_test(damaged_output_of_every_kind_is_read),
		cmocka_unit_test(a_run_may_say_how_many_tests_it_has),
		cmocka_unit_test(what_a_test_prints_shows_no_other_format),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
