/* What scripts of package.json come to: the tests alone, and the runner that can be kept loaded. */
#include "tests/unit/suite_fixture.h"

#include "base/file.h"
#include "base/memory.h"
#include "verify/suite/runners/script.h"

/* What `npm test` (or another line) comes to with such scripts; "-": it stays as it is. */
static void assert_tests(const char *package, const char *line, const char *expected)
{
	AUTO_ARENA arena = ARENA_INIT;
	char dir[TOP_SIZE];
	struct rondo_error err;
	assert_non_null(make_top(dir));
	const char *path = arena_printf(&arena, "%s/package.json", dir);
	const char *text =
		*package == '{' ? package : arena_printf(&arena, "{\"scripts\": {%s}}", package);
	assert_int_equal(file_write(path, text, strlen(text), 0644, &err), 0);
	const char *tests = script_tests_of(line, dir, &arena);
	assert_string_equal(tests ? tests : "-", expected);
	assert_int_equal(file_remove_tree(dir, &err), 0);
}

static void a_script_is_put_in_the_managers_place(void **state)
{
	(void)state;
	static const char *const cases[][3] = {
		{"'test': 'mocha --reporter dot test/*.js'", "npm test", "mocha --reporter dot test/*.js"},
		{"'test': 'mocha', 'pretest': 'npm run lint', 'lint': 'node lint.js'", "npm test", "mocha"},
		{"'test': 'npm run unit -- --bail', 'unit': 'jest src'", "npm test", "jest src --bail"},
		{"'test': 'yarn unit --bail', 'unit': 'jest'", "yarn test", "jest --bail"},
		{"'test': 'pnpm -s run unit', 'unit': 'vitest run'", "pnpm t", "vitest run"},
		{"'unit': 'ava -v'", "npm run unit -- 'a b'", "ava -v 'a b'"},
		{"'test': 'yarn mocha --exit'", "yarn test", "mocha --exit"},
		{"'mocha': 'mocha --exit'", "yarn mocha", "mocha --exit"},
		{"'test': 'cross-env TZ=UTC npm run unit', 'unit': 'A=\\\"1 2\\\" jest'", "npm test",
			"TZ=UTC A=\"1 2\" jest"},
		{"'test': 'npx --no-install mocha'", "npm test", "mocha"},
		{"'test': 'npm-run-all lint test:*', 'lint': 'tslint .', 'test:a': 'tape a.js', "
		 "'test:b': 'tape b.js', 'test:b:x': 'tape x.js'",
			"npm test", "tape a.js && tape b.js"},
		{"'test': 'run-s build \\\"unit -- --watch=no\\\"', 'build': 'tsc', 'unit': 'mocha'",
			"npm test", "tsc && mocha --watch=no"},
	};
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		char package[512];
		snprintf(package, sizeof package, "%s", cases[i][0]);
		for (char *at = package; *at; at++)
			*at = *at == '\'' ? '"' : *at;
		assert_tests(package, cases[i][1], cases[i][2]);
	}
}

static void what_only_checks_is_left_out(void **state)
{
	(void)state;
	static const char *const cases[][2] = {
		{"xo && ava && tsd", "ava"},
		{"eslint . ; mocha", "mocha"},
		{"standard && nyc --reporter lcov --check-coverage mocha -R spec test",
			"mocha -R spec test"},
		{"c8 -r html node --test test/", "node --test test/"},
		{"nyc tape 'test/**/*.js' && nyc report", "tape 'test/**/*.js'"},
		{"tsc --noEmit && tsc -p . && ava", "tsc -p . && ava"},
		{"node build.js && prettier -c . && uvu -r esm test", "node build.js && uvu -r esm test"},
		{"date && TZ=UTC jest a && TZ=Asia/Tokyo jest b", "TZ=UTC jest a && TZ=Asia/Tokyo jest b"},
		{"mocha && node publish.js", "mocha"},
		{"node --expose-gc test/all.js && eslint .", "node --expose-gc test/all.js"},
		{"rm -f log 2>/dev/null; tap", "rm -f log 2>/dev/null && tap"},
		{"xvfb-run -a mocha && eslint .", "xvfb-run -a mocha"},
		{"pnpm install && pnpm exec ava -v && pnpm xo", "pnpm install && ava -v"},
		{"npx -p ava@3 ava && eslint .", "-"},
	};
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++)
		assert_tests("", cases[i][0], cases[i][1]);
}

