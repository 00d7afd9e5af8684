/* Parts of run/doctor/doctor.c. */
#pragma once
#include "run/run.h"

/* What a program on PATH says of its version: of "Python 3.11.2", "v20.1.0" or "go1.21" what begins
 * with the first digit; in the arena. NULL: it is not there, or does not say it. */
const char *doctor_version(const char *program, const char *argument, struct arena *arena);

/* Which coding agents of others are here, and what those lack that are. */
struct doctor_line doctor_coders(struct arena *arena);
