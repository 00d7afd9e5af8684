/* Globs as .gitignore has them: `*` within a part of a path, `**` over parts, `?`, `[a-z]`. */
#pragma once
#include <stdbool.h>

/* Whether a path matches: a glob without a slash matches the name at any depth, one that ends in a
 * slash all below a folder. */
bool glob_matches(const char *glob, const char *path);
