/* One budget for all tasks: a task gets an even share of what is left when it begins, and gives
 * back what it did not spend. So none can spend what another one holds. */
#include "run/batch/pool.h"

/* Less than this part of the whole is nothing: a task could not even ask once. */
#define LEAST_PART 0.01

const char *pool_budget_used_up(const struct batch_budget *whole, const struct batch_budget *taken)
{
	double tokens = (double)(whole->tokens - taken->tokens), usd = whole->usd - taken->usd;
	if (whole->tokens && tokens < (double)whole->tokens * LEAST_PART)
		return "the budget of tokens is used up";
	if (whole->usd > 0 && usd < whole->usd * LEAST_PART)
		return "the budget of money is used up";
	return NULL;
}

const char *pool_share(const struct pool *pool, struct batch_budget *ret_share)
{
	const struct batch_budget *whole = &pool->common->budget;
	int64_t tokens = whole->tokens - pool->progress->tokens, n_free = 0;
	double usd = whole->usd - pool->progress->usd;
	for (size_t i = 0; i < pool->n_slots; i++) {
		n_free += !pool->slots[i].entry;
		tokens -= pool->slots[i].entry ? pool->slots[i].held.tokens : 0;
		usd -= pool->slots[i].entry ? pool->slots[i].held.usd : 0;
	}
	if (n_free > (int64_t)pool->n_waiting)
		n_free = (int64_t)pool->n_waiting;
	if (!n_free)
		n_free = 1;
	*ret_share = (struct batch_budget){
		whole->tokens ? tokens / n_free : 0, whole->usd > 0 ? usd / (double)n_free : 0};
	const struct batch_budget taken = {whole->tokens - tokens, whole->usd - usd};
	return pool_budget_used_up(whole, &taken);
}
