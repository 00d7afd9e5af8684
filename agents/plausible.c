#include "agents/plausible.h"

#include <math.h>
#include <string.h>

#include "base/memory.h"

static const char *const ranks[] = {[CANDIDATE_OPERATOR] = "operator", [CANDIDATE_STRUCTURE] = "structure",
	[CANDIDATE_LITERAL] = "literal", [CANDIDATE_SPECIAL] = "special case", [CANDIDATE_REMOVAL] = "removal"};

/* None is likelier than the first rank; behind it only what else there is is looked at. */
static const size_t further[] = {[CANDIDATE_OPERATOR] = 40, [CANDIDATE_STRUCTURE] = 80, [CANDIDATE_LITERAL] = 120,
	[CANDIDATE_SPECIAL] = 400, [CANDIDATE_REMOVAL] = 400};

/* Bits by which edits that pass are less often right than others. */
static const double doubt[] = {[CANDIDATE_OPERATOR] = 0, [CANDIDATE_STRUCTURE] = 1, [CANDIDATE_LITERAL] = 2,
	[CANDIDATE_SPECIAL] = 12, [CANDIDATE_REMOVAL] = 12};

/* Of those that cost the same the earlier is the likelier. */
static void insert(struct plausibles *plausibles, const struct plausible *plausible)
{
	size_t at = plausibles->n;
	while (at && plausibles->items[at - 1].cost > plausible->cost)
		at--;
	if (at == PLAUSIBLE_MOST)
		return;
	size_t behind = plausibles->n - at - (plausibles->n == PLAUSIBLE_MOST);
	memmove(plausibles->items + at + 1, plausibles->items + at, behind * sizeof *plausibles->items);
	plausibles->items[at] = *plausible;
	plausibles->n = at + 1 + behind;
}

int plausible_edit(const struct plausible *plausible, struct arena *arena, struct edit *ret_edit, struct rondo_error *err)
{
	AUTO_JSON *json = json_parse(plausible->edit, strlen(plausible->edit), err);
	return json ? edit_from_json(json, arena, ret_edit, err) : -1;
}

/* Whether there is one of which this is only more. */
static bool is_more(const struct plausibles *plausibles, const struct candidate *candidate)
{
	AUTO_ARENA arena = ARENA_INIT;
	struct rondo_error ignored;
	struct edit edit;
	for (size_t i = 0; i < plausibles->n; i++)
		if (plausible_edit(&plausibles->items[i], &arena, &edit, &ignored) == 0 && edit_is_within(&edit, &candidate->edit))
			return true;
	return false;
}

void plausibles_add(struct plausibles *plausibles, const struct candidate *candidate, struct arena *arena)
{
	if (!plausibles->n)
		plausibles->left = further[candidate->rank];
	if (is_more(plausibles, candidate))
		return;
	AUTO_JSON *json = edit_to_json(&candidate->edit);
	AUTO_FREE char *text = json_print(json);
	insert(plausibles,
		&(struct plausible){.description = arena_strdup(arena, candidate->edit.description),
			.kind = arena_strdup(arena, candidate->kind ? candidate->kind : ""), .edit = arena_strdup(arena, text),
			.rank = candidate->rank, .cost = candidate->cost + doubt[candidate->rank]});
}

void plausibles_pass(struct plausibles *plausibles, size_t n)
{
	plausibles->left -= n < plausibles->left ? n : plausibles->left;
}

int plausibles_ask(struct plausibles *plausibles, struct arena *arena, struct candidates *ret_candidates, struct rondo_error *err)
{
	struct candidates candidates = {.wants_all = true};
	for (size_t i = 0; i < plausibles->n && plausibles->n > 1; i++) {
		struct candidate candidate = {.id = (int64_t)i + 1, .rank = plausibles->items[i].rank};
		if (plausible_edit(&plausibles->items[i], arena, &candidate.edit, err) < 0)
			return -1;
		ARENA_PUSH(arena, candidates.items, candidates.n, candidate);
	}
	plausibles->agreement = candidates.n ? AGREEMENT_ASKED : AGREEMENT_KNOWN;
	plausibles->n_asked = candidates.n;
	*ret_candidates = candidates;
	return 0;
}

