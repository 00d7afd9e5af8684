/*
 * The search. Everything that may be tried is in one queue: lines by their suspicion with the next
 * mutation that they wait for, and what mutations proposed. A line is opened only when nothing
 * cheaper is left, so that all candidates are in order although few of them are ever made.
 */
#include <stdlib.h>
#include <string.h>

#include "repair/localise/trace.h"
#include "repair/probe.h"

#define WIDE 5.0 /* what a line costs more where mutations propose more than the best */

enum {
	WHOLE_FILE_MOST = 20000, /* tokens of a file that is searched for equal places */
	PROGRESS_SHARE = 3,      /* one candidate in so many is a pair with progress */
};

bool repair_knows(const char *path)
{
	return language_of(path);
}

/* The first mutation, from this one on, that may propose something for a line. */
static uint32_t repair_mutation_for(
	const struct repair *repair, const struct source *source, uint32_t line, uint32_t mutation)
{
	bool printed = source->traced[line] || (source->broken && source->broken[line]);
	while (mutation < mutations_n &&
		((!printed && mutations[mutation]->printed) ||
			(mutations[mutation]->named && !repair_says_unknown(repair, source, line))))
		mutation++;
	return mutation;
}

static void repair_push_lines(struct repair *repair, const struct source *source)
{
	for (uint32_t line = 1; line <= source->n_lines; line++) {
		if (!line_is_live(source, line) && !(source->broken && source->broken[line]) &&
			!repair_says_unknown(repair, source, line))
			continue;
		uint32_t first = repair_mutation_for(repair, source, line, 0);
		queue_push(&repair->queue, repair->arena,
			&(struct task){.kind = TASK_LINE,
				.cost = (double)source->cost[line] + mutations[first]->least,
				.source = source->index,
				.line = line,
				.mutation = first,
				.offset = source->tokens[source->line_first[line]].start});
	}
}

struct repair *repair_new(struct arena *arena, const struct repair_file *files, size_t n,
	const struct test_report *report)
{
	struct repair *repair = repair_read(arena, files, n);
	repair_find_recent(repair);
	repair_localise(repair, report);
	for (size_t i = 0; i < repair->n; i++)
		if (repair->sources[i].file->editable)
			repair_push_lines(repair, &repair->sources[i]);
	return repair;
}

static void repair_push_proposals(struct repair *repair, const struct task *task)
{
	const struct source *source = &repair->sources[task->source];
	struct proposal **proposals;
	size_t n = mutation_propose(
		mutations[task->mutation], repair, source, task->line, repair->arena, &proposals);
	for (size_t i = 0; i < n; i++) {
		struct task new = *task;
		new.kind = TASK_PROPOSAL;
		new.proposal = proposals[i];
		new.offset = (uint32_t)proposals[i]->splices[0].offset;
		new.cost = (double)source->cost[task->line] + proposals[i]->cost;
		queue_push(&repair->queue, repair->arena, &new);
	}
}

/* Once all mutations have proposed the best that they know for a line, they propose more. */
static void repair_widen_line(struct repair *repair, const struct task *task)
{
	struct task wide = *task;
	const struct source *source = &repair->sources[task->source];
	wide.is_wide = true;
	wide.mutation = repair_mutation_for(repair, source, task->line, 0);
	wide.cost = (double)source->cost[task->line] + mutations[wide.mutation]->least + WIDE;
	queue_push(&repair->queue, repair->arena, &wide);
}

/* Let one mutation propose, and the next, as long as nothing else is cheaper than what it may
 * propose; then put the line back. */
static void repair_open_line(struct repair *repair, const struct task *task)
{
	struct task rest = *task;
	double line_cost = (double)repair->sources[task->source].cost[task->line];
	for (;;) {
		repair_push_proposals(repair, &rest);
		rest.mutation = repair_mutation_for(
			repair, &repair->sources[task->source], task->line, rest.mutation + 1);
		if (rest.mutation == mutations_n) {
			if (!rest.is_wide)
				repair_widen_line(repair, task);
			return;
		}
		rest.cost = line_cost + mutations[rest.mutation]->least + (rest.is_wide ? WIDE : 0);
		if (repair->queue.n && task_is_before(&repair->queue.tasks[0], &rest))
			break;
	}
	queue_push(&repair->queue, repair->arena, &rest);
}

/* The function or value around a line's first token; of functions within functions the innermost.
 */
