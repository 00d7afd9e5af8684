/* What a run hands to its agents, as its stages are reached. */
#include "run/stages.h"

#define LEAST_SUITE_MS ((int64_t)60 * 1000)
#define REPAIR_MS ((int64_t)60 * 1000)
#define UNBUILT_SUITE_MS ((int64_t)600 * 1000) /* nobody knows how long it takes once it builds */
#define SUITE_PATIENCE 5                       /* times the first run of the baseline */

void services_add_site(
	struct agent_services *services, const struct run_env *env, struct site *site)
{
	const struct scenario_limits *limits = &env->order->scenario->limits;
	int64_t block_ms = env->order->executor.settings->timeout_ms;
	*services = (struct agent_services){.main_checkout = &site->main,
		.test_checkouts = site->workers,
		.n_test_checkouts = site->n_workers,
		.repository = site->repository,
		.base = &site->base,
		.leave_out = site->leave_out.items,
		.n_leave_out = site->leave_out.n,
		.log_dir = env->paths.logs,
		.dir = env->order->scenario->dir,
		.agents_dir = arena_printf(env->arena, "%s/agents", env->paths.dir),
		.block_timeout_ms = block_ms ? block_ms : limits->block_ms,
		.suite_timeout_ms = limits->suite_ms ? limits->suite_ms : LEAST_SUITE_MS,
		.repair_timeout_ms = limits->repair_ms ? limits->repair_ms : REPAIR_MS,
		.repair_candidates = limits->candidates,
		.allow = scenario_allowed(env->order->scenario),
		.runs_code = scenario_runs_code(env->order->scenario),
		.end_word = scenario_end_word(env->order->scenario)};
	if (!env->order->has_suite)
		return;
	services->suite = &site->suite;
	services->protection = &site->protection;
}

void services_add_baseline(struct agent_services *services, const struct run_env *env,
	const struct baseline_stage *baseline)
{
	int64_t needed_ms = judge_was_built(&baseline->reports[0])
		? SUITE_PATIENCE * baseline->reports[0].duration_ms
		: UNBUILT_SUITE_MS;
	services->suite = &baseline->suite;
	services->baseline = &baseline->result;
	services->judges_whole = baseline->judges_whole;
	if (!env->order->scenario->limits.suite_ms && needed_ms > services->suite_timeout_ms)
		services->suite_timeout_ms = needed_ms;
}

int64_t services_afresh_ms(const struct agent_services *services, const struct run_env *env)
{
	bool builds = services->suite->type->may_build && !env->order->scenario->limits.suite_ms;
	int64_t ms = services->suite_timeout_ms;
	return builds && ms < UNBUILT_SUITE_MS ? UNBUILT_SUITE_MS : ms;
}
