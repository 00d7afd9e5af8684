/*
 * Where the fault is, without running anything. The bodies of failing and passing tests say which
 * functions they reach by name (Ochiai's coefficient over that reach, less the further away), lines
 * that a runner printed count more, and so do lines with words that only failing tests have.
 * Without any evidence all lines are equal.
 */
#include <math.h>
#include <string.h>

#include "base/strbuf.h"
#include "repair/localise/localise.h"
#include "repair/localise/trace.h"

enum {
	DEPTH_MOST = 12, /* calls from a test on */
	EDGES_MOST = 64, /* definitions that one names */
	KINDS_MOST = 8,
	KEYS_MOST = 40,
	QUOTED_MOST = 300,   /* texts of failing tests */
	NAMESAKES_MOST = 20, /* definitions that a name can mean */
};

#define ASIDE 1.5              /* what a file costs that is no part of the product */
#define TRACED 0.5             /* by how much a line costs less that the runner prints */
#define TRACED_BY_COMPILER 2.5 /* it names what is wrong, and not what was run */
#define IN_LOOP 1.5            /* and one of a loop, where a test does not end */

/* --- which definitions name which --- */

static void localise_add_edge(struct localisation *l, uint32_t from, uint32_t to)
{
	struct edges *edges = &l->edges[from];
	if (edges->n < EDGES_MOST)
		ARENA_PUSH(l->arena, edges->to, edges->n, to);
}

static void localise_find_edges(struct localisation *l)
{
	const struct definitions *definitions = &l->repair->definitions;
	uint32_t *last = arena_alloc(l->arena, definitions->n * sizeof *last);
	for (size_t s = 0; s < l->repair->n; s++) {
		const struct source *source = &l->repair->sources[s];
		for (uint32_t i = 0; i < source->n; i++) {
			const struct term *word = term_of(source->tokens[i].word);
			uint32_t owner = source->owner[i];
			bool names = word && is_name(source, i) && owner != NO_TOKEN;
			for (size_t d = 0; names && d < word->n_definitions && d < NAMESAKES_MOST; d++) {
				uint32_t to = word->definitions[d];
				if (to == owner || last[to] == owner + 1)
					continue;
				last[to] = owner + 1;
				localise_add_edge(l, owner, to);
			}
		}
	}
	for (uint32_t i = 0; i < definitions->n; i++)
		if (definitions->items[i].constructor)
			localise_add_edge(l, definitions->items[i].parent, i);
}

/* --- reach --- */

static uint32_t localise_visit(struct localisation *l, uint32_t *queue, uint32_t n,
	uint32_t definition, const struct region *region, double nearness)
{
	if (l->visited[definition] == l->visit)
		return n;
	l->visited[definition] = l->visit;
	(region->failing ? l->failing : l->passing)[definition]++;
	if (region->failing && (float)nearness > l->nearness[definition])
		l->nearness[definition] = (float)nearness;
	queue[n++] = definition;
	return n;
}

static void localise_note_key(struct repair *repair, const struct source *source, uint32_t i)
{
	if (source->tokens[i].kind != TOKEN_NAME || source->tokens[i].role != ROLE_KEY ||
		repair->n_keys == KEYS_MOST)
		return;
	for (size_t k = 0; k < repair->n_keys; k++)
		if (repair->keys[k] == source->tokens[i].word)
			return;
	ARENA_PUSH(repair->arena, repair->keys, repair->n_keys, source->tokens[i].word);
}

/* Texts, and names of exceptions. */
static void localise_note_quoted(struct repair *repair, const struct source *source, uint32_t i)
{
	struct term *term = term_of(source->tokens[i].word);
	bool kind = is_name(source, i) && names_exception(term->word.text, term->word.n);
	if (term->is_quoted || (source->tokens[i].kind != TOKEN_STRING && !kind))
		return;
	if (kind && repair->n_kinds < KINDS_MOST)
		ARENA_PUSH(repair->arena, repair->kinds, repair->n_kinds, &term->word);
	if (!kind && repair->n_quoted < QUOTED_MOST)
		ARENA_PUSH(repair->arena, repair->quoted, repair->n_quoted, &term->word);
	term->is_quoted = true;
}

