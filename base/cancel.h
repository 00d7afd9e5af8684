/*
 * Cancellation: a token that is fired once, with a reason, and not taken back while anybody may
 * wait. Everything that waits polls its descriptors too. A token may have a parent, whose firing is
 * its own, and a deadline, which fires it with SIGALRM.
 */
#pragma once
#include <poll.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"

struct cancel {
	int fd;              /* an eventfd: readable once fired */
	int timer;           /* a timerfd: readable from the deadline on; -1: none */
	int64_t deadline_ms; /* on the monotonic clock, 0: none */
	atomic_int reason;
	const struct cancel *parent;
};

enum { CANCEL_FDS = 24 }; /* the most that a chain of tokens has to poll */

/* `parent` may be NULL, and must outlive the token. `timeout_ms` from now, 0: no deadline. */
int cancel_init(struct cancel *cancel, const struct cancel *parent, int64_t timeout_ms,
	struct rondo_error *err);
void cancel_release(struct cancel *cancel);

/* Fire with a reason above 0: a signal's number, or SIGTERM's for "by the program". The first
 * reason stays. Safe in signal handlers and from any thread. */
void cancel_fire(struct cancel *cancel, int reason);

/* Reset a token that serves one thing after the other: what was fired by now is over. Nobody
 * may be waiting on it; firing it at the same time is fine. */
void cancel_clear(struct cancel *cancel);

/* The reason, own or inherited; 0: not fired. NULL never fires. */
int cancel_reason(const struct cancel *cancel);

/* The earliest deadline, own or inherited, on the monotonic clock; 0: there is none. NULL has
 * none. */
int64_t cancel_deadline(const struct cancel *cancel);

/* Fill in what to poll; gives how many (0 for NULL). */
size_t cancel_poll(const struct cancel *cancel, struct pollfd fds[CANCEL_FDS]);

/* The error of something that was cancelled. Returns -1. */
int cancel_error(const struct cancel *cancel, struct rondo_error *err);
