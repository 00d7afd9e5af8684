/* The last block of a run: what came of it, in about ten lines. */
#include <string.h>

#include "base/clock.h"
#include "cli/run_screen.h"

#define SHOWN_DIFF_LINES 4
#define SHOWN_SUMMARY_LINES 6

/* The changed lines of a small diff; a large one is looked at by the command below. */
static void show_diff(struct run_screen *view, const char *patch, struct arena *arena)
{
	const char *lines[SHOWN_DIFF_LINES + 1];
	size_t n = 0;
	for (const char *at = patch; *at && n <= SHOWN_DIFF_LINES; at += strcspn(at, "\n"), at += *at == '\n')
		if ((*at == '+' && strncmp(at, "+++ ", 4) != 0) || (*at == '-' && strncmp(at, "--- ", 4) != 0))
			lines[n++] = arena_strndup(arena, at, strcspn(at, "\r\n"));
	if (!n || n > SHOWN_DIFF_LINES)
		return;
	screen_line(&view->screen, GLYPH_NONE, "%s", "");
	for (size_t i = 0; i < n; i++)
		screen_line(&view->screen, GLYPH_NONE, "   %s", screen_diff_line(&view->screen, arena, lines[i]));
	screen_line(&view->screen, GLYPH_NONE, "%s", "");
}

static void show_change(struct run_screen *view, const struct run_change *change, struct arena *arena)
{
	const char *stat = screen_visible(arena, change->stat);
	for (const char *label = "change"; *stat; label = "") {
		int n = (int)strcspn(stat, "\n");
		screen_line(&view->screen, GLYPH_NONE, " %-8s %.*s", label, n, stat);
		stat += n + (stat[n] == '\n');
	}
	show_diff(view, change->patch, arena);
}

static void show_spending(struct run_screen *view, const char *label, const struct run_spending *items, size_t n,
	bool with_cost, struct arena *arena)
{
	for (size_t i = 0; i < n; i++) {
		AUTO_STRBUF text = STRBUF_INIT(STRBUF_LINE);
		run_spending_describe(&items[i], with_cost, &text);
		screen_line(&view->screen, GLYPH_NONE, " %-8s %s: %s", label, screen_visible(arena, items[i].name), text.text);
	}
}

/* Folded by words; of a long one the beginning, since rondo show has it all. */
static void show_summary(struct run_screen *view, const char *summary, struct arena *arena)
{
	const char *label = "summary", *text = screen_visible(arena, summary);
	for (size_t i = 0, n; *text && i < SHOWN_SUMMARY_LINES; i++) {
		n = screen_fold(&view->screen, text, 16);
		const char *rest = text + n + (text[n] == ' ');
		rest += strspn(rest, "\n");
		screen_line(&view->screen, GLYPH_NONE, " %-8s %.*s%s", label, (int)n, text,
			*rest && i + 1 == SHOWN_SUMMARY_LINES ? " ..." : "");
		text = rest;
		label = "";
	}
}

/* Why the chat stopped, exactly, and what it spent; a search without models that found its fix needs no such lines. */
static void show_end(struct run_screen *view, const struct run_report *report, struct arena *arena)
{
	static const struct talk_facts nothing;
	const struct run_spent *spent = &report->spent;
	const struct talk_facts *talk = report->talk ? report->talk : &nothing;
	bool plain = report->outcome == RUN_VERIFIED && !spent->n_by_model;
	if (talk->stop.text && !plain)
		screen_line(&view->screen, GLYPH_NONE, " stopped  %s", talk->stop.text);
	if (talk->stop.left_unexecuted)
		screen_line(&view->screen, GLYPH_NONE, " left     %s", RUN_LEFT_UNEXECUTED);
	show_spending(view, "agent", spent->by_agent, spent->n_by_agent, false, arena);
	show_spending(view, "model", spent->by_model, spent->n_by_model, true, arena);
	if (talk->summary && !report->coder)
		show_summary(view, talk->summary, arena);
}

static void show_lines(struct run_screen *view, enum screen_glyph glyph, const char *what, const struct option_strings *lines,
	struct arena *arena)
{
	for (size_t i = 0; i < lines->n; i++)
		screen_line(&view->screen, glyph, "%s%s", what, screen_visible(arena, lines->items[i]));
}

/* What was asked for beside the branch. */
static void show_copies(struct screen *screen, const struct run_report *report, struct arena *arena)
{
	const struct publication *publication = report->publication;
	if (publication->patch_copy)
		screen_line(screen, GLYPH_NONE, " patch    %s", screen_path(arena, publication->patch_copy));
	if (report->junit)
		screen_line(screen, GLYPH_NONE, " junit    %s", screen_path(arena, report->junit));
	if (publication->pull_request)
		screen_line(screen, GLYPH_NONE, " request  %s", screen_path(arena, publication->pull_request));
}

