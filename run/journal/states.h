/*
 * The states of the tree that testers judged in a run, as their reports tell them: what the best of
 * them was is not what the last one is. Taken from a run's events, so that a journal recalls them.
 * Inside run/ only.
 */
#pragma once
#include "base/hash.h"
#include "include/rondo.h"
#include "worktree/worktree.h"

struct judged_state {
	struct object tree; /* what the main checkout held */
	size_t fixed;       /* tests of the goal that passed */
	size_t groups;      /* of a goal that is divided: those that passed whole */
	size_t regressions; /* tests that broke, went, were skipped, or are new and fail */
	bool ok;            /* the tester found nothing wrong with it */
	size_t number;      /* of the report, from 1 */

	/* what states_best adds */
	size_t size;          /* bytes of what it changes, without white space */
	char hash[HASH_SIZE]; /* of these */
	size_t alike;         /* how many states change the same */
};

struct states {
	struct arena *arena;
	struct judged_state *items; /* each tree once, by when it was judged last */
	size_t n, n_reports;
};

/* Read an event whose message has its data parsed; most are passed over. */
void states_event(struct states *states, const struct rondo_event *event);

/* Those that differ from the base, in the arena, best first: most groups fixed, most goal tests
 * fixed, fewest regressions, smallest change, then the change that most states share, then the
 * latest. Where the same groups are fixed, a test that another group lost or won says less than
 * the size of the change. A tree that cannot be read is left out. */
struct judged_state *states_best(const struct states *states, struct repository *repository,
	const struct object *base, struct arena *arena, size_t *ret_n);
