/* Views of a run for rondo show; between show*.c. */
#pragma once
#include "base/option.h"

/* Write the page that the operands name, [RUN|DIR] [FILE]; open it if `opens`. */
int show_html(const struct option_strings *operands, bool opens, struct arena *arena,
	struct rondo_error *err);
