#include "cli/run_screen.h"

#include <stdio.h>
#include <string.h>

#include "base/clock.h"
#include "base/memory.h"

#define SHOWN_TESTS 5
#define SHORT_HASH 7

const char *const run_screen_styles[] = {"rondo", "ag2", NULL};

void run_screen_init(struct run_screen *view, const char *style)
{
	*view = (struct run_screen){.started_at_ms = clock_now_ms()};
	view->is_ag2 = style && strcmp(style, "ag2") == 0;
	screen_init(&view->screen);
}

void run_screen_release(struct run_screen *view)
{
	arena_release(&view->ag2.arena);
}

/* Cut in the middle, never at the end that tells tests apart. */
static const char *middle_cut(struct arena *arena, const char *text, size_t most)
{
	size_t n = strlen(text), head = most / 3;
	if (n <= most)
		return text;
	while (head && ((unsigned char)text[head] & 0xc0) == 0x80)
		head--;
	const char *tail = text + n - (most - head - 3);
	while (((unsigned char)*tail & 0xc0) == 0x80)
		tail++;
	return arena_printf(arena, "%.*s...%s", (int)head, text, tail);
}

static const char *work_state(const struct site_facts *site, struct arena *arena)
{
	AUTO_STRBUF text = STRBUF_INIT(256);
	if (!site->is_snapshot)
		return ", clean";
	if (site->n_modified)
		strbuf_addf(&text, ", %zu modified", site->n_modified);
	if (site->n_untracked)
		strbuf_addf(&text, ", %zu untracked", site->n_untracked);
	if (site->n_deleted)
		strbuf_addf(&text, ", %zu deleted", site->n_deleted);
	return arena_printf(arena, "%s: taken as a snapshot", text.text);
}

static void show_suite(struct run_screen *view, const struct site_facts *site, struct arena *arena)
{
	AUTO_STRBUF also = STRBUF_INIT(STRBUF_LINE);
	for (size_t i = 0; i < site->also.n; i++)
		strbuf_addf(&also, "%s%s", also.length ? ", " : "; also found: ", site->also.items[i]);
	screen_line(&view->screen, GLYPH_NEUTRAL, "tests       %-18s  %s",
		middle_cut(arena, screen_visible(arena, site->command), 48),
		screen_dim(&view->screen, arena, arena_printf(arena, "%s%s", site->origin, also.text)));
}

static const char *describe_executor(const struct site_facts *site, struct arena *arena)
{
	if (strcmp(site->executor, "local") == 0)
		return "local: no sandbox, as you wished";
	bool network = site->network && strcmp(site->network, "none") != 0;
	const char *name = strcmp(site->executor, "sandbox") == 0 ? "sandbox bubblewrap" : screen_visible(arena, site->executor);
	return arena_printf(arena, "%s, %s", name, network ? "with this machine's network" : "no network");
}

static void show_site(struct run_screen *view, const struct rondo_event *event, struct arena *arena)
{
	const struct site_facts *site = event->value;
	const char *name = screen_visible(arena, site->name ? site->name : "?");
	if (site->has_repository)
		screen_line(&view->screen, GLYPH_NEUTRAL, "repository  %s (%s %.*s%s)", name,
			site->branch ? arena_printf(arena, "%s at", screen_visible(arena, site->branch)) : "detached at",
			SHORT_HASH, site->head, work_state(site, arena));
	else
		screen_line(&view->screen, GLYPH_NEUTRAL, "%s%s", site->command ? "program     " : "scenario    ", name);
	if (site->command)
		show_suite(view, site, arena);
	view->transcript = view->transcript || !site->coder; /* a team of somebody's own is shown in full */
	if (!site->executor)
		return;
	const char *what = describe_executor(site, arena);
	if (site->coder)
		screen_line(&view->screen, GLYPH_NEUTRAL, "coder       %s  %s", site->coder, what);
	else
		screen_line(&view->screen, GLYPH_NEUTRAL, "executor    %s", what);
}

/* Its id, and beside it as much of why it failed as a third of the line holds. */
static void show_test(struct run_screen *view, const char *id, const char *message, struct arena *arena)
{
	size_t room = screen_room(&view->screen, 18), n = strlen(message);
	size_t message_room = n < room / 3 ? n : room / 3;
	const char *end = n > message_room ? "..." : "";
	screen_line(&view->screen, GLYPH_NONE, "            %s    %.*s%s",
		middle_cut(arena, id, room - message_room),
		(int)screen_fitting(message, message_room - strlen(end)), message, end);
}

static void show_baseline(struct run_screen *view, const struct rondo_event *event, struct arena *arena)
{
	const struct baseline_facts *baseline = event->value;
	char time[CLOCK_DATE_SIZE];
	size_t n = baseline->n_goal, n_flaky = baseline->flaky.n, shown = n < SHOWN_TESTS ? n : SHOWN_TESTS;
	clock_format_duration(baseline->duration_ms, time);
	screen_line(&view->screen, n ? GLYPH_FAILED : GLYPH_DONE, "baseline    %s      %s", event->text,
		screen_dim(&view->screen, arena, time));
	for (size_t i = 0; i < shown; i++)
		show_test(view, screen_visible(arena, baseline->goal[i].id),
			screen_visible(arena, baseline->goal[i].message ? baseline->goal[i].message : ""), arena);
	if (n > shown)
		screen_line(&view->screen, GLYPH_NONE, "            and %zu more", n - shown);
	if (n_flaky)
		screen_line(&view->screen, GLYPH_LOOK, "flaky       %zu test%s differ from run to run: counted neither way",
			n_flaky, n_flaky == 1 ? "" : "s");
}

