/*
 * pytest. What it is told goes through PYTEST_ADDOPTS, so that it holds wherever the command starts
 * it: verbose enough to outweigh a few `-q`; a short traceback for each failure; the failures named
 * again at the end; no cache, which would make one run depend on the one before; the other tests
 * are run where one file cannot be imported.
 */
#include <string.h>

#include "suite/command_line.h"
#include "suite/listing.h"
#include "suite/pytest_reading.h"

#define OPTIONS \
	"PYTEST_ADDOPTS=-vvvv -rfE --tb=short --color=no -p no:cacheprovider -p no:sugar " \
	"-o console_output_style=classic --continue-on-collection-errors"

enum { MOST_FILES = 500, LONGEST_COMMAND = 100000 };

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
		if (!listing_has(paths, n, files[i].path))
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

static bool pytest_detect(const char *dir, const char *const *paths, size_t n, struct arena *arena,
	struct suite *suite)
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

/* The place behind the word that starts pytest, or 0. */
static size_t behind_pytest(const char *const *words, size_t n)
{
	size_t at = 0;
	if (command_is(words[0], "pytest") || command_is(words[0], "py.test"))
		return 1;
	const char *module = command_python_module(words, n, &at);
	return module && strcmp(module, "pytest") == 0 ? at + 1 : 0;
}

static bool is_pytest(const char *const *words, size_t n)
{
	return behind_pytest(words, n) > 0;
}

static bool pytest_runs(const char *command)
{
	return command_line_any(command, is_pytest);
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

const struct suite_type pytest_suite = {
	.name = "pytest",
	.summary = "pytest, also by python -m pytest",
	.state_size = sizeof(struct pytest_reading),
	.detect = pytest_detect,
	.runs = pytest_runs,
	.env = (const char *const[]){OPTIONS, "PYTHONDONTWRITEBYTECODE=1", NULL},
	.targeted = pytest_targeted,
	.read_line = pytest_read_line,
	.finish = pytest_finish,
	.tools = (const char *const[]){"python3", "python", "pytest", NULL},
	.tests = (const char *const[]){"test_*.py", "*_test.py", "conftest.py", NULL},
	.configuration = (const char *const[]){"pytest.ini", ".pytest.ini", "pytest.toml",
		"tox.ini", "setup.cfg", "pyproject.toml", ".coveragerc", NULL},
};
