/* What there is to say of a run and its stages, as tables. */
#include "run/report/field.h"

#define FIELD_END \
	{ \
		.name = NULL \
	}
#define OF(stage, type, member) \
	.in = 1 + offsetof(struct run_report, stage), .offset = offsetof(struct type, member)
#define SITE(member) OF(site, site_facts, member)
#define BASELINE(member) OF(baseline, baseline_facts, member)
#define TALK(member) OF(talk, talk_facts, member)
#define VERDICT(member) OF(verdict, verdict_facts, member)
#define CHANGE(member) OF(change, run_change, member)
#define PUBLICATION(member) OF(publication, publication, member)
#define REPORT(member) .offset = offsetof(struct run_report, member)
#define SPENT(member) REPORT(spent.member)
/* The field is left out unless this other member of its struct is set. */
#define IF(type, member) \
	.when = offsetof(struct type, member), .when_size = sizeof((struct type){0}.member)
#define TABLE(fields, type) .table = fields, .size = sizeof(struct type)

#define IN(member) .offset = offsetof(struct report_head, member)

const struct field head_fields[] = {
	{"type", FIELD_TEXT, "result: the last line of --json", IN(type)},
	{"version", FIELD_INT, "of report.json", IN(version), IF(report_head, version)},
	{"run", FIELD_TEXT, "its id, as rondo show takes it", IN(run)},
	{"ended", FIELD_DATE, "when, in UTC: SOURCE_DATE_EPOCH where it is set", IN(ended)},
	{"outcome", FIELD_OUTCOME, "what came of it, in a word", IN(outcome)},
	{"exit_code", FIELD_INT, "what rondo exited with", IN(exit_code)},
	{"reason", FIELD_TEXT, "where it did not come to what was wanted: why", IN(reason)},
	{"help", FIELD_TEXT, "what can be done about that", IN(help)},
	FIELD_END,
};

#undef IN
#define IN(member) .offset = offsetof(struct run_test, member)

static const struct field test_fields[] = {
	{"id", FIELD_TEXT, "as the runner names it", IN(id)},
	{"message", FIELD_TEXT, "why it failed at the base", IN(message)},
	{"place", FIELD_TEXT, "where: file:line", IN(place)},
	{"cause", FIELD_TEXT, "what it has in common with its group, if there are several", IN(cause)},
	FIELD_END,
};

#undef IN
#define IN(member) .offset = offsetof(struct run_spending, member)

/* clang-format off */
#define SPENDING(PLACE) \
	{"calls", FIELD_LONG, "of models", PLACE(calls)}, \
	{"prompt_tokens", FIELD_LONG, "as models count them", PLACE(usage.prompt_tokens)}, \
	{"completion_tokens", FIELD_LONG, "as models count them", PLACE(usage.completion_tokens)}, \
	{"cached_tokens", FIELD_LONG, "of the prompt's, from a cache", PLACE(usage.cached_tokens)}, \
	{"cache_written_tokens", FIELD_LONG, "of the prompt's, taken into a cache", \
		PLACE(usage.cache_written_tokens)}, \
	{"reasoning_tokens", FIELD_LONG, "of the completion's, thought and not said", \
		PLACE(usage.reasoning_tokens)}, \
	{"lost_tokens", FIELD_LONG, "of both, of replies that broke off, in part estimated", \
		PLACE(usage.lost_tokens)}, \
	{"total_tokens", FIELD_SUM, "both", PLACE(usage)}
#define UNKNOWN \
	{"calls_of_unknown_usage", FIELD_LONG, "of these, whose tokens nobody knows", IN(unknown_calls)}

/* The same in a report and in the journal; only the place differs. */
#define GOAL(PLACE) \
	{"goal", FIELD_ITEMS, "the failing tests that were to pass", PLACE(goal), \
		.count = offsetof(struct baseline_facts, n_goal), TABLE(test_fields, run_test)}, \
	{"flaky", FIELD_TEXTS, "tests that differ from run to run: they count neither way", \
		PLACE(flaky)}, \
	{"order_dependent", FIELD_TEXTS, "those of the goal that pass where they are run alone", \
		PLACE(order_dependent)}, \
	{"hung", FIELD_TEXTS, "those of the goal that do not end", PLACE(hung)}, \
	{"new", FIELD_TEXTS, "those of the goal that did not fail a few commits earlier", \
		PLACE(fresh)}, \
	{"untold", FIELD_SIZE, "how many of these lists' items are only in report.json", \
		PLACE(n_untold), IF(baseline_facts, n_untold)}
