/* rondo resume: go on with a run that broke off. */
#include "cli/session.h"

static const struct option options[] = {
	SESSION_OPTIONS(0),
	OPTION_END,
};

CLI_RUN(resume)
{
	struct session session;
	if (session_begin(&session, state, err) < 0)
		return -1;
	int status = run_resume(
		operands->items[0], session.stop_requested, &session.ctx, arena, &session.report, err);
	return session_end(&session, status, err);
}

const struct cli_command resume_command = {
	.name = "resume",
	.summary = "go on with a run that was killed, interrupted, or stopped by a fault",
	.usage = "[RUN] [options]",
	.details = "RUN is the beginning of a run's id, or 'last', which is the default; see rondo "
			   "list runs.\n"
			   "\n"
			   "What was said, paid for and changed is taken from the run's journal; the rest goes "
			   "on as if nothing\n"
			   "had happened. Only what lived in programs is gone: a kernel's variables, installed "
			   "packages.\n",
	.state_size = sizeof(struct session_options),
	.options = options,
	.fallback = "last",
	.most_operands = 1,
	.takes_run = true,
	.run = resume_run,
};
