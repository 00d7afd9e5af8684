/*
 * The program that rondo puts into a container: what is said between the two. One build of one machine speaks with itself, so
 * a report is the bytes of this struct. It comes on standard error, which the line that is run never has: both its outputs go
 * to the helper's standard output.
 */
#pragma once
#include <stddef.h>
#include <stdint.h>

enum inside_end {
	INSIDE_ENDED = 1, /* value: as waitpid gives it */
	INSIDE_TIMEOUT,
	INSIDE_CLOSED,    /* its standard input ended, and so all was killed */
	INSIDE_REFUSED,   /* value: errno of executing the shell */
};

struct inside_report {
	int32_t end, value;
	int64_t max_rss_bytes; /* the largest of the processes that the line waited for */
};

/* Words of the command line. */
#define INSIDE_HOLD "hold"   /* be a container's first process until standard input ends */
#define INSIDE_STAY "stay"   /* be it for ever */
#define INSIDE_RUN "run"     /* MS LINE: for sh, with no input; 0: no deadline */
#define INSIDE_SPEAK "speak" /* MS LINE: the same, and standard input is passed on */

/* The program, made by the Makefile. */
extern const unsigned char inside_program[];
extern const size_t inside_program_n;
