#include "verify/suite/runners/javascript_suite.h"

#include <string.h>

#include "base/file.h"
#include "base/hash.h"
#include "base/memory.h"
#include "base/strbuf.h"
#include "verify/suite/lines.h"
#include "verify/suite/listing.h"
#include "verify/suite/runners/command_line.h"
#include "verify/suite/runners/script.h"
#include "verify/suite/suite_javascript.h"

const char *const javascript_configuration[] = {"package.json", "package-lock.json",
	"npm-shrinkwrap.json", "yarn.lock", "pnpm-lock.yaml", "pnpm-workspace.yaml", ".npmrc",
	".yarnrc*", ".pnp.*", "bun.lock*", "bunfig.toml", "jest.config.*", "jest.preset.*",
	"vitest.config.*", "vitest.workspace.*", "vite.config.*", ".mocharc*", "mocha.opts", ".nycrc*",
	".c8rc*", "babel.config.*", ".babelrc*", ".swcrc", "tsconfig*.json", "ava.config.*", ".taprc",
	"eslint.config.*", ".eslintrc*", ".prettierrc*", "prettier.config.*", "biome.json*",
	"xo.config.*", NULL};

bool javascript_starts(const char *const *words, size_t n, const char *runner)
{
	AUTO_ARENA arena = ARENA_INIT;
	struct runner_call call;
	const char **own = arena_memdup(&arena, words, n * sizeof *words);
	struct simple_command command = {.words = own, .raws = own, .n = n};
	return runner_call_of(&command, &arena, &call) && strcmp(call.name, runner) == 0;
}

void javascript_resolve(struct suite *suite, const char *dir, struct arena *arena)
{
	suite->tests_alone = script_tests_of(suite->command, dir, arena);
}

const char *javascript_line(const struct suite *suite)
{
	return suite->tests_alone ? suite->tests_alone : suite->command;
}

const char *javascript_targeted(const struct suite *suite, const char *line, struct arena *arena)
{
	if (!suite->tests_alone)
		return line;
	return arena_printf(arena, "export PATH=\"$PWD/node_modules/.bin:$PATH\"; %s",
		line ? line : suite->tests_alone);
}

const char *suite_tests_line(const struct suite *suite, struct arena *arena)
{
	return javascript_targeted(suite, NULL, arena);
}

/* "> name@1.0.0 posttest" and "> npm run lint": a script and its text, as npm prints them. */
static const char *javascript_part_at(const char *line, struct arena *arena, bool *ret_is_hook)
{
	size_t n = strcspn(line, "\n");
	const char *next = line + n + (line[n] == '\n');
	const char *head = arena_strndup(arena, line, n), *name = strrchr(head, ' ');
	if (!text_starts_with(head, "> ") || !strchr(head, '@') || !text_starts_with(next, "> "))
		return NULL;
	*ret_is_hook = text_starts_with(name, " pre") || text_starts_with(name, " post");
	return arena_printf(arena, "%s (%.*s)", name + 1, (int)strcspn(next + 2, "\n"), next + 2);
}

const char *suite_last_part(
	const struct suite *suite, const struct test_report *report, struct arena *arena)
{
	const char *part = NULL, *at = report->output;
	for (; at && *at; at += strcspn(at, "\n"), at += *at == '\n') {
		bool is_hook;
		const char *found = javascript_part_at(at, arena, &is_hook);
		if (found && (is_hook || !part))
			part = found;
	}
	return part ? part : suite->command;
}

bool javascript_warm(const struct suite *suite, struct arena *arena, struct warm_plan *ret_plan)
{
	static const char *const kinds[] = {
		"node", "tsx", "mocha", "ts-mocha", "jest", "tape", "uvu", NULL};
	struct runner_call call;
	bool prepared;
	if (!script_find_runner(javascript_line(suite), arena, &call, &prepared) ||
		!line_matches_any(call.name, kinds))
		return false;
	*ret_plan = (struct warm_plan){.runner = "node",
		.kind = call.name,
		.is_prepared = prepared,
		.start = arena_printf(arena, "PATH=\"$PWD/node_modules/.bin:$PATH\" %s%s", call.before,
			command_is(call.words[0], "node") ? call.raws[0] : "node")};
	for (size_t i = call.options; i < call.n; i++)
		ARENA_PUSH(arena, ret_plan->arguments, ret_plan->n_arguments, call.words[i]);
	return true;
}