/* clang-format on */

static const struct field agent_fields[] = {SPENDING(IN), UNKNOWN, FIELD_END};
static const struct field model_fields[] = {
	SPENDING(IN),
	UNKNOWN,
	{"cost", FIELD_COST, "in USD", IN(cost_usd)},
	FIELD_END,
};

#undef IN

#define IN(member) .offset = offsetof(struct run_attempt, member)

const struct field attempt_fields[] = {
	{"attempt", FIELD_SIZE, "its number, from 1", IN(number)},
	{"outcome", FIELD_TEXT,
		"what came of it: as of a run; error; stopped, since another one was taken; not started",
		IN(outcome)},
	{"reason", FIELD_TEXT, "where it is not verified: why", IN(reason)},
	{"chosen", FIELD_BOOL, "it is the run's result", IN(is_chosen)},
	{"branch", FIELD_TEXT, "its own, where each verified one has one", IN(branch)},
	{"tree", FIELD_TEXT, "what was judged", IN(tree)},
	{"goal_fixed", FIELD_SIZE, "of the goal, in its best state", IN(n_fixed)},
	{"lines", FIELD_SIZE, "that it adds or removes", IN(n_lines)},
	{"alike", FIELD_SIZE, "verified attempts that behave like it, with itself", IN(n_alike),
		IF(run_attempt, n_alike)},
	{"turns", FIELD_LONG, "of its chat", IN(turns)},
	{"tokens", FIELD_LONG, "of models", IN(tokens)},
	{"cost_usd", FIELD_COST, "of models, in USD", IN(cost_usd)},
	{"duration_ms", FIELD_LONG, "from its first turn to its verdict", IN(duration_ms)},
	{"seed", FIELD_LONG, "of coders without a model", IN(seed), IF(run_attempt, seed)},
	{"temperature", FIELD_TEXT, "of its models; else the provider's own", IN(temperature)},
	FIELD_END,
};

#undef IN

static const struct field usage_fields[] = {
	SPENDING(SPENT),
	{"by_agent", FIELD_BY_NAME, "of those that asked", REPORT(spent.by_agent),
		.count = offsetof(struct run_report, spent.n_by_agent), TABLE(agent_fields, run_spending)},
	{"by_model", FIELD_BY_NAME, "of those that were asked", REPORT(spent.by_model),
		.count = offsetof(struct run_report, spent.n_by_model), TABLE(model_fields, run_spending)},
	FIELD_END,
};

static const struct field tests_fields[] = {
	{"command", FIELD_TEXT, "a line for sh", SITE(command)},
	{"found", FIELD_TEXT, "where the command comes from", SITE(origin)},
	{"format", FIELD_TEXT, "in which results were read", BASELINE(format)},
	{"also_found", FIELD_TEXTS, "other suites", SITE(also)},
	{"total", FIELD_SIZE, "at the base, without the skipped", BASELINE(n_tests)},
	{"skipped", FIELD_SIZE, "at the base", BASELINE(n_skipped)},
	{"passed_before", FIELD_SIZE, "at the base", BASELINE(n_passed)},
	{"passed_after", FIELD_SIZE, "in the gate, where the suite ran there", VERDICT(n_passed),
		IF(verdict_facts, has_counts)},
	{"total_after", FIELD_SIZE, "in the gate, where the suite ran there, without the skipped",
		VERDICT(n_tests), IF(verdict_facts, has_counts)},
	GOAL(BASELINE),
	{"baseline_ms", FIELD_LONG, "how long the suite takes at the base", BASELINE(duration_ms)},
	FIELD_END,
};

