/* What came of a run, for people: report.md, and the text of a pull request. */
#include <inttypes.h>
#include <string.h>

#include "base/clock.h"
#include "run/report/report.h"
#include "run/stages.h"

static void add_spendings(
	struct strbuf *sb, const char *what, const struct run_spending *items, size_t n, bool with_cost)
{
	for (size_t i = 0; i < n; i++) {
		strbuf_addf(sb, "- %s %s: ", what, items[i].name);
		run_spending_describe(&items[i], with_cost, sb);
		strbuf_addc(sb, '\n');
	}
}

/* Where it was, and where what it left lies. */
static void add_places(struct strbuf *sb, const struct run_report *report)
{
	const struct site_facts *site = report->site;
	const struct publication *publication = report->publication;
	if (site && site->base)
		strbuf_addf(sb, "- base %s%s\n", site->base,
			site->is_snapshot ? " (a snapshot: uncommitted work, or a patch)" : "");
	if (publication && publication->commit)
		strbuf_addf(sb, "- branch `%s` at %s\n", publication->branch, publication->commit);
	if (site && site->command) {
		strbuf_adds(sb, "- tests ");
		markdown_add_code(sb, site->command);
		strbuf_addf(sb, " (%s)\n", site->origin);
	}
}

/* Of the gate only what it saw. */
static void add_counts(struct strbuf *sb, const struct run_report *report)
{
	const struct verdict_facts *verdict = report->verdict;
	if (!report->baseline)
		return;
	strbuf_addf(
		sb, "- %zu of %zu passed before", report->baseline->n_passed, report->baseline->n_tests);
	if (verdict && verdict->has_counts)
		strbuf_addf(sb, ", %zu of %zu after", verdict->n_passed, verdict->n_tests);
	strbuf_addc(sb, '\n');
}

static void add_talk(struct strbuf *sb, const struct talk_facts *talk)
{
	if (talk && talk->stop.condition)
		strbuf_addf(sb, "- stopped %s: %s\n", talk->stop.text, talk->stop_reason);
	if (talk && talk->stop.left_unexecuted)
		strbuf_addf(sb, "- %s\n", RUN_LEFT_UNEXECUTED);
}

/* Of several attempts, each with what it took and how it differed. */
static void add_attempts(struct strbuf *sb, const struct run_report *report)
{
	AUTO_ARENA arena = ARENA_INIT;
	char time[CLOCK_DATE_SIZE];
	if (!report->n_attempts)
		return;
	strbuf_addf(sb, "\n## Attempts (select: %s)\n\n", report->select);
	strbuf_adds(sb,
		"| attempt | outcome | fixed | lines | turns | tokens | USD | time | seed | temperature | "
		"branch |\n|---|---|---|---|---|---|---|---|---|---|---|\n");
	for (size_t i = 0; i < report->n_attempts; i++) {
		const struct run_attempt *row = &report->attempts[i];
		clock_format_duration(row->duration_ms, time);
		strbuf_addf(sb, "| %zu%s | %s | %zu | %zu | %" PRId64 " | %" PRId64 " | %s | %s | ",
			row->number, row->is_chosen ? " (chosen)" : "", row->outcome, row->n_fixed,
			row->n_lines, row->turns, row->tokens, run_cost_text(row->cost_usd, &arena), time);
		strbuf_addf(sb, "%" PRId64 " | %s | %s |\n", row->seed,
			row->temperature ? row->temperature : "the provider's", row->branch ? row->branch : "");
	}
}

static void add_attempt_reasons(struct strbuf *sb, const struct run_report *report)
{
	bool is_first = true;
	for (size_t i = 0; i < report->n_attempts; i++) {
		const struct run_attempt *row = &report->attempts[i];
		if (!row->reason || row->is_chosen)
			continue;
		strbuf_addf(sb, "%s- attempt %zu: ", is_first ? "\n" : "", row->number);
		markdown_add_code(sb, row->reason); /* it may quote what a program said */
		strbuf_addc(sb, '\n');
		is_first = false;
	}
}

