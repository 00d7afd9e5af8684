/* Lua's busted, asked for TAP. */
#include <ctype.h>
#include <string.h>

#include "base/strbuf.h"
#include "verify/suite/format.h"
#include "verify/suite/runners/command_line.h"

static const char *busted_detect(
	const char *dir, const char *const *paths, size_t n, struct arena *arena, struct suite *suite)
{
	(void)dir, (void)arena;
	suite->command = "busted";
	if (text_in_sorted(paths, n, ".busted"))
		return ".busted";
	for (size_t i = 0; i < n; i++)
		if (text_starts_with(paths[i], "spec/") && text_ends_with(paths[i], "_spec.lua"))
			return paths[i];
	return NULL;
}

static bool busted_runs(const char *const *words, size_t n)
{
	(void)n;
	return command_is(words[0], "busted");
}

static const char *busted_structured(
	const struct suite *suite, const char *report, struct arena *arena)
{
	(void)report;
	return command_line_has(suite->command, "-o") || command_line_has(suite->command, "--output")
		? suite->command
		: command_line_with(suite->command, "busted", NULL, "-o TAP", arena);
}

/* By names, as patterns of Lua; a file that could not be run has none. */
static const char *busted_targeted(
	const struct suite *suite, const char *const *ids, size_t n, struct arena *arena)
{
	AUTO_STRBUF line = STRBUF_INIT(STRBUF_TEXT);
	if (!command_line_is_plain(suite->command))
		return NULL;
	strbuf_adds(&line, busted_structured(suite, NULL, arena));
	for (size_t i = 0; i < n; i++) {
		AUTO_STRBUF pattern = STRBUF_INIT(STRBUF_LINE);
		if (text_starts_with(ids[i], "suite ") || text_ends_with(ids[i], ")"))
			return NULL;
		for (const char *at = ids[i]; *at; at++)
			strbuf_addf(&pattern, "%s%c", ispunct((unsigned char)*at) ? "%" : "", *at);
		const char *option = arena_printf(arena, "--filter=^%s$", pattern.text);
		strbuf_addf(&line, " %s", command_quote(option, arena));
	}
	return command_bounded(&line, arena);
}

static bool busted_sentinel(const struct suite *suite, const char *beside, const char *text,
	struct arena *arena, struct sentinel *sentinel)
{
	(void)suite, (void)text;
	const char *slash = strrchr(beside, '/');
	if (!slash || !text_ends_with(beside, "_spec.lua"))
		return false;
	sentinel->path = arena_printf(
		arena, "%.*s/%s_spec.lua", (int)(slash - beside), beside, sentinel->passing);
	sentinel->text = arena_printf(arena,
		"describe('length', function()\n"
		"  it('%s', function() assert.are.equal(2, #'ab') end)\n"
		"  it('%s', function() assert.are.equal(3, #'ab') end)\nend)\n",
		sentinel->passing, sentinel->failing);
	return true;
}

const struct suite_type busted_suite = {
	.name = "busted",
	.summary = "busted",
	.formats = (const struct format *const[]){&tap_format, NULL},
	.detect = busted_detect,
	.runs = busted_runs,
	.structured = busted_structured,
	.targeted = busted_targeted,
	.sentinel = busted_sentinel,
	.tools = (const char *const[]){"busted", "lua", "luajit", NULL},
	.tests = (const char *const[]){"spec/", NULL},
	.configuration = (const char *const[]){".busted", "*.rockspec", NULL},
};
