/*
 * The components of a scenario: models, agents, conditions and the team, made of what it declares.
 * Each gets what it needs of the others. Inside run/ only.
 */
#pragma once
#include "models/model.h"
#include "run/scenario/scenario.h"
#include "team/team.h"

struct components {
	struct scenario *scenario;
	struct arena *arena;
	struct budget own_budget;
	struct budget *budget; /* its own, or that of all attempts */
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

/* The same in two parts: with another budget between them, or a temperature for models that name
 * none; both borrowed, either NULL. The first part is enough for components_find_model. */
void components_begin(
	struct components *components, struct scenario *scenario, const struct secrets *secrets);
void components_share(
	struct components *components, struct budget *budget, const double *temperature);
int components_fill(struct components *components, const struct agent_services *services,
	struct recorded_replies *recorded, struct rondo_error *err);
/* A model by its name alone, or by its key among the scenario's models. NULL with err set. */
struct model *components_find_model(
	struct components *components, const char *name, struct rondo_error *err);

/* Count and charge a reply that one of the models gave before the run broke off. */
int components_recall(struct components *components, const char *model, const struct json *data,
	const struct model_reply *reply, struct rondo_error *err);

/* A zeroed struct is fine. */
void components_release(struct components *components);
