/* How jest, vitest and mocha are asked for report files wherever in a command they start; what node
 * does then is in preload.js. */
#pragma once
#include <stdbool.h>

#include "base/arena.h"

/* The command with what asks for reports before it. They lie in the directory `report`, which is
 * made. NULL: the command as it is. */
const char *preload_command(const char *command, const char *report, struct arena *arena);

/* The command for these tests alone, to be given to preload_command; NULL where an id names no test
 * file of JavaScript. */
const char *preload_targeted(
	const char *command, const char *const *ids, size_t n, struct arena *arena);

/* Whether n bytes of path end as a source file of JavaScript or TypeScript does. */
bool is_script_path(const char *path, size_t n);
