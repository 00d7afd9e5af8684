#include "base/http/retry.h"

#include <poll.h>
#include <sys/random.h>

#include "base/clock.h"

#define OVERLOAD_FACTOR 5

void retry_init(struct retry *retry, const struct retry_options *options)
{
	*retry = (struct retry){.options = *options, .start_ms = clock_now_ms()};
}

static int64_t random_below(int64_t limit)
{
	uint32_t random = 0;
	if (getrandom(&random, sizeof random, 0) < 0)
		return limit; /* nothing to be random with: the whole wait */
	return (int64_t)((double)limit * random / UINT32_MAX);
}

/* The longest wait before the next try. */
static int64_t ceiling(const struct retry *retry, bool overloaded)
{
	int64_t wait = retry->options.base_ms * (overloaded ? OVERLOAD_FACTOR : 1);
	for (int64_t i = 1; i < retry->tries && wait < retry->options.cap_ms; i++)
		wait *= 2;
	return wait < retry->options.cap_ms ? wait : retry->options.cap_ms;
}

int64_t retry_delay(struct retry *retry, const struct retry_advice *advice)
{
	const struct retry_options *options = &retry->options;
	retry->tries++;
	if (!advice->again || retry->tries >= options->tries || advice->after_ms > options->asked_ms)
		return -1;
	int64_t delay =
		advice->after_ms >= 0 ? advice->after_ms : random_below(ceiling(retry, advice->overloaded));
	return clock_now_ms() - retry->start_ms + delay > options->total_ms ? -1 : delay;
}

bool retry_sleep(int64_t delay_ms, const struct cancel *cancel)
{
	int64_t end = clock_now_ms() + delay_ms, left;
	while (!cancel_reason(cancel) && (left = end - clock_now_ms()) > 0) {
		struct pollfd fds[CANCEL_FDS];
		poll(fds, cancel_poll(cancel, fds), (int)left);
	}
	return !cancel_reason(cancel);
}
