/* A goal of two groups, of which a fix may be for one. */
#include "tests/unit/run_fixture.h"

#include "run/report/report.h"

#define SHAPES(area, edge, double_) \
	"def area(a, b):\n    return " area "\n\n\ndef edge(a):\n    return " edge \
	"\n\n\ndef double(x):\n    return " double_ "\n"
/* What fails is said to fail in a test file of its own. */
#define TESTS \
	"import sys\nfrom shapes import area, edge, double\n" \
	"tests = [('area', area(3, 5) == 15, 'area'), ('wide', area(1, 7) == 7, 'area'),\n" \
	"         ('edge', edge(2) == 8, 'edge'), ('double', double(4) == 8, 'double')]\n" \
	"for i, (name, ok, file) in enumerate(tests):\n" \
	"    print('ok' if ok else 'not ok', i + 1, '-', name)\n" \
	"    ok or print(f'# tests/{file}.py:1: wrong')\n" \
	"print('1..4')\nsys.exit(not all(ok for _, ok, _ in tests))\n"

static void put_base(void)
{
	put("shop/shapes.py", SHAPES("a + b", "a", "x * 2"));
	put("shop/tests/run.py", TESTS);
	put("shop/Makefile", "check:\n\t@PYTHONPATH=. python3 -S tests/run.py\n");
}

static int set_up(void **state)
{
	(void)state;
	return make_shop(put_base);
}

struct judged {
	struct opened opened;
	struct verdict_stage verdict;
};

/* Let the gate judge shapes.py with this content. */
static enum run_outcome judge_shapes(struct judged *judged, const char *shapes, bool all)
{
	static const struct talk_facts silent;
	struct rondo_error err;
	struct run *run = &judged->opened.run;
	struct file_edit file = {.path = "shapes.py", .content = shapes};
	struct edit edit = {.description = "by hand", .files = &file, .n = 1};
	*judged = (struct judged){.verdict = {.is_changed = false}};
	open_at_base(&judged->opened, "shop", NULL);
	judged->opened.scenario.verify.all = all;
	assert_int_equal(run->baseline->result.n_groups, 2);
	assert_int_equal(worktree_apply(run->site->main.worktree, &edit, &err), 0);
	if (verdict_reach(&judged->verdict, &run->env, run->site, run->baseline, &run->recorder.states,
			&silent, &run->services, &err) < 0)
		fail_msg("%s", err.message);
	run->verdict = &judged->verdict;
	report_compose(run, &judged->opened.report);
	return judged->opened.report.outcome;
}

static void a_group_that_passes_is_a_fix_in_part(void **state)
{
	(void)state;
	struct judged judged;
	assert_int_equal(
		judge_shapes(&judged, SHAPES("a * b", "a", "x * 2"), false), RUN_VERIFIED_IN_PART);
	const struct run_report *report = &judged.opened.report;
	const struct option_strings *unfixed = &judged.verdict.facts.unfixed;
	assert_int_equal(unfixed->n, 1);
	assert_string_equal(unfixed->items[0], "edge");
	assert_int_equal(report->n_fixed, 2);
	assert_int_equal(report_count_fixed(report), 2);
	assert_int_equal(run_outcome_exit_code(report->outcome), 1);
	close_opened(&judged.opened);
}

static void all_groups_are_a_whole_fix(void **state)
{
	(void)state;
	struct judged judged;
	assert_int_equal(judge_shapes(&judged, SHAPES("a * b", "4 * a", "x * 2"), true), RUN_VERIFIED);
	assert_int_equal(judged.verdict.facts.unfixed.n, 0);
	close_opened(&judged.opened);
}

static void what_is_not_a_fix_in_part(void **state)
{
	(void)state;
	static const struct {
		const char *shapes;
		bool all;
		const char *reason;
	} cases[] = {
		/* the whole goal is asked for */
		{SHAPES("a * b", "a", "x * 2"), true, "1 of 3 tests of the goal does not pass: edge"},
		/* a group passes in part */
		{SHAPES("15", "a", "x * 2"), false, "2 of 3 tests of the goal do not pass"},
		/* a test that passed is lost */
		{SHAPES("a * b", "a", "x"), false, "1 of 3 tests of the goal does not pass: edge"},
	};
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct judged judged;
		assert_int_equal(judge_shapes(&judged, cases[i].shapes, cases[i].all), RUN_NOT_FIXED);
		if (!strstr(judged.verdict.ending.reason, cases[i].reason))
			fail_msg("'%s' is not in '%s'", cases[i].reason, judged.verdict.ending.reason);
		close_opened(&judged.opened);
	}
}

UNIT(gate_part)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_group_that_passes_is_a_fix_in_part),
		cmocka_unit_test(all_groups_are_a_whole_fix),
		cmocka_unit_test(what_is_not_a_fix_in_part),
	};
	return cmocka_run_group_tests(tests, set_up, remove_shop);
}
