#include "repair/history/reverts.h"

#include <math.h>
#include <string.h>

#include "base/utf8.h"
#include "repair/history/undo.h"

enum {
	PARTS_MOST = 6,    /* undos of a hunk that are made one by one */
	HUNKS_MOST = 16,   /* of a change whose hunks are taken back one by one */
	PROBES_MOST = 64,  /* sets that are tried before any of them is reduced */
	SUBJECT_MOST = 50, /* bytes of a commit's subject that are shown */
};

#define PART_EXTRA 1.5

/* Undos of one change that are taken back together: ascending places. */
struct probe {
	uint32_t *undos;
	size_t n;
	double cost;
};

struct reverts {
	struct arena *arena;
	const struct past *past;
	const char **hashes; /* by text; NULL: not asked for yet */
	struct undos undos;
	struct probe *probes; /* likeliest first */
	size_t n_probes, n_taken;
	struct probe best;   /* what passed, reduced so far; without undos: nothing did */
	size_t chunk;        /* of `best`, so many undos are left out at a time; 0: no more */
	struct probe *tried; /* the sets that were taken last */
	size_t n_tried;
	int64_t first_id; /* of these */
};

/* --- What can be taken back --- */

static const struct past_hunk *hunk_of(const struct reverts *reverts, uint32_t undo)
{
	const struct undo *item = &reverts->undos.items[undo];
	return &reverts->past->texts[item->text].hunks[item->hunk];
}

/* Whether an undo touches what no edit of its file may touch. */
static bool undo_is_frozen(const struct undo *undo, const struct repair_file *file)
{
	size_t start = undo->splice.offset, end = start + undo->splice.length;
	for (size_t k = 0; file && k < file->n_frozen; k++)
		if (start < file->frozen_ends[k] && end > file->frozen_starts[k])
			return true;
	return false;
}

/* A set of neighbours; `extra`: bits that it costs beside what its size does. */
static void reverts_add_probe(struct reverts *reverts, uint32_t first, uint32_t end, double extra)
{
	struct probe probe = {.cost = extra,
		.n = end - first,
		.undos = arena_alloc(reverts->arena, (end - first) * sizeof(uint32_t))};
	for (uint32_t i = first; i < end; i++)
		probe.undos[i - first] = i;
	if (probe.n)
		ARENA_PUSH(reverts->arena, reverts->probes, reverts->n_probes, probe);
}

/* The undos of a hunk. False: it cannot be taken back. */
static bool reverts_add_hunk(struct reverts *reverts, uint32_t text, uint32_t hunk,
	struct words *words, const struct repair_file *files, size_t n)
{
	struct undos *undos = &reverts->undos;
	const struct repair_file *file = repair_file_of(files, n, reverts->past->texts[text].path);
	size_t first = undos->n;
	undos_add(undos, reverts->past, text, hunk, words, reverts->arena);
	for (size_t i = first; i < undos->n; i++)
		if (undo_is_frozen(&undos->items[i], file))
			undos->n = first;
	return undos->n > first;
}

/* Each undo of a hunk alone: the rest of it may be what is wanted. */
static void reverts_add_parts(struct reverts *reverts, uint32_t first, uint32_t end)
{
	for (uint32_t i = first; end - first > 1 && end - first <= PARTS_MOST && i < end; i++)
		reverts_add_probe(reverts, i, i + 1, PART_EXTRA);
}

/* What one change did: the sets of each hunk and its parts, and of all. */
static void reverts_add_change(struct reverts *reverts, size_t change, struct words *words,
	const struct repair_file *files, size_t n)
{
	uint32_t begin = (uint32_t)reverts->undos.n, ends[HUNKS_MOST + 1];
	size_t n_hunks = 0;
	for (uint32_t t = 0; t < reverts->past->n_texts; t++)
		for (uint32_t h = 0; h < reverts->past->texts[t].n_hunks; h++)
			if (reverts->past->texts[t].hunks[h].change == change &&
				reverts_add_hunk(reverts, t, h, words, files, n) && n_hunks++ < HUNKS_MOST)
				ends[n_hunks] = (uint32_t)reverts->undos.n;
	ends[0] = begin;
	for (size_t i = 1; n_hunks > 1 && n_hunks <= HUNKS_MOST && i <= n_hunks; i++)
		reverts_add_probe(reverts, ends[i - 1], ends[i], 0);
	for (size_t i = 1; n_hunks <= HUNKS_MOST && i <= n_hunks; i++)
		reverts_add_parts(reverts, ends[i - 1], ends[i]);
	reverts_add_probe(reverts, begin, (uint32_t)reverts->undos.n, 0);
}

