/* `bun test`: bun's own runner, which takes JavaScript and TypeScript as they are. */
#include "verify/suite/runners/bun.h"

#include <string.h>

#include "base/strbuf.h"
#include "verify/suite/format.h"
#include "verify/suite/ids.h"
#include "verify/suite/listing.h"
#include "verify/suite/runners/command_line.h"
#include "verify/suite/runners/javascript_suite.h"
#include "verify/suite/runners/script.h"
#include "verify/suite/suite_javascript.h"

static const char *bun_detect(
	const char *dir, const char *const *paths, size_t n, struct arena *arena, struct suite *suite)
{
	(void)suite;
	static const char *const names[] = {"*.test.*", "*_test.*", "*.spec.*", "*_spec.*", NULL};
	for (size_t i = 0; i < n; i++) {
		if (strstr(paths[i], "node_modules/") || !line_matches_any(paths[i], names) ||
			!is_script_path(paths[i], strlen(paths[i])))
			continue;
		const char *text = listing_read(dir, paths[i], arena);
		if (text && (strstr(text, "\"bun:test\"") || strstr(text, "'bun:test'")))
			return paths[i];
	}
	return NULL;
}

static bool bun_runs(const char *const *words, size_t n)
{
	return javascript_starts(words, n, "bun");
}

/* A title as bun compares it: blanks join its groups, and a number at its end may be rondo's. */
static void bun_add_title(struct strbuf *pattern, const char *title)
{
	size_t own = id_name_length(title, strlen(title));
	for (const char *at = title; at < title + own;) {
		bool is_joint = text_starts_with(at, " > ");
		if (is_joint)
			strbuf_adds(pattern, "( >)? ");
		else
			strbuf_add_escaped(pattern, at, 1, JAVASCRIPT_SPECIAL);
		at += is_joint ? strlen(" > ") : 1;
	}
	if (!title[own])
		return;
	strbuf_adds(pattern, "(");
	strbuf_add_escaped(pattern, title + own, strlen(title + own), JAVASCRIPT_SPECIAL);
	strbuf_adds(pattern, ")?");
}

const char *bun_select(const char *line, const char *const *ids, size_t n, struct arena *arena)
{
	struct runner_call call;
	bool prepared, all = false;
	AUTO_STRBUF selected = STRBUF_INIT(STRBUF_TEXT), pattern = STRBUF_INIT(STRBUF_TEXT);
	if (!script_find_runner(line, arena, &call, &prepared) || strcmp(call.name, "bun") != 0 ||
		!command_line_is_plain(line))
		return NULL;
	strbuf_adds(&selected, line);
	for (size_t i = 0; i < n; i++) {
		const char *title = strstr(ids[i], " > ");
		size_t file = title ? (size_t)(title - ids[i]) : strlen(ids[i]);
		if (!is_script_path(ids[i], file))
			return NULL;
		all = all || !title;
		strbuf_addf(&selected, " %s",
			command_quote(arena_printf(arena, "./%.*s", (int)file, ids[i]), arena));
		strbuf_adds(&pattern, pattern.length ? "|" : "");
		if (title)
			bun_add_title(&pattern, title + strlen(" > "));
	}
	if (!all)
		strbuf_addf(
			&selected, " -t %s", command_quote(arena_printf(arena, "^(%s)$", pattern.text), arena));
	return command_bounded(&selected, arena);
}

static const char *bun_targeted(
	const struct suite *suite, const char *const *ids, size_t n, struct arena *arena)
{
	return javascript_targeted(suite, bun_select(javascript_line(suite), ids, n, arena), arena);
}

const struct suite_type bun_suite = {
	.name = "bun",
	.summary = "bun test",
	.formats = (const struct format *const[]){&bun_format, &exit_format, NULL},
	.command = "bun test",
	.detect = bun_detect,
	.runs = bun_runs,
	.resolve = javascript_resolve,
	.targeted = bun_targeted,
	.tools = (const char *const[]){"bun", "bunx", "node", "sh", NULL},
	.tests = (const char *const[]){JAVASCRIPT_TESTS, "*_test.?s", "*_test.?sx", "*_spec.?s",
		"*_spec.?sx", "test/", NULL},
	.configuration = javascript_configuration,
};
