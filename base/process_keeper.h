/* Between base/process.c and the keeper; nobody else includes it. */
#pragma once
#include <stdint.h>

#include "base/process.h"

/* What the keeper tells when all is over, or the new process when it could not become the program. */
struct process_report {
	int error;  /* errno, or 0 */
	bool ended; /* by itself; else it was killed on rondo's wish */
	int status; /* as waitpid gives it */
	int64_t max_rss_bytes;
	char what[96]; /* where error is set: what could not be done; "": execute */
};

/* The keeper's life, in a forked process; never returns. `channel` is a sequenced socket: rondo's
 * closing or writing means kill. */
void process_keep(const struct process_options *options, int in, int out, int channel)
	__attribute__((noreturn));