/* "coder"; in a team that takes part itself, "inner/coder". */
static const char *speaker(const struct rondo_event *event, struct arena *arena)
{
	const char *source = event->message ? event->message->source : event->source;
	if (!event->team)
		return source ? source : "";
	return source ? arena_printf(arena, "%s/%s", event->team, source) : event->team;
}

const char *run_screen_content(const struct run_screen *view, const struct rondo_message *message, struct arena *arena)
{
	const char *end = strstr(message->content, "\n\n");
	if (view->reports || message->type != RONDO_MESSAGE_TEST_REPORT || !end)
		return message->content;
	return arena_strndup(arena, message->content, (size_t)(end - message->content));
}

#define RULE "----------"

/* The whole of what was said, under who said it; what is changed in it in the colours of a diff. A line in it that looks as if
 * somebody else spoke stands one column further in: programs print what they like. */
static void show_in_full(struct run_screen *view, const char *name, const struct rondo_message *message, struct arena *arena)
{
	bool diff = false;
	screen_live_end(&view->screen);
	printf(RULE " %s " RULE "\n", screen_speaker(&view->screen, arena, name));
	for (const char *at = run_screen_content(view, message, arena); *at; at += strcspn(at, "\n"), at += *at == '\n') {
		const char *line = arena_strndup(arena, at, strcspn(at, "\n"));
		if (strncmp(line, "```", 3) == 0)
			diff = strcmp(line, "```diff") == 0 || strcmp(line, "```patch") == 0;
		printf("%s%s\n", text_starts_with(line, RULE) ? " " : "",
			diff ? screen_diff_line(&view->screen, arena, line) : screen_visible(arena, line));
	}
	putchar('\n');
}

static void show_message(struct run_screen *view, const struct rondo_event *event, struct arena *arena)
{
	const struct rondo_message *message = event->message;
	const char *who = speaker(event, arena);
	if (view->transcript) {
		show_in_full(view, who, message, arena);
		return;
	}
	if (strcmp(message->source, "user") == 0)
		return;
	if (!view->in_chat)
		screen_line(&view->screen, GLYPH_NONE, "%s", "");
	view->in_chat = true;
	const char *name = screen_bold(&view->screen, arena, who);
	int pad = (int)strlen(who) < 10 ? 10 - (int)strlen(who) : 0;
	const char *text = screen_visible(arena, run_screen_content(view, message, arena));
	for (size_t n; *text; text += n + (text[n] == '\n' || text[n] == ' ')) {
		n = screen_fold(&view->screen, text, 11);
		screen_live_end(&view->screen);
		printf("%s%*s %.*s\n", name, pad, "", (int)n, text);
		name = "";
		pad = 10;
	}
}

/* What was tried before the searcher said anything. */
static void show_search(
	struct run_screen *view, const struct rondo_event *event, struct arena *arena)
{
	struct rondo_message message = {.source = event->source, .content = event->text};
	struct rondo_event said = *event;
	said.message = &message;
	show_message(view, &said, arena);
}

static void show_progress(
	struct run_screen *view, const struct rondo_event *event, struct arena *arena)
{
	char time[CLOCK_DATE_SIZE];
	clock_format_duration(clock_now_ms() - view->started_at_ms, time);
	screen_live(&view->screen,
		arena_printf(arena, "%-10s %s   %s", speaker(event, arena), time, event->text));
}

static void show_notice(
	struct run_screen *view, const struct rondo_event *event, struct arena *arena)
{
	screen_line(&view->screen, GLYPH_LOOK, "%s", screen_visible(arena, event->text));
}

static void show_resume(
	struct run_screen *view, const struct rondo_event *event, struct arena *arena)
{
	(void)arena;
	screen_line(&view->screen, GLYPH_NEUTRAL, "resumed     %s", event->text);
}

typedef void run_screen_show(struct run_screen *, const struct rondo_event *, struct arena *);

/* What is shown of each event, in rondo's form and in AG2's. Whoever asks shows the question. */
static const struct {
	run_screen_show *rondo, *ag2;
} shows[RONDO_EVENT_RESUME + 1] = {
	[RONDO_EVENT_RUN_START] = {NULL, ag2_show_start},
	[RONDO_EVENT_BASE] = {show_site, ag2_show_site},
	[RONDO_EVENT_BASELINE] = {show_baseline, NULL},
	[RONDO_EVENT_NOTICE] = {show_notice, show_notice},
	[RONDO_EVENT_MESSAGE] = {show_message, ag2_show_message},
	[RONDO_EVENT_SEARCH] = {show_search, NULL},
	[RONDO_EVENT_PROGRESS] = {show_progress, show_progress},
	[RONDO_EVENT_RESUME] = {show_resume, show_resume},
	[RONDO_EVENT_STOP] = {NULL, ag2_show_stop},
	[RONDO_EVENT_RUN_END] = {NULL, ag2_show_stop},
};

void run_screen_emit(void *owner, const struct rondo_event *event)
{
	struct run_screen *view = owner;
	run_screen_show *show = view->is_ag2 ? shows[event->type].ag2 : shows[event->type].rondo;
	AUTO_ARENA arena = ARENA_INIT;
	if (show && !run_tells_again(event))
		show(view, event, &arena);
}
