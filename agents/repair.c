/*
 * The repair agent: the coder that needs no model. It reads the tester's report, posts candidates
 * about a second's worth at a time, and proposes as an edit what the tester found to win. Where
 * nothing wins, the best partial fix is taken and the search goes on from there.
 */
#include <stdio.h>
#include <string.h>

#include "agents/last_words.h"
#include "agents/plausible.h"
#include "base/clock.h"
#include "base/file.h"
#include "base/memory.h"
#include "chat/candidates.h"

#define FIRST_BATCH 16
#define LARGEST_BATCH 1000
#define LEAST_BATCH 4
#define LEAST_BUILT_BATCH 32
#define BATCH_MS 1000
#define UNDO "undo: "

struct repair_state {
	int64_t seed;
	struct search search;
	struct parts parts;
	struct plausibles plausibles; /* not proposed yet */
	size_t goal;
	int64_t deadline_ms;     /* 0: not begun */
	int64_t posted_at_ms;    /* 0: it is not known */
	size_t batch;
	struct edit undo;        /* takes back the edit that was proposed last */
	bool has_undo;
	bool undone;             /* the text is back: the search goes on where it stood */
	bool finished;
};

static const struct option options[] = {
	{.name = "seed", .kind = OPTION_INT, .offset = offsetof(struct repair_state, seed), .least = 0, .fallback = "0",
		.help = "another order of edits that are about as likely, for each number another one; 0: by likelihood alone"},
	OPTION_END,
};

static void repair_on_reset(struct agent *agent)
{
	search_release(&((struct repair_state *)agent->state)->search);
}

/* Begin anew from the text as it is and the report that says what fails. */
static int begin(struct agent *agent, const struct rondo_message *report, struct rondo_error *err)
{
	struct repair_state *state = agent->state;
	if (search_begin(&state->search, agent->kit, report, (uint64_t)state->seed, err) < 0)
		return -1;
	state->batch = FIRST_BATCH;
	state->plausibles = (struct plausibles){.n = 0};
	if (!state->deadline_ms)
		state->deadline_ms = clock_now_ms() + agent->kit->repair_timeout_ms;
	return 0;
}

static bool is_spent(const struct agent *agent)
{
	const struct search *search = &((const struct repair_state *)agent->state)->search;
	int64_t most = agent->kit->repair_candidates;
	return most && search->n_before + search->taken >= (size_t)most;
}

/* So many, or what is left of those that it may try. */
static size_t at_most(const struct agent *agent, size_t wanted)
{
	const struct search *search = &((const struct repair_state *)agent->state)->search;
	if (is_spent(agent))
		return 0;
	size_t left = (size_t)agent->kit->repair_candidates - search->n_before - search->taken;
	return agent->kit->repair_candidates && left < wanted ? left : wanted;
}

/* As many as were tried in about a second, going by the last batch; more where they are built together, which takes its time
 * whether they are many or few. */
static void adapt_batch(struct repair_state *state, const struct candidate_results *results)
{
	int64_t took_ms = clock_now_ms() - state->posted_at_ms - results->built_ms;
	int64_t batch_ms = results->built_ms ? BATCH_MS + 2 * results->built_ms : BATCH_MS;
	if (!state->posted_at_ms)
		return;
	size_t wanted = took_ms > 0 ? results->tried * (size_t)batch_ms / (size_t)took_ms : LARGEST_BATCH;
	size_t least = results->built_ms ? LEAST_BUILT_BATCH : LEAST_BATCH;
	state->batch = wanted < least ? least : wanted > LARGEST_BATCH ? LARGEST_BATCH : wanted;
}

static void learn(struct agent *agent, const struct candidate_results *results)
{
	struct repair_state *state = agent->state;
	struct search *search = &state->search;
	state->goal = results->goal;
	search->n_tried += results->tried;
	search_wait(search, results);
	for (size_t i = 0; i < results->n; i++) {
		const struct candidate *candidate = search_candidate(search, results->progress[i].id);
		if (!candidate)
			continue;
		search_lead(search, &results->progress[i]);
		if (results->progress[i].fixed <= search->best_fixed)
			continue;
		search->best = candidate->edit;
		search->best_id = results->progress[i].id;
		search->best_fixed = results->progress[i].fixed;
		parts_add(&state->parts, &search->best, search->best_fixed, &agent->arena);
	}
}

