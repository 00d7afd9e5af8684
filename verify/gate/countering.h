/* Counter-tests of one verdict: which tests are copied, and what came of the copies. Inside gate/
 * only. */
#pragma once
#include "verify/counter/counter.h"
#include "verify/gate/judging.h"

/* A test that copies are wanted of. */
struct original {
	const char *id;
	bool is_goal;        /* it failed at the base */
	bool only_same;      /* it stands beside one of the goal, and gets a copy that is the same */
	const char *why_not; /* static; NULL: it is copied */
};

struct countering {
	const struct gate *gate;
	struct verdict *verdict;
	struct counter_plan plan;
	struct original *originals;
	size_t n_originals, n_goals;
	int64_t ms;              /* of all copies, going by their originals */
	bool can_choose;         /* some tests can be run alone */
	bool *has_failed;        /* with the fix; for each copy */
	size_t n_seen, n_passed; /* copies in reports that must fail, and those of them that passed */
	size_t n_same;           /* those that must pass, and did */
};

/* A result that a copy came to. */
struct counter_outcome {
	const struct counter_copy *copy;
	const char *id; /* of the result */
};

/* The result of a test with the fix, if it passes; or NULL. */
const struct test_result *counter_result(const struct countering *x, const char *id);

/* --- counter_runs.c --- */

/* A run of some tests in a fresh checkout of a tree, where copies of a round stand in the files. */
struct counter_run {
	const struct object *tree;
	const char *name;
	size_t round;
	const char **ids;
	size_t n;
	bool is_quick; /* only the statuses count */
};

int counter_run_some(const struct countering *x, const struct counter_run *run,
	struct test_report *ret_report, struct rondo_error *err);

/* The original's id of a result that is a copy's own, or one of the rows of its table; NULL: it is
 * none. */
const char *counter_original_id(
	const struct countering *x, const struct counter_copy *copy, const char *id);

/* Whether the tests can be run alone, or the suite is short; then run all copies that must fail,
 * and those that must pass with them. ret_reason: why the fix is refused, or NULL. */
bool counter_can_run(struct countering *x);
int counter_judge_copies(struct countering *x, const char **ret_reason, struct rondo_error *err);

/* --- counter_same.c --- */

/* Append the ids of a copy that is the same: of each row of its table by itself, the last first. */
void same_add_ids(
	const struct countering *x, const struct counter_copy *copy, const char ***ids, size_t *n);

/* What follows from copies that are the same and failed, and from tests that fail alone. */
int same_judge(struct countering *x, const char **ret_reason, struct rondo_error *err);
