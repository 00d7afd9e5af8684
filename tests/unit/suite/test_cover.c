/* Which lines tests run: asked of go, told by programs in C and Rust, and read. */
#include "tests/unit/suite_fixture.h"
#include "tests/unit/top_fixture.h"

#include <fcntl.h>
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
	assert_null(line_for("pytest", &arena));
}

/* --- C --- */

static void put(const char *name, const char *text, struct arena *arena)
{
	struct rondo_error err;
	const char *path = arena_printf(arena, "%s/%s", top, name);
	assert_int_equal(file_write(path, text, strlen(text), 0644, &err), 0);
}

/* What a suite's tests run, asked in earnest. */
static struct coverage cover(
	const char *command, const struct cover_tests *tests, struct arena *arena)
{
	struct suite suite;
	struct rondo_error err;
	struct coverage coverage;
	suite_from_command(command, "from a test", arena, &suite);
	put("line.sh", suite_cover(&suite, tests, arena), arena);
	assert_int_equal(system(arena_printf(arena, "cd %s && sh line.sh >printed", top)), 0);
	AUTO_CLOSE fd = open(arena_printf(arena, "%s/printed", top), O_RDONLY | O_CLOEXEC);
	assert_int_equal(cover_read(fd, top, arena, &coverage, &err), 0);
	return coverage;
}

static struct coverage cover_program(const char *text, struct arena *arena)
{
	const struct cover_tests tests = {.limit_ms = 30000};
	put("program.c", text, arena);
	put("Makefile", "check: program\n\t./program\nprogram: program.c\n\t$(CC) -o $@ $<\n", arena);
	return cover("make check", &tests, arena);
}

/* GOAL/OTHERS of a line of the only file. */
static const char *counts_at(const struct coverage *coverage, uint32_t line, struct arena *arena)
{
	for (size_t i = 0; i < coverage->n; i++)
		if (coverage->lines[i].line == line) {
			assert_string_equal(coverage->lines[i].path, coverage->lines[0].path);
			return arena_printf(arena, "%u/%u", coverage->lines[i].goal, coverage->lines[i].others);
		}
	return "none";
}

static void tests_of_a_program_are_told_apart_by_what_it_prints(void **state)
{
	(void)state;
	AUTO_ARENA arena = ARENA_INIT;
	struct coverage coverage = cover_program("#include <stdio.h>\n"
											 "static int f(int n)\n"
											 "{\n"
											 "	if (n > 2)\n"
											 "		return 1;\n"
											 "	return 0;\n"
											 "}\n"
											 "static int unused(int n)\n"
											 "{\n"
											 "	return n;\n"
											 "}\n"
											 "int main(int argc, char **argv)\n"
											 "{\n"
											 "	(void)argv;\n"
											 "	puts(f(1) ? \"not ok 1\" : \"ok 1\");\n"
											 "	puts(f(3) ? \"not ok 2\" : \"ok 2\");\n"
											 "	puts(f(0) ? \"not ok 3\" : \"ok 3\");\n"
											 "	return argc > 3 ? unused(1) : 1;\n"
											 "}\n",
		&arena);
	assert_int_equal(coverage.n_goal, 1);
	assert_int_equal(coverage.n_others, 2);
	assert_string_equal(counts_at(&coverage, 4, &arena), "1/2");
	assert_string_equal(counts_at(&coverage, 5, &arena), "1/0");
	assert_string_equal(counts_at(&coverage, 6, &arena), "none");
	assert_string_equal(counts_at(&coverage, 10, &arena), "none");
}

static void what_ran_last_before_a_crash_is_the_most_suspected(void **state)
{
	(void)state;
	AUTO_ARENA arena = ARENA_INIT;
	struct coverage coverage =
		cover_program("#include <stdlib.h>\n"
					  "static int first(const int *list)\n"
					  "{\n"
					  "	return list[0];\n"
					  "}\n"
					  "static void wait_long(int n)\n"
					  "{\n"
					  "	while (n > 0)\n"
					  "		n--;\n"
					  "}\n"
					  "int main(void)\n"
					  "{\n"
					  "	wait_long(100);\n"
					  "	return first(getenv(\"NO_SUCH\") ? &(int){1} : NULL);\n"
					  "}\n",
			&arena);
	assert_int_equal(coverage.n_others, 0);
	assert_int_equal(coverage.n_goal, 4);
	assert_string_equal(counts_at(&coverage, 4, &arena), "4/0");
	assert_string_equal(counts_at(&coverage, 9, &arena), "3/0");
	assert_string_equal(counts_at(&coverage, 13, &arena), "1/0");
}

/* Nobody reads it before: it is the program itself that reports. */
static void words_of_every_day_count_in_the_suites_own_output(void **state)
{
	(void)state;
	AUTO_ARENA arena = ARENA_INIT;
	struct coverage coverage = cover_program("#include <stdio.h>\n"
											 "int main(void)\n"
											 "{\n"
											 "	puts(\"error: 3 is not 4\");\n"
											 "	return 0;\n"
											 "}\n",
		&arena);
	assert_int_equal(coverage.n_goal, 1);
	assert_int_equal(coverage.n_others, 0);
	assert_string_equal(counts_at(&coverage, 4, &arena), "1/0");
}

