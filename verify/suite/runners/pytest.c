/*
 * pytest. Its options go into PYTEST_ADDOPTS, to reach it wherever the command starts it: verbose
 * enough to outweigh a few `-q`; a short traceback for each failure; the failures named again at
 * the end; no cache, which would make one run depend on the one before; the other tests run even
 * if one file cannot be imported.
 */
#include <string.h>

#include "base/file.h"
#include "base/memory.h"
#include "base/strbuf.h"
#include "verify/suite/format.h"
#include "verify/suite/listing.h"
#include "verify/suite/runners/command_line.h"
#include "verify/suite/runners/python_suite.h"

const char pytest_options[] =
	"PYTEST_ADDOPTS=-vvvv -rfE --tb=short --color=no -p no:cacheprovider -p no:sugar "
	"-o console_output_style=classic --continue-on-collection-errors";

enum { MOST_FILES = 500 };

static bool pytest_is_test_file(const char *path)
{
	const char *name = file_name(path);
	return text_ends_with(name, ".py") &&
		(text_starts_with(name, "test_") || text_ends_with(name, "_test.py"));
}

/* Tests that unittest would not find: plain functions, plain classes, or the name of pytest. */
static bool pytest_is_needed(const char *text)
{
	bool has_cases = strstr(text, "TestCase") != NULL;
	return text_has_line(text, "import pytest") || text_has_line(text, "from pytest") ||
		text_has_line(text, "def test_") || text_has_line(text, "async def test_") ||
		(!has_cases && text_has_line(text, "class Test"));
}

/* The configuration file that speaks of pytest, or NULL. */
static const char *pytest_configuration(
	const char *dir, const char *const *paths, size_t n, struct arena *arena)
{
	static const struct {
		const char *path, *section;
	} files[] = {{"pytest.ini", ""}, {".pytest.ini", ""}, {"pytest.toml", ""},
		{"pyproject.toml", "[tool.pytest"}, {"setup.cfg", "[tool:pytest]"},
		{"tox.ini", "[pytest]"}};
	for (size_t i = 0; i < ARRAY_SIZE(files); i++) {
		if (!text_in_sorted(paths, n, files[i].path))
			continue;
		const char *text = listing_read(dir, files[i].path, arena);
		if (text && text_has_line(text, files[i].section))
			return files[i].path;
	}
	return NULL;
}

static const char *pytest_detect(
	const char *dir, const char *const *paths, size_t n, struct arena *arena, struct suite *suite)
{
	(void)suite;
	const char *origin = pytest_configuration(dir, paths, n, arena);
	for (size_t i = 0; i < n && !origin; i++)
		if (strcmp(file_name(paths[i]), "conftest.py") == 0 &&
			!python_is_nested(paths, n, paths[i], arena))
			origin = paths[i];
	size_t looked = 0;
	for (size_t i = 0; i < n && !origin && looked < MOST_FILES; i++) {
		if (!pytest_is_test_file(paths[i]) || python_is_nested(paths, n, paths[i], arena))
			continue;
		looked++;
		const char *text = listing_read(dir, paths[i], arena);
		if (text && pytest_is_needed(text))
			origin = paths[i];
	}
	return origin;
}

/* The place after the word that starts pytest, or 0; and how many words start Python, 0 if pytest
 * is a script. */
static size_t pytest_start(const char *const *words, size_t n, size_t *ret_interpreter)
{
	*ret_interpreter = 0;
	if (command_is(words[0], "pytest") || command_is(words[0], "py.test"))
		return 1;
	return python_after_module(words, n, "pytest", ret_interpreter);
}

static bool pytest_runs(const char *const *words, size_t n)
{
	size_t ignored;
	return pytest_start(words, n, &ignored) > 0;
}

/* Whether a word begins what is run several times. */
static bool pytest_is_loop(const char *const *words, size_t n)
{
	(void)n;
	return command_is(words[0], "for") || command_is(words[0], "while") ||
		command_is(words[0], "xargs");
}

/* The JUnit file has a path that nobody knows; there is none if a second run of pytest would
 * overwrite that of the first. */
static const char *pytest_structured(
	const struct suite *suite, const char *report, struct arena *arena)
{
	size_t n, runs = 0;
	const struct simple_command *commands = command_line_split(suite->command, arena, &n);
	for (size_t i = 0; i < n; i++)
		runs += pytest_runs(commands[i].words, commands[i].n);
	if (!report || runs != 1 || command_line_any(suite->command, pytest_is_loop) ||
		strstr(suite->command, "--junit"))
		return suite->command;
	const char *file = arena_printf(arena, "--junitxml=%s", report);
	const char *options =
		arena_printf(arena, " -o junit_family=xunit1 %s", command_quote(file, arena));
	return arena_printf(arena, "export PYTEST_ADDOPTS=\"$PYTEST_ADDOPTS\"%s; %s",
		command_quote(options, arena), suite->command);
}

