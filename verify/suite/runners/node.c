/*
 * `node --test`, read as TAP, or as its spec reporter prints it if the command asks for that. The
 * environment names TAP's reporter, to reach a node that a script starts; but not if the command
 * names a reporter, since node refuses two.
 */
#include <string.h>

#include "base/file.h"
#include "base/strbuf.h"
#include "verify/suite/format.h"
#include "verify/suite/ids.h"
#include "verify/suite/listing.h"
#include "verify/suite/runners/command_line.h"
#include "verify/suite/runners/javascript_suite.h"
#include "verify/suite/runners/script.h"

static bool node_is_test_file(const char *path)
{
	static const char *const scripts[] = {"*.js", "*.mjs", "*.cjs", NULL};
	static const char *const places[] = {"test/*", "*/test/*", NULL};
	const char *name = file_name(path);
	return line_matches_any(name, scripts) &&
		(strstr(name, ".test.") || line_matches_any(path, places));
}

static bool node_is_needed(const char *text)
{
	return strstr(text, "'node:test'") || strstr(text, "\"node:test\"");
}

static const char *node_detect(
	const char *dir, const char *const *paths, size_t n, struct arena *arena, struct suite *suite)
{
	(void)suite;
	for (size_t i = 0; i < n; i++) {
		if (strstr(paths[i], "node_modules/") || !node_is_test_file(paths[i]))
			continue;
		const char *text = listing_read(dir, paths[i], arena);
		if (text && node_is_needed(text))
			return paths[i];
	}
	return NULL;
}

static bool node_runs(const char *const *words, size_t n)
{
	return javascript_starts(words, n, "node") || javascript_starts(words, n, "tsx");
}

static const char *node_structured(
	const struct suite *suite, const char *report, struct arena *arena)
{
	(void)report;
	if (strstr(suite->command, "--test-reporter"))
		return suite->command;
	return arena_printf(
		arena, "export NODE_OPTIONS=\"$NODE_OPTIONS --test-reporter=tap\"; %s", suite->command);
}

static void node_add_literally(struct strbuf *pattern, const char *text, size_t n)
{
	for (size_t i = 0; i < n; i++)
		strbuf_addf(pattern, "%s%c", strchr("\\^$.*+?()[]{}|/", text[i]) ? "\\" : "", text[i]);
}

/* A whole title as a regular expression of JavaScript; the number at its end may be rondo's. */
static void node_add_pattern(struct strbuf *pattern, const char *title, size_t n)
{
	size_t own = id_name_length(title, n);
	strbuf_adds(pattern, "^");
	node_add_literally(pattern, title, own);
	if (own < n) {
		strbuf_adds(pattern, "(");
		node_add_literally(pattern, title + own, n - own);
		strbuf_adds(pattern, ")?");
	}
	strbuf_adds(pattern, "$");
}

/* The end of the word "--test" in a line that starts one node's runner; NULL: it starts others. */
static const char *node_after_test(const char *line, struct arena *arena)
{
	static const char word[] = " --test";
	struct runner_call call;
	bool prepared;
	if (!script_find_runner(line, arena, &call, &prepared) || call.options != 1 ||
		(strcmp(call.name, "node") != 0 && strcmp(call.name, "tsx") != 0))
		return NULL;
	const char *at = line;
	while ((at = strstr(at, word)) && at[strlen(word)] && at[strlen(word)] != ' ')
		at++;
	return at ? at + strlen(word) : NULL;
}

/* A test runs if its own name and those of its groups match; newer versions of node run all of a
 * group that matches. */
const char *javascript_select_titles(
	const char *command, const char *const *ids, size_t n, struct arena *arena)
{
	const char *after = node_after_test(command, arena);
	AUTO_STRBUF line = STRBUF_INIT(STRBUF_TEXT);
	if (!after)
		return NULL;
	strbuf_add(&line, command, (size_t)(after - command));
	for (size_t i = 0; i < n; i++) {
		if (node_is_test_file(ids[i]))
			return NULL;
		for (const char *at = ids[i]; at;) {
			const char *end = strstr(at, " > ");
			AUTO_STRBUF pattern = STRBUF_INIT(STRBUF_TEXT);
			node_add_pattern(&pattern, at, end ? (size_t)(end - at) : strlen(at));
			strbuf_addf(&line, " --test-name-pattern=%s", command_quote(pattern.text, arena));
			at = end ? end + strlen(" > ") : NULL;
		}
	}
	strbuf_adds(&line, after);
	return command_bounded(&line, arena);
}

static const char *node_targeted(
	const struct suite *suite, const char *const *ids, size_t n, struct arena *arena)
{
	const char *line = javascript_select_titles(javascript_line(suite), ids, n, arena);
	return javascript_targeted(suite, line, arena);
}

const struct suite_type node_suite = {
	.name = "node",
	.summary = "node --test",
	.formats = (const struct format *const[]){&tap_format, &node_format, &exit_format, NULL},
	.command = "node --test",
	.detect = node_detect,
	.runs = node_runs,
	.resolve = javascript_resolve,
	.structured = node_structured,
	.targeted = node_targeted,
	.sentinel = javascript_sentinel,
	.warm = javascript_warm,
	.tools = (const char *const[]){"node", NULL},
	.tests = (const char *const[]){JAVASCRIPT_TESTS, "test/", "test-*.?js", "*-test.?js",
		"*_test.?js", "test.?js", "test-*.js", "*-test.js", "*_test.js", "test.js", NULL},
	.configuration = javascript_configuration,
};
