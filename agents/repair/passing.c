#include "agents/repair/passing.h"

#include <math.h>
#include <string.h>

static const struct {
	const char *name;
	size_t n_after; /* how many candidates are looked at after a first one that passes */
	double doubt;   /* bits by which such edits that pass are less often right than others */
} ranks[] = {
	[CANDIDATE_OPERATOR] = {"operator", 80, 0},
	[CANDIDATE_STRUCTURE] = {"structure", 160, 1},
	[CANDIDATE_CONDITION] = {"condition", 160, 1},
	[CANDIDATE_LITERAL] = {"literal", 160, 2},
	[CANDIDATE_REVERT] = {"revert", 30, 0},
	[CANDIDATE_EQUALITY] = {"equality", 200, 6},
	[CANDIDATE_SPECIAL] = {"special case", 400, 12},
	[CANDIDATE_REMOVAL] = {"removal", 400, 12},
};

#define SIMPLER 2.0 /* bits by which an edit that only removes goes before others like it */
#define AS_BEFORE 3.0 /* the same of one that takes back what changed last */

enum { LEAST_AFTER_PART = 120 }; /* tried after a first one that leaves other groups unfixed */

/* Whether two are the same choice. */
static bool passing_is_alike(const struct passing_candidate *a, const struct passing_candidate *b)
{
	return a->behaviour && b->behaviour && strcmp(a->behaviour, b->behaviour) == 0;
}

static bool passing_only_removes(const struct passing_candidate *item)
{
	const struct edit *edit = &item->candidate.edit;
	for (size_t i = 0; i < edit->n; i++)
		for (size_t k = 0; k < edit->files[i].n; k++)
			if (*edit->files[i].splices[k].text)
				return false;
	return true;
}

/* Of those that behave alike, "x % 1" is rather meant for "x % 1 + 1" than "x % 1 * 1", and what
 * was there before rather than something new. */
static double passing_plain_cost(const struct passing_candidate *item)
{
	double known = item->candidate.rank == CANDIDATE_REVERT ? AS_BEFORE : 0;
	return item->cost - (passing_only_removes(item) ? SIMPLER : 0) - known;
}

/* Whether one stands behind another: at the same cost it was added later. */
static bool passing_is_behind(
	const struct passing_candidate *item, const struct passing_candidate *other)
{
	if (item->also != other->also)
		return item->also < other->also;
	if (item->choice_cost != other->choice_cost)
		return item->choice_cost > other->choice_cost;
	return passing_is_alike(item, other) && passing_plain_cost(item) > passing_plain_cost(other);
}

static void passing_insert(struct passing *passing, const struct passing_candidate *item)
{
	size_t at = passing->n;
	while (at && passing_is_behind(&passing->items[at - 1], item))
		at--;
	if (at == PASSING_MOST)
		return;
	size_t n_after = passing->n - at - (passing->n == PASSING_MOST);
	memmove(passing->items + at + 1, passing->items + at, n_after * sizeof *passing->items);
	passing->items[at] = *item;
	passing->n = at + 1 + n_after;
}

/* Whether all that an edit changes lies in what another one of the same file removes. */
static bool passing_is_in_removed(const struct edit *edit, const struct edit *removal)
{
	if (edit->n != 1 || removal->n != 1 || removal->files[0].n != 1 ||
		strcmp(edit->files[0].path, removal->files[0].path) != 0)
		return false;
	const struct splice *removed = &removal->files[0].splices[0];
	for (size_t i = 0; i < edit->files[0].n; i++) {
		const struct splice *splice = &edit->files[0].splices[i];
		if (splice->offset < removed->offset ||
			splice->offset + splice->length > removed->offset + removed->length)
			return false;
	}
	return true;
}

/* Where the tests pass without a statement, they do not support any condition that keeps it from
 * running: no condition goes before its removal. */
static void passing_doubt_conditions(struct passing *passing)
{
	for (size_t i = 1; i < passing->n; i++) {
		struct passing_candidate removal = passing->items[i];
		if (removal.candidate.rank != CANDIDATE_REMOVAL || !passing_only_removes(&removal))
			continue;
		size_t at = i;
		for (size_t k = i; k-- > 0;)
			if (passing->items[k].candidate.rank == CANDIDATE_CONDITION &&
				passing->items[k].also <= removal.also &&
				passing_is_in_removed(&passing->items[k].candidate.edit, &removal.candidate.edit))
				at = k;
		if (at == i)
			continue;
		removal.cost = removal.choice_cost = passing->items[at].cost;
		memmove(passing->items + at + 1, passing->items + at, (i - at) * sizeof *passing->items);
		passing->items[at] = removal;
	}
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
	double cost = candidate->cost + ranks[candidate->rank].doubt;
	if (!passing_has_part(passing, candidate))
		passing_insert(passing,
			&(struct passing_candidate){
				.candidate = *candidate, .also = also, .cost = cost, .choice_cost = cost});
	passing_doubt_conditions(passing);
}