/* Whether an option has no value, so that the next word is a test to run. */
static bool pytest_is_flag(const char *word)
{
	return strchr(word, '=') ||
		(word[0] == '-' && word[1] != '-' && !word[1 + strspn(word + 1, "qvxsl")]);
}

/* The command with its options, but with these tests instead of its own. A word after an option
 * that may take a value stays: a test too many does no harm. */
static const char *pytest_targeted(
	const struct suite *suite, const char *const *ids, size_t n, struct arena *arena)
{
	struct simple_command command = command_line_single(suite->command, arena);
	const char *const *words = command.words;
	size_t ignored, first = command.n ? pytest_start(words, command.n, &ignored) : 0;
	const char *start = first ? strstr(suite->command, words[0]) : NULL;
	if (!start)
		return NULL;
	AUTO_STRBUF sb = STRBUF_INIT(STRBUF_TEXT);
	strbuf_add(&sb, suite->command, (size_t)(start - suite->command));
	for (size_t i = 0; i < command.n; i++) {
		bool is_value = words[i - (i > 0)][0] == '-' && !pytest_is_flag(words[i - (i > 0)]);
		if (i < first || words[i][0] == '-' || is_value)
			strbuf_addf(&sb, "%s ", words[i]);
	}
	strbuf_rtrim(&sb);
	for (size_t i = 0; i < n; i++)
		strbuf_addf(&sb, " %s", command_quote(ids[i], arena));
	return command_bounded(&sb, arena);
}

static const char *pytest_without(
	const struct suite *suite, const char *const *ids, size_t n, struct arena *arena)
{
	AUTO_STRBUF options = STRBUF_INIT(STRBUF_TEXT);
	for (size_t i = 0; i < n; i++)
		strbuf_addf(
			&options, " %s", command_quote(arena_printf(arena, "--deselect=%s", ids[i]), arena));
	return arena_printf(arena, "export PYTEST_ADDOPTS=\"$PYTEST_ADDOPTS\"%s; %s",
		command_quote(options.text, arena), suite->command);
}

/* Whether a word of the command leaves a new test file out: a file, a choice by name or mark, or of
 * what failed last. */
static bool pytest_chooses_tests(const char *word)
{
	static const char *const choices[] = {
		"-k*", "-m*", "--lf*", "--last-failed*", "--sw*", "--stepwise*", "--deselect*", NULL};
	return line_matches_any(word, choices) ||
		(word[0] != '-' && (strstr(word, "::") || text_ends_with(word, ".py")));
}

static bool pytest_collects_new_files(const char *const *words, size_t n)
{
	size_t ignored, first = pytest_start(words, n, &ignored);
	for (size_t i = first; i < n && first; i++)
		if (pytest_chooses_tests(words[i]))
			return false;
	return first > 0;
}

static bool pytest_sentinel(const struct suite *suite, const char *beside, const char *text,
	struct arena *arena, struct sentinel *sentinel)
{
	if (!command_line_any(suite->command, pytest_collects_new_files))
		return false;
	python_sentinel(beside, text, arena, sentinel);
	return true;
}

static bool pytest_warm(const struct suite *suite, struct arena *arena, struct warm_plan *ret_plan)
{
	return python_warm(suite, pytest_start, arena, ret_plan);
}

const struct suite_type pytest_suite = {
	.name = "pytest",
	.summary = "pytest, also by python -m pytest",
	.formats = (const struct format *const[]){&pytest_format, NULL},
	.command = "python3 -m pytest",
	.detect = pytest_detect,
	.runs = pytest_runs,
	.env = (const char *const[]){pytest_options, NULL},
	.structured = pytest_structured,
	.targeted = pytest_targeted,
	.without = pytest_without,
	.sentinel = pytest_sentinel,
	.warm = pytest_warm,
	.tools = (const char *const[]){"python3", "python", "pytest", NULL},
	.bytecode = (const char *const[]){"__pycache__", NULL},
	.generated = python_generated,
	.tests = (const char *const[]){"test_*.py", "*_test.py", "conftest.py", NULL},
	.configuration = (const char *const[]){"pytest.ini", ".pytest.ini", "pytest.toml", "tox.ini",
		"setup.cfg", "pyproject.toml", ".coveragerc", NULL},
};
