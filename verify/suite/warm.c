#include "verify/suite/warm.h"

#include <string.h>

#include "base/memory.h"
#include "base/strbuf.h"
#include "verify/suite/runners/command_line.h"

/* The interpreter that a script's first line names. */
static const char *interpreter_of(const char *script, struct arena *arena)
{
	return arena_printf(arena, "$(sed -n '1s/^#! *//p' \"$(command -v %s)\")", script);
}

bool warm_plan_make(const struct suite *suite,
	size_t (*behind)(const char *const *words, size_t n, size_t *ret_interpreter),
	struct arena *arena, struct warm_plan *plan)
{
	size_t n, n_interpreter = 0;
	struct simple_command *command = command_line_split(suite->command, arena, &n);
	if (n != 1 || !command_line_is_plain(suite->command))
		return false;
	const char *const *words = (const char *const *)command->words;
	size_t at = behind(words, command->n, &n_interpreter);
	const char *first = at ? strstr(suite->command, words[0]) : NULL;
	if (!first)
		return false;
	AUTO_STRBUF start = STRBUF_INIT(STRBUF_LINE);
	strbuf_add(&start, suite->command, (size_t)(first - suite->command));
	for (size_t i = 0; i < n_interpreter; i++)
		strbuf_addf(&start, "%s%s", i ? " " : "", words[i]);
	if (!n_interpreter)
		strbuf_adds(&start, interpreter_of(words[at - 1], arena));
	plan->start = arena_strdup(arena, start.text);
	plan->arguments = NULL;
	plan->n_arguments = 0;
	for (size_t i = at; i < command->n; i++)
		ARENA_PUSH(arena, plan->arguments, plan->n_arguments, words[i]);
	return true;
}
