/* rondo fix: the main job. */
#include "cli/session.h"

struct fix_command {
	struct fix_options fix;
	struct session_options session;
};

#define AT(member) offsetof(struct fix_command, member)

static const char *const coders[] = {"auto", "repair", "model", NULL};

static const struct option options[] = {
	{.name = "test", .kind = OPTION_STRING, .offset = AT(fix.test), .argument = "CMD",
		.help = "the test command; else it is found"},
	{.name = "goal", .kind = OPTION_STRING, .offset = AT(fix.goal), .argument = "PATTERN",
		.help = "only the failing tests whose id contains or matches this"},
	{.name = "branch", .kind = OPTION_STRING, .offset = AT(fix.branch), .argument = "NAME",
		.help = "the branch to make; else rondo/<run>"},
	{.name = "patch", .kind = OPTION_STRING, .offset = AT(fix.patch), .argument = "FILE",
		.help = "also write the fix to FILE as a diff"},
	{.name = "junit", .kind = OPTION_STRING, .offset = AT(fix.junit), .argument = "DIR",
		.help = "also write the suite's results before and after to DIR as JUnit XML"},
	{.name = "pull-request", .kind = OPTION_STRING, .offset = AT(fix.pull_request), .argument = "FILE",
		.help = "also write the text of a pull request to FILE"},
	{.name = "subject", .kind = OPTION_STRING, .offset = AT(fix.subject), .argument = "TEXT",
		.help = "the first line of the commit's message; else it says what was wrong"},
	{.name = "co-author", .kind = OPTION_STRINGS, .offset = AT(fix.co_authors), .argument = "NAME",
		.help = "'Name <mail>': who else made it, as a trailer of the commit"},
	{.name = "apply", .kind = OPTION_BOOL, .offset = AT(fix.apply),
		.help = "also bring the fix into your files"},
	{.name = "head", .kind = OPTION_BOOL, .offset = AT(fix.head),
		.help = "leave uncommitted changes out"},
	{.name = "allow-edit", .kind = OPTION_STRINGS, .offset = AT(fix.allow_edit), .argument = "GLOB",
		.help = "a protected path that the fix may change"},
	{.name = "protect", .kind = OPTION_STRINGS, .offset = AT(fix.protect), .argument = "GLOB",
		.help = "a further path that the fix may not change"},
	{.name = "check", .kind = OPTION_STRINGS, .offset = AT(fix.checks), .argument = "CMD",
		.help = "a further command that has to succeed on the fix: a linter, a build"},
	{.name = "mount", .kind = OPTION_STRINGS, .offset = AT(fix.mount), .argument = "DIR",
		.help = "a further ignored folder that the tests need"},
	{.name = "executor", .kind = OPTION_ENUM, .offset = AT(fix.executor), .argument = "TYPE",
		.values = run_executor_types,
		.help = "where code runs; rondo list executors says what they are"},
	{.name = "set", .kind = OPTION_STRINGS, .offset = AT(fix.overrides), .letter = 's', .argument = "KEY.KEY=VALUE",
		.help = "one key of the configuration, another value: executor.image=python:3.12"},
	{.name = "model", .kind = OPTION_STRING, .offset = AT(fix.model), .argument = "NAME",
		.help = "a model behind the coder, such as openai/gpt-5-mini; repair goes first"},
	{.name = "coder", .kind = OPTION_ENUM, .offset = AT(fix.coder), .argument = "WHICH", .values = coders,
		.help = "repair, the model, or the one and then the other (auto)"},
	{.name = "env-file", .kind = OPTION_STRING, .offset = AT(fix.env_file), .argument = "FILE",
		.help = "keys (NAME_API_KEY=...), beside those of the environment"},
	{.name = "limit", .kind = OPTION_STRINGS, .offset = AT(fix.limits), .argument = "NAME=N",
		.help = "turns=40 time=30m suite=60s block=120s repair=60s candidates=N tokens=N cost=3"},
	{.name = "seed", .kind = OPTION_INT, .offset = AT(fix.seed), .argument = "N", .least = 0,
		.help = "another order of edits that are about as likely; 0 (default): by likelihood alone"},
	SESSION_OPTIONS(AT(session)),
	{.name = "dry-run", .kind = OPTION_BOOL, .offset = AT(fix.dry_run), .letter = 'n',
		.help = "say what would be done, and do nothing"},
	OPTION_END,
};

/* The command that takes a fix which lies in no repository. */
static const char *take(const char *path, struct arena *arena)
{
	return path ? arena_printf(arena, "rondo fix --apply %s", path) : NULL;
}

static int run(void *state, const struct option_strings *operands, struct arena *arena,
	struct rondo_error *err)
{
	struct fix_command *command = state;
	struct session session;
	if (session_begin(&session, &command->session, err) < 0)
		return -1;
	command->fix.path = operands->n ? operands->items[0] : NULL;
	command->fix.stop_requested = session.stop_requested;
	int status = run_fix(&command->fix, &session.ctx, arena, &session.report, err);
	return session_end(&session, status, err, take(command->fix.path, arena));
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
	.run = run,
};
