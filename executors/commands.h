/* Which commands a block of the shell calls, read and not run. Only code.c and tests include it. */
#pragma once
#include "base/arena.h"
#include "base/option.h"

/* Why this text may not run where only these commands are allowed, in the arena; NULL: it may. What calls others (xargs, env,
 * find -exec) counts as itself alone; a command that is not spelt out is refused. */
const char *commands_refusal(const char *code, const struct option_strings *allowed, struct arena *arena);
