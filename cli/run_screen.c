#include "cli/run_screen.h"

#include <stdio.h>
#include <string.h>

#include "base/clock.h"
#include "base/json/json.h"
#include "base/utf8.h"

enum { STYLES = 3 };
const char *const run_screen_styles[STYLES + 1] = {"rondo", "ag2", "autogen", NULL};

void run_screen_init(struct run_screen *view, const char *style)
{
	*view = (struct run_screen){0};
	while (style && strcmp(run_screen_styles[view->style], style) != 0)
		view->style++;
	screen_init(&view->screen);
	live_init(&view->live, &view->screen);
}

void run_screen_release(struct run_screen *view)
{
	live_release(&view->live);
	arena_release(&view->ag2.arena);
	arena_release(&view->held_arena);
	arena_release(&view->attempts_arena);
	screen_release(&view->screen);
}

/* "coder"; in a team that takes part itself, "inner/coder"; of several attempts, "2: coder". */
static const char *run_show_speaker(struct screen *screen, const struct rondo_event *event)
{
	const char *source = event->message ? event->message->source : event->source;
	if (!source)
		source = event->team ? event->team : "";
	else if (event->team)
		source = arena_printf(&screen->arena, "%s/%s", event->team, source);
	return event->attempt && *source
		? arena_printf(&screen->arena, "%d: %s", event->attempt, source)
		: source;
}

const char *run_screen_content(struct run_screen *view, const struct rondo_message *message)
{
	const char *end = strstr(message->content, "\n\n");
	if (view->reports || message->type != RONDO_MESSAGE_TEST_REPORT || !end)
		return message->content;
	return arena_strndup(&view->screen.arena, message->content, (size_t)(end - message->content));
}

#define RULE "----------"

/* The whole of what was said, under who said it; what is changed in it in the colours of a diff. A
 * line in it that looks as if somebody else spoke stands one column further in: programs print what
 * they like. */
static void run_show_in_full(struct screen *screen, const char *name, const char *text)
{
	bool diff = false;
	screen_live_end(screen);
	printf(RULE " %s " RULE "\n", screen_speaker(screen, name));
	for (size_t n; n = strcspn(text, "\n"), *text; text += n + (text[n] == '\n')) {
		const char *line = arena_strndup(&screen->arena, text, n);
		if (text_starts_with(line, "```"))
			diff = strcmp(line, "```diff") == 0 || strcmp(line, "```patch") == 0;
		printf("%s%s\n", text_starts_with(line, RULE) ? " " : "",
			diff ? screen_diff_line(screen, line) : screen_visible(screen, line));
	}
	putchar('\n');
}

#define NAME_COLUMNS 10
#define NUMBERED_COLUMNS 13 /* with the number of an attempt before it */

/* Beside who said it. */
static void run_show_folded(struct screen *screen, const char *name, const char *text, int columns)
{
	int pad = columns - (int)strlen(name);
	screen_live_end(screen);
	name = screen_styled(screen, "1", name);
	text = screen_visible(screen, text);
	while (*text) {
		size_t n = screen_fold(screen, text, (size_t)columns + 1);
		printf("%s%*s %.*s\n", name, pad > 0 ? pad : 0, "", (int)n, text);
		text += n + (text[n] == '\n' || text[n] == ' ');
		name = "";
		pad = columns;
	}
}

static void run_forget_held(struct run_screen *view)
{
	arena_release(&view->held_arena);
	view->held = NULL;
	view->n_held = 0;
	view->is_taken_back = false;
}

void run_screen_flush(struct run_screen *view)
{
	if (view->n_held && !view->in_chat)
		screen_blank(&view->screen);
	view->in_chat |= view->n_held > 0;
	for (size_t i = 0; i < view->n_held; i++)
		run_show_folded(&view->screen, view->held[i].name, view->held[i].text, NAME_COLUMNS);
	run_forget_held(view);
}

static void run_hold(struct run_screen *view, const char *name, const char *text)
{
	struct arena *arena = &view->held_arena;
	struct run_screen_held line = {arena_strdup(arena, name), arena_strdup(arena, text)};
	ARENA_PUSH(arena, view->held, view->n_held, line);
	live_do(&view->live, name, text);
}

