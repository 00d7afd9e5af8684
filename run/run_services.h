/* What a run hands to its agents, as its stages are reached. Inside run/ only. */
#pragma once
#include "run/baseline.h"

/* The checkouts, and the limits that the order sets. */
void services_add_site(
	struct agent_services *services, const struct run_env *env, struct site *site);

/* What fails, and how long the suite may take. */
void services_add_baseline(struct agent_services *services, const struct run_env *env,
	const struct baseline_stage *baseline);
