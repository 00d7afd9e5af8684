/*
 * The helper: the program that rondo puts into a container or a sandbox elsewhere, and what the two
 * say to each other. It runs lines of sh, holds their deadlines, and kills all that they leave.
 * Where the tree there is another one than here, it also takes what changed here before a line, and
 * tells what the line changed there, by records (executors/inside/record.h).
 */
#pragma once
#include <stddef.h>
#include <stdint.h>

#include "executors/inside/record.h"

enum inside_end {
	INSIDE_ENDED = 1, /* value: as waitpid gives it */
	INSIDE_TIMEOUT,
	INSIDE_CLOSED,   /* rondo has gone, or told it to end */
	INSIDE_OVERFLOW, /* it printed more than it may */
	INSIDE_REFUSED,  /* value: errno of executing the shell */
	INSIDE_NO_FILES, /* value: errno of putting what rondo sent in its place; nothing was run */
};

struct inside_report {
	int32_t end, value;
	int64_t max_rss_bytes; /* the largest of the processes that the line waited for */
};

/* The record of a report is always this head and the struct. */
#define INSIDE_REPORT_HEAD "r 0 0 16 0 "
enum { INSIDE_REPORT_SIZE = sizeof INSIDE_REPORT_HEAD + sizeof(struct inside_report) };

#define INSIDE_MOST_FILE ((uint64_t)64 << 20)
#define INSIDE_MOST_BYTES ((uint64_t)256 << 20)
enum { INSIDE_MOST_FILES = 20000 };

/*
 * Words of the command line. The first are a container's first process; of all others what a line
 * prints comes on standard output, and records on standard error. MS: the deadline, or 0.
 */
#define INSIDE_HOLD "hold" /* until standard input ends */
#define INSIDE_STAY "stay" /* for ever */
/* MS LINE [TREE CACHE KEPT...]: run a line. With a tree, records of what changed come in on
 * standard input before it, and go out behind its report. Paths KEPT in the tree are the programs'
 * own. */
#define INSIDE_RUN "run"
#define INSIDE_SPEAK "speak" /* MS LINE: run it, and pass standard input on to it */
#define INSIDE_SEE "see"     /* PATH...: whether all of these files are there and can be written */
#define INSIDE_OPEN "open"   /* DIR...: let everybody write to these directories */
#define INSIDE_FILL "fill"   /* DIR: put the records on standard input there */
/* PLACE NAME PREVIOUS REQUEST MOST MS LINE TREE CACHE KEPT...: run a line that goes on when the
 * connection to rondo breaks. PLACE/NAME is made for it, PLACE/PREVIOUS removed. Records come from
 * the file PLACE/REQUEST, and go to PLACE/NAME/answer: the report, up to MOST bytes of output,
 * changes. */
#define INSIDE_KEEP "keep"
#define INSIDE_AWAIT "await" /* DIR: whether the answer is there; waits for some seconds */
#define INSIDE_END "end"     /* DIR: end the line first */

#define INSIDE_ANSWER "answer"

/* Exit codes of the last three. */
enum inside_state {
	INSIDE_ANSWERED = 90,
	INSIDE_RUNS,
	INSIDE_GONE,  /* whoever was to answer was killed */
	INSIDE_NEVER, /* it never began */
	INSIDE_AGAIN, /* "keep" of a DIR that is there: the line began before */
};

/* The program, made by the Makefile: for this machine first. */
struct inside_program {
	const char *machine; /* as uname calls it */
	const unsigned char *bytes;
	size_t n;
};
extern const struct inside_program inside_programs[];
extern const size_t inside_programs_n;
