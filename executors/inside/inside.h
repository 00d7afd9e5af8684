/*
 * The helper: the program that rondo puts into a container or a remote sandbox, and their protocol.
 * It runs lines of sh, enforces their deadlines, and kills everything they leave behind. If the
 * tree there is another one, it also applies local changes before a line and reports what the line
 * changed, as records (executors/inside/inside_record.h).
 */
#pragma once
#include <stddef.h>
#include <stdint.h>

#include "executors/inside/inside_record.h"

enum inside_end {
	INSIDE_ENDED = 1, /* value: as waitpid gives it */
	INSIDE_TIMEOUT,
	INSIDE_CLOSED,   /* rondo has gone, or ended it */
	INSIDE_OVERFLOW, /* it printed too much */
	INSIDE_REFUSED,  /* value: errno of executing the shell */
	INSIDE_NO_FILES, /* value: errno of applying the request; nothing was run */
};

struct inside_report {
	int32_t end, value;
	int64_t max_rss_bytes; /* of the largest process that the line waited for */
};

/* A report's record is this head and the struct. */
#define INSIDE_REPORT_HEAD "r 0 0 16 0 "
enum { INSIDE_REPORT_SIZE = sizeof INSIDE_REPORT_HEAD + sizeof(struct inside_report) };

#define INSIDE_MOST_FILE ((uint64_t)64 << 20)
#define INSIDE_MOST_BYTES ((uint64_t)256 << 20)
enum { INSIDE_MOST_FILES = 20000 };

/*
 * Words of the command line. The first two are for a container's first process. With the others a
 * line's output goes to standard output, and records to standard error. MS: the deadline, or 0.
 */
#define INSIDE_HOLD "hold" /* until standard input ends */
#define INSIDE_STAY "stay" /* for ever */
/* MS LINE [TREE CACHE KEPT...]: run a line. With a tree, a request on standard input comes first,
 * and changes follow the report. Paths KEPT in the tree belong to the programs. */
#define INSIDE_RUN "run"
#define INSIDE_SPEAK "speak" /* MS LINE: run a line with standard input */
#define INSIDE_OPEN "open"   /* DIR...: make these directories writable for everybody */
#define INSIDE_FILL "fill"   /* DIR: apply the records on standard input there */
/* PLACE NAME PREVIOUS REQUEST MOST MS LINE TREE CACHE KEPT...: run a line that survives the
 * connection to rondo. PLACE/NAME is created for it, PLACE/PREVIOUS removed. The request is the
 * file PLACE/REQUEST; PLACE/NAME/answer gets the report, up to MOST bytes of output, and
 * changes. */
#define INSIDE_KEEP "keep"
#define INSIDE_AWAIT "await" /* DIR: wait some seconds for the answer */
#define INSIDE_END "end"     /* DIR: end the line first */

#define INSIDE_ANSWER "answer"

/* Exit codes of these three. */
enum inside_state {
	INSIDE_ANSWERED = 90,
	INSIDE_RUNS,
	INSIDE_GONE,  /* the helper was killed */
	INSIDE_NEVER, /* it never began */
	INSIDE_AGAIN, /* PLACE/NAME exists: the line began before */
};

/* The program, built by the Makefile; first for this machine. */
struct inside_program {
	const char *machine; /* as uname calls it */
	const unsigned char *bytes;
	size_t n;
};
extern const struct inside_program inside_programs[];
extern const size_t inside_programs_n;
