/* The tester says that the goal is reached: its report's `ok`, not a word in a text. */
#include "base/utf8.h"
#include "chat/message.h"
#include "termination/termination.h"

static bool tests_pass_hears(struct termination *termination, const struct rondo_message *message,
	struct termination_reason *reason)
{
	(void)termination;
	const struct json *data =
		message->type == RONDO_MESSAGE_TEST_REPORT ? message_data(message) : NULL;
	utf8_format(reason->text, sizeof reason->text, "tests pass, says '%s'", message->source);
	return json_bool(data, "ok", false);
}

const struct termination_type tests_pass_termination = {
	.name = "tests_pass",
	.summary = "the tester reports that every test of the goal passes and none broke",
	.stop_kind = RONDO_STOP_SUCCESS,
	.hears = tests_pass_hears,
};
