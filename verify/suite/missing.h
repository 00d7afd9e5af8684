/* What a program that could not run says is missing. Inside suite/ only. `paths` are the tree's n
 * files: what is missing from the tree itself, or only misspelt, is a bug. */
#pragma once
#include "verify/suite/suite.h"

/* What a runner or an interpreter says in a line. */
bool missing_in_line(const char *line, const char *const *paths, size_t n, struct arena *arena,
	struct lack *ret_lack);

/* What a compiler or another tool of a build says in a line; `rest` is what it printed after it. */
bool missing_in_build(const char *line, const char *rest, const char *const *paths, size_t n,
	struct arena *arena, struct lack *ret_lack);

/* The first of either in an output. */
bool missing_in_output(const char *output, const char *const *paths, size_t n, struct arena *arena,
	struct lack *ret_lack);
