/* What there is to say of a run and its stages, as tables. */
#include "run/report/field.h"

#define FIELD_END {.name = NULL}
#define OF(stage, type, member) \
	.in = 1 + offsetof(struct run_report, stage), .offset = offsetof(struct type, member)
#define SITE(member) OF(site, site_facts, member)
#define BASELINE(member) OF(baseline, baseline_facts, member)
#define TALK(member) OF(talk, talk_facts, member)
#define VERDICT(member) OF(verdict, verdict_facts, member)
#define CHANGE(member) OF(change, run_change, member)
#define PUBLICATION(member) OF(publication, publication, member)
#define REPORT(member) .offset = offsetof(struct run_report, member)

#define IN(member) offsetof(struct report_head, member)

static bool is_line(const void *of)
{
	return ((const struct report_head *)of)->version == 0;
}

static bool is_report(const void *of)
{
	return !is_line(of);
}

const struct field head_fields[] = {
	{.name = "type",
		.offset = IN(type),
		.told = is_line,
		.help = "result: the last line of --json"},
	{.name = "version",
		.kind = FIELD_INT,
		.offset = IN(version),
		.told = is_report,
		.help = "of report.json"},
	{.name = "run", .offset = IN(run), .help = "its id, as rondo show takes it"},
	{.name = "ended",
		.kind = FIELD_DATE,
		.offset = IN(ended),
		.help = "when, in UTC: SOURCE_DATE_EPOCH where it is set"},
	{.name = "outcome",
		.kind = FIELD_OUTCOME,
		.offset = IN(outcome),
		.help = "what came of it, in a word"},
	{.name = "exit_code",
		.kind = FIELD_INT,
		.offset = IN(exit_code),
		.help = "what rondo exited with"},
	{.name = "reason",
		.offset = IN(reason),
		.help = "where it did not come to what was wanted: why"},
	{.name = "help", .offset = IN(help), .help = "what can be done about that"},
	FIELD_END,
};

#undef IN
#define IN(member) offsetof(struct run_test, member)

static const struct field test_fields[] = {
	{.name = "id", .offset = IN(id), .help = "as the runner names it"},
	{.name = "message", .offset = IN(message), .help = "why it failed at the base"},
	{.name = "place", .offset = IN(place), .help = "where: file:line"},
	FIELD_END,
};

#undef IN
#define IN(member) offsetof(struct run_spending, member)

#define SPENDING \
	{.name = "calls", .kind = FIELD_LONG, .offset = IN(calls), .help = "of models"}, \
		{.name = "prompt_tokens", \
			.kind = FIELD_LONG, \
			.offset = IN(usage.prompt_tokens), \
			.help = "as models count them"}, \
		{.name = "completion_tokens", \
			.kind = FIELD_LONG, \
			.offset = IN(usage.completion_tokens), \
			.help = "as models count them"}, \
		{.name = "total_tokens", .kind = FIELD_SUM, .offset = IN(usage), .help = "both"}, \
	{ \
		.name = "calls_of_unknown_usage", .kind = FIELD_LONG, .offset = IN(unknown_calls), \
		.help = "of these, whose tokens nobody knows" \
	}

static const struct field agent_fields[] = {SPENDING, FIELD_END};
static const struct field model_fields[] = {
	SPENDING,
	{.name = "cost", .kind = FIELD_COST, .offset = IN(cost_usd), .help = "in USD"},
	FIELD_END,
};

#undef IN

static const struct field usage_fields[] = {
	{.name = "calls", .kind = FIELD_LONG, REPORT(spent.calls), .help = "of models"},
	{.name = "prompt_tokens",
		.kind = FIELD_LONG,
		REPORT(spent.usage.prompt_tokens),
		.help = "as models count them"},
	{.name = "completion_tokens",
		.kind = FIELD_LONG,
		REPORT(spent.usage.completion_tokens),
		.help = "as models count them"},
	{.name = "total_tokens", .kind = FIELD_SUM, REPORT(spent.usage), .help = "both"},
	{.name = "by_agent",
		.kind = FIELD_BY_NAME,
		REPORT(spent.by_agent),
		.count = offsetof(struct run_report, spent.n_by_agent),
		.table = agent_fields,
		.help = "of those that asked"},
	{.name = "by_model",
		.kind = FIELD_BY_NAME,
		REPORT(spent.by_model),
		.count = offsetof(struct run_report, spent.n_by_model),
		.table = model_fields,
		.help = "of those that were asked"},
	FIELD_END,
};

