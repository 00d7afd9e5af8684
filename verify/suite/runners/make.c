/* `make check` and `make test`: whatever the tests print, else the exit code. */
#include <string.h>

#include "verify/suite/listing.h"
#include "verify/suite/runners/command.h"
#include "verify/suite/runners/command_line.h"

/* Whether a makefile has a rule for the target: its name comes before a colon that assigns nothing.
 * */
static bool make_has_target(const char *text, const char *target)
{
	size_t length = strlen(target);
	for (const char *line = text; line; line = strchr(line, '\n')) {
		line += *line == '\n';
		const char *colon = line + strcspn(line, ":\n#=");
		if (*line == '\t' || *colon != ':' || colon[1] == '=' || text_starts_with(colon, "::="))
			continue;
		for (const char *word = line; word < colon; word += strcspn(word, " \t:")) {
			word += strspn(word, " \t");
			if (strcspn(word, " \t:\n") == length && memcmp(word, target, length) == 0)
				return true;
		}
	}
	return false;
}

static const char *make_detect(
	const char *dir, const char *const *paths, size_t n, struct arena *arena, struct suite *suite)
{
	static const char *const names[] = {"GNUmakefile", "makefile", "Makefile", NULL};
	const char *name = listing_first(paths, n, names);
	const char *text = name ? listing_read(dir, name, arena) : NULL;
	bool check = text && make_has_target(text, "check");
	suite->command = check ? "make check" : "make test";
	return check || (text && make_has_target(text, "test")) ? name : NULL;
}

static bool make_runs(const char *const *words, size_t n)
{
	if (!command_is(words[0], "make") && !command_is(words[0], "gmake"))
		return false;
	for (size_t i = 1; i < n; i++)
		if (strcmp(words[i], "check") == 0 || strcmp(words[i], "test") == 0)
			return true;
	return false;
}

const struct suite_type make_suite = {
	.name = "make",
	.summary = "make check or make test",
	.detect = make_detect,
	.may_build = true,
	.runs = make_runs,
	.env = command_env,
	.structured = command_structured,
	.targeted = command_targeted,
	.tools = (const char *const[]){"make", "cc", "gcc", "c++", "g++", "ld", "sh", NULL},
	.configuration = (const char *const[]){"Makefile", "makefile", "GNUmakefile", "*.mk", NULL},
};
