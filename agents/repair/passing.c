#include "agents/repair/passing.h"

#include <math.h>
#include <string.h>

static const struct {
	const char *name;
	size_t n_after; /* how many candidates are looked at after a first one that passes */
	double doubt;   /* bits by which such edits that pass are less often right than others */
} ranks[] = {
	[CANDIDATE_OPERATOR] = {"operator", 40, 0},
	[CANDIDATE_STRUCTURE] = {"structure", 80, 1},
	[CANDIDATE_LITERAL] = {"literal", 120, 2},
	[CANDIDATE_REVERT] = {"revert", 30, 0},
	[CANDIDATE_EQUALITY] = {"equality", 200, 6},
	[CANDIDATE_SPECIAL] = {"special case", 400, 12},
	[CANDIDATE_REMOVAL] = {"removal", 400, 12},
};

enum { LEAST_AFTER_PART = 120 }; /* tried after a first one that leaves other groups unfixed */

/* At the same cost the earlier one comes first. */
static void passing_insert(struct passing *passing, const struct passing_candidate *item)
{
	size_t at = passing->n;
	while (at &&
		(passing->items[at - 1].also < item->also ||
			(passing->items[at - 1].also == item->also &&
				passing->items[at - 1].cost > item->cost)))
		at--;
	if (at == PASSING_MOST)
		return;
	size_t n_after = passing->n - at - (passing->n == PASSING_MOST);
	memmove(passing->items + at + 1, passing->items + at, n_after * sizeof *passing->items);
	passing->items[at] = *item;
	passing->n = at + 1 + n_after;
}

/* Whether this one only adds to one that is there. */
static bool passing_has_part(const struct passing *passing, const struct candidate *candidate)
{
	for (size_t i = 0; i < passing->n; i++)
		if (edit_is_within(&passing->items[i].candidate.edit, &candidate->edit))
			return true;
	return false;
}

void passing_add(
	struct passing *passing, const struct candidate *candidate, size_t also, size_t n_others)
{
	size_t n_after = ranks[candidate->rank].n_after;
	if (also < n_others && n_after < LEAST_AFTER_PART)
		n_after = LEAST_AFTER_PART;
	if (!passing->n)
		*passing = (struct passing){.left = n_after};
	if (!passing_has_part(passing, candidate))
		passing_insert(passing,
			&(struct passing_candidate){.candidate = *candidate,
				.also = also,
				.cost = candidate->cost + ranks[candidate->rank].doubt});
}

void passing_count(struct passing *passing, size_t n)
{
	passing->left -= n < passing->left ? n : passing->left;
}

void passing_ask(struct passing *passing, struct arena *arena, struct candidates *ret_candidates)
{
	struct candidates candidates = {.wants_all = true};
	for (size_t i = 0; i < passing->n; i++) {
		struct candidate candidate = passing->items[i].candidate;
		candidate.id = (int64_t)i + 1;
		ARENA_PUSH(arena, candidates.items, candidates.n, candidate);
	}
	passing->n_asked = candidates.n;
	*ret_candidates = candidates;
}

static const char *passing_behaviour(const struct candidate_results *results, size_t place)
{
	for (size_t i = 0; i < results->n; i++)
		if (results->progress[i].id == (int64_t)place + 1)
			return results->progress[i].behaviour;
	return NULL;
}

void passing_agree(struct passing *passing, const struct candidate_results *results)
{
	struct passing old = *passing;
	passing->n = 0;
	for (size_t i = 0; i < old.n; i++) {
		const char *own = i < old.n_asked ? passing_behaviour(results, i) : NULL;
		for (size_t k = 0; own && k < old.n_asked; k++) {
			const char *other = passing_behaviour(results, k);
			old.items[i].alike += other && strcmp(own, other) == 0;
		}
		if (old.items[i].alike)
			old.items[i].cost -= log2((double)old.items[i].alike);
		passing_insert(passing, &old.items[i]);
	}
}

void passing_remove(struct passing *passing, size_t i)
{
	size_t n_after = --passing->n - i;
	memmove(passing->items + i, passing->items + i + 1, n_after * sizeof *passing->items);
}

struct candidate passing_take(struct passing *passing)
{
	struct candidate first = passing->items[0].candidate;
	passing_remove(passing, 0);
	return first;
}

void passing_describe(const struct passing *passing, struct json *to)
{
	const struct passing_candidate *first = &passing->items[0];
	json_add_string(to, "kind", first->candidate.kind ? first->candidate.kind : "");
	json_add_string(to, "rank", ranks[first->candidate.rank].name);
	if (first->alike) {
		json_add_int(to, "alike", (int64_t)first->alike);
		json_add_int(to, "asked", (int64_t)passing->n_asked);
	}
	struct json *others = json_add_array(to, "others");
	for (size_t i = 1; i < passing->n; i++)
		json_add_string(others, NULL, passing->items[i].candidate.edit.description);
}
