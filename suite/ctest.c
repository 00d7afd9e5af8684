/*
 * CMake's ctest, by its exit code. It configures and builds in a directory of its own below /tmp,
 * named after the tree's: build output among the sources would be taken for a part of the fix.
 */
#include <string.h>

#include "suite/command_line.h"
#include "suite/listing.h"
#include "suite/outcome.h"

static bool ctest_detect(const char *dir, const char *const *paths, size_t n, struct arena *arena,
	struct suite *suite)
{
	if (!listing_has(paths, n, "CMakeLists.txt"))
		return false;
	const char *text = listing_read(dir, "CMakeLists.txt", arena);
	if (!text || (!strcasestr(text, "enable_testing") && !strcasestr(text, "add_test") &&
			     !strcasestr(text, "include(CTest)")))
		return false;
	suite->command =
		"build=\"${TMPDIR:-/tmp}/ctest$(pwd | tr / -)\"; cmake -S . -B \"$build\" && "
		"cmake --build \"$build\" && ctest --test-dir \"$build\" --output-on-failure";
	suite->origin = "CMakeLists.txt";
	return true;
}

static bool is_ctest(const char *const *words, size_t n)
{
	(void)n;
	return command_is(words[0], "ctest");
}

static bool ctest_runs(const char *command)
{
	return command_line_any(command, is_ctest);
}

const struct suite_type ctest_suite = {
	.name = "ctest",
	.summary = "cmake and ctest: the exit code",
	.state_size = sizeof(struct outcome),
	.detect = ctest_detect,
	.runs = ctest_runs,
	.env = (const char *const[]){"CLICOLOR=0", NULL},
	.read_line = outcome_read_line,
	.finish = outcome_read_end,
	.tools = (const char *const[]){"cmake", "ctest", "make", "ninja", "cc", "c++", "ld", NULL},
	.configuration = (const char *const[]){"CMakeLists.txt", "*.cmake", "CMakePresets.json",
		NULL},
};
