/*
 * Two edits at once. What made progress leads: it is tried with every other edit, the cheapest
 * first. And two slips of the simple kinds in one function are tried together without any sign.
 */
#include <math.h>
#include <string.h>

#include "repair/search.h"

enum { SIMPLE_MOST = 60 }; /* of a function that are tried with each other */

#define HEAD_START 2.0  /* bits that the pairs of a lead are ahead of what else is in the queue */
#define TWO_SLIPS 0.3   /* bits that two slips cost over the sum of both */
#define TWICE 0.5       /* bits that the same slip at two places costs over one */
#define SIMPLE_COST 5.0 /* bits that a simple edit costs at most without its line's */

static struct simple *simple_of(struct repair *repair, const struct attempt *attempt)
{
	const struct source *source = &repair->sources[attempt->source];
	uint32_t i = source_token_at(source, attempt->proposal->splices[0].offset);
	uint32_t owner = i < source->n ? source->owner[i] : NO_TOKEN;
	if (!repair->simple)
		repair->simple = arena_alloc(
			repair->arena, (repair->definitions.n + repair->n) * sizeof *repair->simple);
	return &repair->simple[owner == NO_TOKEN ? repair->definitions.n + source->index : owner];
}

/* The attempt that a lead is tried with next. False: there is none, or none yet. */
static bool find_partner(const struct repair *repair, struct lead *lead, uint32_t *ret_attempt)
{
	if (lead->among) {
		*ret_attempt = lead->next < lead->end ? lead->among->attempts[lead->next] : 0;
		return lead->next < lead->end;
	}
	lead->next += lead->next == lead->attempt;
	*ret_attempt = lead->next;
	return lead->next < repair->n_attempts;
}

static double pair_cost(const struct repair *repair, const struct lead *lead, uint32_t partner)
{
	double own = repair->attempts[lead->attempt].cost, other = repair->attempts[partner].cost;
	switch (lead->kind) {
	case LEAD_SIMPLE:
		return own + TWO_SLIPS + other;
	case LEAD_TWIN:
		return own + TWICE;
	case LEAD_PROGRESS:
		break;
	}
	return lead->begun - repair->attempts[0].cost - HEAD_START + lead->late + other;
}

static void price_pairs(const struct repair *repair, struct queue *queue)
{
	for (size_t i = 0; i < queue->n; i++) {
		struct task *task = &queue->tasks[i];
		uint32_t partner;
		if (task->kind == TASK_PAIR && find_partner(repair, &repair->leads[task->lead], &partner))
			task->cost = pair_cost(repair, &repair->leads[task->lead], partner);
	}
	queue_reorder(queue);
}

void repair_price_pairs(struct repair *repair)
{
	price_pairs(repair, &repair->queue);
	price_pairs(repair, &repair->led);
}

/* Put a lead's task into the queue, or let it wait. */
static void push_lead(struct repair *repair, uint32_t index)
{
	struct lead *lead = &repair->leads[index];
	uint32_t partner;
	lead->waiting = !find_partner(repair, lead, &partner);
	if (lead->waiting)
		return;
	const struct attempt *other = &repair->attempts[partner];
	queue_push(lead->among ? &repair->queue : &repair->led, repair->arena,
		&(struct task){.kind = TASK_PAIR,
			.cost = pair_cost(repair, lead, partner),
			.source = other->source,
			.offset = (uint32_t)other->proposal->splices[0].offset,
			.mutation = other->mutation,
			.lead = index});
}

static void add_lead(struct repair *repair, struct lead lead)
{
	ARENA_PUSH(repair->arena, repair->leads, repair->n_leads, lead);
	push_lead(repair, (uint32_t)repair->n_leads - 1);
}

/* The same slip once more, where it is not made at all places of the function. */
static void note_twins(struct repair *repair, const struct simple *simple, uint32_t index)
{
	const struct attempt *attempt = &repair->attempts[index];
	for (size_t i = 0; i < simple->n && attempt->proposal->key; i++) {
		const struct attempt *other = &repair->attempts[simple->attempts[i]];
		if (other->mutation != attempt->mutation || !other->proposal->key ||
			strcmp(other->proposal->key, attempt->proposal->key) != 0)
			continue;
		add_lead(repair, (struct lead){.kind = LEAD_TWIN,
							 .attempt = index,
							 .among = simple,
							 .next = (uint32_t)i,
							 .end = (uint32_t)i + 1});
	}
}

/* Two slips in one function. */
static void note_simple(struct repair *repair, uint32_t index)
{
	const struct attempt *attempt = &repair->attempts[index];
	if (!mutations[attempt->mutation]->simple || attempt->proposal->n_places ||
		attempt->proposal->cost > SIMPLE_COST)
		return;
	struct simple *simple = simple_of(repair, attempt);
	if (simple->n == SIMPLE_MOST)
		return;
	note_twins(repair, simple, index);
	add_lead(repair,
		(struct lead){
			.kind = LEAD_SIMPLE, .attempt = index, .among = simple, .end = (uint32_t)simple->n});
	ARENA_PUSH(repair->arena, simple->attempts, simple->n, index);
}

void repair_note_attempt(struct repair *repair, const struct task *task, int64_t id)
{
	struct attempt attempt = {
		task->proposal, task->source, task->line, task->mutation, task->cost, id};
	ARENA_PUSH(repair->arena, repair->attempts, repair->n_attempts, attempt);
	for (size_t i = 0; i < repair->n_progress; i++)
		if (repair->leads[repair->progress[i]].waiting)
			push_lead(repair, repair->progress[i]);
	note_simple(repair, (uint32_t)repair->n_attempts - 1);
}

static uint32_t find_attempt(const struct repair *repair, int64_t id)
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
	uint32_t attempt = find_attempt(repair, id);
	/* A pair leads no further. */
	bool single = attempt < repair->n_attempts && repair->attempts[attempt].id == id;
	if (!single || !fixed || repair->n_progress == PROGRESS_MOST)
		return;
	for (size_t i = 0; i < repair->n_progress; i++)
		if (repair->leads[repair->progress[i]].attempt == attempt)
			return;
	double now = repair->queue.n ? repair->queue.tasks[0].cost
								 : repair->attempts[repair->n_attempts - 1].cost;
	double late = log2((double)(repair->n_progress + 1)) - log2((double)fixed);
	if (!repair->n_progress)
		repair->led_since = repair->produced;
	repair->progress[repair->n_progress++] = (uint32_t)repair->n_leads;
	add_lead(repair,
		(struct lead){.kind = LEAD_PROGRESS, .attempt = attempt, .begun = now, .late = late});
}

/* The splices of both in one list. False where they meet. */
static bool join(struct repair *repair, const struct proposal *a, const struct proposal *b,
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
	struct lead *lead = &repair->leads[task->lead];
	uint32_t other;
	find_partner(repair, lead, &other);
	lead->next++;
	const struct attempt *a = &repair->attempts[lead->attempt], *b = &repair->attempts[other];
	uint64_t low = lead->attempt < other ? lead->attempt : other,
			 high = lead->attempt < other ? other : lead->attempt;
	push_lead(repair, task->lead);
	if (!seen_add_number(&repair->paired, repair->arena, low << 32 | high))
		return false;
	struct pair pair = {.cost = a->cost + b->cost,
		.mutations = {a->mutation, b->mutation},
		.proposals = {a->proposal, b->proposal},
		.sources = {a->source},
		.n = 1};
	if (a->source == b->source) {
		if (!join(repair, a->proposal, b->proposal, &pair.joined[0]) ||
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
