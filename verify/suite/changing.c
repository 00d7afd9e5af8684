/*
 * Ids that change from run to run: a time, an address, a duration or the name of a temporary file
 * in them. Several runs of one tree show which do. They are known again by what is stable of them:
 * their mask, in which numbers are "#", or their stem, which is what stands before the parameters.
 *
 * Where a mask stands for as many ids in each run, all with the same kind of result, they are the
 * same tests in the same order. Else one id stands for all of them: it passes where all pass.
 */
#include "base/clock.h"
#include "base/memory.h"
#include "verify/suite/ids.h"
#include "verify/suite/suite.h"

struct changing_row {
	const char *key;  /* a mask or a stem */
	const char **ids; /* of the first run; one for all where they are merged */
	size_t n;
	bool is_merged;
};

struct changing {
	struct changing_row *rows;
	size_t n;
	struct map by_key, by_id;
	struct map stable; /* ids that every run has */
};

/* --- Learning --- */

/* The ids that have a key in common, while runs are compared. */
struct changing_group {
	struct changing_row row;
	size_t *counts; /* by run */
	bool is_mixed;  /* their results are not all of one kind */
	enum test_status status;
};

struct changing_learning {
	const struct test_report *reports;
	size_t n;
	int64_t since_ms, until_ms; /* when they were made, since 1970 */
	struct arena *arena;
	struct map by_key;
	struct changing_group **groups;
	size_t n_groups;
};

static bool changing_is_stable(const struct changing_learning *learning, const char *id)
{
	if (id_tells_time(id, learning->since_ms, learning->until_ms))
		return false;
	for (size_t i = 0; i < learning->n; i++)
		if (!test_report_find(&learning->reports[i], id))
			return false;
	return true;
}

static void changing_count(struct changing_learning *learning, size_t run,
	const struct test_result *result, const char *key)
{
	struct arena *arena = learning->arena;
	struct changing_group *group = map_get(&learning->by_key, key);
	if (!group) {
		group = arena_alloc(arena, sizeof *group);
		group->row.key = key;
		group->counts = arena_alloc(arena, learning->n * sizeof *group->counts);
		group->status = result->status;
		map_put(&learning->by_key, arena, key, group);
		ARENA_PUSH(arena, learning->groups, learning->n_groups, group);
	}
	group->is_mixed = group->is_mixed || result->status != group->status;
	group->counts[run]++;
	if (run == 0)
		ARENA_PUSH(arena, group->row.ids, group->row.n, arena_strdup(arena, result->id));
}

static bool changing_is_in_each_run(
	const struct changing_learning *learning, const struct changing_group *group)
{
	for (size_t i = 0; i < learning->n; i++)
		if (!group->counts[i])
			return false;
	return true;
}

static bool changing_pairs_up(
	const struct changing_learning *learning, const struct changing_group *group)
{
	for (size_t i = 1; i < learning->n; i++)
		if (group->counts[i] != group->counts[0])
			return false;
	return !group->is_mixed;
}

/* Group what is not in every run, by masks; or by stems what no mask pairs with another run. */
static void changing_collect(struct changing_learning *learning, const struct map *masked)
{
	struct arena *arena = learning->arena;
	for (size_t i = 0; i < learning->n; i++)
		for (size_t k = 0; k < learning->reports[i].n; k++) {
			const struct test_result *result = learning->reports[i].results[k];
			if (changing_is_stable(learning, result->id))
				continue;
			const char *mask = id_mask(result->id, arena);
			const char *key = !masked   ? mask
				: map_get(masked, mask) ? NULL
										: id_stem(result->id, arena);
			if (key)
				changing_count(learning, i, result, key);
		}
}

static void changing_add_row(
	struct changing *changing, struct arena *arena, const struct changing_row *row)
{
	ARENA_PUSH(arena, changing->rows, changing->n, *row);
}

static void changing_put_stable(struct changing *changing, struct arena *arena, const char *id)
{
	map_put(&changing->stable, arena, arena_strdup(arena, id), changing);
}

/* The rows' places do not change any more. */
static void changing_index(struct changing *changing, struct arena *arena)
{
	for (size_t i = 0; i < changing->n; i++) {
		struct changing_row *row = &changing->rows[i];
		map_put(&changing->by_key, arena, row->key, row);
		for (size_t k = 0; k < row->n; k++)
			map_put(&changing->by_id, arena, row->ids[k], row);
	}
}