/* Enough of those that are not doubted: what comes later is less likely. */
static bool passing_is_full(const struct passing *passing)
{
	size_t n = 0;
	for (size_t i = 0; i < passing->n; i++)
		n += passing->items[i].candidate.rank < CANDIDATE_EQUALITY;
	return n == PASSING_MOST;
}

void passing_count(struct passing *passing, size_t n)
{
	passing->left -= n < passing->left && !passing_is_full(passing) ? n : passing->left;
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

/* What the place-th of those that were asked does. */
static void passing_set_behaviour(
	struct passing_candidate *item, const struct candidate_results *results, size_t place)
{
	for (size_t i = 0; i < results->n; i++)
		if (results->progress[i].id == (int64_t)place + 1) {
			item->behaviour = results->progress[i].behaviour;
			item->said = results->progress[i].said;
		}
}

static void passing_sum_up(const struct passing *passing, struct passing_candidate *item)
{
	double sum = 0;
	for (size_t i = 0; i < passing->n; i++)
		if (passing_is_alike(item, &passing->items[i])) {
			sum += exp2(-passing->items[i].cost);
			item->alike++;
		}
	if (item->alike)
		item->choice_cost = -log2(sum);
}

void passing_agree(struct passing *passing, const struct candidates *asked,
	const struct candidate_results *results)
{
	for (size_t i = 0; i < passing->n && i < asked->n; i++)
		passing_set_behaviour(&passing->items[i], results, i);
	struct passing old = *passing;
	passing->notes = asked->input_notes;
	passing->n_notes = asked->n_input_ids;
	passing->n = 0;
	for (size_t i = 0; i < old.n; i++) {
		passing_sum_up(&old, &old.items[i]);
		passing_insert(passing, &old.items[i]);
	}
}

/* Whether the i-th is the first of its choice. */
static bool passing_leads(const struct passing *passing, size_t i)
{
	for (size_t k = 0; k < i; k++)
		if (passing_is_alike(&passing->items[k], &passing->items[i]))
			return false;
	return true;
}

size_t passing_choices(const struct passing *passing)
{
	size_t n = 0;
	for (size_t i = 0; i < passing->n; i++)
		n += passing_leads(passing, i);
	return n;
}

bool passing_choose(struct passing *passing, size_t i)
{
	struct passing old = *passing;
	size_t first = 0;
	if (i > passing_choices(passing))
		return false;
	for (size_t left = i; !passing_leads(&old, first) || --left; first++)
		;
	passing->n = 0;
	for (size_t k = 0; k < old.n; k++)
		if (k == first || passing_is_alike(&old.items[first], &old.items[k]))
			passing->items[passing->n++] = old.items[k];
	for (size_t k = 0; k < old.n; k++)
		if (k != first && !passing_is_alike(&old.items[first], &old.items[k]))
			passing->items[passing->n++] = old.items[k];
	passing->chosen = i;
	return true;
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

/* What another choice does where it differs first: "; test_price with 5 for 4: 14 != 13, this one:
 * passes". */
static void passing_add_difference(
	const struct passing *passing, struct strbuf *text, const struct passing_candidate *other)
{
	const struct passing_candidate *first = &passing->items[0];
	for (size_t i = 0; first->said && other->said && i < passing->n_notes; i++) {
		const char *own = first->said[i], *said = other->said[i];
		if (!own || !said || strcmp(own, said) == 0)
			continue;
		strbuf_addf(text, "; %s: %s, this one: %s", passing->notes[i], said, own);
		return;
	}
}

/* How likely the first choice is among those that passed, in percent. */
static int64_t passing_share(const struct passing *passing)
{
	double all = 0;
	for (size_t i = 0; i < passing->n; i++)
		all += passing_leads(passing, i) ? exp2(-passing->items[i].choice_cost) : 0;
	return (int64_t)(100 * exp2(-passing->items[0].choice_cost) / all);
}

void passing_describe(const struct passing *passing, struct json *to)
{
	const struct passing_candidate *first = &passing->items[0];
	json_add_string(to, "kind", first->candidate.kind ? first->candidate.kind : "");
	json_add_string(to, "rank", ranks[first->candidate.rank].name);
	json_add_int(to, "place", first->candidate.id);
	json_add_number(to, "bits", floor(first->choice_cost * 10) / 10);
	json_add_int(to, "share", passing_share(passing));
	json_add_int(to, "choice", (int64_t)(passing->chosen ? passing->chosen : 1));
	if (first->alike) {
		json_add_int(to, "alike", (int64_t)first->alike);
		json_add_int(to, "asked", (int64_t)passing->n_asked);
	}
	if (first->n_mutants) {
		json_add_int(to, "mutants", (int64_t)first->n_mutants);
		json_add_int(to, "unnoticed", (int64_t)first->n_unnoticed);
	}
	struct json *others = json_add_array(to, "others");
	for (size_t i = 1; i < passing->n; i++) {
		AUTO_STRBUF text = STRBUF_INIT(STRBUF_LINE);
		if (!passing_leads(passing, i))
			continue;
		strbuf_adds(&text, passing->items[i].candidate.edit.description);
		passing_add_difference(passing, &text, &passing->items[i]);
		json_add_string(others, NULL, text.text);
	}
}
