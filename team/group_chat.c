/*
 * The group chat: read this first. One turn goes
 *
 *   select_speaker -> agent_on_messages(unseen) -> response
 *        -> record -> thread append -> emit -> termination(delta) -> stop?
 *
 * and everything else in rondo serves it.
 */
#include <stdio.h>
#include <string.h>

#include "base/clock.h"
#include "base/memory.h"
#include "team/team.h"

#define ROW(name) &name##_team,
const struct team_type *const team_types[] = {TEAM_TYPES(ROW)};
const size_t team_types_n = ARRAY_SIZE(team_types);

#define AT(member) offsetof(struct team_options, member)

static const struct option common_options[] = {
	{.name = "participants", .kind = OPTION_REFS, .offset = AT(participants), .family = &agent_family,
		.required = true, .help = "the agents, in the order in which they speak"},
	{.name = "termination", .kind = OPTION_CHILDREN, .offset = AT(termination), .family = &termination_family,
		.help = "when to stop: any of these"},
	{.name = "max_turns", .kind = OPTION_INT, .offset = AT(max_turns), .least = 1, .most = 1000000,
		.help = "turns after which to stop; else limits.turns"},
	OPTION_END,
};

static struct option_type type_at(size_t i)
{
	if (i >= team_types_n)
		return (struct option_type){0};
	return (struct option_type){team_types[i]->name, team_types[i]->summary, NULL, 0, team_types[i]};
}

const struct option_family team_family = {.noun = "team", .type_key = "type", .fallback = "round_robin", .type = type_at,
	.common = common_options, .common_size = sizeof(struct team_options)};

static int check_participants(struct agent *const *participants, size_t n, struct rondo_error *err)
{
	if (!n)
		return error_set(err, RONDO_ERROR_USAGE, "a team needs at least one participant");
	for (size_t i = 0; i < n; i++)
		for (size_t j = 0; j < i; j++)
			if (strcmp(participants[i]->name, participants[j]->name) == 0)
				return error_set(err, RONDO_ERROR_USAGE,
					"two participants have the name '%s'", participants[i]->name);
	return 0;
}

int team_new(const struct team_type *type, struct agent *const *participants, size_t n,
	struct termination *termination, int max_turns, struct budget *budget, struct team **ret_team,
	struct rondo_error *err)
{
	if (check_participants(participants, n, err) < 0)
		return -1;
	struct team *team = memory_alloc(sizeof *team);
	*team = (struct team){.type = type, .participants = participants, .n = n,
		.termination = termination, .max_turns = max_turns, .budget = budget};
	team->seen = memory_alloc(n * sizeof *team->seen);
	*ret_team = team;
	return 0;
}

/* Record, append, tell: in this order, so that what anybody has seen is on disk. */
static int say(struct team *team, const struct rondo_message *draft, const struct context *ctx,
	struct rondo_error *err)
{
	struct rondo_message message = *draft;
	message.id = (int64_t)team->thread.n + 1;
	message.created_at_ms = clock_date_ms();
	struct rondo_event event = {.type = RONDO_EVENT_MESSAGE, .turn = team->turn,
		.source = message.source, .message = &message};
	if (ctx->record.call && ctx->record.call(ctx->record.owner, &event, err) < 0)
		return -1;
	event.message = message_thread_append(&team->thread, &message);
	if (ctx->emit.call)
		ctx->emit.call(ctx->emit.owner, &event);
	return 0;
}

static int tell_turn(const struct team *team, enum rondo_event_type type, const char *source,
	const struct context *ctx, struct rondo_error *err)
{
	return context_event(
		ctx, &(struct rondo_event){.type = type, .turn = team->turn, .source = source}, err);
}

/* Candidates and their results are a search, which has its own budget; silence costs nothing. */
static bool counts_as_turn(const struct response *response)
{
	return !response->pass && response->message.type != RONDO_MESSAGE_CANDIDATES &&
	       response->message.type != RONDO_MESSAGE_CANDIDATE_RESULTS;
}

