/* rondo show --timeline: what a run did, when, for how long, and a bar of that. */
#include <stdio.h>

#include "base/utf8.h"
#include "cli/cli.h"
#include "cli/show.h"
#include "run/run.h"

enum {
	BAR_COLUMNS = 30,
	TIME_COLUMNS = 10, /* "1 h 25 min" */
	INDENT = 2 * TIME_COLUMNS + BAR_COLUMNS + 6,
};

/* The column of a bar at a time, of BAR_COLUMNS. */
static size_t bar_column(int64_t at_ms, int64_t all_ms)
{
	return all_ms > 0 ? (size_t)(at_ms * BAR_COLUMNS / all_ms) : 0;
}

/* "      ####      ", at least one column of it. */
static const char *bar_text(struct screen *screen, const struct run_span *span, int64_t all_ms)
{
	char bar[BAR_COLUMNS + 1];
	size_t from = bar_column(span->from_ms, all_ms);
	size_t to = bar_column(span->from_ms + span->ms, all_ms);
	from = from < BAR_COLUMNS ? from : BAR_COLUMNS - 1;
	to = to > from ? to : from + 1;
	for (size_t i = 0; i < BAR_COLUMNS; i++)
		bar[i] = i < from || i >= to ? ' ' : span->depth ? '=' : '#';
	bar[BAR_COLUMNS] = '\0';
	return arena_strdup(&screen->arena, bar);
}

/* For a person, as long as the window is wide; else whole. */
static void timeline_show_span(struct screen *screen, const struct run_span *span, int64_t all_ms)
{
	const char *what = arena_printf(&screen->arena, "%*s%s%s", 2 * (int)span->depth, "",
		screen_visible(screen, span->what), span->is_open ? " (did not end)" : "");
	size_t room = screen_room(screen, INDENT), n = utf8_fitting(what, room);
	bool is_cut = screen->is_read && what[n];
	if (is_cut)
		what = arena_printf(&screen->arena, "%.*s...", (int)utf8_fitting(what, room - 3), what);
	printf("%*s %*s  %s  %s\n", TIME_COLUMNS, screen_time(screen, span->from_ms), TIME_COLUMNS,
		screen_time(screen, span->ms),
		screen_styled(screen, span->depth ? "2" : "36", bar_text(screen, span, all_ms)), what);
}

int show_timeline(const char *dir, struct arena *arena, struct rondo_error *err)
{
	AUTO_SCREEN screen;
	struct run_span *spans;
	size_t n;
	int64_t all_ms;
	screen_init(&screen);
	if (run_timeline(dir, arena, &spans, &n, &all_ms, err) < 0)
		return -1;
	printf("%*s %*s\n", TIME_COLUMNS, "start", TIME_COLUMNS, "length");
	for (size_t i = 0; i < n; i++) {
		timeline_show_span(&screen, &spans[i], all_ms);
		screen_release(&screen);
	}
	return 0;
}