static bool run_message_says(const struct rondo_message *message, const char *key)
{
	struct rondo_error err;
	const char *text = message->data ? message->data : "{}";
	AUTO_JSON *data = json_parse(text, strlen(text), &err);
	return json_bool(data, key, false);
}

/* Whether a message decides about the searcher's try: all pass, or it gave up. */
static bool run_ends_try(const struct run_screen *view, const struct rondo_message *message)
{
	if (message->type == RONDO_MESSAGE_TEST_REPORT)
		return run_message_says(message, "ok");
	return !view->n_held || message->type == RONDO_MESSAGE_STOP;
}

static bool run_takes_back(const struct rondo_message *message)
{
	return message->type == RONDO_MESSAGE_EDIT && run_message_says(message, "undo");
}

static void run_show_apart(struct run_screen *view, const char *name, const char *text)
{
	if (!view->in_chat)
		screen_blank(&view->screen);
	view->in_chat = true;
	run_show_folded(&view->screen, name, text, NUMBERED_COLUMNS);
}

static void run_show_message(struct run_screen *view, const struct rondo_event *event)
{
	struct screen *screen = &view->screen;
	const char *name = run_show_speaker(screen, event);
	const char *text = run_screen_content(view, event->message);
	if (view->transcript) {
		run_show_in_full(screen, name, text);
		return;
	}
	if (strcmp(event->message->source, "user") == 0)
		return;
	if (event->attempt) { /* another one may speak next */
		run_show_apart(view, name, text);
		return;
	}
	bool ends = run_ends_try(view, event->message);
	view->is_taken_back |= run_takes_back(event->message);
	run_hold(view, name, text);
	if (ends)
		run_screen_flush(view);
}

/* Lines of a text, indented, up to so many; then how many more there are. */
static void run_show_prompt(struct screen *screen, const char *text, size_t most)
{
	size_t shown = 0;
	for (size_t n; shown < most && (n = strcspn(text, "\n"), *text); shown++) {
		const char *line = arena_strndup(&screen->arena, text, n);
		screen_line(screen, GLYPH_NONE, SCREEN_DIM "    %s", screen_visible(screen, line));
		text += n + (text[n] == '\n');
	}
	size_t more = text_count_lines(text, strlen(text));
	if (more)
		screen_line(screen, GLYPH_NONE, SCREEN_DIM "    [%zu more line%s: rondo show --prompts]",
			more, text_plural(more));
}

/* What only a model was sent. */
static void run_show_request(struct run_screen *view, const struct rondo_event *event)
{
	struct rondo_error ignored;
	struct screen *screen = &view->screen;
	AUTO_JSON *data =
		view->prompt_lines ? json_parse(event->data, strlen(event->data), &ignored) : NULL;
	for (const struct json *own = json_first(json_get(data, "own")); own; own = json_next(own)) {
		screen_line(screen, GLYPH_NEUTRAL,
			"to model %s, beside the chat:", screen_visible(screen, event->source));
		run_show_prompt(screen, json_text(own, ""), view->prompt_lines);
		screen_blank(screen);
	}
}

/* What was tried before the searcher said anything. */
static void run_show_search(struct run_screen *view, const struct rondo_event *event)
{
	struct rondo_message message = {.source = event->source, .content = event->text};
	struct rondo_event said = *event;
	said.message = &message;
	if (view->transcript || event->attempt) {
		run_show_message(view, &said);
		return;
	}
	if (view->is_taken_back)
		run_forget_held(view);
	run_screen_flush(view);
	run_hold(view, run_show_speaker(&view->screen, &said), event->text);
}

/* "2: " of several attempts. */
static const char *run_show_number(struct run_screen *view, const struct rondo_event *event)
{
	return event->attempt ? arena_printf(&view->screen.arena, "%d: ", event->attempt) : "";
}

static void run_show_notice(struct run_screen *view, const struct rondo_event *event)
{
	run_screen_flush(view);
	screen_line(&view->screen, GLYPH_LOOK, "%s%s", run_show_number(view, event), event->text);
}

static void run_show_resume(struct run_screen *view, const struct rondo_event *event)
{
	screen_line(&view->screen, GLYPH_NEUTRAL, "resumed     %s%s", run_show_number(view, event),
		event->text);
}

typedef void run_screen_show(struct run_screen *, const struct rondo_event *);

/* What is shown of each event, by style in the order of their names. Whoever asks shows the
 * question. */
