/* A program and its keeper. Only process.c and coprocess.c include it. */
#pragma once
#include <stdint.h>
#include <sys/types.h>

#include "base/process/process.h"

/* What the keeper tells when all is over, or the new process when it could not become the
 * program. */
struct process_report {
	int error; /* errno, or 0 */
	/* by itself; else it was killed on rondo's wish, or because of what the keeper saw */
	bool ended;
	enum process_end why; /* what that was; else PROCESS_EXITED */
	int status;           /* as waitpid gives it; SIGKILL where it did not end by itself */
	int64_t max_rss_bytes;
	char what[96]; /* where error is set: what could not be done; "": execute */
};

/* The processes that run in one memory, until the kernel sets them to 0 when they have left it. */
struct process_lives {
	pid_t standby, keeper, program;
};

#define PROCESS_KEEPER_STACK (1 << 20) /* an inspection goes into directories of directories */

/* The life of the standby, which starts the keeper, in a process of its own; never returns.
 * `channel` is a sequenced socket: rondo's closing or writing means kill. */
void process_keep(const struct process_options *options, int in, int out, int channel,
	struct process_lives *lives) __attribute__((noreturn));

struct process_lender;

/* A keeper with its program, as rondo holds them. */
struct process_launch {
	int output;  /* the read end of what is printed */
	int channel; /* a report comes here; shutting it down for writing kills */
	pid_t standby;
	struct process_lender *lender; /* NULL: they have a memory of their own */
};

/* Start a standby and a keeper, which starts the program with `input` as its standard input; that
 * stays the caller's. `awaited`: the options stay as they are until process_await_keeper. The ends
 * of the launch are the caller's to close, and its keeper to await, after the report came or the
 * channel was shut down. */
int process_launch(const struct process_options *options, int input, bool awaited,
	struct process_launch *ret_launch, struct rondo_error *err);
void process_await_keeper(const struct process_launch *launch);
