/* A checkout of rondo's own: made, given away, read back, removed. */
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

#include "base/file.h"
#include "base/log.h"
#include "base/memory.h"
#include "worktree/scan.h"

static int make_worktree(
	struct worktree *worktree, const struct object *tree, struct rondo_error *err)
{
	struct repository *repository = worktree->repository;
	char name[32];
	snprintf(name, sizeof name, "%u", ++repository->n_worktrees);
	if (store_open(&worktree->store, repository->private_dir, repository->objects, name, err) < 0)
		return -1;
	worktree->store.filters_always = repository->store.filters_always;
	worktree->store.ignores_fixed = repository->store.ignores_fixed;
	worktree->store.ignores = repository->store.ignores;
	worktree->fd = open(worktree->dir, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
	if (worktree->fd < 0 || fchmod(worktree->fd, 0755) < 0 ||
		(worktree->owned && fchown(worktree->fd, worktree->uid, worktree->gid) < 0))
		return error_errno(err, RONDO_ERROR_CANNOT_JUDGE, "cannot open '%s'", worktree->dir);
	return worktree_checkout(worktree, tree, err);
}

static int worktree_new_with(const struct worktree *begun, const struct object *tree,
	const char *dir, struct worktree **ret_worktree, struct rondo_error *err)
{
	if (mkdir(dir, 0755) < 0)
		return error_errno(err, RONDO_ERROR_CANNOT_JUDGE, "cannot make directory '%s'", dir);
	AUTO_WORKTREE *worktree = memory_alloc(sizeof *worktree);
	*worktree = *begun;
	worktree->dir = memory_strdup(dir);
	worktree->fd = -1;
	if (make_worktree(worktree, tree, err) < 0)
		return -1;
	worktree->other = NULL;
	*ret_worktree = STEAL(&worktree);
	return 0;
}

int worktree_new(struct repository *repository, const struct object *tree, const char *dir,
	struct worktree **ret_worktree, struct rondo_error *err)
{
	struct worktree begun = {.repository = repository};
	return worktree_new_with(&begun, tree, dir, ret_worktree, err);
}

int worktree_new_beside(struct worktree *other, const struct object *tree, const char *dir,
	struct worktree **ret_worktree, struct rondo_error *err)
{
	struct worktree begun = {.repository = other->repository,
		.other = other,
		.owned = other->owned,
		.uid = other->uid,
		.gid = other->gid};
	return worktree_new_with(&begun, tree, dir, ret_worktree, err);
}

void worktree_free(struct worktree *worktree)
{
	if (!worktree)
		return;
	struct rondo_error err;
	if (worktree->fd >= 0)
		close(worktree->fd);
	if (file_remove_tree(worktree->dir, &err) < 0 ||
		(worktree->store.rules_dir && file_remove_tree(worktree->store.rules_dir, &err) < 0))
		log_line(LOG_INFO, "worktree", "%s", err.message);
	known_release(&worktree->known);
	store_release(&worktree->store);
	free(worktree->dir);
	free(worktree);
}

const char *worktree_dir(const struct worktree *worktree)
{
	return worktree->dir;
}

/* Forget what may have changed since it was looked at. */
static void forget_changed(struct worktree *worktree)
{
	for (size_t i = 0; i < worktree->known.n; i++) {
		struct known_file *known = worktree->known.items[i];
		struct stat st;
		if (fstatat(worktree->fd, known->path, &st, AT_SYMLINK_NOFOLLOW) < 0 ||
			!known_is_fresh(known, &st))
			known->stamp_ns = 0;
	}
}

/* Giving a file away changes its ctime; that alone makes it no other file. */
static void look_again(struct worktree *worktree)
{
	int64_t now = time_of_files_ns();
	for (size_t i = 0; i < worktree->known.n; i++) {
		struct known_file *known = worktree->known.items[i];
		struct stat st;
		if (!known->stamp_ns || fstatat(worktree->fd, known->path, &st, AT_SYMLINK_NOFOLLOW) < 0)
			continue;
		known->ctime_ns = stat_ctime_ns(&st);
		/* To read a large file again would take longer than to wait for the clock's next tick. */
		while (st.st_size > LARGEST_FILE && now <= known->ctime_ns)
			now = time_of_files_ns();
		known->stamp_ns = now;
	}
}

int worktree_own(struct worktree *worktree, uid_t uid, gid_t gid, struct rondo_error *err)
{
	if (worktree->owned && worktree->uid == uid && worktree->gid == gid)
		return 0;
	forget_changed(worktree);
	if (file_own_tree(worktree->dir, uid, gid, err) < 0)
		return -1;
	worktree->owned = true;
	worktree->uid = uid;
	worktree->gid = gid;
	look_again(worktree);
	return 0;
}

int worktree_tree(struct worktree *worktree, const char *const *leave_out, size_t n,
	struct arena *arena, struct object *ret_tree, const char ***ret_refused, size_t *ret_n_refused,
	struct rondo_error *err)
{
	AUTO_GIT(tree) *tracked = NULL;
	if (store_open_tree(&worktree->store, &worktree->tree, &tracked, err) < 0)
		return -1;
	__attribute__((cleanup(scan_release))) struct scan scan = {
		.store = &worktree->store,
		.known = &worktree->known,
		.arena = arena,
		.drivers = worktree->repository->drivers,
		.n_drivers = worktree->repository->n_drivers,
		.leave_out = leave_out,
		.n_leave_out = n,
		.hostile = true,
		.filemode = true,
	};
	git_oid id;
	if (scan_directory(&scan, worktree->fd, tracked, &id, err) < 0)
		return error_prefix(err, "%s", worktree->dir);
	*ret_tree = object_of(&id);
	*ret_refused = scan.notes;
	*ret_n_refused = scan.n_notes;
	return 0;
}