/* From the names in a test to what they name, and on. */
static void localise_follow(struct localisation *l, const struct region *region, uint32_t *queue)
{
	uint32_t n = 0, from = 0;
	double nearness = region->exact ? 1 : 0.75;
	l->visit++;
	for (uint32_t i = region->span.first; i <= region->span.last && i < region->source->n; i++) {
		struct term *word = term_of(region->source->tokens[i].word);
		if (!word)
			continue;
		if (region->failing) {
			localise_note_key(l->repair, region->source, i);
			localise_note_quoted(l->repair, region->source, i);
		}
		if (word->counted != l->visit) {
			word->counted = l->visit;
			(region->failing ? &word->failing : &word->passing)[0]++;
		}
		for (size_t d = 0;
			 is_name(region->source, i) && d < word->n_definitions && d < NAMESAKES_MOST; d++)
			n = localise_visit(l, queue, n, word->definitions[d], region, nearness);
	}
	for (int depth = 1; depth <= DEPTH_MOST && from < n; depth++) {
		nearness *= 0.85;
		for (uint32_t end = n; from < end; from++)
			for (size_t e = 0; e < l->edges[queue[from]].n; e++)
				n = localise_visit(l, queue, n, l->edges[queue[from]].to[e], region, nearness);
	}
}

double ochiai(size_t failing, size_t passing, size_t all_failing)
{
	return failing ? (double)failing / sqrt((double)all_failing * (double)(failing + passing)) : 0;
}

/* --- lines --- */

static double localise_definition_suspicion(const struct localisation *l, uint32_t definition)
{
	return ochiai(l->failing[definition], l->passing[definition], l->regions.n_failing) *
		(double)l->nearness[definition];
}

/* How much the words of a line are those of failing tests only. */
static double localise_words_suspicion(
	const struct localisation *l, const struct source *source, uint32_t line)
{
	double most = 0;
	for (uint32_t i = source->line_first[line]; i < source->line_first[line + 1]; i++) {
		const struct term *word = term_of(source->tokens[i].word);
		bool telling =
			word && word->word.n > 1 && word->failing && source->tokens[i].role != ROLE_DECLARED;
		double own = telling ? ochiai(word->failing, word->passing, l->regions.n_failing) : 0;
		most = own > most ? own : most;
	}
	return most;
}

static double localise_line_suspicion(
	const struct localisation *l, const struct source *source, uint32_t line, bool any)
{
	uint32_t first = source->line_first[line];
	if (first >= source->line_first[line + 1])
		return 0;
	uint32_t owner = source->owner[first];
	if (!any)
		return owner == NO_TOKEN ? 0.6 : 1;
	double own = owner == NO_TOKEN ? 0.03 : localise_definition_suspicion(l, owner);
	own = own > 0.02 ? own : 0.02;
	/* A class's own lines are reached with it, but what runs are its methods. */
	if (owner != NO_TOKEN && l->repair->definitions.items[owner].kind == DEFINITION_CLASS)
		own *= 0.5;
	own *= 1 + 0.5 * localise_words_suspicion(l, source, line);
	return source->traced[line] ? (own > 0.5 ? own : 0.5) * 1.5 : own;
}

/* Whether a file is in a folder for examples, benchmarks or documentation, or for what tests share:
 * hardly any test fails because of it. */
static bool localise_is_aside(const char *path)
{
	static const char folders[] =
		" example examples demo demos doc docs bench benches benchmark benchmarks samples "
		" assert asserts assertions mock mocks testing testutil testutils ";
	for (const char *at = path, *slash; (slash = strchr(at, '/')); at = slash + 1)
		if (words_hold(folders, at, (size_t)(slash - at)))
			return true;
	return false;
}