static const struct field fix_fields[] = {
	{"what", FIELD_TEXT, "the last change that was proposed, in a line", TALK(what)},
	{"edits", FIELD_TEXTS, "each that was proposed, in a line", TALK(edits)},
	{"branch", FIELD_TEXT, "where there is one: it is verified", PUBLICATION(branch),
		IF(publication, commit)},
	{"commit", FIELD_TEXT, "the branch's", PUBLICATION(commit)},
	{"stat", FIELD_TEXT, "a line a file", CHANGE(stat)},
	{"patch", FIELD_TEXT, "the file that holds the change", CHANGE(path)},
	{"patch_copy", FIELD_TEXT, "by --patch", PUBLICATION(patch_copy)},
	{"junit", FIELD_TEXT, "by --junit: the directory of junit-before.xml and junit-after.xml",
		REPORT(junit)},
	{"pull_request", FIELD_TEXT, "by --pull-request: the file that holds its text",
		PUBLICATION(pull_request)},
	{"applied_to", FIELD_TEXT, "by --apply: the checkout", PUBLICATION(applied_to)},
	{"unfixed", FIELD_TEXTS, "of the goal: tests that a fix in part is not for", VERDICT(unfixed),
		IF(verdict_facts, unfixed.n)},
	{"goal_fixed", FIELD_SIZE, "of the goal, in the best state seen", REPORT(n_fixed),
		IF(run_report, baseline)},
	FIELD_END,
};

static const struct field search_fields[] = {
	{"tried", FIELD_SIZE, "candidates", TALK(search.n_tried)},
	{"ms", FIELD_LONG, "in which they were tried", TALK(search.ms)},
	{"warm", FIELD_BOOL, "by tests that were kept loaded", TALK(search.warm)},
	{"kind", FIELD_TEXT, "of the edit that was chosen among candidates that passed",
		TALK(search.kind)},
	{"rank", FIELD_TEXT,
		"how likely such an edit is right: operator, structure, condition, literal, revert, "
		"equality, special case, removal",
		TALK(search.rank)},
	{"confidence", FIELD_TEXT,
		"high; medium: other edits passed, too, and behave otherwise, or may, or it was not among "
		"the first 300 candidates, or it changes a number, a text, a condition or what equals "
		"what, or the tests hardly look at its place, or are fewer than ten; low: it may only "
		"silence the tests; revert: it takes back what somebody changed",
		TALK(search.confidence)},
	{"place", FIELD_SIZE,
		"which candidate it was, from 1, the likeliest first: later ones are less often right",
		TALK(search.place)},
	{"share", FIELD_SIZE, "how likely it was among those that passed, in percent",
		TALK(search.share)},
	{"asked", FIELD_SIZE,
		"edits that passed and were run with other values in the failing tests; 0: these told "
		"nothing",
		TALK(search.n_asked)},
	{"alike", FIELD_SIZE, "of these, those that then behave as the chosen one",
		TALK(search.n_alike)},
	{"mutants", FIELD_SIZE, "versions of the fix with one more edit beside it that were tried",
		TALK(search.n_mutants)},
	{"unnoticed", FIELD_SIZE, "of these, those that pass all tests, too", TALK(search.n_unnoticed)},
	{"choice", FIELD_SIZE,
		"which one it is of the edits that pass and behave differently, from 1; --take asks for "
		"another",
		TALK(search.choice)},
	{"others", FIELD_TEXTS,
		"the other ones, the likeliest first: the edit, and where it behaves otherwise",
		TALK(search.others)},
	FIELD_END,
};

/* What the gate observed. */
static const struct field gate_fields[] = {
	{"evidence", FIELD_TEXTS, "what was run, a line each", VERDICT(evidence)},
	{"findings", FIELD_TEXTS,
		"of the rules: what refuses the change or, where it is verified, should be looked at",
		VERDICT(findings)},
	{"dropped", FIELD_TEXTS, "what the fix did not need", VERDICT(dropped)},
	{"left_out", FIELD_TEXTS, "changes of what is protected: judged as in the base",
		VERDICT(left_out)},
	{"new_tests", FIELD_SIZE, "that the change brings", VERDICT(n_new), IF(verdict_facts, n_new)},
	{"new_tests_red_before", FIELD_SIZE, "those of them that fail without the change",
		VERDICT(n_new_red), IF(verdict_facts, n_new)},
	{"removed_tests", FIELD_SIZE, "that the change takes away", VERDICT(n_gone),
		IF(verdict_facts, n_gone)},
	{"sentinels_held", FIELD_BOOL, "tests of the gate's own were reported as they came out",
		VERDICT(sentinels_held)},
	{"counter_tests", FIELD_SIZE, "copies of tests that expect something wrong, which failed",
		VERDICT(n_counter_tests), IF(verdict_facts, n_counter_tests)},
	FIELD_END,
};

