/*
 * The repair agent: the coder that needs no model. It reads the tester's report, and its turn is a
 * search: it tries candidates, about as many at a time as take a second, and proposes the likeliest
 * that passes all tests. Where nothing passes it proposes the best partial fix, and searches on
 * from there.
 *
 * Failing tests of several causes are searched for group by group, the likeliest first. Each gets
 * half of the time that is left, the last all of it. If time is left then, a group whose time was
 * over is searched further. A fix of one group is proposed at once; a partial one only for the last
 * group, since the others would have to be searched for in its text.
 *
 * Searches stay in memory from turn to turn. Saved are their report and what was proposed: after a
 * resume a search is repeated, and skips what was proposed.
 */
#include <string.h>

#include "agents/repair/agenda.h"
#include "agents/repair/last_words.h"
#include "agents/repair/memory.h"
#include "agents/repair/refused.h"
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
#define LEAST_SLICE_MS 2000 /* of a group's search, while there are others */

struct repair_state {
	int64_t seed;
	const char *since; /* a revision; NULL: all that changed may be taken back */
	struct repair_memory memory;
	struct agenda agenda;
	size_t batch; /* how many are tried at once */
};

/* One turn of it. */
struct repair_turn {
	struct agent *agent;
	struct repair_memory *memory;
	struct agenda *agenda;
	struct agenda_item *item; /* the current group */
	struct search *search;    /* for it */
	struct arena *arena;      /* of the response */
	struct response *response;
	const struct context *ctx;
	struct search_figures figures, all; /* of this group's search in this turn, and of all */
	int64_t deadline_ms;                /* for this group */
	size_t most;                        /* candidates that may be taken when its time is over */
};

static const struct option options[] = {
	OPTION("seed", INT, offsetof(struct repair_state, seed),
		"another order of edits that are about as likely, for each number another one; 0: by "
		"likelihood alone",
		.least = 0, .fallback = "0"),
	OPTION("since", STRING, offsetof(struct repair_state, since),
		"take back only what this revision does not have", .argument = "REV"),
	OPTION_END,
};

/* The commit of `since`; "": there is none. */
static int repair_find_since(
	const struct agent *agent, struct object *ret_commit, struct rondo_error *err)
{
	const struct repair_state *state = agent->state;
	struct repository *repository = agent->services->repository;
	*ret_commit = (struct object){.hex = ""};
	if (!state->since || !repository ||
		repository_find_commit(repository, state->since, ret_commit, err) == 0)
		return 0;
	return error_prefix(err, "since");
}

static int repair_start(struct agent *agent, const struct context *ctx, struct rondo_error *err)
{
	struct object commit;
	(void)ctx;
	return repair_find_since(agent, &commit, err);
}

static void repair_on_reset(struct agent *agent)
{
	agenda_release(&((struct repair_state *)agent->state)->agenda);
}

/* --- What it says --- */

static void repair_say(const struct repair_turn *turn, enum rondo_message_type type,
	const char *content, struct json *data)
{
	if (turn->all.n_tried)
		search_add_figures(&turn->all, json_add_object(data, "search"));
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
	struct repair_group *group = &memory->groups[memory->group];
	memory->has_undo = true;
	ARENA_PUSH(arena, group->proposed, group->n_proposed, candidate->id);
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

static size_t repair_taken(const struct repair_turn *turn)
{
	return turn->memory->n_taken_before + agenda_taken(turn->agenda);
}

/* How many new candidates it may take in all. */
static size_t repair_limit(const struct repair_turn *turn)
{
	size_t most = (size_t)turn->agent->services->repair_candidates;
	return most ? most : SIZE_MAX;
}

/* It tells of the group that was the likeliest. */
static void repair_give_up(const struct repair_turn *turn)
{
	size_t i = 0;
	while (i + 1 < turn->agenda->n &&
		(turn->agenda->items[i].is_fixed || !turn->agenda->items[i].search.repair))
		i++;
	const struct search *search = &turn->agenda->items[i].search;
	struct last_words words = {.search = search,
		.partials = &turn->memory->partials,
		.n_tried = turn->memory->n_tried_before + agenda_tried(turn->agenda),
		.why = END_OUT_OF_TIME};
	if (repair_taken(turn) >= repair_limit(turn))
		words.why = END_SPENT;
	else if (clock_now_ms() < turn->memory->deadline_ms)
		words.why = END_EXHAUSTED;
	AUTO_JSON *data = json_object();
	last_words_describe(&words, data);
	repair_say(turn, RONDO_MESSAGE_STOP, last_words_text(&words, turn->arena), data);
	turn->memory->finished = true;
}

/* --- Its search --- */

static bool repair_is_late(const struct repair_turn *turn)
{
	return clock_now_ms() >= turn->deadline_ms;
}

/* How many new candidates this group's search may still take. */
static size_t repair_may_take(const struct repair_turn *turn)
{
	size_t taken = repair_taken(turn);
	return turn->most > taken ? turn->most - taken : 0;
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
		if (repair_search(turn, err) < 0 ||
			refused_drop(search, turn->agent->services, err) < 0)
			return -1;
	} while (!search->passing.n && search->n_refused > n_refused);
	return repair_compare(turn, err);
}

