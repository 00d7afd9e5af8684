/* The tool fix: make failing tests pass, on a branch. */
#include "run/mcp/mcp.h"
#include "run/report/report.h"

struct fix_call {
	struct fix_options fix;
	const char *coder;
};

#define FIX offsetof(struct fix_call, fix)

/* Other coders are programs, or cost what nobody has agreed to: who starts the server names them in
 * the configuration, as the model. */
static const char *const coders[] = {"repair", "model", "auto", NULL};

static const struct option options[] = {
	OPTION("repo", STRING, FIX + offsetof(struct fix_options, path),
		"the repository, or a directory in it; needed only where several may be touched"),
	FIX_TEST_OPTIONS(FIX),
	OPTION("coder", ENUM, offsetof(struct fix_call, coder),
		"repair: search without a model (the default); model: the model that the user has "
		"configured, which costs; auto: repair, then that model",
		.values = coders),
	FIX_LIMIT(FIX, "time"),
	FIX_LIMIT(FIX, "repair"),
	FIX_LIMIT(FIX, "suite"),
	OPTION_END,
};

static int fix_run(
	void *state, struct mcp_call *call, struct mcp_result *result, struct rondo_error *err)
{
	struct fix_call *own = state;
	struct fix_options *fix = &own->fix;
	struct option_settings *settings = &fix->settings;
	struct run_report report;
	struct context ctx = calls_context(call);
	/* a model costs the user's money: only who asks for it gets it */
	ARENA_PUSH(&call->arena, settings->items, settings->n,
		(struct option_setting){"coder", "coder", own->coder ? own->coder : "repair"});
	if (tools_options(call, fix, fix, err) < 0 ||
		run_fix(fix, &ctx, &call->arena, &report, err) < 0)
		return -1;
	result->structured = report_tell(&report);
	tools_take_report(call, &report, result);
	return 0;
}

const struct mcp_tool fix_tool = {
	.name = "fix",
	.title = "Make failing tests pass",
	.description =
		"Search for a small edit that makes the failing tests of a repository pass, and verify it "
		"as `verify` does. Uncommitted work is part of the base. outcome `verified`: fix.branch is "
		"a new branch with the fix, to be merged or looked at (git diff HEAD...BRANCH); the "
		"checkout stays as it is. search.confidence says how far to trust it. `not_fixed`: no "
		"small edit does it, write one yourself and call `verify`. Takes up to some minutes.",
	.options = options,
	.state_size = sizeof(struct fix_call),
	.always_load = true,
	.describe = report_describe_told,
	.run = fix_run,
};
