/* The tester says that the goal is reached: its report's `ok`, not a word in a text. */
#include "base/utf8.h"
#include "termination/listen.h"

static bool is_ok(const void *state, const struct rondo_message *message)
{
	(void)state;
	AUTO_JSON *data = message->type == RONDO_MESSAGE_TEST_REPORT ? listen_data(message) : NULL;
	return json_bool(data, "ok", false);
}

static int check(struct termination *termination, struct message_span delta, struct termination_reason *reason,
	const struct context *ctx, struct rondo_error *err)
{
	(void)ctx, (void)err;
	reason->message = listen_for(delta, is_ok, termination->state);
	if (!reason->message)
		return 0;
	utf8_format(reason->text, sizeof reason->text, "tests pass, says '%s'", reason->message->source);
	return 1;
}

const struct termination_type tests_pass_termination = {
	.name = "tests_pass",
	.summary = "the tester reports that every test of the goal passes and none broke",
	.verdict = RONDO_VERDICT_SUCCESS,
	.check = check,
};
