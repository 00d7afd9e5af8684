/* Any other command: one test, which is the command itself and passes when it exits with 0. */
#include "suite/outcome.h"

const struct suite_type command_suite = {
	.name = "command",
	.summary = "any command: passes when it exits with 0",
	.state_size = sizeof(struct outcome),
	.read_line = outcome_read_line,
	.finish = outcome_read_end,
};
