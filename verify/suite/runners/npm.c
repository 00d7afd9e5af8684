/*
 * `npm test`: whatever package.json says. Where that is jest, vitest or mocha, wherever in the
 * script, they are asked for their files (preload.h); where it is `node --test`, for TAP: in the
 * environment, unless package.json names a reporter, since node refuses two. Else what shows itself
 * in the output, and at last the exit code.
 */
#include <string.h>

#include "verify/suite/preload.h"
#include "verify/suite/runners/command_line.h"
#include "verify/suite/runners/javascript_suite.h"

static bool npm_detect(
	const char *dir, const char *const *paths, size_t n, struct arena *arena, struct suite *suite)
{
	if (!javascript_script(dir, paths, n, arena))
		return false;
	suite->command = "npm test";
	suite->origin = "package.json";
	return true;
}

static bool is_npm_test(const char *const *words, size_t n)
{
	static const char *const managers[] = {"npm", "yarn", "pnpm"};
	bool known = false;
	for (size_t i = 0; i < sizeof managers / sizeof *managers; i++)
		known = known || command_is(words[0], managers[i]);
	size_t at = 1;
	while (known && at < n &&
		   (words[at][0] == '-' || strcmp(words[at], "run") == 0 ||
			   strcmp(words[at], "run-script") == 0))
		at++;
	return known && at < n && (strcmp(words[at], "test") == 0 || strcmp(words[at], "t") == 0);
}

static bool npm_runs(const char *command)
{
	return command_line_any(command, is_npm_test);
}

static const char *npm_structured(
	const struct suite *suite, const char *report, struct arena *arena)
{
	return arena_printf(arena,
		"grep -qs -e --test-reporter package.json || "
		"export NODE_OPTIONS=\"$NODE_OPTIONS --test-reporter=tap\"; %s",
		preload_command(suite->command, report, arena));
}

const struct suite_type npm_suite = {
	.name = "npm",
	.summary = "npm test, yarn test, pnpm test",
	.detect = npm_detect,
	.runs = npm_runs,
	JAVASCRIPT_MEMBERS,
	.structured = npm_structured,
	.warm = javascript_warm,
	.tests = (const char *const[]){JAVASCRIPT_TESTS, "test/", NULL},
};
