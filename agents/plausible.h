/*
 * Candidates that passed all tests. The first is not always right: after it the search goes on for a while, and of all that
 * passed the likeliest is taken: by how likely it was before it was tried, and by what edits of its rank are worth. Between
 * plausible.c and repair.c.
 */
#pragma once
#include "chat/candidates.h"

enum { PLAUSIBLE_MOST = 8 };

/* One of them; outlives the search that found it. */
struct plausible {
	const char *description, *kind, *edit; /* the edit as JSON */
	enum candidate_rank rank;
	double cost; /* of the candidate, and of edits of its rank; less what agreement is worth */
	size_t alike; /* how many of those that were asked behave as it does, it itself counted; 0: it was not asked, or said nothing */
};

/* Whether those that passed were given further inputs. */
enum agreement { AGREEMENT_NOT_ASKED, AGREEMENT_ASKED, AGREEMENT_KNOWN };

struct plausibles {
	struct plausible items[PLAUSIBLE_MOST]; /* likeliest first */
	size_t n;
	size_t left; /* how many candidates are still looked at */
	enum agreement agreement;
	size_t n_asked; /* the first ones */
};

/* Take one up. The first sets how many are looked at behind it, by its rank: a number and no time, so that it is always the
 * same fix. */
void plausibles_add(struct plausibles *plausibles, const struct candidate *candidate, struct arena *arena);

/* So many were looked at. */
void plausibles_pass(struct plausibles *plausibles, size_t n);

/* Those that are to be given further inputs, as the candidates of a batch whose ids are their places from 1; in the arena. None
 * where there are not two. From then on they are asked. */
int plausibles_ask(struct plausibles *plausibles, struct arena *arena, struct candidates *ret_candidates, struct rondo_error *err);

/* Learn how those behave that were asked: what several do alike is likelier than what one does alone. */
void plausibles_agree(struct plausibles *plausibles, const struct candidate_results *results);

/* The edit of one; in the arena. */
int plausible_edit(const struct plausible *plausible, struct arena *arena, struct edit *ret_edit, struct rondo_error *err);

/* What the choice rests on, as the members "kind", "rank", "others", and "alike" and "asked" where it was asked, of a JSON object;
 * there is one at least. */
void plausibles_tell(const struct plausibles *plausibles, struct json *to);

/* As a JSON object; NULL where there is none. */
struct json *plausibles_save(const struct plausibles *plausibles);
void plausibles_load(struct plausibles *plausibles, const struct json *from, struct arena *arena);
