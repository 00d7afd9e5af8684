#include "verify/suite/runners/python_suite.h"

#include <string.h>

#include "base/file.h"
#include "base/strbuf.h"
#include "verify/suite/listing.h"
#include "verify/suite/runners/command_line.h"

/* Modules such as _version.py, compiled extensions, translations, data. */
const char *const python_generated[] = {"*.py", "*.pyi", "*.so", "*.pyd", "*.mo", "*.dat", "*.bin",
	"*.json", "*.csv", "*.txt", "*.gz", "*.zip", "*.pickle", "*.pkl", "*.npz", "*.html", "*.css",
	"*.js", NULL};

bool python_is_nested(
	const char *const *paths, size_t n, const char *path, struct arena *arena)
{
	static const char *const names[] = {"pyproject.toml", "setup.cfg", "setup.py"};
	const char *dir = path;
	for (const char *slash; (slash = strrchr(dir, '/'));) {
		dir = arena_strndup(arena, dir, (size_t)(slash - dir));
		for (size_t i = 0; i < ARRAY_SIZE(names); i++)
			if (text_in_sorted(paths, n, arena_printf(arena, "%s/%s", dir, names[i])))
				return true;
	}
	return false;
}

size_t python_after_module(
	const char *const *words, size_t n, const char *module, size_t *ret_interpreter)
{
	size_t at = 0;
	const char *found = command_python_module(words, n, &at);
	if (!found || strcmp(found, module) != 0)
		return 0;
	*ret_interpreter = at - 1;
	return at + 1;
}

/* --- Sentinels --- */

/* The folder of `beside` with a name of the same form: "WORD_test.py", else "test_WORD.py". */
static const char *python_sentinel_path(const char *beside, const char *word, struct arena *arena)
{
	const char *name = file_name(beside);
	bool suffix = text_ends_with(name, "_test.py");
	bool prefix = text_starts_with(name, "test_") || !suffix;
	return arena_printf(arena, "%.*s%s%s%s.py", (int)(name - beside), beside, prefix ? "test_" : "",
		word, suffix ? "_test" : "");
}

void python_sentinel(
	const char *beside, const char *text, struct arena *arena, struct sentinel *sentinel)
{
	const char *passing = sentinel->passing, *failing = sentinel->failing;
	/* As random as both words, and neither of them: the file's name is a part of both ids. */
	const char *word = arena_printf(
		arena, "%.*s%s", (int)(strlen(passing) / 2), passing, failing + strlen(failing) / 2);
	bool functions = text_has_line(text, "def test") || text_has_line(text, "async def test") ||
		!strstr(text, "TestCase");
	sentinel->path = python_sentinel_path(beside, word, arena);
	sentinel->text = functions
		? arena_printf(arena,
			  "def test_%s():\n    assert \"%s\"[::-1][::-1] == \"%s\"\n\n\n"
			  "def test_%s():\n    assert \"%s\"[1:] == \"%s\"\n",
			  passing, passing, passing, failing, failing, failing)
		: arena_printf(arena,
			  "import unittest\n\n\nclass Test%s(unittest.TestCase):\n"
			  "    def test_%s(self):\n        self.assertEqual(\"%s\"[::-1][::-1], \"%s\")\n\n"
			  "    def test_%s(self):\n        self.assertEqual(\"%s\"[1:], \"%s\")\n",
			  word, passing, passing, passing, failing, failing, failing);
}

/* --- Warm runners --- */

bool python_warm(const struct suite *suite,
	size_t (*after)(const char *const *words, size_t n, size_t *ret_interpreter),
	struct arena *arena, struct warm_plan *ret_plan)
{
	size_t n_interpreter = 0;
	struct simple_command command = command_line_single(suite->command, arena);
	size_t at = command.n ? after(command.words, command.n, &n_interpreter) : 0;
	const char *first = at ? strstr(suite->command, command.words[0]) : NULL;
	if (!first)
		return false;
	AUTO_STRBUF start = STRBUF_INIT(STRBUF_LINE);
	strbuf_add(&start, suite->command, (size_t)(first - suite->command));
	for (size_t i = 0; i < n_interpreter; i++)
		strbuf_addf(&start, "%s%s", i ? " " : "", command.words[i]);
	if (!n_interpreter) /* what the script's first line names */
		strbuf_addf(&start, "$(sed -n '1s/^#! *//p' \"$(command -v %s)\")", command.words[at - 1]);
	*ret_plan = (struct warm_plan){.runner = "python",
		.kind = suite->type->name,
		.start = arena_strdup(arena, start.text),
		.arguments = command.words + at,
		.n_arguments = command.n - at};
	return true;
}
