/* Counter-tests of one verdict: which tests are copied, and what came of the copies. Inside gate/
 * only. */
#pragma once
#include "verify/counter/counter.h"
#include "verify/gate/judging.h"

/* A test that copies are wanted of. */
struct original {
	const char *id;
	bool is_goal;        /* it failed at the base */
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
	size_t n_seen, n_passed; /* copies in reports, and those of them that passed */
};

/* The result of a test with the fix, if it passes; or NULL. */
const struct test_result *counter_result(const struct countering *x, const char *id);

/* counter_runs.c: whether the tests can be run alone, or the suite is short; then run all copies.
 * ret_reason: why the fix is refused, or NULL. */
bool counter_can_run(struct countering *x);
int counter_judge_copies(struct countering *x, const char **ret_reason, struct rondo_error *err);
