/* What a run shows while it goes on and when it is done; for cli/fix.c and cli/run.c. */
#pragma once
#include "cli/cli.h"

struct run_screen {
	struct screen screen;
	int64_t started_at_ms;
	bool transcript; /* each message whole, under a header; else folded beside its speaker's name */
	bool in_chat;    /* a blank line stands before the first message */
};

void run_screen_init(struct run_screen *view);

/* For context.emit: `owner` is the view. */
void run_screen_emit(void *owner, const struct rondo_event *event);

/* The last block: what came of it, in about ten lines. `take`: the command that takes the result where there is no branch,
 * or NULL. */
void run_screen_result(struct run_screen *view, const struct run_result *result, const char *take,
	struct arena *arena);