/* One participant speaks, or passes. */
static int take_turn(struct team *team, bool *ret_passed, const struct context *ctx,
	struct rondo_error *err)
{
	AUTO_ARENA arena = ARENA_INIT;
	struct response response;
	size_t speaker = team->type->select_speaker(team);
	struct agent *agent = team->participants[speaker];
	struct message_span unseen = message_thread_since(&team->thread, team->seen[speaker]);
	team->turn++;
	if (tell_turn(team, RONDO_EVENT_TURN_START, agent->name, ctx, err) < 0 ||
		agent_on_messages(agent, unseen, &arena, &response, ctx, err) < 0)
		return -1;
	*ret_passed = response.pass;
	team->counted_turns += counts_as_turn(&response);
	if (!response.pass && say(team, &response.message, ctx, err) < 0)
		return -1;
	team->seen[speaker] = team->thread.n;
	return tell_turn(team, RONDO_EVENT_TURN_END, agent->name, ctx, err);
}

/* Whether to go on: the condition first, then what may be spent, then silence, then the number of turns. */
static bool should_stop(struct team *team, size_t delta_from, size_t passes,
	struct termination_reason *reason)
{
	struct message_span delta = message_thread_since(&team->thread, delta_from);
	if (team->termination && termination_check(team->termination, delta, reason))
		return true;
	if (budget_is_exhausted(team->budget, reason->text, sizeof reason->text)) {
		reason->verdict = RONDO_VERDICT_LIMIT;
		return true;
	}
	if (passes == team->n) {
		*reason = (struct termination_reason){"nobody has anything more to say", RONDO_VERDICT_STALL};
		return true;
	}
	if (team->max_turns && team->counted_turns >= team->max_turns) {
		reason->verdict = RONDO_VERDICT_LIMIT;
		snprintf(reason->text, sizeof reason->text, "Maximum number of turns %d reached.", team->max_turns);
		return true;
	}
	return false;
}

static void sum_up(struct team *team, size_t first, const struct termination_reason *reason,
	int64_t start_ms, struct rondo_task_result *result)
{
	struct message_span said = message_thread_since(&team->thread, first);
	*result = (struct rondo_task_result){.messages = said.messages, .n = said.n,
		.stop_reason = arena_strdup(&team->thread.arena, reason->text), .verdict = reason->verdict,
		.duration_ms = clock_now_ms() - start_ms};
	for (size_t i = 0; i < said.n; i++) {
		result->usage.prompt_tokens += said.messages[i]->models_usage.prompt_tokens;
		result->usage.completion_tokens += said.messages[i]->models_usage.completion_tokens;
	}
}

int team_run(struct team *team, const struct rondo_message *task, struct rondo_task_result *result,
	const struct context *ctx, struct rondo_error *err)
{
	int64_t start_ms = clock_now_ms();
	size_t first = team->thread.n, before = first, passes = 0;
	struct termination_reason reason = {.text = ""};
	team->turn = team->counted_turns = 0;
	if (task && say(team, task, ctx, err) < 0)
		return -1;
	while (!should_stop(team, before, passes, &reason)) {
		bool passed = false;
		before = team->thread.n;
		if (take_turn(team, &passed, ctx, err) < 0)
			return -1;
		passes = passed ? passes + 1 : 0;
	}
	if (team->termination)
		termination_reset(team->termination);
	sum_up(team, first, &reason, start_ms, result);
	return 0;
}

void team_reset(struct team *team)
{
	message_thread_release(&team->thread);
	memset(team->seen, 0, team->n * sizeof *team->seen);
	team->next_speaker = 0;
	team->turn = 0;
	for (size_t i = 0; i < team->n; i++)
		agent_reset(team->participants[i]);
	if (team->termination)
		termination_reset(team->termination);
}

void team_free(struct team *team)
{
	if (!team)
		return;
	message_thread_release(&team->thread);
	free(team->seen);
	free(team);
}
