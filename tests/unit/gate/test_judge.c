/* How the judge ends a run that hangs, and what becomes of a test that hangs at the base. */
#include "tests/unit/run_fixture.h"

#include "base/clock.h"

/* Prints as unittest does; the tests in HANGS do not end. */
#define RUN \
	"from shapes import HANGS\nimport signal, sys\n" \
	"for name in sys.argv[1:] or ['test_a', 'test_b', 'test_c']:\n" \
	"    print(f'{name} (m.C.{name}) ... ', end='', flush=True)\n" \
	"    if name in HANGS: signal.pause()\n" \
	"    print('ok', flush=True)\n" \
	"print('Ran 3 tests in 0.1s')\n"

static void put_base(void)
{
	put("shop/shapes.py", "HANGS = ['test_b']\n");
	put("shop/tests/run.py", RUN);
	put("shop/tests/first.py", "print('1..1')\nprint('not ok 1 - x')\nraise SystemExit(1)\n");
	put("shop/Makefile", "check:\n\t@python3 -S tests/first.py\n");
}

static int set_up(void **state)
{
	(void)state;
	return make_shop(put_base);
}

static void hang_judge(struct opened *f, const struct judge_options *options, struct suite *suite,
	struct test_report *report)
{
	struct rondo_error err;
	suite_from_command("PYTHONPATH=. python3 -S tests/run.py", "from a test", &f->arena, suite);
	suite->format = "unittest";
	if (judge(&f->run.site->workers[0], suite, options, &f->arena, report, &f->ctx, &err) < 0)
		fail_msg("%s", err.message);
}

static void a_run_ends_when_its_test_is_silent_for_too_long(void **state)
{
	(void)state;
	struct opened f;
	struct suite suite;
	struct test_report report;
	open_at_base(&f, "shop", NULL);
	int64_t begun_ms = clock_now_ms();
	struct judge_options options = {.timeout_ms = 600000, .silence_ms = 3000};
	hang_judge(&f, &options, &suite, &report);
	assert_in_range(clock_now_ms() - begun_ms, 3000, 300000);
	assert_false(report.complete);
	assert_string_equal(report.hung, "m.C.test_b");
	assert_int_equal(report.n, 2);
	assert_string_equal(report.problem, "m.C.test_b does not end");
	close_opened(&f);
}

static void note_progress(void *owner, const struct rondo_event *event)
{
	if (event->type == RONDO_EVENT_PROGRESS)
		snprintf(owner, 80, "%s", event->text);
}

static void long_tests_are_counted_while_they_run(void **state)
{
	(void)state;
	struct opened f;
	struct suite suite;
	struct test_report report;
	char said[80] = "";
	open_at_base(&f, "shop", NULL);
	f.ctx.emit.call = note_progress;
	f.ctx.emit.owner = said;
	struct judge_options options = {.timeout_ms = 600000, .silence_ms = 3000, .shown_as = "tester"};
	hang_judge(&f, &options, &suite, &report);
	assert_string_equal(said, "running the suite: 1 test so far, 0 red");
	close_opened(&f);
}

static void of_announced_tests_a_bar_shows_how_many_have_ended(void **state)
{
	(void)state;
	struct opened f;
	struct suite suite;
	struct test_report report;
	struct rondo_error err;
	char said[80] = "";
	static const char line[] =
		"printf '1..4\\nok 1 - a\\nnot ok 2 - b\\n'; exec python3 -S -c 'import "
		"signal; signal.pause()'";
	open_at_base(&f, "shop", NULL);
	f.ctx.emit.call = note_progress;
	f.ctx.emit.owner = said;
	struct judge_options options = {.timeout_ms = 600000, .silence_ms = 300, .shown_as = "tester"};
	suite_from_command(line, "from a test", &f.arena, &suite);
	assert_int_equal(
		judge(&f.run.site->workers[0], &suite, &options, &f.arena, &report, &f.ctx, &err), 0);
	assert_string_equal(said, "running the suite: [##########..........] 2 of 4 tests, 1 red");
	close_opened(&f);
}

static void a_suite_that_hangs_before_its_tests_is_one_test(void **state)
{
	(void)state;
	struct opened f;
	struct suite suite;
	struct test_report report;
	struct rondo_error err;
	static const char line[] = "python3 -S -c 'import signal; signal.pause()'";
	open_at_base(&f, "shop", NULL);
	struct judge_options options = {.timeout_ms = 600000, .silence_ms = 20};
	suite_from_command(line, "from a test", &f.arena, &suite);
	if (judge(&f.run.site->workers[0], &suite, &options, &f.arena, &report, &f.ctx, &err) < 0)
		fail_msg("%s", err.message);
	const struct test_result *result = test_report_find(&report, line);
	assert_non_null(result);
	assert_int_equal(result->status, TEST_ERROR);
	assert_true(text_starts_with(result->message, HUNG ": nothing was printed for "));
	assert_string_equal(report.hung, line);
	assert_null(suite_targeted(&suite, &report.hung, 1, &f.arena));
	assert_false(judge_was_built(&report));
	close_opened(&f);
}

