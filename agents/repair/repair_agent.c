/*
 * The repair agent: the coder that needs no model. It reads the tester's report, and its turn is a
 * search: it tries candidates, about as many at a time as take a second, and proposes the likeliest
 * that passes all tests. Where nothing passes it proposes the best partial fix, and searches on
 * from there.
 *
 * A search stays in memory from turn to turn. Saved are its report and what it has proposed: after
 * a resume the search is repeated, and skips what was proposed.
 */
#include <string.h>

#include "agents/repair/last_words.h"
#include "agents/trial/trial.h"
#include "base/clock.h"
#include "base/file.h"
#include "base/memory.h"
#include "chat/message.h"

#define FIRST_BATCH 16
#define LARGEST_BATCH 1000
#define LEAST_BATCH 4
#define LEAST_BUILT_BATCH 32
#define BATCH_MS 1000

/* What is saved. */
struct repair_memory {
	const struct rondo_message *report; /* the search begins from it; NULL: none yet */
	int64_t *proposed;                  /* candidates of this search, by their ids */
	size_t n_proposed;
	size_t n_taken, n_tried;               /* of this search, at the end of its last turn */
	size_t n_taken_before, n_tried_before; /* of the searches before it */
	struct partials partials;
	struct edit undo; /* takes back the edit that was proposed last */
	bool has_undo;
	bool is_undone; /* the text is back: the search continues */
	bool finished;
	int64_t deadline_ms; /* 0: it has not begun */
};

struct repair_state {
	int64_t seed;
	struct repair_memory memory;
	struct search search;
	size_t batch; /* how many are tried at once */
};

/* One turn of it. */
struct repair_turn {
	struct agent *agent;
	struct repair_memory *memory;
	struct search *search;
	struct arena *arena; /* of the response */
	struct response *response;
	const struct context *ctx;
	struct search_figures figures;
};

static const struct option options[] = {
	OPTION("seed", INT, offsetof(struct repair_state, seed),
		"another order of edits that are about as likely, for each number another one; 0: by "
		"likelihood alone",
		.least = 0, .fallback = "0"),
	OPTION_END,
};

static void repair_on_reset(struct agent *agent)
{
	search_release(&((struct repair_state *)agent->state)->search);
}

/* --- What it says --- */

static void repair_say(const struct repair_turn *turn, enum rondo_message_type type,
	const char *content, struct json *data)
{
	if (turn->figures.n_tried)
		search_add_figures(&turn->figures, json_add_object(data, "search"));
	turn->response->message = (struct rondo_message){
		.type = type, .content = content, .data = json_print_in(data, turn->arena)};
}

