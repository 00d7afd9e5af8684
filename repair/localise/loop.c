/* Where a test does not end, the fault is in a loop: in what it asks, or in what it does. */
#include "repair/localise/localise.h"

#define WALKS " python ruby rust php " /* here a "for" comes to its end */

static bool loop_may_go_on(const struct source *source, uint32_t i)
{
	if (!source->tokens[i].first)
		return false;
	return token_in(source, i, " while until do loop repeat ") ||
		(token_is(source, i, "for") && !language_in(source->language, WALKS));
}

bool *localise_find_loops(const struct source *source, struct arena *arena)
{
	struct statement statement;
	bool *in_loop = arena_alloc(arena, (source->n_lines + 1) * sizeof *in_loop);
	for (uint32_t i = 0; i < source->n; i++)
		if (loop_may_go_on(source, i) && statement_at(source, i, &statement))
			for (uint32_t k = statement.span.first; k <= statement.span.last; k++)
				in_loop[source->tokens[k].line] = true;
	return in_loop;
}
