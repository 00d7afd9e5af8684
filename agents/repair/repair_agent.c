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
#include "agents/repair/turn.h"
#include "base/clock.h"
#include "chat/message.h"

static const struct option options[] = {
	OPTION("seed", INT, offsetof(struct repair_state, seed),
		"another order of edits that are about as likely, for each number another one; 0: by "
		"likelihood alone",
		.least = 0, .fallback = "0"),
	OPTION("take", INT, offsetof(struct repair_state, take),
		"of several fixes that behave differently, which one to take, from 1", .least = 1,
		.fallback = "1"),
	OPTION("since", STRING, offsetof(struct repair_state, since),
		"take back only what this revision does not have", .argument = "REV"),
	OPTION_END,
};

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

/* --- A turn --- */

/* Search in the current group, and propose the likeliest that passes; else, in the last group, the
 * best partial fix. Not where somebody else goes on: who mends the rest would have to mend that,
 * too, and is told of it. */
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
	if (turn->n_choices) {
		repair_give_up(turn);
		return 0;
	}
	*ret_done = search->best.edit.n && !turn->agent->has_successor && !repair_count_others(turn) &&
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
