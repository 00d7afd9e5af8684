/* rondo fix: the main job. */
#include "cli/session.h"

struct fix_command {
	struct fix_options fix;
	struct session_options session;
};

#define AT(member) offsetof(struct fix_command, member)

#define SETS(name, key, argument, help) FIX_SETS(AT(fix), name, key, argument, help)
#define KEY(name, key, argument) FIX_KEY(AT(fix), name, key, argument)

static const struct option options[] = {
	FIX_TEST_OPTIONS(AT(fix)),
	KEY("branch", "output.branch", "NAME"),
	KEY("patch", "output.patch", "FILE"),
	KEY("junit", "output.junit", "DIR"),
	KEY("pull-request", "output.pull_request", "FILE"),
	KEY("subject", "output.subject", "TEXT"),
	KEY("co-author", "output.co_authors", "NAME"),
	KEY("apply", "output.apply", NULL),
	KEY("partial", "output.partial", NULL),
	KEY("all", "verify.all", NULL),
	SETS("head", "workspace.on_dirty=head", NULL, "leave uncommitted changes out"),
	FIX_SITE_OPTIONS(AT(fix)),
	KEY("model", "model", "NAME"),
	KEY("coder", "coder", "WHICH"),
	OPTION("env-file", STRING, AT(fix.env_file),
		"keys (NAME_API_KEY=...), beside those of the environment", .argument = "FILE"),
	SETS("limit", "limits", "NAME=N",
		"turns=40 time=30m suite=60s silence=20s block=120s repair=60s candidates=N tokens=N "
		"cost=3"),
	KEY("attempts", "attempts.n", "N"),
	KEY("select", "attempts.select", "WHICH"),
	KEY("seed", "seed", "N"),
	KEY("take", "take", "N"),
	KEY("since", "since", "REV"),
	SESSION_OPTIONS(AT(session)),
	OPTION(
		"dry-run", BOOL, AT(fix.dry_run), "say what would be done, and do nothing", .letter = 'n'),
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
	.details =
		"In a repository: run its tests twice, search for a change that makes the failing ones "
		"pass,\n"
		"verify it in a fresh checkout and leave it as the branch rondo/<run>. Your files, index "
		"and\n"
		"HEAD stay as they are. FILE: one program in Python, JavaScript or TypeScript whose own\n"
		"assertions fail.\n"
		"\n"
		"The coder without a model is measured for Python, JavaScript, Go, Rust and C. It is\n"
		"experimental for C++, Java, TypeScript, shell, Ruby, Lua, PHP and Perl.\n"
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
