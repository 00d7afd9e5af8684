/* What build files say of programs: those that they make and those that they run as tests. Private
 * to this folder. */
#pragma once
#include <stdbool.h>

#include "base/arena.h"

/* A program that a build file makes or runs. */
struct built_program {
	const char *name;
	const char **sources; /* as the build file names them */
	size_t n;
	bool is_run; /* as a test, without arguments */
};

struct built_programs {
	struct arena *arena;
	struct built_program *items;
	size_t n;
	const char **commands; /* for sh: what else is run as a test, with its arguments */
	size_t n_commands;
};

/* Whether a source holds main(): that of C, C++ or Java. */
bool source_holds_main(const char *text);

/* The end of a makefile's line, or of another build file's, which backslashes may continue. */
const char *build_file_line_end(const char *line);

/* Whether a path is that of a build file that can be read. */
bool build_file_is(const char *path);

/* Add what such a file says; another one says nothing. */
void build_file_read(const char *path, const char *text, struct built_programs *ret_programs);
