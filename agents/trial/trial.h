/*
 * Trying candidates on all workers at once: a service that run/ makes. It keeps tests loaded from
 * one batch to the next. Agents that search need no other header.
 */
#pragma once
#include "agents/agent.h"
#include "chat/candidates.h"

struct trial_engine;

/* With the workers of these services, which are borrowed; each runs in a thread of its own.
 * `engines`: the ways of trying, up to a NULL; NULL: all ways. */
struct trials *trials_new(
	const struct agent_services *services, const struct trial_engine *const *engines);

/* Unload the tests. NULL is fine. */
void trials_free(struct trials *trials);

/* Try for this goal from here on, which must stay where it is until the next call: that of one
 * group, instead of the run's. */
void trials_aim(struct trials *trials, const struct baseline *baseline);

/* Begin to load the suite's tests in the background, for the text in the main checkout. The first
 * worker is left out: suites may still run there. */
int trials_load(struct trials *trials, const struct context *ctx, struct rondo_error *err);

/*
 * Try candidates for the text in the main checkout, in their order: the failing tests first; if
 * these pass, the whole suite. Unless `wants_all` is set, it stops at the first that passes; the
 * lowest place wins, not the fastest worker. With `inputs`, nothing is tried; the results say how
 * each one behaves. `source` is named in the progress. `deadline_ms` is on the monotonic clock, 0:
 * none. The results lie in the arena.
 */
int trials_run(struct trials *trials, const struct candidates *candidates, const char *source,
	int64_t deadline_ms, struct arena *arena, struct candidate_results *results,
	const struct context *ctx, struct rondo_error *err);
