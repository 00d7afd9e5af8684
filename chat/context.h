/*
 * How a lower floor meets the world: what it records, what it reports, what it asks, and what can
 * stop it. Four members and no fifth.
 */
#pragma once
#include "base/arena.h"
#include "base/cancel.h"
#include "include/rondo.h"

struct context_record {
	/* The journal: synchronous; -1 ends the run as transient. */
	int (*call)(void *owner, const struct rondo_event *event, struct rondo_error *err);
	void *owner;
};

struct context_emit {
	void (*call)(void *owner, const struct rondo_event *event);
	void *owner;
};

struct context_ask {
	/* The answer to a question to a person, in the arena. NULL with err set where there is none: of
	 * code NONE where that person gives none (the end of the input), TRANSIENT after deadline_ms
	 * (on the monotonic clock; 0: never). */
	const char *(*call)(void *owner, const char *question, int64_t deadline_ms, struct arena *arena,
		struct rondo_error *err);
	void *owner;
};

struct context {
	struct context_record record;
	struct context_emit emit;
	struct context_ask ask;
	const struct cancel *cancel;
};

/* Record, then emit. A member that is not set is skipped. */
int context_event(
	const struct context *ctx, const struct rondo_event *event, struct rondo_error *err);

/* What happens just now: emitted, never recorded. */
void context_progress(const struct context *ctx, const char *source, const char *format, ...)
	__attribute__((format(printf, 3, 4)));

/* The same of work of which it is known how much there is: so much of `total` is done. */
void context_progress_of(const struct context *ctx, const char *source, int64_t done, int64_t total,
	const char *format, ...) __attribute__((format(printf, 5, 6)));