/* Whatever else the machine does: the silence alone would be waited for much longer. */
static void long_what_computes_is_stopped_by_its_processor_time(void **state)
{
	(void)state;
	struct opened f;
	struct suite suite;
	struct test_report report;
	struct rondo_error err;
	static const char line[] = "while :; do :; done";
	open_at_base(&f, "shop", NULL);
	struct judge_options options = {
		.timeout_ms = 600000, .silence_ms = 300000, .computing_ms = 100};
	suite_from_command(line, "from a test", &f.arena, &suite);
	if (judge(&f.run.site->workers[0], &suite, &options, &f.arena, &report, &f.ctx, &err) < 0)
		fail_msg("%s", err.message);
	assert_string_equal(report.hung, line);
	assert_true(report.duration_ms < 100000);
	close_opened(&f);
}

static void a_cancelled_run_is_no_silent_one(void **state)
{
	(void)state;
	struct opened f;
	struct suite suite;
	struct test_report report;
	struct rondo_error err;
	struct cancel cancel;
	open_at_base(&f, "shop", NULL);
	assert_int_equal(cancel_init(&cancel, NULL, 200, &err), 0);
	f.ctx.cancel = &cancel;
	struct judge_options options = {.timeout_ms = 600000, .silence_ms = 300000};
	suite_from_command("PYTHONPATH=. python3 -S tests/run.py", "from a test", &f.arena, &suite);
	assert_int_equal(
		judge(&f.run.site->workers[0], &suite, &options, &f.arena, &report, &f.ctx, &err), -1);
	assert_int_equal(err.code, RONDO_ERROR_CANCELLED);
	f.ctx.cancel = NULL;
	cancel_release(&cancel);
	close_opened(&f);
}

/* A compiler that complains is done before tests would have begun. */
static void a_run_in_which_nothing_was_built_sets_no_limit(void **state)
{
	(void)state;
	static const struct {
		const char *format, *output;
		enum test_status status, other;
		bool was_built;
	} cases[] = {
		{"exit", "shapes.c:3:2: error: expected ';'", TEST_FAILED, TEST_FAILED, false},
		{"exit", "Assertion failed", TEST_FAILED, TEST_FAILED, true},
		{"pytest", "", TEST_ERROR, TEST_ERROR, false},
		{"pytest", "", TEST_ERROR, TEST_FAILED, true},
		{"pytest", "error: SyntaxError", TEST_ERROR, TEST_PASSED, true},
		{"pytest", "", TEST_PASSED, TEST_PASSED, true},
	};
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		AUTO_ARENA arena = ARENA_INIT;
		struct suite suite;
		struct baseline baseline = {.goal = (const char *[]){"a"}, .n_goal = 1};
		struct test_report report = {.format = cases[i].format,
			.output = cases[i].output,
			.complete = true,
			.duration_ms = 2000};
		test_report_add(
			&report, &arena, &(struct test_result){.id = "a", .status = cases[i].status});
		test_report_add(
			&report, &arena, &(struct test_result){.id = "b", .status = cases[i].other});
		assert_int_equal(judge_was_built(&report), cases[i].was_built);
		suite_from_command("pytest", "from a test", &arena, &suite);
		baseline.first = &report;
		struct judge_options options = judge_goal_options(&suite, &baseline, &arena);
		assert_int_equal(options.timeout_ms, cases[i].was_built ? 6000 : 60000);
	}
}

UNIT(judge)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_run_ends_when_its_test_is_silent_for_too_long),
		cmocka_unit_test(long_tests_are_counted_while_they_run),
		cmocka_unit_test(of_announced_tests_a_bar_shows_how_many_have_ended),
		cmocka_unit_test(a_suite_that_hangs_before_its_tests_is_one_test),
		cmocka_unit_test(long_what_computes_is_stopped_by_its_processor_time),
		cmocka_unit_test(a_run_in_which_nothing_was_built_sets_no_limit),
		cmocka_unit_test(a_cancelled_run_is_no_silent_one),
	};
	return cmocka_run_group_tests(tests, set_up, remove_shop);
}
