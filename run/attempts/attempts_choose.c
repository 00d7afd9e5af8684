/* Which attempt is the run's result. */
#include <string.h>

#include "run/attempts/attempts.h"

static bool attempt_came_to(const struct run_attempt *row, enum run_outcome outcome)
{
	return row->outcome && strcmp(row->outcome, run_outcome_word(outcome)) == 0;
}

bool attempt_is_verified(const struct run_attempt *row)
{
	return attempt_came_to(row, RUN_VERIFIED) || attempt_came_to(row, RUN_VERIFIED_IN_PART);
}

/* A whole fix, one in part, what was judged, what was not. */
static int attempt_rank(const struct run_attempt *row)
{
	if (attempt_came_to(row, RUN_VERIFIED))
		return 3;
	if (attempt_came_to(row, RUN_VERIFIED_IN_PART))
		return 2;
	return row->tree ? 1 : 0;
}

/* Above 0: the left one. */
static int attempt_more(int64_t left, int64_t right)
{
	return (left > right) - (left < right);
}

static bool attempt_is_better(
	const struct run_attempt *left, const struct run_attempt *right, const char *select)
{
	int order = attempt_more(attempt_rank(left), attempt_rank(right));
	bool is_fix = attempt_is_verified(left);
	bool by_size = strcmp(select, "first") != 0;
	if (!order)
		order = attempt_more((int64_t)left->n_fixed, (int64_t)right->n_fixed);
	if (!order && is_fix)
		order = attempt_more((int64_t)left->n_alike, (int64_t)right->n_alike);
	if (!order && (by_size || !is_fix))
		order = attempt_more((int64_t)right->n_lines, (int64_t)left->n_lines);
	if (!order && by_size)
		order = attempt_more(right->tokens, left->tokens);
	return order > 0;
}

/* Of those that are alike, the lowest number. */
size_t attempts_choose(const struct run_attempt *rows, size_t n, const char *select)
{
	size_t best = n;
	for (size_t i = 0; i < n; i++)
		if (rows[i].tree && (best == n || attempt_is_better(&rows[i], &rows[best], select)))
			best = i;
	return best;
}
