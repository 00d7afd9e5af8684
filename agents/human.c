/*
 * Asking a human. The question is on record before it is asked; of the answer there is what the
 * agent says. Where nobody answers, the default answer is taken, and without one the run ends with
 * an error: a program that waits for nobody must not continue by a guess.
 */
#include "agents/human.h"

#include <string.h>

#include "base/clock.h"
#include "chat/mention.h"
#include "chat/message.h"

const char *const human_modes[] = {"ALWAYS", "TERMINATE", "NEVER", NULL};

bool human_is_end(const struct human *human, const struct rondo_message *message)
{
	return message->type == RONDO_MESSAGE_TEXT && strcmp(message->source, "user") != 0 &&
		mentions_text(message->content, human->terminate_on, false);
}

bool human_is_asked(const struct human *human, bool at_end)
{
	return strcmp(human->mode, "ALWAYS") == 0 || (at_end && strcmp(human->mode, "TERMINATE") == 0);
}

/* The time for an answer, and that of the run, whichever ends first; 0: neither does. */
static int64_t human_deadline(const struct human *human, const struct context *ctx)
{
	int64_t run_ms = cancel_deadline(ctx->cancel);
	int64_t answer_ms = human->timeout_ms ? clock_now_ms() + human->timeout_ms : run_ms;
	return run_ms && run_ms < answer_ms ? run_ms : answer_ms;
}

static int human_tell(const struct agent *agent, enum rondo_event_type type, const char *text,
	const struct context *ctx, struct rondo_error *err)
{
	struct rondo_event event = {.type = type, .source = agent->name, .text = text};
	return context_event(ctx, &event, err);
}

/* Nobody answered in time, or the human has no more to say, who then leaves. */
static int human_take_default(const struct agent *agent, const struct human *human,
	struct arena *arena, const char **ret_answer, const struct context *ctx,
	struct rondo_error *err)
{
	bool is_late = err->code == RONDO_ERROR_TRANSIENT;
	char time[CLOCK_DATE_SIZE];
	clock_format_duration(human->timeout_ms, time);
	if (is_late && !human->default_answer) {
		error_set(err, RONDO_ERROR_TRANSIENT, "nobody answered within %s", time);
		return error_help(
			err, "say a longer ask_timeout for agent '%s', or a default_answer", agent->name);
	}
	*ret_answer = human->default_answer ? human->default_answer : "exit";
	if (!is_late)
		return 0;
	return human_tell(agent, RONDO_EVENT_NOTICE,
		arena_printf(arena, "nobody answered '%s' within %s: the answer is '%s', its default",
			agent->name, time, *ret_answer),
		ctx, err);
}

int human_ask(const struct agent *agent, const struct human *human, const char *question,
	struct arena *arena, const char **ret_answer, const struct context *ctx,
	struct rondo_error *err)
{
	if (!ctx->ask.call && !human->default_answer)
		return error_set(err, RONDO_ERROR_USAGE, "it asks a human, and there is none to be asked");
	if (!ctx->ask.call) {
		*ret_answer = human->default_answer;
		return 0;
	}
	if (human_tell(agent, RONDO_EVENT_QUESTION, question, ctx, err) < 0)
		return -1;
	const char *answer =
		ctx->ask.call(ctx->ask.owner, question, human_deadline(human, ctx), arena, err);
	if (answer) {
		*ret_answer = answer;
		return 0;
	}
	if (cancel_reason(ctx->cancel))
		return cancel_error(ctx->cancel, err);
	if (err->code != RONDO_ERROR_NONE && (err->code != RONDO_ERROR_TRANSIENT || !human->timeout_ms))
		return -1;
	return human_take_default(agent, human, arena, ret_answer, ctx, err);
}

const char *human_end_question(const struct rondo_message *message, struct arena *arena)
{
	return arena_printf(arena,
		"Please give feedback to %s. Press enter or type 'exit' to stop the conversation: ",
		message->source);
}

void human_say(const struct human *human, const char *answer, const struct rondo_message *end,
	struct arena *arena, struct response *response)
{
	if (strcmp(answer, "exit") == 0)
		response->message = message_end_of_chat("User requested to end the conversation", false);
	else if (!*answer && end)
		response->message =
			message_end_of_chat(arena_printf(arena, "'%s' said %s, and the user had nothing to add",
									end->source, human->terminate_on),
				true);
	else if (*answer)
		response->message = (struct rondo_message){.type = RONDO_MESSAGE_TEXT, .content = answer};
	else
		response->pass = true;
}
