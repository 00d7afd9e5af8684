/* bubblewrap's arguments: the box as it sees it. Only sandbox.c includes it. */
#pragma once
#include "executors/sandbox/box.h"

/* Append words, each with its NUL; b and c may be NULL. */
void bwrap_add(struct strbuf *args, const char *a, const char *b, const char *c);

/* The world's mounts, then the tree, so that what lies within the tree comes on top of it. */
struct mount *bwrap_mounts(const struct executor *executor, struct arena *arena, size_t *ret_n);

/* Append the arguments of a box around a command. */
void bwrap_describe(struct strbuf *args, const struct executor *executor, const struct command *command,
	const struct mount *mounts, size_t n, const struct box *box, struct arena *arena);
