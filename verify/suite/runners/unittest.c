/*
 * Python's unittest with `-v`, which names each test. Where discovery starts decides what is found;
 * so some tests alone are found by discovery, too, by their names.
 */
#include <string.h>

#include "base/file.h"
#include "base/memory.h"
#include "base/strbuf.h"
#include "verify/suite/format.h"
#include "verify/suite/listing.h"
#include "verify/suite/runners/command_line.h"
#include "verify/suite/runners/python_suite.h"

/* Whether discovery takes a file: it imports it by its name. */
static bool unittest_finds(const char *name)
{
	size_t n = strspn(name, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_");
	return text_starts_with(name, "test") && strcmp(name + n, ".py") == 0;
}

static const char *unittest_detect(
	const char *dir, const char *const *paths, size_t n, struct arena *arena, struct suite *suite)
{
	for (size_t i = 0; i < n; i++) {
		const char *name = file_name(paths[i]);
		if (!unittest_finds(name))
			continue;
		const char *text = listing_read(dir, paths[i], arena);
		if (!text || !strstr(text, "TestCase") || python_is_nested(paths, n, paths[i], arena))
			continue;
		/* Discovery from the root enters packages only. */
		const char *folder = arena_strndup(arena, paths[i], (size_t)(name - paths[i]));
		const char *package = arena_printf(arena, "%s__init__.py", folder);
		if (*folder && !text_in_sorted(paths, n, package))
			suite->command = arena_printf(
				arena, "python3 -m unittest discover -s %s", command_quote(folder, arena));
		return paths[i];
	}
	return NULL;
}

/* The place after the word unittest, or 0; and how many words start Python. */
static size_t unittest_start(const char *const *words, size_t n, size_t *ret_interpreter)
{
	return python_after_module(words, n, "unittest", ret_interpreter);
}

static bool unittest_runs(const char *const *words, size_t n)
{
	size_t ignored;
	return unittest_start(words, n, &ignored) > 0;
}

/* What follows the word, without options that would undo -v. */
static const char *unittest_without_quiet(const char *rest, struct arena *arena)
{
	static const char *const quiet[] = {" -q", " --quiet"};
	AUTO_STRBUF sb = STRBUF_INIT(STRBUF_TEXT);
	while (*rest && !strchr(";|&'\"\n", *rest)) {
		size_t n = 0;
		for (size_t i = 0; i < ARRAY_SIZE(quiet); i++)
			if (text_starts_with(rest, quiet[i]) && strchr(" ;|&\n", rest[strlen(quiet[i])]))
				n = strlen(quiet[i]);
		if (!n)
			strbuf_addc(&sb, *rest);
		rest += n ? n : 1;
	}
	strbuf_adds(&sb, rest);
	return arena_strndup(arena, sb.text, sb.length);
}

/* The command with options after the word that starts it; NULL: it has no such word. */
static const char *unittest_with_options(
	const char *command, const char *options, struct arena *arena)
{
	const char *at = strstr(command, "-m unittest");
	if (!at)
		return NULL;
	at += strlen("-m unittest");
	if (text_starts_with(at, " discover"))
		at += strlen(" discover");
	return arena_printf(arena, "%.*s -v%s%s", (int)(at - command), command, options,
		unittest_without_quiet(at, arena));
}

static const char *unittest_structured(
	const struct suite *suite, const char *report, struct arena *arena)
{
	(void)report;
	const char *command = unittest_with_options(suite->command, "", arena);
	return command ? command : suite->command;
}

/* The pattern of an id; -k also finds it in a longer one: a test too many does no harm. For a
 * set-up, that of its tests. */
static const char *unittest_pattern_of(const char *id, struct arena *arena)
{
	AUTO_STRBUF sb = STRBUF_INIT(STRBUF_LINE);
	const char *last = strrchr(id, '.');
	size_t n = last && (text_starts_with(last, ".setUp") || text_starts_with(last, ".tearDown"))
		? (size_t)(last + 1 - id)
		: strlen(id);
	for (size_t i = 0; i < n; i++)
		strbuf_addf(&sb, strchr("*?[", id[i]) ? "[%c]" : "%c", id[i]);
	return command_quote(arena_strndup(arena, sb.text, sb.length), arena);
}

/* Discovery imports all modules as before, so that names mean the same; tests that are not asked
 * for do not run. */
static const char *unittest_targeted(
	const struct suite *suite, const char *const *ids, size_t n, struct arena *arena)
{
	AUTO_STRBUF options = STRBUF_INIT(STRBUF_TEXT);
	for (size_t i = 0; i < n; i++)
		strbuf_addf(&options, " -k %s", unittest_pattern_of(ids[i], arena));
	const char *text = command_bounded(&options, arena);
	return text ? unittest_with_options(suite->command, text, arena) : NULL;
}

/* Whether tests are discovered, not named. */
static bool unittest_discovers(const char *const *words, size_t n)
{
	size_t ignored, at = unittest_start(words, n, &ignored);
	if (!at)
		return false;
	bool named = false, discover = at < n && strcmp(words[at], "discover") == 0;
	for (; at < n; at++) {
		if (text_starts_with(words[at], "-k"))
			return false;
		named = named || words[at][0] != '-';
	}
	return discover || !named;
}

static bool unittest_sentinel(const struct suite *suite, const char *beside, const char *text,
	struct arena *arena, struct sentinel *sentinel)
{
	if (!strstr(text, "TestCase") || !command_line_any(suite->command, unittest_discovers))
		return false;
	python_sentinel(beside, text, arena, sentinel);
	return true;
}

static bool unittest_warm(
	const struct suite *suite, struct arena *arena, struct warm_plan *ret_plan)
{
	return python_warm(suite, unittest_start, arena, ret_plan);
}

const struct suite_type unittest_suite = {
	.name = "unittest",
	.summary = "python -m unittest",
	.formats = (const struct format *const[]){&unittest_format, NULL},
	.command = "python3 -m unittest discover",
	.detect = unittest_detect,
	.runs = unittest_runs,
	.structured = unittest_structured,
	.targeted = unittest_targeted,
	.sentinel = unittest_sentinel,
	.warm = unittest_warm,
	.tools = (const char *const[]){"python3", "python", NULL},
	.bytecode = (const char *const[]){"__pycache__", NULL},
	.generated = python_generated,
	.tests = (const char *const[]){"test_*.py", "*_test.py", "test.py", "tests.py", NULL},
	.configuration = (const char *const[]){"setup.cfg", "pyproject.toml", "tox.ini", NULL},
};
