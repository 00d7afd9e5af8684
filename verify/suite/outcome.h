/* A run whose tests are not told apart: one result, the command itself, by its exit code. */
#pragma once
#include "verify/suite/format.h"
#include "verify/suite/location.h"

struct outcome {
	int telling; /* how much the line says that is kept */
	char message[512];
	struct location location; /* that it names; only of one that says why */
};

/* Keep the line that tells most about a failure; of equals the last. */
void outcome_line(struct outcome *outcome, const char *dir, const char *line);

/* Add the one result, named `id`. The report is complete. A failure is an error of the whole: once
 * the tests behind it can be told apart, they come instead of it. */
void outcome_finish(const struct outcome *outcome, struct suite_reading *reading, const char *id,
	const struct process_result *result);

/* Whether the shell could not find or start the command: then nothing was tested, and the report
 * says so. */
bool outcome_not_started(const struct outcome *outcome, struct suite_reading *reading,
	const struct process_result *result);
