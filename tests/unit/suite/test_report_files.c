/* Report files that a runner writes into the tree, copied by the shell. */
#include "tests/unit/top_fixture.h"

#include "base/memory.h"
#include "base/strbuf.h"
#include "verify/suite/suite.h"

#define LONG "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"

/* What sh exits with for maven's line in a tree, after `line`. */
static int run(const char *line, const char *report, struct arena *arena)
{
	struct suite suite;
	suite_from_command("mvn test", "from a test", arena, &suite);
	line = suite_line_with_reports(&suite, line, report, arena);
	int status = system(arena_printf(arena, "cd '%s' && { %s\n}", top, line));
	return WEXITSTATUS(status);
}

static void each_report_has_a_copy(void **state)
{
	(void)state;
	AUTO_ARENA arena = ARENA_INIT;
	struct rondo_error err;
	const char **paths, *report = arena_printf(&arena, "%s/my report", top);
	size_t n;
	assert_int_equal(run("for d in a/b_c a_b/c " LONG "/" LONG "/" LONG "/" LONG "; do "
						 "mkdir -p $d/target/surefire-reports; "
						 "echo $d >$d/target/surefire-reports/TEST-x.xml; done; exit 3",
						 report, &arena),
		3);
	assert_int_equal(file_find(report, NULL, &arena, &paths, &n, &err), 0);
	assert_int_equal(n, 3);
	assert_string_equal(paths[0], "100001.xml");
	/* In the order of their paths. */
	AUTO_STRBUF text = STRBUF_INIT(STRBUF_LINE);
	assert_int_equal(
		file_read(arena_printf(&arena, "%s/%s", report, paths[0]), STRBUF_LINE, &text, &err), 0);
	assert_string_equal(text.text, "a/b_c\n");
}

static void a_report_that_is_lost_voids_the_run(void **state)
{
	(void)state;
	AUTO_ARENA arena = ARENA_INIT;
	struct rondo_error err;
	const char *file = arena_printf(&arena, "%s/file", top);
	assert_int_equal(file_create(file, "", 0, 0644, &err), 0);
	assert_int_equal(run("mkdir -p target/surefire-reports; "
						 "echo >target/surefire-reports/TEST-x.xml",
						 arena_printf(&arena, "%s/report", file), &arena),
		125);
	/* Where there is none, nothing is lost. */
	assert_int_equal(run("rm -r target", arena_printf(&arena, "%s/other", top), &arena), 0);
}

UNIT(report_files)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(each_report_has_a_copy, set_up, tear_down),
		cmocka_unit_test_setup_teardown(a_report_that_is_lost_voids_the_run, set_up, tear_down),
	};
	return RUN_TESTS(tests);
}
