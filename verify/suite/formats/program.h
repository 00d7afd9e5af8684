/* What a program that is its own test prints; the members of its type in program.c. */
#pragma once
#include "verify/suite/outcome.h"

/* The failed example of doctest that is being read. */
struct program_examples {
	size_t n_failed;
	bool is_placed;        /* its place was read */
	struct location place; /* line 0: not known */
	char section;          /* what indented lines are; '\0': no section has begun */
	size_t at;             /* which assertion it is */
	char expected[128], got[256];
	bool expects_error, raised; /* what is expected, or came, is an exception */
	struct location inner;      /* the place that raised it, in the tree */
};

struct program_state {
	bool *failed; /* by console.assert, or by doctest; one for each assertion */
	const char **messages;
	struct location *places; /* where such a failure comes from; no file: from its own line */
	size_t thrown;           /* 1 + the assertion in which the program ended; 0: in none */
	bool was_traced;         /* Python reported an error that nobody caught */
	bool in_frame;           /* the line before named a place in the program */
	int frame_line;
	char error[512];          /* "ZeroDivisionError: division by zero" */
	struct location location; /* of the innermost place in the tree */
	struct program_examples examples;
	struct outcome outcome;
};

/* program_examples.c: read a line of doctest's; false: it is none. And the end of all lines. */
bool program_examples_line(
	struct program_state *state, struct suite_reading *reading, const char *line);
void program_examples_end(struct program_state *state, struct suite_reading *reading);
