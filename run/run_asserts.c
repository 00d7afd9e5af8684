/* What a scenario asserts of its own end. */
#include <string.h>

#include "chat/message.h"
#include "run/scenario/assertion.h"
#include "run/stages.h"

/* Of the last code that ran; -1: none did. */
static int asserts_last_exit_code(struct message_span said)
{
	for (size_t i = said.n; i-- > 0;)
		if (said.messages[i]->type == RONDO_MESSAGE_CODE_EXECUTION &&
			message_data(said.messages[i]))
			return (int)json_int(message_data(said.messages[i]), "exit_code", -1);
	return -1;
}

static bool asserts_tests_pass(const struct run *run)
{
	const struct ending *ending = run->verdict ? &run->verdict->ending
		: run->baseline                        ? &run->baseline->ending
											   : NULL;
	return ending && (ending->outcome == RUN_VERIFIED || ending->outcome == RUN_NOTHING_FAILS);
}

void run_check_asserts(struct run *run)
{
	AUTO_STRBUF why = STRBUF_INIT(STRBUF_TEXT);
	struct assertion_facts facts = {.tests_pass = asserts_tests_pass(run),
		.messages = message_thread_since(&run->components.team->thread, 0),
		.stop_reason = run->talk ? run->talk->facts.stop_reason : NULL,
		.files = run->order.has_site ? worktree_dir(run->site->main.worktree) : NULL};
	facts.last_exit_code = asserts_last_exit_code(facts.messages);
	run->asserts.n = assertions_check(&run->order.scenario->asserts, &facts, &why);
	strbuf_rtrim(&why);
	run->asserts.failed = why.length ? arena_strdup(run->env.arena, why.text) : NULL;
}
