/* What a scenario says of its own end, held against what came of it. */
#include <string.h>

#include "base/json.h"
#include "base/memory.h"
#include "run/scenario/assertion.h"
#include "run/stages.h"

/* Of the last code that ran; -1: none did. */
static int last_exit_code(struct message_span said)
{
	struct rondo_error err;
	for (size_t i = said.n; i-- > 0;) {
		const struct rondo_message *message = said.messages[i];
		if (message->type != RONDO_MESSAGE_CODE_EXECUTION || !message->data)
			continue;
		AUTO_JSON *json = json_parse(message->data, strlen(message->data), &err);
		return (int)json_int(json, "exit_code", -1);
	}
	return -1;
}

void asserts_run(struct run *run)
{
	struct run_result *result = run->result;
	AUTO_STRBUF why = STRBUF_INIT(STRBUF_TEXT);
	struct assertion_facts facts = {.stop_reason = result->stop_reason,
		.tests_pass = result->outcome == RUN_VERIFIED || result->outcome == RUN_NOTHING_FAILS,
		.files = run->has_site ? worktree_dir(run->desk.worktree) : NULL};
	if (run->cast.team)
		facts.messages = message_thread_since(&run->cast.team->thread, 0);
	facts.last_exit_code = last_exit_code(facts.messages);
	result->n_asserts = assertions_check(&run->scenario->asserts, &facts, &why);
	if (!why.length)
		return;
	strbuf_rtrim(&why);
	result->failed_asserts = arena_strdup(run->arena, why.text);
	result->outcome = RUN_ASSERT_FAILED;
	result->reason = "what the scenario asserts does not hold";
}
