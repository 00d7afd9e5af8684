/*
 * What executors/daytona/remote.sh hands over of a command: what was printed, and what changed in tree and cache, with the bytes. It was
 * made where programs run that nobody trusts, so names and bytes are checked here and again where they are written. Inside
 * executors/ only.
 */
#pragma once
#include "executors/mirror.h"

struct answer {
	int exit_code;   /* -1: the command did not come to its end */
	bool is_applied; /* what was sent before it is in its place */
	const char *output;
	size_t n_output;
	struct answer_item *items;
	size_t n;
};

/* Read it; items lie in the arena, what they hold in `bytes`. Items with names that cannot be are refused ones. */
int answer_read(const char *bytes, size_t n, struct arena *arena, struct answer *ret_answer,
	struct rondo_error *err);
