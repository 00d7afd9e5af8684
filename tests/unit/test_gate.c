/* The gate against coders that want to win: the desk is edited by hand, the gate judges. */
#include "tests/unit/unit.h"

#include <stdio.h>
#include <unistd.h>

#include "base/file.h"
#include "base/memory.h"
#include "run/stages.h"

#define SHAPES "def area(a, b):\n    return a + b\n\n\ndef double(x):\n    return x * 2\n"
#define SHAPES_FIXED "def area(a, b):\n    return a * b\n\n\ndef double(x):\n    return x * 2\n"
#define TESTS \
	"from shapes import area, double\n" \
	"def say(n, name, ok): print('ok' if ok else 'not ok', n, '-', name)\n" \
	"say(1, 'area', area(3, 5) == 15)\nsay(2, 'double', double(4) == 8)\nprint('1..2')\n" \
	"raise SystemExit(area(3, 5) != 15 or double(4) != 8)\n"
#define MAKEFILE "check:\n\t@PYTHONPATH=. python3 tests/run.py\n"
#define PROGRAM "def area(a, b):\n    return a + b\n\n\nassert area(3, 5) == 15\nassert area(1, 1) == 1\n"

static char top[] = "/tmp/rondo-test-gate-XXXXXX";

static void put(const char *path, const char *text)
{
	struct rondo_error err;
	assert_int_equal(file_write(path, text, strlen(text), 0644, &err), 0);
}

static int set_up(void **state)
{
	(void)state;
	struct rondo_error err;
	if (!mkdtemp(top) || chdir(top) < 0)
		return -1;
	setenv("HOME", top, 1);
	setenv("XDG_STATE_HOME", top, 1);
	setenv("XDG_CACHE_HOME", top, 1);
	file_make_dir("shop/tests", 0755, &err);
	put("shop/shapes.py", SHAPES);
	put("shop/tests/run.py", TESTS);
	put("shop/Makefile", MAKEFILE);
	put("program.py", PROGRAM);
	return system("cd shop && git init -q && git add -A && "
		      "git -c user.name=a -c user.email=a@b commit -q -m base");
}

static int tear_down(void **state)
{
	(void)state;
	struct rondo_error err;
	return chdir("/") == 0 ? file_remove_tree(top, &err) : -1;
}

/* A run up to its baseline; local, since only the gate's judgement matters here. */
struct fixture {
	struct run run;
	struct scenario scenario;
	struct run_result result;
	struct arena arena;
	struct context ctx;
};

static void open_run(struct fixture *f, const char *path)
{
	struct rondo_error err;
	bool done = true;
	*f = (struct fixture){0};
	struct fix_options options = {0};
	options.executor = "local";
	options.path = path;
	if (fix_scenario(&f->scenario, &options, &f->arena, &err) < 0)
		fail_msg("%s", err.message);
	struct run_order order = {.scenario = &f->scenario};
	if (run_begin(&f->run, &order, &f->ctx, &f->arena, &f->result, &err) < 0 ||
		site_open(&f->run, &err) < 0 || site_furnish(&f->run, &err) < 0 ||
		baseline_run(&f->run, &done, &err) < 0)
		fail_msg("%s", err.message);
	assert_false(done);
}

static enum run_outcome judge_edit(const char *path, const char *edited, const char *content,
	const char *reason)
{
	struct fixture f;
	struct rondo_error err;
	struct object tree = {""};
	open_run(&f, path);
	struct file_edit file = {.path = edited, .content = content, .remove = !content};
	struct edit edit = {.description = "by hand", .files = &file, .n = edited != NULL};
	assert_int_equal(worktree_apply(f.run.desk.worktree, &edit, &err), 0);
	if (gate_run(&f.run, &tree, &err) < 0)
		fail_msg("%s", err.message);
	if (reason && !strstr(f.result.reason ? f.result.reason : "", reason))
		fail_msg("'%s' is not in '%s'", reason, f.result.reason ? f.result.reason : "");
	enum run_outcome outcome = f.result.outcome;
	run_end(&f.run);
	arena_release(&f.arena);
	return outcome;
}

static void a_fix_is_verified(void **state)
{
	(void)state;
	assert_int_equal(judge_edit("shop", "shapes.py", SHAPES_FIXED, NULL), RUN_VERIFIED);
}

static void a_changed_test_is_refused_by_its_rule(void **state)
{
	(void)state;
	static const char easy[] = "print('ok 1 - area\\nok 2 - double\\n1..2')\n";
	assert_int_equal(
		judge_edit("shop", "tests/run.py", easy, "tests/run.py (rule protected-test)"), RUN_REFUSED);
	assert_int_equal(judge_edit("shop", "tests/run.py", NULL, "protected-test"), RUN_REFUSED);
}

static void a_changed_makefile_is_refused_by_its_rule(void **state)
{
	(void)state;
	assert_int_equal(judge_edit("shop", "Makefile", "check:\n\t@true\n", "Makefile (rule protected-configuration)"),
		RUN_REFUSED);
}

static void a_fix_that_breaks_a_test_is_none(void **state)
{
	(void)state;
	static const char broken[] = "def area(a, b):\n    return a * b\n\n\ndef double(x):\n    return x\n";
	assert_int_equal(judge_edit("shop", "shapes.py", broken, "double"), RUN_NOT_FIXED);
}

static void a_fix_that_ends_the_run_early_is_none(void **state)
{
	(void)state;
	static const char early[] = "import os\nprint('ok 1 - area', flush=True)\nos._exit(0)\n";
	assert_int_equal(judge_edit("shop", "shapes.py", early, NULL), RUN_NOT_FIXED);
}

static void no_change_is_no_fix(void **state)
{
	(void)state;
	assert_int_equal(judge_edit("shop", NULL, NULL, NULL), RUN_NOT_FIXED);
}

static void a_program_must_keep_its_assertions(void **state)
{
	(void)state;
	assert_int_equal(judge_edit("program.py", "program.py",
				 "def area(a, b):\n    return a * b\n\n\nassert area(1, 1) == 1\n", "protected-assertion"),
		RUN_REFUSED);
}

static void a_program_must_reach_its_end(void **state)
{
	(void)state;
	assert_int_equal(judge_edit("program.py", "program.py",
				 "def area(a, b):\n    raise SystemExit(0)\n\n\n"
				 "assert area(3, 5) == 15\nassert area(1, 1) == 1\n", NULL),
		RUN_REFUSED);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_fix_is_verified),
		cmocka_unit_test(a_changed_test_is_refused_by_its_rule),
		cmocka_unit_test(a_changed_makefile_is_refused_by_its_rule),
		cmocka_unit_test(a_fix_that_breaks_a_test_is_none),
		cmocka_unit_test(a_fix_that_ends_the_run_early_is_none),
		cmocka_unit_test(no_change_is_no_fix),
		cmocka_unit_test(a_program_must_keep_its_assertions),
		cmocka_unit_test(a_program_must_reach_its_end),
	};
	return cmocka_run_group_tests(tests, set_up, tear_down);
}