/* The words of the program's own output say nothing: it failed no test that printed "failed". */
static void a_harness_says_which_runs_of_a_program_failed(void **state)
{
	(void)state;
	AUTO_ARENA arena = ARENA_INIT;
	const struct cover_tests tests = {.limit_ms = 30000};
	put("grade.c",
		"#include <stdio.h>\n"
		"int main(void)\n"
		"{\n"
		"	int n;\n"
		"	if (scanf(\"%d\", &n) != 1)\n"
		"		return 1;\n"
		"	if (n < 50)\n"
		"		puts(\"failed\");\n"
		"	else if (n < 90)\n"
		"		puts(\"A\");\n"
		"	else\n"
		"		puts(\"A\");\n"
		"	while (n == 7)\n"
		"		;\n"
		"}\n",
		&arena);
	put("check.sh",
		"test \"$(echo $2 | timeout $4 ./grade)\" = $3 && echo \"ok $1\" || echo \"not ok $1\"\n",
		&arena);
	put("Makefile",
		"check: grade\n\tsh check.sh 1 60 B 60; sh check.sh 2 20 failed 60; "
		"sh check.sh 3 95 A 60; sh check.sh 4 7 A 1\ngrade: grade.c\n\t$(CC) -o $@ $<\n",
		&arena);
	struct coverage coverage = cover("make check", &tests, &arena);
	assert_string_equal(counts_at(&coverage, 5, &arena), "2/2");
	assert_string_equal(counts_at(&coverage, 8, &arena), "1/1");
	assert_string_equal(counts_at(&coverage, 10, &arena), "1/0");
	assert_string_equal(counts_at(&coverage, 12, &arena), "none");
}

static void a_tree_without_such_sources_runs_nothing(void **state)
{
	(void)state;
	AUTO_ARENA arena = ARENA_INIT;
	struct suite suite;
	const struct cover_tests tests = {.limit_ms = 30000};
	suite_from_command("touch ran", "from a test", &arena, &suite);
	put("line.sh", suite_cover(&suite, &tests, &arena), &arena);
	assert_int_equal(system(arena_printf(&arena, "cd %s && sh line.sh && ! [ -e ran ]", top)), 0);
}

/* --- Rust --- */

static void tests_in_rust_are_run_one_by_one(void **state)
{
	(void)state;
	AUTO_ARENA arena = ARENA_INIT;
	struct rondo_error err;
	const struct cover_tests tests = {.goal = (const char *const[]){"src/lib.rs::tests::large"},
		.n_goal = 1,
		.others = (const char *const[]){"src/lib.rs::tests::small", "doc-tests::src/lib.rs - f"},
		.n_others = 2};
	if (system("cargo --version >/dev/null 2>&1") != 0)
		skip();
	put("Cargo.toml", "[package]\nname = \"k\"\nversion = \"0.1.0\"\nedition = \"2018\"\n", &arena);
	assert_int_equal(file_make_dir(arena_printf(&arena, "%s/src", top), 0755, &err), 0);
	put("src/lib.rs",
		"pub fn add(a: u32, b: u32) -> u32 {\n"
		"    if a > 3 {\n"
		"        return a - b;\n"
		"    }\n"
		"    a + b\n"
		"}\n"
		"#[cfg(test)]\n"
		"mod tests {\n"
		"    #[test]\n"
		"    fn small() {\n"
		"        assert_eq!(super::add(1, 2), 3);\n"
		"    }\n"
		"    #[test]\n"
		"    fn large() {\n"
		"        assert_eq!(super::add(5, 2), 7);\n"
		"    }\n"
		"}\n",
		&arena);
	struct coverage coverage = cover("cargo test", &tests, &arena);
	assert_int_equal(coverage.n_goal, 1);
	assert_int_equal(coverage.n_others, 1);
	assert_string_equal(counts_at(&coverage, 2, &arena), "1/1");
	assert_string_equal(counts_at(&coverage, 3, &arena), "1/0");
	assert_string_equal(counts_at(&coverage, 5, &arena), "none");
	assert_int_equal(system(arena_printf(&arena, "[ ! -e %s/target ]", top)), 0);
}

UNIT(cover)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(lines_are_counted_by_the_tests_that_run_them),
		cmocka_unit_test(anything_else_is_passed_over),
		cmocka_unit_test(go_runs_the_goals_tests_then_others_of_their_packages),
		cmocka_unit_test_setup_teardown(
			tests_of_a_program_are_told_apart_by_what_it_prints, set_up, tear_down),
		cmocka_unit_test_setup_teardown(
			what_ran_last_before_a_crash_is_the_most_suspected, set_up, tear_down),
		cmocka_unit_test_setup_teardown(
			words_of_every_day_count_in_the_suites_own_output, set_up, tear_down),
		cmocka_unit_test_setup_teardown(
			a_harness_says_which_runs_of_a_program_failed, set_up, tear_down),
		cmocka_unit_test_setup_teardown(
			a_tree_without_such_sources_runs_nothing, set_up, tear_down),
		cmocka_unit_test_setup_teardown(tests_in_rust_are_run_one_by_one, set_up, tear_down),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