static void what_is_not_understood_stays_as_it_is(void **state)
{
	(void)state;
	static const char *const lines[] = {"mocha", "eslint . && gulp test", "mocha | tee log && tsd",
		"cd app && npm test", "eslint . || mocha", "npm run absent && make",
		"nyc -i esm mocha && xo", "(mocha) && eslint .", "npm test",
		"yarn workspace app test && eslint .", "concurrently 'npm run serve' 'npm test'",
		"eslint . && npm --prefix app test"};
	for (size_t i = 0; i < ARRAY_SIZE(lines); i++)
		assert_tests("\"lint\": \"xo\"", lines[i], "-");
	assert_tests("\"test\": \"npm test\"", "npm test", "-");
	assert_tests("{\"nyc\": {\"require\": [\"esm\"]}, \"scripts\": {\"test\": \"nyc mocha\"}}",
		"npm test", "-");
	assert_tests("{\"packageManager\": \"yarn@4.1.0\", "
				 "\"scripts\": {\"pretest\": \"tsc\", \"test\": \"mocha -b\"}}",
		"yarn test", "mocha -b");
}

static const char *found_in(const char *line, struct arena *arena)
{
	struct runner_call call;
	bool prepared;
	if (!script_find_runner(line, arena, &call, &prepared))
		return "-";
	const char *text = arena_printf(arena, "%s%s%s:", prepared ? "+ " : "", call.before, call.name);
	for (size_t i = call.options; i < call.n; i++)
		text = arena_printf(arena, "%s %s", text, call.words[i]);
	return text;
}

static void the_runner_of_a_line_is_found(void **state)
{
	(void)state;
	static const char *const cases[][2] = {
		{"TZ=UTC npx mocha 'a b'", "TZ=UTC mocha: a b"},
		{"node --enable-source-maps --test 'test/*.js'",
			"node: --enable-source-maps --test test/*.js"},
		{"node ./node_modules/uvu/bin.js test", "uvu: test"},
		{"tsc && jest", "+ jest:"},
		{"bun test --timeout 9 src", "bun: --timeout 9 src"},
		{"bun run test", "-"},
		{"TZ=a jest a && TZ=b jest test/b && jest --coverage", "jest: --coverage"},
		{"jest a && jest b", "-"},
		{"node -r esm node_modules/.bin/mocha", "-"},
		{"mocha $FILES", "-"},
		{"mocha '$FILES'", "mocha: $FILES"},
		{"mocha >log", "-"},
		{"export A=1 && mocha", "-"},
		{"xvfb-run mocha", "-"},
		{"echo mocha", "-"},
		{"", "-"},
	};
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		AUTO_ARENA arena = ARENA_INIT;
		assert_string_equal(found_in(cases[i][0], &arena), cases[i][1]);
	}
}

static void runners_of_other_files_are_left_out(void **state)
{
	(void)state;
	static const char *const cases[][2] = {
		{"TZ=a jest test/zone --bail && TZ=b jest test/zone && jest --coverage", "jest --coverage"},
		{"tsc && mocha test/unit && mocha -R dot 'test/{a,c}/*.js' && mocha ./test/a.js",
			"tsc && mocha -R dot 'test/{a,c}/*.js' && mocha ./test/a.js"},
		{"jest b && jest c", "jest b && jest c"},
		{"mocha | cat && jest c", "mocha | cat && jest c"},
	};
	static const char *const ids[] = {"test/a.js > b"};
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		AUTO_ARENA arena = ARENA_INIT;
		assert_string_equal(script_tests_for(cases[i][0], ids, 1, &arena), cases[i][1]);
	}
}

UNIT(script)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_script_is_put_in_the_managers_place),
		cmocka_unit_test(what_only_checks_is_left_out),
		cmocka_unit_test(what_is_not_understood_stays_as_it_is),
		cmocka_unit_test(the_runner_of_a_line_is_found),
		cmocka_unit_test(runners_of_other_files_are_left_out),
	};
	return RUN_TESTS(tests);
}
