/* What a simple command of JavaScript starts. */
#pragma once
#include "verify/suite/runners/command_line.h"

/* A program with its words, as a simple command starts it. */
struct runner_call {
	/* Of the runner: "mocha"; "node" for `node --test`, "tsx" and "bun" for theirs. */
	const char *name;
	const char *before; /* what stands before the program and matters to it, for sh: "TZ=UTC " */
	const char *const *words, *const *raws; /* from the program on */
	size_t n;
	size_t options; /* where the runner's own words begin */
	bool is_plain;  /* nothing but assignments stands before it, and node has no other options */
};

/* Find the runner that a simple command starts, also through a wrapper such as nyc or a package
 * manager. false: it starts none. Strings lie in the arena, or are the command's. */
bool runner_call_of(
	const struct simple_command *command, struct arena *arena, struct runner_call *ret_call);

/* The program that a simple command starts through wrappers, whatever it is; its name is NULL. n is
 * 0: it starts none. */
void runner_unwrap(
	const struct simple_command *command, struct arena *arena, struct runner_call *ret_call);

/* The runner that a word names, with any path; NULL: none. Static. */
const char *runner_of(const char *word);

/* Whether a word, with any path, is like one of the names. */
bool runner_is_one_of(const char *word, const char *const *names);

/* Whether a wrapper that only reports coverage, and that runner_unwrap leaves out, has modules
 * loaded for the tests. `nyc_loads`: nyc's configuration does. */
bool runner_wrapper_loads(const struct simple_command *command, bool nyc_loads);