/* --- How likely it is --- */

/* How many lines a set takes back; what stands on one line counts once. */
static size_t probe_lines(const struct reverts *reverts, const struct probe *probe)
{
	size_t n = 0;
	const struct undo *last = NULL;
	for (size_t i = 0; i < probe->n; i++) {
		const struct undo *undo = &reverts->undos.items[probe->undos[i]];
		bool is_same = last && last->text == undo->text && last->line + last->n_lines > undo->line;
		n += undo->n_lines - (is_same && undo->n_lines);
		last = undo;
	}
	return n ? n : 1;
}

/* What changed last is the likeliest, and what is small. */
static double probe_cost(const struct reverts *reverts, const struct probe *probe)
{
	size_t change = hunk_of(reverts, probe->undos[0])->change;
	bool is_committed = reverts->past->changes[change].commit;
	double age = log2((double)change + 1 + is_committed);
	return 2 + 0.7 * age + 1.5 * log2((double)probe_lines(reverts, probe)) +
		0.5 * log2((double)probe->n);
}

/* By cost; of equal ones the one that was added first. */
static void reverts_sort(struct reverts *reverts)
{
	struct probe *probes = reverts->probes;
	for (size_t i = 0; i < reverts->n_probes; i++)
		probes[i].cost += probe_cost(reverts, &probes[i]);
	for (size_t i = 1; i < reverts->n_probes; i++) {
		struct probe probe = probes[i];
		size_t at = i;
		for (; at && probes[at - 1].cost > probe.cost; at--)
			probes[at] = probes[at - 1];
		probes[at] = probe;
	}
	if (reverts->n_probes > PROBES_MOST)
		reverts->n_probes = PROBES_MOST;
}

struct reverts *reverts_new(
	struct arena *arena, const struct past *past, const struct repair_file *files, size_t n)
{
	struct words words = {.arena = arena};
	struct reverts *reverts = arena_alloc(arena, sizeof *reverts);
	*reverts = (struct reverts){.arena = arena, .past = past, .first_id = -1};
	reverts->hashes = arena_alloc(arena, (past->n_texts + 1) * sizeof *reverts->hashes);
	for (size_t i = 0; i < past->n_changes; i++)
		reverts_add_change(reverts, i, &words, files, n);
	reverts_sort(reverts);
	return reverts;
}

/* --- Candidates --- */

static const char *reverts_hash(struct reverts *reverts, uint32_t text)
{
	if (!reverts->hashes[text]) {
		char hex[HASH_SIZE];
		hash_bytes(reverts->past->texts[text].text, reverts->past->texts[text].n, hex);
		reverts->hashes[text] = arena_strdup(reverts->arena, hex);
	}
	return reverts->hashes[text];
}

/* "take back 3 lines of 1a2b3c4 'rules: simpler'". */
static const char *probe_describe(const struct reverts *reverts, const struct probe *probe)
{
	const struct undo *first = &reverts->undos.items[probe->undos[0]];
	const struct past_hunk *hunk = hunk_of(reverts, probe->undos[0]);
	const struct past_change *change = &reverts->past->changes[hunk->change];
	const char *path = reverts->past->texts[first->text].path;
	size_t n = probe_lines(reverts, probe);
	AUTO_STRBUF subject = STRBUF_INIT(STRBUF_LINE);
	if (!change->commit)
		return arena_printf(reverts->arena, "%s:%zu  take back %zu uncommitted line%s", path,
			first->line + 1, n, n == 1 ? "" : "s");
	utf8_scrub(&subject, change->subject, strlen(change->subject));
	if (subject.length > SUBJECT_MOST) {
		strbuf_truncate(&subject, utf8_valid_length(subject.text, SUBJECT_MOST));
		strbuf_adds(&subject, "...");
	}
	return arena_printf(reverts->arena, "%s:%zu  take back %zu line%s of %s '%s'", path,
		first->line + 1, n, n == 1 ? "" : "s", change->commit, subject.text);
}

