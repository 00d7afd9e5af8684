/* Files that rondo writes into directories where programs that it does not trust have written. */
#pragma once
#include "executors/executor.h"

/* Write `name` (may hold directories, which are made) below `dir`, never through a link, owned as the
 * executor's programs are. */
int tree_file_write(const struct executor *executor, const char *dir, const char *name,
	const char *text, struct rondo_error *err);

/* Remove it again, as far as it is still there. */
void tree_file_remove(const char *dir, const char *name);

/* Write n bytes to a new file below `dir` in the same way. 1 where something of that name is there already. */
int tree_file_create(const struct executor *executor, const char *dir, const char *name, const void *bytes, size_t n,
	struct rondo_error *err);

/* Whether `name` is a directory below `dir`, with no link on the way. */
bool tree_file_is_dir(const char *dir, const char *name);
