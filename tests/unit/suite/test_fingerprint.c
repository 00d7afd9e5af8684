/* Whether output has changed: what makes a fingerprint another one, and what does not. */
#include "tests/unit/suite_fixture.h"

#include "verify/suite/fingerprint.h"

static uint32_t of(const char *dir, const char *line)
{
	struct fingerprint fingerprint = {0};
	fingerprint_line(&fingerprint, dir, line);
	return fingerprint.hash;
}

static void what_differs_from_run_to_run_does_not_count(void **state)
{
	(void)state;
	static const char *const same[][2] = {
		{"ran 12 tests in 0.25 s", "ran 7 tests in 10.5 s"},
		{"segfault at 0x7ffe01c0", "segfault at 0x7fab99d1"},
		{"worker-3 of pid 4711", "worker-12 of pid 9"},
		{"build 3f2a81c0 done", "build 99ab01cd done"},
		{"cannot open '/tmp/tmp.x1Zq/a': no", "cannot open '/tmp/tmp.99Az/a': no"},
		{"12:30:01 start", "09:00:59 start"},
	};
	for (size_t i = 0; i < ARRAY_SIZE(same); i++)
		assert_int_equal(of(NULL, same[i][0]), of(NULL, same[i][1]));
	assert_int_equal(of("/cache/a/tree", "/cache/a/tree/x.c:3: no"),
		of("/cache/b/tree", "/cache/b/tree/x.c:3: no"));
}

static void other_words_or_another_order_count(void **state)
{
	(void)state;
	static const char *const other[][2] = {
		{"expected true", "expected false"},
		{"face the music", "fade the music"},
		{"a b", "b a"},
		{"test_x1", "test_y1"},
		{"/home/me/a.c", "/home/me/b.c"},
	};
	for (size_t i = 0; i < ARRAY_SIZE(other); i++)
		assert_int_not_equal(of(NULL, other[i][0]), of(NULL, other[i][1]));
	struct fingerprint one = {0}, two = {0};
	fingerprint_line(&one, NULL, "ab");
	fingerprint_line(&two, NULL, "a");
	fingerprint_line(&two, NULL, "b");
	assert_int_not_equal(one.hash, two.hash);
}

static const char *message_of(const char *text, int exit_code, struct arena *arena)
{
	struct test_report report;
	read_text("./run", text, exit_code, arena, &report);
	return report.results[0]->message;
}

static void a_failing_command_says_whether_its_output_changed(void **state)
{
	(void)state;
	AUTO_ARENA arena = ARENA_INIT;
	const char *first = message_of("took 3 s\nerror: no\n", 2, &arena);
	assert_true(text_starts_with(first, "error: no (exit code 2, output "));
	assert_string_equal(first, message_of("took 14 s\nerror: no\n", 2, &arena));
	assert_string_not_equal(first, message_of("took 3 s\nand more\nerror: no\n", 2, &arena));
	assert_null(message_of("fine\n", 0, &arena));
	assert_string_equal(message_of("", 2, &arena), "exit code 2");
}

static void runs_that_differ_in_it_are_not_flaky(void **state)
{
	(void)state;
	AUTO_ARENA arena = ARENA_INIT;
	struct test_report first, second;
	struct baseline baseline;
	read_text("./run", "error: one\n", 2, &arena, &first);
	read_text("./run", "error: another\n", 2, &arena, &second);
	baseline_make((const struct test_report *const[]){&first, &second}, 2, NULL, &arena, &baseline);
	assert_int_equal(baseline.n_flaky, 0);
	assert_int_equal(baseline.n_goal, 1);
}

UNIT(fingerprint)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(what_differs_from_run_to_run_does_not_count),
		cmocka_unit_test(other_words_or_another_order_count),
		cmocka_unit_test(a_failing_command_says_whether_its_output_changed),
		cmocka_unit_test(runs_that_differ_in_it_are_not_flaky),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