/* Search until a candidate passes that was not proposed before. If there is none, `passing` is
 * empty. */
static int repair_find(struct repair_turn *turn, struct rondo_error *err)
{
	struct passing *passing = &turn->search->passing;
	do {
		if (!passing->n && repair_find_passing(turn, err) < 0)
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
		.text = search_describe(turn->search, &turn->figures, turn->item->cause, turn->arena),
		.data = text};
	return context_event(turn->ctx, &event, err);
}

/* --- Groups --- */

static bool repair_is_open(const struct repair_turn *turn, size_t i)
{
	return !turn->agenda->items[i].is_fixed && !turn->memory->groups[i].is_closed;
}

/* How many groups are open beside the current one. */
static size_t repair_count_others(const struct repair_turn *turn)
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

/* Make the i-th group the current one, with its share of what is left. */
static int repair_enter_group(struct repair_turn *turn, size_t i, struct rondo_error *err)
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
	turn->most = limit == SIZE_MAX ? SIZE_MAX : taken + left;
	trials_aim(turn->agent->services->trials, &turn->item->baseline);
	if (turn->search->repair)
		return 0;
	state->batch = FIRST_BATCH;
	turn->search->n_others = repair_count_left(turn);
	struct object since;
	if (repair_find_since(turn->agent, &since, err) < 0)
		return -1;
	const struct search_start start = {.report = memory->report,
		.seed = (uint64_t)state->seed,
		.since = *since.hex ? &since : NULL};
	return search_begin(turn->search, &turn->item->services, &start, err);
}

/* The search of the current group came to nothing: go on with the next one that is open, which may
 * be this one again. False: there is no time, or nothing more to try. */
static int repair_next_group(struct repair_turn *turn, bool *ret_found, struct rondo_error *err)
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

/* --- A turn --- */

/* Search in the current group, and propose the likeliest that passes; else, in the last group, the
 * best partial fix. */
static int repair_answer_group(struct repair_turn *turn, bool *ret_done, struct rondo_error *err)
{
	struct search *search = turn->search;
	struct passing *passing = &search->passing;
	if (repair_find(turn, err) < 0 || repair_record_search(turn, err) < 0)
		return -1;
	turn->memory->n_taken = agenda_taken(turn->agenda);
	turn->memory->n_tried = agenda_tried(turn->agenda);
	*ret_done = true;
	if (passing->n) {
		const struct candidate *likeliest = &passing->items[0].candidate;
		const struct passing *among = passing->is_compared ? passing : NULL;
		if (repair_propose(turn, likeliest, among, err) < 0)
			return -1;
		passing_take(passing);
		return 0;
	}
	*ret_done = search->best.edit.n && !repair_count_others(turn) &&
		!repair_has_proposed(turn, &search->best);
	return *ret_done ? repair_propose(turn, &search->best, NULL, err) : 0;
}

static int repair_answer(struct repair_turn *turn, struct rondo_error *err)
{
	bool done = false, found = true;
	while (!done && found)
		if (repair_answer_group(turn, &done, err) < 0 ||
			(!done && repair_next_group(turn, &found, err) < 0))
			return -1;
	if (!done)
		repair_give_up(turn);
	return 0;
}