/* The same in a report and in the journal; only the place differs. */
#define GOAL(PLACE) \
	{.name = "goal", \
		.kind = FIELD_ITEMS, \
		PLACE(goal), \
		.count = offsetof(struct baseline_facts, n_goal), \
		.table = test_fields, \
		.size = sizeof(struct run_test), \
		.help = "the failing tests that were to pass"}, \
		{.name = "flaky", \
			.kind = FIELD_TEXTS, \
			PLACE(flaky), \
			.help = "tests that differ from run to run: they count neither way"}, \
	{ \
		.name = "order_dependent", .kind = FIELD_TEXTS, PLACE(order_dependent), \
		.help = "those of the goal that pass where they are run alone" \
	}

static bool has_counts(const void *of)
{
	const struct verdict_facts *verdict = ((const struct run_report *)of)->verdict;
	return verdict && verdict->has_counts;
}

static const struct field tests_fields[] = {
	{.name = "command", SITE(command), .help = "a line for sh"},
	{.name = "found", SITE(origin), .help = "where the command comes from"},
	{.name = "format", BASELINE(format), .help = "in which results were read"},
	{.name = "also_found", .kind = FIELD_TEXTS, SITE(also), .help = "other suites"},
	{.name = "total",
		.kind = FIELD_SIZE,
		BASELINE(n_tests),
		.help = "at the base, without the skipped"},
	{.name = "skipped", .kind = FIELD_SIZE, BASELINE(n_skipped), .help = "at the base"},
	{.name = "passed_before", .kind = FIELD_SIZE, BASELINE(n_passed), .help = "at the base"},
	{.name = "passed_after",
		.kind = FIELD_SIZE,
		VERDICT(n_passed),
		.told = has_counts,
		.help = "in the gate, where the suite ran there"},
	{.name = "total_after",
		.kind = FIELD_SIZE,
		VERDICT(n_tests),
		.told = has_counts,
		.help = "in the gate, where the suite ran there, without the skipped"},
	GOAL(BASELINE),
	{.name = "baseline_ms",
		.kind = FIELD_LONG,
		BASELINE(duration_ms),
		.help = "how long the suite takes at the base"},
	FIELD_END,
};

static bool is_committed(const void *of)
{
	const struct publication *publication = ((const struct run_report *)of)->publication;
	return publication && publication->commit;
}

static bool has_goal(const void *of)
{
	return ((const struct run_report *)of)->baseline != NULL;
}

static const struct field fix_fields[] = {
	{.name = "what", TALK(what), .help = "the last change that was proposed, in a line"},
	{.name = "edits",
		.kind = FIELD_TEXTS,
		TALK(edits),
		.help = "each that was proposed, in a line"},
	{.name = "branch",
		PUBLICATION(branch),
		.told = is_committed,
		.help = "where there is one: it is verified"},
	{.name = "commit", PUBLICATION(commit), .help = "the branch's"},
	{.name = "stat", CHANGE(stat), .help = "a line a file"},
	{.name = "patch", CHANGE(path), .help = "the file that holds the change"},
	{.name = "patch_copy", PUBLICATION(patch_copy), .help = "by --patch"},
	{.name = "junit",
		REPORT(junit),
		.help = "by --junit: the directory of junit-before.xml and junit-after.xml"},
	{.name = "pull_request",
		PUBLICATION(pull_request),
		.help = "by --pull-request: the file that holds its text"},
	{.name = "applied_to", PUBLICATION(applied_to), .help = "by --apply: the checkout"},
	{.name = "goal_fixed",
		.kind = FIELD_SIZE,
		REPORT(n_fixed),
		.told = has_goal,
		.help = "of the goal, in the best state seen"},
	FIELD_END,
};

static bool has_searched(const void *of)
{
	const struct talk_facts *talk = ((const struct run_report *)of)->talk;
	return talk && talk->search.n_tried;
}

