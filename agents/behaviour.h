/* What a candidate does under tests that were made for it alone: only whether two say the same is of interest. */
#pragma once
#include "agents/agent.h"
#include "base/hash.h"
#include "chat/candidates.h"

/* Run the tests that `asked` adds, with one of its candidates, in a workplace that holds the text that both are for, and does so
 * again behind it. Gives a word for all that tests said which the base has not; "": nothing, or not in time. */
int behaviour_ask(const struct agent_kit *kit, struct workplace *workplace, const struct candidates *asked, size_t place,
	int64_t timeout_ms, char ret_behaviour[HASH_SIZE], const struct context *ctx, struct rondo_error *err);
