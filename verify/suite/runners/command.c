/*
 * Any other command. Environment variables ask each runner for what can be read
 * test by test; runners that the command does not start never look at them.
 */
#include "verify/suite/runners/command.h"

#include <string.h>

#include "base/strbuf.h"
#include "verify/suite/format.h"
#include "verify/suite/runners/blocks.h"
#include "verify/suite/runners/command_line.h"
#include "verify/suite/runners/javascript_suite.h"
#include "verify/suite/runners/python_suite.h"

const char *const command_env[] = {
	pytest_options, "CMOCKA_MESSAGE_OUTPUT=TAP", "CK_TAP_LOG_FILE_NAME=-", NULL};

/* The slash makes the report a folder, in which each program of googletest's writes a file. */
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
	for (size_t i = 0; i < n; i++)
		strbuf_addf(&names, "%s%.*s", i ? ":" : "", (int)strcspn(ids[i], " "), ids[i]);
	const char *filter = command_bounded(&names, arena);
	return filter ? arena_printf(arena, "export GTEST_FILTER=%s; %s", command_quote(filter, arena),
						suite->command)
				  : NULL;
}

/* tape, whose assertions are TAP's. */
static bool command_warm(const struct suite *suite, struct arena *arena, struct warm_plan *ret_plan)
{
	return javascript_warm(suite, arena, ret_plan) && strcmp(ret_plan->kind, "tape") == 0;
}

const struct suite_type command_suite = {
	.name = "command",
	.summary = "any command",
	.may_build = true,
	.env = command_env,
	.structured = command_structured,
	.targeted = command_targeted,
	.cover = blocks_cover_c,
	.warm = command_warm,
};