/* The tests pass, and yet it may not be what was meant. */
static void show_doubt(struct run_screen *view, const struct run_search *search, struct arena *arena)
{
	if (!search->confidence || strcmp(search->confidence, "high") == 0)
		return;
	if (strcmp(search->confidence, "low") == 0)
		screen_line(&view->screen, GLYPH_LOOK, "look at   the change itself (%s): it may only silence the tests", search->rank);
	if (search->others.n)
		screen_line(&view->screen, GLYPH_LOOK, "look at   %zu other edit%s pass%s all tests, too: %s%s", search->others.n,
			search->others.n == 1 ? "" : "s", search->others.n == 1 ? "es" : "", screen_visible(arena, search->others.items[0]),
			search->others.n == 1 ? "" : " ...");
}

/* What to type next. */
static void show_next(struct screen *screen, const struct run_report *report, const char *take, struct arena *arena)
{
	const struct publication *publication = report->publication;
	if (publication->commit) {
		screen_line(screen, GLYPH_NONE, " look     git diff %s...%s",
			report->site->branch ? report->site->branch : "HEAD", publication->branch);
		screen_line(screen, GLYPH_NONE, " take it  git merge %s", publication->branch);
		screen_line(screen, GLYPH_NONE, " drop it  git branch -D %s        more  rondo show", publication->branch);
		return;
	}
	screen_line(screen, GLYPH_NONE, " files    %s", screen_path(arena, publication->files));
	screen_line(screen, GLYPH_NONE, " patch    %s", screen_path(arena, report->change->path));
	if (!publication->applied_to && take)
		screen_line(screen, GLYPH_NONE, " take it  %s        more  rondo show", take);
}

static void show_verified(struct run_screen *view, const struct run_report *report, const char *take,
	struct arena *arena)
{
	char time[CLOCK_DATE_SIZE];
	struct screen *screen = &view->screen;
	const struct publication *publication = report->publication;
	const struct verdict_facts *verdict = report->verdict;
	clock_format_duration(report->duration_ms, time);
	screen_line(screen, GLYPH_DONE,
		"verified in a fresh checkout: %zu of %zu passed (was %zu), nothing newly skipped",
		verdict->n_passed, verdict->n_tests, report->baseline->n_passed);
	if (publication->commit)
		screen_line(screen, GLYPH_NONE, " branch   %s    %zu commit%s on %s, %s in all", publication->branch,
			publication->n_commits, publication->n_commits == 1 ? "" : "s",
			report->site->branch ? report->site->branch : "HEAD", time);
	show_change(view, report->change, arena);
	show_lines(view, GLYPH_NONE, " dropped  ", &verdict->dropped, arena);
	show_lines(view, GLYPH_LOOK, "look at   ", &verdict->findings, arena);
	show_doubt(view, &report->talk->search, arena);
	show_end(view, report, arena);
	if (report->n_asserts)
		screen_line(screen, GLYPH_NONE, " asserts  %zu of %zu hold", report->n_asserts, report->n_asserts);
	if (publication->applied_to)
		screen_line(screen, GLYPH_NONE, " applied  to %s", screen_path(arena, publication->applied_to));
	show_copies(screen, report, arena);
	show_next(screen, report, take, arena);
}

static void show_help(struct run_screen *view, const struct run_report *report, struct arena *arena)
{
	if (report->help)
		screen_line(&view->screen, GLYPH_NONE, " help     %s", screen_visible(arena, report->help));
}

static void show_not_fixed(struct run_screen *view, const struct run_report *report, struct arena *arena)
{
	char time[CLOCK_DATE_SIZE];
	struct screen *screen = &view->screen;
	const struct talk_facts *talk = report->talk;
	size_t n_goal = report->baseline->n_goal;
	clock_format_duration(report->duration_ms, time);
	if (report->n_fixed < n_goal || !report->reason)
		screen_line(screen, GLYPH_FAILED, "not fixed: %zu of %zu goal test%s still fail%s   %s in all",
			n_goal - report->n_fixed, n_goal, n_goal == 1 ? "" : "s", n_goal == 1 ? "s" : "", time);
	else
		screen_line(screen, GLYPH_FAILED, "not fixed: %s   %s in all", screen_visible(arena, report->reason), time);
	if (talk->stop_reason)
		screen_line(screen, GLYPH_NONE, " why      %s", screen_visible(arena, talk->stop_reason));
	show_help(view, report, arena);
	show_end(view, report, arena);
	if (report->change)
		screen_line(screen, GLYPH_NONE, " best     %s   kept as %s",
			talk->what ? screen_visible(arena, talk->what) : "", screen_path(arena, report->change->path));
	screen_line(screen, GLYPH_NONE, " more     rondo show");
}

