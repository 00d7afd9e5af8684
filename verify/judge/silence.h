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
	int64_t limit_ms;       /* of a test; 0: it may be silent for any time */
	int64_t build_limit_ms; /* the same where a compiler may be at work */
	int64_t computing_ms; /* of the processor, after which what computes is waited for no longer */
	bool is_told_at_once; /* output reaches the log as it comes */
	/* learns how many tests have ended, by whom (NULL: nobody tells), of how many (0: unknown) */
	const struct context *shown_to;
	const char *shown_as;
	size_t n_tests;

	off_t seen; /* bytes of the log */
	int64_t looked_ms, computed_ms; /* when somebody looked at what computes, and how long it had */
	struct cancel cancel; /* for the command: a child of the caller's */
	struct cancel ended;
	pthread_t thread;
	bool has_thread;
	atomic_bool fired;
};

/* How long nothing was written to a log. */
int64_t silence_of(int log);

/* Begin to watch; the members up to n_tests are filled in. Where no test is known to run, several
 * times the limit counts, and nothing if output is not told at once. On failure nothing is
 * watched. */
int silence_begin(struct silence *silence, const struct cancel *parent, struct rondo_error *err);

/* The command has ended: whether that was for its silence. */
bool silence_end(struct silence *silence);
