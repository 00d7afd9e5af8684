/* rondo mcp: tools for the agents of other programs. */
#include <stdio.h>
#include <unistd.h>

#include "cli/session.h"

struct mcp_command {
	struct mcp_options mcp;
	const char *connect;
};

#define AT(member) offsetof(struct mcp_command, member)

static const struct option options[] = {
	OPTION("root", STRINGS, AT(mcp.roots),
		"a directory that calls may name; else those of the client, or the repository around here",
		.argument = "DIR"),
	FIX_TEST_OPTIONS(AT(mcp.fix)),
	FIX_SITE_OPTIONS(AT(mcp.fix)),
	FIX_KEY(AT(mcp.fix), "model", "model", "NAME"),
	OPTION("env-file", STRING, AT(mcp.fix.env_file),
		"keys (NAME_API_KEY=...), beside those of the environment", .argument = "FILE"),
	FIX_SETS(AT(mcp.fix), "limit", "limits", "NAME=N",
		"turns=40 time=30m suite=60s silence=20s repair=60s candidates=N tokens=N cost=3"),
	FIX_KEY(AT(mcp.fix), "attempts", "attempts.n", "N"),
	FIX_KEY(AT(mcp.fix), "select", "attempts.select", "WHICH"),
	OPTION("connect", STRING, AT(connect),
		"only pass bytes to the server that listens at this unix socket", .argument = "SOCKET"),
	OPTION_END,
};

CLI_RUN(mcp)
{
	struct mcp_command *command = state;
	struct session session;
	if (session_begin(&session, &(struct session_options){.quiet = true}, err) < 0)
		return -1;
	if (isatty(STDIN_FILENO))
		fputs(
			"rondo mcp speaks with a coding agent, which starts it: doc/mcp.md says how\n", stderr);
	command->mcp.in = STDIN_FILENO;
	command->mcp.out = STDOUT_FILENO;
	int status = command->connect
		? run_mcp_connect(command->connect, STDIN_FILENO, STDOUT_FILENO, session.ctx.cancel, err)
		: run_mcp(&command->mcp, session.ctx.cancel, err);
	run_screen_release(&session.view);
	if (status == 0 || !cancel_reason(session.ctx.cancel))
		return status;
	screen_error(err);
	return run_error_exit_code(err, session.ctx.cancel);
}

const struct cli_command mcp_command = {
	.name = "mcp",
	.summary = "serve other agents by the Model Context Protocol: verify, fix, baseline",
	.usage = "[options]",
	.details =
		"A coding agent starts it and speaks with it on standard input and output. It offers\n"
		"verify (is this change proven?), fix, baseline (which tests fail at HEAD), status and "
		"show.\n"
		"Options hold for all calls; a call can widen nothing. doc/mcp.md has the lines for the\n"
		"configurations of agents.\n"
		"\n"
		"  rondo mcp                          the repository around the current directory\n"
		"  rondo mcp --root ~/src/app         this one, wherever it is started\n"
		"  rondo mcp --test 'make check'      with this test command\n",
	.state_size = sizeof(struct mcp_command),
	.options = options,
	.run = mcp_run,
};
