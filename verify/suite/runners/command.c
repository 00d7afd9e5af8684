/*
 * Any other command: whatever it prints. Each runner is asked by an environment of its own for what
 * can be read test by test; those that the command does not start never look at it.
 */
#include "verify/suite/runners/command.h"

#include <string.h>

#include "base/strbuf.h"
#include "verify/suite/format.h"
#include "verify/suite/python.h"
#include "verify/suite/runners/command_line.h"
#include "verify/suite/runners/javascript_suite.h"

const char *const command_env[] = {
	pytest_options,
	"PYTHONDONTWRITEBYTECODE=1",
	"CMOCKA_MESSAGE_OUTPUT=TAP",
	"CK_TAP_LOG_FILE_NAME=-",
	NULL,
};

/* Behind a slash, each program of googletest's writes a file of its own into the report, which is a
 * folder then. */
const char *command_structured(const struct suite *suite, const char *report, struct arena *arena)
{
	if (!report)
		return suite->command;
	const char *folder = arena_printf(arena, "json:%s/", report);
	return arena_printf(
		arena, "export GTEST_OUTPUT=%s; %s", command_quote(folder, arena), suite->command);
}

const char *command_targeted(
	const struct suite *suite, const char *const *ids, size_t n, struct arena *arena)
{
	if (!suite->format || strcmp(suite->format, googletest_format.name) != 0)
		return NULL;
	AUTO_STRBUF names = STRBUF_INIT(STRBUF_TEXT);
	for (size_t i = 0; i < n && names.length < LONGEST_COMMAND; i++)
		strbuf_addf(&names, "%s%.*s", i ? ":" : "", (int)strcspn(ids[i], " "), ids[i]);
	const char *filter = arena_strndup(arena, names.text, names.length);
	return names.length < LONGEST_COMMAND ? arena_printf(arena, "export GTEST_FILTER=%s; %s",
												command_quote(filter, arena), suite->command)
										  : NULL;
}

/* tape, whose assertions are TAP's. */
static bool command_warm(const struct suite *suite, struct arena *arena, struct warm_plan *ret_plan)
{
	size_t n;
	const struct simple_command *command = command_line_split(suite->command, arena, &n);
	return n == 1 && command_is(command->words[0], "tape") &&
		   javascript_warm(suite, arena, ret_plan);
}

const struct suite_type command_suite = {
	.name = "command",
	.summary = "any command",
	.env = command_env,
	.structured = command_structured,
	.targeted = command_targeted,
	.warm = command_warm,
};
