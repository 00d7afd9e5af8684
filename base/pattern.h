/* Extended regular expressions of POSIX, line by line: ^ and $ stand at each line's ends, and .
 * matches no newline. */
#pragma once
#include <regex.h>

#include "base/error.h"

/* Compile one; the caller releases it with regfree. The error quotes it and says what is wrong. */
int pattern_compile(const char *text, regex_t *ret_pattern, struct rondo_error *err);

/* Only whether it is one. */
int pattern_check(const char *text, struct rondo_error *err);
