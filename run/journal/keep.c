/* What a run keeps on disk of the base and the desk, so that it can go on when its checkouts are gone. */
#include <string.h>

#include "base/memory.h"
#include "run/stages.h"

int keep_base(struct run *run, struct rondo_error *err)
{
	run->kept = run->base.tree;
	if (run->dry_run || (run->past && run->past->base))
		return 0;
	return repository_keep_base(run->repository, &run->base, run->paths.packs, err);
}

int keep_desk(struct run *run, const char **ret_tree, struct rondo_error *err)
{
	AUTO_ARENA arena = ARENA_INIT;
	struct object tree;
	const char **refused;
	size_t n;
	*ret_tree = NULL;
	if (!run->desk_is_touched || !run->desk.worktree)
		return 0;
	if (worktree_tree(run->desk.worktree, run->kit.leave_out, run->kit.n_leave_out, &arena, &tree, &refused, &n,
		    err) < 0)
		return -1;
	run->desk_is_touched = false;
	if (strcmp(tree.hex, run->kept.hex) == 0)
		return 0;
	if (strcmp(tree.hex, run->base.tree.hex) != 0 &&
		repository_keep(run->repository, &tree, &run->base.tree, NULL, run->paths.packs, err) < 0)
		return -1;
	run->kept = tree;
	*ret_tree = run->kept.hex;
	return 0;
}

int keep_restore_base(struct run *run, struct rondo_error *err)
{
	if (repository_take(run->repository, run->paths.packs, err) < 0 ||
		past_base(run->past, run->arena, &run->base, err) < 0)
		return -1;
	return repository_has_commit(run->repository, &run->base.commit, err);
}

int keep_restore_desk(struct run *run, struct rondo_error *err)
{
	if (!run->past->tree[0])
		return 0;
	memcpy(run->kept.hex, run->past->tree, OBJECT_SIZE);
	return worktree_checkout(run->desk.worktree, &run->kept, err);
}