/* The first group that is open, or the last of all. */
static size_t repair_first_group(const struct repair_turn *turn)
{
	size_t i = 0;
	while (i + 1 < turn->agenda->n && !repair_is_open(turn, i))
		i++;
	return i;
}

/* Begin anew, from the text as it is now and the report on it. */
static void repair_begin(struct repair_turn *turn, const struct rondo_message *report)
{
	struct repair_memory *memory = turn->memory;
	agenda_release(turn->agenda);
	memory->report = report;
	memory->n_taken_before += memory->n_taken;
	memory->n_tried_before += memory->n_tried;
	memory->n_taken = memory->n_tried = 0;
	for (size_t i = 0; i < memory->n_groups; i++)
		memory->groups[i].n_proposed = 0;
	if (!memory->deadline_ms)
		memory->deadline_ms = clock_now_ms() + turn->agent->services->repair_timeout_ms;
}

/* Of the memory's report: its fixed tests are those that a tester named. */
static void repair_make_agenda(struct repair_turn *turn)
{
	const struct agent_services *services = turn->agent->services;
	const struct json *item = json_first(json_get(message_data(turn->memory->report), "fixed"));
	const char **fixed = NULL;
	size_t n = 0;
	for (; item; item = json_next(item))
		ARENA_PUSH(turn->arena, fixed, n, json_text(item, ""));
	agenda_begin(turn->agenda, services, fixed, n);
}

/* An edit of ours counts if it fixed more than was fixed before, and broke nothing. */
static bool repair_is_better(const struct repair_turn *turn, const struct json *report)
{
	const struct json *before = message_data(turn->memory->report);
	return json_count(json_get(report, "fixed")) > json_count(json_get(before, "fixed")) &&
		!json_count(json_get(report, "broken"));
}

/* The tester reports on the tree. An edit of ours that is no better is undone. */
static int repair_on_report(
	struct repair_turn *turn, const struct rondo_message *report, struct rondo_error *err)
{
	struct repair_memory *memory = turn->memory;
	turn->response->pass = json_bool(message_data(report), "ok", false);
	if (turn->response->pass)
		return 0;
	if (memory->has_undo && !repair_is_better(turn, message_data(report))) {
		repair_undo(turn);
		return 0;
	}
	repair_memory_need_groups(memory, agenda_groups(turn->agent->services), &turn->agent->arena);
	bool begins = !memory->is_undone;
	if (begins)
		repair_begin(turn, report);
	memory->has_undo = memory->is_undone = false;
	if (!turn->agenda->n)
		repair_make_agenda(turn);
	if (repair_enter_group(turn, begins ? repair_first_group(turn) : memory->group, err) < 0)
		return -1;
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
		.agenda = &state->agenda,
		.arena = arena,
		.response = response,
		.ctx = ctx};
	if (repair_hear(&turn, unseen, err) == 0)
		return 0;
	state->memory = before;
	agenda_release(&state->agenda);
	return -1;
}

/* --- Its memory --- */

static void repair_save(struct agent *agent, bool all, struct json *to)
{
	(void)all;
	repair_memory_save(&((const struct repair_state *)agent->state)->memory, to);
}

static int repair_load(struct agent *agent, const struct json *from,
	const struct message_thread *thread, struct rondo_error *err)
{
	struct repair_state *state = agent->state;
	if (repair_memory_load(&state->memory, from, thread, &agent->arena, err) < 0)
		return -1;
	agenda_release(&state->agenda);
	return 0;
}

const struct agent_type repair_agent = {
	.name = "repair",
	.summary = "the embedded coder: searches for small edits; no model, no network",
	.needs = AGENT_NEEDS_CHECKOUT | AGENT_NEEDS_SUITE | AGENT_NEEDS_TRIALS,
	.state_size = sizeof(struct repair_state),
	.options = options,
	.start = repair_start,
	.on_messages = repair_on_messages,
	.on_reset = repair_on_reset,
	.save = repair_save,
	.load = repair_load,
};
