/* jest, also by npx, yarn or pnpm; `npm test` that runs it is in npm.c. */
#include "verify/suite/format.h"
#include "verify/suite/runners/command_line.h"
#include "verify/suite/runners/javascript_suite.h"

static bool jest_detect(
	const char *dir, const char *const *paths, size_t n, struct arena *arena, struct suite *suite)
{
	static const char *const configurations[] = {"jest.config.js", "jest.config.ts",
		"jest.config.cjs", "jest.config.mjs", "jest.config.json", NULL};
	suite->command = "npx jest";
	suite->origin = javascript_origin(dir, paths, n, "jest", configurations, arena);
	return suite->origin != NULL;
}

static bool is_jest(const char *const *words, size_t n)
{
	return javascript_starts(words, n, "jest", "/jest/bin/jest.js");
}

static bool jest_runs(const char *command)
{
	return command_line_any(command, is_jest);
}

const struct suite_type jest_suite = {
	.name = "jest",
	.summary = "jest, also by npx, yarn or pnpm",
	.formats = (const struct format *const[]){&jest_format, &exit_format, NULL},
	.detect = jest_detect,
	.runs = jest_runs,
	JAVASCRIPT_MEMBERS,
	.structured = javascript_structured,
	.warm = javascript_warm,
	.tests = (const char *const[]){JAVASCRIPT_TESTS, NULL},
};
