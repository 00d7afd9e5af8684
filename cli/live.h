/*
 * What is done now, below what was printed: who does it, for how long the run has lasted and still
 * may, and the last lines of what is said meanwhile. On a terminal a thread of its own draws it
 * anew ten times a second, also where nobody tells anything; a pipe gets whole lines of what is
 * said, where that is wished.
 */
#pragma once
#include <pthread.h>

#include "cli/cli.h"

struct live {
	struct screen *screen;
	int64_t started_at_ms;
	bool streams;                /* what is said is shown as it comes */
	struct strbuf who, doing;    /* `who` empty: nothing is told */
	int64_t idle_since_ms;       /* since when */
	int64_t done, total;         /* of what is done; total 0: unknown */
	const char *phase;           /* of the run, a static word; NULL: none is known */
	int64_t ends_at_ms;          /* the chat, at the latest; 0: it has no such limit */
	struct strbuf speaker, said; /* what is not printed of it; on a terminal its end */
	/* whoever draws holds it, also on the rest of the screen */
	pthread_mutex_t lock;
	bool ticks;
	pthread_cond_t over;
	pthread_t ticker;
};

void live_init(struct live *live, struct screen *screen);

/* Start the thread, where the screen is a terminal. And end it, with what it drew. */
void live_start(struct live *live);
void live_stop(struct live *live);
void live_release(struct live *live);

/* Draw nothing until the end of a question, whose screen it is: who has something to show waits. */
void live_pause(struct live *live);
void live_resume(struct live *live);

/* Each of these with the lock held. The run does something else now: a static word. */
void live_enter(struct live *live, const char *phase);

/* Somebody does something else now; so much of `total` is done, where that is not 0. */
void live_do(struct live *live, const char *who, const char *doing);
void live_do_part(
	struct live *live, const char *who, const char *doing, int64_t done, int64_t total);

/* The next piece of what somebody says; `begins`: anew. */
void live_hear(struct live *live, const char *speaker, const char *text, bool begins);

/* It is over. */
void live_done(struct live *live);
