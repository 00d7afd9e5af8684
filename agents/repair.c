/*
 * The repair agent: the coder that needs no model. It reads the tester's report, posts candidates
 * about a second's worth at a time, and proposes as an edit what the tester found to win. Where
 * nothing wins, the best partial fix is taken and the search goes on from there.
 */
#include <stdio.h>
#include <string.h>

#include "agents/search.h"
#include "base/clock.h"
#include "base/file.h"
#include "base/memory.h"
#include "chat/candidates.h"

#define FIRST_BATCH 16
#define LARGEST_BATCH 1000
#define BATCH_MS 1000
#define SUSPECTS 2
#define LAST_SUSPECTS 5
#define PARTS_MOST 3

/* An edit that got further than all before it; outlives the search that found it. */
struct part {
	size_t fixed;
	const char *description, *edit; /* the edit as JSON */
};

struct repair_state {
	struct search search;
	struct part parts[PARTS_MOST]; /* the furthest last */
	size_t n_parts, goal;
	int64_t deadline_ms;     /* 0: not begun */
	int64_t posted_at_ms;    /* 0: it is not known */
	size_t batch;
	struct edit undo;        /* takes back the edit that was proposed last */
	bool has_undo;
	bool undone;             /* the text is back: the search goes on where it stood */
	bool finished;
};

static void repair_on_reset(struct agent *agent)
{
	search_release(&((struct repair_state *)agent->state)->search);
}

/* Begin anew from the text as it is and the report that says what fails. */
static int begin(struct agent *agent, const struct rondo_message *report, struct rondo_error *err)
{
	struct repair_state *state = agent->state;
	if (search_begin(&state->search, agent->kit, report, err) < 0)
		return -1;
	state->batch = FIRST_BATCH;
	if (!state->deadline_ms)
		state->deadline_ms = clock_now_ms() + agent->kit->repair_timeout_ms;
	return 0;
}

/* As many as were tried in about a second, going by the last batch. */
static void adapt_batch(struct repair_state *state, size_t tried)
{
	int64_t took_ms = clock_now_ms() - state->posted_at_ms;
	if (!state->posted_at_ms)
		return;
	size_t wanted = took_ms > 0 ? tried * BATCH_MS / (size_t)took_ms : LARGEST_BATCH;
	state->batch = wanted < 4 ? 4 : wanted > LARGEST_BATCH ? LARGEST_BATCH : wanted;
}

static void keep_part(struct agent *agent, const struct edit *edit, size_t fixed)
{
	struct repair_state *state = agent->state;
	AUTO_JSON *json = edit_to_json(edit);
	AUTO_FREE char *text = json_print(json);
	if (state->n_parts == PARTS_MOST)
		memmove(state->parts, state->parts + 1, --state->n_parts * sizeof *state->parts);
	state->parts[state->n_parts++] = (struct part){fixed, arena_strdup(&agent->arena, edit->description),
		arena_strdup(&agent->arena, text)};
}

static void learn(struct agent *agent, const struct candidate_results *results)
{
	struct repair_state *state = agent->state;
	struct search *search = &state->search;
	state->goal = results->goal;
	search->n_tried += results->tried;
	for (size_t i = 0; i < results->n; i++) {
		const struct edit *edit = search_edit(search, results->progress[i].id);
		if (!edit || results->progress[i].fixed <= search->best_fixed)
			continue;
		search->best = *edit;
		search->best_id = results->progress[i].id;
		search->best_fixed = results->progress[i].fixed;
		keep_part(agent, edit, search->best_fixed);
	}
}

/* The edit that puts back what `edit` changes, read from the tree as it is now. */
static int make_inverse(const char *dir, const struct edit *edit, struct arena *arena,
	struct edit *ret_inverse, struct rondo_error *err)
{
	struct edit inverse = {.description = arena_printf(arena, "undo: %s", edit->description)};
	for (size_t i = 0; i < edit->n; i++) {
		const char *path = arena_printf(arena, "%s/%s", dir, edit->files[i].path);
		struct file_edit file = {.path = edit->files[i].path};
		AUTO_STRBUF text = STRBUF_INIT(STRBUF_TEXT);
		if (!file_exists(path))
			file.remove = true;
		else if (file_read(path, STRBUF_TEXT, &text, err) < 0)
			return -1;
		else
			file.content = arena_strndup(arena, text.text, text.length);
		ARENA_PUSH(arena, inverse.files, inverse.n, file);
	}
	*ret_inverse = inverse;
	return 0;
}

static int propose(struct agent *agent, const struct edit *edit, struct arena *arena,
	struct response *response, struct rondo_error *err)
{
	struct repair_state *state = agent->state;
	const char *dir = worktree_dir(agent->kit->desk->worktree);
	if (make_inverse(dir, edit, &agent->arena, &state->undo, err) < 0)
		return -1;
	state->has_undo = true;
	AUTO_JSON *json = edit_to_json(edit);
	AUTO_FREE char *text = json_print(json);
	response->message = (struct rondo_message){.type = RONDO_MESSAGE_EDIT,
		.content = arena_strdup(arena, edit->description), .data = arena_strdup(arena, text)};
	return 0;
}

static const char *suspects(const struct search *search, struct arena *arena)
{
	const char *places[SUSPECTS];
	size_t n = repair_suspects(search->repair, places, SUSPECTS);
	AUTO_STRBUF text = STRBUF_INIT(STRBUF_LINE);
	for (size_t i = 0; i < n; i++)
		strbuf_addf(&text, "%s%s", i ? ", " : ", likeliest first: ", places[i]);
	return arena_strdup(arena, text.text);
}

