/* The same edit at all places of a line, of a definition, or of a file, where it fits. */
#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "repair/search.h"

enum { PLACES_MOST = 6 };

struct group {
	const char *what; /* each of the edits */
	const struct proposal *proposals[PLACES_MOST];
	struct line_cost places[PLACES_MOST];
	uint32_t owners[PLACES_MOST];
	double least;
	size_t n;     /* more than PLACES_MOST: too many */
	size_t after; /* the last place's end */
};

struct groups {
	struct map by_key;
	struct group **items;
	size_t n;
};

static size_t same_proposal_end(const struct proposal *proposal)
{
	const struct splice *last = &proposal->splices[proposal->n - 1];
	return last->offset + last->length;
}

static void same_group_add(struct groups *groups, struct arena *arena, const char *key,
	const char *what, const struct source *source, uint32_t line, const struct proposal *proposal)
{
	struct group *group = map_get(&groups->by_key, key);
	if (!group) {
		group = arena_alloc(arena, sizeof *group);
		group->what = what;
		map_put(&groups->by_key, arena, key, group);
		ARENA_PUSH(arena, groups->items, groups->n, group);
	}
	/* What overlaps an earlier place is left out. */
	if (group->n && proposal->splices[0].offset < group->after)
		return;
	double cost = proposal->cost + (double)source->cost[line];
	if (group->n < PLACES_MOST) {
		group->proposals[group->n] = proposal;
		group->places[group->n] = (struct line_cost){line, proposal->cost};
		group->owners[group->n] = source->owner[source->line_first[line]];
	}
	if (!group->n || cost < group->least)
		group->least = cost;
	group->after = same_proposal_end(proposal);
	group->n++;
}

static bool same_is_across(const struct group *group)
{
	for (size_t i = 1; i < group->n; i++)
		if (group->owners[i] != group->owners[0])
			return true;
	return false;
}

static const char *same_describe(const struct group *group, struct arena *arena)
{
	AUTO_STRBUF sb = STRBUF_INIT(STRBUF_LINE);
	strbuf_addf(&sb, "%s at %zu places (", group->what, group->n);
	size_t last = group->n - 1;
	strbuf_adds(&sb, group->places[0].line == group->places[last].line ? "line " : "lines ");
	for (size_t i = 0; i <= last; i++)
		if (i == 0 || group->places[i].line != group->places[i - 1].line)
			strbuf_addf(&sb, "%s%u", i ? ", " : "", group->places[i].line);
	strbuf_adds(&sb, ")");
	return arena_strndup(arena, sb.text, sb.length);
}

static void same_push_group(
	struct repair *repair, const struct task *task, const struct group *group, double extra)
{
	const char *literal = group->proposals[0]->literal;
	struct proposal *all = arena_alloc(repair->arena, sizeof *all);
	*all = (struct proposal){.what = same_describe(group, repair->arena),
		.literal = literal ? arena_strdup(repair->arena, literal) : NULL,
		.is_whole = group->proposals[0]->is_whole,
		.places = arena_memdup(repair->arena, group->places, group->n * sizeof *group->places),
		.n_places = group->n};
	for (size_t i = 0; i < group->n; i++)
		for (size_t j = 0; j < group->proposals[i]->n; j++) {
			struct splice splice = group->proposals[i]->splices[j];
			splice.text = arena_strdup(repair->arena, splice.text);
			ARENA_PUSH(repair->arena, all->splices, all->n, splice);
		}
	assert(all->splices); /* a group has proposals, and each changes something */
	struct task new = *task;
	new.kind = TASK_PROPOSAL;
	new.offset = (uint32_t)all->splices[0].offset;
	new.proposal = all;
	new.cost = group->least + SAME_BASE + SAME_EACH *(double)group->n + extra;
	/* Never before what was tried already. */
	new.cost = new.cost > task->cost ? new.cost : task->cost;
	queue_push(&repair->queue, repair->arena, &new);
}

static void same_push_groups(
	struct repair *repair, const struct task *task, const struct groups *groups, double extra)
{
	for (size_t i = 0; i < groups->n; i++) {
		const struct group *group = groups->items[i];
		bool fits = group->n >= 2 && group->n <= PLACES_MOST;
		if (fits && (task->in_line || task->definition != NO_TOKEN || same_is_across(group)))
			same_push_group(repair, task, group, extra);
	}
}

void repair_propose_same(struct repair *repair, const struct task *task)
{
	const struct source *source = &repair->sources[task->source];
	uint32_t first = 1, last = (uint32_t)source->n_lines;
	if (task->in_line)
		first = last = task->line;
	if (task->definition != NO_TOKEN) {
		const struct definition *definition = &repair->definitions.items[task->definition];
		first = source->tokens[definition->first].line;
		last = source->tokens[definition->last].line;
	}
	AUTO_ARENA scratch = ARENA_INIT;
	struct groups exact = {0}, loose = {0};
	for (uint32_t line = first; line <= last; line++) {
		struct proposal **proposals;
		size_t n =
			mutation_propose(mutations[task->mutation], repair, source, line, &scratch, &proposals);
		for (size_t i = 0; i < n; i++) {
			const struct proposal *proposal = proposals[i];
			same_group_add(&exact, &scratch, proposal->key, proposal->what, source, line, proposal);
			if (proposal->loose)
				same_group_add(
					&loose, &scratch, proposal->loose, proposal->loose, source, line, proposal);
		}
	}
	same_push_groups(repair, task, &exact, 0);
	same_push_groups(repair, task, &loose, 0.2);
}
