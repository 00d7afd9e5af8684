#include "chat/candidates.h"

struct json *candidates_to_json(const struct candidates *candidates)
{
	struct json *json = json_object();
	struct json *items = json_add_array(json, "candidates");
	for (size_t i = 0; i < candidates->n; i++) {
		struct json *item = json_add_object(items, NULL);
		json_add_int(item, "id", candidates->items[i].id);
		json_add(item, "edit", edit_to_json(&candidates->items[i].edit));
		if (candidates->items[i].patience)
			json_add_int(item, "patience", candidates->items[i].patience);
		if (candidates->items[i].kind)
			json_add_string(item, "kind", candidates->items[i].kind);
		json_add_int(item, "rank", candidates->items[i].rank);
		json_add_number(item, "cost", candidates->items[i].cost);
	}
	if (candidates->wants_all)
		json_add_bool(json, "all", true);
	if (candidates->wants_coverage)
		json_add_bool(json, "cover", true);
	if (candidates->inputs.n)
		json_add(json, "inputs", edit_to_json(&candidates->inputs));
	struct json *ids = candidates->inputs.n ? json_add_array(json, "input_ids") : NULL;
	for (size_t i = 0; ids && i < candidates->n_input_ids; i++)
		json_add_string(ids, NULL, candidates->input_ids[i]);
	return json;
}

int candidates_from_json(const struct json *json, struct arena *arena, struct candidates *ret_candidates,
	struct rondo_error *err)
{
	struct candidates candidates = {
		.wants_all = json_bool(json, "all", false), .wants_coverage = json_bool(json, "cover", false)};
	const struct json *item = json_first(json_get(json, "candidates"));
	for (; item; item = json_next(item)) {
		int64_t rank = json_int(item, "rank", CANDIDATE_OPERATOR);
		struct candidate candidate = {.id = json_int(item, "id", 0), .patience = (int)json_int(item, "patience", 0),
			.kind = arena_strdup(arena, json_string(item, "kind", NULL)), .cost = json_number(item, "cost", 0),
			.rank = rank >= 0 && rank <= CANDIDATE_REMOVAL ? (enum candidate_rank)rank
								       : CANDIDATE_OPERATOR};
		if (edit_from_json(json_get(item, "edit"), arena, &candidate.edit, err) < 0)
			return -1;
		ARENA_PUSH(arena, candidates.items, candidates.n, candidate);
	}
	const struct json *inputs = json_get(json, "inputs");
	if (inputs && edit_from_json(inputs, arena, &candidates.inputs, err) < 0)
		return -1;
	for (item = json_first(json_get(json, "input_ids")); item; item = json_next(item))
		ARENA_PUSH(arena, candidates.input_ids, candidates.n_input_ids, arena_strdup(arena, json_text(item, "")));
	*ret_candidates = candidates;
	return 0;
}

struct json *candidate_results_to_json(const struct candidate_results *results)
{
	struct json *json = json_object();
	json_add_int(json, "tried", (int64_t)results->tried);
	json_add_int(json, "of", (int64_t)results->of);
	json_add_int(json, "goal", (int64_t)results->goal);
	json_add_int(json, "winner", results->winner);
	json_add_int(json, "ms", results->ms);
	if (results->built_ms)
		json_add_int(json, "built_ms", results->built_ms);
	json_add_bool(json, "warm", results->warm);
	struct json *progress = json_add_array(json, "progress");
	for (size_t i = 0; i < results->n; i++) {
		struct json *item = json_add_object(progress, NULL);
		json_add_int(item, "id", results->progress[i].id);
		json_add_int(item, "fixed", (int64_t)results->progress[i].fixed);
		if (results->progress[i].slow)
			json_add_bool(item, "slow", true);
		if (results->progress[i].wins)
			json_add_bool(item, "wins", true);
		json_add_string(item, "behaviour", results->progress[i].behaviour);
	}
	if (results->has_coverage)
		json_add(json, "coverage", coverage_to_json(&results->coverage));
	return json;
}

void candidate_results_from_json(
	const struct json *json, struct arena *arena, struct candidate_results *ret_results)
{
	struct candidate_results results = {
		.tried = (size_t)json_int(json, "tried", 0),
		.of = (size_t)json_int(json, "of", 0),
		.goal = (size_t)json_int(json, "goal", 0),
		.winner = json_int(json, "winner", 0),
		.ms = json_int(json, "ms", 0),
		.built_ms = json_int(json, "built_ms", 0),
		.warm = json_bool(json, "warm", false),
		.has_coverage = json_get(json, "coverage"),
	};
	coverage_from_json(json_get(json, "coverage"), arena, &results.coverage);
	for (const struct json *item = json_first(json_get(json, "progress")); item; item = json_next(item))
		ARENA_PUSH(arena, results.progress, results.n,
			(struct candidate_result){.id = json_int(item, "id", 0), .fixed = (size_t)json_int(item, "fixed", 0),
				.slow = json_bool(item, "slow", false), .wins = json_bool(item, "wins", false),
				.behaviour = arena_strdup(arena, json_string(item, "behaviour", NULL))});
	*ret_results = results;
}
