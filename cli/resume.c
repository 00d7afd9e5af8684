/* rondo resume: go on with a run that broke off. */
#include "cli/session.h"

struct resume_command {
	const char *style;
	bool json, quiet;
};

#define AT(member) offsetof(struct resume_command, member)

static const struct option options[] = {
	{.name = "style", .kind = OPTION_ENUM, .offset = AT(style), .argument = "STYLE", .values = run_screen_styles,
		.fallback = "rondo", .help = "how the chat is shown: rondo, or ag2 as AG2's console does"},
	{.name = "json", .kind = OPTION_BOOL, .offset = AT(json),
		.help = "events as JSON Lines, the result last"},
	{.name = "quiet", .kind = OPTION_BOOL, .offset = AT(quiet), .letter = 'q', .help = "only the last block"},
	OPTION_END,
};

static int run(void *state, const struct option_strings *operands, struct arena *arena,
	struct rondo_error *err)
{
	const struct resume_command *command = state;
	struct run_report report = {.outcome = RUN_NOT_FIXED};
	struct session session;
	int status = session_begin(&session, command->json, command->quiet, err);
	session_style(&session, command->style);
	if (status == 0)
		status = run_resume(operands->n ? operands->items[0] : NULL, session.stop_requested, &session.ctx, arena,
			&report, err);
	return session_end(&session, status, err, &report, NULL, arena);
}

const struct cli_command resume_command = {
	.name = "resume",
	.summary = "go on with a run that was killed, interrupted, or stopped by a fault",
	.usage = "[RUN] [options]",
	.details = "RUN is the beginning of a run's id, or 'last', which is the default; see rondo list runs.\n"
		   "\n"
		   "What was said, paid for and changed is taken from the run's journal; the rest goes on as if nothing\n"
		   "had happened. Only what lived in programs is gone: a kernel's variables, installed packages.\n",
	.state_size = sizeof(struct resume_command),
	.options = options,
	.most_operands = 1,
	.run = run,
};
