/*
 * Warm runners: programs that rondo starts in a sandbox, where they keep the tests of a suite
 * loaded and try one change after the other. Each is a file of this folder in the language that it
 * runs, whose head says what it is told and answers. One is for languages that are compiled: it
 * runs a suite, or its test programs alone, again and again on one build.
 */
#pragma once
#include <stddef.h>

struct warm_program {
	const char *name; /* the file's, without its suffix: what struct warm_plan calls the runner */
	const char *suffix;
	const char *text; /* or the bytes of a program that can be executed */
	size_t n;
};

/* Made of the files by the Makefile. */
extern const struct warm_program warm_programs[];
extern const size_t warm_programs_n;
