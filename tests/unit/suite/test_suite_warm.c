/* Which commands a warm runner can stand in for, and how it is started. */
#include "tests/unit/unit.h"

#include "base/memory.h"
#include "verify/suite/suite.h"

/* Before node: what a package manager puts there. */
#define PROGRAMS "PATH=\"$PWD/node_modules/.bin:$PATH\" "

static bool plan_of(const char *command, struct arena *arena, struct warm_plan *plan)
{
	struct suite suite;
	suite_from_command(command, "from a test", arena, &suite);
	return suite.type->warm && suite.type->warm(&suite, arena, plan);
}

static const char *joined(const struct warm_plan *plan, struct arena *arena)
{
	const char *text = arena_printf(arena, "%s %s: %s |", plan->runner, plan->kind, plan->start);
	for (size_t i = 0; i < plan->n_arguments; i++)
		text = arena_printf(arena, "%s %s", text, plan->arguments[i]);
	return text;
}

static void a_runner_is_started_as_the_command_starts_it(void **state)
{
	(void)state;
	static const char *const cases[][2] = {
		{"python3 -m pytest", "python pytest: python3 |"},
		{"python3 -X dev -m pytest -q tests", "python pytest: python3 -X dev | -q tests"},
		{"PYTHONPATH=src python3 -m pytest", "python pytest: PYTHONPATH=src python3 |"},
		{"pytest -x tests/unit",
			"python pytest: $(sed -n '1s/^#! *//p' \"$(command -v pytest)\") | -x tests/unit"},
		{".venv/bin/python -m unittest discover -s tests",
			"python unittest: .venv/bin/python | discover -s tests"},
		{"poetry run python -m pytest", "python pytest: poetry run python |"},
		{"node --test", "node node: " PROGRAMS "node | --test"},
		{"/opt/node/bin/node --import tsx --test test/",
			"node node: " PROGRAMS "/opt/node/bin/node | --import tsx --test test/"},
		{"npx tsx --test a.ts", "node tsx: " PROGRAMS "node | --test a.ts"},
		{"npx jest --bail", "node jest: " PROGRAMS "node | --bail"},
		{"nyc -r lcov ts-mocha -p .", "node ts-mocha: " PROGRAMS "node | -p ."},
		{"node_modules/.bin/tape 'test/*.js'", "node tape: " PROGRAMS "node | test/*.js"},
		{"cd src && python3 -m pytest", "python pytest: python3 |"},
		{"NODE_ENV=test npx mocha", "node mocha: " PROGRAMS "NODE_ENV=test node |"},
	};
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		AUTO_ARENA arena = ARENA_INIT;
		struct warm_plan plan;
		assert_true(plan_of(cases[i][0], &arena, &plan));
		assert_string_equal(joined(&plan, &arena), cases[i][1]);
	}
}

static void what_is_more_than_one_plain_command_runs_cold(void **state)
{
	(void)state;
	static const char *const commands[] = {"make check", "python3 -m pytest && echo done",
		"python3 -m pytest | tee log", "npm run build && npm test",
		"npm test", "node -r esm node_modules/.bin/mocha", "vitest run",
		"python3 -m pytest 'a b'", "go test ./...", "./tape.sh",
		"for i in 1 2; do python3 -m pytest; done"};
	for (size_t i = 0; i < ARRAY_SIZE(commands); i++) {
		AUTO_ARENA arena = ARENA_INIT;
		struct warm_plan plan;
		if (plan_of(commands[i], &arena, &plan))
			fail_msg("%s has a plan", commands[i]);
	}
}

static void a_program_is_its_own_argument(void **state)
{
	(void)state;
	AUTO_ARENA arena = ARENA_INIT;
	struct warm_plan plan;
	struct suite suite = {
		.type = &program_suite, .program = "tool.py", .command = "python3 tool.py"};
	assert_true(suite.type->warm(&suite, &arena, &plan));
	assert_string_equal(joined(&plan, &arena), "python program: python3 | tool.py");
	suite = (struct suite){.type = &program_suite, .program = "tool.ts", .command = "node tool.ts"};
	assert_true(suite.type->warm(&suite, &arena, &plan));
	assert_string_equal(joined(&plan, &arena), "node program: node | tool.ts");
	suite.command = "out=$(mktemp -d) && esbuild tool.ts --bundle && node $out/program.js";
	assert_true(suite.type->warm(&suite, &arena, &plan));
	assert_string_equal(joined(&plan, &arena), "node bundle: node | tool.ts");
	suite = (struct suite){.type = &program_suite, .program = "lib/tool.py"};
	suite.command = "python3.11 -m doctest ./lib/tool.py";
	assert_true(suite.type->warm(&suite, &arena, &plan));
	assert_string_equal(joined(&plan, &arena), "python doctest: python3.11 | lib/tool.py");
	static const char *const cold[] = {"tsx tool.ts", "python3 lib/tool.py --all",
		"python3 -m doctest -v lib/tool.py", "python3 -O lib/tool.py", "A=1 python3 lib/tool.py",
		"python3 -m lib.tool", "true; python3 lib/tool.py", "node lib/tool.py x"};
	for (size_t i = 0; i < ARRAY_SIZE(cold); i++) {
		suite.command = cold[i];
		assert_false(suite.type->warm(&suite, &arena, &plan));
	}
}

UNIT(suite_warm)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_runner_is_started_as_the_command_starts_it),
		cmocka_unit_test(what_is_more_than_one_plain_command_runs_cold),
		cmocka_unit_test(a_program_is_its_own_argument),
	};
	return RUN_TESTS(tests);
}
