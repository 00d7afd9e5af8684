/* vitest, also by npx, yarn or pnpm; `npm test` that runs it is in npm.c. */
#include "verify/suite/format.h"
#include "verify/suite/runners/command_line.h"
#include "verify/suite/runners/javascript_suite.h"

static bool vitest_detect(
	const char *dir, const char *const *paths, size_t n, struct arena *arena, struct suite *suite)
{
	static const char *const configurations[] = {"vitest.config.ts", "vitest.config.js",
		"vitest.config.mts", "vitest.config.mjs", "vitest.config.cts", "vitest.config.cjs", NULL};
	suite->command = "npx vitest run";
	suite->origin = javascript_origin(dir, paths, n, "vitest", configurations, arena);
	return suite->origin != NULL;
}

static bool is_vitest(const char *const *words, size_t n)
{
	return javascript_starts(words, n, "vitest", "/vitest/vitest.mjs");
}

static bool vitest_runs(const char *command)
{
	return command_line_any(command, is_vitest);
}

const struct suite_type vitest_suite = {
	.name = "vitest",
	.summary = "vitest, also by npx, yarn or pnpm",
	.formats = (const struct format *const[]){&vitest_format, &exit_format, NULL},
	.detect = vitest_detect,
	.runs = vitest_runs,
	JAVASCRIPT_MEMBERS,
	.structured = javascript_structured,
	.tests = (const char *const[]){JAVASCRIPT_TESTS, NULL},
};
