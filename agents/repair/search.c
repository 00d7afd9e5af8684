#include "agents/repair/search.h"

#include <string.h>

#include "agents/repair/looked.h"
#include "base/lexer/source.h"
#include "chat/message.h"

enum {
	PATIENCE = 10,
	FIRST_ROUND = 16,
	FIRST_BUILT_ROUND = 64, /* a build takes about as long for many as for few */
	LONGEST_ROUND = 128,
	COMMITS_MOST = 20,    /* that are taken back */
	LOOK_FIRST_MS = 2000, /* of a suite, with its build */
	HOPELESS_AFTER = 32,  /* candidates that are tried though hardly any helps */
};

/* Other tests that fail at the base say nothing of this goal: leave them out, with what was printed
 * of them. */
static void search_keep_goal(
	struct test_report *report, const struct baseline *baseline, struct arena *arena)
{
	AUTO_STRBUF printed = STRBUF_INIT(STRBUF_TEXT);
	struct map others = {0};
	size_t n = 0;
	for (size_t i = 0; i < baseline->n_red; i++)
		map_put(&others, arena, baseline->red[i], report);
	for (size_t i = 0; i < report->n; i++) {
		struct test_result *result = report->results[i];
		bool is_red = test_status_is_red(result->status);
		if (is_red && map_get(&others, result->id)) {
			report->count[result->status]--;
			continue;
		}
		if (is_red && result->detail)
			strbuf_addf(&printed, "%s\n", result->detail);
		report->results[n++] = result;
	}
	if (n < report->n && printed.length)
		report->output = arena_strdup(arena, printed.text);
	report->n = n;
}

/* Goal tests that a report names as fixed. */
static size_t search_count_fixed(const struct baseline *baseline, const struct json *report)
{
	size_t n = 0;
	const struct json *item = json_first(json_get(report, "fixed"));
	for (; item; item = json_next(item))
		for (size_t i = 0; i < baseline->n_goal; i++)
			n += strcmp(baseline->goal[i], json_text(item, "")) == 0;
	return n;
}

/* Let each file know what it was before. */
static void search_join_past(struct repair_file *files, size_t n, const struct past *past)
{
	for (size_t i = 0; i < past->n_texts; i++) {
		const struct repair_file *file = repair_file_of(files, n, past->texts[i].path);
		if (file)
			files[file - files].past = &past->texts[i];
	}
}

/* Whether all is in C or C++, and small enough to be built once more before anything is tried. */
static bool search_looks_first(
	const struct agent_services *services, const struct repair_file *files, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		const struct language *language = language_of(files[i].path);
		if (files[i].editable && !(language && language_in(language, " c c++ ")))
			return false;
	}
	return services->baseline->first->duration_ms < LOOK_FIRST_MS;
}

static size_t search_first_round(const struct repair_file *files, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (files[i].editable && blend_knows(files[i].path))
			return FIRST_BUILT_ROUND;
	return FIRST_ROUND;
}

int search_begin(struct search *search, const struct agent_services *services,
	const struct search_start *start, struct rondo_error *err)
{
	struct arena *arena = &search->arena;
	struct repair_file *files;
	size_t n;
	struct test_report *report = arena_alloc(arena, sizeof *report);
	if (test_report_from_json(message_data(start->report), arena, report, err) < 0 ||
		sources_load(services, arena, &files, &n, err) < 0)
		return -1;
	search_keep_goal(report, services->baseline, arena);
	search->report = report;
	search->n_goal = services->baseline->n_goal;
	search->base_fixed = search->best_fixed =
		search_count_fixed(services->baseline, message_data(start->report));
	const struct past *past = sources_past(services, start->since, COMMITS_MOST, arena);
	search_join_past(files, n, past);
	search->files = files;
	search->n_files = n;
	search->first_round = search_first_round(files, n);
	search->looks_first = search_looks_first(services, files, n);
	search->reverts = reverts_new(arena, past, files, n);
	search->repair = repair_new(arena, files, n, report);
	search->hopeless = repair_hopeless(search->repair, report, arena);
	repair_seed(search->repair, start->seed);
	return 0;
}

void search_release(struct search *search)
{
	arena_release(&search->arena);
	*search = (struct search){.n_taken = 0};
}

/* --- Rounds --- */

/* How many candidates are taken at the end of the current round. */
static size_t search_round_end(const struct search *search, size_t taken, size_t *ret_size)
{
	size_t size = search->first_round, end = size;
	while (end <= taken) {
		size = size < LONGEST_ROUND ? size * 2 : size;
		end += size;
	}
	*ret_size = size;
	return end;
}

/* The end of the last candidate's round. */
static size_t search_next_round(const struct search *search)
{
	size_t size;
	return search->n_taken ? search_round_end(search, search->n_taken - 1, &size) : 0;
}

