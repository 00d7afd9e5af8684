/* Goal tests that are red because there is no network, or nobody behind a port: nothing in the tree
 * makes them pass. */
#include <string.h>

#include "run/baseline.h"

/* A test that needs the network is left out of the goal; of a service it is only told, for it may
 * be the tree's own. */
static const char *baseline_why_unreachable(const struct baseline_stage *baseline,
	const struct run_env *env, const char *id, bool *ret_needs_network)
{
	const struct test_report *report = &baseline->reports[0];
	const struct test_result *result = test_report_find(report, id);
	const char *why = result ? suite_network_problem(report, result, env->arena) : NULL;
	*ret_needs_network = why && text_starts_with(why, "the network") &&
		strcmp(env->order->executor.settings->network, "none") == 0 &&
		executor_sight(&env->order->executor) != EXECUTOR_SEES_HOST;
	return why;
}

int baseline_set_unreachable_apart(struct baseline_stage *baseline, const struct run_env *env,
	const char **ret_problem, struct rondo_error *err)
{
	struct baseline *result = &baseline->result;
	const char *first = NULL, *first_why = NULL;
	size_t n = 0, n_apart = 0;
	*ret_problem = NULL;
	for (size_t i = 0; i < result->n_goal; i++) {
		const char *id = result->goal[i];
		bool needs_network;
		const char *why = baseline_why_unreachable(baseline, env, id, &needs_network);
		if (why && !first) {
			first = id;
			first_why = why;
		}
		if (!needs_network) {
			result->goal[n++] = id;
			continue;
		}
		n_apart++;
		ARENA_PUSH(env->arena, result->red, result->n_red, id);
	}
	result->n_goal = n;
	if (!first)
		return 0;
	if (n_apart && !n) {
		*ret_problem = arena_printf(env->arena, "the failing tests need %s (%s)", first_why, first);
		return 0;
	}
	return env_notice(env, err, "%s needs %s%s", first, first_why,
		n_apart ? ", so it is not among the goal's" : "");
}
