/* Asking at the terminal; between ask.c and session.c. */
#pragma once
#include "cli/cli.h"

struct ask;

/* Whoever waits for an answer is waked by the token (borrowed), too; a terminal that is gone fires
 * it. */
struct ask *ask_new(struct cancel *cancel, struct screen *screen);
void ask_free(struct ask *ask);

/* For context.ask: `owner` is of ask_new. */
const char *ask_question(void *owner, const char *question, int64_t deadline_ms,
	struct arena *arena, struct rondo_error *err);

/* Give the terminal back as it was, before an end that waits for nothing. Safe in signal
 * handlers. */
void ask_restore_terminal(void);
