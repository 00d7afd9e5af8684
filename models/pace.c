#include "models/pace.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/hash.h"
#include "base/http/retry.h"
#include "base/memory.h"
#include "base/strbuf.h"

#define MINUTE_MS 60000
#define TOLD_MS 1000   /* a shorter wait is not worth a word */
#define MOST_MS 120000 /* that a server may ask everybody to wait */

/* What may be taken, which grows with time up to a limit. Whoever takes more than there is waits
 * until it has grown back. */
struct allowance {
	double limit, left, a_ms; /* a_ms 0: it is not known how fast it grows, and nobody waits */
	int64_t at_ms;
};

/* What the user has set, and what the provider says: both hold. */
enum { SET, SAID, RULES };

struct pace {
	struct pace *next;
	char name[HASH_SIZE];
	pthread_mutex_t lock;
	struct allowance requests[RULES], tokens[RULES];
	int64_t not_before_ms;
};

static struct pace *paces;
static pthread_mutex_t paces_lock = PTHREAD_MUTEX_INITIALIZER;

static struct allowance allowance_of(int64_t a_minute)
{
	double limit = (double)a_minute;
	return (struct allowance){limit, limit, limit / MINUTE_MS, clock_now_ms()};
}

static void allowance_grow(struct allowance *allowance, int64_t now_ms)
{
	allowance->left += (double)(now_ms - allowance->at_ms) * allowance->a_ms;
	if (allowance->left > allowance->limit)
		allowance->left = allowance->limit;
	allowance->at_ms = now_ms;
}

/* How long to wait before what is taken is there. A request that is larger than the limit has to
 * come through, too. */
static int64_t allowance_take(struct allowance *allowance, int64_t n, int64_t now_ms)
{
	double wanted = (double)n < allowance->limit ? (double)n : allowance->limit;
	if (allowance->a_ms <= 0)
		return 0;
	allowance_grow(allowance, now_ms);
	allowance->left -= wanted;
	return allowance->left < 0 ? (int64_t)(-allowance->left / allowance->a_ms) + 1 : 0;
}

/* Other conversations took from what is left since the server said so: the less counts. */
static void allowance_learn(
	struct allowance *allowance, const struct http_quota *quota, int64_t now_ms)
{
	if (quota->limit <= 0 || quota->remaining < 0 || quota->remaining > quota->limit)
		return;
	allowance_grow(allowance, now_ms);
	if (allowance->a_ms <= 0 || allowance->left > (double)quota->remaining)
		allowance->left = (double)quota->remaining;
	allowance->limit = (double)quota->limit;
	if (quota->reset_ms > 0 && quota->remaining < quota->limit)
		allowance->a_ms = (double)(quota->limit - quota->remaining) / (double)quota->reset_ms;
	else if (allowance->a_ms <= 0)
		allowance->a_ms = allowance->limit / MINUTE_MS;
}

/* Tokens are allowed by the minute. Where few of them are gone, the time until all are back says
 * little: a server that counts in windows of time says when the next one begins. */
static void allowance_learn_tokens(
	struct allowance *allowance, const struct http_quota *quota, int64_t now_ms)
{
	allowance_learn(allowance, quota, now_ms);
	double least = allowance->limit / MINUTE_MS;
	if (allowance->a_ms > 0 && allowance->a_ms < least)
		allowance->a_ms = least;
}

struct pace *pace_of(const char *url, const char *key, const char *model, int64_t requests_a_minute,
	int64_t tokens_a_minute)
{
	char name[HASH_SIZE];
	AUTO_STRBUF all = STRBUF_INIT(STRBUF_LINE);
	strbuf_addf(&all, "%s\n%s\n%s\n%lld\n%lld", url, key ? key : "", model,
		(long long)requests_a_minute, (long long)tokens_a_minute);
	hash_bytes(all.text, all.length, name);
	pthread_mutex_lock(&paces_lock);
	struct pace *pace = paces;
	while (pace && strcmp(pace->name, name) != 0)
		pace = pace->next;
	if (!pace) {
		pace = memory_alloc(sizeof *pace);
		*pace = (struct pace){.next = paces,
			.lock = PTHREAD_MUTEX_INITIALIZER,
			.requests = {[SET] = allowance_of(requests_a_minute)},
			.tokens = {[SET] = allowance_of(tokens_a_minute)}};
		memcpy(pace->name, name, sizeof name);
		paces = pace;
	}
	pthread_mutex_unlock(&paces_lock);
	return pace;
}

/* Takes its place in the line at once, so that each waits for another moment. */
static int64_t pace_take(struct pace *pace, int64_t tokens)
{
	pthread_mutex_lock(&pace->lock);
	int64_t now_ms = clock_now_ms(), most = pace->not_before_ms - now_ms;
	for (int i = 0; i < RULES; i++) {
		int64_t of_requests = allowance_take(&pace->requests[i], 1, now_ms);
		int64_t of_tokens = allowance_take(&pace->tokens[i], tokens, now_ms);
		most = of_requests > most ? of_requests : most;
		most = of_tokens > most ? of_tokens : most;
	}
	pthread_mutex_unlock(&pace->lock);
	return most;
}

/* Somebody went away before the moment that was meant for it. */
static void pace_give_back(struct pace *pace, int64_t tokens)
{
	pthread_mutex_lock(&pace->lock);
	for (int i = 0; i < RULES; i++) {
		pace->requests[i].left += 1;
		pace->tokens[i].left += (double)tokens;
	}
	pthread_mutex_unlock(&pace->lock);
}

int pace_wait(struct pace *pace, int64_t tokens, const char *source, const struct context *ctx,
	struct rondo_error *err)
{
	char words[CLOCK_DATE_SIZE];
	int64_t wait_ms = pace_take(pace, tokens);
	if (wait_ms <= 0)
		return 0;
	clock_format_duration(wait_ms, words);
	if (wait_ms >= TOLD_MS)
		context_progress(ctx, source, "waiting %s: no more may be asked now", words);
	if (retry_sleep(wait_ms, ctx->cancel))
		return 0;
	pace_give_back(pace, tokens);
	return cancel_error(ctx->cancel, err);
}

void pace_learn(struct pace *pace, const struct http_response *response)
{
	const struct retry_advice *advice = &response->advice;
	bool asks = response->status == 429 && advice->after_ms > 0 && advice->after_ms <= MOST_MS;
	pthread_mutex_lock(&pace->lock);
	int64_t now_ms = clock_now_ms();
	allowance_learn(&pace->requests[SAID], &response->requests, now_ms);
	allowance_learn_tokens(&pace->tokens[SAID], &response->tokens, now_ms);
	if (asks && now_ms + advice->after_ms > pace->not_before_ms)
		pace->not_before_ms = now_ms + advice->after_ms;
	pthread_mutex_unlock(&pace->lock);
}
