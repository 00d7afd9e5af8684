/* The tool verify in the box of an external agent: is what it did so far proven? */
#include "run/mcp/asking.h"
#include "run/report/report.h"

static const struct option options[] = {OPTION_END};

static int asked_verify_run(
	void *state, struct mcp_call *call, struct mcp_result *result, struct rondo_error *err)
{
	struct run_report report;
	(void)state;
	if (asking_judge(call->server->asking, call, &report, err) < 0)
		return -1;
	result->structured = report_tell(&report);
	return 0;
}

const struct mcp_tool asked_verify_tool = {
	.name = "verify",
	.title = "Is this change proven?",
	.description =
		"Judge the files as they are now: call it before you say that you are done. The tests run "
		"in fresh checkouts, with the base's own test files. outcome is `verified` where what "
		"failed passes, nothing that passed is lost and no rule is broken; `verified_in_part` "
		"where that holds for some of what failed. `refused` names the rule and line that only "
		"look like a fix, `not_verified` what fails. It changes nothing. When your turn ends the "
		"same is done again.",
	.options = options,
	.only_reads = true,
	.always_load = true,
	.describe = report_describe_told,
	.run = asked_verify_run,
};
