#include "chat/candidates.h"

struct json *candidates_to_json(const struct candidates *candidates)
{
	struct json *json = json_object();
	struct json *items = json_add_array(json, "candidates");
	for (size_t i = 0; i < candidates->n; i++) {
		struct json *item = json_add_object(items, NULL);
		json_add_int(item, "id", candidates->items[i].id);
		json_add(item, "edit", edit_to_json(&candidates->items[i].edit));
	}
	return json;
}

int candidates_from_json(const struct json *json, struct arena *arena, struct candidates *ret_candidates,
	struct rondo_error *err)
{
	struct candidates candidates = {0};
	const struct json *item = json_first(json_get(json, "candidates"));
	for (; item; item = json_next(item)) {
		struct candidate candidate = {.id = json_int(item, "id", 0)};
		if (edit_from_json(json_get(item, "edit"), arena, &candidate.edit, err) < 0)
			return -1;
		ARENA_PUSH(arena, candidates.items, candidates.n, candidate);
	}
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
	struct json *progress = json_add_array(json, "progress");
	for (size_t i = 0; i < results->n; i++) {
		struct json *item = json_add_object(progress, NULL);
		json_add_int(item, "id", results->progress[i].id);
		json_add_int(item, "fixed", (int64_t)results->progress[i].fixed);
	}
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
	};
	const struct json *item = json_first(json_get(json, "progress"));
	for (; item; item = json_next(item))
		ARENA_PUSH(arena, results.progress, results.n,
			(struct candidate_result){
				json_int(item, "id", 0), (size_t)json_int(item, "fixed", 0)});
	*ret_results = results;
}
