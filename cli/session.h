/* A run in the foreground: signals that stop it, and where its events go; for cli/fix.c and
 * cli/run.c. */
#pragma once
#include "cli/ask.h"
#include "cli/notice.h"
#include "cli/run_screen.h"

/* What the commands that run something are told of how to show it. */
struct session_options {
	bool json, quiet;
	const char *style;   /* one of run_screen_styles */
	const char *streams; /* one of session_streams */
	const char *notify;  /* a line for sh, run at the end of a run that took longer; NULL: none */
	int64_t notify_after_ms;
};

extern const char *const session_streams[];

/* clang-format off */
#define SESSION_OPTIONS(base) \
	RUN_SCREEN_STYLE((base) + offsetof(struct session_options, style)), \
	OPTION("stream", ENUM, (base) + offsetof(struct session_options, streams), \
		"show what models write and programs print as it comes; auto: on a terminal", \
		.values = session_streams, .fallback = "auto", .argument = "WHEN"), \
	OPTION("notify", STRING, (base) + offsetof(struct session_options, notify), \
		"run CMD at the end of a long run, with RONDO_OUTCOME, RONDO_RUN and RONDO_BRANCH", \
		.argument = "CMD"), \
	OPTION("notify-after", DURATION, (base) + offsetof(struct session_options, notify_after_ms), \
		"which run is long: then a terminal's bell rings, too", .fallback = "30s", \
		.argument = "TIME"), \
	OPTION("json", BOOL, (base) + offsetof(struct session_options, json), \
		"events as JSON Lines, the result last"), \
	OPTION("quiet", BOOL, (base) + offsetof(struct session_options, quiet), \
		"only the last block", .letter = 'q')
/* clang-format on */

struct session {
	struct context ctx; /* for the run */
	struct run_screen view;
	struct run_report report;
	const atomic_bool *stop_requested; /* by SIGUSR1 */
	struct ask *ask;                   /* NULL: nobody can be asked */
	bool json, streams;
	const char *label; /* stands before the last line, or the error; NULL: nothing does */
	struct notice notice;
};

/* Begin: catch signals, choose who hears of events. Where there is a terminal that shows the run, a
 * human can be asked. */
int session_begin(
	struct session *session, const struct session_options *options, struct rondo_error *err);

/* Show what came of it, or print the error of the run (status -1); gives the exit code. */
int session_end(struct session *session, int status, const struct rondo_error *err);
