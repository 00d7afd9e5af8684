/* A program and its keeper, for base/process.c and base/coprocess.c; nobody else includes it. */
#pragma once
#include <stdint.h>
#include <sys/types.h>

#include "base/process.h"

/* What the keeper tells when all is over, or the new process when it could not become the
 * program. */
struct process_report {
	int error; /* errno, or 0 */
	/* by itself; else it was killed on rondo's wish, or because of what the keeper saw */
	bool ended;
	enum process_end why; /* what that was; else PROCESS_EXITED */
	int status;           /* as waitpid gives it */
	int64_t max_rss_bytes;
	char what[96]; /* where error is set: what could not be done; "": execute */
};

/* The keeper's life, in a forked process; never returns. `channel` is a sequenced socket: rondo's
 * closing or writing means kill. */
void process_keep(const struct process_options *options, int in, int out, int channel)
	__attribute__((noreturn));

/* A keeper with its program, as rondo holds them. */
struct process_launch {
	int output;  /* the read end of what is printed */
	int channel; /* a report comes here; shutting it down for writing kills */
	pid_t keeper;
};

/* Fork a keeper, which starts the program with `input` as its standard input; that stays the
 * caller's. The ends of the launch are the caller's to close, and its keeper to await, after the
 * report came or the channel was shut down. */
int process_launch(const struct process_options *options, int input,
	struct process_launch *ret_launch, struct rondo_error *err);
void process_await_keeper(const struct process_launch *launch);
