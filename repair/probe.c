/*
 * Ways that are forced through the program: a condition that is always true or false, a way out
 * without a condition, a statement that is left out. What mends the failing tests and breaks others
 * shows where a condition is missing, before any condition is tried there; what does not mend them
 * makes all conditions there less likely.
 */
#include <string.h>

#include "repair/probe.h"

enum { HITS_MOST = 40 }; /* that are followed */

#define HEAD_START 2.0 /* bits that what follows from a probe is ahead of other tasks */
#define EACH_HIT 0.5   /* bits by which it is later for each doubling of the probes that helped */

struct probe *probe_copy(struct site *site, const struct probe *probe)
{
	return arena_memdup(site->arena, probe, sizeof *probe);
}

static const char *probe_key(
	struct arena *arena, const struct source *source, const struct probe *probe)
{
	return arena_printf(arena, "%u %d %u %u %s", source->index, probe->kind, probe->at,
		probe->run.last, probe->exit ? probe->exit : "");
}

void probe_note(struct repair *repair, const struct task *task, int64_t id)
{
	struct probe *probe = task->proposal->probe;
	if (!probe)
		return;
	const struct source *source = &repair->sources[task->source];
	probe->id = id;
	map_put(&repair->probes, repair->arena, probe_key(repair->arena, source, probe), probe);
}

double probe_doubt(const struct site *site, const struct probe *asked)
{
	AUTO_ARENA scratch = ARENA_INIT;
	const struct probe *probe =
		map_get(&site->repair->probes, probe_key(&scratch, site->source, asked));
	bool is_refuted = probe && !probe->helps && !probe->moves && probe->id <= site->repair->judged;
	return is_refuted ? REFUTED : 0;
}

static const struct mutation *probe_follow(struct site *site, const struct probe *probe)
{
	site->at = probe->at;
	switch (probe->kind) {
	case FORCED_EXIT:
		guard_follow(site, probe);
		return &guard_mutation;
	case FORCED_WITHOUT:
		enclose_follow(site, probe);
		return &enclose_mutation;
	case FORCED_TRUE:
	case FORCED_FALSE:
		break;
	}
	condition_follow(site, probe);
	return &extension_mutation;
}

static uint32_t probe_mutation_index(const struct mutation *mutation)
{
	uint32_t i = 0;
	while (mutations[i] != mutation)
		i++;
	return i;
}

static void probe_push(struct repair *repair, const struct attempt *attempt)
{
	struct site site = {
		.repair = repair, .source = &repair->sources[attempt->source], .arena = repair->arena};
	uint32_t mutation = probe_mutation_index(probe_follow(&site, attempt->proposal->probe));
	double now = repair->queue.n ? repair->queue.tasks[0].cost : attempt->cost;
	double base = now - HEAD_START + EACH_HIT * rank_bits(repair->n_hits++);
	for (size_t i = 0; i < site.n; i++)
		if (site.proposals[i]->n && site.proposals[i]->cost >= 0)
			queue_push(&repair->queue, repair->arena,
				&(struct task){.kind = TASK_PROPOSAL,
					.cost = base + site.proposals[i]->cost +
						proposal_doubt(repair, site.source, site.proposals[i]),
					.source = attempt->source,
					.line = attempt->line,
					.mutation = mutation,
					.offset = (uint32_t)site.proposals[i]->splices[0].offset,
					.proposal = site.proposals[i]});
}

/* The attempt with a probe that a candidate is, or NULL. */
static struct attempt *probe_attempt(struct repair *repair, int64_t id)
{
	uint32_t i = repair_find_attempt(repair, id);
	struct attempt *attempt = i < repair->n_attempts ? &repair->attempts[i] : NULL;
	return attempt && attempt->id == id && attempt->proposal->probe ? attempt : NULL;
}

void repair_helps(struct repair *repair, int64_t id)
{
	struct attempt *attempt = probe_attempt(repair, id);
	if (!attempt || attempt->proposal->probe->helps || repair->n_hits == HITS_MOST)
		return;
	attempt->proposal->probe->helps = true;
	probe_push(repair, attempt);
}

void repair_moves(struct repair *repair, int64_t id)
{
	struct attempt *attempt = probe_attempt(repair, id);
	if (attempt)
		attempt->proposal->probe->moves = true;
}

void repair_judged(struct repair *repair, int64_t id)
{
	repair->judged = id;
}