static const struct field search_fields[] = {
	{.name = "tried", .kind = FIELD_SIZE, TALK(search.n_tried), .help = "candidates"},
	{.name = "ms", .kind = FIELD_LONG, TALK(search.ms), .help = "in which they were tried"},
	{.name = "warm",
		.kind = FIELD_BOOL,
		TALK(search.warm),
		.help = "by tests that were kept loaded"},
	{.name = "kind",
		TALK(search.kind),
		.help = "of the edit that was chosen among candidates that passed"},
	{.name = "rank",
		TALK(search.rank),
		.help = "how likely such an edit is right: operator, structure, literal, special case, "
				"removal"},
	{.name = "confidence",
		TALK(search.confidence),
		.help = "high; medium: other edits passed, too, and behave otherwise, or may; low: it may "
				"only silence the tests"},
	{.name = "asked",
		.kind = FIELD_SIZE,
		TALK(search.n_asked),
		.help = "edits that passed and were run with other values in the failing tests; 0: these "
				"told nothing"},
	{.name = "alike",
		.kind = FIELD_SIZE,
		TALK(search.n_alike),
		.help = "of these, those that then behave as the chosen one"},
	{.name = "others",
		.kind = FIELD_TEXTS,
		TALK(search.others),
		.help = "edits that passed all tests too, the likeliest first"},
	FIELD_END,
};

/* What the gate observed. */
static const struct field gate_fields[] = {
	{.name = "evidence",
		.kind = FIELD_TEXTS,
		VERDICT(evidence),
		.help = "what was run, a line each"},
	{.name = "findings",
		.kind = FIELD_TEXTS,
		VERDICT(findings),
		.help =
			"of the rules: what refuses the change or, where it is verified, should be looked at"},
	{.name = "dropped", .kind = FIELD_TEXTS, VERDICT(dropped), .help = "what the fix did not need"},
	{.name = "left_out",
		.kind = FIELD_TEXTS,
		VERDICT(left_out),
		.help = "changes of what is protected: judged as in the base"},
	{.name = "sentinels_held",
		.kind = FIELD_BOOL,
		VERDICT(sentinels_held),
		.help = "tests of the gate's own were reported as they came out"},
	FIELD_END,
};

static bool has_stop(const void *of)
{
	const struct talk_facts *talk = ((const struct run_report *)of)->talk;
	return talk && talk->stop.condition;
}

static bool has_stop_message(const void *of)
{
	return has_stop(of) && ((const struct run_report *)of)->talk->stop.message;
}

static const struct field stop_fields[] = {
	{.name = "condition", TALK(stop.condition), .help = "its type"},
	{.name = "verdict", .kind = FIELD_VERDICT, TALK(stop.verdict), .help = "what that means"},
	{.name = "message",
		.kind = FIELD_LONG,
		TALK(stop.message),
		.told = has_stop_message,
		.help = "by its number, from 1"},
	{.name = "source", TALK(stop.source), .help = "who said it"},
	{.name = "messages", .kind = FIELD_SIZE, TALK(stop.n_messages), .help = "how many"},
	{.name = "rounds", .kind = FIELD_SIZE, TALK(stop.n_rounds), .help = "how many"},
	{.name = "left_unexecuted",
		.kind = FIELD_BOOL,
		TALK(stop.left_unexecuted),
		.help = RUN_LEFT_UNEXECUTED},
	{.name = "text", TALK(stop.text), .help = "in words"},
	FIELD_END,
};

