/* The tool baseline: which tests fail at HEAD. */
#include "run/mcp/mcp.h"
#include "run/report/field.h"
#include "run/report/report.h"

#define AT(member) offsetof(struct fix_options, member)

static const struct option options[] = {
	OPTION("repo", STRING, AT(path),
		"the repository, or a directory in it; needed only where several may be touched"),
	FIX_TEST_OPTIONS(0),
	FIX_LIMIT(0, "time"),
	FIX_LIMIT(0, "suite"),
	OPTION_END,
};

struct baseline_found {
	const char *run, *outcome, *reason, *help;
	const struct site_facts *site;
	const struct baseline_facts *baseline;
};

#define OF(member) .offset = offsetof(struct baseline_found, member)
#define SITE(member) \
	.in = 1 + offsetof(struct baseline_found, site), .offset = offsetof(struct site_facts, member)

static const struct field found_fields[] = {
	{"run", FIELD_TEXT, "its id, for show", OF(run)},
	{"outcome", FIELD_OUTCOME, "tests_fail, nothing_fails, or why nothing can be said",
		OF(outcome)},
	{"reason", FIELD_TEXT, "why nothing can be said", OF(reason)},
	{"help", FIELD_TEXT, "what can be done about that", OF(help)},
	{"root", FIELD_TEXT, "of the checkout", SITE(root)},
	{"base", FIELD_TEXT, "the commit", SITE(base)},
	{"command", FIELD_TEXT, "that runs the tests: a line for sh", SITE(command)},
	{"found", FIELD_TEXT, "where the command comes from", SITE(origin)},
	{.name = NULL},
};

static void baseline_describe(struct json *schema)
{
	fields_describe(schema, found_fields, NULL);
	struct json *suite = tools_add_property(schema, "suite", NULL, "what the tests say at HEAD");
	fields_describe(suite, baseline_fields, NULL);
}

static int baseline_run(
	void *state, struct mcp_call *call, struct mcp_result *result, struct rondo_error *err)
{
	struct fix_options *fix = state;
	struct run_report report;
	struct context ctx = calls_context(call);
	if (tools_options(call, fix, fix, err) < 0 ||
		run_baseline(fix, &ctx, &call->arena, &report, err) < 0)
		return -1;
	struct baseline_found found = {report.id, run_outcome_word(report.outcome), report.reason,
		report.help, report.site, report.baseline};
	tools_take_report(call, &report, result);
	result->structured = json_object();
	fields_add(result->structured, found_fields, &found);
	if (report.baseline) {
		struct baseline_facts told = report_shorten(report.baseline);
		fields_add(json_add_object(result->structured, "suite"), baseline_fields, &told);
	}
	return 0;
}

const struct mcp_tool baseline_tool = {
	.name = "baseline",
	.title = "Which tests fail at HEAD",
	.description =
		"Run the tests at HEAD, twice, in a sandbox, without the uncommitted work. suite.goal "
		"lists "
		"the tests that fail, by id, with message and place; suite.flaky those that differ from "
		"run "
		"to run. Call it before you begin, to tell what was red already from what you broke.",
	.options = options,
	.state_size = sizeof(struct fix_options),
	.only_reads = true,
	.describe = baseline_describe,
	.run = baseline_run,
};
