/* Which lines tests of compiled languages run: their programs, built once more, note the blocks
 * that they come to. verify/suite/blocks/ does that where the tests run. gcov would count for all
 * tests of a program together, and lose all in a crash. */
#pragma once
#include "verify/suite/suite.h"

/* As suite_type has it: `cover` for C and C++. All tests are run: not all runners can choose. */
const char *blocks_cover_c(
	const struct suite *suite, const struct cover_tests *tests, struct arena *arena);

/* A line with the texts that all need, what is special about a language last: `values` assigns what
 * that text needs. In the arena; NULL: it is too long. */
const char *blocks_line(const struct suite *suite, const struct cover_tests *tests,
	const char *values, const char *text, struct arena *arena);

/* Those texts, by the Makefile. */
extern const char blocks_cover_c_sh[], blocks_cover_rust_sh[];
