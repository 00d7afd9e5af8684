/* The last block of a run: what came of it, in about ten lines. */
#include <stdio.h>
#include <string.h>

#include "cli/run_screen.h"

#define SHOWN_DIFF_LINES 4
#define SHOWN_SUMMARY_LINES 6
#define SHOWN_UNFIXED 5

/* The changed lines of a small diff; a large one is looked at by the command below. */
static void result_diff(struct screen *screen, const char *patch)
{
	const char *lines[SHOWN_DIFF_LINES + 1];
	size_t n = 0;
	const char *at = patch;
	for (; *at && n <= SHOWN_DIFF_LINES; at += strcspn(at, "\n"), at += *at == '\n')
		if (strchr("+-", *at) && !text_starts_with(at, "+++ ") && !text_starts_with(at, "--- "))
			lines[n++] = arena_strndup(&screen->arena, at, strcspn(at, "\r\n"));
	if (!n || n > SHOWN_DIFF_LINES)
		return;
	screen_blank(screen);
	for (size_t i = 0; i < n; i++)
		printf("     %s\n", screen_diff_line(screen, lines[i]));
	screen_blank(screen);
}

static void result_change(struct screen *screen, const struct run_change *change)
{
	if (!change)
		return;
	screen_row(screen, "change", change->stat);
	result_diff(screen, change->patch);
}

static void result_spending(struct screen *screen, const char *label,
	const struct run_spending *items, size_t n, bool with_cost)
{
	for (size_t i = 0; i < n; i++) {
		AUTO_STRBUF text = STRBUF_INIT(STRBUF_LINE);
		strbuf_addf(&text, "%s: ", items[i].name);
		run_spending_describe(&items[i], with_cost, &text);
		screen_row(screen, label, text.text);
	}
}

/* Folded by words; of a long one the beginning, since rondo show has it all. */
static void result_summary(struct screen *screen, const char *summary)
{
	const char *label = "summary", *text = screen_visible(screen, summary);
	for (size_t i = 0; *text && i < SHOWN_SUMMARY_LINES; i++, label = "") {
		size_t n = screen_fold(screen, text, 16);
		const char *rest = text + n + (text[n] == ' ');
		rest += strspn(rest, "\n");
		screen_line(screen, GLYPH_NONE, " %-8s %.*s%s", label, (int)n, text,
			*rest && i + 1 == SHOWN_SUMMARY_LINES ? " ..." : "");
		text = rest;
	}
}

/* Why the chat stopped, exactly, and what it spent; a search without models that found its fix
 * needs no such lines. */
static void result_end(struct screen *screen, const struct run_report *report)
{
	const struct run_spent *spent = &report->spent;
	const struct talk_facts *talk = report->talk;
	if (talk && (!run_outcome_is_verified(report->outcome) || spent->n_by_model))
		screen_row(screen, "stopped", talk->stop.text);
	if (talk && talk->stop.left_unexecuted)
		screen_row(screen, "left", RUN_LEFT_UNEXECUTED);
	if (talk && report->outcome == RUN_DONE && talk->last_exit_code > 0)
		screen_line(screen, GLYPH_LOOK, "look at   the last code that ran: it failed, exit code %d",
			talk->last_exit_code);
	attempts_screen_result(screen, report);
	result_spending(screen, "agent", spent->by_agent, spent->n_by_agent, false);
	result_spending(screen, "model", spent->by_model, spent->n_by_model, true);
	if (talk && talk->summary && !report->coder)
		result_summary(screen, talk->summary);
}

static void result_held(struct screen *screen, size_t n)
{
	if (n)
		screen_line(screen, GLYPH_NONE, " asserts  %zu of %zu hold", n, n);
}

enum { CHOICES_SHOWN = 3 };

/* What else passes and does something else, by the numbers that --take takes. */
static void result_choices(struct screen *screen, const struct run_search *search)
{
	const struct option_strings *others = &search->others;
	if (!others->n)
		return;
	screen_line(screen, GLYPH_LOOK,
		"look at   %zu other edit%s pass%s all tests; --take N takes one:", others->n,
		text_plural(others->n), others->n == 1 ? "es" : "");
	for (size_t i = 0; i < others->n && i < CHOICES_SHOWN; i++)
		screen_line(screen, GLYPH_NONE, "          %zu  %s", run_choice_number(search->choice, i),
			others->items[i]);
	if (others->n > CHOICES_SHOWN)
		screen_line(screen, GLYPH_NONE, "          ... rondo show has all");
}

