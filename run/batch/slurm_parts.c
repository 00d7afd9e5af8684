/* The parts of a batch that jobs work on: what came of their tasks, and how often they have
 * begun. */
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/file.h"
#include "base/json/json.h"
#include "base/memory.h"
#include "run/batch/pool.h"
#include "run/batch/slurm.h"

enum { MOST_NAMES = 3 };

static struct slurm_part *part_of(const struct slurm *slurm, size_t entry)
{
	return &slurm->parts[entry % slurm->job.n_parts];
}

/* --- How often they have begun --- */

static const char *part_starts_path(const struct slurm *slurm, size_t index, struct arena *arena)
{
	return arena_printf(arena, "%s/slurm/%zu.starts", slurm->batch->path, index);
}

size_t slurm_part_starts(const struct slurm *slurm, size_t index)
{
	AUTO_ARENA scratch = ARENA_INIT;
	AUTO_STRBUF text = STRBUF_INIT(STRBUF_LINE);
	struct rondo_error ignored;
	if (file_read(part_starts_path(slurm, index, &scratch), STRBUF_LINE, &text, &ignored) < 0)
		return 0;
	return text_count_lines(text.text, text.length);
}

void slurm_parts_forget_starts(const struct slurm *slurm)
{
	AUTO_ARENA scratch = ARENA_INIT;
	for (size_t i = 0; i < slurm->job.n_parts; i++)
		if (slurm->parts[i].n_left)
			unlink(part_starts_path(slurm, i, &scratch));
}

/* --- What came of their tasks --- */

static void part_tell(struct slurm *slurm, const struct json *result)
{
	struct batch_result ended = task_result_of(result);
	progress_add(slurm->progress, &ended);
	if (slurm->view->ended)
		slurm->view->ended(slurm->view->owner, &ended, slurm->progress);
}

static struct json *entry_result(const struct slurm *slurm, const struct batch_entry *entry)
{
	AUTO_ARENA scratch = ARENA_INIT;
	return task_result_read(task_dir(slurm->batch, entry->name, &scratch));
}

static void part_take(struct slurm *slurm, size_t i, bool is_first)
{
	struct batch_entry *entry = &slurm->batch->entries[i];
	struct slurm_part *part = part_of(slurm, i);
	AUTO_JSON *result = entry_result(slurm, entry);
	if (!result || !task_result_is_final(result))
		return;
	struct batch_result ended = task_result_of(result);
	entry->state = TASK_ENDED;
	part->n_left -= !is_first;
	part->spent.tokens += ended.tokens;
	part->spent.usd += ended.usd > 0 ? ended.usd : 0;
	if (!is_first) {
		part_tell(slurm, result);
		return;
	}
	progress_add(slurm->progress, &ended);
	slurm->progress->n_skipped++;
}

void slurm_parts_look(struct slurm *slurm, bool all)
{
	bool is_first = !slurm->progress->n;
	for (size_t i = 0; i < slurm->batch->n; i++) {
		struct slurm_part *part = part_of(slurm, i);
		if (slurm->batch->entries[i].state == TASK_WAITS && (all || part->is_listed))
			part_take(slurm, i, is_first);
		part->n_left += is_first && slurm->batch->entries[i].state == TASK_WAITS;
	}
	slurm->progress->n = slurm->batch->n;
}

void slurm_parts_end(struct slurm *slurm)
{
	for (size_t i = 0; i < slurm->batch->n; i++) {
		struct batch_entry *entry = &slurm->batch->entries[i];
		AUTO_JSON *result = entry->state == TASK_WAITS ? entry_result(slurm, entry) : NULL;
		if (!result)
			continue;
		entry->state = TASK_ENDED;
		part_tell(slurm, result);
	}
}

/* --- What is left --- */

size_t *slurm_parts_missing(struct slurm *slurm, size_t *ret_n)
{
	size_t *indices = NULL;
	struct batch_budget share = slurm_job_share(slurm);
	*ret_n = 0;
	for (size_t i = 0; i < slurm->job.n_parts; i++) {
		const struct slurm_part *part = &slurm->parts[i];
		if (!part->n_left || pool_budget_used_up(&share, &part->spent))
			continue;
		if (slurm_part_starts(slurm, i) < SLURM_MOST_STARTS)
			ARENA_PUSH(slurm->arena, indices, *ret_n, i);
	}
	return indices;
}

/* The first of the tasks that are left. */
static size_t left_names(const struct slurm *slurm, struct strbuf *names, size_t *ret_first)
{
	size_t n = 0;
	for (size_t i = 0; i < slurm->batch->n; i++) {
		const struct batch_entry *entry = &slurm->batch->entries[i];
		if (entry->state != TASK_WAITS)
			continue;
		if (n == 0)
			*ret_first = i % slurm->job.n_parts;
		if (n < MOST_NAMES)
			strbuf_addf(names, "%s%s", n ? ", " : "", entry->name);
		n++;
	}
	if (n > MOST_NAMES)
		strbuf_addf(names, " and %zu more", n - MOST_NAMES);
	return n;
}

const char *slurm_parts_left(const struct slurm *slurm)
{
	AUTO_STRBUF names = STRBUF_INIT(STRBUF_LINE);
	struct batch_budget share = slurm_job_share(slurm);
	size_t first = 0;
	if (!left_names(slurm, &names, &first))
		return NULL;
	const char *used_up = pool_budget_used_up(&share, &slurm->parts[first].spent);
	size_t n_starts = slurm_part_starts(slurm, first);
	if (used_up)
		return arena_printf(slurm->arena, "%s: %s", used_up, names.text);
	if (!n_starts)
		return arena_printf(slurm->arena,
			"no job of job array %s began with %s; do all nodes see this directory?", slurm->job.id,
			names.text);
	return arena_printf(slurm->arena,
		"job %s_%zu began %zu time%s; its slurm/%zu.log says more: %s", slurm->job.id, first,
		n_starts, text_plural(n_starts), first, names.text);
}