/* What whoever goes on may want to know: where to look, and what got how far. */
static const char *findings(const struct repair_state *state, struct arena *arena)
{
	const char *places[LAST_SUSPECTS];
	size_t n = repair_suspects(state->search.repair, places, LAST_SUSPECTS);
	AUTO_JSON *json = json_object();
	struct json *suspected = json_add_array(json, "suspects"), *parts = json_add_array(json, "partial");
	for (size_t i = 0; i < n; i++)
		json_add_string(suspected, NULL, places[i]);
	for (size_t i = state->n_parts; i-- > 0;) {
		struct json *part = json_add_object(parts, NULL);
		json_add_int(part, "fixed", (int64_t)state->parts[i].fixed);
		json_add_int(part, "of", (int64_t)state->goal);
		json_add_string(part, "description", state->parts[i].description);
		json_add_raw(part, "edit", state->parts[i].edit);
	}
	AUTO_FREE char *text = json_print(json);
	return arena_strdup(arena, text);
}

static int give_up(struct agent *agent, struct arena *arena, struct response *response)
{
	struct repair_state *state = agent->state;
	AUTO_STRBUF text = STRBUF_INIT(STRBUF_LINE);
	state->finished = true;
	if (state->search.exhausted)
		strbuf_addf(&text, "gave up: all %zu candidates were tried", state->search.n_tried);
	else
		strbuf_addf(&text, "gave up after %zu candidates: its time is over (--limit repair=5m searches longer)",
			state->search.n_tried);
	strbuf_adds(&text, suspects(&state->search, arena));
	if (state->n_parts) {
		const struct part *furthest = &state->parts[state->n_parts - 1];
		strbuf_addf(&text, "; furthest: %s (%zu of %zu fixed)", furthest->description, furthest->fixed,
			state->goal);
	}
	response->message = (struct rondo_message){.type = RONDO_MESSAGE_STOP,
		.content = arena_strndup(arena, text.text, text.length), .data = findings(state, arena)};
	return 0;
}

static int post_batch(struct agent *agent, struct arena *arena, struct response *response,
	struct rondo_error *err)
{
	struct repair_state *state = agent->state;
	struct search *search = &state->search;
	search_post(search, state->batch);
	bool over = !search->posted.n || clock_now_ms() >= state->deadline_ms;
	if (over && search->best.n)
		return propose(agent, &search->best, arena, response, err);
	if (over)
		return give_up(agent, arena, response);
	AUTO_JSON *json = candidates_to_json(&search->posted);
	AUTO_FREE char *text = json_print(json);
	response->message = (struct rondo_message){.type = RONDO_MESSAGE_CANDIDATES,
		.content = arena_printf(arena, "%zu candidates%s", search->posted.n, suspects(search, arena)),
		.data = arena_strdup(arena, text)};
	state->posted_at_ms = clock_now_ms();
	return 0;
}

static int on_results(struct agent *agent, const char *data, struct arena *arena,
	struct response *response, struct rondo_error *err)
{
	struct repair_state *state = agent->state;
	struct candidate_results results;
	AUTO_JSON *json = json_parse(data, strlen(data), err);
	if (!json)
		return -1;
	candidate_results_from_json(json, arena, &results);
	if (search_need(&state->search, agent->kit, err) < 0)
		return -1;
	learn(agent, &results);
	adapt_batch(state, results.tried);
	const struct edit *winner = search_edit(&state->search, results.winner);
	if (winner)
		return propose(agent, winner, arena, response, err);
	return post_batch(agent, arena, response, err);
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
		int status = propose(agent, &undo, arena, response, err);
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
	return post_batch(agent, arena, response, err);
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
			return on_results(agent, message->data, arena, response, err);
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
	struct json *parts = state->n_parts ? json_add_array(to, "parts") : NULL;
	for (size_t i = 0; i < state->n_parts; i++) {
		struct json *part = json_add_object(parts, NULL);
		json_add_int(part, "fixed", (int64_t)state->parts[i].fixed);
		json_add_string(part, "description", state->parts[i].description);
		json_add_raw(part, "edit", state->parts[i].edit);
	}
	json_add_int(to, "goal", (int64_t)state->goal);
	json_add_int(to, "left_ms", state->deadline_ms - clock_now_ms());
	json_add_int(to, "batch", (int64_t)state->batch);
	if (state->has_undo)
		json_add(to, "undo", edit_to_json(&state->undo));
	json_add_bool(to, "undone", state->undone);
	json_add_bool(to, "finished", state->finished);
}

static void load_parts(struct agent *agent, const struct json *from)
{
	struct repair_state *state = agent->state;
	state->n_parts = 0;
	for (const struct json *item = json_first(from); item && state->n_parts < PARTS_MOST; item = json_next(item)) {
		AUTO_FREE char *edit = json_get(item, "edit") ? json_print(json_get(item, "edit")) : NULL;
		state->parts[state->n_parts++] = (struct part){(size_t)json_int(item, "fixed", 0),
			arena_strdup(&agent->arena, json_string(item, "description", "")), arena_strdup(&agent->arena, edit)};
	}
}

static int load(struct agent *agent, const struct json *from, const struct message_thread *thread, struct rondo_error *err)
{
	struct repair_state *state = agent->state;
	const struct json *undo = json_get(from, "undo");
	if (undo && edit_from_json(undo, &agent->arena, &state->undo, err) < 0)
		return -1;
	if (search_load(&state->search, json_get(from, "search"), thread, err) < 0)
		return -1;
	load_parts(agent, json_get(from, "parts"));
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
	.needs = AGENT_NEEDS_DESK | AGENT_NEEDS_SUITE,
	.state_size = sizeof(struct repair_state),
	.on_messages = repair_on_messages,
	.on_reset = repair_on_reset,
	.save = save,
	.load = load,
};
