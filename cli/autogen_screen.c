/*
 * A chat as the Console of AutoGen prints it, for eyes and scripts that are used to that: each
 * message under its class and who said it. Why it ended stands in the block that follows.
 */
#include <stdio.h>

#include "cli/run_screen.h"

/* What an execution without an error begins with, which AutoGen tells of failures only. */
#define SUCCESS "exitcode: 0 (execution succeeded)\nCode output: "

static const char *autogen_class(const struct rondo_message *message)
{
	if (message->type == RONDO_MESSAGE_STOP)
		return "StopMessage";
	return message->type == RONDO_MESSAGE_HANDOFF ? "HandoffMessage" : "TextMessage";
}

void autogen_show_message(struct run_screen *view, const struct rondo_event *event)
{
	struct screen *screen = &view->screen;
	const struct rondo_message *message = event->message;
	const char *text = run_screen_content(view, message);
	if (text_starts_with(text, SUCCESS))
		text += strlen(SUCCESS);
	screen_live_end(screen);
	printf("---------- %s (%s) ----------\n%s\n", autogen_class(message),
		screen_visible(screen, message->source), screen_visible(screen, text));
	view->in_chat = true;
}