/* The edit that puts back what `edit` changes in the tree as it is now. */
static int make_inverse(const char *dir, const struct edit *edit, struct arena *arena,
	struct edit *ret_inverse, struct rondo_error *err)
{
	struct edit inverse = {.description = arena_printf(arena, UNDO "%s", edit->description)};
	for (size_t i = 0; i < edit->n; i++) {
		const char *path = arena_printf(arena, "%s/%s", dir, edit->files[i].path);
		AUTO_STRBUF text = STRBUF_INIT(STRBUF_TEXT);
		if (file_read(path, STRBUF_TEXT, &text, err) < 0)
			return -1;
		ARENA_PUSH(arena, inverse.files, inverse.n, edit_invert(&edit->files[i], text.text, arena));
	}
	*ret_inverse = inverse;
	return 0;
}

/* `plausibles`: what the choice of the edit rests on; NULL: it is none that passed all tests where they are kept loaded. */
static int propose(struct agent *agent, const struct edit *edit, const struct plausibles *plausibles, struct arena *arena,
	struct response *response, struct rondo_error *err)
{
	struct repair_state *state = agent->state;
	const char *dir = worktree_dir(agent->kit->desk->worktree);
	if (make_inverse(dir, edit, &agent->arena, &state->undo, err) < 0)
		return -1;
	state->has_undo = true;
	AUTO_JSON *json = edit_to_json(edit);
	if (text_starts_with(edit->description, UNDO))
		json_add_bool(json, "undo", true);
	if (plausibles)
		plausibles_tell(plausibles, json_add_object(json, "choice"));
	AUTO_FREE char *text = json_print(json);
	response->message = (struct rondo_message){.type = RONDO_MESSAGE_EDIT,
		.content = arena_strdup(arena, edit->description), .data = arena_strdup(arena, text)};
	return 0;
}

/* The likeliest of those that passed, which is then behind us: where it does not hold, the next one has its turn. */
static int propose_plausible(struct agent *agent, struct arena *arena, struct response *response, struct rondo_error *err)
{
	struct plausibles *plausibles = &((struct repair_state *)agent->state)->plausibles;
	struct edit edit;
	if (plausible_edit(&plausibles->items[0], arena, &edit, err) < 0 || propose(agent, &edit, plausibles, arena, response, err) < 0)
		return -1;
	memmove(plausibles->items, plausibles->items + 1, --plausibles->n * sizeof *plausibles->items);
	return 0;
}

static int give_up(struct agent *agent, struct arena *arena, struct response *response)
{
	struct repair_state *state = agent->state;
	struct last_words words = {.search = &state->search, .parts = &state->parts, .goal = state->goal,
		.why = is_spent(agent)               ? END_SPENT
		       : state->search.exhausted ? END_EXHAUSTED
						 : END_OUT_OF_TIME};
	state->finished = true;
	response->message = (struct rondo_message){.type = RONDO_MESSAGE_STOP,
		.content = last_words_text(&words, arena), .data = last_words_data(&words, arena)};
	return 0;
}

/* Give those that passed further inputs, and then take the likeliest. */
static int choose(struct agent *agent, struct arena *arena, struct response *response, struct rondo_error *err)
{
	struct repair_state *state = agent->state;
	struct candidates asked = {.n = 0};
	bool asks = state->plausibles.agreement == AGREEMENT_NOT_ASKED && clock_now_ms() < state->deadline_ms;
	if (asks && (plausibles_ask(&state->plausibles, arena, &asked, err) < 0 ||
			    search_inputs(&state->search, &asked, err) < 0))
		return -1;
	if (!asked.n || !asked.inputs.n) {
		state->plausibles.agreement = AGREEMENT_KNOWN;
		return propose_plausible(agent, arena, response, err);
	}
	AUTO_JSON *json = candidates_to_json(&asked);
	AUTO_FREE char *text = json_print(json);
	response->message = (struct rondo_message){.type = RONDO_MESSAGE_CANDIDATES,
		.content = arena_printf(arena, "%zu pass: which of them behave alike under other inputs?", asked.n),
		.data = arena_strdup(arena, text)};
	return 0;
}

