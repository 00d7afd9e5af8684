/* Everybody speaks in the order of the list, run after run. */
#include "team/team.h"

size_t team_select_in_order(const struct team *team)
{
	return team->next_speaker;
}

const struct team_type round_robin_team = {
	.name = "round_robin",
	.summary = "everybody in the order of the list",
	.select_speaker = team_select_in_order,
};