/* There are no more candidates to end the round: all that was learnt counts now. */
static void search_end_round(struct search *search)
{
	if (!search->is_covered)
		search->covered_from = search->n_taken;
	for (size_t i = search->n_partial_used; i < search->n_partial; i++)
		search->partial[i].from = search->n_taken;
	for (size_t i = search->n_signs_used; i < search->n_signs; i++)
		search->signs[i].from = search->n_taken;
}

/* At a round's beginning all before it is known. */
static void search_tell_judged(struct search *search)
{
	size_t size, end = search_round_end(search, search->n_taken, &size);
	if (search->n_taken + size == end)
		repair_judged(search->repair, (int64_t)search->n_taken);
}

/* Use what was learnt and counts by now. */
static void search_use_knowledge(struct search *search)
{
	if (search->has_coverage && !search->is_covered && search->covered_from <= search->n_taken) {
		repair_cover(search->repair, &search->coverage);
		search->is_covered = true;
	}
	for (; search->n_partial_used < search->n_partial; search->n_partial_used++) {
		const struct partial_candidate *partial = &search->partial[search->n_partial_used];
		if (partial->from > search->n_taken)
			break;
		repair_progress(search->repair, partial->id, partial->fixed);
	}
	for (; search->n_signs_used < search->n_signs; search->n_signs_used++) {
		const struct sign *sign = &search->signs[search->n_signs_used];
		if (sign->from > search->n_taken)
			break;
		(sign->helps ? repair_helps : repair_moves)(search->repair, sign->id);
	}
	search_tell_judged(search);
}

/* --- A batch --- */

static void search_put(struct search *search, const struct candidate *candidate)
{
	ARENA_PUSH(&search->arena, search->batch.items, search->batch.n, *candidate);
}

/* Those that the last batch left. */
static void search_take_untried(struct search *search, size_t most)
{
	struct candidates *untried = &search->untried;
	size_t n = untried->n < most ? untried->n : most;
	if (!n)
		return;
	for (size_t i = 0; i < n; i++)
		search_put(search, &untried->items[i]);
	untried->items += n;
	untried->n -= n;
}

static void search_take_new(struct search *search, size_t end, size_t most, size_t most_new)
{
	struct candidate candidate;
	for (; search->batch.n < most && most_new && search->n_taken < end; most_new--) {
		search->exhausted = !repair_next(search->repair, &candidate);
		if (search->exhausted)
			return;
		search->n_taken++;
		looked_count(search, &candidate);
		search_put(search, &candidate);
	}
}

/* While there are new candidates, those that wait get a quarter of the time. */
static size_t search_share_of_waiting(const struct search *search, size_t most)
{
	size_t share = 1 + most / (search->exhausted ? PATIENCE : PATIENCE * 4);
	return share < search->n_waiting ? share : search->n_waiting;
}

static void search_take_waiting(struct search *search, size_t n)
{
	search->n_urgent -= n < search->n_urgent ? n : search->n_urgent;
	for (size_t i = 0; i < n; i++) {
		search->waiting[i].patience = PATIENCE;
		search_put(search, &search->waiting[i]);
	}
	search->n_waiting -= n;
	memmove(search->waiting, search->waiting + n, search->n_waiting * sizeof *search->waiting);
}

/* Those that take back what changed before. A set is tried whole, so that it does not depend on
 * speed which one passes first. */
static bool search_take_reverts(struct search *search, size_t most)
{
	bool may_begin = !search->passing.n && !search->is_past_reverts;
	search->is_reverting = (may_begin || reverts_reduce(search->reverts)) &&
		reverts_take(search->reverts, most, &search->batch);
	search->n_reverts += search->is_reverting ? search->batch.n : 0;
	return search->is_reverting;
}

/* The first round of what is built together is long. In C and C++ coverage is one more build, so
 * the round is not begun blindly; elsewhere it takes as long as the round. */
static bool search_look_first(struct search *search)
{
	if (!search->looks_first || search->passing.n)
		return false;
	search->looks_first = false;
	search->n_new = 0;
	search->batch = (struct candidates){.wants_coverage = true};
	return true;
}

bool search_is_in_vain(const struct search *search)
{
	return search->hopeless && search->n_tried >= HOPELESS_AFTER && !search->n_signs &&
		!search->best.edit.n;
}

