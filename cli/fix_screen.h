/* What rondo fix shows while it works and when it is done; for cli/fix.c. */
#pragma once
#include "cli/cli.h"

struct fix_screen {
	struct screen screen;
	int64_t started_at_ms;
	bool in_chat; /* a blank line stands before the first message */
};

void fix_screen_init(struct fix_screen *view);

/* For context.emit: `owner` is the view. */
void fix_screen_emit(void *owner, const struct rondo_event *event);

/* The last block: what came of it, in about ten lines. */
void fix_screen_result(struct fix_screen *view, const struct fix_options *options,
	const struct fix_result *result, struct arena *arena);
