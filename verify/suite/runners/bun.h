/* What `npm test` has in common with `bun test`, which it may come to. */
#pragma once
#include "verify/suite/suite.h"

/* The line that runs some tests of a line whose one runner is bun's; NULL: it is another one, or
 * they cannot be named. In the arena. */
const char *bun_select(const char *line, const char *const *ids, size_t n, struct arena *arena);
