/* What a scenario asserts of its own end. */
#include <string.h>

#include "base/memory.h"
#include "chat/message.h"
#include "run/scenario/assertion.h"
#include "run/talk.h"

/* Of the last code that ran; -1: none did. */
static int talk_last_exit_code(struct message_span said)
{
	for (size_t i = said.n; i-- > 0;)
		if (said.messages[i]->type == RONDO_MESSAGE_CODE_EXECUTION &&
			message_data(said.messages[i]))
			return (int)json_int(message_data(said.messages[i]), "exit_code", -1);
	return -1;
}

size_t talk_check_asserts(const struct talk *talk, const struct run_env *env,
	const struct components *components, const char *files, bool tests_pass,
	const char **ret_failed)
{
	AUTO_STRBUF why = STRBUF_INIT(STRBUF_TEXT);
	struct assertion_facts facts = {.stop_reason = talk ? talk->facts.stop_reason : NULL,
		.tests_pass = tests_pass,
		.files = files};
	if (components->team)
		facts.messages = message_thread_since(&components->team->thread, 0);
	facts.last_exit_code = talk_last_exit_code(facts.messages);
	size_t n = assertions_check(&env->order->scenario->asserts, &facts, &why);
	strbuf_rtrim(&why);
	*ret_failed = why.length ? arena_strdup(env->arena, why.text) : NULL;
	return n;
}
