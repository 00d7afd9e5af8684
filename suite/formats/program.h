/* What a program that is its own test prints; the members of its type in program.c. */
#pragma once
#include "suite/outcome.h"

struct program_state {
	bool *failed; /* by console.assert; one for each assertion */
	const char **messages;
	size_t thrown; /* 1 + the assertion in which the program ended; 0: in none */
	bool in_frame; /* the line before named a place in the program */
	int frame_line;
	char error[512];          /* "ZeroDivisionError: division by zero" */
	struct location location; /* of the innermost place in the tree */
	struct outcome outcome;
};
