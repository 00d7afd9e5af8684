/* What came before the base: commits and what they changed. */
#include "worktree/internal.h"

int repository_parent(struct repository *repository, const struct object *commit,
	struct object *ret_commit, struct object *ret_tree, bool *ret_found, struct rondo_error *err)
{
	git_oid id;
	AUTO_GIT(commit) *child = NULL;
	AUTO_GIT(commit) *parent = NULL;
	if (oid_of(commit, &id, err) < 0 || store_open_commit(&repository->store, &id, &child, err) < 0)
		return -1;
	/* A shallow repository names parents that it does not have. */
	*ret_found = git_commit_parentcount(child) && git_commit_parent(&parent, child, 0) == 0;
	if (!*ret_found)
		return 0;
	*ret_commit = object_of(git_commit_id(parent));
	*ret_tree = object_of(git_commit_tree_id(parent));
	return 0;
}

int repository_find_commit(struct repository *repository, const char *revision,
	struct object *ret_commit, struct rondo_error *err)
{
	git_object *found = NULL, *commit = NULL;
	if (!repository->user || git_revparse_single(&found, repository->user, revision) < 0 ||
		git_object_peel(&commit, found, GIT_OBJECT_COMMIT) < 0) {
		git_object_free(found);
		error_set(err, RONDO_ERROR_USAGE, "'%s' names no commit", revision);
		return error_help(err, "git log --oneline");
	}
	*ret_commit = object_of(git_object_id(commit));
	git_object_free(commit);
	git_object_free(found);
	return 0;
}

struct history_paths {
	struct arena *arena;
	const char **items;
	size_t n;
};

static int history_add_path(void *owner, const char *path, const git_tree_entry *from,
	const git_tree_entry *to, struct rondo_error *err)
{
	struct history_paths *paths = owner;
	(void)from, (void)to, (void)err;
	ARENA_PUSH(paths->arena, paths->items, paths->n, arena_strdup(paths->arena, path));
	return 0;
}

int repository_changed_paths(struct repository *repository, const struct object *from,
	const struct object *to, struct arena *arena, const char ***ret_paths, size_t *ret_n,
	struct rondo_error *err)
{
	struct history_paths paths = {.arena = arena};
	if (tree_compare(&repository->store, from, to, history_add_path, &paths, err) < 0)
		return -1;
	*ret_paths = paths.items;
	*ret_n = paths.n;
	return 0;
}