bool search_take(struct search *search, size_t most, size_t most_new)
{
	if (search_is_in_vain(search)) {
		search->exhausted = true;
		search->batch.n = 0;
		return false;
	}
	if (most_new && search_take_reverts(search, most < most_new ? most : most_new))
		return true;
	if (most_new && search_look_first(search))
		return true;
	size_t size, end = search_round_end(search, search->n_taken, &size);
	bool begins_round = search->n_taken + size == end;
	search->batch = (struct candidates){
		.wants_all = search->passing.n, .wants_coverage = !search->has_coverage};
	if (search->exhausted)
		search_end_round(search);
	search_use_knowledge(search);
	search_take_untried(search, most);
	search_take_new(search, end, most, most_new);
	search->n_new = search->batch.n;
	bool may_wait = most && most_new, has_found = search->passing.n;
	if (may_wait && !has_found && (begins_round || search->exhausted))
		search_take_waiting(
			search, search_share_of_waiting(search, search->exhausted ? most : size));
	else if (may_wait)
		search_take_waiting(search, search->n_urgent);
	return search->batch.n;
}

/* --- What trying it showed --- */

static size_t search_place(const struct search *search, int64_t id)
{
	size_t i = 0;
	while (search->batch.items[i].id != id)
		i++;
	return i;
}

/* Once only: one that needs still more time is dropped. What fixed some tests before its time was
 * over comes first, and at once. */
static void search_wait(
	struct search *search, const struct candidate *candidate, const struct candidate_result *result)
{
	bool is_urgent = result->fixed > search->base_fixed;
	size_t at = is_urgent ? search->n_urgent : search->n_waiting;
	if (candidate->patience || search->n_waiting == SEARCH_WAITING_MOST)
		return;
	memmove(search->waiting + at + 1, search->waiting + at,
		(search->n_waiting++ - at) * sizeof *search->waiting);
	search->waiting[at] = *candidate;
	search->n_urgent += is_urgent;
}

static void search_learn_partial(struct search *search, const struct candidate *candidate,
	size_t fixed, struct partials *partials, struct arena *arena)
{
	if (fixed > search->base_fixed && search->n_partial < SEARCH_PARTIAL_MOST)
		search->partial[search->n_partial++] =
			(struct partial_candidate){candidate->id, fixed, search_next_round(search)};
	if (fixed <= search->best_fixed)
		return;
	search->best = *candidate;
	search->best_fixed = fixed;
	partials_add(partials, &candidate->edit, fixed, search->n_goal, arena);
}

/* The one that passed takes the place of what it was reduced from. Where trying is slow, it is not
 * compared with other edits. */
static void search_learn_revert(struct search *search, const struct candidate_results *results)
{
	struct passing *passing = &search->passing;
	reverts_learn(search->reverts, results->winner);
	for (size_t i = 0; i < results->n; i++) {
		const struct candidate_result *result = &results->progress[i];
		if (result->id != results->winner)
			continue;
		const struct candidate *winner = &search->batch.items[search_place(search, result->id)];
		passing->n = 0;
		passing_add(passing, winner, result->also, search->n_others);
		passing->is_compared = results->is_fast;
		passing->left = results->is_fast ? passing->left : 0;
		repair_exclude(search->repair, &winner->edit);
	}
}

static void search_learn_sign(struct search *search, const struct candidate_result *result)
{
	bool helps = result->wins || result->breaks;
	if (helps || result->moves || result->fixed > search->base_fixed)
		ARENA_PUSH(&search->arena, search->signs, search->n_signs,
			(struct sign){result->id, search_next_round(search), helps});
}

void search_learn(struct search *search, const struct candidate_results *results,
	struct partials *partials, struct arena *arena)
{
	struct candidates *batch = &search->batch;
	search->n_tried += results->tried;
	if (search->is_reverting) {
		search_learn_revert(search, results);
		return;
	}
	passing_count(&search->passing, search->n_new);
	for (size_t i = 0; i < results->n; i++) {
		const struct candidate_result *result = &results->progress[i];
		const struct candidate *candidate = &batch->items[search_place(search, result->id)];
		search_learn_sign(search, result);
		if (result->wins)
			passing_add(&search->passing, candidate, result->also, search->n_others);
		else if (result->slow)
			search_wait(search, candidate, result);
		else
			search_learn_partial(search, candidate, result->fixed, partials, arena);
	}
	if (results->winner && !batch->wants_all) {
		size_t first = search_place(search, results->winner) + 1;
		search->untried = (struct candidates){.items = batch->items + first, .n = batch->n - first};
	}
	const struct passing *passing = &search->passing;
	bool is_doubted = passing->n && passing->items[0].candidate.rank >= CANDIDATE_EQUALITY;
	if (results->winner && (results->is_fast || is_doubted))
		search->passing.is_compared = true;
	else if (results->winner) /* more would take too long */
		search->passing.left = 0;
	if (results->has_coverage) {
		search->coverage = results->coverage;
		search->has_coverage = true;
		search->covered_from = search_next_round(search);
	}
}

bool search_has_found(const struct search *search)
{
	return search->passing.n && !search->passing.left && !reverts_reduce(search->reverts);
}

void search_ask(struct search *search, struct candidates *candidates)
{
	passing_ask(&search->passing, &search->arena, candidates);
	repair_inputs(search->repair, search->report, candidates);
}
