/* The tool verify: is this change proven? */
#include "run/mcp/mcp.h"
#include "run/report/report.h"

#define AT(member) offsetof(struct verify_options, member)

static const struct option options[] = {
	OPTION("repo", STRING, AT(fix.path),
		"the repository, or a directory in it; needed only where several may be touched"),
	OPTION("rev", STRING, AT(revision),
		"the branch, tag or commit to judge; without rev and patch: the uncommitted work"),
	OPTION("patch", STRING, AT(patch),
		"the change to judge as the text of a diff, as git diff prints it, against HEAD"),
	VERIFY_CHANGE_OPTIONS(0),
	FIX_TEST_OPTIONS(AT(fix)),
	FIX_LIMIT(AT(fix), "time"),
	FIX_LIMIT(AT(fix), "suite"),
	OPTION_END,
};

static int verify_run(
	void *state, struct mcp_call *call, struct mcp_result *result, struct rondo_error *err)
{
	struct verify_options *verify = state;
	struct run_report report;
	struct context ctx = calls_context(call);
	if (verify->revision && verify->patch)
		return error_set(err, RONDO_ERROR_USAGE, "rev and patch exclude each other");
	if (tools_options(call, &verify->fix, &verify->fix, err) < 0 ||
		run_verify(verify, &ctx, &call->arena, &report, err) < 0)
		return -1;
	result->structured = report_tell(&report);
	tools_take_report(call, &report, result);
	return 0;
}

const struct mcp_tool verify_tool = {
	.name = "verify",
	.title = "Is this change proven?",
	.description =
		"Judge a change that you or somebody made: call it before you say that something is fixed. "
		"The tests run without the change, twice, and with it in fresh checkouts, with the base's "
		"own test files, in a sandbox. outcome is `verified` where all that passed still passes, "
		"nothing disappeared or is newly skipped and no rule is broken; reason then says what was "
		"fixed (\"2 tests fixed, nothing lost\", or \"nothing broken\" where nothing was red). "
		"`refused` names the rule and line that only look like a fix, `not_verified` what fails. "
		"Without rev and patch it judges the uncommitted work against HEAD. It changes nothing.",
	.options = options,
	.state_size = sizeof(struct verify_options),
	.only_reads = true,
	.always_load = true,
	.describe = report_describe_told,
	.run = verify_run,
};
