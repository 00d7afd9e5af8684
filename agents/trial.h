/*
 * Trying candidates on all workers at once, with what is kept loaded on them from one batch to the
 * next. This is all that whoever searches knows of it.
 */
#pragma once
#include "agents/agent.h"
#include "chat/candidates.h"

struct trials;

/* `agent` is the tester; its kit has the workers. */
struct trials *trials_new(const struct agent *agent);

/* End what is loaded. NULL is fine. */
void trials_free(struct trials *trials);

/* Give all workers what the main checkout holds: candidates are made for that text. */
int trials_prepare(struct trials *trials, struct rondo_error *err);

/* The same, and let tests be loaded before there is anything to try: but on the first worker, where
 * suites still run. */
int trials_start(struct trials *trials, const struct context *ctx, struct rondo_error *err);

/* Try them in order: failing tests first, as `goal` says, then, where these pass, the whole suite.
 * Stops at a winner unless all are wanted; the one with the lowest place wins, whatever the number
 * of workers. `deadline_ms` on the monotonic clock, 0: none. */
int trials_run(struct trials *trials, const struct candidates *candidates,
	const struct judge_options *goal, int64_t deadline_ms, struct arena *arena,
	struct candidate_results *results, const struct context *ctx, struct rondo_error *err);
