/* A run whose main checkout is edited by hand; the gate judges. */
#pragma once
#include "tests/unit/run_fixture.h"

#define SHAPES "def area(a, b):\n    return a + b\n\n\ndef double(x):\n    return x * 2\n"
#define SHAPES_FIXED "def area(a, b):\n    return a * b\n\n\ndef double(x):\n    return x * 2\n"
#define TESTS \
	"from shapes import area, double\n" \
	"def say(n, name, ok): print('ok' if ok else 'not ok', n, '-', name)\n" \
	"say(1, 'area', area(3, 5) == 15)\nsay(2, 'double', double(4) == 8)\nprint('1..2')\n" \
	"raise SystemExit(area(3, 5) != 15 or double(4) != 8)\n"
#define MAKEFILE "check:\n\t@PYTHONPATH=. python3 -S tests/run.py\n"
#define PROGRAM \
	"def area(a, b):\n    return a + b\n\n\nassert area(3, 5) == 15\nassert area(1, 1) == 1\n"

#define MAIN_PROGRAM(head, end) \
	head "def area(a, b):\n    return a + b\n\n\ndef main():\n" \
		 "    assert area(3, 5) == 15\n    assert area(1, 1) == 1\n\n\n" \
		 "if __name__ == '__main__':\n    main()\n" end

static void put_base(void)
{
	put("shop/shapes.py", SHAPES);
	put("shop/tests/run.py", TESTS);
	put("shop/Makefile", MAKEFILE);
	put("shop/tests/Makefile", "none:\n");
	put("program.py", PROGRAM);
	put("main.py", MAIN_PROGRAM("", ""));
	put("ends.py", MAIN_PROGRAM("import sys\n", "    sys.exit(0)\n"));
}

static int set_up(void **state)
{
	(void)state;
	return make_shop(put_base);
}

/* Put files into the main checkout (no content: they go) and let the gate judge. */
static enum run_outcome judge_files(
	struct opened *f, struct file_edit *files, size_t n, const char *reason)
{
	static const struct talk_facts silent;
	struct rondo_error err;
	struct run *run = &f->run;
	struct edit edit = {.description = "by hand", .files = files, .n = n};
	struct verdict_stage *verdict = arena_alloc(&f->arena, sizeof *verdict);
	assert_int_equal(worktree_apply(run->site->main.worktree, &edit, &err), 0);
	if (verdict_reach(verdict, &run->env, run->site, run->baseline, &run->recorder.states, &silent,
			&run->services, &err) < 0)
		fail_msg("%s", err.message);
	run->verdict = verdict;
	report_compose(run, &f->report);
	if (reason && !strstr(f->report.reason ? f->report.reason : "", reason))
		fail_msg("'%s' is not in '%s'", reason, f->report.reason ? f->report.reason : "");
	return f->report.outcome;
}
