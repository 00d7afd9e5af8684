/*
 * What shows itself in no other format: one test, which is the command itself and passes when it
 * exits with 0. Where it fails, its message ends in a fingerprint of the output: whether anything
 * has changed is all that can be told from run to run.
 */
#include <string.h>

#include "verify/suite/fingerprint.h"
#include "verify/suite/outcome.h"

struct exit_state {
	struct outcome outcome;
	struct fingerprint fingerprint;
};

static void exit_read_line(struct suite_reading *reading, const char *line)
{
	struct exit_state *state = reading->state;
	outcome_line(&state->outcome, reading->dir, line);
	fingerprint_line(&state->fingerprint, reading->dir, line);
}

static void exit_finish(struct suite_reading *reading, const struct process_result *result)
{
	const struct exit_state *state = reading->state;
	char described[64];
	const char *end = process_describe(result, described, sizeof described),
			   *id = reading->suite->command;
	outcome_finish(&state->outcome, reading, id, result);
	struct test_result *only = map_get(&reading->report->by_id, id);
	if (!only || !only->message || !state->fingerprint.hash)
		return;
	bool is_end = strcmp(only->message, end) == 0;
	only->message =
		arena_printf(reading->arena, "%s%s%s, output %08x%s", is_end ? "" : only->message,
			is_end ? "" : " (", end, (unsigned)state->fingerprint.hash, is_end ? "" : ")");
}

const struct format exit_format = {
	.name = "exit",
	.summary = "the exit code, and the line that tells most about a failure",
	.state_size = sizeof(struct exit_state),
	.read_line = exit_read_line,
	.finish = exit_finish,
};
