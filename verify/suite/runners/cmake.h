/* How a CMake project is configured so that its tests are built. */
#pragma once
#include <stdbool.h>
#include <stddef.h>

#include "base/arena.h"

/* The CMakeLists.txt at the root, if it is that of a whole project, and the files at the root and
 * in cmake/ that it may include; NULL: there is none. In the arena. */
const char *cmake_read(
	const char *dir, const char *const *paths, size_t n, struct arena *arena);

/* Whether such a text has tests. */
bool cmake_has_tests(const char *text);

/* The target of its own, "check" or "test", that runs the tests of a project without such; NULL:
 * there is none. */
const char *cmake_test_target(const char *text);

/* "-DX_BUILD_TESTS=ON ": the project's options for tests that are off. In the arena. */
const char *cmake_test_options(const char *text, struct arena *arena);

/* The name of the configuration that the first test preset of a CMakePresets.json is for, of those
 * that are meant for Linux and need no toolchain file; in the arena. NULL: there is none. */
const char *cmake_test_preset(const char *text, struct arena *arena);
