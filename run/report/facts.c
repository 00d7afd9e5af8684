/* What there is to say of a run; see run/report/facts.h. */
#include "run/report/facts.h"

#define FACT_END {.name = NULL}
#define AT(member) offsetof(struct run_result, member)

#define IN(member) offsetof(struct report_head, member)

static bool is_line(const void *of)
{
	return ((const struct report_head *)of)->version == 0;
}

static bool is_report(const void *of)
{
	return !is_line(of);
}

const struct fact head_facts[] = {
	{.name = "type", .offset = IN(type), .told = is_line, .help = "result: the last line of --json"},
	{.name = "version", .kind = FACT_INT, .offset = IN(version), .told = is_report, .help = "of report.json"},
	{.name = "run", .offset = IN(run), .help = "its id, as rondo show takes it"},
	{.name = "ended", .kind = FACT_DATE, .offset = IN(ended), .help = "when, in UTC: SOURCE_DATE_EPOCH where it is set"},
	{.name = "outcome", .kind = FACT_OUTCOME, .offset = IN(outcome), .help = "what came of it, in a word"},
	{.name = "exit_code", .kind = FACT_INT, .offset = IN(exit_code), .help = "what rondo exited with"},
	{.name = "reason", .offset = IN(reason), .help = "where it did not come to what was wanted: why"},
	FACT_END,
};

#undef IN
#define IN(member) offsetof(struct run_test, member)

static const struct fact test_facts[] = {
	{.name = "id", .offset = IN(id), .help = "as the runner names it"},
	{.name = "message", .offset = IN(message), .help = "why it failed at the base"},
	{.name = "place", .offset = IN(place), .help = "where: file:line"},
	FACT_END,
};

#undef IN
#define IN(member) offsetof(struct run_spending, member)

#define SPENDING \
	{.name = "calls", .kind = FACT_LONG, .offset = IN(calls), .help = "of models"}, \
	{.name = "prompt_tokens", .kind = FACT_LONG, .offset = IN(usage.prompt_tokens), .help = "as models count them"}, \
	{.name = "completion_tokens", .kind = FACT_LONG, .offset = IN(usage.completion_tokens), .help = "as models count them"}, \
	{.name = "total_tokens", .kind = FACT_SUM, .offset = IN(usage), .help = "both"}, \
	{.name = "calls_of_unknown_usage", .kind = FACT_LONG, .offset = IN(unknown_calls), \
		.help = "of these, whose tokens nobody knows"}

static const struct fact agent_facts[] = {SPENDING, FACT_END};
static const struct fact model_facts[] = {
	SPENDING,
	{.name = "cost", .kind = FACT_COST, .offset = IN(cost_usd), .help = "in USD"},
	FACT_END,
};

#undef IN

static const struct fact usage_facts[] = {
	{.name = "calls", .kind = FACT_LONG, .offset = AT(calls), .help = "of models"},
	{.name = "prompt_tokens", .kind = FACT_LONG, .offset = AT(usage.prompt_tokens), .help = "as models count them"},
	{.name = "completion_tokens", .kind = FACT_LONG, .offset = AT(usage.completion_tokens), .help = "as models count them"},
	{.name = "total_tokens", .kind = FACT_SUM, .offset = AT(usage), .help = "both"},
	{.name = "by_agent", .kind = FACT_BY_NAME, .offset = AT(by_agent), .count = AT(n_by_agent), .table = agent_facts,
		.help = "of those that asked"},
	{.name = "by_model", .kind = FACT_BY_NAME, .offset = AT(by_model), .count = AT(n_by_model), .table = model_facts,
		.help = "of those that were asked"},
	FACT_END,
};

#define GOAL \
	{.name = "goal", .kind = FACT_ITEMS, .offset = AT(goal), .count = AT(n_goal), .table = test_facts, \
		.size = sizeof(struct run_test), .help = "the failing tests that were to pass"}, \
	{.name = "flaky", .kind = FACT_TEXTS, .offset = AT(flaky), .count = AT(n_flaky), \
		.help = "tests that differ from run to run: they count neither way"}, \
	{.name = "order_dependent", .kind = FACT_TEXTS, .offset = AT(order_dependent), .count = AT(n_order_dependent), \
		.help = "those of the goal that pass where they are run alone"}

