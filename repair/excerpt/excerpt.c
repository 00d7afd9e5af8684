/*
 * What to read of a program to understand why its tests fail: the tests, what they run as far as
 * traces, known suspects and names tell, and who calls that. Whole definitions, the likeliest
 * first.
 */
#include "repair/excerpt/excerpt.h"

#include <stdlib.h>

#include "base/memory.h"
#include "repair/localise/trace.h"

enum {
	RUNS_MOST = 200,
	CALLERS_MOST = 20,
	CALLERS_EACH = 2,  /* of one definition */
	AROUND = 3,        /* lines around one that is in no definition */
	FOLLOWED_MOST = 3, /* calls from a traced definition on */
	LIKELY_LEAST = 5,  /* of what is reached: how many are likely in any case */
};

#define FURTHER 0.3  /* what each of these calls costs */
#define UNLIKELY 1.4 /* what costs so much more than the likeliest: a quarter as suspicious */

void excerpt_add(struct excerpting *e, enum excerpt_kind kind, const struct source *source,
	struct lines lines, uint32_t line)
{
	if (lines.first)
		ARENA_PUSH(e->arena, e->items, e->n,
			(struct excerpt){.file = source->file,
				.kind = kind,
				.first = lines.first,
				.last = lines.last,
				.line = line});
}

static struct lines excerpt_around(const struct source *source, uint32_t line)
{
	uint32_t last = line + AROUND, end = (uint32_t)source->n_lines;
	return (struct lines){line > AROUND ? line - AROUND : 1, last < end ? last : end};
}

/* Of a long class the line may be past what is read of it. */
bool excerpt_add_definition(
	struct excerpting *e, enum excerpt_kind kind, uint32_t definition, uint32_t line)
{
	const struct source *source = e->repair->definitions.items[definition].source;
	if (e->is_taken[definition])
		return false;
	e->is_taken[definition] = true;
	struct lines lines = definition_lines(source, definition);
	struct lines around = definition_class_lines(source, definition);
	bool is_within = line >= lines.first && line <= lines.last;
	excerpt_add(e, kind, source, lines, is_within ? line : lines.first);
	e->items[e->n - 1].class_first = around.first;
	e->items[e->n - 1].class_last = around.last;
	if (!is_within)
		excerpt_add(e, kind, source, excerpt_around(source, line), line);
	return true;
}

/* The definition that is read for the sake of one within it. */
static uint32_t excerpt_whole(const struct excerpting *e, uint32_t definition)
{
	const struct definition *own = &e->repair->definitions.items[definition];
	return definition_around(own->source, own->source->tokens[own->first].line);
}

static int compare_choices(const void *a, const void *b)
{
	const struct choice *x = a, *y = b;
	if (x->cost != y->cost)
		return x->cost < y->cost ? -1 : 1;
	if (x->source != y->source)
		return x->source->index < y->source->index ? -1 : 1;
	return x->line < y->line ? -1 : x->line > y->line;
}

void excerpt_sort(struct choice *choices, size_t n)
{
	if (n)
		qsort(choices, n, sizeof *choices, compare_choices);
}

void excerpt_add_choices(
	struct excerpting *e, enum excerpt_kind kind, const struct choice *choices, size_t n)
{
	for (size_t i = 0; choices && i < n; i++) {
		const struct choice *choice = &choices[i];
		if (choice->definition != NO_TOKEN) {
			excerpt_add_definition(e, kind, choice->definition, choice->line);
			continue;
		}
		excerpt_add(
			e, kind, choice->source, excerpt_around(choice->source, choice->line), choice->line);
	}
}

void excerpt_add_imports(struct excerpting *e, enum excerpt_kind kind, enum excerpt_kind of)
{
	size_t end = e->n;
	for (size_t s = 0; s < e->repair->n; s++) {
		const struct source *source = &e->repair->sources[s];
		struct lines lines = import_lines(source);
		bool is_shown = false;
		for (size_t i = 0; i < end && lines.first; i++)
			is_shown |= e->items[i].kind == of && e->items[i].file == source->file;
		if (is_shown)
			excerpt_add(e, kind, source, lines, lines.first);
	}
}

