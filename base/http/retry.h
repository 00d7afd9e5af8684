/*
 * When to try again what failed: exponential waiting with full jitter, so that many who failed
 * together do not come back together. What is tried, and whether it may be, the caller knows.
 */
#pragma once
#include <stdbool.h>

#include "base/cancel.h"

struct retry_options {
	int64_t tries;    /* at most; 1: there is no second */
	int64_t base_ms;  /* the longest wait before the second try; it doubles with each ... */
	int64_t cap_ms;   /* ... up to this */
	int64_t asked_ms; /* the longest wait that a server may ask for */
	int64_t total_ms; /* no try begins later than this after the first */
};

#define RETRY_DEFAULTS \
	{.tries = 5, .base_ms = 1000, .cap_ms = 60000, .asked_ms = 120000, .total_ms = 600000}

/* What a failed try says about the next. */
struct retry_advice {
	bool again;       /* the same may do better later */
	bool overloaded;  /* it says that it has too much to do: wait five times as long */
	int64_t after_ms; /* how long it asks to wait; -1: it does not say */
};

struct retry {
	struct retry_options options;
	int64_t tries, start_ms;
};

/* Before the first try. */
void retry_init(struct retry *retry, const struct retry_options *options);

/* After a try that failed: how long to wait before the next, in ms; -1: that was the last. */
int64_t retry_delay(struct retry *retry, const struct retry_advice *advice);

/* Wait. False where the token fired. */
bool retry_sleep(int64_t delay_ms, const struct cancel *cancel);
