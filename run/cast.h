/*
 * The cast of a scenario: models, agents, conditions and the team, made of what was declared, each
 * handed to those that need it. Inside run/ only.
 */
#pragma once
#include "models/model.h"
#include "run/scenario/scenario.h"
#include "team/team.h"

struct cast {
	const struct scenario *scenario;
	struct arena *arena;
	struct budget budget;
	struct model_kit models_kit;
	struct termination_kit conditions_kit;
	const struct agent_kit *kit;
	struct model **models; /* those that somebody speaks through */
	size_t n_models;
	struct agent **agents; /* participants, and agents within agents */
	size_t n_agents;
	struct team **teams; /* the run's own, and those within */
	size_t n_teams;
	struct team *team;   /* the run's own */
};

/* Make it. The scenario, whose specs take the things up, and the kit are borrowed; `recorded` may be
 * NULL. On failure release it, too. */
int cast_make(struct cast *cast, struct scenario *scenario, const struct agent_kit *kit,
	const struct secrets *secrets, struct recorded_replies *recorded, struct rondo_error *err);

/* A reply that one of its models gave before the run broke off: it is counted, and paid for. */
int cast_recall(struct cast *cast, const char *model, const struct model_reply *reply, struct rondo_error *err);

/* A zeroed struct is fine. */
void cast_release(struct cast *cast);
