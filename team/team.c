#include "team/team.h"

#include <string.h>

#include "base/clock.h"
#include "base/memory.h"

REGISTRY_DEFINE(struct team_type, team_types, TEAM_TYPES(&TEAM_SYMBOL));
OPTION_TYPES_BARE(team_types)

#define AT(member) offsetof(struct team_options, member)

static const char *const on_stop[] = {"execute_then_stop", "stop_at_once", NULL};

static const struct option common_options[] = {
	OPTION("participants", REFS, AT(participants), "the agents, in the order in which they speak",
		.family = &agent_family, .required = true),
	OPTION("termination", CHILDREN, AT(termination), "when to stop: any of these",
		.family = &termination_family),
	OPTION("max_turns", INT, AT(max_turns),
		"turns after which to stop, as the type counts them; else limits.turns", .least = 1,
		.most = 1000000),
	OPTION("on_stop", ENUM, AT(on_stop),
		"whether code in the message that ends the chat still runs", .values = on_stop,
		.fallback = "execute_then_stop"),
	OPTION("grace_execution", BOOL, AT(grace_execution),
		"whether what was proposed last is still carried out when a limit is reached",
		.fallback = "true"),
	OPTION_END,
};

/* In AutoGen and AG2. */
static const struct option_peer peers[] = {{"RoundRobinGroupChat", "round_robin"},
	{"GroupChat", "round_robin"}, {"initiate_chat", "two_agent"}, {NULL, NULL}};

const struct option_family team_family = {.noun = "team",
	.peers = peers,
	.type_key = "type",
	.fallback = "round_robin",
	.type = team_types_at,
	.common = common_options,
	.common_size = sizeof(struct team_options)};

struct team_rules team_rules_of(const struct team_options *options)
{
	return (struct team_rules){.max_turns = (int)options->max_turns,
		.stop_at_once = options->on_stop && strcmp(options->on_stop, "stop_at_once") == 0,
		.no_grace = !options->grace_execution};
}

int team_check_size(const struct team_type *type, size_t n, struct rondo_error *err)
{
	if (!n)
		return error_set(err, RONDO_ERROR_USAGE, "a team needs at least one participant");
	if (type->size && n != type->size)
		return error_set(err, RONDO_ERROR_USAGE,
			"a team of type %s has %zu participants, found %zu", type->name, type->size, n);
	return 0;
}

static int team_check_participants(const struct team_type *type, struct agent *const *participants,
	size_t n, struct rondo_error *err)
{
	if (team_check_size(type, n, err) < 0)
		return -1;
	for (size_t i = 0; i < n; i++)
		for (size_t j = 0; j < i; j++)
			if (strcmp(participants[i]->name, participants[j]->name) == 0)
				return error_set(err, RONDO_ERROR_USAGE, "two participants have the name '%s'",
					participants[i]->name);
	return 0;
}

int team_new(const struct team_type *type, struct agent *const *participants, size_t n,
	const struct team_rules *rules, struct team **ret_team, struct rondo_error *err)
{
	if (team_check_participants(type, participants, n, err) < 0)
		return -1;
	struct team *team = memory_alloc(sizeof *team);
	*team = (struct team){.type = type,
		.participants = participants,
		.n = n,
		.rules = *rules,
		.next_speaker = type->first_speaker};
	team->seen = memory_alloc(n * sizeof *team->seen);
	*ret_team = team;
	return 0;
}

size_t team_find(const struct team *team, const char *name)
{
	size_t i = 0;
	while (i < team->n && strcmp(team->participants[i]->name, name) != 0)
		i++;
	return i;
}

void team_begin(struct team *team)
{
	team->progress = (struct team_progress){.phase = TEAM_CHECKING,
		.first = team->thread.n,
		.unchecked = team->thread.n,
		.started_at_ms = clock_now_ms()};
	if (team->rules.termination)
		termination_start(team->rules.termination);
}

void team_end(struct team *team)
{
	team->progress.phase = TEAM_STOPPED;
	if (team->rules.termination)
		termination_reset(team->rules.termination);
}

void team_reset(struct team *team)
{
	message_thread_release(&team->thread);
	message_thread_release(&team->within);
	team_answer_close(&team->answer);
	team->saved = 0;
	memset(team->seen, 0, team->n * sizeof *team->seen);
	team->next_speaker = team->type->first_speaker;
	team->progress = (struct team_progress){.phase = TEAM_STOPPED};
	for (size_t i = 0; i < team->n; i++)
		agent_reset(team->participants[i]);
	if (team->rules.termination)
		termination_reset(team->rules.termination);
}

void team_free(struct team *team)
{
	if (!team)
		return;
	message_thread_release(&team->thread);
	message_thread_release(&team->within);
	team_answer_close(&team->answer);
	free(team->seen);
	free(team);
}
