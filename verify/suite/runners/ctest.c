/*
 * CMake's ctest, asked for a JUnit file beside its lines (since 3.21; older ones ignore the
 * option). It builds where the user has built with tests, if that is for this very path, else in
 * the cache, at a place that is the same for each run of this tree. It is configured only where
 * that has not been done: a build of what changed is enough then.
 */
#include <string.h>

#include "base/file.h"
#include "base/memory.h"
#include "base/strbuf.h"
#include "verify/suite/format.h"
#include "verify/suite/listing.h"
#include "verify/suite/runners/blocks.h"
#include "verify/suite/runners/build_place.h"
#include "verify/suite/runners/cmake.h"
#include "verify/suite/runners/command_line.h"

enum { LONGEST_PATTERN = 30000, MOST_TARGETS = 8 };

/* The first of these that knows this path and has tests, or else the last. Where one of them is not
 * ignored, what is built there would be part of a fix. */
#define CTEST_PLACE \
	BUILD_PLACE \
	"; for build in build _build cmake-build-debug \"$build\"; do " \
	"grep -qsxF \"CMAKE_HOME_DIRECTORY:INTERNAL=$PWD\" \"$build/CMakeCache.txt\" && " \
	"grep -rqs --include=CTestTestfile.cmake -e ^add_test -e ^include \"$build\" && break; done"

#define CTEST_BUILD "cmake --build \"$build\" -j \"$(nproc)\""

/* What is to be built for some tests: the programs that they run, if each is a target. */
#define TARGETS_BEGIN " $(command ctest --test-dir \"$build\" -N -V -R "
#define TARGETS_END \
	" | sed -n 's/^[0-9]*: Test command: \"*\\([^\" ]*\\).*/\\1/p' | { targets=; " \
	"while read -r test; do name=\"${test##*/}\"; " \
	"[ \"$(find \"$build\" -path \"*/CMakeFiles/$name.dir\")\" ] || exit; " \
	"targets=\"$targets $name\"; done; echo \"${targets:+--target}$targets\"; })"

static bool ctest_tracks_builds(const char *const *paths, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (strcmp(file_name(paths[i]), "CMakeCache.txt") == 0)
			return true;
	return false;
}

static const char *ctest_detect(
	const char *dir, const char *const *paths, size_t n, struct arena *arena, struct suite *suite)
{
	static const char path[] = "CMakeLists.txt", presets[] = "CMakePresets.json";
	const char *text = cmake_read(dir, paths, n, arena);
	bool has_tests = text && cmake_has_tests(text);
	const char *target = text && !has_tests ? cmake_test_target(text) : NULL;
	if (!has_tests && !target)
		return NULL;
	const char *more = text_in_sorted(paths, n, presets) ? listing_read(dir, presets, arena) : NULL;
	const char *preset = more ? cmake_test_preset(more, arena) : NULL;
	const char *how = preset ? arena_printf(arena, "--preset %s ", command_quote(preset, arena))
							 : cmake_test_options(text, arena);
	suite->command = arena_printf(arena,
		"%s; [ -e \"$build/Makefile\" ] || [ -e \"$build/build.ninja\" ] || "
		"cmake %s-S . -B \"$build\" && " CTEST_BUILD " && %s%s",
		ctest_tracks_builds(paths, n) ? BUILD_PLACE : CTEST_PLACE, how,
		target ? "cmake --build \"$build\" --target "
			   : "ctest --test-dir \"$build\" --output-on-failure",
		target ? target : "");
	suite->shown = arena_printf(arena, "cmake %s-B build && cmake --build build && %s%s", how,
		target ? "cmake --build build --target " : "ctest --test-dir build --output-on-failure",
		target ? target : "");
	return preset ? presets : path;
}

static bool ctest_runs(const char *const *words, size_t n)
{
	(void)n;
	return command_is(words[0], "ctest");
}

static const char *ctest_structured(
	const struct suite *suite, const char *report, struct arena *arena)
{
	if (!report || command_line_has(suite->command, "--output-junit"))
		return suite->command;
	const char *option = arena_printf(arena, "--output-junit %s", command_quote(report, arena));
	return command_line_with(suite->command, "ctest", NULL, option, arena);
}

