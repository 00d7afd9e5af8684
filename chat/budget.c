#include "chat/budget.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/utf8.h"
#include "chat/message.h"
#include "chat/usage.h"

#define MILLION 1e6

void budget_init(struct budget *budget, int64_t most_tokens, double most_usd)
{
	*budget = (struct budget){.most_tokens = most_tokens, .most_usd = most_usd};
	pthread_mutex_init(&budget->lock, NULL);
}

void budget_release(struct budget *budget)
{
	pthread_mutex_destroy(&budget->lock);
}

double price_of(const struct price *price, const struct rondo_usage *usage)
{
	if (!price->known)
		return 0;
	double cached = price->cached > 0 ? price->cached : price->input;
	double written = price->written > 0 ? price->written : price->input;
	int64_t rest = usage->prompt_tokens - usage->cached_tokens - usage->cache_written_tokens;
	return ((double)rest * price->input + (double)usage->cached_tokens * cached +
			   (double)usage->cache_written_tokens * written +
			   (double)usage->completion_tokens * price->output) /
		MILLION;
}

/* Three digits of a small sum, and no zeros at its end. */
const char *money_text(double usd, char text[MONEY_SIZE])
{
	int decimals = 2;
	for (double at = usd; at > 0 && at < 1 && decimals < 8; at *= 10)
		decimals++;
	snprintf(text, MONEY_SIZE, "%.*f", decimals, usd);
	size_t n = strlen(text);
	while (n && text[n - 1] == '0')
		n--;
	text[n - (n && text[n - 1] == '.')] = '\0';
	return text;
}

static int64_t budget_tokens_of(const struct rondo_usage *usage)
{
	return usage->prompt_tokens + usage->completion_tokens;
}

/* With `hold` on top of what is spent and held. The first refusal stays. */
static bool budget_has_room(struct budget *budget, const struct budget_hold *hold)
{
	int64_t tokens = budget_tokens_of(&budget->usage) + budget->held_tokens + hold->tokens;
	double usd = budget->usd + budget->held_usd + hold->usd;
	char held[64] = "", next[64] = "";
	if (budget->exhausted[0])
		return false;
	if (budget->most_tokens && tokens > budget->most_tokens) {
		if (budget->held_tokens)
			snprintf(
				held, sizeof held, ", calls under way take about %" PRId64, budget->held_tokens);
		if (hold->tokens)
			snprintf(
				next, sizeof next, ", and the next call would take about %" PRId64, hold->tokens);
		utf8_format(budget->exhausted, sizeof budget->exhausted,
			"%" PRId64 " of %" PRId64 " tokens are spent%s%s", budget_tokens_of(&budget->usage),
			budget->most_tokens, held, next);
	} else if (budget->most_usd > 0 && usd > budget->most_usd) {
		if (budget->held_usd > 0)
			snprintf(held, sizeof held, ", calls under way take about %.4g", budget->held_usd);
		if (hold->usd > 0)
			snprintf(next, sizeof next, ", and the next call would take about %.4g", hold->usd);
		utf8_format(budget->exhausted, sizeof budget->exhausted, "%.4g of %.4g USD are spent%s%s",
			budget->usd, budget->most_usd, held, next);
	}
	return !budget->exhausted[0];
}

bool budget_reserve(struct budget *budget, const struct rondo_usage *estimate,
	const struct price *price, struct budget_hold *ret_hold)
{
	struct budget_hold hold = {budget_tokens_of(estimate), price_of(price, estimate)};
	*ret_hold = (struct budget_hold){0};
	if (!budget)
		return true;
	pthread_mutex_lock(&budget->lock);
	bool room = budget_has_room(budget, &hold);
	if (room) {
		budget->held_tokens += hold.tokens;
		budget->held_usd += hold.usd;
		*ret_hold = hold;
	}
	pthread_mutex_unlock(&budget->lock);
	return room;
}

void budget_settle_at(struct budget *budget, const struct budget_hold *hold,
	const struct rondo_usage *usage, double usd, bool is_least)
{
	if (!budget)
		return;
	pthread_mutex_lock(&budget->lock);
	budget->held_tokens -= hold->tokens;
	budget->held_usd -= hold->usd;
	budget->calls++;
	budget->calls_of_unknown_usage += !usage || is_least;
	budget->calls_of_unknown_cost += !usage || usd < 0 || is_least;
	if (usage) {
		usage_add(&budget->usage, usage);
		budget->usd += usd > 0 ? usd : 0;
	}
	pthread_mutex_unlock(&budget->lock);
}

void budget_settle(struct budget *budget, const struct budget_hold *hold,
	const struct rondo_usage *usage, const struct price *price)
{
	double usd = usage && price->known ? price_of(price, usage) : -1;
	budget_settle_at(budget, hold, usage, usd, false);
}

bool budget_is_exhausted(struct budget *budget, char *reason, size_t size)
{
	static const struct budget_hold nothing;
	if (!budget)
		return false;
	pthread_mutex_lock(&budget->lock);
	bool exhausted = !budget_has_room(budget, &nothing);
	utf8_format(reason, size, "%s", budget->exhausted);
	pthread_mutex_unlock(&budget->lock);
	return exhausted;
}

double budget_spent(struct budget *budget, int64_t *ret_unknown)
{
	pthread_mutex_lock(&budget->lock);
	double usd = budget->usd;
	*ret_unknown = budget->calls_of_unknown_cost;
	pthread_mutex_unlock(&budget->lock);
	return usd;
}

void budget_describe(struct budget *budget, struct strbuf *sb)
{
	char money[MONEY_SIZE];
	pthread_mutex_lock(&budget->lock);
	int64_t tokens = budget_tokens_of(&budget->usage);
	strbuf_addf(
		sb, "%s%" PRId64 " tokens", budget->calls_of_unknown_usage ? "at least " : "", tokens);
	if (budget->calls && budget->calls_of_unknown_cost == budget->calls)
		strbuf_adds(sb, ", cost unknown");
	else
		strbuf_addf(sb, ", %s%s USD", budget->calls_of_unknown_cost ? "at least " : "",
			money_text(budget->usd, money));
	pthread_mutex_unlock(&budget->lock);
}
