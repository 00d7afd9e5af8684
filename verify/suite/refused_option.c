/*
 * An option of the test command that the runner does not know. Then nothing was tested, and no
 * edit of the tree can change that.
 */
#include <string.h>

#include "base/memory.h"
#include "base/strbuf.h"
#include "verify/suite/suite.h"

static bool refused_says_so(const char *line)
{
	static const char *const signs[] = {"unknown option", "unrecognized option",
		"unrecognized argument", "unexpected argument", "unknown argument", "unknown flag",
		"invalid argument", "invalid option", "illegal option", "bad option", "no such option",
		"flag provided but not defined"};
	for (size_t i = 0; i < ARRAY_SIZE(signs); i++)
		if (strcasestr(line, signs[i]))
			return true;
	return false;
}

/* The option of the command that the line names, with or without its dashes, or NULL. */
static const char *refused_named(const char *command, const char *line, struct arena *arena)
{
	for (const char *word = command; *word; word += strspn(word, " ")) {
		size_t length = strcspn(word, " "), dashes = strspn(word, "-");
		size_t n = strcspn(word + dashes, " =");
		if (dashes && n && text_has_word(line, arena_strndup(arena, word + dashes, n)))
			return arena_strndup(arena, word, dashes + n);
		word += length;
	}
	return NULL;
}

const char *suite_refused_option(
	const struct suite *suite, const struct test_report *report, struct arena *arena)
{
	const char *option = NULL, *at = report->output ? report->output : "";
	AUTO_ARENA scratch = ARENA_INIT;
	/* a program of the tree can refuse an option by mistake */
	if (suite_names_tests(suite, report) || strstr(suite->command, "./"))
		return NULL;
	for (; *at && !option; at += *at == '\n') {
		size_t length = strcspn(at, "\n");
		const char *line = arena_strndup(&scratch, at, length);
		if (refused_says_so(line))
			option = refused_named(suite->command, line, &scratch);
		at += length;
	}
	return option ? arena_strdup(arena, option) : NULL;
}
