#include "run/report/report.h"

#include <string.h>

#include "base/clock.h"

enum {
	MOST_TESTS = 50,
	SHORT_HASH = 12,
};

static void evidence_add_lines(struct strbuf *sb, const struct option_strings *lines)
{
	for (size_t i = 0; i < lines->n && i < MOST_TESTS; i++) {
		strbuf_adds(sb, "- ");
		markdown_add_code(sb, lines->items[i]);
		strbuf_addc(sb, '\n');
	}
	if (lines->n > MOST_TESTS)
		strbuf_addf(sb, "- and %zu more\n", lines->n - MOST_TESTS);
}

static void add_test(struct strbuf *sb, const struct run_test *test)
{
	strbuf_adds(sb, "- ");
	markdown_add_code(sb, test->id);
	if (test->place) {
		strbuf_adds(sb, " at ");
		markdown_add_code(sb, test->place);
	}
	if (test->message && *test->message) {
		strbuf_adds(sb, ": ");
		markdown_add_code(sb, test->message);
	}
	strbuf_addc(sb, '\n');
}

void evidence_add_goal(struct strbuf *sb, const struct run_report *report)
{
	const struct baseline_facts *baseline = report->baseline;
	if (!baseline || !baseline->n_goal)
		return;
	size_t failed = baseline->n_tests - baseline->n_passed;
	strbuf_addf(sb, "\n## What was wrong\n\n%zu of %zu test%s failed", failed, baseline->n_tests,
		text_plural(baseline->n_tests));
	if (report->site->base)
		strbuf_addf(sb, " at %.*s", SHORT_HASH, report->site->base);
	if (baseline->n_goal < failed)
		strbuf_addf(
			sb, "; %zu %s to be mended", baseline->n_goal, baseline->n_goal == 1 ? "was" : "were");
	strbuf_adds(sb, ":\n\n");
	for (size_t i = 0; i < baseline->n_goal && i < MOST_TESTS; i++)
		add_test(sb, &baseline->goal[i]);
	if (baseline->n_goal > MOST_TESTS)
		strbuf_addf(sb, "- and %zu more\n", baseline->n_goal - MOST_TESTS);
}

/* The words of a model, up to its first edit. */
static void add_said(struct strbuf *sb, const char *said)
{
	const char *fence = strstr(said, "```"), *search = strstr(said, "<<<<<<<"),
			   *end = said + strlen(said);
	if (fence && fence < end)
		end = fence;
	if (search && search < end)
		end = search;
	AUTO_STRBUF words = STRBUF_INIT(STRBUF_LINE);
	strbuf_add(&words, said, (size_t)(end - said));
	strbuf_rtrim(&words);
	if (!words.length)
		return;
	strbuf_adds(sb, "The model said:\n\n");
	markdown_add_block(sb, "text", words.text);
	strbuf_addc(sb, '\n');
}

/* What a word for confidence means. */
static const char *evidence_meaning(const char *confidence)
{
	static const char *const meanings[][2] = {
		{"high", "Such an edit is mostly right."},
		{"medium",
			"Other edits passed too and may behave otherwise, or such edits are often wrong, or "
			"the tests let some edit of this place pass, or are fewer than ten."},
		{"low", "It may only silence the tests: look twice."},
		{"revert", "It takes back what somebody changed, perhaps for a reason."},
	};
	for (size_t i = 0; i < ARRAY_SIZE(meanings); i++)
		if (strcmp(confidence, meanings[i][0]) == 0)
			return meanings[i][1];
	return "";
}

/* What else it could have been, so that somebody who knows the code can tell. */
static void add_search(struct strbuf *sb, const struct run_search *search)
{
	if (!search->confidence)
		return;
	char time[CLOCK_DATE_SIZE];
	clock_format_duration(search->ms, time);
	strbuf_addf(sb,
		"Confidence %s: an edit of the kind '%s', found among %zu candidates in %s. %s\n\n",
		search->confidence, search->kind, search->n_tried, time,
		evidence_meaning(search->confidence));
	if (search->n_asked)
		strbuf_addf(sb,
			"Under the failing tests with other values in them %zu of %zu edits that passed behave "
			"as this one does.\n\n",
			search->n_alike, search->n_asked);
	else if (search->others.n)
		strbuf_adds(
			sb, "No failing test with other values in it told whether they behave alike.\n\n");
	if (search->n_mutants)
		strbuf_addf(sb,
			"With one more small edit on top of this fix, the tests failed for %zu of %zu such "
			"edits."
			"\n\n",
			search->n_mutants - search->n_unnoticed, search->n_mutants);
	if (!search->others.n)
		return;
	strbuf_adds(sb, "These passed all tests, too:\n\n");
	evidence_add_lines(sb, &search->others);
	strbuf_addc(sb, '\n');
}

