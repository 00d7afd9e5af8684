/* What a participant answers, from its turn to the record. */
#include <string.h>

#include "base/clock.h"
#include "base/memory.h"
#include "chat/message.h"
#include "team/team.h"

int team_say(struct team *team, const struct rondo_message *draft, const struct team_manner *manner,
	const struct context *ctx, struct rondo_error *err)
{
	struct rondo_message message = *draft;
	message.id = (int64_t)team->thread.n + 1;
	if (!message.created_at_ms)
		message.created_at_ms = clock_date_ms();
	struct rondo_event event = {.type = RONDO_EVENT_MESSAGE,
		.turn = manner->turn,
		.source = message.source,
		.text = manner->within ? TEAM_WITHIN : NULL,
		.data = manner->state,
		.message = &message};
	return team_happen(team, &event, ctx, err);
}

/* How many messages the answer has; none for a pass. */
static size_t answer_count(const struct team_answer *answer)
{
	return answer->response.pass ? 0 : answer->response.n_within + 1;
}

static const struct rondo_message *answer_message(const struct team_answer *answer, size_t i)
{
	const struct response *response = &answer->response;
	return i < response->n_within ? response->within[i] : &response->message;
}

/* The speaker's state, for the record. That of an inner team's participant is never recalled. */
static const char *answer_state(struct team *team, const struct context *ctx)
{
	bool recalled = ctx->record.call && !team->is_inner;
	struct agent *speaker = team->participants[team->answer.speaker];
	AUTO_JSON *state = recalled ? agent_save(speaker, false) : NULL;
	return json_print_in(state, &team->answer.arena);
}

/* Say the messages that are not on the thread yet; the state comes with the last one. */
static int answer_say_rest(struct team *team, const struct context *ctx, struct rondo_error *err)
{
	struct team_answer *answer = &team->answer;
	for (size_t n = answer_count(answer); answer->n_said < n; answer->n_said++) {
		bool within = answer->n_said + 1 < n;
		const struct team_manner manner = {
			.turn = answer->turn, .state = within ? NULL : answer->state, .within = within};
		if (team_say(team, answer_message(answer, answer->n_said), &manner, ctx, err) < 0)
			return -1;
	}
	return 0;
}

int team_answer_say(struct team *team, const struct context *ctx, struct rondo_error *err)
{
	struct team_answer *answer = &team->answer;
	answer->speaker = team->progress.speaker;
	answer->turn = team->progress.turn;
	answer->n_said = 0;
	answer->state = answer_state(team, ctx);
	answer->waits = true;
	if (answer_say_rest(team, ctx, err) < 0)
		return -1;
	answer->waits = answer->response.pass;
	return 0;
}

int team_answer_cut(struct team *team, const struct context *ctx, struct rondo_error *err)
{
	struct rondo_message *message = &team->answer.response.message;
	message->id = (int64_t)team->thread.n + 1;
	message->created_at_ms = clock_date_ms();
	const struct rondo_event event = {.type = RONDO_EVENT_MESSAGE,
		.turn = team->progress.turn,
		.source = message->source,
		.text = TEAM_CUT,
		.message = message};
	int status = context_event(ctx, &event, err);
	team_answer_close(&team->answer);
	return status < 0 ? -1 : cancel_error(ctx->cancel, err);
}

/* A pass is the end of its turn. */
static int answer_record_pass(struct team *team, const struct context *ctx, struct rondo_error *err)
{
	const struct team_answer *answer = &team->answer;
	AUTO_JSON *data = json_object();
	json_add_raw(data, "state", answer->state);
	AUTO_FREE char *text = json_count(data) ? json_print(data) : NULL;
	struct rondo_event end = {.type = RONDO_EVENT_TURN_END,
		.turn = answer->turn,
		.source = team->participants[answer->speaker]->name,
		.data = text};
	team->seen[answer->speaker] = team->thread.n;
	return context_event(ctx, &end, err);
}

int team_answer_catch_up(struct team *team, const struct context *ctx, struct rondo_error *err)
{
	struct team_answer *answer = &team->answer;
	if (!answer->waits)
		return 0;
	if (answer->response.pass ? answer_record_pass(team, ctx, err) < 0
							  : answer_say_rest(team, ctx, err) < 0)
		return -1;
	team_answer_close(answer);
	return 0;
}

void team_answer_close(struct team_answer *answer)
{
	arena_release(&answer->arena);
	*answer = (struct team_answer){.waits = false};
}

size_t team_answer_left(const struct team *team)
{
	const struct team_answer *answer = &team->answer;
	size_t n = answer->waits ? answer_count(answer) : 0;
	return n > answer->n_said ? n - answer->n_said : 0;
}

size_t team_answer_save(const struct team *team, struct json *to)
{
	const struct team_answer *answer = &team->answer;
	size_t left = team_answer_left(team);
	for (size_t i = 0; i < left; i++)
		json_add(to, NULL, message_to_json(answer_message(answer, answer->n_said + i)));
	return left;
}