/* The edit that undoes `edit` in the tree as it is now. */
static int repair_invert(const char *dir, const struct edit *edit, struct arena *arena,
	struct edit *ret_inverse, struct rondo_error *err)
{
	struct edit inverse = {.description = arena_printf(arena, "undo: %s", edit->description)};
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

/* `among`: the candidates that it was chosen from; NULL: it was the only one. */
static int repair_propose(const struct repair_turn *turn, const struct candidate *candidate,
	const struct passing *among, struct rondo_error *err)
{
	struct repair_memory *memory = turn->memory;
	struct arena *arena = &turn->agent->arena;
	const char *dir = worktree_dir(turn->agent->services->main_checkout->worktree);
	if (repair_invert(dir, &candidate->edit, arena, &memory->undo, err) < 0)
		return -1;
	memory->has_undo = true;
	ARENA_PUSH(arena, memory->proposed, memory->n_proposed, candidate->id);
	AUTO_JSON *data = edit_to_json(&candidate->edit);
	if (among)
		passing_describe(among, json_add_object(data, "choice"));
	const char *what = arena_strdup(turn->arena, candidate->edit.description);
	repair_say(turn, RONDO_MESSAGE_EDIT, what, data);
	return 0;
}

static void repair_undo(const struct repair_turn *turn)
{
	struct repair_memory *memory = turn->memory;
	AUTO_JSON *data = edit_to_json(&memory->undo);
	json_add_bool(data, "undo", true);
	const char *what = arena_strdup(turn->arena, memory->undo.description);
	repair_say(turn, RONDO_MESSAGE_EDIT, what, data);
	memory->has_undo = false;
	memory->is_undone = true;
}

/* How many new candidates it may still take. */
static size_t repair_may_take(const struct repair_turn *turn)
{
	size_t most = (size_t)turn->agent->services->repair_candidates;
	size_t taken = turn->memory->n_taken_before + turn->search->n_taken;
	return !most ? SIZE_MAX : most > taken ? most - taken : 0;
}

static void repair_give_up(const struct repair_turn *turn)
{
	const struct search *search = turn->search;
	struct last_words words = {.search = search,
		.partials = &turn->memory->partials,
		.n_tried = turn->memory->n_tried_before + search->n_tried,
		.goal = turn->agent->services->baseline->n_goal,
		.why = END_OUT_OF_TIME};
	if (!repair_may_take(turn))
		words.why = END_SPENT;
	else if (search->exhausted && !search->batch.n)
		words.why = END_EXHAUSTED;
	AUTO_JSON *data = json_object();
	last_words_describe(&words, data);
	repair_say(turn, RONDO_MESSAGE_STOP, last_words_text(&words, turn->arena), data);
	turn->memory->finished = true;
}

/* --- Its search --- */

static bool repair_is_late(const struct repair_turn *turn)
{
	return clock_now_ms() >= turn->memory->deadline_ms;
}

/* As many as take about a second at the speed of the last batch. More where they are built
 * together: a build takes about as long for many as for few. */
static size_t repair_batch_size(const struct candidate_results *results)
{
	int64_t built_ms = results->built_ms, tried_ms = results->ms - built_ms;
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
	if (trials_run(agent->services->trials, candidates, agent->name, turn->memory->deadline_ms,
			&turn->search->arena, results, turn->ctx, err) < 0)
		return -1;
	search_count(&turn->figures, results);
	return 0;
}

/* Try batch after batch until one passes and enough others were tried after it. */
static int repair_search(struct repair_turn *turn, struct rondo_error *err)
{
	struct repair_state *state = turn->agent->state;
	struct search *search = turn->search;
	struct candidate_results results;
	while (!search_has_found(search) && !repair_is_late(turn)) {
		size_t most = search->passing.n ? search->passing.left : state->batch;
		if (!search_take(search, most, repair_may_take(turn)))
			break;
		if (repair_try(turn, &search->batch, &results, err) < 0)
			return -1;
		search_learn(search, &results, &turn->memory->partials, &turn->agent->arena);
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
	passing_agree(&turn->search->passing, &results);
	return 0;
}

static bool repair_has_proposed(const struct repair_turn *turn, const struct candidate *candidate)
{
	for (size_t i = 0; i < turn->memory->n_proposed; i++)
		if (turn->memory->proposed[i] == candidate->id)
			return true;
	return false;
}

/* Search until a candidate passes that was not proposed before. If there is none, `passing` is
 * empty. */
static int repair_find(struct repair_turn *turn, struct rondo_error *err)
{
	struct passing *passing = &turn->search->passing;
	do {
		if (!passing->n && (repair_search(turn, err) < 0 || repair_compare(turn, err) < 0))
			return -1;
		if (!passing->n)
			return 0;
		while (passing->n && repair_has_proposed(turn, &passing->items[0].candidate))
			passing_take(passing);
	} while (!passing->n);
	return 0;
}

static int repair_record_search(const struct repair_turn *turn, struct rondo_error *err)
{
	const struct agent *agent = turn->agent;
	if (!turn->figures.n_tried)
		return 0;
	AUTO_JSON *data = json_object();
	search_add_figures(&turn->figures, data);
	AUTO_FREE char *text = json_print(data);
	struct rondo_event event = {.type = RONDO_EVENT_SEARCH,
		.source = agent->name,
		.text = search_describe(
			turn->search, &turn->figures, agent->services->baseline->n_goal, turn->arena),
		.data = text};
	return context_event(turn->ctx, &event, err);
}

/* --- A turn --- */

/* Search, and propose the likeliest that passes; else the best partial fix; else give up. */
static int repair_answer(struct repair_turn *turn, struct rondo_error *err)
{
	struct search *search = turn->search;
	struct passing *passing = &search->passing;
	if (repair_find(turn, err) < 0 || repair_record_search(turn, err) < 0)
		return -1;
	turn->memory->n_taken = search->n_taken;
	turn->memory->n_tried = search->n_tried;
	if (passing->n) {
		const struct candidate *likeliest = &passing->items[0].candidate;
		const struct passing *among = passing->is_compared ? passing : NULL;
		if (repair_propose(turn, likeliest, among, err) < 0)
			return -1;
		passing_take(passing);
		return 0;
	}
	if (search->best.edit.n && !repair_has_proposed(turn, &search->best))
		return repair_propose(turn, &search->best, NULL, err);
	repair_give_up(turn);
	return 0;
}

/* Begin a search from the text as it is now, and the report on it. */
static void repair_begin(struct repair_turn *turn, const struct rondo_message *report)
{
	struct repair_memory *memory = turn->memory;
	search_release(turn->search);
	memory->report = report;
	memory->n_taken_before += memory->n_taken;
	memory->n_tried_before += memory->n_tried;
	memory->n_taken = memory->n_tried = memory->n_proposed = 0;
	if (!memory->deadline_ms)
		memory->deadline_ms = clock_now_ms() + turn->agent->services->repair_timeout_ms;
}

/* The tester reports on the tree. An edit of ours that made it worse is undone. */
static int repair_on_report(
	struct repair_turn *turn, const struct rondo_message *report, struct rondo_error *err)
{
	struct repair_state *state = turn->agent->state;
	struct repair_memory *memory = turn->memory;
	const struct json *data = message_data(report);
	bool better = json_count(json_get(data, "fixed")) && !json_count(json_get(data, "broken"));
	turn->response->pass = json_bool(data, "ok", false);
	if (turn->response->pass)
		return 0;
	if (memory->has_undo && !better) {
		repair_undo(turn);
		return 0;
	}
	if (!memory->is_undone)
		repair_begin(turn, report);
	memory->has_undo = memory->is_undone = false;
	if (!turn->search->repair) {
		state->batch = FIRST_BATCH;
		if (search_begin(turn->search, turn->agent->services, memory->report, (uint64_t)state->seed,
				err) < 0)
			return -1;
	}
	return repair_answer(turn, err);
}

static int repair_hear(
	struct repair_turn *turn, struct message_span unseen, struct rondo_error *err)
{
	for (size_t i = unseen.n; i-- > 0 && !turn->memory->finished;) {
		const struct rondo_message *message = unseen.messages[i];
		bool is_task = message->type == RONDO_MESSAGE_TEXT && !turn->memory->report;
		if (message_data(message) && (is_task || message->type == RONDO_MESSAGE_TEST_REPORT))
			return repair_on_report(turn, message, err);
	}
	turn->response->pass = true;
	return 0;
}

/* A turn that fails changes nothing: its search is repeated. */
static int repair_on_messages(struct agent *agent, struct message_span unseen, struct arena *arena,
	struct response *response, const struct context *ctx, struct rondo_error *err)
{
	struct repair_state *state = agent->state;
	struct repair_memory before = state->memory;
	struct repair_turn turn = {.agent = agent,
		.memory = &state->memory,
		.search = &state->search,
		.arena = arena,
		.response = response,
		.ctx = ctx};
	if (repair_hear(&turn, unseen, err) == 0)
		return 0;
	state->memory = before;
	search_release(&state->search);
	return -1;
}

/* --- Its memory --- */

static void repair_save(struct agent *agent, bool all, struct json *to)
{
	(void)all;
	const struct repair_memory *memory = &((const struct repair_state *)agent->state)->memory;
	if (!memory->report)
		return;
	json_add_int(to, "report", memory->report->id);
	struct json *proposed = json_add_array(to, "proposed");
	for (size_t i = 0; i < memory->n_proposed; i++)
		json_add_int(proposed, NULL, memory->proposed[i]);
	json_add_int(to, "taken", (int64_t)memory->n_taken);
	json_add_int(to, "tried", (int64_t)memory->n_tried);
	json_add_int(to, "taken_before", (int64_t)memory->n_taken_before);
	json_add_int(to, "tried_before", (int64_t)memory->n_tried_before);
	json_add(to, "partials", partials_save(&memory->partials));
	if (memory->has_undo)
		json_add(to, "undo", edit_to_json(&memory->undo));
	json_add_bool(to, "undone", memory->is_undone);
	json_add_bool(to, "finished", memory->finished);
	json_add_int(to, "left_ms", memory->deadline_ms - clock_now_ms());
}

static const struct rondo_message *repair_find_report(
	const struct message_thread *thread, int64_t id)
{
	bool exists = id > 0 && (size_t)id <= thread->n;
	return exists && message_data(thread->messages[id - 1]) ? thread->messages[id - 1] : NULL;
}

static int repair_load(struct agent *agent, const struct json *from,
	const struct message_thread *thread, struct rondo_error *err)
{
	struct repair_state *state = agent->state;
	struct arena *arena = &agent->arena;
	const struct json *undo = json_get(from, "undo");
	struct repair_memory memory = {
		.report = repair_find_report(thread, json_int(from, "report", 0)),
		.n_taken = (size_t)json_int(from, "taken", 0),
		.n_tried = (size_t)json_int(from, "tried", 0),
		.n_taken_before = (size_t)json_int(from, "taken_before", 0),
		.n_tried_before = (size_t)json_int(from, "tried_before", 0),
		.has_undo = undo,
		.is_undone = json_bool(from, "undone", false),
		.finished = json_bool(from, "finished", false),
		.deadline_ms = clock_now_ms() + json_int(from, "left_ms", 0)};
	if (!memory.report)
		return error_set(
			err, RONDO_ERROR_USAGE, "it searches from a report that is not on the thread");
	if (undo && edit_from_json(undo, arena, &memory.undo, err) < 0)
		return -1;
	const struct json *item = json_first(json_get(from, "proposed"));
	for (; item; item = json_next(item))
		ARENA_PUSH(arena, memory.proposed, memory.n_proposed, json_integer(item, 0));
	partials_load(&memory.partials, json_get(from, "partials"), arena);
	search_release(&state->search);
	state->memory = memory;
	return 0;
}

const struct agent_type repair_agent = {
	.name = "repair",
	.summary = "the embedded coder: searches for small edits; no model, no network",
	.needs = AGENT_NEEDS_CHECKOUT | AGENT_NEEDS_SUITE | AGENT_NEEDS_TRIALS,
	.state_size = sizeof(struct repair_state),
	.options = options,
	.on_messages = repair_on_messages,
	.on_reset = repair_on_reset,
	.save = repair_save,
	.load = repair_load,
};
