/*
 * The runners of JavaScript that packages bring: jest, vitest, mocha, ava, tap, tape, uvu, and `npm
 * test`, whatever package.json makes of it. preload.js asks them for report files or for TAP
 * wherever in a script they start.
 * `npm test` may also be `node --test`: the environment asks it for TAP, unless package.json names
 * a reporter, since node refuses two.
 */
#include <string.h>

#include "base/file.h"
#include "base/json/json.h"
#include "base/memory.h"
#include "base/strbuf.h"
#include "verify/suite/format.h"
#include "verify/suite/listing.h"
#include "verify/suite/runners/bun.h"
#include "verify/suite/runners/command_line.h"
#include "verify/suite/runners/javascript_suite.h"
#include "verify/suite/runners/script.h"
#include "verify/suite/runners/script_call.h"
#include "verify/suite/suite_javascript.h"

/* preload.js, by the Makefile. */
extern const char preload_js[];

static struct json *npm_read_package(
	const char *dir, const char *const *paths, size_t n, struct arena *arena)
{
	struct rondo_error ignored;
	const char *text =
		text_in_sorted(paths, n, "package.json") ? listing_read(dir, "package.json", arena) : NULL;
	return text ? json_parse(text, strlen(text), &ignored) : NULL;
}

static bool npm_has_script(const struct json *package)
{
	const char *script = json_string(json_get(package, "scripts"), "test", "");
	return *script && !strstr(script, "no test specified");
}

/* Yarn with Plug'n'Play; of a yarn that is in the tree, so that nothing has to fetch one. */
static const char *npm_yarn_command(const char *dir, struct arena *arena)
{
	static const char key[] = "yarnPath:";
	const char *settings = listing_read(dir, ".yarnrc.yml", arena);
	const char *path = settings && text_has_line(settings, key) ? strstr(settings, key) : NULL;
	if (!path)
		return "yarn test";
	path += strlen(key);
	path += strspn(path, " \"'");
	path = arena_strndup(arena, path, strcspn(path, " \"'\n"));
	return arena_printf(arena, "node %s test", command_quote(path, arena));
}

static const char *npm_detect(
	const char *dir, const char *const *paths, size_t n, struct arena *arena, struct suite *suite)
{
	AUTO_JSON *package = npm_read_package(dir, paths, n, arena);
	if (!npm_has_script(package))
		return NULL;
	if (script_has_pnp(dir, arena))
		suite->command = npm_yarn_command(dir, arena);
	const char *build = script_build_before(suite->command, package, dir, paths, n, arena);
	if (build)
		suite->command = arena_printf(arena, "npm run %s && %s", build, suite->command);
	return "package.json";
}

/* The configuration of a runner that is used without a script, or package.json, which depends on
 * it. */
static const char *npm_detect_runner(
	const char *dir, const char *const *paths, size_t n, struct arena *arena, struct suite *suite)
{
	AUTO_JSON *package = npm_read_package(dir, paths, n, arena);
	if (npm_has_script(package))
		return NULL;
	const char *runner = suite->type->name;
	const char *configuration = listing_first(paths, n, suite->type->markers);
	bool depends = json_string(json_get(package, "devDependencies"), runner, NULL) ||
		json_string(json_get(package, "dependencies"), runner, NULL);
	return configuration ? configuration : depends ? "package.json" : NULL;
}

