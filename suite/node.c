/*
 * `node --test`, read as TAP. The reporter is set in the environment rather than behind `--test`,
 * so that it reaches a node that a script starts; not where the command has a reporter of its own,
 * since node refuses two.
 */
#include <string.h>

#include "suite/command_line.h"
#include "suite/listing.h"
#include "suite/tap.h"

static bool is_test_file(const char *path)
{
	static const char *const suffixes[] = {".js", ".mjs", ".cjs"};
	const char *name = strrchr(path, '/') ? strrchr(path, '/') + 1 : path;
	for (size_t i = 0; i < sizeof suffixes / sizeof *suffixes; i++)
		if (text_ends_with(name, suffixes[i]))
			return strstr(name, ".test.") || text_starts_with(path, "test/") ||
			       strstr(path, "/test/");
	return false;
}

static bool uses_node_test(const char *text)
{
	return strstr(text, "'node:test'") || strstr(text, "\"node:test\"");
}

static bool node_detect(const char *dir, const char *const *paths, size_t n, struct arena *arena,
	struct suite *suite)
{
	for (size_t i = 0; i < n; i++) {
		if (strstr(paths[i], "node_modules/") || !is_test_file(paths[i]))
			continue;
		const char *text = listing_read(dir, paths[i], arena);
		if (!text || !uses_node_test(text))
			continue;
		suite->command = "node --test";
		suite->origin = paths[i];
		return true;
	}
	return false;
}

static bool is_node_test(const char *const *words, size_t n)
{
	if (!command_is(words[0], "node"))
		return false;
	for (size_t i = 1; i < n && words[i][0] == '-'; i++)
		if (strcmp(words[i], "--test") == 0)
			return true;
	return false;
}

static bool node_runs(const char *command)
{
	return command_line_any(command, is_node_test);
}

static const char *node_structured(const struct suite *suite, struct arena *arena)
{
	if (strstr(suite->command, "--test-reporter"))
		return suite->command;
	return arena_printf(arena, "export NODE_OPTIONS=\"$NODE_OPTIONS --test-reporter=tap\"; %s",
		suite->command);
}

const struct suite_type node_suite = {
	.name = "node",
	.summary = "node --test",
	.state_size = sizeof(struct tap_state),
	.detect = node_detect,
	.runs = node_runs,
	.structured = node_structured,
	.read_line = tap_read_line,
	.finish = tap_read_end,
	.tools = (const char *const[]){"node", NULL},
	.tests = (const char *const[]){"*.test.js", "*.test.mjs", "*.test.cjs", "test/", NULL},
	.configuration = (const char *const[]){"package.json", "package-lock.json", NULL},
};
