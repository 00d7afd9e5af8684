/* The gate against coders that want to win: the main checkout is edited by hand, the gate
 * judges. */
#include "tests/unit/gate_fixture.h"

static enum run_outcome judge_edit(
	const char *path, const char *edited, const char *content, const char *reason)
{
	struct opened f;
	struct file_edit file = {.path = edited, .content = content, .remove = !content};
	open_at_base(&f, path, NULL);
	enum run_outcome outcome = judge_files(&f, &file, edited != NULL, reason);
	close_opened(&f);
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
	assert_int_equal(judge_edit("shop", "tests/run.py", easy, "tests/run.py (rule protected-test)"),
		RUN_REFUSED);
	assert_int_equal(judge_edit("shop", "tests/run.py", NULL, "protected-test"), RUN_REFUSED);
}

static void a_changed_makefile_is_refused_by_its_rule(void **state)
{
	(void)state;
	assert_int_equal(judge_edit("shop", "Makefile",
						 "check:\n"
						 "\t@true\n",
						 "Makefile (rule protected-configuration)"),
		RUN_REFUSED);
}

static void a_fix_that_breaks_a_test_is_none(void **state)
{
	(void)state;
	static const char broken[] = "def area(a, b):\n"
								 "    return a * b\n\n\n"
								 "def double(x):\n"
								 "    return x\n";
	assert_int_equal(judge_edit("shop", "shapes.py", broken, "double"), RUN_NOT_FIXED);
}

static void a_fix_that_ends_the_run_early_is_refused(void **state)
{
	(void)state;
	static const char early[] = "import os\nprint('ok 1 - area', flush=True)\nos._exit(0)\n";
	assert_int_equal(judge_edit("shop", "shapes.py", early, "(rule early-exit)"), RUN_REFUSED);
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
						 "def area(a, b):\n"
						 "    return a * b\n\n\n"
						 "assert area(1, 1) == 1\n",
						 "protected-assertion"),
		RUN_REFUSED);
}

#define MAIN(body) \
	"def area(a, b):\n    return a * b\n\n\ndef main():\n" body \
	"    assert area(3, 5) == 15\n    assert area(1, 1) == 1\n\n\n"
#define ASKED "if __name__ == '__main__':\n"

/* Their text is as it was. */
static void a_programs_tests_must_run_and_pass(void **state)
{
	(void)state;
	static const char *const fixes[][2] = {
		{MAIN("") "def never():\n    main()\n", "protected-assertion"},
		{MAIN("") ASKED "    pass\n", "program-test"},
		{MAIN("    return\n") ASKED "    main()\n", "program-test"},
		/* What failed passes, and would not be heard of if it failed. */
		{MAIN("") ASKED "    try:\n        main()\n    except AssertionError:\n        pass\n",
			"sentinel"},
		{MAIN("") ASKED "    main()\n", NULL},
		{"def area(a, b):\n    return 15\n\n\ndef main():\n    assert area(3, 5) == 15\n"
		 "    return\n    assert area(1, 1) == 1\n\n\n" ASKED "    main()\n",
			"program-test"},
		{"def area(a, b):\n    return 14\n\n\ndef main():\n    assert area(3, 5) == 15\n"
		 "    assert area(1, 1) == 1\n\n\n" ASKED
		 "    try:\n        main()\n    except AssertionError:\n        pass\n",
			"program-test"},
		{MAIN("") "print(open(__file__).read())\n" ASKED "    pass\n", "program-test"},
	};
	for (size_t i = 0; i < sizeof fixes / sizeof fixes[0]; i++) {
		enum run_outcome outcome = judge_edit("main.py", "main.py", fixes[i][0], fixes[i][1]);
		if (outcome != (fixes[i][1] ? RUN_REFUSED : RUN_VERIFIED))
			fail_msg("%d: %s", (int)outcome, fixes[i][0]);
	}
}

/* A program that says whether it fails by its exit code. */
static void a_program_may_end_by_the_call_that_ended_it(void **state)
{
	(void)state;
	static const char fixed[] = "import sys\n" MAIN("") ASKED "    main()\n    sys.exit(0)\n";
	assert_int_equal(judge_edit("ends.py", "ends.py", fixed, NULL), RUN_VERIFIED);
}

static void what_does_not_fix_a_program_is_not_refused(void **state)
{
	(void)state;
	assert_int_equal(judge_edit("program.py", "program.py",
						 "def area(a, b):\n    return a - b\n\n\n"
						 "assert area(3, 5) == 15\nassert area(1, 1) == 1\n",
						 NULL),
		RUN_NOT_FIXED);
}

static void a_program_must_reach_its_end(void **state)
{
	(void)state;
	assert_int_equal(judge_edit("program.py", "program.py",
						 "def area(a, b):\n    raise SystemExit(0)\n\n\n"
						 "assert area(3, 5) == 15\nassert area(1, 1) == 1\n",
						 NULL),
		RUN_REFUSED);
}

/* What helps, as rondo fix says it or as a scenario's file does. */
static const char *help_for(
	struct opened *f, const char *path, const char *scenario, struct file_edit *files, size_t n)
{
	open_at_base(f, path, NULL);
	f->scenario.path = scenario;
	assert_int_equal(judge_files(f, files, n, NULL), RUN_REFUSED);
	return f->report.help;
}

static void a_refusal_names_the_option_and_the_path(void **state)
{
	(void)state;
	struct opened f;
	struct file_edit test = {.path = "tests/run.py", .remove = true};
	struct file_edit odd[] = {{.path = "tests/a b[1].py", .content = "1\n"},
		{.path = "Makefile", .content = "check:\n\t@true\n"}};
	struct file_edit program = {.path = "program.py", .content = "area = 1\n"};
	assert_string_equal(help_for(&f, "shop", NULL, &test, 1),
		"if this is what you want: --allow-edit tests/run.py");
	close_opened(&f);
	assert_string_equal(help_for(&f, "shop", "shop.yaml", &test, 1),
		"if this is what you want: allow_edit: [\"tests/run.py\"]");
	close_opened(&f);
	assert_string_equal(help_for(&f, "shop", NULL, odd, 2),
		"if this is what you want: --allow-edit /Makefile --allow-edit 'tests/a b\\[1].py'");
	close_opened(&f);
	assert_string_equal(help_for(&f, "shop", "shop.yaml", odd, 2),
		"if this is what you want: allow_edit: [\"/Makefile\",\"tests/a b\\\\[1].py\"]");
	close_opened(&f);
	assert_string_equal(help_for(&f, "program.py", NULL, &program, 1),
		"if this is what you want: --allow-edit program.py");
	close_opened(&f);
}

UNIT(gate)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_fix_is_verified),
		cmocka_unit_test(a_changed_test_is_refused_by_its_rule),
		cmocka_unit_test(a_changed_makefile_is_refused_by_its_rule),
		cmocka_unit_test(a_fix_that_breaks_a_test_is_none),
		cmocka_unit_test(a_fix_that_ends_the_run_early_is_refused),
		cmocka_unit_test(no_change_is_no_fix),
		cmocka_unit_test(a_program_must_keep_its_assertions),
		cmocka_unit_test(a_programs_tests_must_run_and_pass),
		cmocka_unit_test(a_program_may_end_by_the_call_that_ended_it),
		cmocka_unit_test(what_does_not_fix_a_program_is_not_refused),
		cmocka_unit_test(a_program_must_reach_its_end),
		cmocka_unit_test(a_refusal_names_the_option_and_the_path),
	};
	return cmocka_run_group_tests(tests, set_up, remove_shop);
}
