/* Lines that were changed lately are likelier to be wrong. */
#include "repair/search.h"

#define NEWEST 1.5 /* bits that a line of the newest change costs less */
#define FADES 0.25 /* by how much an older one counts less */

static void recent_mark(struct source *source, const struct past_hunk *hunk, struct arena *arena)
{
	double bits = NEWEST / (1 + FADES * (double)hunk->change);
	/* Where lines are missing, those around the gap are the ones that can be changed. */
	size_t first = hunk->n ? hunk->first + 1 : hunk->first,
		   last = hunk->first + (hunk->n ? hunk->n : 1);
	if (!source->recent)
		source->recent = arena_alloc(arena, (source->n_lines + 2) * sizeof *source->recent);
	for (size_t line = first ? first : 1; line <= last && line <= source->n_lines; line++)
		if (source->recent[line] < (float)bits)
			source->recent[line] = (float)bits;
}

void repair_find_recent(struct repair *repair)
{
	for (size_t i = 0; i < repair->n; i++) {
		const struct past_text *past = repair->sources[i].file->past;
		for (size_t k = 0; past && k < past->n_hunks; k++)
			recent_mark(&repair->sources[i], &past->hunks[k], repair->arena);
	}
}
