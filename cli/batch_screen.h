/* A batch on the screen: a line for each task that ended, below them what runs now, and at the end
 * the whole in a few lines. */
#pragma once
#include "cli/cli.h"

struct batch_screen {
	struct screen screen;
	bool json, quiet;
};

/* The view that draws on it; the screen must outlive it. */
struct batch_view batch_screen_view(struct batch_screen *view);

/* How it ended. */
void batch_screen_end(struct batch_screen *view, const struct batch_progress *progress);

/* That jobs were submitted, and how to hear of them. */
void batch_screen_detach(struct batch_screen *view, const struct batch_progress *progress);
