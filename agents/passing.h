/*
 * Candidates that passed all tests. The first is not always right: after it the search looks at
 * some more, and of all that passed the likeliest is taken: by how likely it was before it was
 * tried, by what edits of its rank are worth, and by how many behave as it does under tests with
 * other values. Between passing.c and repair.c.
 */
#pragma once
#include "chat/candidates.h"

enum { PASSING_MOST = 8 };

struct passing_candidate {
	struct candidate candidate;
	double cost;  /* the candidate's, and that of its rank; less what agreement is worth */
	size_t alike; /* of those that were asked, how many behave as it does, it itself counted; 0: it
	               * was not asked, or said nothing */
};

struct passing {
	struct passing_candidate items[PASSING_MOST]; /* likeliest first */
	size_t n;
	size_t left;    /* how many more candidates are looked at */
	bool is_compared; /* more than the first that passed were looked at, or will be */
	size_t n_asked; /* the first ones */
};

/* Add one. The first sets, by its rank, how many are looked at after it: a number and no time, so
 * that it is always the same fix. */
void passing_add(struct passing *passing, const struct candidate *candidate);

/* This many were looked at. */
void passing_count(struct passing *passing, size_t n);

/* Those that are to be asked how they behave, as the candidates of a batch whose ids are their
 * places from 1; in the arena. */
void passing_ask(struct passing *passing, struct arena *arena, struct candidates *ret_candidates);

/* Learn how those behave that were asked: what several do alike is likelier than what one does
 * alone. */
void passing_agree(struct passing *passing, const struct candidate_results *results);

/* Take the likeliest out. */
struct candidate passing_take(struct passing *passing);

/* What the choice of the likeliest rests on, as the members "kind", "rank", "others", and "alike"
 * and "asked" where it was asked, of a JSON object. */
void passing_describe(const struct passing *passing, struct json *to);