static const struct field stop_fields[] = {
	{"condition", FIELD_TEXT, "its type", TALK(stop.condition)},
	{"stop_kind", FIELD_STOP_KIND, "what that means", TALK(stop.stop_kind)},
	{"message", FIELD_LONG, "by its number, from 1", TALK(stop.message),
		IF(talk_facts, stop.message)},
	{"source", FIELD_TEXT, "who said it", TALK(stop.source)},
	{"messages", FIELD_SIZE, "how many", TALK(stop.n_messages)},
	{"rounds", FIELD_SIZE, "how many", TALK(stop.n_rounds)},
	{"left_unexecuted", FIELD_BOOL, RUN_LEFT_UNEXECUTED, TALK(stop.left_unexecuted)},
	{"text", FIELD_TEXT, "in words", TALK(stop.text)},
	FIELD_END,
};

const struct field report_fields[] = {
	{"name", FIELD_TEXT, "of the repository, program or scenario", REPORT(name)},
	{"root", FIELD_TEXT, "of the checkout", SITE(root)},
	{"proposal", FIELD_TEXT, "the change that rondo verify judged", SITE(proposal)},
	{"base", FIELD_TEXT, "the commit that the run began with", SITE(base)},
	{"snapshot", FIELD_BOOL, "the base is a snapshot: uncommitted work, or a patch",
		SITE(is_snapshot)},
	{"executor", FIELD_TEXT, "where code ran", SITE(executor)},
	{"coder", FIELD_TEXT, "of rondo fix, in a word", REPORT(coder)},
	{"model", FIELD_TEXT, "that were asked", REPORT(spent.models)},
	{"usage", FIELD_PART, "of models", .table = usage_fields},
	{"cost_usd", FIELD_COST, "of models, in USD", REPORT(spent.cost_usd)},
	{"tests", FIELD_PART, "the suite", .table = tests_fields},
	{"fix", FIELD_PART, "what was changed", .table = fix_fields},
	{"search", FIELD_PART, "of the coder without a model", .table = search_fields,
		.in = 1 + offsetof(struct run_report, talk), IF(talk_facts, search.n_tried)},
	{"gate", FIELD_PART, "how that was judged", .table = gate_fields},
	{"world", FIELD_TEXTS, "what else the tests could see in the sandbox", SITE(world)},
	{"notices", FIELD_TEXTS, "what the user should know", REPORT(notices)},
	{"stopped_by", FIELD_TEXT, "why the chat stopped, in words", TALK(stop_reason)},
	{"stop", FIELD_PART, "exactly", .table = stop_fields,
		.in = 1 + offsetof(struct run_report, talk), IF(talk_facts, stop.condition)},
	{"select", FIELD_TEXT, "of several attempts: which verified one was to be taken",
		REPORT(select)},
	{"attempts", FIELD_ITEMS, "each of them", REPORT(attempts),
		.count = offsetof(struct run_report, n_attempts), TABLE(attempt_fields, run_attempt),
		IF(run_report, n_attempts)},
	{"summary", FIELD_TEXT, "of the chat", TALK(summary)},
	{"turns", FIELD_INT, "as max_turns counts them", TALK(turns)},
	{"spent", FIELD_TEXT, "on models, in words", REPORT(spent.text)},
	{"failed_asserts", FIELD_TEXT, "of the scenario, a line each", REPORT(failed_asserts)},
	{"files", FIELD_TEXT, "the directory of what a run outside a repository wrote",
		PUBLICATION(files)},
	{"duration_ms", FIELD_LONG, "of the run", REPORT(duration_ms)},
	FIELD_END,
};