/* What was put into the batch, unless it is over. */
static int post_batch(struct agent *agent, struct arena *arena, struct response *response,
	struct rondo_error *err)
{
	struct repair_state *state = agent->state;
	struct search *search = &state->search;
	bool over = !search->posted.n || clock_now_ms() >= state->deadline_ms;
	if (over && state->plausibles.n)
		return choose(agent, arena, response, err);
	if (over && search->best.n)
		return propose(agent, &search->best, NULL, arena, response, err);
	if (over)
		return give_up(agent, arena, response);
	AUTO_JSON *json = candidates_to_json(&search->posted);
	AUTO_FREE char *text = json_print(json);
	response->message = (struct rondo_message){.type = RONDO_MESSAGE_CANDIDATES,
		.content = state->plausibles.n
				   ? arena_printf(arena, "%zu more candidates: is another one likelier?", search->posted.n)
				   : arena_printf(arena, "%zu candidates%s", search->posted.n, suspects_text(search->repair, arena)),
		.data = arena_strdup(arena, text)};
	state->posted_at_ms = clock_now_ms();
	return 0;
}

static int go_on(struct agent *agent, struct arena *arena, struct response *response, struct rondo_error *err)
{
	struct repair_state *state = agent->state;
	search_post(&state->search, at_most(agent, state->batch));
	return post_batch(agent, arena, response, err);
}

static int on_agreement(struct agent *agent, const struct candidate_results *results, struct arena *arena,
	struct response *response, struct rondo_error *err)
{
	struct repair_state *state = agent->state;
	plausibles_agree(&state->plausibles, results);
	return propose_plausible(agent, arena, response, err);
}

/* A while behind the first that passed, so that the likeliest is taken and not the first. */
static int compare(struct agent *agent, const struct candidate_results *results, struct arena *arena,
	struct response *response, struct rondo_error *err)
{
	struct repair_state *state = agent->state;
	struct search *search = &state->search;
	struct plausibles *plausibles = &state->plausibles;
	bool is_first = !plausibles->n;
	plausibles_pass(plausibles, search->n_posted);
	for (size_t i = 0; i < results->n; i++) {
		const struct candidate *candidate = search_candidate(search, results->progress[i].id);
		if (candidate && results->progress[i].wins)
			plausibles_add(plausibles, candidate, &agent->arena);
	}
	if (!plausibles->left)
		return choose(agent, arena, response, err);
	if (is_first)
		search_post_behind(search, results->winner, at_most(agent, plausibles->left));
	else
		search_post(search, at_most(agent, plausibles->left));
	search->posted.wants_all = true;
	return post_batch(agent, arena, response, err);
}

static int on_results(struct agent *agent, const struct rondo_message *message, struct arena *arena,
	struct response *response, struct rondo_error *err)
{
	struct repair_state *state = agent->state;
	struct candidate_results results;
	AUTO_JSON *json = json_parse(message->data, strlen(message->data), err);
	if (!json)
		return -1;
	candidate_results_from_json(json, arena, &results);
	if (state->plausibles.agreement == AGREEMENT_ASKED)
		return on_agreement(agent, &results, arena, response, err);
	if (search_need(&state->search, agent->kit, err) < 0)
		return -1;
	learn(agent, &results);
	if (results.has_coverage)
		search_cover(&state->search, message);
	adapt_batch(state, &results);
	const struct candidate *winner = search_candidate(&state->search, results.winner);
	if (state->plausibles.n || (winner && results.warm))
		return compare(agent, &results, arena, response, err);
	return winner ? propose(agent, &winner->edit, NULL, arena, response, err) : go_on(agent, arena, response, err);
}

