/* mocha, also by npx, yarn or pnpm; `npm test` that runs it is in npm.c. */
#include "verify/suite/format.h"
#include "verify/suite/runners/command_line.h"
#include "verify/suite/runners/javascript_suite.h"

static bool mocha_detect(
	const char *dir, const char *const *paths, size_t n, struct arena *arena, struct suite *suite)
{
	static const char *const configurations[] = {".mocharc.js", ".mocharc.cjs", ".mocharc.json",
		".mocharc.jsonc", ".mocharc.yml", ".mocharc.yaml", NULL};
	suite->command = "npx mocha";
	suite->origin = javascript_origin(dir, paths, n, "mocha", configurations, arena);
	return suite->origin != NULL;
}

static bool is_mocha(const char *const *words, size_t n)
{
	return javascript_starts(words, n, "mocha", "/mocha/bin/mocha.js") ||
		   javascript_starts(words, n, "_mocha", "/mocha/bin/_mocha");
}

static bool mocha_runs(const char *command)
{
	return command_line_any(command, is_mocha);
}

const struct suite_type mocha_suite = {
	.name = "mocha",
	.summary = "mocha, also by npx, yarn or pnpm",
	.formats = (const struct format *const[]){&mocha_format, &exit_format, NULL},
	.detect = mocha_detect,
	.runs = mocha_runs,
	JAVASCRIPT_MEMBERS,
	.structured = javascript_structured,
	.warm = javascript_warm,
	.tests = (const char *const[]){JAVASCRIPT_TESTS, "test/", NULL},
};