static const char *behaviour_of(const struct candidate_results *results, size_t place)
{
	for (size_t i = 0; i < results->n; i++)
		if (results->progress[i].id == (int64_t)place + 1)
			return results->progress[i].behaviour;
	return NULL;
}

void plausibles_agree(struct plausibles *plausibles, const struct candidate_results *results)
{
	struct plausibles old = *plausibles;
	plausibles->agreement = AGREEMENT_KNOWN;
	plausibles->n = 0;
	for (size_t i = 0; i < old.n; i++) {
		const char *own = i < old.n_asked ? behaviour_of(results, i) : NULL;
		for (size_t k = 0; own && k < old.n_asked; k++) {
			const char *other = behaviour_of(results, k);
			old.items[i].alike += other && strcmp(own, other) == 0;
		}
		if (old.items[i].alike)
			old.items[i].cost -= log2((double)old.items[i].alike);
		insert(plausibles, &old.items[i]);
	}
}

void plausibles_tell(const struct plausibles *plausibles, struct json *to)
{
	json_add_string(to, "kind", plausibles->items[0].kind);
	json_add_string(to, "rank", ranks[plausibles->items[0].rank]);
	if (plausibles->items[0].alike) {
		json_add_int(to, "alike", (int64_t)plausibles->items[0].alike);
		json_add_int(to, "asked", (int64_t)plausibles->n_asked);
	}
	struct json *others = json_add_array(to, "others");
	for (size_t i = 1; i < plausibles->n; i++)
		json_add_string(others, NULL, plausibles->items[i].description);
}

struct json *plausibles_save(const struct plausibles *plausibles)
{
	if (!plausibles->n)
		return NULL;
	struct json *json = json_object();
	json_add_int(json, "left", (int64_t)plausibles->left);
	json_add_int(json, "agreement", plausibles->agreement);
	json_add_int(json, "asked", (int64_t)plausibles->n_asked);
	struct json *items = json_add_array(json, "items");
	for (size_t i = 0; i < plausibles->n; i++) {
		const struct plausible *plausible = &plausibles->items[i];
		struct json *item = json_add_object(items, NULL);
		json_add_string(item, "description", plausible->description);
		json_add_string(item, "kind", plausible->kind);
		json_add_string(item, "rank", ranks[plausible->rank]);
		json_add_number(item, "cost", plausible->cost);
		json_add_int(item, "alike", (int64_t)plausible->alike);
		json_add_raw(item, "edit", plausible->edit);
	}
	return json;
}

static enum candidate_rank rank_named(const char *word)
{
	for (size_t i = 0; i < ARRAY_SIZE(ranks); i++)
		if (strcmp(ranks[i], word) == 0)
			return (enum candidate_rank)i;
	return CANDIDATE_OPERATOR;
}

void plausibles_load(struct plausibles *plausibles, const struct json *from, struct arena *arena)
{
	const struct json *item = json_first(json_get(from, "items"));
	*plausibles = (struct plausibles){.left = (size_t)json_int(from, "left", 0),
		.agreement = (enum agreement)json_int(from, "agreement", AGREEMENT_NOT_ASKED), .n_asked = (size_t)json_int(from, "asked", 0)};
	for (; item && plausibles->n < PLAUSIBLE_MOST; item = json_next(item)) {
		AUTO_FREE char *edit = json_get(item, "edit") ? json_print(json_get(item, "edit")) : NULL;
		if (edit)
			plausibles->items[plausibles->n++] =
				(struct plausible){.description = arena_strdup(arena, json_string(item, "description", "")),
					.kind = arena_strdup(arena, json_string(item, "kind", "")), .edit = arena_strdup(arena, edit),
					.rank = rank_named(json_string(item, "rank", "")), .cost = json_number(item, "cost", 0),
					.alike = (size_t)json_int(item, "alike", 0)};
	}
}
