/* What of a fix is judged: its tree without changes of what is protected, and the guard's words. */
#pragma once
#include "verify/gate/gate.h"

struct judgement {
	struct gate *gate; /* its baseline is narrowed where the goal is fixed in part */
	struct verdict *verdict;
	const char **kept; /* paths of what is left out */
	size_t n_kept;
	const char **named; /* build files that only name what comes with the change */
	size_t n_named;
	struct file_change *new_tests;
	size_t n_new_tests;
};

/* Make the tree that is judged. */
int scope_take(struct judgement *judgement, const struct object *fixed, struct rondo_error *err);

/* Ask the guard; protected files, which are judged as in the base, are not its concern. */
int scope_inspect(struct judgement *judgement, const struct object *fixed, struct rondo_error *err);