/* The tests pass, and yet it may not be what was meant. */
static void result_doubt(struct screen *screen, const struct run_search *search)
{
	if (!search->confidence)
		return;
	if (strcmp(search->confidence, "low") == 0)
		screen_line(screen, GLYPH_LOOK,
			"look at   the change itself (%s): it may only silence the tests", search->rank);
	if (strcmp(search->confidence, "revert") == 0)
		screen_line(
			screen, GLYPH_LOOK, "look at   the change that it takes back: somebody meant it");
	result_choices(screen, search);
}

static void result_lines(struct screen *screen, enum screen_glyph glyph, const char *what,
	const struct option_strings *lines)
{
	for (size_t i = 0; i < lines->n; i++)
		screen_line(screen, glyph, "%s%s", what, lines->items[i]);
}

/* What to type next. */
static void result_next(struct screen *screen, const struct run_report *report, const char *take)
{
	const struct publication *made = report->publication;
	if (!made->commit) {
		screen_row(screen, "files", screen_path(screen, made->files));
		screen_row(screen, "patch", screen_path(screen, report->change->path));
		if (!made->applied_to && take)
			screen_line(screen, GLYPH_NONE, " take it  %s        more  rondo show", take);
		return;
	}
	screen_line(screen, GLYPH_NONE, " look     git diff %s...%s",
		report->site->branch ? report->site->branch : "HEAD", made->branch);
	screen_line(screen, GLYPH_NONE, " take it  git merge %s", made->branch);
	screen_line(
		screen, GLYPH_NONE, " drop it  git branch -D %s        more  rondo show", made->branch);
}

/* In part: what stays red, and why there is no more. */
static void result_unfixed(struct screen *screen, const struct run_report *report)
{
	const struct option_strings *unfixed = &report->verdict->unfixed;
	for (size_t i = 0; i < unfixed->n && i < SHOWN_UNFIXED; i++)
		screen_row(screen, i ? "" : "red", unfixed->items[i]);
	if (unfixed->n > SHOWN_UNFIXED)
		screen_line(screen, GLYPH_NONE, "          and %zu more", unfixed->n - SHOWN_UNFIXED);
	if (unfixed->n)
		screen_row(screen, "why", report->reason);
	screen_row(screen, "help", report->help);
}

static void result_verified(
	struct screen *screen, const struct run_report *report, const char *take)
{
	const struct publication *made = report->publication;
	const struct verdict_facts *verdict = report->verdict;
	bool is_part = verdict->unfixed.n;
	screen_line(screen, is_part ? GLYPH_LOOK : GLYPH_DONE,
		"verified in a fresh checkout%s: %zu of %zu passed (was %zu), nothing newly skipped",
		is_part ? arena_printf(&screen->arena, ", in part (%zu of %zu goal tests)",
					  report->baseline->n_goal - verdict->unfixed.n, report->baseline->n_goal)
				: "",
		verdict->n_passed, verdict->n_tests, report->baseline->n_passed);
	result_unfixed(screen, report);
	if (made->commit)
		screen_line(screen, GLYPH_NONE, " branch   %s    %zu commit%s on %s, %s in all",
			made->branch, made->n_commits, text_plural(made->n_commits),
			report->site->branch ? report->site->branch : "HEAD",
			screen_time(screen, report->duration_ms));
	result_change(screen, report->change);
	result_lines(screen, GLYPH_NONE, " dropped  ", &verdict->dropped);
	result_lines(screen, GLYPH_LOOK, "look at   ", &verdict->findings);
	result_doubt(screen, &report->talk->search);
	result_end(screen, report);
	result_held(screen, report->n_asserts);
	if (made->applied_to)
		screen_line(screen, GLYPH_NONE, " applied  to %s", screen_path(screen, made->applied_to));
	screen_row(screen, "patch", screen_path(screen, made->patch_copy));
	screen_row(screen, "junit", screen_path(screen, report->junit));
	screen_row(screen, "request", screen_path(screen, made->pull_request));
	result_next(screen, report, take);
}

static void result_dry_run(struct screen *screen, const struct run_report *report)
{
	if (!report->coder && !report->proposal) /* else the team is rondo's own */
		screen_line(screen, GLYPH_NEUTRAL, "team        %s", report->team);
	if (!report->proposal)
		screen_line(screen, GLYPH_NEUTRAL, "limits      %s", report->limits);
	screen_line(screen, GLYPH_NEUTRAL, "dry run     nothing was run, nothing is kept");
}

