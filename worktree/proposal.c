/* A change that somebody else committed, against where it branched off. */
#include "worktree/scan.h"

int repository_base_at(struct repository *repository, const struct object *commit,
	struct arena *arena, struct base *ret_base, struct rondo_error *err)
{
	git_oid id;
	struct base now;
	AUTO_GIT(commit) *found = NULL;
	if (oid_of(commit, &id, err) < 0 ||
		store_open_commit(&repository->store, &id, &found, err) < 0 ||
		repository_base(repository, BASE_HEAD, arena, &now, err) < 0)
		return -1;
	*ret_base = (struct base){.commit = *commit,
		.tree = object_of(git_commit_tree_id(found)),
		.head = *commit,
		.branch = now.branch,
		.borrowed = now.borrowed,
		.n_borrowed = now.n_borrowed};
	return 0;
}

int repository_merge_base(struct repository *repository, const struct object *a,
	const struct object *b, struct object *ret_commit, struct rondo_error *err)
{
	git_oid one, other, found;
	if (oid_of(a, &one, err) < 0 || oid_of(b, &other, err) < 0)
		return -1;
	if (git_merge_base(&found, repository->store.handle, &one, &other) < 0) {
		error_set(err, RONDO_ERROR_USAGE, "the commits %.10s and %.10s have no common ancestor",
			a->hex, b->hex);
		return error_help(err, "--base names the commit to compare with");
	}
	*ret_commit = object_of(&found);
	return 0;
}

int repository_date_by(
	struct repository *repository, const struct object *tree, struct rondo_error *err)
{
	AUTO_GIT(tree) *from = NULL;
	if (store_open_tree(&repository->store, tree, &from, err) < 0)
		return -1;
	for (size_t i = 0; i < repository->seen.n; i++) {
		struct known_file *file = repository->seen.items[i];
		git_tree_entry *entry = NULL;
		bool is_there = git_tree_entry_bypath(&entry, from, file->path) == 0;
		if (!is_there || !git_oid_equal(git_tree_entry_id(entry), &file->id))
			file->stamp_ns = 0;
		git_tree_entry_free(entry);
	}
	return 0;
}