/* A report on a tree that an edit of ours changed: worse than before is taken back. */
static int on_report(struct agent *agent, const struct rondo_message *message, struct arena *arena,
	struct response *response, struct rondo_error *err)
{
	struct repair_state *state = agent->state;
	AUTO_JSON *json = json_parse(message->data, strlen(message->data), err);
	if (!json)
		return -1;
	bool better = json_count(json_get(json, "fixed")) > 0 && !json_count(json_get(json, "broken"));
	if (json_bool(json, "ok", false)) {
		response->pass = true;
		return 0;
	}
	if (state->has_undo && !better) {
		struct edit undo = state->undo;
		int status = propose(agent, &undo, NULL, arena, response, err);
		state->has_undo = false;
		state->undone = true;
		state->search.best = (struct edit){0}; /* it breaks more than it mends: not again */
		state->search.best_id = 0;
		return status;
	}
	bool resumes = state->undone;
	state->has_undo = state->undone = false;
	if (resumes ? search_need(&state->search, agent->kit, err) < 0 : begin(agent, message, err) < 0)
		return -1;
	return resumes && state->plausibles.n ? propose_plausible(agent, arena, response, err)
					      : go_on(agent, arena, response, err);
}

static int answer(struct agent *agent, struct message_span unseen, struct arena *arena, struct response *response,
	struct rondo_error *err)
{
	struct repair_state *state = agent->state;
	response->pass = state->finished;
	for (size_t i = unseen.n; i-- > 0 && !state->finished;) {
		const struct rondo_message *message = unseen.messages[i];
		if (!message->data)
			continue;
		if (message->type == RONDO_MESSAGE_CANDIDATE_RESULTS && state->search.report)
			return on_results(agent, message, arena, response, err);
		if (message->type == RONDO_MESSAGE_TEST_REPORT)
			return on_report(agent, message, arena, response, err);
		if (message->type == RONDO_MESSAGE_TEXT && !state->search.report)
			return on_report(agent, message, arena, response, err);
	}
	response->pass = true;
	return 0;
}

/* A turn that fails is as if it had not been; what it used up of the search is made again. */
static int repair_on_messages(struct agent *agent, struct message_span unseen, struct arena *arena,
	struct response *response, const struct context *ctx, struct rondo_error *err)
{
	struct repair_state *state = agent->state, before = *state;
	(void)ctx;
	if (answer(agent, unseen, arena, response, err) == 0)
		return 0;
	before.search.arena = state->search.arena; /* of whichever search is there now */
	*state = before;
	search_drop(&state->search);
	return -1;
}

/* --- its state --- */

static void save(struct agent *agent, bool all, struct json *to)
{
	(void)all;
	const struct repair_state *state = agent->state;
	if (!state->deadline_ms)
		return;
	json_add(to, "search", search_save(&state->search));
	json_add(to, "parts", parts_save(&state->parts));
	json_add(to, "plausible", plausibles_save(&state->plausibles));
	json_add_int(to, "goal", (int64_t)state->goal);
	json_add_int(to, "left_ms", state->deadline_ms - clock_now_ms());
	json_add_int(to, "batch", (int64_t)state->batch);
	if (state->has_undo)
		json_add(to, "undo", edit_to_json(&state->undo));
	json_add_bool(to, "undone", state->undone);
	json_add_bool(to, "finished", state->finished);
}

static int load(struct agent *agent, const struct json *from, const struct message_thread *thread, struct rondo_error *err)
{
	struct repair_state *state = agent->state;
	const struct json *undo = json_get(from, "undo");
	if (undo && edit_from_json(undo, &agent->arena, &state->undo, err) < 0)
		return -1;
	if (search_load(&state->search, json_get(from, "search"), thread, err) < 0)
		return -1;
	parts_load(&state->parts, json_get(from, "parts"), &agent->arena);
	plausibles_load(&state->plausibles, json_get(from, "plausible"), &agent->arena);
	state->has_undo = undo;
	state->goal = (size_t)json_int(from, "goal", 0);
	state->deadline_ms = clock_now_ms() + json_int(from, "left_ms", 0);
	state->batch = (size_t)json_int(from, "batch", FIRST_BATCH);
	state->posted_at_ms = 0;
	state->undone = json_bool(from, "undone", false);
	state->finished = json_bool(from, "finished", false);
	return 0;
}

const struct agent_type repair_agent = {
	.name = "repair",
	.summary = "the embedded coder: searches for small edits; no model, no network",
	.needs = AGENT_NEEDS_DESK | AGENT_NEEDS_SUITE | AGENT_NEEDS_TRIALS,
	.state_size = sizeof(struct repair_state),
	.options = options,
	.on_messages = repair_on_messages,
	.on_reset = repair_on_reset,
	.save = save,
	.load = load,
};
