/* Which lines tests run: asked of go, and read. */
#include "tests/unit/suite_fixture.h"

#include <sys/mman.h>

static struct coverage read_printed(const char *text, struct arena *arena)
{
	struct rondo_error err;
	struct coverage coverage;
	AUTO_CLOSE fd = memfd_create("printed", MFD_CLOEXEC);
	assert_int_equal(write(fd, text, strlen(text)), strlen(text));
	assert_int_equal(cover_read(fd, "/tree", arena, &coverage, &err), 0);
	return coverage;
}

static void lines_are_counted_by_the_tests_that_run_them(void **state)
{
	(void)state;
	AUTO_ARENA arena = ARENA_INIT;
	struct coverage coverage = read_printed("goal\n/tree/a/b.go:3,4\n/tree/a/b.go:4,5\n"
											"goal\n/tree/a/b.go:4,4\n"
											"other\n/tree/a/b.go:5,6\n/tree/c.go:1,1\n",
		&arena);
	assert_int_equal(coverage.n_goal, 2);
	assert_int_equal(coverage.n_others, 1);
	static const struct coverage_line wanted[] = {
		{"a/b.go", 3, 1, 0, 0}, {"a/b.go", 4, 2, 0, 0}, {"a/b.go", 5, 1, 1, 0}};
	assert_int_equal(coverage.n, ARRAY_SIZE(wanted));
	for (size_t i = 0; i < ARRAY_SIZE(wanted); i++) {
		assert_string_equal(coverage.lines[i].path, wanted[i].path);
		assert_int_equal(coverage.lines[i].line, wanted[i].line);
		assert_int_equal(coverage.lines[i].goal, wanted[i].goal);
		assert_int_equal(coverage.lines[i].others, wanted[i].others);
	}
}

static void anything_else_is_passed_over(void **state)
{
	(void)state;
	AUTO_ARENA arena = ARENA_INIT;
	struct coverage coverage =
		read_printed("/tree/a.go:1,2\ngoal\n/tree/a.go:0,1\n/tree/a.go:1,4294967295\n"
					 "/tree/a.go:-1,2\n/elsewhere/a.go:1,2\nx\n:\n\xff\n/tree/a.go:7,6\n",
			&arena);
	assert_int_equal(coverage.n, 0);
	assert_int_equal(coverage.n_goal, 1);
}

static const char *line_for(const char *command, struct arena *arena)
{
	struct suite suite;
	const struct cover_tests tests = {
		.goal = (const char *const[]){"m/a::TestOne/x", "m/a::TestOne/y", "m/b::TestTwo"},
		.n_goal = 3,
		.others = (const char *const[]){"m/a::TestOne/z", "m/a::ExampleA", "m/c::TestC"},
		.n_others = 3};
	suite_from_command(command, "from a test", arena, &suite);
	return suite_cover(&suite, &tests, arena);
}

static void go_runs_the_goals_tests_then_others_of_their_packages(void **state)
{
	(void)state;
	AUTO_ARENA arena = ARENA_INIT;
	const char *line = line_for("go test -tags=x ./...", &arena);
	assert_non_null(strstr(line, "go test -tags=x -c -vet=off -cover"));
	assert_string_equal(strstr(line, "package m/a"),
		"package m/a && {\nrun goal TestOne\nrun other ExampleA\n}\n"
		"package m/b && {\nrun goal TestTwo\n}\n");
	assert_true(text_starts_with(line_for("cd sub && go test ./...", &arena), "cd sub || exit; "));
	assert_null(line_for("go test -run TestOne ./...", &arena));
	assert_null(line_for("go test ./... -args -v", &arena));
	assert_null(line_for("cargo test", &arena));
}

UNIT(cover)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(lines_are_counted_by_the_tests_that_run_them),
		cmocka_unit_test(anything_else_is_passed_over),
		cmocka_unit_test(go_runs_the_goals_tests_then_others_of_their_packages),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
