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

/* Behind the report of a line that was carried: what it changed, as records "KIND ROOT EXECUTABLE NUMBER PATH", each with a NUL
 * behind it; ROOT is t or c, and of a link another text with a NUL says where it points. Last comes "." where all was told, or
 * "!" where there was too much. Those that are gone stand behind what they lay in. */
enum inside_kind {
	INSIDE_FILE = 'f', /* its bytes lie in INSIDE_HANDED, under the number */
	INSIDE_DIR = 'd',
	INSIDE_LINK = 'l',
	INSIDE_IS_GONE = 'g',
	/* Those that stay: */
	INSIDE_SPECIAL = 's',
	INSIDE_LARGE = 'b',
	INSIDE_MANY = 'm',
	INSIDE_UNREADABLE = 'u',
	INSIDE_DEEP = 'n',
};

/* Directories and files that are rondo's, at the top of tree and cache, while a line is carried. */
#define INSIDE_HANDED ".rondo-handed"
#define INSIDE_GONE ".rondo-gone" /* of the cache alone: "tPATH" or "cPATH", each with a NUL behind it */

#define INSIDE_MOST_FILE ((int64_t)64 << 20)
#define INSIDE_MOST_BYTES ((uint64_t)256 << 20)
enum { INSIDE_MOST_FILES = 20000 };

/* Words of the command line. */
#define INSIDE_HOLD "hold"   /* be a container's first process until standard input ends */
#define INSIDE_STAY "stay"   /* be it for ever */
#define INSIDE_RUN "run"     /* MS LINE: for sh, with no input; 0: no deadline */
#define INSIDE_CARRY "carry" /* MS LINE GONE TREE CACHE [KEPT...]: run it, and tell what it changed; GONE: "1": there is a list */
#define INSIDE_SEE "see"     /* PATH...: whether all of these files are there and can be written to; as the exit code of a line */
#define INSIDE_OPEN "open"   /* DIR...: let everybody write to these directories; as the exit code of a line */
#define INSIDE_SPEAK "speak" /* MS LINE: the same, and standard input is passed on */

/* The program, made by the Makefile. */
extern const unsigned char inside_program[];
extern const size_t inside_program_n;
