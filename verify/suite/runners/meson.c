/*
 * Meson's tests. As with CMake, the build lies at one place in the cache for each tree, and is set
 * up once. `meson test` builds what changed.
 */
#include <string.h>

#include "base/file.h"
#include "base/strbuf.h"
#include "verify/suite/format.h"
#include "verify/suite/listing.h"
#include "verify/suite/runners/blocks.h"
#include "verify/suite/runners/build_place.h"
#include "verify/suite/runners/command_line.h"

static bool meson_has_tests(
	const char *dir, const char *const *paths, size_t n, struct arena *arena)
{
	for (size_t i = 0; i < n; i++) {
		bool is_build = strcmp(file_name(paths[i]), "meson.build") == 0;
		const char *text = is_build ? listing_read(dir, paths[i], arena) : NULL;
		for (const char *line = text; line; line = strchr(line, '\n')) {
			line += strspn(line, " \t\n");
			if (text_starts_with(line, "test("))
				return true;
		}
	}
	return false;
}

/* --- Options --- */

/* The value of a keyword of a call, "type : 'boolean'", without its quotes; or "". */
static const char *meson_keyword(const char *call, const char *keyword, struct arena *arena)
{
	const char *at = strstr(call, keyword);
	if (!at)
		return "";
	at += strlen(keyword) + strspn(at + strlen(keyword), " \t\n");
	if (*at != ':')
		return "";
	at++;
	at += strspn(at, " \t\n");
	return *at == '\'' ? arena_strndup(arena, at + 1, strcspn(at + 1, "'"))
					   : arena_strndup(arena, at, strcspn(at, " \t\n,)"));
}

static bool meson_is_for_tests(const char *name, const char *description)
{
	static const char *const endings[] = {"test", "tests", "testing", "testsuite", "test_suite"};
	static const char *const phrases[] = {"testsuite", "test suite", "unit tests"};
	static const char *const others[] = {
		"install", "no_", "without", "bench", "perf", "fuzz", "coverage", "network", "gui"};
	bool is = false;
	for (size_t i = 0; i < ARRAY_SIZE(endings); i++)
		is = is || text_ends_with(name, endings[i]);
	for (size_t i = 0; i < ARRAY_SIZE(phrases); i++)
		is = is || strcasestr(description, phrases[i]);
	for (size_t i = 0; i < ARRAY_SIZE(others); i++)
		is = is && !strstr(name, others[i]);
	return is;
}

/* Tests that are off are turned on. Documentation wants programs that tests do not need. */
static void meson_add_option(struct strbuf *options, const char *call, struct arena *arena)
{
	const char *name = arena_strndup(arena, call, strcspn(call, "'"));
	const char *type = meson_keyword(call, "type", arena);
	const char *value = meson_keyword(call, "value", arena);
	bool is_docs = strcmp(name, "docs") == 0 || strcmp(name, "doc") == 0;
	if (!command_line_is_plain(name))
		return;
	if (is_docs && strcmp(type, "boolean") == 0 && strcmp(value, "false") != 0)
		strbuf_addf(options, "-D%s=false ", name);
	if (!meson_is_for_tests(name, meson_keyword(call, "description", arena)))
		return;
	if (strcmp(type, "boolean") == 0 && strcmp(value, "false") == 0)
		strbuf_addf(options, "-D%s=true ", name);
	else if (strcmp(type, "feature") == 0 && strcmp(value, "disabled") == 0)
		strbuf_addf(options, "-D%s=enabled ", name);
}

static const char *meson_options(
	const char *dir, const char *const *paths, size_t n, struct arena *arena)
{
	static const char *const names[] = {"meson.options", "meson_options.txt", NULL};
	static const char start[] = "option('";
	const char *name = listing_first(paths, n, names);
	const char *text = name ? listing_read(dir, name, arena) : NULL;
	AUTO_STRBUF options = STRBUF_INIT(STRBUF_LINE);
	for (const char *at = text ? strstr(text, start) : NULL; at;) {
		const char *call = at + strlen(start), *next = strstr(call, start);
		size_t length = next ? (size_t)(next - call) : strlen(call);
		meson_add_option(&options, arena_strndup(arena, call, length), arena);
		at = next;
	}
	return arena_strdup(arena, options.text);
}

/* --- The suite --- */

static const char *meson_detect(
	const char *dir, const char *const *paths, size_t n, struct arena *arena, struct suite *suite)
{
	static const char path[] = "meson.build";
	const char *text = text_in_sorted(paths, n, path) ? listing_read(dir, path, arena) : NULL;
	if (!text || !text_has_line(text, "project(") || !meson_has_tests(dir, paths, n, arena))
		return NULL;
	const char *options = meson_options(dir, paths, n, arena);
	suite->command = arena_printf(arena,
		BUILD_PLACE "; [ -e \"$build/build.ninja\" ] || meson setup %s\"$build\" && "
					"meson test --print-errorlogs -C \"$build\"",
		options);
	suite->shown = arena_printf(arena, "meson setup %sbuild && meson test -C build", options);
	return path;
}

static bool meson_runs(const char *const *words, size_t n)
{
	return n > 1 && command_is(words[0], "meson") && strcmp(words[1], "test") == 0;
}

static const char *meson_structured(
	const struct suite *suite, const char *report, struct arena *arena)
{
	(void)report;
	return command_line_has(suite->command, "--print-errorlogs")
		? suite->command
		: command_line_with(suite->command, "meson", "test", "--print-errorlogs", arena);
}

/* "shop:unit / adds" is told by "shop:adds". */
static const char *meson_targeted(
	const struct suite *suite, const char *const *ids, size_t n, struct arena *arena)
{
	AUTO_STRBUF names = STRBUF_INIT(STRBUF_TEXT);
	for (size_t i = 0; i < n; i++) {
		const char *name = strstr(ids[i], " / ");
		size_t project = strcspn(ids[i], ":/");
		while (project && ids[i][project - 1] == ' ')
			project--;
		const char *word = name
			? arena_printf(arena, "%.*s:%s", (int)project, ids[i], name + strlen(" / "))
			: ids[i];
		/* Patterns and second tests of one name cannot be told apart. */
		if (strpbrk(word, "*?[(") || *word == '-')
			return NULL;
		strbuf_addf(&names, "%s%s", i ? " " : "", command_quote(word, arena));
	}
	const char *line = meson_structured(suite, NULL, arena);
	const char *words = command_bounded(&names, arena);
	return words ? command_line_with(line, "meson", "test", words, arena) : NULL;
}

/* What sets up does nothing, and nothing is built. */
static const char *meson_rerun(const char *line, struct arena *arena)
{
	return command_line_with(line, "meson", "test", "--no-rebuild", arena);
}

const struct suite_type meson_suite = {
	.name = "meson",
	.summary = "meson test",
	.formats = (const struct format *const[]){&meson_format, &configure_format, &exit_format, NULL},
	.detect = meson_detect,
	.runs = meson_runs,
	/* Meson would choose another byte for each run. */
	.env = (const char *const[]){"MALLOC_PERTURB_=165", NULL},
	.structured = meson_structured,
	.targeted = meson_targeted,
	.cover = blocks_cover_c,
	.rerun = meson_rerun,
	.may_build = true,
	.tools =
		(const char *const[]){"meson", "ninja", "python3", "cc", "c++", "ld", "pkg-config", NULL},
	.tests = (const char *const[]){"test/", "tests/", "test_*.c*", "*_test.c*", "*_tests.c*", NULL},
	.configuration =
		(const char *const[]){"meson.build", "meson.options", "meson_options.txt", NULL},
};
