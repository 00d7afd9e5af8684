/*
 * What a run spent on models, by who asked and by which of them answered. Taken from its events, so
 * that what a journal recalls counts as what is recorded now. Inside run/ only.
 */
#pragma once
#include "models/model.h"
#include "run/run.h"

struct tally {
	struct arena *arena;
	struct run_spending *agents, *models; /* those that asked or were asked, in their order */
	size_t n_agents, n_models;
	const char *last_model; /* that was asked; NULL: none was */
	char speaker[128];      /* whose turn it is; "": nobody's */
};

/* Take up an event that was recorded; most are passed over. */
void tally_event(struct tally *tally, const struct rondo_event *event);

/* Add the rows of another one; what is unknown of a part is unknown of the whole. */
void tally_add_all(struct tally *tally, const struct tally *other);

/* What each model's calls cost, by its price. */
void tally_price(struct tally *tally, struct model *const *models, size_t n);
