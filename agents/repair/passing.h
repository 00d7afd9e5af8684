/*
 * Candidates that passed all tests. The first one is not always right, so the search tries some
 * more and takes the likeliest of those that pass. That depends on how likely it was before it was
 * tried, on its rank, and on how many others behave like it in tests with other values. Private to
 * this folder.
 */
#pragma once
#include "chat/candidates.h"

enum { PASSING_MOST = 8 };

struct passing_candidate {
	struct candidate candidate;
	size_t also;  /* tests of other groups that it fixes */
	double cost;  /* of the candidate and its rank, less what agreement is worth */
	size_t alike; /* how many of those compared behave like it, with itself; 0: unknown */
};

struct passing {
	struct passing_candidate items[PASSING_MOST]; /* likeliest first */
	size_t n;
	size_t left;      /* how many more candidates are to be tried */
	bool is_compared; /* more are tried after the first that passed */
	size_t n_asked;   /* the first ones were compared */
};

/* Add one that also fixes that many tests of other groups, of so many. The more it fixes the
 * likelier it is. The rank of the first decides how many are tried after it; they are more where it
 * leaves other groups unfixed, which may have the same cause. It is a number, not a time, because
 * the same files must give the same fix. */
void passing_add(
	struct passing *passing, const struct candidate *candidate, size_t also, size_t n_others);

/* This many more were tried. */
void passing_count(struct passing *passing, size_t n);

/* Those to be compared, as a batch in the arena; their ids are their places, from 1. */
void passing_ask(struct passing *passing, struct arena *arena, struct candidates *ret_candidates);

/* Take in how they behave: candidates that behave alike are likelier to be right. */
void passing_agree(struct passing *passing, const struct candidate_results *results);

/* Remove one by its place. */
void passing_remove(struct passing *passing, size_t i);

/* Remove the likeliest and return it. */
struct candidate passing_take(struct passing *passing);

/* Add to a JSON object why the likeliest was chosen: "kind", "rank", "others"; after a comparison
 * "alike" and "asked", too. */
void passing_describe(const struct passing *passing, struct json *to);
