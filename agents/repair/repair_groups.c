/* Which group of failing tests the repair agent searches for, and what each may take. */
#include "agents/repair/turn.h"
#include "agents/trial/trial.h"
#include "base/clock.h"

#define LEAST_SLICE_MS 2000 /* of a group's search, while there are others */

size_t repair_taken(const struct repair_turn *turn)
{
	return turn->memory->n_taken_before + agenda_taken(turn->agenda);
}

size_t repair_limit(const struct repair_turn *turn)
{
	size_t most = (size_t)turn->agent->services->repair_candidates;
	return most ? most : SIZE_MAX;
}

size_t repair_may_take(const struct repair_turn *turn)
{
	size_t taken = repair_taken(turn);
	return turn->most > taken ? turn->most - taken : 0;
}

int repair_find_since(const struct agent *agent, struct object *ret_commit, struct rondo_error *err)
{
	const struct repair_state *state = agent->state;
	struct repository *repository = agent->services->repository;
	*ret_commit = (struct object){.hex = ""};
	if (!state->since || !repository ||
		repository_find_commit(repository, state->since, ret_commit, err) == 0)
		return 0;
	return error_prefix(err, "since");
}

bool repair_is_open(const struct repair_turn *turn, size_t i)
{
	return !turn->agenda->items[i].is_fixed && !turn->memory->groups[i].is_closed;
}

size_t repair_count_others(const struct repair_turn *turn)
{
	size_t n = 0;
	for (size_t i = 0; i < turn->agenda->n; i++)
		n += i != turn->memory->group && repair_is_open(turn, i);
	return n;
}

/* Whether an open group has had no turn in this text. */
static bool repair_others_wait(const struct repair_turn *turn)
{
	for (size_t i = 0; i < turn->agenda->n; i++)
		if (i != turn->memory->group && repair_is_open(turn, i) &&
			!turn->agenda->items[i].search.repair)
			return true;
	return false;
}

/* How many tests of other groups fail. */
static size_t repair_count_left(const struct repair_turn *turn)
{
	const struct baseline *own = &turn->item->baseline;
	return turn->agent->services->baseline->n_goal - own->n_goal - own->n_held;
}

int repair_enter_group(struct repair_turn *turn, size_t i, struct rondo_error *err)
{
	struct repair_state *state = turn->agent->state;
	struct repair_memory *memory = turn->memory;
	int64_t now_ms = clock_now_ms(), left_ms = memory->deadline_ms - now_ms;
	size_t taken = repair_taken(turn), limit = repair_limit(turn);
	size_t left = limit > taken ? limit - taken : 0;
	memory->group = i;
	turn->item = &turn->agenda->items[i];
	turn->search = &turn->item->search;
	turn->figures = (struct search_figures){.n_tried = 0};
	if (repair_others_wait(turn)) {
		left_ms = left_ms / 2 < LEAST_SLICE_MS ? LEAST_SLICE_MS : left_ms / 2;
		left -= left / 2;
	}
	turn->deadline_ms =
		now_ms + left_ms < memory->deadline_ms ? now_ms + left_ms : memory->deadline_ms;
	turn->reverts_ms = now_ms + (turn->deadline_ms - now_ms) / 2;
	turn->most = limit == SIZE_MAX ? SIZE_MAX : taken + left;
	trials_aim(turn->agent->services->trials, &turn->item->baseline);
	if (turn->search->repair)
		return 0;
	turn->search->n_others = repair_count_left(turn);
	struct object since;
	if (repair_find_since(turn->agent, &since, err) < 0)
		return -1;
	const struct search_start start = {.report = memory->report,
		.seed = (uint64_t)state->seed,
		.since = *since.hex ? &since : NULL};
	if (search_begin(turn->search, &turn->item->services, &start, err) < 0)
		return -1;
	state->batch = state->batch ? state->batch : turn->search->first_round;
	return 0;
}

int repair_next_group(struct repair_turn *turn, bool *ret_found, struct rondo_error *err)
{
	struct repair_memory *memory = turn->memory;
	bool is_spent = repair_taken(turn) >= repair_limit(turn);
	memory->groups[memory->group].is_closed = turn->search->exhausted && !turn->search->batch.n;
	*ret_found = false;
	if (is_spent || clock_now_ms() >= memory->deadline_ms)
		return 0;
	for (size_t i = 1; i <= turn->agenda->n && !*ret_found; i++) {
		size_t next = (memory->group + i) % turn->agenda->n;
		if (!repair_is_open(turn, next))
			continue;
		*ret_found = true;
		if (repair_enter_group(turn, next, err) < 0)
			return -1;
	}
	return 0;
}
