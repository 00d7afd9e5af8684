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

static void show_change(struct run_screen *view, const struct run_result *result, struct arena *arena)
{
	const char *stat = screen_visible(arena, result->stat);
	for (const char *label = "change"; *stat; label = "") {
		int n = (int)strcspn(stat, "\n");
		screen_line(&view->screen, GLYPH_NONE, " %-8s %.*s", label, n, stat);
		stat += n + (stat[n] == '\n');
	}
	show_diff(view, result->patch, arena);
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
static void show_end(struct run_screen *view, const struct run_result *result, struct arena *arena)
{
	bool plain = result->outcome == RUN_VERIFIED && !result->n_by_model;
	if (result->stopped && !plain)
		screen_line(&view->screen, GLYPH_NONE, " stopped  %s", result->stopped);
	if (result->left_unexecuted)
		screen_line(&view->screen, GLYPH_NONE, " left     %s", RUN_LEFT_UNEXECUTED);
	show_spending(view, "agent", result->by_agent, result->n_by_agent, false, arena);
	show_spending(view, "model", result->by_model, result->n_by_model, true, arena);
	if (result->summary && !result->coder)
		show_summary(view, result->summary, arena);
}

static void show_lines(struct run_screen *view, enum screen_glyph glyph, const char *what, const char *const *lines, size_t n,
	struct arena *arena)
{
	for (size_t i = 0; i < n; i++)
		screen_line(&view->screen, glyph, "%s%s", what, screen_visible(arena, lines[i]));
}

/* What was asked for beside the branch. */
static void show_copies(struct screen *screen, const struct run_result *result, struct arena *arena)
{
	if (result->patch_copy)
		screen_line(screen, GLYPH_NONE, " patch    %s", screen_path(arena, result->patch_copy));
	if (result->junit)
		screen_line(screen, GLYPH_NONE, " junit    %s", screen_path(arena, result->junit));
	if (result->pull_request)
		screen_line(screen, GLYPH_NONE, " request  %s", screen_path(arena, result->pull_request));
}

/* The tests pass, and yet it may not be what was meant. */
static void show_doubt(struct run_screen *view, const struct run_search *search, struct arena *arena)
{
	if (!search->confidence || strcmp(search->confidence, "high") == 0)
		return;
	if (strcmp(search->confidence, "low") == 0)
		screen_line(&view->screen, GLYPH_LOOK, "look at   the change itself (%s): it may only silence the tests", search->rank);
	if (search->n_others)
		screen_line(&view->screen, GLYPH_LOOK, "look at   %zu other edit%s pass%s all tests, too: %s%s", search->n_others,
			search->n_others == 1 ? "" : "s", search->n_others == 1 ? "es" : "", screen_visible(arena, search->others[0]),
			search->n_others == 1 ? "" : " ...");
}

static void show_verified(struct run_screen *view, const struct run_result *result, const char *take,
	struct arena *arena)
{
	char time[CLOCK_DATE_SIZE];
	struct screen *screen = &view->screen;
	clock_format_duration(result->duration_ms, time);
	screen_line(screen, GLYPH_DONE,
		"verified in a fresh checkout: %zu of %zu passed (was %zu), nothing newly skipped",
		result->n_passed_after, result->n_tests_after, result->n_passed_before);
	const char *on = result->branch_at ? result->branch_at : "HEAD";
	if (result->commit)
		screen_line(screen, GLYPH_NONE, " branch   %s    %zu commit%s on %s, %s in all", result->branch,
			result->n_commits, result->n_commits == 1 ? "" : "s", on, time);
	show_change(view, result, arena);
	show_lines(view, GLYPH_NONE, " dropped  ", result->dropped, result->n_dropped, arena);
	show_lines(view, GLYPH_LOOK, "look at   ", result->findings, result->n_findings, arena);
	show_doubt(view, &result->search, arena);
	show_end(view, result, arena);
	if (result->n_asserts)
		screen_line(screen, GLYPH_NONE, " asserts  %zu of %zu hold", result->n_asserts, result->n_asserts);
	if (result->applied_to)
		screen_line(screen, GLYPH_NONE, " applied  to %s", screen_path(arena, result->applied_to));
	show_copies(screen, result, arena);
	if (result->commit) {
		screen_line(screen, GLYPH_NONE, " look     git diff %s...%s", on, result->branch);
		screen_line(screen, GLYPH_NONE, " take it  git merge %s", result->branch);
		screen_line(screen, GLYPH_NONE, " drop it  git branch -D %s        more  rondo show", result->branch);
	} else {
		screen_line(screen, GLYPH_NONE, " files    %s", screen_path(arena, result->files));
		screen_line(screen, GLYPH_NONE, " patch    %s", screen_path(arena, result->patch_path));
		if (!result->applied_to && take)
			screen_line(screen, GLYPH_NONE, " take it  %s        more  rondo show", take);
	}
}

static void show_not_fixed(struct run_screen *view, const struct run_result *result, struct arena *arena)
{
	char time[CLOCK_DATE_SIZE];
	struct screen *screen = &view->screen;
	clock_format_duration(result->duration_ms, time);
	if (result->n_fixed < result->n_goal || !result->reason)
		screen_line(screen, GLYPH_FAILED, "not fixed: %zu of %zu goal test%s still fail%s   %s in all",
			result->n_goal - result->n_fixed, result->n_goal, result->n_goal == 1 ? "" : "s",
			result->n_goal == 1 ? "s" : "", time);
	else
		screen_line(screen, GLYPH_FAILED, "not fixed: %s   %s in all", screen_visible(arena, result->reason), time);
	if (result->stop_reason)
		screen_line(screen, GLYPH_NONE, " why      %s", screen_visible(arena, result->stop_reason));
	show_end(view, result, arena);
	if (result->patch_path)
		screen_line(screen, GLYPH_NONE, " best     %s   kept as %s",
			result->what ? screen_visible(arena, result->what) : "", screen_path(arena, result->patch_path));
	screen_line(screen, GLYPH_NONE, " more     rondo show");
}

/* "! cannot judge: why" or "FAIL refused: why", and what helps. */
static void show_reason(struct run_screen *view, enum screen_glyph glyph, const char *what,
	const struct run_result *result, struct arena *arena)
{
	screen_line(&view->screen, glyph, "%s: %s", what, screen_visible(arena, result->reason ? result->reason : ""));
	show_end(view, result, arena);
	if (result->help)
		screen_line(&view->screen, GLYPH_NONE, " help     %s", screen_visible(arena, result->help));
	screen_line(&view->screen, GLYPH_NONE, " more     rondo show");
}

/* A chat that is no fix: why it stopped, what it wrote, what it cost. */
static void show_done(struct run_screen *view, const struct run_result *result, struct arena *arena)
{
	char time[CLOCK_DATE_SIZE];
	struct screen *screen = &view->screen;
	bool done = result->outcome == RUN_DONE;
	clock_format_duration(result->duration_ms, time);
	screen_line(screen, done ? GLYPH_DONE : GLYPH_FAILED, "%s: %s   %d turn%s, %s, %s",
		done ? "done" : "stopped", screen_visible(arena, result->reason ? result->reason : ""), result->turns,
		result->turns == 1 ? "" : "s", result->spent ? result->spent : "0 tokens", time);
	show_end(view, result, arena);
	if (result->n_asserts)
		screen_line(screen, GLYPH_NONE, " asserts  %zu of %zu hold", result->n_asserts, result->n_asserts);
	if (result->files)
		screen_line(screen, GLYPH_NONE, " files    %s", screen_path(arena, result->files));
	if (result->stat)
		show_change(view, result, arena);
	screen_line(screen, GLYPH_NONE, " more     rondo show");
}

static void show_asserts(struct run_screen *view, const struct run_result *result, struct arena *arena)
{
	screen_line(&view->screen, GLYPH_FAILED, "%s", result->reason);
	for (const char *at = screen_visible(arena, result->failed_asserts); *at; at += strcspn(at, "\n"), at += *at == '\n')
		screen_line(&view->screen, GLYPH_NONE, " %.*s", (int)strcspn(at, "\n"), at);
	if (result->stop_reason)
		screen_line(&view->screen, GLYPH_NONE, " why      %s", screen_visible(arena, result->stop_reason));
	show_end(view, result, arena);
	screen_line(&view->screen, GLYPH_NONE, " more     rondo show");
}

void run_screen_result(struct run_screen *view, const struct run_result *result, const char *take,
	struct arena *arena)
{
	if (view->in_chat)
		screen_line(&view->screen, GLYPH_NONE, "%s", "");
	switch (result->outcome) {
	case RUN_VERIFIED:
		show_verified(view, result, take, arena);
		break;
	case RUN_NOTHING_FAILS:
		screen_line(&view->screen, GLYPH_DONE, "%s: %zu of %zu passed, twice",
			screen_visible(arena, result->reason), result->n_passed_before, result->n_tests);
		break;
	case RUN_DRY_RUN:
		if (!result->coder) /* else the team is rondo's own */
			screen_line(&view->screen, GLYPH_NEUTRAL, "team        %s", screen_visible(arena, result->team));
		screen_line(&view->screen, GLYPH_NEUTRAL, "limits      %s", result->limits);
		screen_line(&view->screen, GLYPH_NEUTRAL, "dry run     nothing was run or written");
		break;
	case RUN_NOT_FIXED:
		show_not_fixed(view, result, arena);
		break;
	case RUN_REFUSED:
		show_reason(view, GLYPH_FAILED, "refused", result, arena);
		break;
	case RUN_ENVIRONMENT_BROKEN:
	case RUN_SUITE_BROKEN:
	case RUN_ONLY_FLAKY:
		show_reason(view, GLYPH_LOOK, "cannot judge", result, arena);
		break;
	case RUN_DONE:
	case RUN_STOPPED:
		show_done(view, result, arena);
		break;
	case RUN_ASSERT_FAILED:
		show_asserts(view, result, arena);
		break;
	case RUN_OUTCOMES:
		break;
	}
}