const struct field told_fields[] = {
	{"root", FIELD_TEXT, "of the checkout", SITE(root)},
	{"proposal", FIELD_TEXT, "the change that was judged", SITE(proposal)},
	{"base", FIELD_TEXT, "the commit that the run began with", SITE(base)},
	{"snapshot", FIELD_BOOL, "the base is a snapshot: uncommitted work, or a patch",
		SITE(is_snapshot)},
	{"tests", FIELD_PART, "the suite", .table = tests_fields},
	{"fix", FIELD_PART, "what was changed", .table = fix_fields},
	{"search", FIELD_PART, "of the coder without a model", .table = search_fields,
		.in = 1 + offsetof(struct run_report, talk), IF(talk_facts, search.n_tried)},
	{"gate", FIELD_PART, "how that was judged", .table = gate_fields},
	{"notices", FIELD_TEXTS, "what the user should know", REPORT(notices)},
	{"stopped_by", FIELD_TEXT, "why the chat stopped, in words", TALK(stop_reason)},
	{"spent", FIELD_TEXT, "on models, in words", REPORT(spent.text)},
	{"duration_ms", FIELD_LONG, "of the run", REPORT(duration_ms)},
	FIELD_END,
};

/* --- Of the journal --- */

#define IN_SITE(member) .offset = offsetof(struct site_facts, member)
#define IN_BASELINE(member) .offset = offsetof(struct baseline_facts, member)

static const struct field participant_fields[] = {
	{"name", FIELD_TEXT, NULL, .offset = offsetof(struct run_participant, name)},
	{"human_input_mode", FIELD_TEXT, NULL,
		.offset = offsetof(struct run_participant, human_input_mode)},
	FIELD_END,
};

const struct field site_fields[] = {
	{"name", FIELD_TEXT, NULL, IN_SITE(name)},
	{"root", FIELD_TEXT, NULL, IN_SITE(root)},
	{"branch", FIELD_TEXT, NULL, IN_SITE(branch)},
	{"proposal", FIELD_TEXT, NULL, IN_SITE(proposal)},
	{"head", FIELD_TEXT, NULL, IN_SITE(head)},
	{"base", FIELD_TEXT, NULL, IN_SITE(base)},
	{"tree", FIELD_TEXT, NULL, IN_SITE(tree)},
	{"snapshot", FIELD_BOOL, NULL, IN_SITE(is_snapshot), IF(site_facts, root)},
	{"repository", FIELD_BOOL, NULL, IN_SITE(has_repository), IF(site_facts, root)},
	{"program", FIELD_BOOL, NULL, IN_SITE(is_program), IF(site_facts, root)},
	{"modified", FIELD_SIZE, NULL, IN_SITE(n_modified), IF(site_facts, root)},
	{"untracked", FIELD_SIZE, NULL, IN_SITE(n_untracked), IF(site_facts, root)},
	{"deleted", FIELD_SIZE, NULL, IN_SITE(n_deleted), IF(site_facts, root)},
	{"borrowed", FIELD_TEXTS, NULL, IN_SITE(borrowed), IF(site_facts, borrowed.n)},
	{"command", FIELD_TEXT, NULL, IN_SITE(command)},
	{"origin", FIELD_TEXT, NULL, IN_SITE(origin)},
	{"runner", FIELD_TEXT, NULL, IN_SITE(runner)},
	{"also", FIELD_TEXTS, NULL, IN_SITE(also), IF(site_facts, command)},
	{"setup", FIELD_TEXT, NULL, IN_SITE(setup)},
	{"coder", FIELD_TEXT, NULL, IN_SITE(coder)},
	{"executor", FIELD_TEXT, NULL, IN_SITE(executor)},
	{"network", FIELD_TEXT, NULL, IN_SITE(network)},
	{"participants", FIELD_ITEMS, NULL, IN_SITE(participants),
		.count = offsetof(struct site_facts, n_participants),
		TABLE(participant_fields, run_participant)},
	FIELD_END,
};

const struct field baseline_fields[] = {
	{"tests", FIELD_SIZE, "how many, without the skipped", IN_BASELINE(n_tests)},
	{"passed", FIELD_SIZE, "how many", IN_BASELINE(n_passed)},
	{"skipped", FIELD_SIZE, "how many", IN_BASELINE(n_skipped)},
	{"runs", FIELD_SIZE, "how many of the suite", IN_BASELINE(n_runs)},
	{"duration_ms", FIELD_LONG, "of one run of the suite", IN_BASELINE(duration_ms)},
	{"cached_at", FIELD_DATE, "when another run computed it, in UTC", IN_BASELINE(cached)},
	GOAL(IN_BASELINE),
	FIELD_END,
};
