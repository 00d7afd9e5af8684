/* rondo fix: the main job. */
#include "cli/session.h"

struct fix_command {
	struct fix_options fix;
	struct session_options session;
};

#define AT(member) offsetof(struct fix_command, member)

static const char *const coders[] = {"auto", "repair", "model", NULL};

static const struct option options[] = {
	CLI_TEXT("test", fix.test, "CMD", "the test command; else it is found"),
	CLI_TEXT("goal", fix.goal, "PATTERN",
		"only the failing tests whose id contains or matches this"),
	CLI_TEXT("branch", fix.branch, "NAME", "the branch to make; else rondo/<run>"),
	CLI_TEXT("patch", fix.patch, "FILE", "also write the fix to FILE as a diff"),
	CLI_TEXT("junit", fix.junit, "DIR",
		"also write the suite's results before and after to DIR as JUnit XML"),
	CLI_TEXT("pull-request", fix.pull_request, "FILE",
		"also write the text of a pull request to FILE"),
	CLI_TEXT("subject", fix.subject, "TEXT",
		"the first line of the commit's message; else it says what was wrong"),
	CLI_TEXTS("co-author", fix.co_authors, "NAME",
		"'Name <mail>': who else made it, as a trailer of the commit"),
	CLI_FLAG("apply", fix.apply, "also bring the fix into your files"),
	CLI_FLAG("head", fix.head, "leave uncommitted changes out"),
	CLI_TEXTS("allow-edit", fix.allow_edit, "GLOB", "a protected path that the fix may change"),
	CLI_TEXTS("protect", fix.protect, "GLOB", "a further path that the fix may not change"),
	CLI_TEXTS("check", fix.checks, "CMD",
		"a further command that has to succeed on the fix: a linter, a build"),
	CLI_TEXTS("mount", fix.mount, "DIR", "a further ignored folder that the tests need"),
	{.name = "executor", .kind = OPTION_ENUM, .offset = AT(fix.executor), .argument = "TYPE",
		.values = run_executor_types,
		.help = "where code runs; rondo list executors says what they are"},
	CLI_TEXTS("set", fix.overrides, "KEY.KEY=VALUE",
		"one key of the configuration, another value: executor.image=python:3.12", .letter = 's'),
	CLI_TEXT("model", fix.model, "NAME",
		"a model behind the coder, such as openai/gpt-5-mini; repair goes first"),
	{.name = "coder", .kind = OPTION_ENUM, .offset = AT(fix.coder), .argument = "WHICH", .values = coders,
		.help = "repair, the model, or the one and then the other (auto)"},
	CLI_TEXT("env-file", fix.env_file, "FILE",
		"keys (NAME_API_KEY=...), beside those of the environment"),
	CLI_TEXTS("limit", fix.limits, "NAME=N",
		"turns=40 time=30m suite=60s block=120s repair=60s candidates=N tokens=N cost=3"),
	{.name = "seed", .kind = OPTION_INT, .offset = AT(fix.seed), .argument = "N", .least = 0,
		.help = "another order of edits that are about as likely; 0 (default): by likelihood alone"},
	SESSION_OPTIONS(AT(session)),
	CLI_FLAG("dry-run", fix.dry_run, "say what would be done, and do nothing", .letter = 'n'),
	OPTION_END,
};

CLI_RUN(fix)
{
	struct fix_command *command = state;
	struct session session;
	if (session_begin(&session, &command->session, err) < 0)
		return -1;
	if (operands->n) {
		command->fix.path = operands->items[0];
		session.view.take = arena_printf(arena, "rondo fix --apply %s", command->fix.path);
	}
	command->fix.stop_requested = session.stop_requested;
	int status = run_fix(&command->fix, &session.ctx, arena, &session.report, err);
	return session_end(&session, status, err);
}

const struct cli_command fix_command = {
	.name = "fix",
	.summary = "make the failing tests pass; leave a verified branch",
	.usage = "[DIR|FILE] [options]",
	.details = "In a repository: run its tests twice, search for a change that makes the failing ones pass,\n"
		   "verify it in a fresh checkout and leave it as the branch rondo/<run>. Your files, index and\n"
		   "HEAD stay as they are. FILE: one program in Python, JavaScript or TypeScript whose own\n"
		   "assertions fail.\n"
		   "\n"
		   "  rondo fix                          find the tests of this repository\n"
		   "  rondo fix --test 'pytest -q' DIR   with this command\n"
		   "  rondo fix --goal test_total        only these failing tests\n"
		   "  rondo fix --limit repair=5m        search longer\n"
		   "  rondo fix --apply broken.py        fix a program in place\n",
	.state_size = sizeof(struct fix_command),
	.options = options,
	.most_operands = 1,
	.run = fix_run,
};
