/*
 * A team: participants that speak in turns on one thread until a condition says stop. A type
 * supplies only who speaks next.
 */
#pragma once
#include "agents/agent.h"
#include "chat/budget.h"
#include "termination/termination.h"

/* What every team can be told. */
struct team_options {
	struct option_refs participants;  /* agents */
	struct option_specs termination;  /* any of these */
	int64_t max_turns;                /* 0: no limit of its own */
};

struct team {
	const struct team_type *type;
	struct agent *const *participants; /* borrowed */
	size_t n;
	struct termination *termination;   /* borrowed; NULL: only max_turns stops */
	struct budget *budget;             /* borrowed; NULL: none. Once it is exhausted the chat stops */
	int max_turns;                     /* 0: no limit; a search has a budget of its own and counts not */
	struct message_thread thread;
	size_t *seen;                      /* by participant: how much of the thread it knows */
	size_t next_speaker;
	int turn;                          /* of this run */
	int counted_turns;                 /* of these, what max_turns counts */
};

struct team_type {
	const char *name;
	const char *summary;
	/* The place of the participant that speaks now; may move team->next_speaker. */
	size_t (*select_speaker)(struct team *team);
};

#define TEAM_TYPES(_) _(round_robin)
#define TEAM_DECLARE(name) extern const struct team_type name##_team;
TEAM_TYPES(TEAM_DECLARE)
#undef TEAM_DECLARE
extern const struct team_type *const team_types[];
extern const size_t team_types_n;
extern const struct option_family team_family;

/* A team of at least one participant with names that differ. */
int team_new(const struct team_type *type, struct agent *const *participants, size_t n,
	struct termination *termination, int max_turns, struct budget *budget, struct team **ret_team,
	struct rondo_error *err);

/* Say the task, then let the participants speak until it stops. The result is borrowed from the team. A participant
 * that fails ends the run with its error; the team stays usable. */
int team_run(struct team *team, const struct rondo_message *task, struct rondo_task_result *result,
	const struct context *ctx, struct rondo_error *err);

/* Forget everything said; participants and condition as new. */
void team_reset(struct team *team);

void team_free(struct team *team);
