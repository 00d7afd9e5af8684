/* The last block of rondo verify: what came of somebody's change. */
#include <string.h>

#include "cli/run_screen.h"

enum { STAT_LINES = 12 };

static void verify_head(struct screen *screen, const struct run_report *report)
{
	const struct verdict_facts *verdict = report->verdict;
	const char *time = screen_time(screen, report->duration_ms);
	const char *reason = report->reason ? report->reason : "";
	if (report->outcome == RUN_VERIFIED && verdict->has_counts)
		screen_line(screen, GLYPH_DONE, "verified: %s   %zu of %zu passed (was %zu), %s in all",
			reason, verdict->n_passed, verdict->n_tests, report->baseline->n_passed, time);
	else if (report->outcome == RUN_VERIFIED)
		screen_line(screen, GLYPH_DONE, "verified: %s   %s in all", reason, time);
	else if (report->outcome == RUN_VERIFIED_IN_PART)
		screen_line(screen, GLYPH_LOOK, "verified in part: %s   %s in all", reason, time);
	else if (report->outcome == RUN_REFUSED)
		screen_line(screen, GLYPH_FAILED, "refused: %s", reason);
	else if (report->outcome == RUN_NOT_VERIFIED)
		screen_line(screen, GLYPH_FAILED, "not verified: %s   %s in all", reason, time);
	else
		screen_line(screen, GLYPH_LOOK, "cannot judge: %s", reason);
}

/* Not the whole of a large change. */
static void verify_show_stat(struct screen *screen, const char *stat)
{
	size_t n = strlen(stat), shown = (size_t)(text_line(stat, n, STAT_LINES) - stat);
	AUTO_STRBUF text = STRBUF_INIT(STRBUF_TEXT);
	strbuf_add(&text, stat, shown);
	size_t left = text_count_lines(stat + shown, n - shown) + (shown < n && stat[n - 1] != '\n');
	if (left)
		strbuf_addf(&text, "and %zu more file%s", left, text_plural(left));
	screen_row(screen, "change", text.text);
}

void verify_screen_result(struct screen *screen, const struct run_report *report, bool is_brief)
{
	const struct verdict_facts *verdict = report->verdict;
	verify_head(screen, report);
	if (is_brief)
		return;
	screen_row(screen, "help", report->outcome == RUN_VERIFIED ? NULL : report->help);
	if (report->change)
		verify_show_stat(screen, report->change->stat);
	for (size_t i = 0; verdict && i < verdict->left_out.n && report->outcome == RUN_VERIFIED; i++)
		screen_line(
			screen, GLYPH_LOOK, "look at   %s: judged as at the base", verdict->left_out.items[i]);
	for (size_t i = 0; verdict && i < verdict->findings.n; i++)
		if (!report->reason || strcmp(verdict->findings.items[i], report->reason) != 0)
			screen_line(screen, GLYPH_LOOK, "look at   %s", verdict->findings.items[i]);
	screen_row(screen, "more", report->id ? "rondo show" : NULL);
}
