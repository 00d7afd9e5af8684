#include "verify/suite/outcome.h"

#include <string.h>

#include "base/memory.h"

/* Words of lines that say why something failed, and of lines that only say that it did. */
static const char *const reasons[] = {"error", "fail", "assert", "panic", "expected", "fatal",
	"exception", "not found", "no such", "cannot", "undefined", "got ", "want "};
static const char *const echoes[] = {"FAIL", "FAILED*", "--- FAIL*", "make: *", "make[*",
	"gmake: *", "npm ERR!*", "npm error*", "FAIL\t*", "exit status*",
	"error: test failed, to rerun*", "Node.js v*", "For more information*", "[C]: *",
	"stack traceback:*", NULL};
/* Programs that say why they ended, whatever the words. */
static const char *const reporters[] = {
	"lua: *", "lua5.4: *", "lua5.3: *", "lua5.1: *", "luajit: *", NULL};

/* Whether a word of `reasons` begins here, in letters of any case. */
static bool outcome_begins_reason(const char *at)
{
	for (size_t i = 0; i < ARRAY_SIZE(reasons); i++)
		if ((at[0] | 0x20) == reasons[i][0] && (at[1] | 0x20) == reasons[i][1] &&
			strncasecmp(at, reasons[i], strlen(reasons[i])) == 0)
			return true;
	return false;
}

/* Whether a line has such a word. Logs are long: two letters, looked up, rule most places out. */
static bool outcome_has_reason(const char *line)
{
#define BOTH(letter) [letter] = true, [(letter)-0x20] = true
	static const bool firsts[256] = {BOTH('a'), BOTH('c'), BOTH('e'), BOTH('f'), BOTH('g'),
		BOTH('n'), BOTH('p'), BOTH('u'), BOTH('w')};
	static const bool seconds[256] = {
		BOTH('a'), BOTH('n'), BOTH('o'), BOTH('r'), BOTH('s'), BOTH('x')};
#undef BOTH
	for (; *line; line++)
		if (firsts[(unsigned char)line[0]] && seconds[(unsigned char)line[1]] &&
			outcome_begins_reason(line))
			return true;
	return false;
}

/* How much a line says; PLACED: why and where. */
enum { ECHO = 1, PLAIN, REASON, PLACED };

static int outcome_how_telling(const char *line)
{
	if (line_matches_any(line, echoes))
		return ECHO;
	return line_matches_any(line, reporters) || outcome_has_reason(line) ? REASON : PLAIN;
}

void outcome_line(struct outcome *outcome, const char *dir, const char *line)
{
	line += strspn(line, " \t");
	if (!*line)
		return;
	struct location location;
	int telling = outcome_how_telling(line);
	*location.file = '\0';
	if (telling == REASON && location_find(&location, dir, line))
		telling = PLACED;
	if (telling < outcome->telling)
		return;
	outcome->telling = telling;
	text_copy(outcome->message, sizeof outcome->message, line);
	*outcome->location.file = '\0';
	if (*location.file)
		outcome->location = location;
}

bool outcome_says_why(const struct outcome *outcome)
{
	return outcome->telling >= REASON;
}

const char *outcome_not_started(const struct outcome *outcome, const struct suite_reading *reading,
	const struct process_result *result)
{
	if (result->end != PROCESS_EXITED || (result->exit_code != 126 && result->exit_code != 127))
		return NULL;
	return arena_printf(
		reading->arena, "the test command could not be started: %s", outcome->message);
}

const char *outcome_finish(const struct outcome *outcome, struct suite_reading *reading,
	const char *id, const struct process_result *result)
{
	const char *problem = outcome_not_started(outcome, reading, result);
	if (problem)
		return problem;
	char described[64];
	const char *message = outcome->message;
	struct location location = outcome->location;
	if (!*location.file)
		location_find(&location, reading->dir, message);
	if (result->end == PROCESS_SIGNALLED || !*message)
		message = process_describe(result, described, sizeof described);
	reading_add(reading, id, result->exit_code ? TEST_ERROR : TEST_PASSED, message, &location, 0);
	return NULL;
}
