/*
 * `npm test`: whatever package.json says. Where that is `node --test` or prints TAP by itself, test
 * by test; else the exit code. Node's reporter is set in the environment of the script, unless
 * package.json names one, since node refuses two.
 */
#include <string.h>

#include "base/json.h"
#include "suite/command_line.h"
#include "suite/listing.h"
#include "suite/tap.h"

static bool npm_detect(const char *dir, const char *const *paths, size_t n, struct arena *arena,
	struct suite *suite)
{
	if (!listing_has(paths, n, "package.json"))
		return false;
	const char *text = listing_read(dir, "package.json", arena);
	struct rondo_error ignored;
	AUTO_JSON *json = text ? json_parse(text, strlen(text), &ignored) : NULL;
	const char *script = json_string(json_get(json, "scripts"), "test", "");
	if (!*script || strstr(script, "no test specified"))
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

static const char *npm_structured(const struct suite *suite, struct arena *arena)
{
	return arena_printf(arena,
		"grep -qs -e --test-reporter package.json || "
		"export NODE_OPTIONS=\"$NODE_OPTIONS --test-reporter=tap\"; %s",
		suite->command);
}

const struct suite_type npm_suite = {
	.name = "npm",
	.summary = "npm test: TAP, else the exit code",
	.state_size = sizeof(struct tap_state),
	.detect = npm_detect,
	.runs = npm_runs,
	.env = (const char *const[]){"npm_config_update_notifier=false", "npm_config_offline=true",
		NULL},
	.structured = npm_structured,
	.read_line = tap_read_line,
	.finish = tap_read_end,
	.tools = (const char *const[]){"npm", "node", "yarn", "pnpm", "sh", NULL},
	.tests = (const char *const[]){"__tests__/", "*.test.*", "*.spec.*", NULL},
	.configuration = (const char *const[]){"package.json", "package-lock.json", "yarn.lock",
		"pnpm-lock.yaml", ".npmrc", "jest.config.*", "vitest.config.*", ".mocharc*",
		"babel.config.*", ".babelrc*", "tsconfig*.json", NULL},
};