const struct field report_fields[] = {
	{.name = "name", REPORT(name), .help = "of the repository, program or scenario"},
	{.name = "root", SITE(root), .help = "of the checkout"},
	{.name = "base", SITE(base), .help = "the commit that the run began with"},
	{.name = "snapshot",
		.kind = FIELD_BOOL,
		SITE(is_snapshot),
		.help = "the base is a snapshot of uncommitted work"},
	{.name = "executor", SITE(executor), .help = "where code ran"},
	{.name = "coder", REPORT(coder), .help = "of rondo fix, in a word"},
	{.name = "model", REPORT(spent.models), .help = "that were asked"},
	{.name = "usage", .kind = FIELD_PART, .table = usage_fields, .help = "of models"},
	{.name = "cost_usd", .kind = FIELD_COST, REPORT(spent.cost_usd), .help = "of models, in USD"},
	{.name = "tests", .kind = FIELD_PART, .table = tests_fields, .help = "the suite"},
	{.name = "fix", .kind = FIELD_PART, .table = fix_fields, .help = "what was changed"},
	{.name = "search",
		.kind = FIELD_PART,
		.table = search_fields,
		.told = has_searched,
		.help = "of the coder without a model"},
	{.name = "gate", .kind = FIELD_PART, .table = gate_fields, .help = "how that was judged"},
	{.name = "world",
		.kind = FIELD_TEXTS,
		SITE(world),
		.help = "what the tests saw beside the system"},
	{.name = "notices", .kind = FIELD_TEXTS, REPORT(notices), .help = "what the user should know"},
	{.name = "stopped_by", TALK(stop_reason), .help = "why the chat stopped, in words"},
	{.name = "stop", .kind = FIELD_PART, .table = stop_fields, .told = has_stop, .help = "exactly"},
	{.name = "summary", TALK(summary), .help = "of the chat"},
	{.name = "turns", .kind = FIELD_INT, TALK(turns), .help = "as max_turns counts them"},
	{.name = "spent", REPORT(spent.text), .help = "on models, in words"},
	{.name = "failed_asserts", REPORT(failed_asserts), .help = "of the scenario, a line each"},
	{.name = "files",
		PUBLICATION(files),
		.help = "the directory of what a run outside a repository wrote"},
	{.name = "duration_ms", .kind = FIELD_LONG, REPORT(duration_ms), .help = "of the run"},
	FIELD_END,
};

/* --- Of the journal --- */

#define IN_SITE(member) .offset = offsetof(struct site_facts, member)
#define IN_BASELINE(member) .offset = offsetof(struct baseline_facts, member)

static bool has_root(const void *of)
{
	return ((const struct site_facts *)of)->root != NULL;
}

static bool has_suite(const void *of)
{
	return ((const struct site_facts *)of)->command != NULL;
}

static bool has_borrowed(const void *of)
{
	return ((const struct site_facts *)of)->borrowed.n > 0;
}

static const struct field participant_fields[] = {
	{.name = "name", .offset = offsetof(struct run_participant, name)},
	{.name = "human_input_mode", .offset = offsetof(struct run_participant, human_input_mode)},
	FIELD_END,
};

const struct field site_fields[] = {
	{.name = "name", IN_SITE(name)},
	{.name = "root", IN_SITE(root)},
	{.name = "branch", IN_SITE(branch)},
	{.name = "head", IN_SITE(head)},
	{.name = "base", IN_SITE(base)},
	{.name = "tree", IN_SITE(tree)},
	{.name = "snapshot", .kind = FIELD_BOOL, IN_SITE(is_snapshot), .told = has_root},
	{.name = "repository", .kind = FIELD_BOOL, IN_SITE(has_repository), .told = has_root},
	{.name = "modified", .kind = FIELD_SIZE, IN_SITE(n_modified), .told = has_root},
	{.name = "untracked", .kind = FIELD_SIZE, IN_SITE(n_untracked), .told = has_root},
	{.name = "deleted", .kind = FIELD_SIZE, IN_SITE(n_deleted), .told = has_root},
	{.name = "borrowed", .kind = FIELD_TEXTS, IN_SITE(borrowed), .told = has_borrowed},
	{.name = "command", IN_SITE(command)},
	{.name = "origin", IN_SITE(origin)},
	{.name = "runner", IN_SITE(runner)},
	{.name = "also", .kind = FIELD_TEXTS, IN_SITE(also), .told = has_suite},
	{.name = "coder", IN_SITE(coder)},
	{.name = "executor", IN_SITE(executor)},
	{.name = "network", IN_SITE(network)},
	{.name = "participants",
		.kind = FIELD_ITEMS,
		IN_SITE(participants),
		.count = offsetof(struct site_facts, n_participants),
		.table = participant_fields,
		.size = sizeof(struct run_participant)},
	FIELD_END,
};

const struct field baseline_fields[] = {
	{.name = "tests", .kind = FIELD_SIZE, IN_BASELINE(n_tests)},
	{.name = "passed", .kind = FIELD_SIZE, IN_BASELINE(n_passed)},
	{.name = "skipped", .kind = FIELD_SIZE, IN_BASELINE(n_skipped)},
	{.name = "duration_ms", .kind = FIELD_LONG, IN_BASELINE(duration_ms)},
	GOAL(IN_BASELINE),
	FIELD_END,
};
