/*
 * Python's unittest, told `-v` so that it names each test (unittest_reading.c). What is discovered
 * depends on where discovery starts; so some tests alone are found by discovery too, by their
 * names.
 */
#include <string.h>

#include "base/memory.h"
#include "base/strbuf.h"
#include "verify/suite/format.h"
#include "verify/suite/listing.h"
#include "verify/suite/python.h"
#include "verify/suite/runners/command_line.h"
#include "verify/suite/warm.h"

static bool unittest_detect(
	const char *dir, const char *const *paths, size_t n, struct arena *arena, struct suite *suite)
{
	for (size_t i = 0; i < n; i++) {
		const char *slash = strrchr(paths[i], '/'), *name = slash ? slash + 1 : paths[i];
		if (!text_starts_with(name, "test") || !text_ends_with(name, ".py"))
			continue;
		const char *text = listing_read(dir, paths[i], arena);
		if (!text || !strstr(text, "TestCase"))
			continue;
		/* What is no package is not discovered from above. */
		const char *folder = arena_strndup(arena, paths[i], (size_t)(name - paths[i]));
		const char *package = arena_printf(arena, "%s__init__.py", folder);
		suite->command = "python3 -m unittest discover";
		if (*folder && !text_in_sorted(paths, n, package))
			suite->command = arena_printf(
				arena, "python3 -m unittest discover -s %s", command_quote(folder, arena));
		suite->origin = paths[i];
		return true;
	}
	return false;
}

/* The place behind the word unittest, or 0; and how many words start Python. */
static size_t behind_interpreter(const char *const *words, size_t n, size_t *ret_interpreter)
{
	size_t at = 0;
	const char *module = command_python_module(words, n, &at);
	if (!module || strcmp(module, "unittest") != 0)
		return 0;
	*ret_interpreter = at - 1;
	return at + 1;
}

static bool is_unittest(const char *const *words, size_t n)
{
	size_t ignored;
	return behind_interpreter(words, n, &ignored) > 0;
}

static bool unittest_runs(const char *command)
{
	return command_line_any(command, is_unittest);
}

/* What stands behind the word, without options that would take -v back. */
static const char *without_quiet(const char *rest, struct arena *arena)
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

/* The command with options behind the word that starts it; NULL where that word is not seen. */
static const char *with_options(const char *command, const char *options, struct arena *arena)
{
	const char *at = strstr(command, "-m unittest");
	if (!at)
		return NULL;
	at += strlen("-m unittest");
	if (text_starts_with(at, " discover"))
		at += strlen(" discover");
	return arena_printf(
		arena, "%.*s -v%s%s", (int)(at - command), command, options, without_quiet(at, arena));
}

static const char *unittest_structured(
	const struct suite *suite, const char *report, struct arena *arena)
{
	(void)report;
	const char *command = with_options(suite->command, "", arena);
	return command ? command : suite->command;
}

/* The pattern of an id, which -k also finds within a longer one: a test too many does no harm. Of a
 * set-up, its tests'. */
static const char *pattern_of(const char *id, struct arena *arena)
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

/* All modules are found and imported as ever, so that names mean what they meant; those that are
 * not asked for do not run. */
static const char *unittest_targeted(
	const struct suite *suite, const char *const *ids, size_t n, struct arena *arena)
{
	AUTO_STRBUF options = STRBUF_INIT(STRBUF_TEXT);
	for (size_t i = 0; i < n && options.length < LONGEST_COMMAND; i++)
		strbuf_addf(&options, " -k %s", pattern_of(ids[i], arena));
	return options.length < LONGEST_COMMAND ? with_options(suite->command, options.text, arena)
											: NULL;
}

/* Whether tests are discovered, not named. */
static bool discovers(const char *const *words, size_t n)
{
	size_t at = 0;
	if (!is_unittest(words, n))
		return false;
	command_python_module(words, n, &at);
	bool named = false, discover = at + 1 < n && strcmp(words[at + 1], "discover") == 0;
	for (at++; at < n; at++) {
		if (text_starts_with(words[at], "-k"))
			return false;
		named = named || words[at][0] != '-';
	}
	return discover || !named;
}

static bool unittest_sentinel(const struct suite *suite, const char *beside, const char *text,
	const char *passing, const char *failing, struct arena *arena, struct sentinel *ret_sentinel)
{
	if (!strstr(text, "TestCase") || !command_line_any(suite->command, discovers))
		return false;
	*ret_sentinel = python_sentinel(beside, text, passing, failing, arena);
	return true;
}

static bool unittest_warm(
	const struct suite *suite, struct arena *arena, struct warm_plan *ret_plan)
{
	*ret_plan = (struct warm_plan){.runner = "python", .kind = "unittest"};
	return warm_plan_make(suite, behind_interpreter, arena, ret_plan);
}

const struct suite_type unittest_suite = {
	.name = "unittest",
	.summary = "python -m unittest",
	.formats = (const struct format *const[]){&unittest_format, NULL},
	.detect = unittest_detect,
	.runs = unittest_runs,
	.env = (const char *const[]){"PYTHONDONTWRITEBYTECODE=1", NULL},
	.structured = unittest_structured,
	.targeted = unittest_targeted,
	.sentinel = unittest_sentinel,
	.warm = unittest_warm,
	.tools = (const char *const[]){"python3", "python", NULL},
	.tests = (const char *const[]){"test_*.py", "*_test.py", "test.py", "tests.py", NULL},
	.configuration = (const char *const[]){"setup.cfg", "pyproject.toml", "tox.ini", NULL},
};
