/* Files that rondo writes into directories where programs that it does not trust have written:
 * never through a link, owned as the executor's programs are. Names are relative to `dir` and may
 * hold directories, which are made. */
#pragma once
#include "executors/executor.h"

/* Write a text as the file `name`, in place of what stands there. */
int tree_file_write(const struct executor *executor, const char *dir, const char *name,
	const char *text, struct rondo_error *err);

/* The same with n bytes and a mode. */
int tree_file_put(const struct executor *executor, const char *dir, const char *name,
	const void *bytes, size_t n, mode_t mode, struct rondo_error *err);

/* A link; the caller has checked where it points. And a directory, where there is none. */
int tree_file_link(const struct executor *executor, const char *dir, const char *name,
	const char *target, struct rondo_error *err);
int tree_file_make_dir(const struct executor *executor, const char *dir, const char *name,
	struct rondo_error *err);

/* Remove a file or link, or a directory that is empty. What is not there is fine. */
int tree_file_remove(const char *dir, const char *name, struct rondo_error *err);

/* A regular file, to be read; -1 with errno. */
int tree_file_open(const char *dir, const char *name);

/* Write n bytes to a new file below `dir` in the same way. 1: that name exists already. */
int tree_file_create(const struct executor *executor, const char *dir, const char *name,
	const void *bytes, size_t n, struct rondo_error *err);

/* Whether `name` is a directory below `dir`, with no link on the way. */
bool tree_file_is_dir(const char *dir, const char *name);
