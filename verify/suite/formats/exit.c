/*
 * What no other format recognizes: one test, the command itself, which passes when it exits with 0.
 * When it fails, its message ends in a fingerprint of the output, which shows whether anything
 * changed from run to run.
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

static const char *exit_finish(struct suite_reading *reading, const struct process_result *result)
{
	const struct exit_state *state = reading->state;
	char described[64];
	const char *end = process_describe(result, described, sizeof described);
	const char *id = suite_shown(reading->suite);
	const char *problem = outcome_finish(&state->outcome, reading, id, result);
	struct test_result *only = map_get(&reading->report->by_id, id);
	if (!only || !only->message || !state->fingerprint.hash)
		return problem;
	unsigned hash = state->fingerprint.hash;
	only->message = strcmp(only->message, end) == 0
		? arena_printf(reading->arena, "%s, output %08x", end, hash)
		: arena_printf(reading->arena, "%s (%s, output %08x)", only->message, end, hash);
	return problem;
}

const struct format exit_format = {
	.name = TEST_FORMAT_EXIT,
	.summary = "the exit code, and the line that tells most about a failure",
	.state_size = sizeof(struct exit_state),
	.read_line = exit_read_line,
	.finish = exit_finish,
};
