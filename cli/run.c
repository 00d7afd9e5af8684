/* rondo run: a team and a task from a file. */
#include <stdio.h>

#include "cli/session.h"

struct run_command {
	struct scenario_options run;
	struct session_options session;
};

#define AT(member) offsetof(struct run_command, member)

static const struct option options[] = {
	OPTION("param", STRINGS, AT(run.parameters), "a parameter of the scenario",
		.argument = "NAME=VALUE", .letter = 'p'),
	OPTION("set", STRINGS, AT(run.overrides), "one key of the file, another value",
		.argument = "KEY.KEY=VALUE", .letter = 's'),
	OPTION("task", STRING, AT(run.task), "the task, in place of the file's", .argument = "TEXT"),
	OPTION("executor", ENUM, AT(run.executor), "where code runs, in place of the file's",
		.values = run_executor_types, .argument = "TYPE"),
	OPTION(
		"out", STRING, AT(run.out), "keep the files that were written in DIR", .argument = "DIR"),
	OPTION("force", BOOL, AT(run.force), "let them take the place of other files of these names",
		.letter = 'f'),
	OPTION("env-file", STRING, AT(run.env_file),
		"keys (NAME_API_KEY=...); else .env beside the scenario", .argument = "FILE"),
	SESSION_OPTIONS(AT(session)),
	OPTION(
		"dry-run", BOOL, AT(run.dry_run), "say what would be done, and do nothing", .letter = 'n'),
	OPTION_END,
};

CLI_RUN(run)
{
	struct run_command *command = state;
	struct session session;
	AUTO_STRBUF problems = STRBUF_INIT(STRBUF_TEXT);
	if (session_begin(&session, &command->session, err) < 0)
		return -1;
	session.view.transcript = true;
	command->run.path = operands->items[0];
	command->run.stop_requested = session.stop_requested;
	int status = run_scenario(&command->run, &session.ctx, arena, &session.report, &problems, err);
	fputs(problems.text, stderr);
	return session_end(&session, status, err);
}

const struct cli_command run_command = {
	.name = "run",
	.summary = "run a scenario: a team and a task from a file",
	.usage = "FILE [options]",
	.details = "FILE says who is in the team, what they shall do and when they stop; see man 5 "
			   "rondo-scenario.\n"
			   "\n"
			   "  rondo run scenarios/postfix.yaml\n"
			   "  rondo run FILE -p language=python --task 'Make it faster'\n"
			   "  rondo run FILE -s team.max_turns=4\n"
			   "  rondo run team.json --task TEXT          a team that AutoGen 0.7.5 dumped\n",
	.state_size = sizeof(struct run_command),
	.options = options,
	.needs = "a scenario file",
	.most_operands = 1,
	.run = run_run,
};
