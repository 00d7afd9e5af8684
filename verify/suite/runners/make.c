/* `make check` and `make test`: whatever the tests print, else the exit code. */
#include <string.h>

#include "base/memory.h"
#include "base/strbuf.h"
#include "verify/suite/listing.h"
#include "verify/suite/runners/blocks.h"
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

static const char *const make_targets[] = {"check", "test", "tests"};

static bool make_is_target(const char *word)
{
	for (size_t i = 0; i < ARRAY_SIZE(make_targets); i++)
		if (strcmp(word, make_targets[i]) == 0)
			return true;
	return false;
}

/* At the root, or in the directory of the tests. */
static const char *make_detect(
	const char *dir, const char *const *paths, size_t n, struct arena *arena, struct suite *suite)
{
	static const char *const names[] = {"GNUmakefile", "makefile", "Makefile"};
	static const char *const dirs[] = {"", "tests/", "test/"};
	for (size_t i = 0; i < ARRAY_SIZE(dirs) * ARRAY_SIZE(names); i++) {
		const char *in = dirs[i / ARRAY_SIZE(names)];
		const char *name = arena_printf(arena, "%s%s", in, names[i % ARRAY_SIZE(names)]);
		const char *text = text_in_sorted(paths, n, name) ? listing_read(dir, name, arena) : NULL;
		for (size_t k = 0; text && k < ARRAY_SIZE(make_targets); k++) {
			if (!make_has_target(text, make_targets[k]))
				continue;
			suite->command = arena_printf(arena, "make %s%.*s%s%s", *in ? "-C " : "",
				*in ? (int)strlen(in) - 1 : 0, in, *in ? " " : "", make_targets[k]);
			return name;
		}
	}
	return NULL;
}

static bool make_runs(const char *const *words, size_t n)
{
	if (!command_is(words[0], "make") && !command_is(words[0], "gmake"))
		return false;
	for (size_t i = 1; i < n; i++)
		if (make_is_target(words[i]))
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
	.cover = blocks_cover_c,
	.tools = (const char *const[]){"make", "cc", "gcc", "c++", "g++", "ld", "sh", NULL},
	.configuration = (const char *const[]){"Makefile", "makefile", "GNUmakefile", "*.mk", NULL},
};