/* The files of a set: its undos are in the order of texts and places. */
static void probe_fill(struct reverts *reverts, const struct probe *probe, struct edit *edit)
{
	struct file_edit *file = NULL;
	uint32_t last = 0;
	for (size_t i = 0; i < probe->n; i++) {
		const struct undo *undo = &reverts->undos.items[probe->undos[i]];
		if (!file || undo->text != last) {
			ARENA_PUSH(reverts->arena, edit->files, edit->n,
				(struct file_edit){.path = reverts->past->texts[undo->text].path,
					.base_hash = reverts_hash(reverts, undo->text)});
			file = &edit->files[edit->n - 1];
		}
		last = undo->text;
		ARENA_PUSH(reverts->arena, file->splices, file->n, undo->splice);
	}
}

static struct candidate probe_candidate(
	struct reverts *reverts, const struct probe *probe, int64_t id)
{
	struct candidate candidate = {.id = id,
		.kind = "revert",
		.rank = CANDIDATE_REVERT,
		.cost = probe_cost(reverts, probe),
		.edit = {.description = probe_describe(reverts, probe)}};
	probe_fill(reverts, probe, &candidate.edit);
	return candidate;
}

/* The best set without some of its undos. */
static struct probe best_without(struct reverts *reverts, size_t from, size_t n)
{
	const struct probe *best = &reverts->best;
	struct probe probe = {
		.undos = arena_alloc(reverts->arena, (best->n - n) * sizeof *probe.undos)};
	for (size_t i = 0; i < best->n; i++)
		if (i < from || i >= from + n)
			probe.undos[probe.n++] = best->undos[i];
	return probe;
}

/* The sets that are tried next: what is left of the best one without each chunk. */
static void reverts_leave_out(struct reverts *reverts)
{
	for (size_t from = 0; from < reverts->best.n; from += reverts->chunk) {
		size_t left = reverts->best.n - from, n = left < reverts->chunk ? left : reverts->chunk;
		ARENA_PUSH(
			reverts->arena, reverts->tried, reverts->n_tried, best_without(reverts, from, n));
	}
}

bool reverts_take(struct reverts *reverts, size_t most, struct candidates *ret_candidates)
{
	reverts->first_id -= (int64_t)reverts->n_tried;
	reverts->tried = NULL;
	reverts->n_tried = 0;
	if (reverts->chunk)
		reverts_leave_out(reverts);
	for (; !reverts->best.n && reverts->n_tried < most && reverts->n_taken < reverts->n_probes;
		 reverts->n_taken++)
		ARENA_PUSH(
			reverts->arena, reverts->tried, reverts->n_tried, reverts->probes[reverts->n_taken]);
	*ret_candidates = (struct candidates){.n = 0};
	for (size_t i = 0; i < reverts->n_tried; i++)
		ARENA_PUSH(reverts->arena, ret_candidates->items, ret_candidates->n,
			probe_candidate(reverts, &reverts->tried[i], reverts->first_id - (int64_t)i));
	return ret_candidates->n;
}

void reverts_learn(struct reverts *reverts, int64_t passed)
{
	if (passed) {
		reverts->best = reverts->tried[reverts->first_id - passed];
		size_t half = reverts->best.n / 2;
		reverts->chunk = reverts->chunk && reverts->chunk < half ? reverts->chunk : half;
	} else
		reverts->chunk /= 2;
}

bool reverts_reduce(const struct reverts *reverts)
{
	return reverts->chunk;
}