/* --- What they run --- */

static void excerpt_note_line(struct excerpting *e, const struct source *source, uint32_t line,
	double cost, struct choice **loose, size_t *n_loose)
{
	uint32_t first = source->line_first[line], owner = source->owner[first];
	uint32_t definition = definition_around(source, line);
	bool is_traced = source->traced[line] || cost < 0;
	struct choice choice = {source, definition, line, cost, is_traced};
	if (definition == NO_TOKEN && is_traced)
		ARENA_PUSH(e->l.arena, *loose, *n_loose, choice);
	if (definition == NO_TOKEN)
		return;
	struct choice *part = &e->parts[definition];
	choice.is_reached |= e->l.failing[owner] > 0 || part->is_reached;
	if (!part->source || cost < part->cost)
		*part = choice;
	part->is_reached = choice.is_reached;
}

/* What was suspected by one who knew more comes first, in its order. */
static void excerpt_note_places(struct excerpting *e, const char *const *places, size_t n,
	struct choice **loose, size_t *n_loose)
{
	for (size_t i = 0; i < n; i++) {
		const char *colon = strrchr(places[i], ':');
		const struct source *source =
			colon ? repair_source(e->repair, places[i], (size_t)(colon - places[i])) : NULL;
		unsigned long line = colon ? strtoul(colon + 1, NULL, 10) : 0;
		if (source && line && line <= source->n_lines && source->file->editable &&
			source->line_first[line] < source->line_first[line + 1])
			excerpt_note_line(e, source, (uint32_t)line, (double)i - 2 * (double)n, loose, n_loose);
	}
}

/* How many of the choices, in their order, are likely. */
static size_t excerpt_count_likely(const struct choice *choices, size_t n)
{
	size_t likely = 0;
	double best = -1;
	for (; likely < n; likely++) {
		double cost = choices[likely].cost;
		best = best < 0 && cost >= 0 ? cost : best;
		if (likely >= LIKELY_LEAST && cost > best + UNLIKELY)
			break;
	}
	return likely;
}

/* Where no test is known, what traced definitions name, and so on. */
static void excerpt_follow_traced(struct excerpting *e)
{
	const struct definitions *all = &e->repair->definitions;
	for (size_t i = 0; i < all->n; i++)
		if (e->l.failing[i])
			return;
	uint32_t *depths = arena_alloc(e->l.arena, all->n * sizeof *depths);
	for (uint32_t depth = 1; depth <= FOLLOWED_MOST; depth++)
		for (uint32_t i = 0; i < all->n; i++) {
			uint32_t from = excerpt_whole(e, i);
			bool is_of_depth =
				from != NO_TOKEN && e->parts[from].is_reached && depths[from] == depth - 1;
			for (size_t j = 0; is_of_depth && j < e->l.edges[i].n; j++) {
				uint32_t to = excerpt_whole(e, e->l.edges[i].to[j]);
				if (to == NO_TOKEN || e->parts[to].is_reached || !e->parts[to].source)
					continue;
				e->parts[to].is_reached = true;
				e->parts[to].cost += depth * FURTHER;
				depths[to] = depth;
			}
		}
}

