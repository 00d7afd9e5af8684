/* The test that a run was stopped in, and commands that leave it out. */
#include "tests/unit/suite_fixture.h"

static void read_ended(const char *command, const char *text, enum process_end end,
	int64_t silent_ms, struct arena *arena, struct test_report *report)
{
	struct suite suite;
	struct rondo_error err;
	AUTO_CLOSE log = memfd_create("log", MFD_CLOEXEC);
	suite_from_command(command, "from a test", arena, &suite);
	assert_int_equal(write(log, text, strlen(text)), strlen(text));
	struct process_result result = {
		.end = end, .exit_code = 124, .duration_ms = 10000, .output_bytes = strlen(text)};
	struct suite_output output = {
		.log = log, .dir = "/tmp/tree", .result = &result, .silent_ms = silent_ms};
	assert_int_equal(suite_read(&suite, &output, arena, report, &err), 0);
	assert_false(report->complete);
}

static void read_stopped(const char *command, const char *text, int64_t silent_ms,
	struct arena *arena, struct test_report *report)
{
	read_ended(command, text, PROCESS_TIMEOUT, silent_ms, arena, report);
}

#define PYTEST \
	"============================= test session starts ==============================\n" \
	"collecting ... collected 3 items\n\ntests/test_a.py::test_one PASSED       [ 33%]\n"
#define CTEST \
	"Test project /tmp/x\n    Start 1: one\n1/2 Test #1: one ...............   Passed    0.01 " \
	"sec\n"
#define GO_EVENT(action, test) \
	"{\"Time\":\"2026-11-21T10:00:00Z\",\"Action\":\"" action \
	"\",\"Package\":\"example.com/a\",\"Test\":\"" test "\"}\n"
#define CARGO \
	"   Compiling a v0.1.0 (/tmp/tree)\n" \
	"     Running unittests src/lib.rs (target/debug/deps/a-0cbcb27d618d0ea7)\n\nrunning 2 " \
	"tests\n" \
	"test tests::one ... ok\n"

/* What runners have printed when a test does not end; each other test has passed. */
static const struct {
	const char *command, *text, *hung, *other;
} runs[] = {
	{"pytest", PYTEST "tests/test_a.py::test_two ", "tests/test_a.py::test_two",
		"tests/test_a.py::test_one"},
	{"pytest", PYTEST "tests/test_a.py::test_two what it prints\n", "tests/test_a.py::test_two",
		"tests/test_a.py::test_one"},
	{"pytest", PYTEST "tests/test_a.py::test_two[a b] ", "tests/test_a.py::test_two[a b]",
		"tests/test_a.py::test_one"},
	{"python3 -m unittest -v", "test_one (m.C.test_one) ... ok\ntest_two (m.C.test_two) ... ",
		"m.C.test_two", "m.C.test_one"},
	{"go test -json ./...",
		GO_EVENT("run", "TestOne") GO_EVENT("pass", "TestOne") GO_EVENT("run", "TestLater")
			GO_EVENT("pause", "TestLater") GO_EVENT("run", "TestTwo") GO_EVENT("run", "TestTwo/x"),
		"example.com/a::TestTwo/x", "example.com/a::TestOne"},
	{"ctest", CTEST "    Start 2: two\n", "two", "one"},
	{"ctest", CTEST "      Start  2: two\n", "two", "one"}, /* of ten or more */
	{"cargo test", CARGO "test tests::two has been running for over 60 seconds\n",
		"src/lib.rs::tests::two", "src/lib.rs::tests::one"},
	{"cargo test -- --test-threads=1", CARGO "test tests::two ... ", "src/lib.rs::tests::two",
		"src/lib.rs::tests::one"},
};

static void the_test_that_had_begun_does_not_end(void **state)
{
	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(runs); i++) {
		AUTO_ARENA arena = ARENA_INIT;
		struct test_report report;
		read_stopped(runs[i].command, runs[i].text, 9000, &arena, &report);
		if (!report.hung)
			fail_msg("%s: nothing hangs", runs[i].hung);
		assert_string_equal(report.hung, runs[i].hung);
		assert_result(&report, runs[i].hung, TEST_ERROR,
			"does not end: nothing was printed for 9.0 s", NULL, 0);
		assert_result(&report, runs[i].other, TEST_PASSED, NULL, NULL, 0);
		assert_int_equal(report.duration_ms, 1000);
		assert_string_equal(report.problem, arena_printf(&arena, "%s does not end", runs[i].hung));
	}
}

