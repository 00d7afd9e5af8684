/*
 * A search of repair: its batches of candidates, and the results of trying them. It depends only on
 * its first report, the text at that time and the seed, so nothing of it is saved. Private to
 * this folder.
 *
 * The order of candidates must not depend on how fast they are tried, nor on how many at once. So
 * the search goes by rounds, which grow. A batch ends with its round at the latest, and what was
 * learnt in a round counts from the end of the round.
 */
#pragma once
#include "agents/repair/partials.h"
#include "agents/repair/passing.h"
#include "agents/sources.h"
#include "repair/history/reverts.h"

enum {
	SEARCH_WAITING_MOST = 256,
	SEARCH_PARTIAL_MOST = 64,
};

/* A candidate that fixed more tests than pass in the first text. Once `from` candidates are taken,
 * it is combined with other edits. */
struct partial_candidate {
	int64_t id;
	size_t fixed, from;
};

/* What a candidate showed beside how many tests it fixed, and when that counts. */
struct sign {
	int64_t id;
	size_t from;
	bool helps; /* it fixed all, and perhaps broke others; else the tests fail otherwise with it */
};

struct search {
	struct arena arena;
	const struct repair_file *files;
	size_t n_files;
	struct repair *repair;            /* NULL: there is no search */
	struct reverts *reverts;          /* they come first */
	bool is_past_reverts;             /* they had their share of the time */
	bool is_reverting;                /* the batch is theirs */
	size_t n_reverts;                 /* that were taken */
	const struct test_report *report; /* the first one */
	size_t n_goal;                    /* tests that are to pass */
	size_t base_fixed;                /* of these, how many pass in that text */
	size_t n_others;                  /* tests of other groups that fail in it */
	size_t n_taken;                   /* candidates of `repair` so far */
	size_t first_round;               /* how many candidates it has */
	struct map looked;                /* how many of these begin at "path:line": size_t */
	bool exhausted;
	const char *hopeless; /* why hardly any candidate helps; NULL: one may */

	struct candidates batch;   /* to be tried now: new ones, then some that waited */
	size_t n_new;              /* the first of these */
	struct candidates untried; /* of the last batch: those after the first that passed */

	struct candidate
		waiting[SEARCH_WAITING_MOST]; /* they ran out of time; a later batch gives them more */
	size_t n_waiting, n_urgent;       /* the first ones fixed some tests in their time */
	struct partial_candidate partial[SEARCH_PARTIAL_MOST];
	size_t n_partial, n_partial_used;
	struct sign *signs;
	size_t n_signs, n_signs_used;
	struct coverage coverage;
	bool looks_first;              /* it is to be asked for before the first candidates */
	bool has_coverage, is_covered; /* it is known; it counts already */
	size_t covered_from;           /* it counts once this many are taken */

	size_t n_tried;
	struct candidate best; /* the partial fix that got furthest; without files: none did */
	size_t best_fixed;
	struct passing passing;
	size_t n_refused;    /* that passed, and that a rule refuses */
	const char *refused; /* what the likeliest of these is refused for */
};

/* Where a search begins, beside the text as it is. */
struct search_start {
	const struct rondo_message *report; /* what fails */
	uint64_t seed;
	const struct object *since; /* what this commit has is not taken back; NULL: all may be */
};

/* The search must be empty. */
int search_begin(struct search *search, const struct agent_services *services,
	const struct search_start *start, struct rondo_error *err);

/* Take the next batch: at most `most` candidates, at most `most_new` of them new. At the beginning
 * of a round some that wait are added. False: there is nothing left, or nothing will help. */
bool search_take(struct search *search, size_t most, size_t most_new);

/* Whether enough was tried though hardly any candidate helps, and none did. */
bool search_is_in_vain(const struct search *search);

/* Learn from the results of the batch, which lie in the search's arena. Partial fixes are added, in
 * `arena`. */
void search_learn(struct search *search, const struct candidate_results *results,
	struct partials *partials, struct arena *arena);

/* Whether there is a candidate to propose: one has passed, and as many were tried after it as its
 * rank asks for. */
bool search_has_found(const struct search *search);

/* Those that passed, as a batch with further tests (`inputs`) that compare them. Without such tests
 * `inputs` is empty. */
void search_ask(struct search *search, struct candidates *ret_candidates);

/* Make it empty. */
void search_release(struct search *search);
