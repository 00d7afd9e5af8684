/* rondo gc: remove what dead runs left behind and, if asked to, the records of old ones. */
#include <stdio.h>

#include "cli/cli.h"

struct gc_command {
	int64_t keep, older_ms;
	bool setups;
};

#define UNUSED_MS ((int64_t)30 * 24 * 3600 * 1000) /* of what a setup left */

#define AT(member) offsetof(struct gc_command, member)

static const struct option options[] = {
	OPTION("keep", INT, AT(keep), "remove the records of runs, too, but for the newest N",
		.argument = "N", .least = 1),
	OPTION("older-than", DURATION, AT(older_ms),
		"... and but for those that are not older than AGE, such as 30d", .argument = "AGE",
		.least = 1),
	OPTION("setups", BOOL, AT(setups),
		"remove all that setups left; else only what was not used for 30 days"),
	OPTION_END,
};

static void gc_tell(size_t n, const char *what, uint64_t bytes)
{
	printf("%zu %s removed, %.1f MB\n", n, what, (double)bytes / 1e6);
}

CLI_RUN(gc)
{
	const struct gc_command *command = state;
	size_t n, n_old = 0, n_setups, n_elsewhere;
	uint64_t bytes, bytes_old = 0, bytes_setups;
	bool old = command->keep || command->older_ms;
	if (run_collect_garbage(&n, &bytes, err) < 0 ||
		run_collect_setups(command->setups ? 0 : UNUSED_MS, &n_setups, &bytes_setups, err) < 0 ||
		(old && run_remove_old(command->keep, command->older_ms, &n_old, &bytes_old, err) < 0))
		return -1;
	int status = run_collect_elsewhere(&n_elsewhere, err);
	gc_tell(n, n == 1 ? "checkout of a dead run" : "checkouts of dead runs", bytes);
	if (old)
		gc_tell(n_old, n_old == 1 ? "record of an old run" : "records of old runs", bytes_old);
	if (n_setups || command->setups)
		gc_tell(n_setups, n_setups == 1 ? "result of a setup" : "results of setups", bytes_setups);
	if (n_elsewhere)
		printf("%zu %s removed\n", n_elsewhere,
			n_elsewhere == 1 ? "sandbox of a dead run elsewhere"
							 : "sandboxes of dead runs elsewhere");
	return status;
}

const struct cli_command gc_command = {
	.name = "gc",
	.summary = "remove what killed runs left behind, and records of old runs",
	.usage = "[--keep N] [--older-than AGE] [--setups]",
	.details =
		"Runs remove their checkouts themselves, and each start collects those of dead runs;\n"
		"this does it now. What setups left goes, too, if nobody used it for 30 days. Reports,\n"
		"journals and patches stay, unless an option says which go.\n"
		"\n"
		"  rondo gc --keep 100 --older-than 30d\n",
	.state_size = sizeof(struct gc_command),
	.options = options,
	.run = gc_run,
};