const struct fact goal_facts[] = {GOAL, FACT_END};
static const struct fact tests_facts[] = {
	{.name = "command", .offset = AT(command), .help = "a line for sh"},
	{.name = "found", .offset = AT(origin), .help = "where the command comes from"},
	{.name = "format", .offset = AT(format), .help = "in which results were read"},
	{.name = "also_found", .kind = FACT_TEXTS, .offset = AT(also), .count = AT(n_also), .help = "other suites"},
	{.name = "total", .kind = FACT_SIZE, .offset = AT(n_tests), .help = "at the base, without the skipped"},
	{.name = "skipped", .kind = FACT_SIZE, .offset = AT(n_skipped), .help = "at the base"},
	{.name = "passed_before", .kind = FACT_SIZE, .offset = AT(n_passed_before), .help = "at the base"},
	{.name = "passed_after", .kind = FACT_SIZE, .offset = AT(n_passed_after), .help = "in the gate"},
	{.name = "total_after", .kind = FACT_SIZE, .offset = AT(n_tests_after), .help = "in the gate, without the skipped"},
	GOAL,
	{.name = "baseline_ms", .kind = FACT_LONG, .offset = AT(baseline_ms), .help = "how long the suite takes at the base"},
	FACT_END,
};

static bool is_committed(const void *of)
{
	return ((const struct run_result *)of)->commit != NULL;
}

static const struct fact fix_facts[] = {
	{.name = "what", .offset = AT(what), .help = "the last change that was proposed, in a line"},
	{.name = "edits", .kind = FACT_TEXTS, .offset = AT(edits), .count = AT(n_edits), .help = "each that was proposed, in a line"},
	{.name = "branch", .offset = AT(branch), .told = is_committed, .help = "where there is one: it is verified"},
	{.name = "commit", .offset = AT(commit), .help = "the branch's"},
	{.name = "stat", .offset = AT(stat), .help = "a line a file"},
	{.name = "patch", .offset = AT(patch_path), .help = "the file that holds the change"},
	{.name = "patch_copy", .offset = AT(patch_copy), .help = "by --patch"},
	{.name = "junit", .offset = AT(junit), .help = "by --junit: the directory of junit-before.xml and junit-after.xml"},
	{.name = "pull_request", .offset = AT(pull_request), .help = "by --pull-request: the file that holds its text"},
	{.name = "applied_to", .offset = AT(applied_to), .help = "by --apply: the checkout"},
	{.name = "goal_fixed", .kind = FACT_SIZE, .offset = AT(n_fixed), .help = "of the goal, in the best state seen"},
	FACT_END,
};

static bool has_searched(const void *of)
{
	return ((const struct run_result *)of)->search.n_tried > 0;
}

static const struct fact search_facts[] = {
	{.name = "tried", .kind = FACT_SIZE, .offset = AT(search.n_tried), .help = "candidates"},
	{.name = "ms", .kind = FACT_LONG, .offset = AT(search.ms), .help = "in which they were tried"},
	{.name = "warm", .kind = FACT_BOOL, .offset = AT(search.warm), .help = "by tests that were kept loaded"},
	{.name = "kind", .offset = AT(search.kind), .help = "of the edit that was chosen among candidates that passed"},
	{.name = "rank", .offset = AT(search.rank),
		.help = "how likely such an edit is right: operator, structure, literal, special case, removal"},
	{.name = "confidence", .offset = AT(search.confidence),
		.help = "high; medium: other edits passed, too, and behave otherwise; low: it may only silence the tests"},
	{.name = "asked", .kind = FACT_SIZE, .offset = AT(search.n_asked),
		.help = "edits that passed and were run with the failing tests' values replaced by others"},
	{.name = "alike", .kind = FACT_SIZE, .offset = AT(search.n_alike), .help = "of these, those that then behave as the chosen one"},
	{.name = "others", .kind = FACT_TEXTS, .offset = AT(search.others), .count = AT(search.n_others),
		.help = "edits that passed all tests too, the likeliest first"},
	FACT_END,
};

