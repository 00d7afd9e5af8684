/*
 * What a run may still spend on models: tokens and money, with room asked for before each call and
 * settled after it. Shared by runs at the same time; conditions only read it. What a
 * model costs may be unknown: then it is said to be unknown, and never counted as nothing.
 */
#pragma once
#include <pthread.h>
#include <stdbool.h>

#include "base/strbuf.h"
#include "include/rondo.h"

struct budget {
	int64_t most_tokens; /* 0: no limit */
	double most_usd;     /* 0: no limit */
	pthread_mutex_t lock;
	struct rondo_usage usage; /* settled */
	double usd;               /* settled, as far as it is known */
	int64_t held_tokens;      /* by calls under way */
	double held_usd;
	int64_t calls, calls_of_unknown_usage, calls_of_unknown_cost;
	char exhausted[192]; /* why the first call was refused, or "" */
};

/* USD for a million tokens. Reasoning is paid for as output. */
struct price {
	double input, output;
	/* of the input, what comes from a cache, and what is taken into it; 0: as the rest of it */
	double cached, written;
	bool known; /* else it costs nobody knows what */
};

/* What the tokens cost, in USD; 0 where the price is not known. */
double price_of(const struct price *price, const struct rondo_usage *usage);

/* "0.0004", "12.5": a sum of money, for people. */
enum { MONEY_SIZE = 32 };
const char *money_text(double usd, char text[MONEY_SIZE]);

/* What a call under way may come to. */
struct budget_hold {
	int64_t tokens;
	double usd;
};

void budget_init(struct budget *budget, int64_t most_tokens, double most_usd);
void budget_release(struct budget *budget);

/* Room for a call of about this many tokens. False where a limit stands in the way; from then on
 * the budget is exhausted. A hold must be settled. NULL for the budget: there is always room. */
bool budget_reserve(struct budget *budget, const struct rondo_usage *estimate,
	const struct price *price, struct budget_hold *hold);

/* What the call came to. `usage` NULL: it is not known. */
void budget_settle(struct budget *budget, const struct budget_hold *hold,
	const struct rondo_usage *usage, const struct price *price);

/* The same of a call whose tokens are known, and what they cost by itself; below 0: it is not.
 * `is_least`: it may have come to more. */
void budget_settle_at(struct budget *budget, const struct budget_hold *hold,
	const struct rondo_usage *usage, double usd, bool is_least);

/* Whether a call was refused, or nothing is left, with the reason in words. */
bool budget_is_exhausted(struct budget *budget, char *reason, size_t size);

/* USD that were spent, as far as that is known, and by how many calls nobody knows what. */
double budget_spent(struct budget *budget, int64_t *ret_unknown);

/* "12,345 tokens, 0.04 USD", "cost unknown": what was spent. Appended. */
void budget_describe(struct budget *budget, struct strbuf *sb);
