/* The tester says that the goal is reached: its report's `ok`, not a word in a text. */
#include <string.h>

#include "base/json.h"
#include "base/utf8.h"
#include "termination/termination.h"

static bool is_ok(const struct rondo_message *message)
{
	struct rondo_error err;
	if (message->type != RONDO_MESSAGE_TEST_REPORT || !message->data)
		return false;
	AUTO_JSON *json = json_parse(message->data, strlen(message->data), &err);
	return json_bool(json, "ok", false);
}

static int check(struct termination *termination, struct message_span delta, struct termination_reason *reason,
	const struct context *ctx, struct rondo_error *err)
{
	(void)termination, (void)ctx, (void)err;
	for (size_t i = 0; i < delta.n; i++) {
		if (!is_ok(delta.messages[i]))
			continue;
		reason->message = delta.messages[i];
		utf8_format(reason->text, sizeof reason->text, "tests pass, says '%s'", delta.messages[i]->source);
		return 1;
	}
	return 0;
}

const struct termination_type tests_pass_termination = {
	.name = "tests_pass",
	.summary = "the tester reports that every test of the goal passes and none broke",
	.verdict = RONDO_VERDICT_SUCCESS,
	.check = check,
};
