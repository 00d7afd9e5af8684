/* How commands are run whose runners are not known: make, a script. */
#pragma once
#include "verify/suite/suite.h"

/* Makes pytest, cmocka and Check print what is read; googletest is asked by command_structured. */
extern const char *const command_env[];
const char *command_structured(const struct suite *suite, const char *report, struct arena *arena);

/* For googletest, if the suite's format is settled: it takes names by the environment, too. */
const char *command_targeted(
	const struct suite *suite, const char *const *ids, size_t n, struct arena *arena);
