#include "verify/suite/runners/javascript_suite.h"

#include <string.h>

#include "base/file.h"
#include "base/hash.h"
#include "base/json.h"
#include "base/memory.h"
#include "base/strbuf.h"
#include "verify/suite/listing.h"
#include "verify/suite/preload.h"
#include "verify/suite/runners/command_line.h"

bool javascript_starts(const char *const *words, size_t n, const char *runner, const char *script)
{
	static const char *const managers[] = {"npm", "yarn", "pnpm", "npx", "bunx"};
	size_t at = 0;
	for (size_t i = 0; i < ARRAY_SIZE(managers) && !at; i++)
		at = command_is(words[0], managers[i]);
	bool by_node = command_is(words[0], "node");
	at = at || by_node;
	while (at && at < n &&
		   (words[at][0] == '-' ||
			   (!by_node && (strcmp(words[at], "exec") == 0 || strcmp(words[at], "run") == 0))))
		at++;
	if (at == n)
		return false;
	return command_is(words[at], runner) || (by_node && text_ends_with(words[at], script));
}

static struct json *read_package(
	const char *dir, const char *const *paths, size_t n, struct arena *arena)
{
	struct rondo_error ignored;
	const char *text =
		text_in_sorted(paths, n, "package.json") ? listing_read(dir, "package.json", arena) : NULL;
	return text ? json_parse(text, strlen(text), &ignored) : NULL;
}

const char *javascript_script(
	const char *dir, const char *const *paths, size_t n, struct arena *arena)
{
	AUTO_JSON *package = read_package(dir, paths, n, arena);
	const char *script = json_string(json_get(package, "scripts"), "test", "");
	return *script && !strstr(script, "no test specified") ? arena_strdup(arena, script) : NULL;
}

const char *javascript_origin(const char *dir, const char *const *paths, size_t n,
	const char *runner, const char *const *configurations, struct arena *arena)
{
	AUTO_JSON *package = read_package(dir, paths, n, arena);
	if (javascript_script(dir, paths, n, arena))
		return NULL;
	const char *configuration = listing_first(paths, n, configurations);
	bool depends = json_string(json_get(package, "devDependencies"), runner, NULL) ||
				   json_string(json_get(package, "dependencies"), runner, NULL);
	return configuration ? configuration : depends ? "package.json" : NULL;
}

const char *javascript_structured(
	const struct suite *suite, const char *report, struct arena *arena)
{
	return preload_command(suite->command, report, arena);
}

const char *javascript_targeted(
	const struct suite *suite, const char *const *ids, size_t n, struct arena *arena)
{
	return preload_targeted(suite->command, ids, n, arena);
}

/* The runner finds out what the command comes to; it is started by the node that the command names.
 * */
bool javascript_warm(const struct suite *suite, struct arena *arena, struct warm_plan *ret_plan)
{
	size_t n;
	struct simple_command *command = command_line_split(suite->command, arena, &n);
	bool by_node = n == 1 && command_is(command->words[0], "node");
	*ret_plan = (struct warm_plan){
		.runner = "node", .kind = "command", .start = by_node ? command->words[0] : "node"};
	ARENA_PUSH(arena, ret_plan->arguments, ret_plan->n_arguments, suite->command);
	return n == 1;
}

/* --- Sentinels --- */

/* Where a test file has what it tests with from; `%s` are the names of its two tests. */
static const struct dialect {
	const char *sign;  /* in the text of the file beside it */
	const char *start; /* of a module, and of one that requires */
	const char *start_old;
	const char *tests;
} dialects[] = {
	{"vitest", "import { expect, test } from \"vitest\";\n",
		"const { expect, test } = require(\"vitest\");\n",
		"test(\"%s\", () => {\n\texpect(2).toBe(2);\n});\n\n"
		"test(\"%s\", () => {\n\texpect(2).toBe(3);\n});\n"},
	{"node:test", "import assert from \"node:assert\";\nimport test from \"node:test\";\n",
		"const assert = require(\"node:assert\");\nconst test = require(\"node:test\");\n",
		"test(\"%s\", () => {\n\tassert.strictEqual(2, 2);\n});\n\n"
		"test(\"%s\", () => {\n\tassert.strictEqual(2, 3);\n});\n"},
	{"@jest/globals", "import { expect, test } from \"@jest/globals\";\n",
		"const { expect, test } = require(\"@jest/globals\");\n",
		"test(\"%s\", () => {\n\texpect(2).toBe(2);\n});\n\n"
		"test(\"%s\", () => {\n\texpect(2).toBe(3);\n});\n"},
	{"chai", "import assert from \"node:assert\";\n", "const assert = require(\"node:assert\");\n",
		"it(\"%s\", () => {\n\tassert.strictEqual(2, 2);\n});\n\n"
		"it(\"%s\", () => {\n\tassert.strictEqual(2, 3);\n});\n"},
	{"expect(", "", "",
		"it(\"%s\", () => {\n\texpect(2).toBe(2);\n});\n\n"
		"it(\"%s\", () => {\n\texpect(2).toBe(3);\n});\n"},
	{"it(", "import assert from \"node:assert\";\n", "const assert = require(\"node:assert\");\n",
		"it(\"%s\", () => {\n\tassert.strictEqual(2, 2);\n});\n\n"
		"it(\"%s\", () => {\n\tassert.strictEqual(2, 3);\n});\n"},
};

static const struct dialect *dialect_of(const char *text)
{
	for (size_t i = 0; i < ARRAY_SIZE(dialects); i++)
		if (strstr(text, dialects[i].sign))
			return &dialects[i];
	return NULL;
}

/* "src/WORD.test.js" beside "src/sum.test.js": what the runner looks for in a name stays. */
static const char *path_beside(const char *beside, const char *word, struct arena *arena)
{
	const char *name = file_name(beside), *end = strchr(name, '.');
	return arena_printf(arena, "%.*s%s%s", (int)(name - beside), beside, word, end);
}

bool javascript_sentinel(const struct suite *suite, const char *beside, const char *text,
	const char *passing, const char *failing, struct arena *arena, struct sentinel *ret_sentinel)
{
	(void)suite;
	const char *name = file_name(beside);
	const struct dialect *dialect = dialect_of(text);
	if (!dialect || !is_script_path(name, strlen(name)) || *name == '.')
		return false;
	char word[HASH_SIZE];
	const char *words = arena_printf(arena, "%s %s", passing, failing);
	hash_bytes(words, strlen(words), word);
	word[8] = '\0';
	bool is_module = text_has_line(text, "import ") && !text_ends_with(name, ".cjs");
	const char *tests = strstr(dialect->tests, "%s");
	const char *second = strstr(tests + 2, "%s");
	*ret_sentinel = (struct sentinel){
		.path = path_beside(beside, word, arena),
		.text = arena_printf(arena, "%s%s%.*s%s%.*s%s%s",
			is_module ? dialect->start : dialect->start_old, *dialect->start ? "\n" : "",
			(int)(tests - dialect->tests), dialect->tests, passing, (int)(second - tests - 2),
			tests + 2, failing, second + 2),
		.passing = passing,
		.failing = failing,
	};
	return true;
}
