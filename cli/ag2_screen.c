/*
 * A chat as AG2's console prints it, for eyes and scripts that are used to that. AG2 knows no user
 * beside a pair of agents: there the one who does not begin has sent the task. Its notices stand
 * before the message that they lead to, so a participant that passes leaves no trace. AG2 often
 * ends without a word; here it is always said why.
 */
#include <stdio.h>
#include <string.h>

#include "base/utf8.h"
#include "cli/run_screen.h"

#define RED "31"
#define GREEN "32"
#define YELLOW "33"
#define DASHES "--------------------------------------------------------------------------------"

/* An empty line that goes before text in colour is within the colour, as AG2 has it. */
#define SHOW(screen, colour, ...) \
	puts(screen_styled(screen, colour, arena_printf(&(screen)->arena, "\n" __VA_ARGS__)))
#define NOTICE(screen, ...) SHOW(screen, RED, ">>>>>>>> " __VA_ARGS__)

/* --- Who speaks to whom --- */

void ag2_show_start(struct run_screen *view, const struct rondo_event *event)
{
	view->ag2.run = arena_strdup(&view->ag2.arena, event->text);
}

void ag2_show_site(struct run_screen *view, const struct rondo_event *event)
{
	struct ag2_transcript *ag2 = &view->ag2;
	const struct site_facts *site = event->value;
	for (size_t i = 0; i < site->n_participants; i++) {
		const char *mode = site->participants[i].human_input_mode;
		struct ag2_participant participant = {
			.name = arena_strdup(&ag2->arena, site->participants[i].name),
			.asks = mode && strcasecmp(mode, "NEVER") != 0,
			.always_asks = mode && strcasecmp(mode, "ALWAYS") == 0,
		};
		ARENA_PUSH(&ag2->arena, ag2->participants, ag2->n, participant);
	}
}

static const struct ag2_participant *ag2_find(const struct ag2_transcript *ag2, const char *name)
{
	for (size_t i = 0; i < ag2->n; i++)
		if (strcmp(ag2->participants[i].name, name) == 0)
			return &ag2->participants[i];
	return NULL;
}

static bool ag2_is_user(const char *name)
{
	return strcmp(name, "user") == 0;
}

/* More than two speak by way of a manager, and so do those within a team that is itself a
 * participant. */
static bool ag2_has_manager(const struct ag2_transcript *ag2, const struct rondo_event *event)
{
	return event->team || ag2->n == 0 || ag2->n > 2;
}

static const char *ag2_sender(const struct ag2_transcript *ag2, const struct rondo_event *event)
{
	const char *source = event->message->source;
	bool is_pair = ag2->n == 2 && !ag2_has_manager(ag2, event);
	return ag2_is_user(source) && is_pair ? ag2->participants[1].name : source;
}

static const char *ag2_recipient(const struct ag2_transcript *ag2, const struct rondo_event *event)
{
	if (ag2_has_manager(ag2, event))
		return "chat_manager";
	const char *sender = ag2_sender(ag2, event);
	if (strcmp(sender, ag2->participants[0].name) != 0)
		return ag2->participants[0].name;
	return ag2->n == 2 ? ag2->participants[1].name : "user";
}

/* --- What is said --- */

/* What led to a message. Whoever asks a human and says something in words has it from there. */
static void ag2_show_lead(
	struct screen *screen, const struct ag2_transcript *ag2, const struct rondo_event *event)
{
	const struct rondo_message *message = event->message;
	const struct ag2_participant *speaker = ag2_find(ag2, message->source);
	bool executes = message->type == RONDO_MESSAGE_CODE_EXECUTION;
	if (ag2_is_user(message->source))
		return;
	if (ag2_has_manager(ag2, event))
		SHOW(screen, GREEN, "Next speaker: %s\n", message->source);
	if (speaker && speaker->asks && !executes)
		return;
	if (speaker && speaker->always_asks)
		NOTICE(screen, "NO HUMAN INPUT RECEIVED.");
	NOTICE(screen, "USING AUTO REPLY...");
	if (executes && ag2->n_blocks == 1)
		NOTICE(screen, "EXECUTING CODE BLOCK (inferred language is %s)...", ag2->languages);
	else if (executes && ag2->n_blocks)
		NOTICE(screen, "EXECUTING %zu CODE BLOCKS (inferred languages are [%s])...", ag2->n_blocks,
			ag2->languages);
}

/* The newest code is what an executor runs; where an edit came after it, that is what is carried
 * out. */
static void ag2_remember_code(struct ag2_transcript *ag2, const struct rondo_message *message)
{
	AUTO_ARENA arena = ARENA_INIT;
	AUTO_STRBUF list = STRBUF_INIT(STRBUF_LINE);
	size_t n = 0;
	if (message->type == RONDO_MESSAGE_EDIT)
		ag2->n_blocks = 0;
	if (message->type != RONDO_MESSAGE_TEXT || ag2_is_user(message->source))
		return;
	const char **languages = run_code_languages(message->content, &arena, &n);
	strbuf_add_list(&list, languages, n);
	if (!n)
		return;
	utf8_format(ag2->languages, sizeof ag2->languages, "%s", list.text);
	ag2->n_blocks = n;
}

void ag2_show_message(struct run_screen *view, const struct rondo_event *event)
{
	struct screen *screen = &view->screen;
	struct ag2_transcript *ag2 = &view->ag2;
	screen_live_end(screen);
	ag2_show_lead(screen, ag2, event);
	printf("%s (to %s):\n\n%s\n\n" DASHES "\n",
		screen_styled(screen, YELLOW, ag2_sender(ag2, event)),
		screen_visible(screen, ag2_recipient(ag2, event)),
		screen_visible(screen, run_screen_content(view, event->message)));
	view->in_chat = true;
	ag2_remember_code(ag2, event->message);
}

void ag2_show_stop(struct run_screen *view, const struct rondo_event *event)
{
	struct ag2_transcript *ag2 = &view->ag2;
	if (event->team || ag2->has_stopped || !view->in_chat)
		return;
	ag2->has_stopped = true;
	screen_live_end(&view->screen);
	NOTICE(&view->screen, "TERMINATING RUN (%s): %s", ag2->run ? ag2->run : "?", event->text);
}
