/*
 * AG2's chat of two: the first begins, with the task, so the other one answers. max_turns counts
 * what the first sends, and the task is the first of that. Where it has nothing to say there an
 * empty message is sent; so its silence counts here, too, and max_turns bounds what the other one
 * is asked.
 */
#include "team/team.h"

static int two_agent_count_sends(const struct team *team)
{
	return (team->progress.turn + 1) / 2;
}

const struct team_type two_agent_team = {
	.name = "two_agent",
	.summary = "two in turns, as AG2 has it: the task is the first's, and max_turns counts what "
			   "the first sends",
	.size = 2,
	.first_speaker = 1,
	.select_speaker = team_select_in_order,
	.turns_taken = two_agent_count_sends,
};
