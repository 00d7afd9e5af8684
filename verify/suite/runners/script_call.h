/* Calls of package managers that run a script of package.json. */
#pragma once
#include "verify/suite/runners/runner_call.h"

/* A script that a package manager is asked for. */
struct script_call {
	const char *name;
	size_t at;        /* the name's place among the words */
	const char *rest; /* the words that it is given, for sh: " --bail" */
	bool is_program;  /* where there is no such script, a program of that name is meant */
};

/* false: the command asks for none, or for one of another package. In the arena. */
bool script_call_of(
	const struct runner_call *command, struct arena *arena, struct script_call *ret_call);

/* Whether a simple command asks a package manager for a script of package.json that tests. */
bool script_is_called(const char *const *words, size_t n);