/* A second test of one name has an id that ctest does not know. */
static bool ctest_is_numbered(const char *id)
{
	const char *open = strrchr(id, '(');
	return open && open > id && open[-1] == ' ' &&
		strcmp(open + 1 + strspn(open + 1, "0123456789"), ")") == 0;
}

/* A regular expression for these tests, quoted; NULL: none says it. */
static const char *ctest_pattern(const char *const *ids, size_t n, struct arena *arena)
{
	AUTO_STRBUF pattern = STRBUF_INIT(STRBUF_TEXT);
	for (size_t i = 0; i < n; i++) {
		if (ctest_is_numbered(ids[i]))
			return NULL;
		strbuf_adds(&pattern, i ? "|" : "");
		strbuf_add_escaped(&pattern, ids[i], strlen(ids[i]), "^$.[]()*+?|\\");
	}
	return pattern.length > LONGEST_PATTERN
		? NULL
		: command_quote(arena_printf(arena, "^(%s)$", pattern.text), arena);
}

/* The command with an option for such an expression. */
static const char *ctest_filtered(
	const struct suite *suite, const char *option, const char *pattern, struct arena *arena)
{
	static const char *const filters[] = {
		"-R", "-E", "-I", "-L", "-LE", "--tests-regex", "--exclude-regex"};
	for (size_t i = 0; i < ARRAY_SIZE(filters); i++)
		if (command_line_has(suite->command, filters[i]))
			return NULL;
	if (!pattern || !command_line_any(suite->command, ctest_runs))
		return NULL;
	return command_line_with(
		suite->command, "ctest", NULL, arena_printf(arena, "%s %s", option, pattern), arena);
}

static const char *ctest_targeted(
	const struct suite *suite, const char *const *ids, size_t n, struct arena *arena)
{
	const char *pattern = ctest_pattern(ids, n, arena);
	const char *line = ctest_filtered(suite, "-R", pattern, arena);
	const char *build = line && n <= MOST_TARGETS ? strstr(line, CTEST_BUILD) : NULL;
	if (!build)
		return line;
	build += strlen(CTEST_BUILD);
	return arena_printf(arena, "%.*s" TARGETS_BEGIN "%s" TARGETS_END "%s", (int)(build - line),
		line, pattern, build);
}

static const char *ctest_without(
	const struct suite *suite, const char *const *ids, size_t n, struct arena *arena)
{
	return ctest_filtered(suite, "-E", ctest_pattern(ids, n, arena), arena);
}

/* What configures and builds does nothing, and nobody asks for its targets. */
static const char *ctest_rerun(const char *line, struct arena *arena)
{
	const char *begin = strstr(line, TARGETS_BEGIN);
	const char *end = begin ? strstr(begin, TARGETS_END) : NULL;
	if (end)
		line = arena_printf(arena, "%.*s%s", (int)(begin - line), line, end + strlen(TARGETS_END));
	return arena_printf(arena, "cmake() { :; }; make() { :; }; ninja() { :; }; %s", line);
}

const struct suite_type ctest_suite = {
	.name = "ctest",
	.summary = "cmake and ctest",
	.formats = (const struct format *const[]){&ctest_format, &configure_format, &exit_format, NULL},
	.detect = ctest_detect,
	.may_build = true,
	.runs = ctest_runs,
	.env = (const char *const[]){"CLICOLOR=0", NULL},
	.structured = ctest_structured,
	.targeted = ctest_targeted,
	.without = ctest_without,
	.cover = blocks_cover_c,
	.rerun = ctest_rerun,
	.tools = (const char *const[]){"cmake", "ctest", "make", "ninja", "cc", "c++", "ld", NULL},
	.builds = (const char *const[]){"build", "_build", "cmake-build-debug", NULL},
	.tests = (const char *const[]){"test/", "tests/", "test_*.c*", "*_test.c*", "*_tests.c*",
		"*Test.c*", NULL},
	.configuration = (const char *const[]){"CMakeLists.txt", "*.cmake", "*.cmake.in",
		"CMakePresets.json", "CMakeUserPresets.json", NULL},
};
