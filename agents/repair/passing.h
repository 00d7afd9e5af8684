/*
 * Candidates that passed all tests. The first one is not always right, so the search tries some
 * more and takes the likeliest of those that pass. That depends on how likely it was before it was
 * tried, on its rank, and on the other candidates that behave like it in tests with other values:
 * together they are a choice, as likely as all of them. Private to this folder.
 */
#pragma once
#include "chat/candidates.h"

enum { PASSING_MOST = 12 };

struct passing_candidate {
	struct candidate candidate;
	size_t also;           /* tests of other groups that it fixes */
	double cost;           /* of the candidate and its rank */
	double choice_cost;    /* of all that behave like it: minus log2 of the sum of 2^-cost */
	const char *behaviour; /* NULL: unknown, it is a choice of its own */
	const char **said;     /* to each further input; NULL: it was not asked */
	size_t n_mutants, n_unnoticed; /* of it with one more edit, how many pass, too */
	size_t alike; /* how many of those compared behave like it, with itself; 0: unknown */
};

struct passing {
	struct passing_candidate items[PASSING_MOST]; /* likeliest choice first, in it the likeliest */
	size_t n;
	size_t left;              /* how many more candidates are to be tried */
	bool is_compared;         /* more are tried after the first that passed */
	size_t n_asked;           /* the first ones were compared */
	size_t chosen;            /* which choice stands first; 0: the likeliest */
	const char *const *notes; /* of the further inputs */
	size_t n_notes;
};

/* Add one that also fixes that many tests of other groups, of so many. The more it fixes the
 * likelier it is. The rank of the first decides how many are tried after it, until there is no room
 * for more that are likely; they are more where it
 * leaves other groups unfixed, which may have the same cause. It is a number, not a time, because
 * the same files must give the same fix. */
void passing_add(
	struct passing *passing, const struct candidate *candidate, size_t also, size_t n_others);

/* This many more were tried. */
void passing_count(struct passing *passing, size_t n);

/* Those to be compared, as a batch in the arena; their ids are their places, from 1. */
void passing_ask(struct passing *passing, struct arena *arena, struct candidates *ret_candidates);

/* Take in how those that were asked behave. */
void passing_agree(struct passing *passing, const struct candidates *asked,
	const struct candidate_results *results);

/* How many choices there are. */
size_t passing_choices(const struct passing *passing);

/* Put the i-th choice first, from 1. False: there are fewer. */
bool passing_choose(struct passing *passing, size_t i);

/* Remove one by its place. */
void passing_remove(struct passing *passing, size_t i);

/* Remove the likeliest and return it. */
struct candidate passing_take(struct passing *passing);

/* Add to a JSON object why the likeliest was chosen: "kind", "rank", "place" among the candidates,
 * "bits" of its cost, "share" of the likelihood of all that passed, "choice"; after a comparison
 * "alike" and "asked"; and "others", a text for each other choice: its likeliest edit, and where it
 * behaves otherwise. */
void passing_describe(const struct passing *passing, struct json *to);
