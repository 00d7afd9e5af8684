/* What a change that somebody else made is compared with, and what it makes of that. */
#include <string.h>

#include "base/memory.h"
#include "run/site/site.h"

#define SHORT_HASH 10

/* The commit that a revision is compared with: where it branched off from HEAD; of one that HEAD
 * has, its first parent. */
static int proposal_find_fork(struct repository *repository, const struct object *commit,
	const char *revision, struct object *ret_base, struct rondo_error *err)
{
	struct object head, tree;
	bool found;
	if (repository_find_commit(repository, "HEAD", &head, err) < 0 ||
		repository_merge_base(repository, &head, commit, ret_base, err) < 0)
		return -1;
	if (strcmp(ret_base->hex, commit->hex) != 0)
		return 0;
	if (repository_parent(repository, commit, ret_base, &tree, &found, err) < 0)
		return -1;
	if (found)
		return 0;
	error_set(err, RONDO_ERROR_USAGE, "'%s' has no parent to be compared with", revision);
	return error_help(err, "--base names the commit to compare with");
}

/* The base that the user names, else HEAD. */
static int proposal_find_base(struct site *site, const struct run_env *env, struct rondo_error *err)
{
	const char *revision = env->order->proposal->base;
	struct object commit;
	if (!revision)
		return repository_base(site->repository, BASE_HEAD, env->arena, &site->base, err);
	if (repository_find_commit(site->repository, revision, &commit, err) < 0)
		return -1;
	return repository_base_at(site->repository, &commit, env->arena, &site->base, err);
}

static int proposal_of_revision(
	struct site *site, const struct run_env *env, struct rondo_error *err)
{
	const struct proposal *proposal = env->order->proposal;
	struct repository *repository = site->repository;
	struct object commit, fork;
	struct base end;
	if (repository_find_commit(repository, proposal->revision, &commit, err) < 0)
		return proposal->may_be_file
			? error_set(err, RONDO_ERROR_USAGE, "'%s' names no commit, and no file either",
				  proposal->revision)
			: -1;
	if (repository_base_at(repository, &commit, env->arena, &end, err) < 0)
		return -1;
	site->proposed = end.tree;
	site->facts.proposal =
		arena_printf(env->arena, "%s (%.*s)", proposal->revision, SHORT_HASH, commit.hex);
	if (proposal->base)
		return proposal_find_base(site, env, err);
	if (proposal_find_fork(repository, &commit, proposal->revision, &fork, err) < 0)
		return -1;
	return repository_base_at(repository, &fork, env->arena, &site->base, err);
}

static int proposal_of_patch(struct site *site, const struct run_env *env, struct rondo_error *err)
{
	const struct proposal *proposal = env->order->proposal;
	site->facts.proposal = arena_printf(env->arena, "the patch %s", proposal->patch_name);
	if (proposal_find_base(site, env, err) < 0)
		return -1;
	return repository_patch_tree(site->repository, &site->base.tree, proposal->patch, proposal->n,
			   &site->proposed, err) < 0
		? error_prefix(err, "%s", proposal->patch_name)
		: 0;
}

static int proposal_of_work(struct site *site, const struct run_env *env, struct rondo_error *err)
{
	struct base work;
	if (repository_base(site->repository, BASE_SNAPSHOT, env->arena, &work, err) < 0 ||
		proposal_find_base(site, env, err) < 0)
		return -1;
	site->proposed = work.tree;
	site->facts.proposal = "the uncommitted work";
	return 0;
}

static int proposal_find(struct site *site, const struct run_env *env, struct rondo_error *err)
{
	const struct proposal *proposal = env->order->proposal;
	if (proposal->revision)
		return proposal_of_revision(site, env, err);
	if (proposal->patch)
		return proposal_of_patch(site, env, err);
	return proposal_of_work(site, env, err);
}

int site_find_proposal(struct site *site, const struct run_env *env, struct rondo_error *err)
{
	if (!site->facts.has_repository)
		return error_set(err, RONDO_ERROR_USAGE, "'%s' lies in no repository", site->path);
	if (proposal_find(site, env, err) < 0)
		return -1;
	if (strcmp(site->proposed.hex, site->base.tree.hex) != 0)
		return repository_date_by(site->repository, &site->base.tree, err);
	error_set(err, RONDO_ERROR_USAGE, "there is nothing to verify: %s changes nothing of %.*s",
		site->facts.proposal, SHORT_HASH, site->base.commit.hex);
	return error_help(
		err, "rondo verify REV, rondo verify FILE.diff, or git diff | rondo verify -");
}
