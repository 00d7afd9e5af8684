/*
 * The user's own functions, which code blocks import from a module `functions`: Python files that
 * are copied into an executor's cache. For code that runs blocks, and code that describes the
 * functions to a model.
 */
#pragma once
#include "executors/executor.h"

/* The prefix of their directories' names; nothing else in a cache has it. */
#define FUNCTIONS_FOLDER "functions-"

struct functions {
	const char *const *files; /* relative ones are relative to dir */
	size_t n;
	const char *dir;
	const char *folder; /* in the executor's cache */
};

/* Check that the files exist and can be modules side by side. */
int functions_check(const struct functions *functions, struct rondo_error *err);

/* Copy them and import them once. An error names the unreadable file, or quotes Python. */
int functions_install(struct executor *executor, const struct functions *functions,
	const struct context *ctx, struct rondo_error *err);

/* The environment that lets programs find them: NAME=value ..., NULL; in the arena. NULL if there
 * are none. */
const char *const *functions_env(const struct executor *executor, const struct functions *functions,
	struct arena *arena);

/* Their signatures and docstrings without bodies, as Python; in the arena. */
int functions_describe(const struct functions *functions, struct arena *arena,
	const char **ret_text, struct rondo_error *err);
