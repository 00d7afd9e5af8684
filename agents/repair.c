/*
 * The repair agent: the coder that needs no model. It reads the tester's report, posts candidates
 * about a second's worth at a time, and proposes as an edit what the tester found to win. Where
 * nothing wins, the best partial fix is taken and the search goes on from there.
 */
#include <stdio.h>
#include <string.h>

#include "agents/sources.h"
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

struct search {
	struct arena arena;
	struct repair *repair;
	struct repair_file *files;
	size_t n_files;
	struct candidates posted; /* the last batch */
	size_t n_tried; /* in all */
	struct edit best;         /* the partial fix that got furthest */
	size_t best_fixed;
	bool exhausted;
};

/* An edit that got further than all before it; outlives the search that found it. */
struct part {
	size_t fixed;
	const char *description, *edit; /* the edit as JSON */
};

struct repair_state {
	struct search search;
	struct part parts[PARTS_MOST]; /* the furthest last */
	size_t n_parts, goal;
	bool searching;
	int64_t deadline_ms;     /* 0: not begun */
	int64_t posted_at_ms;
	size_t batch;
	struct edit undo;        /* takes back the edit that was proposed last */
	bool has_undo;
	bool undone;             /* the text is back: the search goes on where it stood */
	bool finished;
};

static void forget(struct repair_state *state)
{
	arena_release(&state->search.arena);
	state->search = (struct search){0};
	state->searching = false;
}

static void repair_on_reset(struct agent *agent)
{
	forget(agent->state);
}

/* Begin anew from the text as it is and the report that says what fails. */
static int begin(struct agent *agent, const char *report_json, struct rondo_error *err)
{
	struct repair_state *state = agent->state;
	forget(state);
	AUTO_JSON *json = json_parse(report_json, strlen(report_json), err);
	struct test_report *report = arena_alloc(&state->search.arena, sizeof *report);
	if (!json || test_report_from_json(json, &state->search.arena, report, err) < 0 ||
		sources_load(
			agent->kit, &state->search.arena, &state->search.files, &state->search.n_files, err) < 0)
		return -1;
	state->search.best_fixed = json_count(json_get(json, "fixed"));
	state->search.repair =
		repair_new(&state->search.arena, state->search.files, state->search.n_files, report);
	state->searching = true;
	state->batch = FIRST_BATCH;
	if (!state->deadline_ms)
		state->deadline_ms = clock_now_ms() + agent->kit->repair_timeout_ms;
	return 0;
}

/* As many as were tried in about a second, going by the last batch. */
static void adapt_batch(struct repair_state *state, size_t tried)
{
	int64_t took_ms = clock_now_ms() - state->posted_at_ms;
	size_t wanted = took_ms > 0 ? tried * BATCH_MS / (size_t)took_ms : LARGEST_BATCH;
	state->batch = wanted < 4 ? 4 : wanted > LARGEST_BATCH ? LARGEST_BATCH : wanted;
}

static const struct edit *edit_of(const struct search *search, int64_t id)
{
	for (size_t i = 0; i < search->posted.n; i++)
		if (search->posted.items[i].id == id)
			return &search->posted.items[i].edit;
	return NULL;
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
		const struct edit *edit = edit_of(search, results->progress[i].id);
		if (!edit || results->progress[i].fixed <= search->best_fixed)
			continue;
		search->best = *edit;
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
	search->posted = (struct candidates){0};
	struct candidate candidate;
	while (search->posted.n < state->batch && repair_next(search->repair, &candidate))
		ARENA_PUSH(&search->arena, search->posted.items, search->posted.n, candidate);
	search->exhausted = search->posted.n < state->batch;
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
	learn(agent, &results);
	adapt_batch(state, results.tried);
	const struct edit *winner = edit_of(&state->search, results.winner);
	if (winner)
		return propose(agent, winner, arena, response, err);
	return post_batch(agent, arena, response, err);
}

/* A report on a tree that an edit of ours changed: worse than before is taken back. */
static int on_report(struct agent *agent, const char *data, struct arena *arena,
	struct response *response, struct rondo_error *err)
{
	struct repair_state *state = agent->state;
	AUTO_JSON *json = json_parse(data, strlen(data), err);
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
		return status;
	}
	bool resumes = state->undone;
	state->has_undo = state->undone = false;
	if (resumes)
		return post_batch(agent, arena, response, err);
	if (begin(agent, data, err) < 0)
		return -1;
	return post_batch(agent, arena, response, err);
}

static int repair_on_messages(struct agent *agent, struct message_span unseen, struct arena *arena,
	struct response *response, const struct context *ctx, struct rondo_error *err)
{
	struct repair_state *state = agent->state;
	(void)ctx;
	response->pass = state->finished;
	for (size_t i = unseen.n; i-- > 0 && !state->finished;) {
		const struct rondo_message *message = unseen.messages[i];
		if (!message->data)
			continue;
		if (message->type == RONDO_MESSAGE_CANDIDATE_RESULTS && state->searching)
			return on_results(agent, message->data, arena, response, err);
		if (message->type == RONDO_MESSAGE_TEST_REPORT)
			return on_report(agent, message->data, arena, response, err);
		if (message->type == RONDO_MESSAGE_TEXT && !state->searching)
			return on_report(agent, message->data, arena, response, err);
	}
	response->pass = true;
	return 0;
}

const struct agent_type repair_agent = {
	.name = "repair",
	.summary = "the embedded coder: searches for small edits; no model, no network",
	.needs = AGENT_NEEDS_DESK | AGENT_NEEDS_SUITE,
	.state_size = sizeof(struct repair_state),
	.on_messages = repair_on_messages,
	.on_reset = repair_on_reset,
};
