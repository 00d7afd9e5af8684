/* The suite types of JavaScript: who is recognised, what is put before a command, and sentinels. */
#include "tests/unit/suite_fixture.h"

static const struct suite *suite_of(const char *command, struct arena *arena)
{
	struct suite *suite = arena_alloc(arena, sizeof *suite);
	suite_from_command(command, "from a test", arena, suite);
	return suite;
}

static void runners_are_recognised_by_any_launcher(void **state)
{
	(void)state;
	static const char *const cases[][2] = {
		{"jest", "jest"},
		{"npx jest --coverage", "jest"},
		{"npx --no-install jest", "jest"},
		{"yarn jest", "jest"},
		{"pnpm exec jest", "jest"},
		{"npm exec -- jest", "jest"},
		{"node --experimental-vm-modules node_modules/jest/bin/jest.js", "jest"},
		{"NODE_ENV=test ./node_modules/.bin/jest src", "jest"},
		{"vitest run", "vitest"},
		{"yarn run vitest", "vitest"},
		{"npx mocha --recursive", "mocha"},
		{"npx ava -v", "ava"},
		{"npx tap test/*.js", "tap"},
		{"yarn tape 'test/*.js'", "tape"},
		{"node -r esm node_modules/uvu/bin.js test", "uvu"},
		{"npm test", "npm"},
		{"yarn run test", "npm"},
		{"node --test", "node"},
		{"node jest.js", "command"},
		{"echo jest", "command"},
		{"npx", "command"},
	};
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		AUTO_ARENA arena = ARENA_INIT;
		assert_string_equal(suite_of(cases[i][0], &arena)->type->name, cases[i][1]);
	}
}

static void reports_are_asked_for_in_the_environment(void **state)
{
	(void)state;
	AUTO_ARENA arena = ARENA_INIT;
	const char *command = suite_command(suite_of("npx jest", &arena), "/home/a b/report-1", &arena);
	assert_non_null(strstr(command, "mkdir '/home/a b/report-1' && "));
	assert_non_null(strstr(command,
		"export NODE_OPTIONS=\"$NODE_OPTIONS --require=\\\"\"'/home/a b/report-1''.cjs\"'; npx "
		"jest"));
	assert_string_equal(suite_command(suite_of("npx jest", &arena), NULL, &arena), "npx jest");
	assert_non_null(
		strstr(suite_command(suite_of("npm test", &arena), "/r", &arena), "--test-reporter=tap"));
}

static const char *targeted(const char *command, const char *id, struct arena *arena)
{
	return suite_targeted(suite_of(command, arena), &id, 1, arena);
}

static void some_tests_are_asked_for_by_id(void **state)
{
	(void)state;
	AUTO_ARENA arena = ARENA_INIT;
	assert_string_equal(targeted("npx jest", "src/a.test.ts > it's \"x\"", &arena),
		"export RONDO_TESTS='[\"src/a.test.ts > it'\\''s \\\"x\\\"\"]'; npx jest");
	assert_null(targeted("npx jest", "src/a.test.ts", &arena));
	assert_null(targeted("npm test", "sum > adds", &arena));
	assert_string_equal(targeted("node --test lib", "sum > adds [1] (2)", &arena),
		"node --test --test-name-pattern='^sum$' --test-name-pattern='^adds \\[1\\]( \\(2\\))?$' "
		"lib");
	assert_null(targeted("node --test | cat", "adds", &arena));
	assert_string_equal(targeted("npx ava --serial", "sum › it's odd (2)", &arena),
		"npx ava --match='sum › it'\\''s odd' --match='it'\\''s odd' --serial");
	assert_null(targeted("npx ava", "!important", &arena));
	assert_string_equal(targeted("npx tap", "test/a.js > adds", &arena),
		"export RONDO_TESTS='[\"test/a.js > adds\"]'; npx tap");
	static const char *const files[] = {"test/a.js", "test/a.js > adds"};
	assert_string_equal(suite_targeted(suite_of("npx tap", &arena), files, 2, &arena),
		"export RONDO_TESTS='[\"test/a.js > adds\"]'; npx tap");
	assert_null(targeted("node --test", "sum.test.js", &arena));
}

static void assert_sentinel(const char *command, const char *beside, const char *text,
	const char *suffix, const char *start, struct arena *arena)
{
	struct sentinel sentinel = {.passing = "quiet", .failing = "loud"};
	const struct suite *suite = suite_of(command, arena);
	assert_true(suite->type->sentinel(suite, beside, text, arena, &sentinel));
	assert_true(text_ends_with(sentinel.path, suffix));
	assert_null(strstr(sentinel.path, "quiet"));
	assert_true(text_starts_with(sentinel.text, start));
	assert_non_null(strstr(sentinel.text, "(\"quiet\", "));
	assert_non_null(strstr(sentinel.text, "(\"loud\", "));
}

static void a_sentinel_is_written_as_the_file_beside_it(void **state)
{
	(void)state;
	AUTO_ARENA arena = ARENA_INIT;
	assert_sentinel("npx jest", "src/sum.spec.tsx", "test('a', () => { expect(1).toBe(1); });",
		".spec.tsx", "it(\"quiet\"", &arena);
	assert_sentinel("npx vitest", "a.test.ts", "import { test } from 'vitest';\n", ".test.ts",
		"import { expect, test } from \"vitest\";", &arena);
	assert_sentinel("npx mocha", "test/sum.js",
		"const assert = require('assert');\n"
		"it('a', () => {});\n",
		".js", "const assert = require(\"node:assert\");", &arena);
	assert_sentinel("node --test", "sum.test.mjs", "import test from 'node:test';\n", ".test.mjs",
		"import assert from \"node:assert\";", &arena);
	assert_sentinel("npx ava", "test.js", "import test from 'ava';\n", ".js",
		"import test from \"ava\";\n\ntest(\"quiet\", (t) => {\n\tt.is(2, 2);\n});", &arena);
	assert_sentinel("npx uvu", "test/a.js", "const assert = require('uvu/assert');\n", ".js",
		"const { test } = require(\"uvu\");\nconst assert = require(\"uvu/assert\");", &arena);
	struct sentinel none = {.passing = "quiet", .failing = "loud"};
	const struct suite *suite = suite_of("npx jest", &arena);
	assert_false(suite->type->sentinel(suite, "a.test.js", "", &arena, &none));
	assert_false(suite->type->sentinel(suite, "data.json", "it(", &arena, &none));
}

UNIT(javascript_suite)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(runners_are_recognised_by_any_launcher),
		cmocka_unit_test(reports_are_asked_for_in_the_environment),
		cmocka_unit_test(some_tests_are_asked_for_by_id),
		cmocka_unit_test(a_sentinel_is_written_as_the_file_beside_it),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
