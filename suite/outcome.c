#include "suite/outcome.h"

#include <string.h>

#include "base/memory.h"

/* Words of lines that say why something failed, and of those that only say that something did. */
static const char *const reasons[] = {"error", "fail", "assert", "panic", "expected", "fatal",
	"exception", "not found", "no such", "cannot", "undefined", "got ", "want "};
static const char *const echoes[] = {"FAILED", "--- FAIL", "make: ", "make[", "gmake: ", "npm ERR!",
	"npm error", "FAIL\t", "exit status", "error: test failed, to rerun", "Node.js v",
	"For more information"};

static int how_telling(const char *line, bool has_place)
{
	if (strcmp(line, "FAIL") == 0)
		return 1;
	for (size_t i = 0; i < ARRAY_SIZE(echoes); i++)
		if (text_starts_with(line, echoes[i]))
			return 1;
	for (size_t i = 0; i < ARRAY_SIZE(reasons); i++)
		if (strcasestr(line, reasons[i]))
			return has_place ? 4 : 3;
	return 2;
}

void outcome_line(struct outcome *outcome, const char *dir, const char *line)
{
	line += strspn(line, " \t");
	if (!*line)
		return;
	struct location location = {0};
	bool has_place = location_find(&location, dir, line);
	int telling = how_telling(line, has_place);
	if (telling < outcome->telling)
		return;
	outcome->telling = telling;
	text_copy(outcome->message, sizeof outcome->message, line);
	outcome->location = location;
}

bool outcome_not_started(const struct outcome *outcome, struct suite_reading *reading,
	const struct process_result *result)
{
	if (result->end != PROCESS_EXITED || (result->exit_code != 126 && result->exit_code != 127))
		return false;
	reading->report->problem = arena_printf(
		reading->arena, "the test command could not be started: %s", outcome->message);
	return true;
}

void outcome_finish(const struct outcome *outcome, struct suite_reading *reading, const char *id,
	const struct process_result *result)
{
	if (outcome_not_started(outcome, reading, result))
		return;
	char described[64];
	const char *message = outcome->message;
	if (result->end == PROCESS_SIGNALLED || !*message)
		message = process_describe(result, described, sizeof described);
	bool failed = result->exit_code != 0;
	test_report_add(reading->report, reading->arena,
		&(struct test_result){
			.id = id,
			.status = failed ? TEST_ERROR : TEST_PASSED,
			.message = failed ? message : NULL,
			.file = failed && *outcome->location.file ? outcome->location.file : NULL,
			.line = failed ? outcome->location.line : 0,
		});
	reading->report->complete = true;
}

void outcome_read_line(struct suite_reading *reading, const char *line)
{
	outcome_line(reading->state, reading->dir, line);
}

void outcome_read_end(struct suite_reading *reading, const struct process_result *result)
{
	outcome_finish(reading->state, reading, reading->suite->command, result);
}
