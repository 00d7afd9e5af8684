/* rondo run: a team and a task from a file. */
#include <stdio.h>

#include "cli/session.h"

struct run_command {
	struct scenario_options run;
	bool json, quiet;
	const char *style;
};

#define AT(member) offsetof(struct run_command, member)

static const struct option options[] = {
	{.name = "param", .kind = OPTION_STRINGS, .offset = AT(run.parameters), .letter = 'p', .argument = "NAME=VALUE",
		.help = "a parameter of the scenario"},
	{.name = "set", .kind = OPTION_STRINGS, .offset = AT(run.overrides), .letter = 's', .argument = "KEY.KEY=VALUE",
		.help = "one key of the file, another value"},
	{.name = "task", .kind = OPTION_STRING, .offset = AT(run.task), .argument = "TEXT",
		.help = "the task, in place of the file's"},
	{.name = "executor", .kind = OPTION_ENUM, .offset = AT(run.executor), .argument = "TYPE",
		.values = run_executor_types, .help = "where code runs, in place of the file's"},
	{.name = "out", .kind = OPTION_STRING, .offset = AT(run.out), .argument = "DIR",
		.help = "keep the files that were written in DIR"},
	{.name = "env-file", .kind = OPTION_STRING, .offset = AT(run.env_file), .argument = "FILE",
		.help = "keys (NAME_API_KEY=...); else .env beside the scenario"},
	{.name = "style", .kind = OPTION_ENUM, .offset = AT(style), .argument = "STYLE", .values = run_screen_styles,
		.fallback = "rondo", .help = "how the chat is shown: rondo, or ag2 as AG2's console does"},
	{.name = "json", .kind = OPTION_BOOL, .offset = AT(json),
		.help = "events as JSON Lines, the result last"},
	{.name = "quiet", .kind = OPTION_BOOL, .offset = AT(quiet), .letter = 'q', .help = "only the last block"},
	{.name = "dry-run", .kind = OPTION_BOOL, .offset = AT(run.dry_run), .letter = 'n',
		.help = "say what would be done, and do nothing"},
	OPTION_END,
};

static int run(void *state, const struct option_strings *operands, struct arena *arena,
	struct rondo_error *err)
{
	struct run_command *command = state;
	struct run_report report = {.outcome = RUN_NOT_FIXED};
	struct session session;
	AUTO_STRBUF problems = STRBUF_INIT(STRBUF_TEXT);
	command->run.path = operands->n ? operands->items[0] : NULL;
	int status = session_begin(&session, command->json, command->quiet, err);
	session.view.transcript = true;
	session_style(&session, command->style);
	command->run.stop_requested = session.stop_requested;
	if (status == 0 && !command->run.path) {
		status = error_set(err, RONDO_ERROR_USAGE, "rondo run needs a scenario file");
		error_help(err, "rondo run --help");
	}
	if (status == 0)
		status = run_scenario(&command->run, &session.ctx, arena, &report, &problems, err);
	fputs(problems.text, stderr);
	return session_end(&session, status, err, &report, NULL, arena);
}

const struct cli_command run_command = {
	.name = "run",
	.summary = "run a scenario: a team and a task from a file",
	.usage = "FILE [options]",
	.details = "FILE says who is in the team, what they shall do and when they stop; see man 5 rondo-scenario.\n"
		   "\n"
		   "  rondo run scenarios/postfix.yaml\n"
		   "  rondo run FILE -p language=python --task 'Make it faster'\n"
		   "  rondo run FILE -s team.max_turns=4\n"
		   "  rondo run team.json --task TEXT          a team that AutoGen 0.7.5 dumped\n",
	.state_size = sizeof(struct run_command),
	.options = options,
	.most_operands = 1,
	.run = run,
};
