/*
 * Two edits at once. An edit that made progress is tried with every other edit, the cheapest first.
 * Two slips of simple kinds in one function are tried together without any sign.
 */
#include <math.h>
#include <string.h>

#include "repair/search.h"

enum { SIMPLE_MOST = 60 }; /* of a function that are tried with each other */

#define HEAD_START 2.0  /* bits that pairs with progress are ahead of other tasks */
#define TWO_SLIPS 0.3   /* bits that two slips cost over the sum of both */
#define TWICE 0.5       /* bits that the same slip at two places costs over one */
#define SIMPLE_COST 5.0 /* bits that a simple edit costs at most without its line's */

static struct simple *pair_simple_of(struct repair *repair, const struct attempt *attempt)
{
	const struct source *source = &repair->sources[attempt->source];
	uint32_t i = source_token_at(source, attempt->proposal->splices[0].offset);
	uint32_t owner = i < source->n ? source->owner[i] : NO_TOKEN;
	if (!repair->simple)
		repair->simple = arena_alloc(
			repair->arena, (repair->definitions.n + repair->n) * sizeof *repair->simple);
	return &repair->simple[owner == NO_TOKEN ? repair->definitions.n + source->index : owner];
}

/* The attempt that a pairing is tried with next. False: there is none, or none yet. */
static bool pair_find_partner(
	const struct repair *repair, struct pairing *pairing, uint32_t *ret_attempt)
{
	if (pairing->among) {
		*ret_attempt = pairing->next < pairing->end ? pairing->among->attempts[pairing->next] : 0;
		return pairing->next < pairing->end;
	}
	pairing->next += pairing->next == pairing->attempt;
	*ret_attempt = pairing->next;
	return pairing->next < repair->n_attempts;
}

static double pair_cost(
	const struct repair *repair, const struct pairing *pairing, uint32_t partner)
{
	double own = repair->attempts[pairing->attempt].cost, other = repair->attempts[partner].cost;
	switch (pairing->kind) {
	case PAIRING_SIMPLE:
		return own + TWO_SLIPS + other;
	case PAIRING_SAME:
		return own + TWICE;
	case PAIRING_PROGRESS:
		break;
	}
	return pairing->begun - repair->attempts[0].cost - HEAD_START + pairing->late + other;
}

static void price_pairs(const struct repair *repair, struct queue *queue)
{
	for (size_t i = 0; i < queue->n; i++) {
		struct task *task = &queue->tasks[i];
		uint32_t partner;
		if (task->kind == TASK_PAIR &&
			pair_find_partner(repair, &repair->pairings[task->pairing], &partner))
			task->cost = pair_cost(repair, &repair->pairings[task->pairing], partner);
	}
	queue_reorder(queue);
}

void repair_price_pairs(struct repair *repair)
{
	price_pairs(repair, &repair->queue);
	price_pairs(repair, &repair->progress_queue);
}

/* Put a pairing's task into the queue, or let it wait. */
static void pairing_push(struct repair *repair, uint32_t index)
{
	struct pairing *pairing = &repair->pairings[index];
	uint32_t partner;
	pairing->waiting = !pair_find_partner(repair, pairing, &partner);
	if (pairing->waiting)
		return;
	const struct attempt *other = &repair->attempts[partner];
	queue_push(pairing->among ? &repair->queue : &repair->progress_queue, repair->arena,
		&(struct task){.kind = TASK_PAIR,
			.cost = pair_cost(repair, pairing, partner),
			.source = other->source,
			.offset = (uint32_t)other->proposal->splices[0].offset,
			.mutation = other->mutation,
			.pairing = index});
}

static void pairing_add(struct repair *repair, struct pairing pairing)
{
	ARENA_PUSH(repair->arena, repair->pairings, repair->n_pairings, pairing);
	pairing_push(repair, (uint32_t)repair->n_pairings - 1);
}

/* The same slip at another place: perhaps it is not at all places of the function. */
static void pairing_note_same(struct repair *repair, const struct simple *simple, uint32_t index)
{
	const struct attempt *attempt = &repair->attempts[index];
	for (size_t i = 0; i < simple->n && attempt->proposal->key; i++) {
		const struct attempt *other = &repair->attempts[simple->attempts[i]];
		if (other->mutation != attempt->mutation || !other->proposal->key ||
			strcmp(other->proposal->key, attempt->proposal->key) != 0)
			continue;
		pairing_add(repair,
			(struct pairing){.kind = PAIRING_SAME,
				.attempt = index,
				.among = simple,
				.next = (uint32_t)i,
				.end = (uint32_t)i + 1});
	}
}

