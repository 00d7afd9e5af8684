/* Bats, whose lines are TAP: the directories that hold its files. */
#include <string.h>

#include "base/strbuf.h"
#include "verify/suite/format.h"
#include "verify/suite/runners/command_line.h"

/* Of Bats itself and its libraries, which often lie beside the tests. */
static bool bats_is_foreign(const char *path)
{
	static const char *const dirs[] = {
		"/bats/", "/bats-core/", "/libs/", "test_helper/", "vendor/", "node_modules/"};
	for (size_t i = 0; i < ARRAY_SIZE(dirs); i++)
		if (strstr(path, dirs[i]))
			return true;
	return false;
}

static const char *bats_detect(
	const char *dir, const char *const *paths, size_t n, struct arena *arena, struct suite *suite)
{
	AUTO_STRBUF line = STRBUF_INIT(STRBUF_LINE);
	const char *first = NULL, *last = NULL;
	(void)dir;
	strbuf_adds(&line, "bats");
	for (size_t i = 0; i < n; i++) {
		if (!text_ends_with(paths[i], ".bats") || bats_is_foreign(paths[i]))
			continue;
		const char *slash = strrchr(paths[i], '/');
		const char *own = slash
			? arena_strndup(arena, paths[i], (size_t)(slash - paths[i])) : ".";
		if (!last || strcmp(own, last) != 0)
			strbuf_addf(&line, " %s", command_quote(own, arena));
		first = first ? first : paths[i];
		last = own;
	}
	suite->command = command_bounded(&line, arena);
	return suite->command ? first : NULL;
}

static bool bats_runs(const char *const *words, size_t n)
{
	(void)n;
	return command_is(words[0], "bats");
}

static const char *bats_structured(
	const struct suite *suite, const char *report, struct arena *arena)
{
	(void)report;
	return command_line_with(suite->command, "bats", NULL, "--tap", arena);
}

/* By their names, as one extended regular expression. */
static const char *bats_targeted(
	const struct suite *suite, const char *const *ids, size_t n, struct arena *arena)
{
	AUTO_STRBUF names = STRBUF_INIT(STRBUF_TEXT);
	for (size_t i = 0; i < n; i++) {
		strbuf_adds(&names, i ? "|" : "");
		strbuf_add_escaped(&names, ids[i], strlen(ids[i]), "^$.[]()*+?|\\{}");
	}
	if (!command_line_any(suite->command, bats_runs) || command_line_has(suite->command, "-f"))
		return NULL;
	const char *pattern = command_quote(arena_printf(arena, "^(%s)$", names.text), arena);
	const char *line = command_line_with(
		suite->command, "bats", NULL, arena_printf(arena, "--tap -f %s", pattern), arena);
	return strlen(line) < LONGEST_COMMAND ? line : NULL;
}

static bool bats_sentinel(const struct suite *suite, const char *beside, const char *text,
	struct arena *arena, struct sentinel *sentinel)
{
	(void)suite, (void)text;
	const char *slash = strrchr(beside, '/');
	if (!text_ends_with(beside, ".bats"))
		return false;
	sentinel->path = arena_printf(arena, "%.*s%s.bats", slash ? (int)(slash + 1 - beside) : 0,
		beside, sentinel->passing);
	sentinel->text = arena_printf(arena,
		"@test \"%s\" {\n\t[ \"$(printf ab | wc -c)\" -eq 2 ]\n}\n\n"
		"@test \"%s\" {\n\t[ \"$(printf ab | wc -c)\" -eq 3 ]\n}\n",
		sentinel->passing, sentinel->failing);
	return true;
}

const struct suite_type bats_suite = {
	.name = "bats",
	.summary = "bats",
	.formats = (const struct format *const[]){&tap_format, NULL},
	.detect = bats_detect,
	.runs = bats_runs,
	.structured = bats_structured,
	.targeted = bats_targeted,
	.sentinel = bats_sentinel,
	.tools = (const char *const[]){"bats", "bash", NULL},
	.tests = (const char *const[]){"*.bats", "test/", "tests/", NULL},
};