/* All that is reached; without any evidence all there is. */
static size_t excerpt_find_runs(
	struct excerpting *e, const char *const *places, size_t n_places, struct choice **ret_choices)
{
	size_t n = 0;
	bool any = false;
	*ret_choices = NULL;
	excerpt_note_places(e, places, n_places, ret_choices, &n);
	for (size_t s = 0; s < e->repair->n; s++) {
		const struct source *source = &e->repair->sources[s];
		for (uint32_t line = 1; source->file->editable && line <= source->n_lines; line++)
			if (source->line_first[line] < source->line_first[line + 1])
				excerpt_note_line(e, source, line, 1 + (double)source->cost[line], ret_choices, &n);
	}
	excerpt_follow_traced(e);
	any = n;
	for (size_t i = 0; i < e->repair->definitions.n; i++)
		any |= e->parts[i].is_reached;
	for (size_t i = 0; i < e->repair->definitions.n; i++) {
		struct choice choice = e->parts[i];
		if (!choice.source || !(choice.is_reached || !any))
			continue;
		bool is_value = e->repair->definitions.items[i].kind == DEFINITION_VALUE;
		if (is_value && choice.cost >= 0 && !choice.source->traced[choice.line])
			choice.cost += FURTHER; /* nothing runs in it */
		ARENA_PUSH(e->l.arena, *ret_choices, n, choice);
	}
	excerpt_sort(*ret_choices, n);
	return n < RUNS_MOST ? n : RUNS_MOST;
}

/* --- Who calls that --- */

/* Whether a definition may be read as one that calls something. */
static bool excerpt_is_caller(const struct excerpting *e, uint32_t definition)
{
	if (definition == NO_TOKEN || e->is_taken[definition])
		return false;
	const struct definition *own = &e->repair->definitions.items[definition];
	return own->source->file->editable && own->kind != DEFINITION_VALUE;
}

static void excerpt_add_callers(struct excerpting *e)
{
	size_t n_definitions = e->repair->definitions.n, n = 0;
	uint8_t *callers = arena_alloc(e->l.arena, n_definitions * sizeof *callers);
	struct choice *choices = NULL;
	for (uint32_t i = 0; i < n_definitions; i++) {
		uint32_t caller = excerpt_whole(e, i);
		if (!excerpt_is_caller(e, caller))
			continue;
		const struct definition *own = &e->repair->definitions.items[i];
		for (size_t j = 0; j < e->l.edges[i].n; j++) {
			uint32_t callee = excerpt_whole(e, e->l.edges[i].to[j]);
			if (callee == NO_TOKEN || !e->ranks[callee] || callers[callee] == CALLERS_EACH)
				continue;
			callers[callee]++;
			ARENA_PUSH(e->l.arena, choices, n,
				(struct choice){own->source, caller, own->source->tokens[own->first].line,
					e->ranks[callee], true});
		}
	}
	excerpt_sort(choices, n);
	excerpt_add_choices(e, EXCERPT_CALLER, choices, n < CALLERS_MOST ? n : CALLERS_MOST);
}

size_t repair_excerpts(struct arena *arena, const struct repair_file *files, size_t n,
	const struct test_report *report, const char *const *places, size_t n_places,
	struct excerpt **ret_excerpts)
{
	AUTO_ARENA scratch = ARENA_INIT;
	struct excerpting e = {.repair = repair_read(&scratch, files, n), .arena = arena};
	localise(&e.l, e.repair, report, &scratch);
	e.is_taken = arena_alloc(&scratch, e.repair->definitions.n * sizeof *e.is_taken);
	e.parts = arena_alloc(&scratch, e.repair->definitions.n * sizeof *e.parts);
	e.ranks = arena_alloc(&scratch, e.repair->definitions.n * sizeof *e.ranks);
	excerpt_add_tests(&e);
	struct choice *runs;
	size_t n_runs = excerpt_find_runs(&e, places, n_places, &runs);
	size_t likely = excerpt_count_likely(runs, n_runs);
	excerpt_add_choices(&e, EXCERPT_RUN, runs, likely);
	for (size_t i = 0; runs && i < likely; i++)
		if (runs[i].definition != NO_TOKEN)
			e.ranks[runs[i].definition] = (uint32_t)i + 1;
	excerpt_add_callers(&e);
	excerpt_add_imports(&e, EXCERPT_IMPORTS, EXCERPT_RUN);
	if (n_runs > likely)
		excerpt_add_choices(&e, EXCERPT_REACHED, runs + likely, n_runs - likely);
	*ret_excerpts = e.items;
	return e.n;
}