static void changing_take_groups(
	struct changing *changing, const struct changing_learning *learning, bool are_stems)
{
	for (size_t i = 0; i < learning->n_groups; i++) {
		const struct changing_group *group = learning->groups[i];
		struct changing_row row = group->row;
		if (!changing_is_in_each_run(learning, group))
			continue;
		if (are_stems || !changing_pairs_up(learning, group)) {
			row.is_merged = true;
			row.n = 0;
			row.ids = NULL;
			ARENA_PUSH(learning->arena, row.ids, row.n,
				are_stems ? arena_printf(learning->arena, "%s[*]", row.key) : row.key);
		}
		changing_add_row(changing, learning->arena, &row);
	}
}

static void changing_learn_rows(struct changing *changing, const struct changing_learning *all)
{
	struct map masked = {0};
	struct arena *arena = all->arena;
	struct changing_learning masks = *all, stems = *all;
	changing_collect(&masks, NULL);
	changing_take_groups(changing, &masks, false);
	for (size_t i = 0; i < changing->n; i++)
		map_put(&masked, arena, changing->rows[i].key, changing);
	changing_collect(&stems, &masked);
	changing_take_groups(changing, &stems, true);
	changing_index(changing, arena);
}

const struct changing *changing_learn(
	struct test_report *reports, size_t n, int64_t since_ms, struct arena *arena)
{
	struct changing *changing = arena_alloc(arena, sizeof *changing);
	struct changing_learning all = {.reports = reports,
		.n = n,
		.since_ms = since_ms,
		.until_ms = clock_date_ms(),
		.arena = arena};
	changing_learn_rows(changing, &all);
	if (!changing->n)
		return NULL;
	for (size_t i = 0; i < reports[0].n; i++)
		if (changing_is_stable(&all, reports[0].results[i]->id))
			changing_put_stable(changing, arena, reports[0].results[i]->id);
	for (size_t i = 0; i < n; i++)
		changing_apply(changing, &reports[i], arena);
	return changing;
}

/* --- Use --- */

static struct changing_row *changing_row_of(
	const struct changing *changing, const char *id, struct arena *arena)
{
	if (map_get(&changing->stable, id))
		return NULL;
	struct changing_row *row = map_get(&changing->by_key, id_mask(id, arena));
	const char *stem = row ? NULL : id_stem(id, arena);
	return stem ? map_get(&changing->by_key, stem) : row;
}

void changing_apply(
	const struct changing *changing, struct test_report *report, struct arena *arena)
{
	AUTO_ARENA scratch = ARENA_INIT;
	if (!changing)
		return;
	size_t *taken = arena_alloc(&scratch, changing->n * sizeof *taken);
	struct test_report renamed = test_report_emptied(report);
	for (size_t i = 0; i < report->n; i++) {
		struct test_result result = *report->results[i];
		struct changing_row *row = changing_row_of(changing, result.id, &scratch);
		size_t *place = row ? &taken[row - changing->rows] : NULL;
		result.printed = row ? result.id : result.printed;
		if (row && row->is_merged)
			result.id = row->ids[0];
		else if (row && *place < row->n)
			result.id = row->ids[(*place)++];
		test_report_add(&renamed, arena, &result);
	}
	*report = renamed;
}

const char *changing_selector(const struct changing *changing, const char *id, struct arena *arena)
{
	return changing && map_get(&changing->by_id, id) ? id_stem(id, arena) : id;
}

/* --- On disk --- */

struct json *changing_to_json(const struct changing *changing)
{
	struct json *array = changing ? json_array() : NULL;
	for (size_t i = 0; changing && i < changing->n; i++) {
		const struct changing_row *row = &changing->rows[i];
		struct json *item = json_add_object(array, NULL);
		json_add_string(item, "key", row->key);
		json_add_strings(item, "ids", row->ids, row->n);
		json_add_bool(item, "merged", row->is_merged);
	}
	return array;
}

const struct changing *changing_from_json(
	const struct json *from, const struct test_report *first, struct arena *arena)
{
	struct changing *changing = arena_alloc(arena, sizeof *changing);
	for (const struct json *item = json_first(from); item; item = json_next(item)) {
		struct changing_row row = {.key = arena_strdup(arena, json_string(item, "key", "")),
			.is_merged = json_bool(item, "merged", false)};
		const struct json *id = json_first(json_get(item, "ids"));
		for (; id; id = json_next(id))
			ARENA_PUSH(arena, row.ids, row.n, arena_strdup(arena, json_text(id, "")));
		if (row.n)
			changing_add_row(changing, arena, &row);
	}
	changing_index(changing, arena);
	for (size_t i = 0; i < first->n; i++)
		if (!map_get(&changing->by_id, first->results[i]->id))
			changing_put_stable(changing, arena, first->results[i]->id);
	return changing->n ? changing : NULL;
}
