/* Directories that keep what a command writes apart from what it finds. See executor_layer. Only
 * executors/ includes it. */
#pragma once
#include "executors/executor.h"

/* The i-th mount of the world for the executor's next command or coprocess, and its tree or cache,
 * `name`. */
struct mount layer_mount(
	const struct executor *executor, size_t i, bool is_coprocess, struct arena *arena);
struct mount layer_own(const struct executor *executor, const char *name, const char *source,
	const char *target, bool is_coprocess, struct arena *arena);

/* Empty the directory for what the next command or coprocess writes, if there is one. */
int layer_empty(const struct executor *executor, bool is_coprocess, struct rondo_error *err);

/* Remove both. */
void layer_remove(const struct executor *executor);

/* That directory, with an entry for each place; NULL: there is none. */
const char *layer_written(const struct executor *executor, bool is_coprocess, struct arena *arena);

/* Where that lies on the host. */
struct executor_place layer_place(
	const struct executor *executor, bool is_coprocess, struct arena *arena);
