/*
 * The repair agent: the coder that needs no model. It reads the tester's report, posts candidates
 * about a second's worth at a time, and proposes as an edit what the tester found to win. Where
 * nothing wins, the best partial fix is taken and the search goes on from there.
 */
#include <stdio.h>
#include <string.h>

#include "agents/agent.h"
#include "base/clock.h"
#include "base/file.h"
#include "base/memory.h"
#include "base/utf8.h"
#include "chat/candidates.h"
#include "repair/repair.h"

#define LARGEST_FILE ((size_t)1 << 20)
#define LARGEST_TOTAL ((size_t)32 << 20)
#define FIRST_BATCH 16
#define LARGEST_BATCH 1000
#define BATCH_MS 1000
#define SUSPECTS 2

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

struct repair_state {
	struct search search;
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

/* A text file that repair can work on; false: leave it out. */
static bool load(struct agent *agent, const char *path, struct repair_file *file)
{
	struct repair_state *state = agent->state;
	struct arena *arena = &state->search.arena;
	struct rondo_error err;
	AUTO_STRBUF text = STRBUF_INIT(LARGEST_FILE);
	const char *dir = worktree_dir(agent->kit->desk->worktree);
	if (file_read(arena_printf(arena, "%s/%s", dir, path), LARGEST_FILE, &text, &err) < 0 ||
		utf8_valid_length(text.text, text.length) < text.length)
		return false;
	const struct suite *suite = agent->kit->suite;
	*file = (struct repair_file){.path = path, .n = text.length,
		.text = arena_strndup(arena, text.text, text.length),
		.editable = !protection_rule(agent->kit->protection, path)};
	if (suite->program && strcmp(suite->program, path) == 0) {
		size_t *starts, *ends;
		file->editable = true;
		file->n_frozen = program_assertions(path, file->text, arena, &starts, &ends);
		file->frozen_starts = starts;
		file->frozen_ends = ends;
	}
	return true;
}

static int load_files(struct agent *agent, struct rondo_error *err)
{
	struct repair_state *state = agent->state;
	struct search *search = &state->search;
	const char **paths;
	size_t n, total = 0;
	if (repository_list(agent->kit->repository, &agent->kit->base->tree, &search->arena, &paths, &n, err) < 0)
		return -1;
	const char *program = agent->kit->suite->program;
	for (size_t i = 0; i < n && total < LARGEST_TOTAL; i++) {
		struct repair_file file;
		if (!repair_knows(paths[i]) || (program && strcmp(program, paths[i]) != 0))
			continue;
		if (!load(agent, paths[i], &file))
			continue;
		total += file.n;
		ARENA_PUSH(&search->arena, search->files, search->n_files, file);
	}
	return 0;
}

/* Begin anew from the text as it is and the report that says what fails. */
static int begin(struct agent *agent, const char *report_json, struct rondo_error *err)
{
	struct repair_state *state = agent->state;
	forget(state);
	AUTO_JSON *json = json_parse(report_json, strlen(report_json), err);
	struct test_report *report = arena_alloc(&state->search.arena, sizeof *report);
	if (!json || test_report_from_json(json, &state->search.arena, report, err) < 0 ||
		load_files(agent, err) < 0)
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

static void learn(struct search *search, const struct candidate_results *results)
{
	search->n_tried += results->tried;
	for (size_t i = 0; i < results->n; i++) {
		const struct edit *edit = edit_of(search, results->progress[i].id);
		if (!edit || results->progress[i].fixed <= search->best_fixed)
			continue;
		search->best = *edit;
		search->best_fixed = results->progress[i].fixed;
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

static int give_up(struct agent *agent, struct arena *arena, struct response *response)
{
	struct repair_state *state = agent->state;
	state->finished = true;
	response->message = (struct rondo_message){.type = RONDO_MESSAGE_STOP,
		.content = state->search.exhausted
			? arena_printf(arena, "gave up: all %zu candidates were tried", state->search.n_tried)
			: arena_printf(arena, "gave up after %zu candidates: its time is over "
				"(--limit repair=5m searches longer)", state->search.n_tried)};
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
	learn(&state->search, &results);
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
	.state_size = sizeof(struct repair_state),
	.on_messages = repair_on_messages,
	.on_reset = repair_on_reset,
};
