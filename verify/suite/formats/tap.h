/* A stream of TAP (tap.c), why its tests failed (tap_diagnosis.c), and prove's lines around it
 * (tap_prove.c). */
#pragma once
#include "verify/suite/format.h"

#define LETTERS "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"

enum { TAP_DEPTH = 8, TAP_NAME = 512 };

/* The test that was read last; it is added once its diagnostics are over. */
struct tap_test {
	bool open;
	long number; /* in the plan of its stream; 0: it is within another test */
	char id[TAP_NAME];
	enum test_status status;
	char message[TAP_NAME], expected[TAP_NAME], actual[TAP_NAME];
	int64_t duration_ms;
	struct location location, frame; /* where it is declared, where it failed */
	bool explained; /* by a block of YAML: then the comments after it are about something else */
	bool is_file;   /* a whole test file that could not be run */
};

struct tap {
	bool versioned, seen; /* a version line; anything of TAP */
	bool planned;
	size_t plan, counted; /* of the stream that is being read, at its top level */
	size_t plan_at;       /* how many tests came before its plan */
	bool has_first;       /* its test with the number 1 has come */
	bool has_plan;        /* some stream has a plan */
	size_t streams;       /* that were read before it */
	const char **placed;  /* ids of its tests by their numbers, as far as they come in order */
	size_t n_placed;
	char problem[TAP_NAME];
	char broken[TAP_NAME];           /* how a stream broke off: not as planned */
	char names[TAP_DEPTH][TAP_NAME]; /* of the subtests around, by level */
	int depth;                       /* how many of them are known */
	struct map repeats;
	struct tap_test test;
	int yaml;                 /* 0, or 1 + the indentation of the block that is being read */
	char key[32];             /* its key whose lines are being read */
	int key_indent;           /* and that key's indentation */
	char complaint[TAP_NAME]; /* what a comment said since the last test: "Error: ..." */
	struct location place;
	char file[TAP_NAME], next_file[TAP_NAME]; /* prove's: the one being read, the one that begins */
	bool file_ok;
};

/* A line of the block of YAML after the test. */
void tap_read_yaml(struct tap *tap, const char *dir, const char *line);

/* A comment: why the test before it failed, or what a file that could not be run printed. */
void tap_explain(struct tap *tap, const char *dir, const char *text);

/* Whether Perl prints an exception so, and not its place alone: "Can't locate A.pm in @INC ... at
 * t/a.t line 3." */
bool tap_is_exception(const char *said);

/* A line of prove's at the margin: whether a file begins, then in `next_file`; whether all have
 * ended. */
bool tap_begins_file(struct tap *tap, const char *dir, const char *text);
bool tap_ends_file(const char *text);

/* Add the result of the file that was read, if one was. */
void tap_end_file(struct tap *tap, struct suite_reading *reading);

/* Of a stream that kept its plan, let tests be known by their numbers, too. */
void tap_place(struct tap *tap, struct suite_reading *reading);

/* Forget what was read of a stream, or was complained of. */
void tap_reset_stream(struct tap *tap);
void tap_forget_complaint(struct tap *tap);
