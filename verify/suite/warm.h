/* Plans for warm runners, shared by the suite types that have one. */
#pragma once
#include "verify/suite/suite.h"

/*
 * The plan for a command that is one simple command in plain words. `behind` gives the place behind
 * the word that starts the runner, 0: it does not; `interpreter` is how many words before that
 * place start the interpreter, or 0 where the runner is a script that names its own.
 */
bool warm_plan_make(const struct suite *suite,
	size_t (*behind)(const char *const *words, size_t n, size_t *ret_interpreter),
	struct arena *arena, struct warm_plan *plan);