/* From how suspected the lines are to what they cost: less what the runner names of them. */
static void localise_price_lines(struct localisation *l, struct source *source, double most)
{
	double aside = localise_is_aside(source->file->path) ? ASIDE : 0;
	double traced = l->repair->is_unbuilt ? TRACED_BY_COMPILER : TRACED;
	const bool *in_loop = l->is_hung ? localise_find_loops(source, l->arena) : NULL;
	for (uint32_t line = 1; line <= source->n_lines; line++) {
		double cost = -0.7 * log2((double)source->cost[line] / most);
		source->cost[line] =
			(float)((cost < 3 ? cost : 3) + aside - (source->traced[line] ? traced : 0) -
				(in_loop && in_loop[line] ? IN_LOOP : 0) - source_recent(source, line));
	}
}

static void localise_find_costs(struct localisation *l)
{
	struct repair *repair = l->repair;
	bool any = false;
	for (uint32_t i = 0; i < repair->definitions.n; i++)
		any |= repair->definitions.items[i].source->file->editable && l->failing[i];
	double most = 0;
	for (size_t s = 0; s < repair->n; s++) {
		struct source *source = &repair->sources[s];
		for (uint32_t line = 1; source->file->editable && line <= source->n_lines; line++) {
			source->cost[line] = (float)localise_line_suspicion(l, source, line, any);
			most = (double)source->cost[line] > most ? (double)source->cost[line] : most;
		}
	}
	for (size_t s = 0; s < repair->n; s++)
		if (repair->sources[s].file->editable)
			localise_price_lines(l, &repair->sources[s], most);
}

/* Read the places and names that the runner printed. */
static void localise_read_report(struct repair *repair, const struct test_report *report)
{
	const char *output = without_warnings(report->output ? report->output : "", repair->arena);
	repair_trace(repair, output);
	repair_blame(repair, output);
	repair_find_broken(repair, output);
	for (size_t i = 0; i < report->n; i++) {
		const struct test_result *result = report->results[i];
		if (!test_status_is_red(result->status))
			continue;
		struct source *source =
			result->file ? repair_source(repair, result->file, strlen(result->file)) : NULL;
		if (source && result->line > 0 && (size_t)result->line <= source->n_lines)
			source->traced[result->line] = true;
		const char *message = result->message ? result->message : "";
		repair_trace(repair, message);
		repair_blame(repair, message);
		repair_find_differences(repair, message);
		repair_find_broken(repair, message);
	}
}

void localise(struct localisation *l, struct repair *repair, const struct test_report *report,
	struct arena *arena)
{
	size_t n = repair->definitions.n;
	*l = (struct localisation){.repair = repair, .arena = arena, .regions = {.arena = arena}};
	l->edges = arena_alloc(arena, n * sizeof *l->edges);
	l->failing = arena_alloc(arena, n * sizeof *l->failing);
	l->passing = arena_alloc(arena, n * sizeof *l->passing);
	l->visited = arena_alloc(arena, n * sizeof *l->visited);
	l->nearness = arena_alloc(arena, n * sizeof *l->nearness);
	localise_read_report(repair, report);
	for (size_t i = 0; i < report->n; i++)
		l->is_hung |=
			test_status_is_red(report->results[i]->status) && test_result_hangs(report->results[i]);
	localise_find_edges(l);
	regions_find(&l->regions, repair, report);
	repair_trace_handlers(repair);
	if (!repair->is_unbuilt)
		repair_trace_makers(repair);
	uint32_t *queue = arena_alloc(arena, n * sizeof *queue);
	for (size_t i = 0; i < l->regions.n; i++)
		localise_follow(l, &l->regions.items[i], queue);
	localise_find_costs(l);
}

void repair_localise(struct repair *repair, const struct test_report *report)
{
	AUTO_ARENA arena = ARENA_INIT;
	struct localisation l;
	localise(&l, repair, report, &arena);
}