/* What the gate observed. */
static const struct fact gate_facts[] = {
	{.name = "evidence", .kind = FACT_TEXTS, .offset = AT(evidence), .count = AT(n_evidence), .help = "what was run, a line each"},
	{.name = "findings", .kind = FACT_TEXTS, .offset = AT(findings), .count = AT(n_findings),
		.help = "of the rules: what refuses the change or, where it is verified, should be looked at"},
	{.name = "dropped", .kind = FACT_TEXTS, .offset = AT(dropped), .count = AT(n_dropped), .help = "what the fix did not need"},
	{.name = "left_out", .kind = FACT_TEXTS, .offset = AT(left_out), .count = AT(n_left_out),
		.help = "changes of what is protected: judged as in the base"},
	{.name = "sentinels_held", .kind = FACT_BOOL, .offset = AT(sentinels_held),
		.help = "tests of the gate's own were reported as they came out"},
	FACT_END,
};

static bool has_stop_message(const void *of)
{
	return ((const struct run_result *)of)->stop_message != 0;
}

static const struct fact stop_facts[] = {
	{.name = "condition", .offset = AT(stop_condition), .help = "its type"},
	{.name = "verdict", .kind = FACT_VERDICT, .offset = AT(verdict), .help = "what that means"},
	{.name = "message", .kind = FACT_LONG, .offset = AT(stop_message), .told = has_stop_message, .help = "by its number, from 1"},
	{.name = "source", .offset = AT(stop_source), .help = "who said it"},
	{.name = "messages", .kind = FACT_SIZE, .offset = AT(n_messages), .help = "how many"},
	{.name = "rounds", .kind = FACT_SIZE, .offset = AT(n_rounds), .help = "how many"},
	{.name = "left_unexecuted", .kind = FACT_BOOL, .offset = AT(left_unexecuted), .help = RUN_LEFT_UNEXECUTED},
	{.name = "text", .offset = AT(stopped), .help = "in words"},
	FACT_END,
};

static bool has_stop(const void *of)
{
	return ((const struct run_result *)of)->stop_condition != NULL;
}

const struct fact result_facts[] = {
	{.name = "name", .offset = AT(name), .help = "of the repository, program or scenario"},
	{.name = "root", .offset = AT(root), .help = "of the checkout"},
	{.name = "base", .offset = AT(base), .help = "the commit that the run began with"},
	{.name = "snapshot", .kind = FACT_BOOL, .offset = AT(is_snapshot), .help = "the base is a snapshot of uncommitted work"},
	{.name = "executor", .offset = AT(executor), .help = "where code ran"},
	{.name = "coder", .offset = AT(coder), .help = "of rondo fix, in a word"},
	{.name = "model", .offset = AT(models), .help = "that were asked"},
	{.name = "usage", .kind = FACT_PART, .table = usage_facts, .help = "of models"},
	{.name = "cost_usd", .kind = FACT_COST, .offset = AT(cost_usd), .help = "of models, in USD"},
	{.name = "tests", .kind = FACT_PART, .table = tests_facts, .help = "the suite"},
	{.name = "fix", .kind = FACT_PART, .table = fix_facts, .help = "what was changed"},
	{.name = "search", .kind = FACT_PART, .table = search_facts, .told = has_searched, .help = "of the coder without a model"},
	{.name = "gate", .kind = FACT_PART, .table = gate_facts, .help = "how that was judged"},
	{.name = "world", .kind = FACT_TEXTS, .offset = AT(world), .count = AT(n_world), .help = "what the tests saw beside the system"},
	{.name = "notices", .kind = FACT_TEXTS, .offset = AT(notices), .count = AT(n_notices), .help = "what the user should know"},
	{.name = "stopped_by", .offset = AT(stop_reason), .help = "why the chat stopped, in words"},
	{.name = "stop", .kind = FACT_PART, .table = stop_facts, .told = has_stop, .help = "exactly"},
	{.name = "summary", .offset = AT(summary), .help = "of the chat"},
	{.name = "turns", .kind = FACT_INT, .offset = AT(turns), .help = "as max_turns counts them"},
	{.name = "spent", .offset = AT(spent), .help = "on models, in words"},
	{.name = "failed_asserts", .offset = AT(failed_asserts), .help = "of the scenario, a line each"},
	{.name = "files", .offset = AT(files), .help = "the directory of what a run outside a repository wrote"},
	{.name = "duration_ms", .kind = FACT_LONG, .offset = AT(duration_ms), .help = "of the run"},
	FACT_END,
};
