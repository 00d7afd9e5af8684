/*
 * The components of a scenario: models, agents, conditions and the team, made of what it declares.
 * Each gets what it needs of the others. Inside run/ only.
 */
#pragma once
#include "models/model.h"
#include "run/scenario/scenario.h"
#include "team/team.h"

struct components {
	const struct scenario *scenario;
	struct arena *arena;
	struct budget budget;
	struct model_services models_kit;
	struct termination_services conditions_kit;
	const struct agent_services *services;
	struct model **models; /* those that somebody asks */
	size_t n_models;
	struct agent **agents; /* participants, and agents within agents */
	size_t n_agents;
	struct team **teams; /* the run's own, and those within */
	size_t n_teams;
	struct team *team; /* the run's own; NULL: nothing is made */
};

/* Make them. The scenario, whose specs get pointers to what is made of them, and the services are
 * borrowed; `recorded` may be NULL. On failure release them, too. */
int components_make(struct components *components, struct scenario *scenario,
	const struct agent_services *services, const struct secrets *secrets,
	struct recorded_replies *recorded, struct rondo_error *err);

/* The same without a team, for components_find_model alone. */
void components_begin(
	struct components *components, struct scenario *scenario, const struct secrets *secrets);
/* A model by its name alone, or by its key among the scenario's models. NULL with err set. */
struct model *components_find_model(
	struct components *components, const char *name, struct rondo_error *err);

/* Count and charge a reply that one of the models gave before the run broke off. */
int components_recall(struct components *components, const char *model,
	const struct model_reply *reply, struct rondo_error *err);

/* A zeroed struct is fine. */
void components_release(struct components *components);