/* Two slips in one function. */
static void pairing_note_simple(struct repair *repair, uint32_t index)
{
	const struct attempt *attempt = &repair->attempts[index];
	if (!mutations[attempt->mutation]->simple || attempt->proposal->n_places ||
		attempt->proposal->cost > SIMPLE_COST)
		return;
	struct simple *simple = pair_simple_of(repair, attempt);
	if (simple->n == SIMPLE_MOST)
		return;
	pairing_note_same(repair, simple, index);
	pairing_add(repair,
		(struct pairing){
			.kind = PAIRING_SIMPLE, .attempt = index, .among = simple, .end = (uint32_t)simple->n});
	ARENA_PUSH(repair->arena, simple->attempts, simple->n, index);
}

void repair_note_attempt(struct repair *repair, const struct task *task, int64_t id)
{
	struct attempt attempt = {
		task->proposal, task->source, task->line, task->mutation, task->cost, id};
	ARENA_PUSH(repair->arena, repair->attempts, repair->n_attempts, attempt);
	for (size_t i = 0; i < repair->n_progress; i++)
		if (repair->pairings[repair->progress[i]].waiting)
			pairing_push(repair, repair->progress[i]);
	pairing_note_simple(repair, (uint32_t)repair->n_attempts - 1);
}

uint32_t repair_find_attempt(const struct repair *repair, int64_t id)
{
	size_t low = 0, high = repair->n_attempts;
	while (low < high) {
		size_t middle = low + (high - low) / 2;
		if (repair->attempts[middle].id < id)
			low = middle + 1;
		else
			high = middle;
	}
	return (uint32_t)low;
}

void repair_progress(struct repair *repair, int64_t id, size_t fixed)
{
	uint32_t attempt = repair_find_attempt(repair, id);
	/* A pair is not paired again. */
	bool single = attempt < repair->n_attempts && repair->attempts[attempt].id == id;
	if (!single || !fixed || repair->n_progress == PROGRESS_MOST)
		return;
	for (size_t i = 0; i < repair->n_progress; i++)
		if (repair->pairings[repair->progress[i]].attempt == attempt)
			return;
	double now = repair->queue.n ? repair->queue.tasks[0].cost
								 : repair->attempts[repair->n_attempts - 1].cost;
	double late = log2((double)(repair->n_progress + 1)) - log2((double)fixed);
	if (!repair->n_progress)
		repair->progress_since = repair->produced;
	repair->progress[repair->n_progress++] = (uint32_t)repair->n_pairings;
	pairing_add(repair,
		(struct pairing){.kind = PAIRING_PROGRESS, .attempt = attempt, .begun = now, .late = late});
}

/* The splices of both in one list. False where they meet. */
static bool pair_join(struct repair *repair, const struct proposal *a, const struct proposal *b,
	struct proposal *ret_joined)
{
	struct proposal joined = {.cost = a->cost + b->cost};
	size_t i = 0, k = 0;
	while (i < a->n || k < b->n) {
		bool first = k == b->n || (i < a->n && a->splices[i].offset <= b->splices[k].offset);
		const struct splice *splice = first ? &a->splices[i++] : &b->splices[k++];
		const struct splice *last = joined.n ? &joined.splices[joined.n - 1] : NULL;
		if (last && splice->offset <= last->offset + last->length)
			return false;
		ARENA_PUSH(repair->arena, joined.splices, joined.n, *splice);
	}
	bool in_order = a->splices[0].offset < b->splices[0].offset;
	joined.what = arena_printf(
		repair->arena, "%s, and %s", (in_order ? a : b)->what, (in_order ? b : a)->what);
	*ret_joined = joined;
	return true;
}

bool repair_next_pair(struct repair *repair, const struct task *task, struct pair *ret_pair)
{
	struct pairing *pairing = &repair->pairings[task->pairing];
	uint32_t other;
	pair_find_partner(repair, pairing, &other);
	pairing->next++;
	const struct attempt *a = &repair->attempts[pairing->attempt], *b = &repair->attempts[other];
	uint64_t low = pairing->attempt < other ? pairing->attempt : other,
			 high = pairing->attempt < other ? other : pairing->attempt;
	pairing_push(repair, task->pairing);
	if (!seen_add_number(&repair->paired, repair->arena, low << 32 | high))
		return false;
	struct pair pair = {.cost = a->cost + b->cost,
		.mutations = {a->mutation, b->mutation},
		.proposals = {a->proposal, b->proposal},
		.sources = {a->source},
		.n = 1};
	if (a->source == b->source) {
		if (!pair_join(repair, a->proposal, b->proposal, &pair.joined[0]) ||
			!seen_add(&repair->texts, repair->arena, &repair->sources[a->source], &pair.joined[0]))
			return false;
		*ret_pair = pair;
		return true;
	}
	const struct attempt *first = a->source < b->source ? a : b, *second = first == a ? b : a;
	pair.joined[0] = *first->proposal;
	pair.joined[1] = *second->proposal;
	pair.sources[0] = first->source;
	pair.sources[1] = second->source;
	pair.n = 2;
	*ret_pair = pair;
	return true;
}
