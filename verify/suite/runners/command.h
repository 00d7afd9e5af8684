/* What a command is told whose runners are not known beforehand: make, a script. */
#pragma once
#include "verify/suite/suite.h"

/* The environment in which pytest, cmocka and Check print what is read; googletest is told by
 * command_structured. */
extern const char *const command_env[];
const char *command_structured(const struct suite *suite, const char *report, struct arena *arena);

/* Of a suite whose format is settled: googletest takes names by the environment too. */
const char *command_targeted(
	const struct suite *suite, const char *const *ids, size_t n, struct arena *arena);
