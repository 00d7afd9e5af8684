#include "verify/suite/python.h"

#include <string.h>

#include "base/file.h"
#include "base/strbuf.h"
#include "verify/suite/listing.h"

/* As random as both words, and neither of them: the file's name is a part of both tests' ids. */
static const char *third_word(const char *passing, const char *failing, struct arena *arena)
{
	return arena_printf(
		arena, "%.*s%s", (int)(strlen(passing) / 2), passing, failing + strlen(failing) / 2);
}

/* The folder of `beside` with a name of the same form: "WORD_test.py", else "test_WORD.py". */
static const char *sentinel_path(const char *beside, const char *word, struct arena *arena)
{
	const char *name = file_name(beside);
	int folder = (int)(name - beside);
	if (text_starts_with(name, "test_") && text_ends_with(name, "_test.py"))
		return arena_printf(arena, "%.*stest_%s_test.py", folder, beside, word);
	if (text_ends_with(name, "_test.py"))
		return arena_printf(arena, "%.*s%s_test.py", folder, beside, word);
	return arena_printf(arena, "%.*stest_%s.py", folder, beside, word);
}

static const char *functions(const char *passing, const char *failing, struct arena *arena)
{
	return arena_printf(arena,
		"def test_%s():\n    assert \"%s\"[::-1][::-1] == \"%s\"\n\n\n"
		"def test_%s():\n    assert \"%s\"[1:] == \"%s\"\n",
		passing, passing, passing, failing, failing, failing);
}

static const char *methods(
	const char *word, const char *passing, const char *failing, struct arena *arena)
{
	return arena_printf(arena,
		"import unittest\n\n\nclass Test%s(unittest.TestCase):\n"
		"    def test_%s(self):\n        self.assertEqual(\"%s\"[::-1][::-1], \"%s\")\n\n"
		"    def test_%s(self):\n        self.assertEqual(\"%s\"[1:], \"%s\")\n",
		word, passing, passing, passing, failing, failing, failing);
}

struct sentinel python_sentinel(const char *beside, const char *text, const char *passing,
	const char *failing, struct arena *arena)
{
	const char *word = third_word(passing, failing, arena);
	bool plain = text_has_line(text, "def test") || text_has_line(text, "async def test") ||
				 !strstr(text, "TestCase");
	return (struct sentinel){.path = sentinel_path(beside, word, arena),
		.passing = passing,
		.failing = failing,
		.text =
			plain ? functions(passing, failing, arena) : methods(word, passing, failing, arena)};
}
