#include "agents/agent.h"
#include "base/memory.h"

struct judge_options services_goal_options(
	const struct agent_services *services, struct arena *arena)
{
	struct judge_options options = judge_goal_options(services->suite, services->baseline, arena);
	if (services->judges_whole)
		options.ids = NULL;
	return options;
}

struct services_keeping {
	const struct protection *protection;
	struct arena *arena;
	const char **paths;
	size_t n;
};

static bool services_keep_protected(void *owner, const char *path)
{
	struct services_keeping *keeping = owner;
	if (!keeping->protection || !protection_rule(keeping->protection, path))
		return false;
	ARENA_PUSH(keeping->arena, keeping->paths, keeping->n, arena_strdup(keeping->arena, path));
	return true;
}

int services_check_out(const struct agent_services *services, struct checkout *checkout,
	struct arena *arena, struct judged_tree *ret_tree, struct rondo_error *err)
{
	struct object whole, judged;
	const char **refused;
	size_t n_refused;
	struct services_keeping keeping = {.protection = services->protection, .arena = arena};
	if (worktree_tree(services->main_checkout->worktree, services->leave_out, services->n_leave_out,
			arena, &whole, &refused, &n_refused, err) < 0)
		return -1;
	if (repository_merge_tree(services->repository, &services->base->tree, &whole,
			services_keep_protected, &keeping, &judged, err) < 0)
		return -1;
	if (worktree_checkout(checkout->worktree, &judged, err) < 0 ||
		executor_restore(checkout->executor, err) < 0)
		return -1;
	*ret_tree = (struct judged_tree){
		.whole = whole, .judged = judged, .left_out = keeping.paths, .n_left_out = keeping.n};
	return 0;
}
