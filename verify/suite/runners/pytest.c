/*
 * pytest. What it is told goes through PYTEST_ADDOPTS, so that it holds wherever the command starts
 * it: verbose enough to outweigh a few `-q`; a short traceback for each failure; the failures named
 * again at the end; no cache, which would make one run depend on the one before; the other tests
 * are run where one file cannot be imported.
 */
#include <string.h>

#include "base/strbuf.h"
#include "verify/suite/format.h"
#include "verify/suite/listing.h"
#include "verify/suite/python.h"
#include "verify/suite/runners/command_line.h"
#include "verify/suite/warm.h"

const char pytest_options[] =
	"PYTEST_ADDOPTS=-vvvv -rfE --tb=short --color=no -p no:cacheprovider -p no:sugar "
	"-o console_output_style=classic --continue-on-collection-errors";

enum { MOST_FILES = 500 };

static bool is_test_file(const char *path)
{
	const char *slash = strrchr(path, '/'), *name = slash ? slash + 1 : path;
	return text_ends_with(name, ".py") &&
		   (text_starts_with(name, "test_") || text_ends_with(name, "_test.py"));
}

/* Tests that unittest would not find: plain functions, plain classes, or the name of pytest. */
static bool is_pytest_file(const char *text)
{
	bool has_cases = strstr(text, "TestCase") != NULL;
	return text_has_line(text, "import pytest") || text_has_line(text, "from pytest") ||
		   text_has_line(text, "def test_") || text_has_line(text, "async def test_") ||
		   (!has_cases && text_has_line(text, "class Test"));
}

/* The configuration file that speaks of pytest, or NULL. */
static const char *configured_by(
	const char *dir, const char *const *paths, size_t n, struct arena *arena)
{
	static const struct {
		const char *path, *section;
	} files[] = {
		{"pytest.ini", ""},
		{".pytest.ini", ""},
		{"pytest.toml", ""},
		{"pyproject.toml", "[tool.pytest"},
		{"setup.cfg", "[tool:pytest]"},
		{"tox.ini", "[pytest]"},
	};
	for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
		if (!text_in_sorted(paths, n, files[i].path))
			continue;
		const char *text = listing_read(dir, files[i].path, arena);
		if (text && text_has_line(text, files[i].section))
			return files[i].path;
	}
	return NULL;
}

static bool is_conftest(const char *path)
{
	return strcmp(path, "conftest.py") == 0 || text_ends_with(path, "/conftest.py");
}

static bool pytest_detect(
	const char *dir, const char *const *paths, size_t n, struct arena *arena, struct suite *suite)
{
	const char *origin = configured_by(dir, paths, n, arena);
	for (size_t i = 0; i < n && !origin; i++)
		if (is_conftest(paths[i]))
			origin = paths[i];
	size_t looked = 0;
	for (size_t i = 0; i < n && !origin && looked < MOST_FILES; i++) {
		if (!is_test_file(paths[i]))
			continue;
		looked++;
		const char *text = listing_read(dir, paths[i], arena);
		if (text && is_pytest_file(text))
			origin = paths[i];
	}
	suite->command = "python3 -m pytest";
	suite->origin = origin;
	return origin != NULL;
}

/* The place behind the word that starts pytest, or 0; and how many words start Python, 0 where
 * pytest is a script. */
static size_t behind_interpreter(const char *const *words, size_t n, size_t *ret_interpreter)
{
	size_t at = 0;
	*ret_interpreter = 0;
	if (command_is(words[0], "pytest") || command_is(words[0], "py.test"))
		return 1;
	const char *module = command_python_module(words, n, &at);
	if (!module || strcmp(module, "pytest") != 0)
		return 0;
	*ret_interpreter = at - 1;
	return at + 1;
}

static size_t behind_pytest(const char *const *words, size_t n)
{
	size_t ignored;
	return behind_interpreter(words, n, &ignored);
}

static bool is_pytest(const char *const *words, size_t n)
{
	return behind_pytest(words, n) > 0;
}

static bool pytest_runs(const char *command)
{
	return command_line_any(command, is_pytest);
}

/* Whether a word begins what is run several times. */
static bool is_loop(const char *const *words, size_t n)
{
	(void)n;
	return command_is(words[0], "for") || command_is(words[0], "while") ||
		   command_is(words[0], "xargs");
}

/* The JUnit file goes where nobody can know; not where a second run of pytest would overwrite that
 * of the first. */
