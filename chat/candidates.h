/* Edits that a coder proposes to try, and what trying them showed. */
#pragma once
#include "chat/edit.h"

struct candidate {
	int64_t id; /* unique within the search */
	struct edit edit;
};

struct candidates {
	struct candidate *items; /* likeliest first */
	size_t n;
};

/* What one candidate did to the goal, where it did anything good. */
struct candidate_result {
	int64_t id;
	size_t fixed; /* how many failing tests passed with it */
};

struct candidate_results {
	size_t tried, of;    /* how many of how many; fewer when one won, or time ran out */
	size_t goal;         /* how many tests were failing */
	int64_t winner;      /* the id of the first that fixed all of them and broke none, or 0 */
	struct candidate_result *progress;
	size_t n;
};

/* JSON and back; what comes back lies in the arena. */
struct json *candidates_to_json(const struct candidates *candidates);
int candidates_from_json(const struct json *json, struct arena *arena, struct candidates *candidates,
	struct rondo_error *err);
struct json *candidate_results_to_json(const struct candidate_results *results);
void candidate_results_from_json(
	const struct json *json, struct arena *arena, struct candidate_results *results);