static uint32_t repair_scope_of(
	const struct repair *repair, const struct source *source, uint32_t line)
{
	uint32_t owner = source->owner[source->line_first[line]];
	while (owner != NO_TOKEN && repair->definitions.items[owner].kind == DEFINITION_CLASS)
		owner = repair->definitions.items[owner].parent;
	return owner;
}

static void repair_push_same(
	struct repair *repair, const struct task *task, uint32_t definition, bool in_line)
{
	struct task new = *task;
	new.kind = TASK_SAME;
	new.definition = definition;
	new.in_line = in_line;
	new.cost = task->cost + SAME_BASE + 2 * SAME_EACH;
	queue_push(&repair->queue, repair->arena, &new);
}

static void repair_schedule_line(struct repair *repair, const struct task *task)
{
	uint64_t number = (uint64_t)task->mutation << 56 | (uint64_t)3 << 54 |
		(uint64_t)task->source << 24 | task->line;
	if (task->line < 1 << 24 && seen_add_number(&repair->scheduled, repair->arena, number))
		repair_push_same(repair, task, NO_TOKEN, true);
}

static void repair_schedule_scopes(struct repair *repair, const struct task *task)
{
	const struct source *source = &repair->sources[task->source];
	uint32_t scopes[] = {repair_scope_of(repair, source, task->line), NO_TOKEN};
	for (size_t i = 0; i < 2; i++) {
		bool whole = scopes[i] == NO_TOKEN;
		uint64_t number = ((uint64_t)task->mutation << 56) | ((uint64_t)whole << 48) |
			(whole ? task->source : scopes[i]) | (uint64_t)1 << 55;
		if ((whole && source->n > WHOLE_FILE_MOST) ||
			!seen_add_number(&repair->scheduled, repair->arena, number))
			continue;
		repair_push_same(repair, task, scopes[i], false);
	}
}

/* After a mutation was tried at one place, it is tried at several places, somewhat later. */
static void repair_schedule_same(struct repair *repair, const struct task *task)
{
	if (task->proposal->n_places)
		return;
	if (mutations[task->mutation]->once)
		repair_schedule_line(repair, task);
	else
		repair_schedule_scopes(repair, task);
}

/* One edit, where its text is new. */
static bool repair_give_single(
	struct repair *repair, const struct task *task, struct candidate *candidate)
{
	repair_schedule_same(repair, task);
	if (!seen_add(&repair->texts, repair->arena, &repair->sources[task->source], task->proposal))
		return false;
	repair_fill(repair, task, candidate);
	repair_note_attempt(repair, task, candidate->id);
	probe_note(repair, task, candidate->id);
	return true;
}

static bool repair_give_pair(
	struct repair *repair, const struct task *task, struct candidate *candidate)
{
	struct pair pair;
	if (!repair_next_pair(repair, task, &pair))
		return false;
	repair_fill_pair(repair, &pair, candidate);
	return true;
}

void repair_seed(struct repair *repair, uint64_t seed)
{
	repair->queue.seed = seed;
}

/* An edit that makes progress is often no part of the right edit: its pairs get their share of
 * the candidates and no more. */
static bool repair_progress_is_due(const struct repair *repair)
{
	if (!repair->progress_queue.n || !repair->queue.n)
		return repair->progress_queue.n;
	bool due =
		(repair->progress_given + 1) * PROGRESS_SHARE <= repair->produced - repair->progress_since;
	return due && task_is_before(&repair->progress_queue.tasks[0], &repair->queue.tasks[0]);
}

static bool repair_give_progress(struct repair *repair, struct candidate *candidate)
{
	struct task task;
	bool given =
		queue_pop(&repair->progress_queue, &task) && repair_give_pair(repair, &task, candidate);
	repair->progress_given += given;
	return given;
}

bool repair_next(struct repair *repair, struct candidate *candidate)
{
	bool given = false;
	while (!given && repair_progress_is_due(repair))
		given = repair_give_progress(repair, candidate);
	for (struct task task; !given && queue_pop(&repair->queue, &task);) {
		repair->is_wide = task.is_wide;
		switch (task.kind) {
		case TASK_LINE:
			repair_open_line(repair, &task);
			break;
		case TASK_SAME:
			repair_propose_same(repair, &task);
			break;
		case TASK_PROPOSAL:
			given = repair_give_single(repair, &task, candidate);
			break;
		case TASK_PAIR:
			given = repair_give_pair(repair, &task, candidate);
			break;
		}
	}
	while (!given && repair->progress_queue.n)
		given = repair_give_progress(repair, candidate);
	return given;
}
