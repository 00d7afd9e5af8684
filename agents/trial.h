/* Trying candidates on all benches at once; between trial.c and tester.c. */
#pragma once
#include "agents/agent.h"
#include "chat/candidates.h"

/* Try them in order: failing tests first, then, where these pass, the whole suite. Stops at a winner; the one with the
 * lowest place wins, whatever the number of benches. `deadline_ms` on the monotonic clock, 0: none. */
int trial_run(const struct agent *agent, const struct candidates *candidates, int64_t deadline_ms,
	struct arena *arena, struct candidate_results *results, const struct context *ctx,
	struct rondo_error *err);
