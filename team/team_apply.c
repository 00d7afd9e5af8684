/* What events change in a team: those that happen now, and those that were recorded. */
#include "base/memory.h"
#include "team/team.h"

static void apply_turn_start(struct team *team, const struct rondo_event *event)
{
	struct team_progress *progress = &team->progress;
	progress->turn = event->turn;
	progress->speaker = team_find(team, event->source);
	progress->said_before = progress->unchecked = team->thread.n;
	progress->phase = event->text ? TEAM_GRACE : TEAM_SPEAKING;
	if (!event->text)
		team->next_speaker = (progress->speaker + 1) % team->n;
}

/* A message that waited for the record since an earlier run is no turn of this one. */
static void apply_message(struct team *team, const struct rondo_event *event)
{
	struct team_progress *progress = &team->progress;
	bool is_of_turn = progress->phase == TEAM_SPEAKING || progress->phase == TEAM_GRACE;
	message_thread_append(&team->thread, event->message);
	if (!event->turn || team_is_within(event))
		return;
	team->seen[team_find(team, event->message->source)] = team->thread.n;
	if (!is_of_turn)
		return;
	progress->passes = 0;
	progress->counted_turns++;
	if (progress->phase == TEAM_SPEAKING)
		progress->phase = TEAM_CHECKING;
}

static void apply_turn_end(struct team *team, const struct team_end *end)
{
	struct team_progress *progress = &team->progress;
	bool has_passed = progress->turn && team->thread.n == progress->said_before && !end->was_cut;
	if (has_passed)
		team->seen[progress->speaker] = team->thread.n;
	progress->passes += has_passed;
	progress->unchecked = team->thread.n;
	if (progress->phase == TEAM_GRACE) {
		progress->phase = TEAM_ENDING;
	} else {
		if (end->was_cut)
			team->next_speaker = progress->speaker;
		progress->phase = end->stops ? TEAM_STOPPING : TEAM_IDLE;
	}
	if (end->stops)
		progress->stop = end->stop;
}

void team_apply(struct team *team, const struct rondo_event *event)
{
	switch ((int)event->type) {
	case RONDO_EVENT_TURN_START:
		apply_turn_start(team, event);
		break;
	case RONDO_EVENT_MESSAGE:
		apply_message(team, event);
		break;
	case RONDO_EVENT_TURN_END:
		apply_turn_end(team, event->value);
		break;
	case RONDO_EVENT_STOP:
		team->progress.stop = ((const struct team_end *)event->value)->stop;
		team_end(team);
		break;
	}
}

int team_happen(struct team *team, struct rondo_event *event, const struct context *ctx,
	struct rondo_error *err)
{
	if (ctx->record.call && ctx->record.call(ctx->record.owner, event, err) < 0)
		return -1;
	team_apply(team, event);
	if (event->message)
		event->message = team->thread.messages[team->thread.n - 1];
	if (ctx->emit.call)
		ctx->emit.call(ctx->emit.owner, event);
	return 0;
}

void team_drop_open_turn(struct team *team)
{
	struct team_progress *progress = &team->progress;
	bool is_in_grace = progress->phase == TEAM_GRACE;
	if (progress->phase != TEAM_SPEAKING &&
		!(is_in_grace && team->thread.n == progress->said_before))
		return;
	message_thread_release(&team->within);
	progress->turn--;
	progress->phase = is_in_grace ? TEAM_STOPPING : TEAM_IDLE;
	if (!is_in_grace)
		team->next_speaker = progress->speaker;
}
