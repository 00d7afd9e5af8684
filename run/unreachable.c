/* Goal tests that are red because there is no network, or nobody behind a port: nothing in the tree makes them pass. */
#include <string.h>

#include "base/memory.h"
#include "run/stages.h"

/* A test that needs the network is left out of the goal; of a service it is only told, for it may be the tree's own. */
static const char *why_unreachable(const struct run *run, const char *id, bool *ret_needs_network)
{
	const struct test_result *result = test_report_find(&run->reports[0], id);
	const char *why = result ? suite_network_problem(&run->reports[0], result, run->arena) : NULL;
	*ret_needs_network = why && text_starts_with(why, "the network") && strcmp(run->executor.settings->network, "none") == 0 &&
			     executor_sight(&run->executor) != EXECUTOR_SEES_HOST;
	return why;
}

int unreachable_set_apart(struct run *run, const char **ret_problem, struct rondo_error *err)
{
	struct baseline *baseline = &run->baseline;
	const char *first = NULL, *first_why = NULL;
	size_t n = 0, n_apart = 0;
	*ret_problem = NULL;
	for (size_t i = 0; i < baseline->n_goal; i++) {
		const char *id = baseline->goal[i];
		bool needs_network;
		const char *why = why_unreachable(run, id, &needs_network);
		if (why && !first) {
			first = id;
			first_why = why;
		}
		if (!needs_network) {
			baseline->goal[n++] = id;
			continue;
		}
		n_apart++;
		ARENA_PUSH(run->arena, baseline->red, baseline->n_red, id);
	}
	baseline->n_goal = n;
	if (!first)
		return 0;
	if (n_apart && !n) {
		*ret_problem = arena_printf(run->arena, "the failing tests need %s (%s)", first_why, first);
		return 0;
	}
	return run_notice(run, err, "%s needs %s%s", first, first_why, n_apart ? ", so it is not among the goal's" : "");
}
