/* The tool fix: make failing tests pass, on a branch. */
#include <string.h>

#include "run/mcp/mcp.h"
#include "run/report/report.h"

#define AT(member) offsetof(struct fix_options, member)

static const struct option options[] = {
	OPTION("repo", STRING, AT(path),
		"the repository, or a directory in it; needed only where several may be touched"),
	FIX_TEST_OPTIONS(0),
	FIX_SETS(0, "coder", "coder", "WHICH",
		"repair: search without a model (the default); model: the model that the user has "
		"configured, which costs; auto: repair, then that model"),
	FIX_LIMIT(0, "time"),
	FIX_LIMIT(0, "repair"),
	FIX_LIMIT(0, "suite"),
	OPTION_END,
};

/* A model costs the user's money: only who asks for it gets it. */
static void fix_choose_coder(struct fix_options *fix, struct arena *arena)
{
	struct option_settings *settings = &fix->settings;
	for (size_t i = 0; i < settings->n; i++)
		if (strcmp(settings->items[i].key, "coder") == 0)
			return;
	ARENA_PUSH(
		arena, settings->items, settings->n, (struct option_setting){"coder", "coder", "repair"});
}

static int fix_run(
	void *state, struct mcp_call *call, struct mcp_result *result, struct rondo_error *err)
{
	struct fix_options *fix = state;
	struct run_report report;
	struct context ctx = calls_context(call);
	fix_choose_coder(fix, &call->arena);
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
	.state_size = sizeof(struct fix_options),
	.always_load = true,
	.describe = report_describe_told,
	.run = fix_run,
};
