/* A binary heap with a total order: equal searches give equal candidates. */
#include "repair/search.h"

bool task_is_before(const struct task *a, const struct task *b)
{
	if (a->cost != b->cost)
		return a->cost < b->cost;
	if (a->source != b->source)
		return a->source < b->source;
	if (a->offset != b->offset)
		return a->offset < b->offset;
	if (a->mutation != b->mutation)
		return a->mutation < b->mutation;
	return a->order < b->order;
}

/* Less than half a bit, the same each time (splitmix64). */
static double queue_spread(uint64_t seed, uint32_t order)
{
	uint64_t z = seed + order * 0x9e3779b97f4a7c15ULL;
	z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ULL;
	z = (z ^ (z >> 27)) * 0x94d049bb133111ebULL;
	return (double)((z ^ (z >> 31)) >> 11) * 0x1p-54;
}

void queue_push(struct queue *queue, struct arena *arena, const struct task *task)
{
	/* An array that shrinks, too: its memory grows with the most that it held. */
	if (queue->n == queue->most)
		queue->tasks = arena_grow(arena, queue->tasks, queue->most++, sizeof *queue->tasks);
	size_t i = queue->n++;
	queue->tasks[i] = *task;
	queue->tasks[i].order = queue->orders++;
	if (queue->seed && task->kind == TASK_PROPOSAL)
		queue->tasks[i].cost += queue_spread(queue->seed, queue->tasks[i].order);
	for (size_t parent; i > 0; i = parent) {
		parent = (i - 1) / 2;
		if (!task_is_before(&queue->tasks[i], &queue->tasks[parent]))
			break;
		struct task other = queue->tasks[parent];
		queue->tasks[parent] = queue->tasks[i];
		queue->tasks[i] = other;
	}
}

/* Put a task into the hole at i, or below it where others go before. */
static void queue_sink(struct queue *queue, size_t i, struct task moved)
{
	for (size_t child; (child = 2 * i + 1) < queue->n; i = child) {
		if (child + 1 < queue->n && task_is_before(&queue->tasks[child + 1], &queue->tasks[child]))
			child++;
		if (!task_is_before(&queue->tasks[child], &moved))
			break;
		queue->tasks[i] = queue->tasks[child];
	}
	queue->tasks[i] = moved;
}

void queue_reorder(struct queue *queue)
{
	for (size_t i = queue->n / 2; i-- > 0;)
		queue_sink(queue, i, queue->tasks[i]);
}

bool queue_pop(struct queue *queue, struct task *task)
{
	if (!queue->n)
		return false;
	*task = queue->tasks[0];
	struct task moved = queue->tasks[--queue->n];
	queue_sink(queue, 0, moved);
	return true;
}