static const char *pytest_structured(
	const struct suite *suite, const char *report, struct arena *arena)
{
	size_t n, runs = 0;
	const struct simple_command *commands = command_line_split(suite->command, arena, &n);
	for (size_t i = 0; i < n; i++)
		runs += is_pytest((const char *const *)commands[i].words, commands[i].n);
	if (!report || runs != 1 || command_line_any(suite->command, is_loop) ||
		strstr(suite->command, "--junit"))
		return suite->command;
	const char *file = arena_printf(arena, "--junitxml=%s", report);
	const char *options =
		arena_printf(arena, " -o junit_family=xunit1 %s", command_quote(file, arena));
	return arena_printf(arena, "export PYTEST_ADDOPTS=\"$PYTEST_ADDOPTS\"%s; %s",
		command_quote(options, arena), suite->command);
}

/* Whether an option stands alone, so that the word behind it is a test to run. */
static bool is_flag(const char *word)
{
	return strchr(word, '=') ||
		   (word[0] == '-' && word[1] != '-' && !word[1 + strspn(word + 1, "qvxsl")]);
}

/* The command with its options, but with these tests instead of those that it names. A word behind
 * an option that may take a value stays: a test too many does no harm. */
static const char *pytest_targeted(
	const struct suite *suite, const char *const *ids, size_t n, struct arena *arena)
{
	size_t commands = 0;
	struct simple_command *command = command_line_split(suite->command, arena, &commands);
	if (!command_line_is_plain(suite->command) || commands != 1)
		return NULL;
	const char *const *words = (const char *const *)command->words;
	const char *start = strstr(suite->command, words[0]);
	size_t first = behind_pytest(words, command->n);
	if (!first || !start)
		return NULL;
	AUTO_STRBUF sb = STRBUF_INIT(STRBUF_TEXT);
	strbuf_add(&sb, suite->command, (size_t)(start - suite->command));
	for (size_t i = 0; i < command->n; i++) {
		bool is_value = words[i - (i > 0)][0] == '-' && !is_flag(words[i - (i > 0)]);
		if (i < first || words[i][0] == '-' || is_value)
			strbuf_addf(&sb, "%s ", words[i]);
	}
	strbuf_rtrim(&sb);
	for (size_t i = 0; i < n; i++)
		strbuf_addf(&sb, " %s", command_quote(ids[i], arena));
	return sb.length < LONGEST_COMMAND ? arena_strndup(arena, sb.text, sb.length) : NULL;
}

/* Whether a word of the command leaves a new test file out: a file, a choice by name or mark, or of
 * what failed last. */
static bool chooses_tests(const char *word)
{
	static const char *const choices[] = {
		"-k", "-m", "--lf", "--last-failed", "--sw", "--stepwise", "--deselect"};
	for (size_t i = 0; i < sizeof choices / sizeof *choices; i++)
		if (text_starts_with(word, choices[i]))
			return true;
	return word[0] != '-' && (strstr(word, "::") || text_ends_with(word, ".py"));
}

static bool collects_new_files(const char *const *words, size_t n)
{
	size_t first = behind_pytest(words, n);
	for (size_t i = first; i < n && first; i++)
		if (chooses_tests(words[i]))
			return false;
	return first > 0;
}

static bool pytest_sentinel(const struct suite *suite, const char *beside, const char *text,
	const char *passing, const char *failing, struct arena *arena, struct sentinel *ret_sentinel)
{
	if (!command_line_any(suite->command, collects_new_files))
		return false;
	*ret_sentinel = python_sentinel(beside, text, passing, failing, arena);
	return true;
}

static bool pytest_warm(const struct suite *suite, struct arena *arena, struct warm_plan *ret_plan)
{
	*ret_plan = (struct warm_plan){.runner = "python", .kind = "pytest"};
	return warm_plan_make(suite, behind_interpreter, arena, ret_plan);
}

const struct suite_type pytest_suite = {
	.name = "pytest",
	.summary = "pytest, also by python -m pytest",
	.formats = (const struct format *const[]){&pytest_format, NULL},
	.detect = pytest_detect,
	.runs = pytest_runs,
	.env = (const char *const[]){pytest_options, "PYTHONDONTWRITEBYTECODE=1", NULL},
	.structured = pytest_structured,
	.targeted = pytest_targeted,
	.sentinel = pytest_sentinel,
	.warm = pytest_warm,
	.tools = (const char *const[]){"python3", "python", "pytest", NULL},
	.tests = (const char *const[]){"test_*.py", "*_test.py", "conftest.py", NULL},
	.configuration = (const char *const[]){"pytest.ini", ".pytest.ini", "pytest.toml", "tox.ini",
		"setup.cfg", "pyproject.toml", ".coveragerc", NULL},
};
