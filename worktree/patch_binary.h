/* What a patch has of binary files. Private to this folder and its tests. */
#pragma once
#include <stddef.h>

#include "base/error.h"

/* Whether all that "GIT binary patch" brings can be read, before libgit2 1.5 does: with what is no
 * zlib stream of the length that it says, that one never comes to an end. */
int patch_check_binary(const char *text, size_t n, struct rondo_error *err);
