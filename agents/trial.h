/*
 * Trying candidates, on all workers at once: a service of run/, with what is kept loaded on the
 * workers from one batch to the next. This is all that whoever searches knows of it.
 */
#pragma once
#include "agents/agent.h"
#include "chat/candidates.h"

struct trial_engine;

/* With the workers of these services, which are borrowed; each has a thread of its own. `engines`:
 * how they try, up to a NULL; NULL: in all ways that there are. */
struct trials *trials_new(
	const struct agent_kit *kit, const struct trial_engine *const *engines);

/* End what is loaded. NULL is fine. */
void trials_free(struct trials *trials);

/* Begin to load the suite's tests for the text that the main checkout holds, before there is
 * anything to try; nobody waits for it. Not on the first worker, where suites may still run. */
int trials_load(struct trials *trials, const struct context *ctx, struct rondo_error *err);

/*
 * Try candidates, which are for the text that the main checkout holds, in their order: failing
 * tests first, then, where these pass, the whole suite. Stops at one that passes unless all are
 * wanted: the one with the lowest place wins, not the fastest worker. Where there are inputs,
 * nothing is tried; how each behaves is asked. Progress is shown as from `source`. `deadline_ms` on
 * the monotonic clock, 0: none. The results lie in the arena.
 */
int trials_run(struct trials *trials, const struct candidates *candidates, const char *source,
	int64_t deadline_ms, struct arena *arena, struct candidate_results *results,
	const struct context *ctx, struct rondo_error *err);
