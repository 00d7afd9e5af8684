/*
 * Suspicion by what the tests run: Ochiai's coefficient of each line, with the ranking by names and
 * tracebacks as a part of it. A line that no test ran, in a function that failing ones reach, is a
 * branch not taken, or stands where something is missing: it keeps a part of the function's
 * suspicion.
 */
#include <math.h>
#include <string.h>

#include "repair/localise/localise.h"
#include "repair/search.h"

enum { MANY_OTHERS = 5 }; /* passing tests with which coverage alone says much */
#define NOT_RUN 0.3
#define MOST_COST 3.0
#define NOTHING_RAN 1.0F /* what a file costs of which no failing test runs a line */

static struct source *cover_find_source(struct repair *repair, const char *path)
{
	for (size_t i = 0; i < repair->n; i++)
		if (strcmp(repair->sources[i].file->path, path) == 0)
			return &repair->sources[i];
	return NULL;
}

/* Tests that fail beside the goal's may do so for the same reason: then its line is run by all of
 * them. */
static double cover_suspicion(const struct coverage *coverage, const struct coverage_line *line)
{
	double own = ochiai(line->goal, line->others, coverage->n_goal);
	double all = ochiai(line->goal + line->also, line->others, coverage->n_goal + coverage->n_also);
	return own > all ? own : all;
}

/* By source and line: -1 where nothing is known. */
static float **cover_read_lines(
	struct repair *repair, const struct coverage *coverage, struct arena *arena, double *ret_most)
{
	const struct coverage_line *lines = coverage->lines;
	float **known = arena_alloc(arena, (repair->n + 1) * sizeof *known);
	*ret_most = 0;
	for (size_t i = 0; i < coverage->n; i++) {
		struct source *source = cover_find_source(repair, lines[i].path);
		if (!source || lines[i].line < 1 || lines[i].line > source->n_lines)
			continue;
		if (!known[source->index]) {
			known[source->index] = arena_alloc(arena, (source->n_lines + 2) * sizeof **known);
			for (size_t line = 0; line < source->n_lines + 2; line++)
				known[source->index][line] = -1;
		}
		double own = cover_suspicion(coverage, &lines[i]);
		known[source->index][lines[i].line] = (float)own;
		if (source->file->editable && own > *ret_most)
			*ret_most = own;
	}
	return known;
}

/* A statement over several lines is known by its first. */
static void cover_spread(const struct source *source, float *known)
{
	for (uint32_t line = 2; line <= source->n_lines; line++) {
		uint32_t first = source->line_first[line];
		bool continues = first < source->line_first[line + 1] && !source->tokens[first].first;
		if (known[line] < 0 && continues)
			known[line] = known[line - 1];
	}
}

/* The most suspected line of each definition. */
static void cover_find_peaks(
	const struct repair *repair, const struct source *source, const float *known, float *peaks)
{
	for (uint32_t line = 1; line <= source->n_lines; line++) {
		uint32_t first = source->line_first[line];
		uint32_t owner = first < source->line_first[line + 1] ? source->owner[first] : NO_TOKEN;
		if (owner != NO_TOKEN && repair->definitions.items[owner].kind == DEFINITION_FUNCTION &&
			known[line] > peaks[owner])
			peaks[owner] = known[line];
	}
}

static float cover_cost_of(
	const struct source *source, uint32_t line, double own, double most, double trust)
{
	double apart = (source->traced[line] ? 0.5 : 0) + source_recent(source, line);
	double plain = (double)source->plain_cost[line] + apart;
	double cost = own > 0 ? -0.7 * log2(own / most) + (1 - trust) * plain : MOST_COST;
	return (float)((cost < MOST_COST ? cost : MOST_COST) - apart);
}

static void cover_source(struct repair *repair, struct source *source, float *known, float *peaks,
	double most, double trust)
{
	if (!source->plain_cost)
		source->plain_cost =
			arena_memdup(repair->arena, source->cost, (source->n_lines + 2) * sizeof *source->cost);
	if (known) {
		cover_spread(source, known);
		cover_find_peaks(repair, source, known, peaks);
	}
	for (uint32_t line = 1; line <= source->n_lines; line++) {
		uint32_t first = source->line_first[line];
		uint32_t owner = first < source->line_first[line + 1] ? source->owner[first] : NO_TOKEN;
		double own = known && known[line] > 0 ? (double)known[line] : 0;
		double peak = known && owner != NO_TOKEN ? (double)peaks[owner] * NOT_RUN : 0;
		source->cost[line] = cover_cost_of(source, line, own > peak ? own : peak, most, trust) +
			(known ? 0 : NOTHING_RAN);
	}
}

/* What a line costs; of a proposal for several places, what the cheapest of them costs with its
 * line. */
static double cover_cost_at(const float *costs, uint32_t line, const struct proposal *proposal)
{
	double least = (double)costs[line];
	for (size_t i = 0; proposal && i < proposal->n_places; i++) {
		double own = proposal->places[i].cost + (double)costs[proposal->places[i].line];
		least = i && least < own ? least : own;
	}
	return least;
}

static double cover_growth(const struct repair *repair, float **old, uint32_t source, uint32_t line,
	const struct proposal *proposal)
{
	return cover_cost_at(repair->sources[source].cost, line, proposal) -
		cover_cost_at(old[source], line, proposal);
}

/* A crash names no line. Where it was is the line that is suspected most: what it asks for may be
 * null. */
static void cover_find_crash(struct source *source, const float *known, double most)
{
	for (uint32_t line = 1; line <= source->n_lines; line++)
		if (known[line] >= (float)most)
			source->traced[line] = true;
}

void repair_cover(struct repair *repair, const struct coverage *coverage)
{
	AUTO_ARENA scratch = ARENA_INIT;
	double most;
	float **known = cover_read_lines(repair, coverage, &scratch, &most);
	if (most <= 0)
		return;
	repair->is_absent |= repair->is_crashed;
	float *peaks = arena_alloc(&scratch, (repair->definitions.n + 1) * sizeof *peaks);
	float **old = arena_alloc(&scratch, (repair->n + 1) * sizeof *old);
	for (size_t i = 0; i < repair->n; i++) {
		struct source *source = &repair->sources[i];
		old[i] = arena_memdup(&scratch, source->cost, (source->n_lines + 2) * sizeof *source->cost);
		if (!source->file->editable)
			continue;
		if (repair->is_crashed && known[i] && has_trait(source, LANGUAGE_PREPROCESSED))
			cover_find_crash(source, known[i], most);
		cover_source(
			repair, source, known[i], peaks, most, coverage->n_others >= MANY_OTHERS ? 0.75 : 0.5);
	}
	for (size_t i = 0; i < repair->queue.n; i++) {
		struct task *task = &repair->queue.tasks[i];
		if (task->kind != TASK_PAIR)
			task->cost += cover_growth(repair, old, task->source, task->line, task->proposal);
	}
	for (size_t i = 0; i < repair->n_attempts; i++) {
		struct attempt *attempt = &repair->attempts[i];
		attempt->cost +=
			cover_growth(repair, old, attempt->source, attempt->line, attempt->proposal);
	}
	repair_price_pairs(repair);
}