static run_screen_show *const shows[RONDO_EVENT_ATTEMPT + 1][STYLES] = {
	[RONDO_EVENT_RUN_START] = {NULL, ag2_show_start, NULL},
	[RONDO_EVENT_BASE] = {site_show, ag2_show_site, NULL},
	[RONDO_EVENT_BASELINE] = {site_show_baseline, NULL, NULL},
	[RONDO_EVENT_NOTICE] = {run_show_notice, run_show_notice, run_show_notice},
	[RONDO_EVENT_MODEL_REQUEST] = {run_show_request, NULL, NULL},
	[RONDO_EVENT_MESSAGE] = {run_show_message, ag2_show_message, autogen_show_message},
	[RONDO_EVENT_SEARCH] = {run_show_search, NULL, NULL},
	[RONDO_EVENT_RESUME] = {run_show_resume, run_show_resume, run_show_resume},
	[RONDO_EVENT_STOP] = {NULL, ag2_show_stop, NULL},
	[RONDO_EVENT_RUN_END] = {NULL, ag2_show_stop, NULL},
	[RONDO_EVENT_ATTEMPT] = {attempts_screen_show_end, attempts_screen_show_end,
		attempts_screen_show_end},
};

static void run_follow_chunk(struct run_screen *view, const struct rondo_event *event)
{
	struct rondo_error ignored;
	AUTO_JSON *data = json_parse(event->data, strlen(event->data), &ignored);
	live_hear(&view->live, run_show_speaker(&view->screen, event), event->text,
		json_int(data, "at", 0) == 0);
}

static void run_follow_work(struct run_screen *view, const struct rondo_event *event)
{
	struct rondo_error ignored;
	const char *text = event->text ? event->text : "", *data = event->data ? event->data : "{}";
	AUTO_JSON *part = json_parse(data, strlen(data), &ignored);
	live_do_part(&view->live, run_show_speaker(&view->screen, event), text,
		json_int(part, "done", 0), json_int(part, "total", 0));
}

/* How long the chat may take. */
static void run_follow_start(struct run_screen *view, const struct rondo_event *event)
{
	struct rondo_error ignored;
	struct live *live = &view->live;
	AUTO_JSON *data = json_parse(event->data, strlen(event->data), &ignored);
	int64_t time_ms = json_int(data, "time_ms", 0);
	live->ends_at_ms = time_ms ? live->started_at_ms + time_ms : 0;
}

/* The limit of time ends the chat; what comes then is judged. */
static void run_follow_stop(struct run_screen *view, const struct rondo_event *event)
{
	live_done(&view->live);
	if (!event->team)
		view->live.ends_at_ms = 0;
}

static void run_follow_end(struct run_screen *view, const struct rondo_event *event)
{
	(void)event;
	live_done(&view->live);
}

/* What events mean for what is done now, in each style. */
static run_screen_show *const follows[RONDO_EVENT_ATTEMPT + 1] = {
	[RONDO_EVENT_RUN_START] = run_follow_start,
	[RONDO_EVENT_TURN_START] = run_follow_work,
	[RONDO_EVENT_PROGRESS] = run_follow_work,
	[RONDO_EVENT_CHUNK] = run_follow_chunk,
	[RONDO_EVENT_MESSAGE] = run_follow_end,
	[RONDO_EVENT_TURN_END] = run_follow_end,
	[RONDO_EVENT_STOP] = run_follow_stop,
	[RONDO_EVENT_RUN_END] = run_follow_end,
};

void run_screen_emit(void *owner, const struct rondo_event *event)
{
	struct run_screen *view = owner;
	run_screen_show *show = shows[event->type][view->style], *follow = follows[event->type];
	pthread_mutex_lock(&view->live.lock); /* workers emit at the same time */
	const char *phase = event->attempt ? NULL : run_stage(event);
	if (phase && event->type == RONDO_EVENT_TURN_START && view->transcript)
		phase = "chat"; /* a team of somebody's own need not fix anything */
	if (phase)
		live_enter(&view->live, phase);
	if (event->attempt && (follow || event->type == RONDO_EVENT_ATTEMPT))
		attempts_screen_follow(view, event);
	else if (follow)
		follow(view, event);
	if (show && !run_tells_again(event))
		show(view, event);
	screen_release(&view->screen);
	pthread_mutex_unlock(&view->live.lock);
}
