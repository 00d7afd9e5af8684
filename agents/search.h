/*
 * A search of repair: its batches of candidates, and what trying them showed. It follows from the
 * report that it began from, the text of then and the seed, so nothing of it is saved. Between
 * search.c and repair.c.
 *
 * The order of candidates must not depend on how fast they are tried, nor on how many at once. So
 * the search goes by rounds, which grow; a batch never goes beyond one, and what was learnt of a
 * round's candidates counts from its end on.
 */
#pragma once
#include "agents/partials.h"
#include "agents/passing.h"
#include "agents/sources.h"

enum {
	SEARCH_WAITING_MOST = 256,
	SEARCH_PARTIAL_MOST = 64,
};

/* A candidate that fixed more than the text does that the search began from. Once this many are
 * taken, it is tried together with other edits. */
struct partial_candidate {
	int64_t id;
	size_t fixed, from;
};

struct search {
	struct arena arena;
	struct repair *repair;            /* NULL: there is no search */
	const struct test_report *report; /* that it began from */
	size_t base_fixed;                /* tests of the goal that pass in that text */
	size_t n_taken;                   /* candidates, by now */
	bool exhausted;

	struct candidates batch;   /* what is to be tried now: new ones, then some that waited */
	size_t n_new;              /* of these, the first ones */
	struct candidates untried; /* of the last one, what came after the first that passed */

	struct candidate waiting[SEARCH_WAITING_MOST]; /* they ran out of time: a later batch gives more */
	size_t n_waiting;
	struct partial_candidate partial[SEARCH_PARTIAL_MOST];
	size_t n_partial, n_partial_used;
	struct coverage coverage;
	bool has_coverage, is_covered; /* is known; counts already */
	size_t covered_from;           /* it counts once this many are taken */

	size_t n_tried;
	struct candidate best; /* the partial fix that got furthest; it edits no file: none did */
	size_t best_fixed;
	struct passing passing;
};

/* Begin from the text as it is and the report that says what fails. There must be no search. */
int search_begin(struct search *search, const struct agent_kit *kit,
	const struct rondo_message *report, uint64_t seed, struct rondo_error *err);

/* Take the next batch: `most` at most, of which `most_new` new ones of the round; where a round
 * begins, with some that wait. False: there is nothing left. */
bool search_take(struct search *search, size_t most, size_t most_new);

/* Learn what trying the batch showed. The results lie in the search's arena; partial fixes in
 * `arena`. */
void search_learn(struct search *search, const struct candidate_results *results,
	struct partials *partials, struct arena *arena);

/* Whether there is a candidate to propose: one has passed, and as many after it were looked at as
 * its rank asks for. */
bool search_has_found(const struct search *search);

/* Those that passed with further tests to ask them by, as a batch; it has no inputs where there are
 * none. */
void search_ask(struct search *search, struct candidates *ret_candidates);

/* There is no search. */
void search_release(struct search *search);
