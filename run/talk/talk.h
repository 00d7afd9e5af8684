/* The talk of a run: the team speaks until it stops. Inside run/ only. */
#pragma once
#include "run/baseline/baseline.h"
#include "run/components.h"

struct talk {
	struct talk_facts facts;
	struct rondo_task_result result; /* of the team; empty where the chat was cut off */
	struct ending ending;            /* set: no suite judges, so the chat's own end is the run's */
};

/* What talk_run is told beside the stages. */
struct talk_order {
	const char *task; /* of this chat; NULL: the scenario's, where nothing was said yet */
	bool continues;   /* the team continues where its record ends */
};

/* Let the team work until it stops. The facts are filled in on failure, too: what was said is
 * known. */
int talk_run(struct talk *talk, const struct run_env *env, const struct site *site,
	const struct baseline_stage *baseline, struct components *components,
	const struct talk_order *wanted, struct rondo_error *err);

/* A time limit of the run ended the chat; what it came to is judged all the same. */
void talk_cut_off(struct talk *talk, const struct run_env *env);

/* talk_humans.c: refuse an agent that would wait for an answer that nobody can give; tell whom an
 * agent asks, and when. */
int talk_check_humans(
	const struct run_env *env, const struct components *components, struct rondo_error *err);
int talk_announce_humans(
	const struct run_env *env, const struct components *components, struct rondo_error *err);

/* talk_summary.c: the summary. Where a model gives none, the user is told. `last_model`: the one
 * that was asked last, or NULL; `limit`: the token with the run's time limit. */
int talk_sum_up(struct talk *talk, const struct run_env *env, struct components *components,
	const char *last_model, const struct cancel *limit, struct rondo_error *err);
