/* Several attempts on the screen: what each does now, how one ended, and the table at the end. */
#include <inttypes.h>
#include <string.h>

#include "cli/run_screen.h"

/* "attempts   12.4 s   1: coder  2: tester  3: verified": one line for all of them. */
void attempts_screen_follow(struct run_screen *view, const struct rondo_event *event)
{
	AUTO_STRBUF line = STRBUF_INIT(STRBUF_LINE);
	struct arena *arena = &view->attempts_arena;
	const char *source = event->message ? event->message->source : event->source;
	size_t i = (size_t)event->attempt - 1;
	const struct run_attempt *row = event->type == RONDO_EVENT_ATTEMPT ? event->value : NULL;
	while (view->n_attempts <= i)
		ARENA_PUSH(arena, view->attempts, view->n_attempts, "");
	const char *doing = row ? row->outcome : source ? source : "";
	if (strcmp(view->attempts[i], doing) != 0)
		view->attempts[i] = arena_strdup(arena, doing);
	for (i = 0; i < view->n_attempts; i++)
		if (*view->attempts[i])
			strbuf_addf(&line, "%s%zu: %s", line.length ? "  " : "", i + 1, view->attempts[i]);
	live_do(&view->live, "attempts", line.text);
}

static enum screen_glyph attempts_glyph(const struct run_attempt *row)
{
	return row && strcmp(row->outcome, run_outcome_word(RUN_VERIFIED)) == 0 ? GLYPH_DONE
																			: GLYPH_NEUTRAL;
}

void attempts_screen_show_end(struct run_screen *view, const struct rondo_event *event)
{
	struct screen *screen = &view->screen;
	const struct run_attempt *row = event->value;
	run_screen_flush(view);
	screen_line(screen, attempts_glyph(row), "attempt %d   %s", event->attempt, event->text);
}

/* How it differed from the others, and what became of it. */
static const char *attempts_remark(struct screen *screen, const struct run_attempt *row)
{
	struct arena *arena = &screen->arena;
	const char *alike = row->n_alike > 1 ? arena_printf(arena, "  %zu alike", row->n_alike) : "";
	const char *seed = row->seed ? arena_printf(arena, "  seed %" PRId64, row->seed) : "";
	return arena_printf(arena, "%-7s%s%s%s%s%s", row->temperature ? row->temperature : "-", seed,
		alike, row->branch ? "  " : "", row->branch ? row->branch : "",
		row->is_chosen ? "  chosen" : "");
}

void attempts_screen_result(struct screen *screen, const struct run_report *report)
{
	if (!report->n_attempts)
		return;
	screen_line(screen, GLYPH_NONE, " attempts %3s  %-16s %5s %5s %5s %7s %8s %8s  %s", "",
		"outcome", "fixed", "lines", "turns", "tokens", "USD", "time", "temp");
	for (size_t i = 0; i < report->n_attempts; i++) {
		const struct run_attempt *row = &report->attempts[i];
		screen_line(screen, GLYPH_NONE,
			"          %3zu  %-16s %5zu %5zu %5" PRId64 " %7" PRId64 " %8s %8s  %s", row->number,
			row->outcome, row->n_fixed, row->n_lines, row->turns, row->tokens,
			run_cost_text(row->cost_usd, &screen->arena), screen_time(screen, row->duration_ms),
			attempts_remark(screen, row));
	}
}
