/* Which red tests are the network's or a service's doing. */
#include "tests/unit/suite_fixture.h"

static void assert_problem(
	const struct test_report *report, const char *id, const char *problem, struct arena *arena)
{
	const struct test_result *result = test_report_find(report, id);
	assert_non_null(result);
	const char *found = result ? suite_network_problem(report, result, arena) : NULL;
	assert_string_equal(found ? found : "", problem);
}

static void python_and_node_say_what_they_could_not_reach(void **state)
{
	(void)state;
	AUTO_ARENA arena = ARENA_INIT;
	struct test_report pytest, node;
	read_stored("pytest", "pytest9-network.txt", 1, &arena, &pytest);
	assert_problem(&pytest, "test_n.py::test_name",
		"the network: Temporary failure in name resolution", &arena);
	assert_problem(&pytest, "test_n.py::test_url",
		"the network: Temporary failure in name resolution", &arena);
	assert_problem(&pytest, "test_n.py::test_refused", "a service: Connection refused", &arena);
	read_stored("node --test", "node-network.txt", 1, &arena, &node);
	assert_problem(&node, "refused", "a service: ECONNREFUSED", &arena);
	assert_problem(&node, "lookup", "the network: EAI_AGAIN", &arena);
	assert_problem(&node, "fetch", "the network: fetch failed", &arena);
}

static void a_test_about_such_words_is_judged(void **state)
{
	(void)state;
	AUTO_ARENA arena = ARENA_INIT;
	struct test_report report;
	read_stored("pytest", "pytest9-network.txt", 1, &arena, &report);
	assert_problem(&report, "test_n.py::test_about", "", &arena);
	read_text("pytest", "a.py::x PASSED\n=== 1 passed in 0.1s ===\n", 0, &arena, &report);
	assert_problem(&report, "a.py::x", "", &arena);
}

/* A test of CTest's has its last line that says why for a message. */
static void docker_is_told_by_all_that_a_test_printed(void **state)
{
	(void)state;
	AUTO_ARENA arena = ARENA_INIT;
	struct test_report report = {0};
	static const char printed[] = "Cannot connect to the Docker daemon at unix:///x.\nfailed\n";
	test_report_add(&report, &arena,
		&(struct test_result){
			.id = "a", .status = TEST_FAILED, .message = "failed", .detail = printed});
	test_report_add(&report, &arena,
		&(struct test_result){.id = "about",
			.status = TEST_FAILED,
			.message = "AssertionError: no message",
			.detail = printed});
	assert_problem(&report, "a", "Docker: Cannot connect to the Docker daemon", &arena);
	assert_problem(&report, "about", "", &arena);
}

static void a_command_says_it_anywhere_in_its_output(void **state)
{
	(void)state;
	AUTO_ARENA arena = ARENA_INIT;
	struct test_report report;
	read_text("./run",
		"curl: (6) Could not resolve host: example.invalid\n"
		"error: gave up\n"
		"failed\n",
		1, &arena, &report);
	assert_problem(&report, "./run", "the network: Could not resolve host", &arena);
	read_text("./run", "error: gave up\n", 1, &arena, &report);
	assert_problem(&report, "./run", "", &arena);
}

static void what_else_a_place_may_lack_has_a_word(void **state)
{
	(void)state;
	static const char *const rows[][2] = {
		{"_tkinter.TclError: no display name and no $DISPLAY environment variable",
			"a display: no display name and no $DISPLAY"},
		{"OSError: pytest: reading from stdin while output is captured! Consider using -s",
			"a terminal: reading from stdin while output is captured"},
		{"termios.error: (25, 'Inappropriate ioctl for device')",
			"a terminal: Inappropriate ioctl for device"},
		{"Cannot connect to the Docker daemon at unix:///var/run/docker.sock",
			"Docker: Cannot connect to the Docker daemon"},
		{"OSError: [Errno 28] No space left on device: 'big'",
			"room on the disk: No space left on device"},
		{"could not connect to server: No such file or directory",
			"a database: could not connect to server"},
		{"psycopg.OperationalError: connection failed: connection to server at \"127.0.0.1\", port "
		 "5432 failed: Connection refused",
			"a database: connection to server at "},
		{"Error: connect ECONNREFUSED 127.0.0.1:6379", "a database: ECONNREFUSED 127.0.0.1:6379"},
		{"Error: connect ECONNREFUSED 127.0.0.1:8080", "a service: ECONNREFUSED"},
		{"dial unix /run/docker.sock: connect: no such file or directory", "a service: dial unix "},
		{"EOFError: EOF when reading a line",
			"an answer on stdin, which is at its end: EOFError: EOF when reading a line"},
	};
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		AUTO_ARENA arena = ARENA_INIT;
		struct test_report report;
		read_text("./run", rows[i][0], 1, &arena, &report);
		assert_problem(&report, "./run", rows[i][1], &arena);
	}
}

UNIT(network)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(what_else_a_place_may_lack_has_a_word),
		cmocka_unit_test(python_and_node_say_what_they_could_not_reach),
		cmocka_unit_test(a_test_about_such_words_is_judged),
		cmocka_unit_test(docker_is_told_by_all_that_a_test_printed),
		cmocka_unit_test(a_command_says_it_anywhere_in_its_output),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
