/*
 * A program decides. It gets {"messages":[...]}, what was said since it was last asked, and answers
 * {"stop":true} or {"stop":false}, perhaps with a "reason". A condition that gives no answer must
 * not look like one that does not hold.
 */
#include <string.h>

#include "base/inquiry.h"
#include "base/memory.h"
#include "base/utf8.h"
#include "chat/message.h"
#include "termination/termination.h"

struct command {
	const char *command;
	int64_t timeout_ms;
};

static const struct option options[] = {
	OPTION("command", STRING, offsetof(struct command, command),
		"a line for sh: reads {\"messages\": [...]}, prints {\"stop\": true, \"reason\": \"...\"}",
		.required = true, .main = true),
	OPTION("timeout", DURATION, offsetof(struct command, timeout_ms),
		"how long it may take each time", .least = 1, .fallback = "60s"),
	OPTION_END,
};

static int command_check_options(const void *options_, struct rondo_error *err)
{
	const char *line = ((const struct command *)options_)->command;
	return !line || line[strspn(line, " \t\n")]
		? 0
		: error_set(err, RONDO_ERROR_USAGE, "command must not be empty");
}

static char *command_print_messages(struct message_span delta)
{
	AUTO_JSON *json = json_object();
	struct json *messages = json_add_array(json, "messages");
	for (size_t i = 0; i < delta.n; i++)
		json_add(messages, NULL, message_to_json(delta.messages[i]));
	return json_print(json);
}

static int command_check(struct termination *termination, struct message_span delta,
	struct termination_reason *reason, const struct context *ctx, struct rondo_error *err)
{
	const struct command *state = termination->state;
	if (!delta.n)
		return 0;
	AUTO_FREE char *messages = command_print_messages(delta);
	AUTO_JSON *answer = inquire(&(struct inquiry){.command = state->command,
									.dir = termination->services->dir,
									.question = messages,
									.member = "stop",
									.timeout_ms = state->timeout_ms,
									.cancel = ctx->cancel},
		err);
	if (!answer)
		return -1;
	const char *why = json_string(answer, "reason", "");
	reason->message = delta.messages[delta.n - 1];
	if (*why)
		utf8_format(reason->text, sizeof reason->text, "%.*s", (int)strcspn(why, "\n"), why);
	else
		utf8_format(reason->text, sizeof reason->text, "'%s' says stop", state->command);
	return json_bool(answer, "stop", false);
}

const struct termination_type command_termination = {
	.name = "command",
	.summary = "a program of yours, given what was said, says stop",
	.stop_kind = RONDO_STOP_SUCCESS,
	.state_size = sizeof(struct command),
	.options = options,
	.check_options = command_check_options,
	.check = command_check,
};
