/*
 * What repair searches, as far as it has come. It follows from the report that it began with and the
 * text of then, so little of it is state: the rest is made again when it is next needed; then the
 * desk holds that text. Between search.c and repair.c.
 *
 * The order of candidates must not depend on how fast they are tried, nor on how many at once. So the
 * search goes by rounds, which grow; a batch never goes beyond one, and what was learnt of a round's
 * candidates counts from its end on.
 */
#pragma once
#include "agents/sources.h"
#include "chat/candidates.h"

enum {
	WAITING_MOST = 256,
	LEADS_MOST = 64,
};

/* A candidate that fixed more than the text does that the search began from: it leads what comes behind so many. */
struct lead {
	int64_t id;
	size_t fixed, behind;
};

struct search {
	struct arena arena;
	struct repair *repair;      /* NULL: it has to be made again */
	struct candidates posted;   /* the last batch: new ones, then some that waited */
	struct edit best;           /* the partial fix that got furthest */
	size_t n_told;              /* leads that lead already */
	bool is_covered;            /* coverage counts already */
	size_t base_fixed;          /* tests of the goal that pass in the text that it began from */

	/* what these follow from */
	uint64_t seed;
	const struct rondo_message *report; /* where it lies; NULL: there is no search */
	size_t taken, n_posted; /* of the candidates; of these, in the last batch, the last ones */
	struct candidate waiting[WAITING_MOST]; /* their time went by: a later batch gives them more; only the ids are kept */
	size_t n_waiting, n_patient;            /* of these, the first ones, which are in the last batch, too */
	struct lead leads[LEADS_MOST];
	size_t n_leads;
	const struct rondo_message *covered; /* the results that came with coverage; NULL: none yet */
	size_t covered_behind;               /* from where on it counts */
	int64_t best_id;        /* 0: none */

	size_t n_tried; /* in all */
	size_t best_fixed;
	size_t n_before; /* taken by searches before it */
	bool exhausted;
};

/* Begin anew, from the text as it is and the report that says what fails, which must stay where it lies. What was tried
 * before it is counted on. */
int search_begin(struct search *search, const struct agent_kit *kit, const struct rondo_message *report, uint64_t seed,
	struct rondo_error *err);

/* Make again what is not there. */
int search_need(struct search *search, const struct agent_kit *kit, struct rondo_error *err);

/* Keep only what the rest follows from. */
void search_drop(struct search *search);

/* Take the next candidates of the round, so many at most, as the batch that is posted; where a round begins, with some that
 * wait. */
void search_post(struct search *search, size_t most);

/* Let what a candidate fixed lead what comes: it is tried together with other edits. */
void search_lead(struct search *search, const struct candidate_result *result);

/* Let the coverage that came with these results, which must stay where they lie, order what comes. */
void search_cover(struct search *search, const struct rondo_message *results);

/* Learn which of the batch need more time: those that had more already are given up. */
void search_wait(struct search *search, const struct candidate_results *results);

/* The same, beginning behind this candidate of the last batch. */
void search_post_behind(struct search *search, int64_t id, size_t most);

/* Put further inputs for what passed into a batch, where there are any. */
int search_inputs(struct search *search, struct candidates *candidates, struct rondo_error *err);

/* A candidate of the last batch, or NULL. */
const struct candidate *search_candidate(const struct search *search, int64_t id);

/* What it follows from as a JSON object; NULL where there is no search. */
struct json *search_save(const struct search *search);
int search_load(struct search *search, const struct json *from, const struct message_thread *thread, struct rondo_error *err);

/* There is no search. */
void search_release(struct search *search);