void evidence_add_change(struct strbuf *sb, const struct run_report *report)
{
	const struct talk_facts *talk = report->talk;
	if (!report->change)
		return;
	strbuf_adds(sb, "\n## What was changed\n\n");
	if (talk->said) {
		add_said(sb, talk->said);
	} else if (talk->edits.n) {
		evidence_add_lines(sb, &talk->edits);
		strbuf_addc(sb, '\n');
	}
	add_search(sb, &talk->search);
	markdown_add_block(sb, "text", report->change->stat);
}

void evidence_add_verification(struct strbuf *sb, const struct run_report *report)
{
	const struct baseline_facts *baseline = report->baseline;
	const struct verdict_facts *verdict = report->verdict;
	size_t failed = baseline->n_tests - baseline->n_passed;
	const char *what = report->proposal ? "change" : "fix";
	strbuf_adds(sb, "\n## How it was verified\n\n");
	strbuf_adds(sb, "| | before | after |\n|---|---|---|\n");
	strbuf_addf(sb, "| passed | %zu | %zu |\n", baseline->n_passed, verdict->n_passed);
	strbuf_addf(sb, "| failed | %zu | %zu |\n", failed,
		failed > report->n_fixed ? failed - report->n_fixed : 0);
	if (baseline->n_skipped)
		strbuf_addf(sb, "| skipped | %zu | none newly |\n", baseline->n_skipped);
	strbuf_adds(sb, "\nrondo itself ran ");
	markdown_add_code(sb, report->site->command);
	strbuf_addf(sb,
		" at the base, more than once, and in fresh checkouts of the %s, with tests, their "
		"configuration and CI files as in the base. %s%s%so test that passed fails, is gone or is "
		"newly skipped; the exit code agrees.\n",
		what, report->proposal ? "" : "Each test ",
		report->proposal         ? ""
			: verdict->unfixed.n ? "that it is for passes; "
								 : "of the goal passes; ",
		report->proposal ? "N" : "n");
	evidence_add_list(
		sb, "A fix in part: these tests failed, too, and are not fixed", &verdict->unfixed);
	if (!verdict->evidence.n)
		return;
	strbuf_addf(sb, "\nThe gate, in fresh checkouts of the %s:\n\n", what);
	evidence_add_lines(sb, &verdict->evidence);
}

void evidence_add_list(struct strbuf *sb, const char *title, const struct option_strings *items)
{
	if (!items->n)
		return;
	strbuf_addf(sb, "\n## %s\n\n", title);
	evidence_add_lines(sb, items);
}

void evidence_add_remarks(struct strbuf *sb, const struct run_report *report)
{
	const struct verdict_facts *verdict = report->verdict;
	const struct baseline_facts *baseline = report->baseline;
	if (verdict) {
		evidence_add_list(sb, "To look at", &verdict->findings);
		evidence_add_list(sb, "Dropped: the fix does not need it", &verdict->dropped);
		evidence_add_list(sb, "Judged as in the base: protected", &verdict->left_out);
	}
	if (baseline) {
		evidence_add_list(sb, "Flaky: counted neither way", &baseline->flaky);
		evidence_add_list(
			sb, "Depends on order: passes where it is run alone", &baseline->order_dependent);
	}
}

void evidence_add_limits(struct strbuf *sb, const struct run_report *report)
{
	strbuf_adds(sb,
		"\n## What this does not prove\n\n"
		"- That the program is right: the tests judged it, and what no test looks at may be wrong. "
		"Read the "
		"change.\n"
		"- That nobody cheated from inside: a program that runs in one process with its tests "
		"could forge their "
		"results there");
	strbuf_addf(sb, "%s.\n",
		report->verdict->sentinels_held
			? ", and those of two tests of rondo's own, which came out as they should"
			: "");
	if (report->site->world.n)
		strbuf_adds(sb,
			"- That it holds elsewhere: the tests ran with the interpreters and dependencies of "
			"one machine.\n");
}
