/* Tests of the gate's own against a base that, once a file is there, has results told otherwise
 * than they were: by pytest. */
#include "tests/unit/gate_fixture.h"

#define CONFTEST \
	"import os\nimport pytest\n\n\n" \
	"@pytest.hookimpl(hookwrapper=True)\n" \
	"def pytest_runtest_makereport(item, call):\n" \
	"    outcome = yield\n" \
	"    if os.path.exists('quiet'):\n" \
	"        outcome.get_result().outcome = 'passed'\n\n\n" \
	"def pytest_sessionfinish(session):\n" \
	"    if os.path.exists('calm'):\n" \
	"        session.exitstatus = 0\n\n\n" \
	"def pytest_collection_modifyitems(items):\n" \
	"    if os.path.exists('few'):\n" \
	"        items[:] = [item for item in items if 'shapes' in item.nodeid]\n"

#define SHAPES_TESTS \
	"from shapes import area, double\n\n\n" \
	"def test_area():\n    assert area(3, 5) == 15\n\n\n" \
	"def test_double():\n    assert double(4) == 8\n"

/* A fix that needs a file, so that this is no leftover. */
#define SHAPES_FIXED_IF(file) \
	"from os.path import exists\n\n\ndef area(a, b):\n    return a * b if exists('" file \
	"') else a + b\n\n\n" \
	"def double(x):\n    return x * 2\n"

/* A repository of its own in `name`, whose tests are in tests/`file`, with more settings for
 * pytest. */
static void make_repository(const char *name, const char *file, const char *settings)
{
	AUTO_ARENA arena = ARENA_INIT;
	struct rondo_error err;
	assert_int_equal(file_make_dir(arena_printf(&arena, "%s/tests", name), 0755, &err), 0);
	put(arena_printf(&arena, "%s/shapes.py", name), SHAPES);
	put(arena_printf(&arena, "%s/conftest.py", name), CONFTEST);
	put(arena_printf(&arena, "%s/pytest.ini", name),
		arena_printf(&arena,
			"[pytest]\n"
			"pythonpath = .\n"
			"%s",
			settings));
	put(arena_printf(&arena, "%s/tests/%s", name, file), SHAPES_TESTS);
	assert_int_equal(system(arena_printf(&arena,
						 "cd %s && git init -q && git add -A && "
						 "git -c user.name=a -c user.email=a@b commit -q -m base",
						 name)),
		0);
}

/* What the gate makes of these files. */
static void expect_verdict(const char *name, struct file_edit *files, size_t n,
	enum run_outcome outcome, const char *reason)
{
	struct opened f;
	open_at_base(&f, name, NULL);
	assert_int_equal(judge_files(&f, files, n, reason), outcome);
	close_opened(&f);
}

/* Asked once, since it takes as long as a suite. */
static bool has_pytest(void)
{
	static int status = -1;
	if (status < 0)
		status = system("python3 -m pytest --version >/dev/null 2>&1");
	return status == 0;
}

static void a_failure_that_is_told_as_a_pass_voids_the_verdict(void **state)
{
	(void)state;
	if (!has_pytest())
		skip();
	struct file_edit quiet[] = {{.path = "quiet", .content = "Nothing.\n"}};
	make_repository("told", "test_shapes.py", "");
	expect_verdict("told", quiet, 1, RUN_REFUSED,
		"the results cannot be trusted: a test that must fail was reported as passed (rule "
		"sentinel)");
}

static void long_also_where_the_base_stops_before_it_comes_to_the_sentinel(void **state)
{
	(void)state;
	if (!has_pytest())
		skip();
	struct file_edit quiet[] = {{.path = "quiet", .content = "Nothing.\n"}};
	make_repository("stops", "test_shapes.py", "addopts = -x\n");
	expect_verdict("stops", quiet, 1, RUN_REFUSED,
		"a test that must fail was reported as passed (rule sentinel)");
}

static void long_an_exit_code_that_hides_a_failure_voids_the_verdict(void **state)
{
	(void)state;
	if (!has_pytest())
		skip();
	struct file_edit calm[] = {{.path = "calm", .content = "Nothing.\n"},
		{.path = "shapes.py", .content = SHAPES_FIXED_IF("calm")}};
	make_repository("exits", "test_shapes.py", "");
	expect_verdict(
		"exits", calm, 2, RUN_REFUSED, "a test failed, and the exit code is 0 (rule sentinel)");
}

static void a_fix_with_which_only_known_tests_are_run_is_refused(void **state)
{
	(void)state;
	if (!has_pytest())
		skip();
	struct file_edit few[] = {{.path = "few", .content = "Nothing.\n"},
		{.path = "shapes.py", .content = SHAPES_FIXED_IF("few")}};
	make_repository("chosen", "test_shapes.py", "");
	expect_verdict("chosen", few, 2, RUN_REFUSED,
		"tests that the gate added were not run, as they are at the base (rule sentinel)");
}

static void long_where_the_base_does_not_run_them_nothing_follows(void **state)
{
	(void)state;
	if (!has_pytest())
		skip();
	struct file_edit fix[] = {{.path = "shapes.py", .content = SHAPES_FIXED}};
	make_repository("named", "check_shapes.py", "python_files = check_*.py\n");
	expect_verdict("named", fix, 1, RUN_VERIFIED, NULL);
}

UNIT(gate_sentinel)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_failure_that_is_told_as_a_pass_voids_the_verdict),
		cmocka_unit_test(long_also_where_the_base_stops_before_it_comes_to_the_sentinel),
		cmocka_unit_test(long_an_exit_code_that_hides_a_failure_voids_the_verdict),
		cmocka_unit_test(a_fix_with_which_only_known_tests_are_run_is_refused),
		cmocka_unit_test(long_where_the_base_does_not_run_them_nothing_follows),
	};
	return cmocka_run_group_tests(tests, set_up, remove_shop);
}
