/* A run in the foreground: signals that stop it, and where its events go; for cli/fix.c and cli/run.c. */
#pragma once
#include "cli/ask.h"
#include "cli/run_screen.h"

struct session {
	struct context ctx; /* for the run */
	struct run_screen view;
	const atomic_bool *stop_requested; /* by SIGUSR1 */
	struct ask *ask;    /* NULL: nobody can be asked */
	bool json, quiet;
};

/* Begin: catch signals, choose who hears of events. Where there is a terminal that shows the run, a human can be asked. */
int session_begin(struct session *session, bool json, bool quiet, struct rondo_error *err);

/* How the chat is shown, where it is: one of run_screen_styles. */
void session_style(struct session *session, const char *style);

/* Show what came of it; gives the exit code. `status` and `err` are the run's. */
int session_end(struct session *session, int status, const struct rondo_error *err,
	const struct run_report *report, const char *take, struct arena *arena);