/* "! cannot judge: why" or "FAIL refused: why", and what helps. */
static void show_reason(struct run_screen *view, enum screen_glyph glyph, const char *what,
	const struct run_report *report, struct arena *arena)
{
	screen_line(&view->screen, glyph, "%s: %s", what, screen_visible(arena, report->reason ? report->reason : ""));
	show_end(view, report, arena);
	show_help(view, report, arena);
	screen_line(&view->screen, GLYPH_NONE, " more     rondo show");
}

/* A chat that is no fix: why it stopped, what it wrote, what it cost. */
static void show_done(struct run_screen *view, const struct run_report *report, struct arena *arena)
{
	char time[CLOCK_DATE_SIZE];
	struct screen *screen = &view->screen;
	bool done = report->outcome == RUN_DONE;
	int turns = report->talk->turns;
	clock_format_duration(report->duration_ms, time);
	screen_line(screen, done ? GLYPH_DONE : GLYPH_FAILED, "%s: %s   %d turn%s, %s, %s",
		done ? "done" : "stopped", screen_visible(arena, report->reason ? report->reason : ""), turns,
		turns == 1 ? "" : "s", report->spent.text ? report->spent.text : "0 tokens", time);
	show_end(view, report, arena);
	if (report->n_asserts)
		screen_line(screen, GLYPH_NONE, " asserts  %zu of %zu hold", report->n_asserts, report->n_asserts);
	if (report->publication && report->publication->files)
		screen_line(screen, GLYPH_NONE, " files    %s", screen_path(arena, report->publication->files));
	if (report->change)
		show_change(view, report->change, arena);
	screen_line(screen, GLYPH_NONE, " more     rondo show");
}

static void show_asserts(struct run_screen *view, const struct run_report *report, struct arena *arena)
{
	screen_line(&view->screen, GLYPH_FAILED, "%s", report->reason);
	for (const char *at = screen_visible(arena, report->failed_asserts); *at; at += strcspn(at, "\n"), at += *at == '\n')
		screen_line(&view->screen, GLYPH_NONE, " %.*s", (int)strcspn(at, "\n"), at);
	if (report->talk && report->talk->stop_reason)
		screen_line(&view->screen, GLYPH_NONE, " why      %s", screen_visible(arena, report->talk->stop_reason));
	show_end(view, report, arena);
	screen_line(&view->screen, GLYPH_NONE, " more     rondo show");
}

void run_screen_result(struct run_screen *view, const struct run_report *report, const char *take,
	struct arena *arena)
{
	if (view->in_chat)
		screen_line(&view->screen, GLYPH_NONE, "%s", "");
	switch (report->outcome) {
	case RUN_VERIFIED:
		show_verified(view, report, take, arena);
		break;
	case RUN_NOTHING_FAILS:
		screen_line(&view->screen, GLYPH_DONE, "%s: %zu of %zu passed, twice",
			screen_visible(arena, report->reason), report->baseline->n_passed, report->baseline->n_tests);
		break;
	case RUN_DRY_RUN:
		if (!report->coder) /* else the team is rondo's own */
			screen_line(&view->screen, GLYPH_NEUTRAL, "team        %s", screen_visible(arena, report->team));
		screen_line(&view->screen, GLYPH_NEUTRAL, "limits      %s", report->limits);
		screen_line(&view->screen, GLYPH_NEUTRAL, "dry run     nothing was run, nothing is kept");
		break;
	case RUN_NOT_FIXED:
		show_not_fixed(view, report, arena);
		break;
	case RUN_REFUSED:
		show_reason(view, GLYPH_FAILED, "refused", report, arena);
		break;
	case RUN_ENVIRONMENT_BROKEN:
	case RUN_SUITE_BROKEN:
	case RUN_ONLY_FLAKY:
		show_reason(view, GLYPH_LOOK, "cannot judge", report, arena);
		break;
	case RUN_DONE:
	case RUN_STOPPED:
		show_done(view, report, arena);
		break;
	case RUN_ASSERT_FAILED:
		show_asserts(view, report, arena);
		break;
	case RUN_OUTCOMES:
		break;
	}
}
