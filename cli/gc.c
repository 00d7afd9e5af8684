/* rondo gc: remove what dead runs left behind. */
#include <stdio.h>

#include "cli/cli.h"

static const struct option options[] = {OPTION_END};

static int run(void *state, const struct option_strings *operands, struct arena *arena)
{
	(void)state;
	(void)operands;
	(void)arena;
	struct rondo_error err;
	size_t n;
	uint64_t bytes;
	if (run_collect_garbage(&n, &bytes, &err) < 0) {
		screen_error(&err);
		return run_error_exit_code(&err, NULL);
	}
	printf("%zu checkout%s of dead runs removed, %.1f MB\n", n, n == 1 ? "" : "s", (double)bytes / 1e6);
	return 0;
}

const struct cli_command gc_command = {
	.name = "gc",
	.summary = "remove the checkouts that killed runs left behind",
	.usage = "",
	.details = "Runs remove their checkouts themselves, and each start collects those of dead runs;\n"
		   "this does it now. Reports, journals and patches stay.\n",
	.options = options,
	.run = run,
};
