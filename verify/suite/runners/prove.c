/* Perl's prove: the TAP of every file in t/, verbose and in the order of printing. */
#include <string.h>

#include "base/strbuf.h"
#include "verify/suite/format.h"
#include "verify/suite/listing.h"
#include "verify/suite/runners/command_line.h"

static bool prove_is_perl(const char *text)
{
	const char *newline = text ? strchr(text, '\n') : NULL,
			   *perl = text ? strstr(text, "perl") : NULL;
	bool shebang = perl && newline && text_starts_with(text, "#!") && perl < newline;
	return text && (shebang || text_has_line(text, "use "));
}

static const char *prove_detect(
	const char *dir, const char *const *paths, size_t n, struct arena *arena, struct suite *suite)
{
	bool nested = false, is_compiled = false;
	const char *first = NULL;
	for (size_t i = 0; i < n; i++) {
		is_compiled = is_compiled || text_ends_with(paths[i], ".xs");
		if (!text_starts_with(paths[i], "t/") || !text_ends_with(paths[i], ".t") ||
			(!first && !prove_is_perl(listing_read(dir, paths[i], arena))))
			continue;
		first = first ? first : paths[i];
		nested |= strchr(paths[i] + 2, '/') != NULL;
	}
	suite->command = nested ? "prove -lr" : "prove -l";
	/* What is written in C is built first, below blib/. */
	if (is_compiled && text_in_sorted(paths, n, "Build.PL"))
		suite->command = nested ? "perl Build.PL && ./Build && prove -br"
								: "perl Build.PL && ./Build && prove -b";
	else if (is_compiled && text_in_sorted(paths, n, "Makefile.PL"))
		suite->command = nested ? "perl Makefile.PL && make && prove -br"
								: "perl Makefile.PL && make && prove -b";
	return first;
}

static bool prove_runs(const char *const *words, size_t n)
{
	(void)n;
	return command_is(words[0], "prove");
}

static const char *prove_structured(
	const struct suite *suite, const char *report, struct arena *arena)
{
	(void)report;
	return command_line_with(suite->command, "prove", NULL, "-v --merge", arena);
}

/* Whether a command names no files, so that some can be named. */
static bool prove_runs_all(const char *command, struct arena *arena)
{
	struct simple_command single = command_line_single(command, arena);
	if (!single.n || !prove_runs(single.words, single.n))
		return false;
	for (size_t i = 1; i < single.n; i++)
		if (single.words[i][0] != '-' || strcmp(single.words[i], "-I") == 0)
			return false;
	return true;
}

/* The files of the tests. */
static const char *prove_targeted(
	const struct suite *suite, const char *const *ids, size_t n, struct arena *arena)
{
	AUTO_STRBUF line = STRBUF_INIT(STRBUF_TEXT);
	const char *last = "";
	if (!prove_runs_all(suite->command, arena))
		return NULL;
	strbuf_adds(&line, prove_structured(suite, NULL, arena));
	for (size_t i = 0; i < n; i++) {
		const char *end = strstr(ids[i], " > ");
		const char *file =
			arena_strndup(arena, ids[i], end ? (size_t)(end - ids[i]) : strlen(ids[i]));
		if (strcmp(file, last) != 0)
			strbuf_addf(&line, " %s", command_quote(file, arena));
		last = file;
	}
	return command_bounded(&line, arena);
}

const struct suite_type prove_suite = {
	.name = "prove",
	.summary = "prove, over the test files of Perl in t/",
	.formats = (const struct format *const[]){&tap_format, NULL},
	.detect = prove_detect,
	.runs = prove_runs,
	.structured = prove_structured,
	.targeted = prove_targeted,
	.tools = (const char *const[]){"prove", "perl", "make", "cc", "ld", NULL},
	.tests = (const char *const[]){"t/", "xt/", NULL},
	.configuration =
		(const char *const[]){".proverc", "Makefile.PL", "Build.PL", "cpanfile*", "dist.ini", NULL},
};