/* How the line begins that says what came of a run. */
static const struct {
	enum screen_glyph glyph;
	const char *word;
} heads[RUN_OUTCOMES] = {
	[RUN_NOTHING_FAILS] = {GLYPH_DONE, ""},
	[RUN_TESTS_FAIL] = {GLYPH_FAILED, "tests fail"},
	[RUN_NOT_FIXED] = {GLYPH_FAILED, "not fixed: "},
	[RUN_REFUSED] = {GLYPH_FAILED, "refused: "},
	[RUN_ENVIRONMENT_BROKEN] = {GLYPH_LOOK, "cannot judge: "},
	[RUN_SUITE_BROKEN] = {GLYPH_LOOK, "cannot judge: "},
	[RUN_ONLY_FLAKY] = {GLYPH_LOOK, "cannot judge: "},
	[RUN_DONE] = {GLYPH_DONE, "done: "},
	[RUN_STOPPED] = {GLYPH_FAILED, "stopped: "},
	[RUN_ASSERT_FAILED] = {GLYPH_FAILED, ""},
};

/* Why a fix was not found: what still fails, unless all of that passes. */
static const char *result_not_fixed(struct screen *screen, const struct run_report *report)
{
	size_t n = report->baseline->n_goal, n_left = n - report->n_fixed;
	if (!n_left && report->reason)
		return report->reason;
	return arena_printf(&screen->arena, "%zu of %zu goal test%s still fail%s", n_left, n,
		text_plural(n), n == 1 ? "s" : "");
}

static void result_head(struct screen *screen, const struct run_report *report)
{
	enum run_outcome outcome = report->outcome;
	const char *reason = report->reason ? report->reason : "", *end = "";
	const char *time = screen_time(screen, report->duration_ms);
	if (outcome == RUN_NOTHING_FAILS)
		end = arena_printf(&screen->arena, ": %zu of %zu passed, %s", report->baseline->n_passed,
			report->baseline->n_tests, report->baseline->n_runs == 2 ? "twice" : "each time");
	if (outcome == RUN_DONE || outcome == RUN_STOPPED)
		end = arena_printf(&screen->arena, "   %d turn%s, %s, %s", report->talk->turns,
			text_plural((size_t)report->talk->turns),
			report->spent.text ? report->spent.text : "0 tokens", time);
	if (outcome == RUN_NOT_FIXED)
		end = arena_printf(&screen->arena, "   %s in all", time);
	if (outcome == RUN_NOT_FIXED)
		reason = result_not_fixed(screen, report);
	screen_line(screen, heads[outcome].glyph, "%s%s%s", heads[outcome].word, reason, end);
}

/* Why a chat came to no verified fix; that its tests passed is no reason. */
static const char *result_why(const struct talk_facts *talk)
{
	const char *condition = talk->stop.condition;
	if (condition && strcmp(condition, "tests_pass") == 0)
		return "the tests passed in the chat and fail in a fresh checkout: one may be flaky, or "
			   "need a file\nthat is not committed";
	return talk->stop_reason;
}

/* What follows the line that says how a run ended which verified no fix. */
static void result_foot(struct screen *screen, const struct run_report *report)
{
	enum run_outcome outcome = report->outcome;
	if (outcome == RUN_NOTHING_FAILS) {
		screen_row(screen, "help", report->help);
		return;
	}
	if (outcome == RUN_ASSERT_FAILED)
		screen_row(screen, NULL, report->failed_asserts);
	if (report->talk && (outcome == RUN_ASSERT_FAILED || outcome == RUN_NOT_FIXED))
		screen_row(screen, "why", result_why(report->talk));
	screen_row(screen, "help", report->help);
	result_end(screen, report);
	if (outcome == RUN_DONE || outcome == RUN_STOPPED) {
		result_held(screen, report->n_asserts);
		if (report->publication)
			screen_row(screen, "files", screen_path(screen, report->publication->files));
		result_change(screen, report->change);
	}
	if (outcome == RUN_NOT_FIXED && report->change && report->talk)
		screen_line(screen, GLYPH_NONE, " best     %s   kept as %s",
			report->talk->what ? report->talk->what : "",
			screen_path(screen, report->change->path));
	screen_row(screen, "more", "rondo show");
}

void run_screen_result(struct run_screen *view, const struct run_report *report)
{
	struct screen *screen = &view->screen;
	run_screen_flush(view);
	if (view->in_chat)
		screen_blank(screen);
	if (report->proposal && report->outcome != RUN_DRY_RUN) {
		verify_screen_result(screen, report, view->is_brief);
	} else if (run_outcome_is_verified(report->outcome)) {
		result_verified(screen, report, view->take);
	} else if (report->outcome == RUN_DRY_RUN) {
		result_dry_run(screen, report);
	} else {
		result_head(screen, report);
		result_foot(screen, report);
	}
}
