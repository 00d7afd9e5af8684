/* A run without results of its tests: one result, the command itself, by its exit code. */
#pragma once
#include "verify/suite/format.h"

struct outcome {
	int telling; /* how much the kept line says */
	char message[512];
	struct location location; /* that it names, if it says why */
};

/* Keep the line that says most about a failure; of equals the last. */
void outcome_line(struct outcome *outcome, const char *dir, const char *line);

/* Whether the line that is kept says why something failed. */
bool outcome_says_why(const struct outcome *outcome);

/* Add the one result, named `id`. A failure is a TEST_ERROR: once the tests can be distinguished,
 * they come instead of it. Gives why nothing was tested, or NULL. */
const char *outcome_finish(const struct outcome *outcome, struct suite_reading *reading,
	const char *id, const struct process_result *result);

/* That the shell could not find or start the command, so that nothing was tested; or NULL. */
const char *outcome_not_started(const struct outcome *outcome, const struct suite_reading *reading,
	const struct process_result *result);