static void the_commands_own_limit_shows_it_too(void **state)
{
	(void)state;
	AUTO_ARENA arena = ARENA_INIT;
	struct test_report report;
	read_ended("timeout 10 pytest", runs[0].text, PROCESS_EXITED, 9000, &arena, &report);
	assert_string_equal(report.hung, runs[0].hung);
	assert_result(
		&report, runs[0].hung, TEST_ERROR, "does not end: nothing was printed for 9.0 s", NULL, 0);
	assert_result(&report, runs[0].other, TEST_PASSED, NULL, NULL, 0);
	read_ended("timeout 10 pytest", runs[0].text, PROCESS_EXITED, 2000, &arena, &report);
	assert_null(report.hung);
}

/* A limit that is too short for the suite stops it in any test. */
static void a_run_that_printed_until_its_end_hangs_in_none(void **state)
{
	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(runs); i++) {
		AUTO_ARENA arena = ARENA_INIT;
		struct test_report report;
		read_stopped(runs[i].command, runs[i].text, 2000, &arena, &report);
		assert_null(report.hung);
		assert_string_equal(report.problem, "timed out after 10 s");
	}
}

static void between_tests_none_hangs(void **state)
{
	(void)state;
	static const struct {
		const char *command, *text;
	} cases[] = {{"pytest", PYTEST}, {"ctest", CTEST}, {"cargo test", CARGO}, {"make check", "x\n"},
		{"go test -json ./...", GO_EVENT("run", "TestOne") GO_EVENT("pass", "TestOne")},
		{"python3 -m unittest -v", "test_one (m.C.test_one) ... ok\n"}};
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		AUTO_ARENA arena = ARENA_INIT;
		struct test_report report;
		read_stopped(cases[i].command, cases[i].text, 9000, &arena, &report);
		assert_null(report.hung);
	}
}

static void a_command_leaves_tests_out(void **state)
{
	(void)state;
	static const struct {
		const char *command, *ids[2];
		size_t n;
		const char *line; /* NULL: it cannot */
	} cases[] = {
		{"pytest -q", {"t.py::a", "t.py::b[x y]"}, 2,
			"export PYTEST_ADDOPTS=\"$PYTEST_ADDOPTS\"' --deselect=t.py::a "
			"'\\''--deselect=t.py::b[x y]'\\'''; pytest -q"},
		{"go test ./...", {"p::TestA/x", "q::TestB"}, 2, "go test -skip '^(TestA|TestB)$' ./..."},
		{"go test ./...", {"p"}, 1, NULL},
		{"cargo test", {"src/lib.rs::tests::a"}, 1,
			"cargo test --no-fail-fast -- --skip tests::a --exact"},
		{"cargo test -- --nocapture", {"src/lib.rs::tests::a"}, 1, NULL},
		{"cmake . && ctest", {"a.b"}, 1, "cmake . && ctest -E '^(a\\.b)$'"},
		{"python3 -m unittest -v", {"m.C.a"}, 1, NULL},
	};
	AUTO_ARENA arena = ARENA_INIT;
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		struct suite suite;
		suite_from_command(cases[i].command, "from a test", &arena, &suite);
		const char *line = suite_without(&suite, cases[i].ids, cases[i].n, &arena);
		if (cases[i].line)
			assert_string_equal(line ? line : "", cases[i].line);
		else
			assert_null(line);
	}
}

UNIT(hung)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_test_that_had_begun_does_not_end),
		cmocka_unit_test(the_commands_own_limit_shows_it_too),
		cmocka_unit_test(a_run_that_printed_until_its_end_hangs_in_none),
		cmocka_unit_test(between_tests_none_hangs),
		cmocka_unit_test(a_command_leaves_tests_out),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
