/*
 * The Test Anything Protocol, 13 and 14, with nested subtests and YAML diagnostics, as node, npm
 * and make print it. Ids are the names of the subtests around a test and its own, "suite > adds"; a
 * name that comes again gets a number, "adds (2)". Several streams may follow each other.
 */
#pragma once
#include "suite/outcome.h"
#include "suite/suite.h"

enum { TAP_DEPTH = 8, TAP_NAME = 512 };

/* The test that was read last; added when the diagnostics behind it are over. */
struct tap_test {
	bool open;
	char id[TAP_NAME];
	enum test_status status;
	char message[TAP_NAME];
	struct location location, frame; /* where it is declared, where it failed */
	bool explained; /* by a block of YAML: then comments behind it are not about this test */
	bool is_file;   /* a whole test file that could not be run */
};

struct tap {
	bool versioned, seen; /* a version line; anything of TAP */
	bool planned;
	size_t plan, counted; /* of the stream that is being read, at its top level */
	char problem[TAP_NAME];
	char names[TAP_DEPTH][TAP_NAME]; /* of the subtests around, by level */
	int depth;                       /* how many of them are known */
	struct map repeats;
	struct tap_test test;
	int yaml;                 /* 0, or 1 + the indentation of the block that is being read */
	char key[32];             /* its key whose lines are being read */
	int key_indent;           /* and that key's indentation */
	char complaint[TAP_NAME]; /* what a comment said since the last test: "Error: ..." */
	struct location place;
};

void tap_line(struct tap *tap, struct suite_reading *reading, const char *line);

/* False where there was no TAP at all: then nothing is concluded. */
bool tap_finish(
	struct tap *tap, struct suite_reading *reading, const struct process_result *result);

/* Members of a type whose tests may print TAP, and where they do not, are told by the exit code
 * alone. */
struct tap_state {
	struct tap tap;
	struct outcome outcome;
};
void tap_read_line(struct suite_reading *reading, const char *line);
void tap_read_end(struct suite_reading *reading, const struct process_result *result);