/* Define npm_runs_NAME. */
#define NPM_RUNS(name) \
	static bool npm_runs_##name(const char *const *words, size_t n) \
	{ \
		return javascript_starts(words, n, #name); \
	}
NPM_RUNS(jest)
NPM_RUNS(vitest)
NPM_RUNS(ava)
NPM_RUNS(tap)
NPM_RUNS(tape)
NPM_RUNS(uvu)

static bool npm_runs_mocha(const char *const *words, size_t n)
{
	return javascript_starts(words, n, "mocha") || javascript_starts(words, n, "ts-mocha");
}

/* Makes the directory `report`, in which runners write their files. */
static const char *npm_preload(const struct suite *suite, const char *report, struct arena *arena)
{
	if (!report)
		return suite->command;
	const char *dir = command_quote(report, arena);
	return arena_printf(arena,
		"mkdir %s && printf %%s %s >%s.cjs && "
		"export NODE_OPTIONS=\"$NODE_OPTIONS --require=\\\"\"%s'.cjs\"'; %s",
		dir, command_quote(preload_js, arena), dir, dir, suite->command);
}

static const char *npm_structured(
	const struct suite *suite, const char *report, struct arena *arena)
{
	return arena_printf(arena,
		"grep -qs -e --test-reporter package.json || "
		"export NODE_OPTIONS=\"$NODE_OPTIONS --test-reporter=tap\"; %s",
		npm_preload(suite, report, arena));
}

/* Whether an id is a file of which a test is among the others: its result comes with that. */
static bool npm_is_file_of_another(const char *id, const char *const *ids, size_t n)
{
	size_t length = strlen(id);
	for (size_t i = 0; i < n; i++)
		if (text_starts_with(ids[i], id) && text_starts_with(ids[i] + length, " > "))
			return true;
	return false;
}

/* By the ids that begin with a file; NULL: some do not. */
static const char *npm_select_ids(
	const char *line, const char *const *ids, size_t n, struct arena *arena)
{
	AUTO_JSON *list = json_array();
	for (size_t i = 0; i < n; i++) {
		const char *end = strstr(ids[i], " > ");
		if (!end && npm_is_file_of_another(ids[i], ids, n))
			continue;
		if (!end || !is_script_path(ids[i], (size_t)(end - ids[i])))
			return NULL;
		json_add_string(list, NULL, ids[i]);
	}
	AUTO_FREE char *text = json_print(list);
	if (strlen(text) > LONGEST_COMMAND)
		return NULL;
	return arena_printf(arena, "export RONDO_TESTS=%s; %s", command_quote(text, arena), line);
}

static const char *npm_targeted(
	const struct suite *suite, const char *const *ids, size_t n, struct arena *arena)
{
	const char *all = javascript_line(suite);
	const char *line = bun_select(all, ids, n, arena);
	if (!line)
		line = npm_select_ids(script_tests_for(all, ids, n, arena), ids, n, arena);
	if (!line)
		line = javascript_select_titles(all, ids, n, arena);
	return javascript_targeted(suite, line, arena);
}

/* Nothing is fetched, and nobody is asked. */
static const char *const npm_env[] = {"npm_config_update_notifier=false", "npm_config_offline=true",
	"npm_config_yes=false", "npm_config_manage_package_manager_versions=false", NULL};
static const char *const npm_tools[] = {
	"npm", "npx", "node", "yarn", "pnpm", "bun", "bunx", "sh", NULL};

/* Members of all. */
#define NPM_MEMBERS \
	.env = npm_env, .resolve = javascript_resolve, .targeted = npm_targeted, \
	.sentinel = javascript_sentinel, .tools = npm_tools, .configuration = javascript_configuration

const struct suite_type npm_suite = {
	.name = "npm",
	.summary = "npm test, yarn test, pnpm test",
	.command = "npm test",
	.detect = npm_detect,
	.runs = script_is_called,
	.may_build = true,
	.structured = npm_structured,
	.warm = javascript_warm,
	.tests = (const char *const[]){JAVASCRIPT_TESTS, "test/", NULL},
	NPM_MEMBERS,
};

const struct suite_type jest_suite = {
	.name = "jest",
	.summary = "jest, also by npx, yarn or pnpm",
	.formats = (const struct format *const[]){&jest_format, &exit_format, NULL},
	.command = "npx jest",
	.markers = (const char *const[]){"jest.config.js", "jest.config.ts", "jest.config.cjs",
		"jest.config.mjs", "jest.config.json", NULL},
	.detect = npm_detect_runner,
	.runs = npm_runs_jest,
	.structured = npm_preload,
	.warm = javascript_warm,
	.tests = (const char *const[]){JAVASCRIPT_TESTS, NULL},
	NPM_MEMBERS,
};

const struct suite_type vitest_suite = {
	.name = "vitest",
	.summary = "vitest, also by npx, yarn or pnpm",
	.formats = (const struct format *const[]){&vitest_format, &exit_format, NULL},
	.command = "npx vitest run",
	.markers = (const char *const[]){"vitest.config.ts", "vitest.config.js", "vitest.config.mts",
		"vitest.config.mjs", "vitest.config.cts", "vitest.config.cjs", NULL},
	.detect = npm_detect_runner,
	.runs = npm_runs_vitest,
	.structured = npm_preload,
	.tests = (const char *const[]){JAVASCRIPT_TESTS, NULL},
	NPM_MEMBERS,
};

const struct suite_type mocha_suite = {
	.name = "mocha",
	.summary = "mocha, also by npx, yarn or pnpm",
	.formats = (const struct format *const[]){&mocha_format, &exit_format, NULL},
	.command = "npx mocha",
	.markers = (const char *const[]){".mocharc.js", ".mocharc.cjs", ".mocharc.json",
		".mocharc.jsonc", ".mocharc.yml", ".mocharc.yaml", NULL},
	.detect = npm_detect_runner,
	.runs = npm_runs_mocha,
	.structured = npm_preload,
	.warm = javascript_warm,
	.tests = (const char *const[]){JAVASCRIPT_TESTS, "test/", NULL},
	NPM_MEMBERS,
};

const struct suite_type ava_suite = {
	.name = "ava",
	.summary = "ava, also by npx, yarn or pnpm",
	.formats = (const struct format *const[]){&tap_format, &exit_format, NULL},
	.command = "npx ava",
	.markers = (const char *const[]){"ava.config.js", "ava.config.cjs", "ava.config.mjs", NULL},
	.detect = npm_detect_runner,
	.runs = npm_runs_ava,
	.structured = npm_preload,
	.tests = (const char *const[]){JAVASCRIPT_TESTS, "test/", "test.*", "test-*.?s", NULL},
	NPM_MEMBERS,
};

const struct suite_type tap_suite = {
	.name = "tap",
	.summary = "tap, also by npx, yarn or pnpm",
	.formats = (const struct format *const[]){&tap_format, &exit_format, NULL},
	.command = "npx tap",
	.markers = (const char *const[]){".taprc", NULL},
	.detect = npm_detect_runner,
	.runs = npm_runs_tap,
	.structured = npm_preload,
	.tests = (const char *const[]){JAVASCRIPT_TESTS, "test/", "tap-snapshots/", NULL},
	NPM_MEMBERS,
};

const struct suite_type tape_suite = {
	.name = "tape",
	.summary = "tape, also by npx, yarn or pnpm",
	.formats = (const struct format *const[]){&tap_format, &exit_format, NULL},
	.command = "npx tape 'test/**/*.js'",
	.markers = (const char *const[]){NULL},
	.detect = npm_detect_runner,
	.runs = npm_runs_tape,
	.structured = npm_preload,
	.warm = javascript_warm,
	.tests = (const char *const[]){JAVASCRIPT_TESTS, "test/", NULL},
	NPM_MEMBERS,
};

const struct suite_type uvu_suite = {
	.name = "uvu",
	.summary = "uvu, also by npx, yarn or pnpm",
	.formats = (const struct format *const[]){&uvu_format, &exit_format, NULL},
	.command = "npx uvu",
	.markers = (const char *const[]){NULL},
	.detect = npm_detect_runner,
	.runs = npm_runs_uvu,
	.structured = npm_preload,
	.warm = javascript_warm,
	.tests = (const char *const[]){JAVASCRIPT_TESTS, "test/", NULL},
	NPM_MEMBERS,
};
