/* How the repair agent searches: it tries batches until something passes that can be proposed. */
#include "agents/repair/looked.h"
#include "agents/repair/mutants.h"
#include "agents/repair/refused.h"
#include "agents/repair/turn.h"
#include "agents/trial/trial.h"
#include "base/clock.h"
#include "base/memory.h"

#define LARGEST_BATCH 1000
#define LEAST_BATCH 4
#define LEAST_BUILT_BATCH 32
#define BATCH_MS 1000

static bool repair_is_late(const struct repair_turn *turn)
{
	return clock_now_ms() >= turn->deadline_ms;
}

/* As many as take about a second at the speed of the last batch. More where they are built
 * together: a build takes about as long for many as for few. */
static size_t repair_batch_size(const struct candidate_results *results)
{
	int64_t built_ms = results->built_ms, tried_ms = results->ms - built_ms - results->covered_ms;
	int64_t batch_ms = built_ms ? BATCH_MS + 2 * built_ms : BATCH_MS;
	size_t least = built_ms ? LEAST_BUILT_BATCH : LEAST_BATCH, n = LARGEST_BATCH;
	if (tried_ms > 0)
		n = results->tried * (size_t)batch_ms / (size_t)tried_ms;
	return n < least ? least : n > LARGEST_BATCH ? LARGEST_BATCH : n;
}

static int repair_try(struct repair_turn *turn, const struct candidates *candidates,
	struct candidate_results *results, struct rondo_error *err)
{
	const struct agent *agent = turn->agent;
	if (trials_run(agent->services->trials, candidates, agent->name, turn->deadline_ms,
			&turn->search->arena, results, turn->ctx, err) < 0)
		return -1;
	search_count(&turn->figures, results);
	search_count(&turn->all, results);
	return 0;
}

/* Try batch after batch until one passes and enough others were tried after it. */
static int repair_search(struct repair_turn *turn, struct rondo_error *err)
{
	struct repair_state *state = turn->agent->state;
	struct search *search = turn->search;
	struct candidate_results results;
	while (!search_has_found(search) && !repair_is_late(turn)) {
		search->is_past_reverts = clock_now_ms() >= turn->reverts_ms;
		size_t most = search->passing.n ? search->passing.left : state->batch;
		if (!search_take(search, most, repair_may_take(turn)))
			break;
		if (repair_try(turn, &search->batch, &results, err) < 0)
			return -1;
		search_learn(search, &results, &turn->memory->partials, &turn->agent->arena);
		if (results.tried)
			state->batch = repair_batch_size(&results);
	}
	return 0;
}

/* Of several that passed, learn which behave alike under tests with other values. */
static int repair_compare(struct repair_turn *turn, struct rondo_error *err)
{
	struct candidates asked;
	struct candidate_results results;
	if (turn->search->passing.n < 2 || repair_is_late(turn))
		return 0;
	search_ask(turn->search, &asked);
	if (!asked.inputs.n)
		return 0;
	if (repair_try(turn, &asked, &results, err) < 0)
		return -1;
	turn->figures.n_inputs = asked.n_input_ids;
	turn->figures.inputs_say_nothing = !results.n;
	passing_agree(&turn->search->passing, &asked, &results);
	return 0;
}

bool repair_has_proposed(const struct repair_turn *turn, const struct candidate *candidate)
{
	const struct repair_group *group = &turn->memory->groups[turn->memory->group];
	for (size_t i = 0; i < group->n_proposed; i++)
		if (group->proposed[i] == candidate->id)
			return true;
	return false;
}

/* Search until candidates pass of which the gate refuses not all by their text. If there are none,
 * `passing` is empty. */
static int repair_find_passing(struct repair_turn *turn, struct rondo_error *err)
{
	struct search *search = turn->search;
	size_t n_refused;
	do {
		n_refused = search->n_refused;
		if (repair_search(turn, err) < 0 || refused_drop(search, turn->agent->services, err) < 0)
			return -1;
	} while (!search->passing.n && search->n_refused > n_refused);
	return repair_compare(turn, err);
}

/* Of what is to be proposed, learn how closely the tests look at its place. Not where trying is
 * slow. */
static int repair_try_mutants(struct repair_turn *turn, struct rondo_error *err)
{
	const struct search *search = turn->search;
	struct passing_candidate *first = &turn->search->passing.items[0];
	struct candidates mutants;
	struct candidate_results results;
	AUTO_ARENA arena = ARENA_INIT;
	if (!search->passing.n || !search->passing.is_compared || repair_is_late(turn))
		return 0;
	mutants_make(search->files, search->n_files, &first->candidate, &arena, &mutants);
	if (!mutants.n)
		return 0;
	if (trials_run(turn->agent->services->trials, &mutants, turn->agent->name, turn->deadline_ms,
			&arena, &results, turn->ctx, err) < 0)
		return -1;
	first->n_mutants = results.tried;
	for (size_t i = 0; i < results.n; i++)
		first->n_unnoticed += results.progress[i].wins;
	return 0;
}

/* Put the choice first that was asked for. Where there are fewer, none is taken. */
static void repair_choose(struct repair_turn *turn)
{
	const struct repair_state *state = turn->agent->state;
	struct passing *passing = &turn->search->passing;
	if (!passing->n || passing_choose(passing, (size_t)state->take))
		return;
	turn->n_choices = passing_choices(passing);
	passing->n = 0;
}

int repair_find(struct repair_turn *turn, struct rondo_error *err)
{
	struct passing *passing = &turn->search->passing;
	do {
		if (!passing->n) {
			if (repair_find_passing(turn, err) < 0)
				return -1;
			repair_choose(turn);
			if (repair_try_mutants(turn, err) < 0)
				return -1;
		}
		if (!passing->n)
			return 0;
		while (passing->n && repair_has_proposed(turn, &passing->items[0].candidate))
			passing_take(passing);
	} while (!passing->n);
	return 0;
}

int repair_record_search(const struct repair_turn *turn, struct rondo_error *err)
{
	const struct agent *agent = turn->agent;
	if (!turn->figures.n_tried)
		return 0;
	AUTO_JSON *data = json_object();
	search_add_figures(&turn->figures, data);
	looked_describe(turn->search, data);
	AUTO_FREE char *text = json_print(data);
	struct rondo_event event = {.type = RONDO_EVENT_SEARCH,
		.source = agent->name,
		.text = search_describe(turn->search, &turn->figures, turn->item->cause, turn->arena),
		.data = text};
	return context_event(turn->ctx, &event, err);
}
