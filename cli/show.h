/* Views of a run for rondo show; between show*.c. */
#pragma once
#include "base/option.h"

/* Each test, before and after. */
int show_tests(const char *dir, struct arena *arena, struct rondo_error *err);

/* When what was done: a line each, with a bar. */
int show_timeline(const char *dir, struct arena *arena, struct rondo_error *err);

/* Write the page that the operands name, [RUN|DIR] [FILE]; open it if `opens`. */
int show_html(const struct option_strings *operands, bool opens, struct arena *arena,
	struct rondo_error *err);
