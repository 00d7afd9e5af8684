/* The places that are suspected, for people and for who is shown them. */
#include <stdlib.h>

#include "repair/excerpt/excerpt.h"
#include "repair/search.h"

#define UNREACHED 3.0f /* what a line costs that nothing speaks for, above the likeliest */

struct suspect {
	const struct source *source;
	uint32_t line;
	float cost;
};

static int compare_suspects(const void *a, const void *b)
{
	const struct suspect *x = a, *y = b;
	if (x->cost != y->cost)
		return x->cost < y->cost ? -1 : 1;
	if (x->source != y->source)
		return x->source->index < y->source->index ? -1 : 1;
	return x->line < y->line ? -1 : x->line > y->line;
}

/* All lines that may be changed, likeliest first. */
static size_t suspects_find(
	const struct repair *repair, struct arena *arena, struct suspect **ret_suspects)
{
	struct suspect *suspects = NULL;
	size_t n = 0;
	for (size_t i = 0; i < repair->n; i++) {
		const struct source *source = &repair->sources[i];
		for (uint32_t line = 1; source->file->editable && line <= source->n_lines; line++)
			if (line_is_live(source, line))
				ARENA_PUSH(arena, suspects, n, (struct suspect){source, line, source->cost[line]});
	}
	if (n)
		qsort(suspects, n, sizeof *suspects, compare_suspects);
	*ret_suspects = suspects;
	return n;
}

static const char *suspect_place(const struct repair *repair, const struct suspect *suspect)
{
	return arena_printf(repair->arena, "%s:%u", suspect->source->file->path, suspect->line);
}

size_t repair_suspects(const struct repair *repair, const char **places, size_t n)
{
	AUTO_ARENA scratch = ARENA_INIT;
	struct suspect *suspects;
	size_t found = suspects_find(repair, &scratch, &suspects);
	n = n < found ? n : found;
	for (size_t i = 0; i < n; i++)
		places[i] = suspect_place(repair, &suspects[i]);
	return n;
}

size_t repair_suspect_parts(const struct repair *repair, const char **places, size_t n)
{
	AUTO_ARENA scratch = ARENA_INIT;
	struct suspect *suspects;
	size_t found = suspects_find(repair, &scratch, &suspects), taken = 0;
	bool *known = arena_alloc(&scratch, repair->definitions.n * sizeof *known);
	for (size_t i = 0; i < found && taken < n; i++) {
		const struct suspect *suspect = &suspects[i];
		uint32_t part = definition_around(suspect->source, suspect->line);
		if (suspect->cost >= suspects[0].cost + UNREACHED)
			break;
		if (part == NO_TOKEN || known[part])
			continue;
		known[part] = true;
		places[taken++] = suspect_place(repair, suspect);
	}
	return taken;
}
