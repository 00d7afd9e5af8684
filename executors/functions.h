/*
 * A user's own functions, which code blocks may import from a module `functions`: files in Python, laid into the cache of an
 * executor. For those who run blocks, and those who tell a model what there is.
 */
#pragma once
#include "executors/executor.h"

/* What the names of their folders begin with, and no others in a cache. */
#define FUNCTIONS_FOLDER "functions-"

struct functions {
	const char *const *files; /* relative ones to dir */
	size_t n;
	const char *dir;
	const char *folder; /* in the executor's cache */
};

/* Whether the files are there, and can be modules beside each other. */
int functions_check(const struct functions *functions, struct rondo_error *err);

/* Lay them there, and import them once: an error names the file that cannot be read, or says what Python said. */
int functions_install(struct executor *executor, const struct functions *functions, const struct context *ctx, struct rondo_error *err);

/* What lets programs find them: NAME=value ..., NULL; in the arena. NULL where there are none. */
const char *const *functions_env(const struct executor *executor, const struct functions *functions, struct arena *arena);

/* Their signatures with what they say of themselves, without bodies, as Python; in the arena. */
int functions_describe(const struct functions *functions, struct arena *arena, const char **ret_text, struct rondo_error *err);
