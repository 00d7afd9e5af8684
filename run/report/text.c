/* report.md: what came of a run, as a note for whoever has to take its result or go on without one. */
#include <string.h>

#include "base/clock.h"
#include "run/report/commit_message.h"
#include "run/report/evidence.h"
#include "run/report/markdown.h"
#include "run/stages.h"

static void add_spendings(struct strbuf *sb, const char *what, const struct run_spending *items, size_t n,
	bool with_cost)
{
	for (size_t i = 0; i < n; i++) {
		strbuf_addf(sb, "- %s %s: ", what, items[i].name);
		run_spending_describe(&items[i], with_cost, sb);
		strbuf_addc(sb, '\n');
	}
}

/* Where it was, and where what it left lies. */
static void add_places(struct strbuf *sb, const struct run_result *result)
{
	if (result->base)
		strbuf_addf(sb, "- base %s%s\n", result->base,
			result->is_snapshot ? " (snapshot of uncommitted work)" : "");
	if (result->commit)
		strbuf_addf(sb, "- branch `%s` at %s\n", result->branch, result->commit);
	if (result->command) {
		strbuf_adds(sb, "- tests ");
		markdown_add_code(sb, result->command);
		strbuf_addf(sb, " (%s)\n", result->origin);
	}
	if (result->n_tests)
		strbuf_addf(sb, "- %zu of %zu passed before, %zu after\n", result->n_passed_before,
			result->n_tests, result->n_passed_after);
}

/* What it came to, in lines of facts. */
static void add_facts(struct strbuf *sb, const struct run_result *result)
{
	char time[CLOCK_DATE_SIZE];
	clock_format_duration(result->duration_ms, time);
	strbuf_addf(sb, "- run %s, %s\n", result->id, time);
	add_places(sb, result);
	if (result->coder)
		strbuf_addf(sb, "- coder %s\n", result->coder);
	if (result->stopped)
		strbuf_addf(sb, "- stopped %s: %s\n", result->stopped, result->stop_reason);
	if (result->left_unexecuted)
		strbuf_addf(sb, "- %s\n", RUN_LEFT_UNEXECUTED);
	add_spendings(sb, "agent", result->by_agent, result->n_by_agent, false);
	add_spendings(sb, "model", result->by_model, result->n_by_model, true);
	if (result->models)
		strbuf_addf(sb, "- models %s: %s\n", result->models, result->spent);
}

static void add_outcome(struct strbuf *sb, const struct run_result *result, const struct rondo_error *failure)
{
	AUTO_ARENA arena = ARENA_INIT;
	const char *reason = failure ? failure->message : result->reason, *help = failure ? failure->help : result->help;
	bool verified = result->outcome == RUN_VERIFIED && result->n_goal;
	strbuf_addf(sb, "# %s: %s\n\n", result->name ? result->name : "run",
		failure ? RUN_ERROR_WORD : run_outcome_word(result->outcome));
	if (!failure && verified)
		strbuf_addf(sb, "%s\n\n", commit_subject(result, &arena));
	if (reason)
		strbuf_addf(sb, "%s\n\n", reason);
	if (reason && help && *help)
		strbuf_addf(sb, "What helps: %s\n\n", help);
}

void report_text(const struct run_result *result, const struct rondo_error *failure, struct strbuf *sb)
{
	add_outcome(sb, result, failure);
	add_facts(sb, result);
	if (result->summary && !result->coder) /* else its words are those of the change */
		strbuf_addf(sb, "\n## Summary\n\n%s\n", result->summary);
	evidence_add_goal(sb, result);
	evidence_add_change(sb, result);
	if (result->patch) {
		strbuf_addc(sb, '\n');
		markdown_add_block(sb, "diff", result->patch);
	}
	bool verified = result->outcome == RUN_VERIFIED && !failure;
	if (verified)
		evidence_add_verification(sb, result);
	evidence_add_remarks(sb, result);
	evidence_add_list(sb, "What the tests saw beside the system", result->world, result->n_world);
	evidence_add_list(sb, "Notices", result->notices, result->n_notices);
	if (verified)
		evidence_add_limits(sb, result);
}