/* What it came to, a line each. */
static void add_facts(struct strbuf *sb, const struct run_report *report)
{
	char time[CLOCK_DATE_SIZE];
	const struct run_spent *spent = &report->spent;
	clock_format_duration(report->duration_ms, time);
	strbuf_addf(sb, "- run %s, %s\n", report->id, time);
	add_places(sb, report);
	add_counts(sb, report);
	if (report->coder)
		strbuf_addf(sb, "- coder %s\n", report->coder);
	add_talk(sb, report->talk);
	add_spendings(sb, "agent", spent->by_agent, spent->n_by_agent, false);
	add_spendings(sb, "model", spent->by_model, spent->n_by_model, true);
	if (spent->models)
		strbuf_addf(sb, "- models %s: %s\n", spent->models, spent->text);
}

static void add_outcome(
	struct strbuf *sb, const struct run_report *report, const struct rondo_error *failure)
{
	AUTO_ARENA arena = ARENA_INIT;
	const char *reason = failure ? failure->message : report->reason,
			   *help = failure ? failure->help : report->help;
	bool verified = run_outcome_is_verified(report->outcome);
	strbuf_addf(sb, "# %s: %s\n\n", report->name ? report->name : "run",
		failure ? RUN_ERROR_WORD : run_outcome_word(report->outcome));
	if (!failure && verified && !report->proposal)
		strbuf_addf(sb, "%s\n\n", commit_subject(report, &arena));
	if (reason)
		strbuf_addf(sb, "%s\n\n", reason);
	if (reason && help && *help)
		strbuf_addf(sb, "What helps: %s\n\n", help);
}

void report_text(
	const struct run_report *report, const struct rondo_error *failure, struct strbuf *sb)
{
	bool verified = run_outcome_is_verified(report->outcome) && !failure;
	add_outcome(sb, report, failure);
	add_facts(sb, report);
	add_attempts(sb, report);
	add_attempt_reasons(sb, report);
	/* else its words are those of the change */
	if (report->talk && report->talk->summary && !report->coder)
		strbuf_addf(sb, "\n## Summary\n\n%s\n", report->talk->summary);
	evidence_add_goal(sb, report);
	evidence_add_change(sb, report);
	if (report->change) {
		strbuf_addc(sb, '\n');
		markdown_add_block(sb, "diff", report->change->patch);
	}
	if (verified)
		evidence_add_verification(sb, report);
	evidence_add_remarks(sb, report);
	if (report->site)
		evidence_add_list(sb, "What else the tests could see in the sandbox", &report->site->world);
	evidence_add_list(sb, "Notices", &report->notices);
	if (verified)
		evidence_add_limits(sb, report);
}

/* --- A pull request --- */

/* Who made it, at what cost. */
static void add_origin(struct strbuf *sb, const struct run_report *report)
{
	strbuf_addf(sb, "\n---\n\n%s by rondo %s, run `%s`", report->proposal ? "Judged" : "Made",
		rondo_version(), report->id);
	if (!report->spent.models) {
		strbuf_addf(sb, "; no model was asked.\n");
		return;
	}
	strbuf_adds(sb, "; model ");
	markdown_add_code(sb, report->spent.models);
	strbuf_addf(sb, ", %s.\n", report->spent.text ? report->spent.text : "cost unknown");
}

/* Of a change that somebody else made: what came of it. */
static void add_judgement(struct strbuf *sb, const struct run_report *report)
{
	bool is_verified = report->outcome == RUN_VERIFIED;
	strbuf_addf(sb, "%s: ", run_outcome_word(report->outcome));
	if (is_verified)
		strbuf_adds(sb, report->reason);
	else
		markdown_add_code(sb, report->reason); /* it may quote the change */
	strbuf_addc(sb, '\n');
	if (!is_verified && report->help)
		strbuf_addf(sb, "\nWhat helps: %s\n", report->help);
	if (is_verified)
		evidence_add_verification(sb, report);
	evidence_add_remarks(sb, report);
	if (is_verified)
		evidence_add_limits(sb, report);
	add_origin(sb, report);
}

void pull_request_write(const struct run_report *report, const char *title, struct strbuf *sb)
{
	if (report->proposal) {
		add_judgement(sb, report);
		return;
	}
	strbuf_addf(sb, "%s\n", title);
	evidence_add_goal(sb, report);
	evidence_add_change(sb, report);
	evidence_add_verification(sb, report);
	evidence_add_remarks(sb, report);
	evidence_add_limits(sb, report);
	add_origin(sb, report);
}