/* --- Sentinels --- */

#define DIALECT_NODE_MODULE "import assert from \"node:assert\";\n"
#define DIALECT_NODE_SCRIPT "const assert = require(\"node:assert\");\n"

/* How a test file tests, by a sign in the text of its neighbour. */
static const struct dialect {
	const char *sign;
	const char *module, *script; /* what a module begins with, and a file that requires */
	const char *test, *check;    /* begins a test, and a check that something is 2 */
	const char *argument;        /* of a test; NULL: it has none */
	const char *end;             /* of the file; NULL: it needs none */
} dialects[] = {
	{"\"ava\"", "import test from \"ava\";\n", "const test = require(\"ava\");\n", "test",
		"t.is(2, ", "t", NULL},
	{"'ava'", "import test from \"ava\";\n", "const test = require(\"ava\");\n", "test", "t.is(2, ",
		"t", NULL},
	{"uvu/assert", "import { test } from \"uvu\";\nimport * as assert from \"uvu/assert\";\n",
		"const { test } = require(\"uvu\");\nconst assert = require(\"uvu/assert\");\n", "test",
		"assert.is(2, ", NULL, "\ntest.run();\n"},
	{"vitest", "import { expect, test } from \"vitest\";\n",
		"const { expect, test } = require(\"vitest\");\n", "test", "expect(2).toBe(", NULL, NULL},
	{"node:test", DIALECT_NODE_MODULE "import test from \"node:test\";\n",
		DIALECT_NODE_SCRIPT "const test = require(\"node:test\");\n", "test",
		"assert.strictEqual(2, ", NULL, NULL},
	{"@jest/globals", "import { expect, test } from \"@jest/globals\";\n",
		"const { expect, test } = require(\"@jest/globals\");\n", "test", "expect(2).toBe(", NULL,
		NULL},
	{"chai", DIALECT_NODE_MODULE, DIALECT_NODE_SCRIPT, "it", "assert.strictEqual(2, ", NULL, NULL},
	{"expect(", "", "", "it", "expect(2).toBe(", NULL, NULL},
	{"it(", DIALECT_NODE_MODULE, DIALECT_NODE_SCRIPT, "it", "assert.strictEqual(2, ", NULL, NULL},
};

static const struct dialect *javascript_dialect_of(const char *text)
{
	for (size_t i = 0; i < ARRAY_SIZE(dialects); i++)
		if (strstr(text, dialects[i].sign))
			return &dialects[i];
	return NULL;
}

/* "src/WORD.test.js" beside "src/sum.test.js": what the runner looks for in a name stays. */
bool javascript_sentinel(const struct suite *suite, const char *beside, const char *text,
	struct arena *arena, struct sentinel *sentinel)
{
	(void)suite;
	const char *name = file_name(beside);
	const struct dialect *dialect = javascript_dialect_of(text);
	if (!dialect || !is_script_path(name, strlen(name)) || *name == '.')
		return false;
	char word[HASH_SIZE];
	const char *words = arena_printf(arena, "%s %s", sentinel->passing, sentinel->failing);
	hash_bytes(words, strlen(words), word);
	bool is_module = text_has_line(text, "import ") && !text_ends_with(name, ".cjs");
	const char *test = dialect->test, *check = dialect->check;
	sentinel->path =
		arena_printf(arena, "%.*s%.8s%s", (int)(name - beside), beside, word, strchr(name, '.'));
	const char *t = dialect->argument ? dialect->argument : "";
	sentinel->text = arena_printf(arena,
		"%s%s%s(\"%s\", (%s) => {\n\t%s2);\n});\n\n%s(\"%s\", (%s) => {\n\t%s3);\n});\n%s",
		is_module ? dialect->module : dialect->script, *dialect->module ? "\n" : "", test,
		sentinel->passing, t, check, test, sentinel->failing, t, check,
		dialect->end ? dialect->end : "");
	return true;
}
