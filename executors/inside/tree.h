/* Directories below which the helper reads and writes, where programs have planted what they like:
 * no link is followed. */
#pragma once
#include <stdbool.h>

enum { TREE_DEEPEST = 128 };

/* A directory by its path, made where it is missing. -1 with errno. */
int tree_open(const char *path);

/* The directory that a path lies in; its last part in *ret_last, which lies in `path`. Where it
 * `makes`, it is made, and what stands in its way removed. -1 with errno. */
int tree_enter(int root, char *path, bool makes, char **ret_last);

/* A directory in another one, made. */
int tree_make(int dir, const char *name);

/* A file, a link or a whole directory. What is not there is fine. */
void tree_remove(int dir, const char *name);
