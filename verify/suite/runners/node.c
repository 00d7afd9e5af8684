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

/* A whole title as a regular expression of JavaScript; the number at its end may be rondo's. */
static void node_add_pattern(struct strbuf *pattern, const char *title, size_t n)
{
	size_t own = id_name_length(title, n);
	strbuf_adds(pattern, "^");
	strbuf_add_escaped(pattern, title, own, JAVASCRIPT_SPECIAL);
	if (own < n) {
		strbuf_adds(pattern, "(");
		strbuf_add_escaped(pattern, title + own, n - own, JAVASCRIPT_SPECIAL);
		strbuf_adds(pattern, ")?");
	}
	strbuf_adds(pattern, "$");
}

/* The end of a whole word in a line, which may follow a path; NULL: it is not there. */
static const char *node_after_word(const char *line, const char *word)
{
	size_t n = strlen(word);
	for (const char *at = line; (at = strstr(at, word)); at++)
		if ((at == line || strchr(" /", at[-1])) && (!at[n] || at[n] == ' '))
			return at + n;
	return NULL;
}

/* Ava's titles begin with the file's name, if there are several: every end of one is asked for. */
static bool node_add_matches(struct strbuf *line, const char *id, struct arena *arena)
{
	for (const char *at = id; at;) {
		const char *end = strstr(at, " › ");
		AUTO_STRBUF title = STRBUF_INIT(STRBUF_TEXT);
		strbuf_add(&title, at, id_name_length(at, strlen(at)));
		if (strchr("!", *at))
			return false;
		strbuf_addf(line, " --match=%s", command_quote(title.text, arena));
		at = end ? end + strlen(" › ") : NULL;
	}
	return true;
}

static void node_add_titles(struct strbuf *line, const char *id, struct arena *arena)
{
	for (const char *at = id; at;) {
		const char *end = strstr(at, " > ");
		AUTO_STRBUF pattern = STRBUF_INIT(STRBUF_TEXT);
		node_add_pattern(&pattern, at, end ? (size_t)(end - at) : strlen(at));
		strbuf_addf(line, " --test-name-pattern=%s", command_quote(pattern.text, arena));
		at = end ? end + strlen(" > ") : NULL;
	}
}

/* A test of node's runs if its own name and those of its groups match; newer versions run all of a
 * group that matches. */
const char *javascript_select_titles(
	const char *command, const char *const *ids, size_t n, struct arena *arena)
{
	struct runner_call call;
	bool prepared;
	AUTO_STRBUF line = STRBUF_INIT(STRBUF_TEXT);
	if (!script_find_runner(command, arena, &call, &prepared) || call.options != 1)
		return NULL;
	bool is_ava = strcmp(call.name, "ava") == 0;
	bool is_node = strcmp(call.name, "node") == 0 || strcmp(call.name, "tsx") == 0;
	const char *after =
		is_ava || is_node ? node_after_word(command, is_ava ? "ava" : "--test") : NULL;
	if (!after)
		return NULL;
	strbuf_add(&line, command, (size_t)(after - command));
	for (size_t i = 0; i < n; i++) {
		if (is_ava && !node_add_matches(&line, ids[i], arena))
			return NULL;
		if (is_node && node_is_test_file(ids[i]))
			return NULL;
		if (is_node)
			node_add_titles(&line, ids[i], arena);
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
