/* Ends a command that prints nothing for too long. Used by judge.c. */
#pragma once
#include <pthread.h>
#include <stdatomic.h>

#include "base/cancel.h"
#include "chat/context.h"
#include "verify/suite/suite.h"

struct silence {
	const struct suite *suite;
	int log; /* where the command's output goes as it comes */
	int64_t limit_ms;     /* of a test */
	bool is_told_at_once; /* output reaches the log as it comes */
	/* learns how many tests have ended; NULL: nobody */
	const struct context *shown_to;
	off_t seen; /* bytes of the log */
	struct cancel cancel; /* for the command: a child of the caller's */
	struct cancel ended;
	pthread_t thread;
	bool has_thread;
	atomic_bool fired;
};

/* How long nothing was written to a log. */
int64_t silence_of(int log);

/* Begin to watch. Where no test is known to run, several times the limit counts, and nothing if
 * output is not told at once. On failure nothing is watched. */
int silence_begin(struct silence *silence, const struct suite *suite, int log, int64_t limit_ms,
	bool is_told_at_once, const struct context *shown_to, const struct cancel *parent,
	struct rondo_error *err);

/* The command has ended: whether that was for its silence. */
bool silence_end(struct silence *silence);
