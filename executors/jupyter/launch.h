/* Which kernel is started, and how: found where programs run. Inside executors/ only. */
#pragma once
#include "executors/executor.h"

/* How a kernel is started. */
struct jupyter_launch {
	const char *kernel;  /* its name */
	const char *python;  /* of the kernel "python3"; NULL: by the words of a kernel.json */
	const char *version; /* of ipykernel there, or NULL */
	const char **words;
	size_t n_words;
	const char **env;    /* NAME=value ..., not terminated */
	size_t n_env;
	const char *const *block_env; /* what blocks have beside it: NAME=value ..., NULL; may be NULL */
};

/* Find the kernel of that name among those that the executor's programs see: "python3" is the first python3 on their PATH that
 * has ipykernel; all others, and python3 where none has, are kernel.json files. In the arena. */
int jupyter_launch_find(struct executor *executor, const char *kernel, struct arena *arena, struct jupyter_launch *ret_launch,
	const struct context *ctx, struct rondo_error *err);

/* The line of sh that starts it with a connection file; it interrupts the kernel at each line that it is told. In the arena. */
const char *jupyter_launch_line(const struct jupyter_launch *launch, const char *connection_file, struct arena *arena);
